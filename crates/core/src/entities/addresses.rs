//! Where does somebody live? Pieces of addresses are weighed, and those that stand together added up.

use super::address_pieces::{self, Piece};
use super::page::{Page, Shape};
use super::vocabulary::Traits;
use super::{EntityKind, Found};

/// What pieces together must be worth to be an address, in hundredths.
const ENOUGH: i32 = 50;
/// The most that pieces are worth: streets share their words with much else.
const MOST: i32 = 95;
/// Most words between two pieces of one address: a city of three words and a state.
const WORDS_BETWEEN_MAX: usize = 4;
/// How many words before an address its cue may stand.
const CUE_WORDS: usize = 6;
/// What a word for an address adds.
const CUE_ADDRESS: i32 = 30;
/// What a word for a place adds, right before the address.
const CUE_PLACE: i32 = 12;
/// What a country behind the pieces adds.
const COUNTRY: i32 = 15;

/// Finds addresses.
pub(super) fn notice(page: &Page<'_>, found: &mut Found) {
    let pieces = address_pieces::find(page);
    let mut rest = pieces.as_slice();
    while let Some((first, others)) = rest.split_first() {
        let mut group = Group { first: first.first, last: first.last, worth: first.worth };
        let mut taken = 0;
        for piece in others {
            if !group.reaches(page, piece) {
                break;
            }
            group.take(piece);
            taken += 1;
        }
        group.settle(page, found);
        rest = others.get(taken..).unwrap_or_default();
    }
}

/// Pieces that stand together.
struct Group {
    first: usize,
    last: usize,
    worth: i32,
}

impl Group {
    /// Whether a piece belongs to the group: few words between, all of them such as names of places are.
    fn reaches(&self, page: &Page<'_>, piece: &Piece) -> bool {
        if piece.first <= self.last {
            return true;
        }
        let between = self.last + 1..piece.first;
        let fits = |word: usize| {
            page.shape(word) != Some(Shape::Lower)
                || page.is(word, Traits::PARTICLE)
                || page.gap_before(word).contains('\n')
                || matches!(page.word(word), "and" | "nan")
        };
        between.len() <= WORDS_BETWEEN_MAX && between.clone().all(fits)
    }

    fn take(&mut self, piece: &Piece) {
        // What overlaps says the same again.
        let again = piece.first <= self.last;
        self.worth = if again { self.worth.max(piece.worth) } else { self.worth + piece.worth };
        self.last = self.last.max(piece.last);
    }

    fn settle(&self, page: &Page<'_>, found: &mut Found) {
        let mut worth = self.worth;
        if page.cued(self.first, CUE_WORDS, Traits::CUE_ADDRESS) {
            worth += CUE_ADDRESS;
        } else if page.cued(self.first, 3, Traits::CUE_PLACE) {
            worth += CUE_PLACE;
        }
        let mut last = self.last;
        let is_country = |word: &usize| {
            page.is(*word, Traits::COUNTRY) && page.shape(*word).is_some_and(Shape::is_capital)
        };
        if let Some(country) = (last + 1..last + 5).find(is_country) {
            worth += COUNTRY;
            last = country;
        }
        if worth >= ENOUGH {
            found.add(
                EntityKind::Address,
                page.range(self.first, last),
                worth.min(MOST),
                "parts of an address",
            );
        }
    }
}
