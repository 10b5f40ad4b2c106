//! Which numbers does a state give to a person? By their own check where they have one, beside a cue where not.

use super::checks::{aadhaar, bsn, codice_fiscale, cpf, digits_of, dni, german_tax_id, luhn, nir, pesel};
use super::page::{Page, Shape};
use super::vocabulary::Traits;
use super::{EntityKind, Found};

/// How many words before a number its cue may stand: "my social security number for the form is".
const CUE_WORDS: usize = 7;
/// Most groups such a number is written in: a French one has seven.
const GROUPS_MAX: usize = 7;
/// Shortest number beside a cue, in characters, and fewest digits of any: some driving licences.
const CUED_CHARS_MIN: usize = 5;
/// Shortest number that speaks for itself, in characters: a social security number.
const ALONE_CHARS_MIN: usize = 9;
/// Longest such number without its separators, in characters.
const COMPACT_MAX: usize = 16;

/// What a cue announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Document {
    UsSocialSecurity,
    CanadianSin,
    BritishNino,
    Passport,
    DrivingLicence,
    Pesel,
    Bsn,
    Cpf,
    Nir,
    Aadhaar,
    Dni,
    GermanTaxId,
    /// A national id that is not named further.
    Any,
}

/// Words that announce a document. Where two words make the cue, the one that is rarer.
const CUES: &[(&str, Document)] = &[
    ("ssn", Document::UsSocialSecurity),
    ("itin", Document::UsSocialSecurity),
    ("security", Document::UsSocialSecurity),
    ("sin", Document::CanadianSin),
    ("nino", Document::BritishNino),
    ("insurance", Document::BritishNino),
    ("passport", Document::Passport),
    ("passeport", Document::Passport),
    ("pasaporte", Document::Passport),
    ("passaporto", Document::Passport),
    ("reisepass", Document::Passport),
    ("driver", Document::DrivingLicence),
    ("drivers", Document::DrivingLicence),
    ("driving", Document::DrivingLicence),
    ("führerschein", Document::DrivingLicence),
    ("pesel", Document::Pesel),
    ("bsn", Document::Bsn),
    ("burgerservicenummer", Document::Bsn),
    ("cpf", Document::Cpf),
    ("nir", Document::Nir),
    ("sécurité", Document::Nir),
    ("aadhaar", Document::Aadhaar),
    ("aadhar", Document::Aadhaar),
    ("dni", Document::Dni),
    ("nie", Document::Dni),
    ("nif", Document::Dni),
    ("steuer", Document::GermanTaxId),
    ("idnr", Document::GermanTaxId),
    ("steueridentifikationsnummer", Document::GermanTaxId),
    ("national", Document::Any),
    ("identity", Document::Any),
    ("personalausweis", Document::Any),
    ("personnummer", Document::Any),
];

/// Numbers as they may be written: so many words of the page, and what they make without separators.
struct Candidate {
    first: usize,
    last: usize,
    compact: String,
    lengths: Vec<usize>,
    joint: char,
}

/// Finds numbers that states give to persons.
pub(super) fn notice(page: &Page<'_>, found: &mut Found) {
    let mut next = 0;
    for first in 0..page.words.len() {
        let shape = page.shape(first);
        let letters = shape == Some(Shape::Upper) && page.word(first).len() <= 2;
        if first < next || !(letters || matches!(shape, Some(Shape::Digits | Shape::Mixed))) {
            continue;
        }
        // Of those that begin with a single digit, a pair goes on: French ones.
        let single =
            shape == Some(Shape::Digits) && page.word(first).len() == 1 && page.word(first + 1).len() != 2;
        if single || is_inside(page, first) {
            continue;
        }
        let mut candidate = Candidate::gather(page, first);
        loop {
            if let Some((confidence, rule)) = candidate.judge(page) {
                found.add(EntityKind::NationalId, page.range(first, candidate.last), confidence, rule);
                next = candidate.last + 1;
                break;
            }
            if !candidate.shorten(page) {
                break;
            }
        }
    }
}

/// Whether a word goes on with a number that began before it.
fn is_inside(page: &Page<'_>, word: usize) -> bool {
    word > 0 && matches!(page.gap(word - 1), "-" | ".") && page.shape(word - 1) == Some(Shape::Digits)
}

impl Candidate {
    /// Takes groups as long as the same separator joins them.
    fn gather(page: &Page<'_>, first: usize) -> Candidate {
        let mut all = Candidate {
            first,
            last: first,
            compact: page.word(first).to_owned(),
            lengths: vec![page.word(first).len()],
            joint: ' ',
        };
        for word in first + 1..first + GROUPS_MAX {
            let has_digit = page.word(word).bytes().any(|byte| byte.is_ascii_digit());
            let is_letter = page.shape(word) == Some(Shape::Upper) && page.word(word).len() == 1;
            let (joint, None) =
                ({ page.gap(word - 1).chars() }.next(), { page.gap(word - 1).chars() }.nth(1))
            else {
                break;
            };
            let joins = joint.is_some_and(|joint| matches!(joint, ' ' | '-' | '.' | '\u{a0}'));
            if !joins || !(has_digit || is_letter) || all.compact.len() + page.word(word).len() > COMPACT_MAX
            {
                break;
            }
            all.last = word;
            all.joint = joint.unwrap_or(' ');
            all.lengths.push(page.word(word).len());
            all.compact.push_str(page.word(word));
        }
        all
    }

    /// Leaves the last group out, where a blank stands before it.
    fn shorten(&mut self, page: &Page<'_>) -> bool {
        let more = self.lengths.len() > 1 && matches!(page.gap(self.last - 1), " " | "\u{a0}");
        if more {
            let length = self.lengths.pop().unwrap_or_default();
            self.compact.truncate(self.compact.len().saturating_sub(length));
            self.last -= 1;
        }
        more
    }

    /// How sure it is, and by which rule.
    fn judge(&self, page: &Page<'_>) -> Option<(i32, &'static str)> {
        let cued = page.cued(self.first, CUE_WORDS, Traits::CUE_ID);
        let least = if cued { CUED_CHARS_MIN } else { ALONE_CHARS_MIN };
        if self.compact.len() < least || !self.compact.is_ascii() {
            return None;
        }
        let digits = digits_of(&self.compact);
        if digits.len() < CUED_CHARS_MIN {
            return None;
        }
        self.judge_alone(page, &digits).or_else(|| {
            if !cued {
                return None;
            }
            let from = self.first.saturating_sub(CUE_WORDS);
            let cue = (from..self.first).rev().find_map(|word| document_named(page, word))?;
            self.judge_as(cue, &digits)
        })
    }

    /// What its shape and its check alone say.
    fn judge_alone(&self, page: &Page<'_>, digits: &[u32]) -> Option<(i32, &'static str)> {
        let only_digits = digits.len() == self.compact.len();
        let other = page.cued(self.first, 3, Traits::CUE_ORDER);
        if self.lengths == [3, 2, 4] && self.joint == '-' && is_ssn(digits) && only_digits && !other {
            return Some((85, "us ssn"));
        }
        if self.lengths == [3, 3, 3, 2] && cpf(digits) && only_digits && self.joint != ' ' {
            return Some((90, "br cpf"));
        }
        if self.lengths == [1, 2, 2, 2, 3, 3, 2] && nir(digits) {
            return Some((90, "fr nir"));
        }
        if codice_fiscale(&self.compact) {
            return Some((97, "it codice fiscale"));
        }
        if is_nino(&self.compact) {
            return Some((80, "gb nino"));
        }
        (dni(&self.compact) && !other && self.lengths.len() <= 2).then_some((75, "es dni"))
    }

    /// What the check of the document that was announced says.
    fn judge_as(&self, cue: Document, digits: &[u32]) -> Option<(i32, &'static str)> {
        let only_digits = digits.len() == self.compact.len();
        let checked = |is_right: bool, rule| (is_right && only_digits).then_some((95, rule));
        match cue {
            Document::UsSocialSecurity => {
                checked(is_ssn(digits) || is_itin(digits), "us ssn").or(checked(nir(digits), "fr nir"))
            }
            Document::CanadianSin => checked(digits.len() == 9 && luhn(digits), "ca sin"),
            // Its shape alone has been looked at already.
            Document::BritishNino => None,
            Document::Passport => ((6..=10).contains(&self.compact.len())).then_some((85, "passport")),
            Document::DrivingLicence => {
                ((5..=COMPACT_MAX).contains(&self.compact.len())).then_some((85, "driving licence"))
            }
            Document::Pesel => checked(pesel(digits), "pl pesel"),
            Document::Bsn => checked(bsn(digits), "nl bsn"),
            Document::Cpf => checked(cpf(digits), "br cpf"),
            Document::Nir => checked(nir(digits), "fr nir"),
            Document::Aadhaar => checked(aadhaar(digits), "in aadhaar"),
            Document::Dni => dni(&self.compact).then_some((97, "es dni")),
            Document::GermanTaxId => checked(german_tax_id(digits), "de tax id"),
            Document::Any => (self.compact.len() >= 8).then_some((70, "national id")),
        }
    }
}

/// The document a word announces.
fn document_named(page: &Page<'_>, word: usize) -> Option<Document> {
    if !page.is(word, Traits::CUE_ID) {
        return None;
    }
    let lower = page.word(word).to_lowercase();
    let (_, document) = CUES.iter().find(|(cue, _)| *cue == lower)?;
    let beside = |other: &str, at: usize| page.word(at).eq_ignore_ascii_case(other);
    let before = word.wrapping_sub(1);
    match lower.as_str() {
        "security" if !beside("social", before) => None,
        "insurance" if beside("social", before) => Some(Document::CanadianSin),
        "insurance" if !beside("national", before) => None,
        "national" | "identity"
            if !(1..4).any(|at| {
                beside("id", word + at) || beside("card", word + at) || beside("number", word + at)
            }) =>
        {
            None
        }
        "driver" | "drivers" | "driving" => {
            let licence = |at: usize| beside("license", at) || beside("licence", at) || beside("permit", at);
            (word + 1..word + 4).any(licence).then_some(*document)
        }
        _ => Some(*document),
    }
}

/// US social security: areas 000, 666 and 900 up, group 00 and serial 0000 were never given.
fn is_ssn(digits: &[u32]) -> bool {
    let (area, group, serial) = split_ssn(digits);
    digits.len() == 9 && !matches!(area, 0 | 666 | 900..) && group != 0 && serial != 0
}

/// US taxpayers without social security: area 9xx and certain groups.
fn is_itin(digits: &[u32]) -> bool {
    let (area, group, _) = split_ssn(digits);
    digits.len() == 9 && area >= 900 && matches!(group, 50..=65 | 70..=88 | 90..=92 | 94..=99)
}

fn split_ssn(digits: &[u32]) -> (u32, u32, u32) {
    let number = |from: usize, to: usize| {
        digits.get(from..to).unwrap_or_default().iter().fold(0, |number, digit| number * 10 + digit)
    };
    (number(0, 3), number(3, 5), number(5, 9))
}

/// British national insurance: two letters, six digits, A to D; some letters and pairs are never used.
fn is_nino(compact: &str) -> bool {
    let upper = compact.to_ascii_uppercase();
    let [first, second, middle @ .., last] = upper.as_bytes() else { return false };
    upper == compact
        && middle.len() == 6
        && middle.iter().all(u8::is_ascii_digit)
        && (b'A'..=b'D').contains(last)
        && first.is_ascii_uppercase()
        && second.is_ascii_uppercase()
        && !b"DFIQUV".contains(first)
        && !b"DFIQUVO".contains(second)
        && !matches!(&[*first, *second], b"BG" | b"GB" | b"KN" | b"NK" | b"NT" | b"TN" | b"ZZ")
}
