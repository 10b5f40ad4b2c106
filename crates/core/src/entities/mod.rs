//! **Who and what is named?** Entities with their places, personal data and secrets among them.
//!
//! The text is read once into words, each looked up once in one table; every detector works on those words or
//! on the pieces between blanks, and says how sure it is. No detector looks further than a bounded number of
//! words, so the whole costs as much as the text is long.

mod page;
mod vocabulary;
mod given_names;
mod checks;
mod links;
mod accounts;
mod numbers;
mod national;
mod address_pieces;
mod addresses;
mod persons;
mod secrets;
mod files;
mod code;
mod dates;
mod amounts;
mod known;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use serde::Serialize;

pub(crate) use files::is_file;
pub use known::Known;
pub(crate) use links::is_host;

use crate::limits::ENTITIES_MAX;
use crate::measure::{Confidence, Points};
use crate::message::Span;
use page::{Has, Page, chunks};

/// How sure a person's name must be to be personal data by itself: only words that tie it to a person reach it.
/// A name alone is as often a composer's or an author's.
const NAME_ALONE_MIN: Points = Points::hundredths(70);
/// How sure other personal data must be.
const PERSONAL_MIN: Points = Points::hundredths(50);

/// Something that is named in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Entity {
    /// What it is.
    pub kind: EntityKind,
    /// Where it stands: bytes of the text as it was written.
    pub span: Span,
    /// How sure that is.
    pub confidence: Confidence,
    /// By which rule it was found.
    pub rule: &'static str,
}

/// What an entity is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum EntityKind {
    /// A key, a password, a token.
    Secret,
    /// The number of a payment card.
    Card,
    /// The number of a bank account.
    Iban,
    /// A number that a state gave to a person.
    NationalId,
    /// An e-mail address.
    Email,
    /// A telephone number.
    Phone,
    /// A street address, a post box, or a postal code with what belongs to it.
    Address,
    /// A day of birth.
    DateOfBirth,
    /// A repository of code.
    Repository,
    /// A URL or a domain name.
    Url,
    /// The address of a machine.
    IpAddress,
    /// A file, a path or a pattern of paths.
    File,
    /// A name from the caller's list, or of software.
    Product,
    /// A service, by its name.
    Service,
    /// A version.
    Version,
    /// A date or a time.
    Date,
    /// Money, a share or a quantity.
    Amount,
    /// A ticket, a hash, a name from code, an error's code.
    Identifier,
    /// The name of a person.
    Person,
}

impl EntityKind {
    /// The name of the JSON contract.
    pub const fn name(self) -> &'static str {
        match self {
            EntityKind::Secret => "secret",
            EntityKind::Card => "card",
            EntityKind::Iban => "iban",
            EntityKind::NationalId => "national_id",
            EntityKind::Email => "email",
            EntityKind::Phone => "phone",
            EntityKind::Address => "address",
            EntityKind::DateOfBirth => "date_of_birth",
            EntityKind::Repository => "repository",
            EntityKind::Url => "url",
            EntityKind::IpAddress => "ip_address",
            EntityKind::File => "file",
            EntityKind::Product => "product",
            EntityKind::Service => "service",
            EntityKind::Version => "version",
            EntityKind::Date => "date",
            EntityKind::Amount => "amount",
            EntityKind::Identifier => "identifier",
            EntityKind::Person => "person",
        }
    }

    /// Whether it says something of a person that is nobody else's business.
    pub const fn is_personal(self) -> bool {
        use EntityKind::{Address, Card, DateOfBirth, Email, Iban, NationalId, Person, Phone};
        matches!(self, Card | Iban | NationalId | Email | Phone | Address | DateOfBirth | Person)
    }

    /// Whether it opens something.
    pub const fn is_secret(self) -> bool {
        matches!(self, EntityKind::Secret)
    }
}

/// Finds what is named in a text, in order of place, nothing overlapping. Where two overlap the more sensitive
/// and the surer stays; where there are too many, what is personal or secret does.
pub fn find(text: &str, known: &Known) -> Vec<Entity> {
    let page = Page::read(text);
    let mut found = Found::default();
    let mut any = Has::default();
    for chunk in chunks(text) {
        any = any.and(chunk.has);
        if chunk.is_word() {
            continue;
        }
        links::notice(&chunk, &mut found);
        secrets::notice(&chunk, &page, &mut found);
        code::notice(&chunk, &page, &mut found);
    }
    if any.any(Has::DIGIT) {
        accounts::notice(&page, &mut found);
        numbers::notice(&page, &mut found);
        national::notice(&page, &mut found);
        amounts::notice(&page, &mut found);
    }
    secrets::notice_spread(&page, &mut found);
    code::notice_spoken(&page, &mut found);
    dates::notice(&page, &mut found);
    addresses::notice(&page, &mut found);
    persons::notice(&page, &mut found);
    known.notice(&page, &mut found);
    found.settle()
}

/// The surest personal data among the entities, if there is any.
pub fn personal(entities: &[Entity]) -> Option<&Entity> {
    entities
        .iter()
        .filter(|entity| tells(entity))
        .max_by_key(|entity| (entity.confidence, Reverse(entity.span)))
}

/// Whether an entity is personal data by itself.
fn tells(entity: &Entity) -> bool {
    let least = if entity.kind == EntityKind::Person { NAME_ALONE_MIN } else { PERSONAL_MIN };
    entity.kind.is_personal() && entity.confidence >= Confidence::new(least)
}

/// What the detectors found, before it is settled.
#[derive(Default)]
struct Found(Vec<Entity>);

impl Found {
    /// Notes an entity, its confidence in hundredths.
    fn add(&mut self, kind: EntityKind, range: Range<usize>, hundredths: i32, rule: &'static str) {
        let confidence = Confidence::new(Points::hundredths(hundredths));
        if range.start < range.end {
            self.0.push(Entity { kind, span: Span::new(range), confidence, rule });
        }
    }

    /// Leaves the best of what overlaps and puts it in order of place.
    fn settle(mut self) -> Vec<Entity> {
        self.0.sort_by_key(|entity| {
            let told = entity.kind.is_secret() || tells(entity);
            // Kinds are declared from the most to the least telling.
            let kind = if told { Some(Reverse(entity.kind)) } else { None };
            let length = entity.span.end - entity.span.start;
            Reverse((kind, entity.confidence, length, Reverse(entity.kind), Reverse(entity.span.start)))
        });
        let mut kept: BTreeMap<u32, Entity> = BTreeMap::new();
        for entity in self.0 {
            if kept.len() == ENTITIES_MAX {
                break;
            }
            let before = kept.range(..entity.span.end).next_back();
            if before.is_none_or(|(_, other)| !other.span.overlaps(entity.span)) {
                kept.insert(entity.span.start, entity);
            }
        }
        kept.into_values().collect()
    }
}
