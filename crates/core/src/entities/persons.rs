//! Who is named? Capitalised words are weighed by what they are, what stands around them and who is spoken of.

use super::page::{Page, Shape};
use super::vocabulary::Traits;
use super::{EntityKind, Found};

/// What a name must be worth to be told, in hundredths.
const ENOUGH: i32 = 40;
/// The most it is worth: no list of names is whole and no cue only a name's.
const MOST: i32 = 95;
/// What a name is worth that is tied to a person by the words around it, before the name itself speaks.
const TIED: i32 = 75;
/// The most a name is worth that nothing ties: it may be a composer's, a city's or a firm's.
const UNTIED_MAX: i32 = 65;
/// Most words of one name.
const NAME_WORDS_MAX: usize = 5;

/// Finds names of persons.
pub(super) fn notice(page: &Page<'_>, found: &mut Found) {
    let mut first = 0;
    while first < page.words.len() {
        let Some(name) = Name::read(page, first) else {
            first += 1;
            continue;
        };
        let (worth, rule) = name.weigh();
        if worth >= ENOUGH {
            found.add(EntityKind::Person, page.range(name.first, name.last), worth.min(MOST), rule);
        }
        first = name.last + 1;
    }
}

/// Words that may be a name.
struct Name<'p, 't> {
    page: &'p Page<'t>,
    first: usize,
    last: usize,
}

impl<'p, 't> Name<'p, 't> {
    /// Reads the name that begins with a word, if one can.
    fn read(page: &'p Page<'t>, first: usize) -> Option<Name<'p, 't>> {
        let shape = page.shape(first)?;
        if !may_name(page, first) {
            return (shape == Shape::Lower).then(|| Name::read_lower(page, first))?;
        }
        let mut last = first;
        while last - first + 1 < NAME_WORDS_MAX && is_joined(page, last) {
            let particle = page.is(last + 1, Traits::PARTICLE) && page.shape(last + 1) == Some(Shape::Lower);
            if particle && may_name(page, last + 2) && page.gap(last + 1) == " " {
                last += 2;
            } else if may_name(page, last + 1) && !particle {
                last += 1;
            } else {
                break;
            }
        }
        // What stands before a given name is hardly part of it: "Kunde Hans Müller".
        let given = |word: &usize| page.is(*word, Traits::GIVEN);
        let first = (first..=last).find(given).filter(|from| *from < last).unwrap_or(first);
        Some(Name { page, first, last })
    }

    /// A name in lower case: only right behind words that announce one.
    fn read_lower(page: &'p Page<'t>, first: usize) -> Option<Name<'p, 't>> {
        let is_word = |word: usize| {
            page.shape(word) == Some(Shape::Lower)
                && page.word(word).len() > 2
                && !page.is(
                    word,
                    Traits::PLAIN
                        | Traits::CUE_CARD
                        | Traits::KIN
                        | Traits::TIME_UNIT
                        | Traits::WEEKDAY
                        | Traits::DAY,
                )
        };
        let given = page.is(first, Traits::GIVEN | Traits::GIVEN_UNSURE);
        let announced = announcement(page, first) == Some(Announcement::Sure);
        let titled = is_titled(page, first) && page.word(first - 1).len() <= 3;
        if !is_word(first) || !(announced || titled) {
            return None;
        }
        let more = page.gap(first) == " " && is_word(first + 1);
        let last = first + usize::from(more);
        let ends = page.gap(last).trim_start().starts_with(['.', ',', '!', '?', '\n'])
            || last + 1 >= page.words.len()
            || page.gap(last).contains('\n');
        (given || ends || titled).then_some(Name { page, first, last })
    }

    /// What speaks for a person, and the rule by which the words are a name.
    fn weigh(&self) -> (i32, &'static str) {
        let words = self.weigh_words();
        match self.tie() {
            Some(rule) => (TIED + words.min(45) / 3, rule),
            None => ((words + self.weigh_neighbours()).min(UNTIED_MAX), "looks like a name"),
        }
    }

    /// What makes the words somebody's name, and somebody a person: a title, a relation, or words that announce it.
    fn tie(&self) -> Option<&'static str> {
        let page = self.page;
        let given = page.is(self.first, Traits::GIVEN);
        let likely = given || self.last > self.first;
        if is_titled(page, self.first) {
            return Some("behind a title");
        }
        if let Some(cue) = announcement(page, self.first)
            && (cue == Announcement::Sure || likely)
        {
            return Some("announced");
        }
        let blank = |word: usize| page.gap(word).trim_matches([' ', ',']).is_empty();
        if self.first > 0 && page.is(self.first - 1, Traits::KIN) && blank(self.first - 1) {
            return Some("behind a relation");
        }
        let after = self.last + 1;
        let owns = matches!(page.gap(self.last), "'" | "’") && page.word(after) == "s";
        if owns && likely && (after + 1..after + 3).any(|word| page.is(word, Traits::BELONGING | Traits::KIN))
        {
            return Some("owner of something personal");
        }
        let becomes =
            page.word(after) == "as" && (after + 1..after + 4).any(|word| page.is(word, Traits::ROLE));
        (becomes && likely).then_some("in a role")
    }

    /// What the words themselves say.
    fn weigh_words(&self) -> i32 {
        let page = self.page;
        let words = self.last - self.first + 1;
        let traits = page.traits(self.first);
        let begins = page.begins_sentence(self.first) && !is_titled(page, self.first);
        let mut worth = match (traits.any(Traits::GIVEN), traits.any(Traits::GIVEN_UNSURE)) {
            (_, true) if begins && words == 1 => 5,
            (_, true) => 20,
            (true, false) => 45,
            _ => 0,
        };
        if worth == 0 && begins && words == 1 {
            worth -= 10;
        }
        if (2..=4).contains(&words) {
            worth += if begins { 20 } else { 25 };
        }
        let initial = (self.first + 1..self.last).any(|word| page.word(word).chars().count() == 1);
        if initial {
            worth += 25;
        }
        if (self.first..=self.last)
            .any(|word| page.is(word, Traits::NOT_PERSON | Traits::STREET_END | Traits::COUNTRY))
        {
            worth -= 60;
        }
        if page.shape(self.first) == Some(Shape::Upper) && page.word(self.first).chars().count() > 1 {
            worth -= 20;
        }
        worth
    }

    /// What stands around the words says.
    fn weigh_neighbours(&self) -> i32 {
        let page = self.page;
        let before = self.first.checked_sub(1);
        let after = self.last + 1;
        let near = |gap: &str| !gap.contains(['.', '!', '?', '\n', '"']);
        let mut worth = 0;
        if before.is_some_and(|before| near(page.gap(before)) && page.is(before, Traits::PERSON_VERB)) {
            worth += 20;
        }
        if near(page.gap(self.last)) && page.is(after, Traits::PERSON_VERB) && page.word(after) != "with" {
            worth += 20;
        }
        let reach = (after..after + 12).take_while(|word| *word < page.words.len());
        if reach.into_iter().any(|word| page.is(word, Traits::PRONOUN)) {
            worth += 15;
        }
        let said = |word: usize| matches!(page.word(word), "says" | "said");
        if before.is_some_and(said) || (said(after) && near(page.gap(self.last))) {
            worth += 25;
        }
        // Somebody is addressed: "Ana, can you …".
        if self.first == 0 && page.gap(self.last) == ", " && page.is(after, Traits::PLAIN) {
            worth += 50;
        }
        let led = |words: &[&str]| before.is_some_and(|before| words.contains(&page.word(before)));
        if led(&["by", "with", "and", "from", "of", "meet", "for"]) {
            worth += 10;
        }
        let one = self.last == self.first;
        if led(&["in", "at", "In", "At", "near"]) || (one && led(&["the", "The", "a", "an"])) {
            worth -= 25;
        }
        worth
    }
}

/// Whether a word may be part of a name: capitalised, and not a word that is so for other reasons.
fn may_name(page: &Page<'_>, word: usize) -> bool {
    let Some(shape) = page.shape(word) else { return false };
    let other = Traits::PLAIN | Traits::MONTH | Traits::WEEKDAY | Traits::DAY | Traits::TITLE | Traits::UNIT;
    let given = page.is(word, Traits::GIVEN | Traits::GIVEN_UNSURE);
    let initial = shape == Shape::Upper && page.word(word).chars().count() == 1 && page.word(word) != "I";
    shape.is_capital() && (given || initial || !page.is(word, other))
}

/// Whether the next word goes on with the name: a blank, a hyphen, an apostrophe, or the dot of an initial.
fn is_joined(page: &Page<'_>, word: usize) -> bool {
    let initial = page.word(word).chars().count() == 1;
    match page.gap(word) {
        " " | "-" => true,
        ". " => initial,
        "'" | "’" => initial || page.shape(word + 1).is_some_and(Shape::is_capital),
        _ => false,
    }
}

fn is_titled(page: &Page<'_>, first: usize) -> bool {
    first > 0
        && page.is(first - 1, Traits::TITLE)
        && matches!(page.gap(first - 1), " " | ". " | ".")
        && page.shape(first - 1) != Some(Shape::Lower)
        || first > 0 && page.is(first - 1, Traits::TITLE) && page.gap(first - 1) == ". "
}

/// How surely words announce a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Announcement {
    /// A name must follow, even in lower case: "my name is".
    Sure,
    /// Other things may follow as well: "this is", "name:", "called".
    Fair,
}

/// Whether words before this one announce a name.
fn announcement(page: &Page<'_>, first: usize) -> Option<Announcement> {
    let before = first.checked_sub(1)?;
    let gap = page.gap(before);
    let lower = |back: usize| {
        first.checked_sub(back).map(|word| page.word(word).to_ascii_lowercase()).unwrap_or_default()
    };
    let (one, two) = (lower(1), lower(2));
    let blank = gap.trim_start().is_empty() && !gap.contains('\n');
    let colon = matches!(gap.trim(), ":" | "?") && !gap.starts_with(' ');
    let whose = |back: usize| {
        let word = lower(back);
        matches!(
            word.as_str(),
            "my" | "his" | "her" | "their" | "maiden" | "first" | "last" | "full" | "middle"
        )
    };
    let named = |back: usize| if whose(back) { Announcement::Sure } else { Announcement::Fair };
    let is_name = |word: &str| matches!(word, "name" | "surname" | "names");
    match (one.as_str(), two.as_str()) {
        (one, _) if is_name(one) && (colon || blank) => Some(Announcement::Fair),
        ("is" | "was" | "s" | "to", two) if is_name(two) && blank => Some(named(3)),
        ("me", "call" | "called" | "calls") if blank => Some(Announcement::Sure),
        ("m" | "am", "i") | ("is", "this") | ("called" | "named", _) if blank => Some(Announcement::Fair),
        ("dear" | "attn" | "sincerely" | "regards" | "signed" | "cheers", _)
            if blank || gap.starts_with([',', ':']) =>
        {
            Some(Announcement::Fair)
        }
        (
            "user" | "customer" | "patient" | "employee" | "author" | "client" | "caller" | "recipient"
            | "by" | "from" | "to" | "contact",
            _,
        ) if colon => Some(Announcement::Fair),
        _ => None,
    }
}
