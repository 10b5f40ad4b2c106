//! When is the interpreter of arguments used, how long does it remember, and what may be told of it?

use sha2::{Digest, Sha256};

use super::draft::whole;
use super::shape::Presence::Optional;
use super::shape::{Key, Shape, Table};
use super::tree::{Node, Value};
use crate::measure::Points;

/// The key of a catalog that says how choices are made.
pub(super) const CHOICES: Key = Key {
    name: "choices",
    shape: Shape::Table(&TABLE),
    presence: Optional,
    says: "The interpreter of arguments: whether it is used, for how many conversations, and how long it remembers them.",
};

/// The key of a catalog that says when a call is run.
pub(super) const ARGUMENTS: Key = Key {
    name: "arguments",
    shape: Shape::Table(&ARGUMENT_TABLE),
    presence: Optional,
    says: "How sure the arguments of a call must be before it is run.",
};

/// The key of a catalog that says what events tell.
pub(super) const EVENTS: Key = Key {
    name: "events",
    shape: Shape::Table(&EVENT_TABLE),
    presence: Optional,
    says: "What events tell of conversations.",
};

/// Longest memory that can be asked for, in minutes: a year.
const MEMORY_MINUTES_MAX: i32 = 525_600;
/// How long a conversation is remembered after its last turn, in minutes: a day, so that who goes home over a question finds
/// it in the morning.
const MEMORY_MINUTES: u64 = 1_440;
const MINUTE_MS: u64 = 60_000;
/// Into how many places conversations are sorted by their ids.
const PLACES: u64 = 1_000_000;

static TABLE: Table = Table {
    title: "how choices are made",
    one_of: &[],
    keys: &[
        Key {
            name: "interpreter",
            shape: Shape::Choice(&["on", "off"]),
            presence: Optional,
            says: "Whether the interpreter is used. Default `on`. `WAYPOST_CHOICES=0` switches it off whatever stands here.",
        },
        Key {
            name: "share",
            shape: Shape::Share(0, 100),
            presence: Optional,
            says: "For which share of conversations it is used, to try it on a few first. A conversation is chosen by its id, alike on every machine, and stays chosen when the share grows. Default 1.",
        },
        Key {
            name: "memory_minutes",
            shape: Shape::Whole(1, MEMORY_MINUTES_MAX),
            presence: Optional,
            says: "How long a conversation is remembered after its last turn, in minutes. Default 1440: a day.",
        },
    ],
};

static ARGUMENT_TABLE: Table = Table {
    title: "when a call is run",
    one_of: &[],
    keys: &[Key {
        name: "max_wrong",
        shape: Shape::Share(0, 100),
        presence: Optional,
        says: "Of all messages, the share that may be run with a wrong argument. With less, more is asked. Default 0.01.",
    }],
};

static EVENT_TABLE: Table = Table {
    title: "what events tell",
    one_of: &[],
    keys: &[Key {
        name: "text",
        shape: Shape::Flag,
        presence: Optional,
        says: "Whether events hold what the user wrote, as `user_text`. Default true; say false where that is nobody's business.",
    }],
};

/// How choices are made, as the catalog says it.
#[derive(Clone, Debug, PartialEq)]
pub struct Choices {
    interpreter: bool,
    share: Points,
    memory_ms: u64,
    event_text: bool,
    max_wrong: Points,
}

/// The share of all messages that may be run with a wrong argument, where nobody says.
pub const MAX_WRONG: f64 = 0.01;

impl Default for Choices {
    fn default() -> Choices {
        Choices {
            interpreter: true,
            share: Points::ONE,
            memory_ms: MEMORY_MINUTES * MINUTE_MS,
            event_text: true,
            max_wrong: Points::from_share(MAX_WRONG),
        }
    }
}

/// Reads a checked catalog.
pub(super) fn read(root: &Node) -> Choices {
    let said = |table: &str, key: &str| root.get(table)?.get(key);
    let usual = Choices::default();
    let minutes = said("choices", "memory_minutes").and_then(Node::number).map(whole);
    let minutes = minutes.and_then(|minutes| u64::try_from(minutes).ok());
    Choices {
        interpreter: said("choices", "interpreter").and_then(Node::text) != Some("off"),
        share: said("choices", "share").and_then(Node::number).map_or(usual.share, Points::from_share),
        memory_ms: minutes.map_or(usual.memory_ms, |minutes| minutes.saturating_mul(MINUTE_MS)),
        event_text: said("events", "text").is_none_or(|text| text.value != Value::Flag(false)),
        max_wrong: said("arguments", "max_wrong")
            .and_then(Node::number)
            .map_or(usual.max_wrong, Points::from_share),
    }
}

/// Why the interpreter is not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Off {
    /// The environment says so.
    Environment,
    /// The catalog says so.
    Catalog,
    /// The conversation is not among those it is tried on.
    Share,
}

impl Off {
    /// The reason as answers give it.
    pub const fn reason(self) -> &'static str {
        match self {
            Off::Environment => "the interpreter is switched off (WAYPOST_CHOICES=0)",
            Off::Catalog => {
                "the interpreter is switched off (the catalog says `choices: {interpreter: off}`)"
            }
            Off::Share => {
                "the interpreter is switched off (this conversation is not in the catalog's `choices: {share}`)"
            }
        }
    }
}

impl Choices {
    /// Why the interpreter is not used for a conversation, by its id; nothing where it is used. A message that belongs to none
    /// is in every share but 0.
    pub fn off(&self, session: Option<&str>) -> Option<Off> {
        let chosen = match session.filter(|session| !session.is_empty()) {
            Some(session) => is_among(session, self.share),
            None => self.share > Points::ZERO,
        };
        match (self.interpreter, chosen) {
            (false, _) => Some(Off::Catalog),
            (true, false) => Some(Off::Share),
            (true, true) => None,
        }
    }

    /// How long a conversation is remembered after its last turn, in milliseconds.
    pub const fn memory_ms(&self) -> u64 {
        self.memory_ms
    }

    /// The share of messages that may be run with a wrong argument.
    pub fn max_wrong(&self) -> f64 {
        self.max_wrong.share()
    }

    /// Whether events hold what the user wrote.
    pub const fn event_text(&self) -> bool {
        self.event_text
    }
}

/// Whether a conversation is among a share of all: the same on every machine, and all that were in a smaller share are.
fn is_among(session: &str, share: Points) -> bool {
    let digest = Sha256::digest(session.as_bytes());
    let first = digest.iter().take(8).fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte));
    // Shares are told in hundredths; a millionth is finer than anybody asks for, and no place is likelier than another by
    // more than 1 in 10¹³.
    #[allow(clippy::cast_precision_loss)] // a million is exact
    let place = (first % PLACES) as f64 / PLACES as f64;
    Points::from_share(place) < share
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::catalog::{Catalog, Source};

    fn choices(written: &str) -> Choices {
        let yaml = format!("routes: [{{name: a, description: A}}]\n{written}");
        let checked = Catalog::read(&[Source::new("test.yaml", &yaml)], "test");
        checked.catalog.unwrap_or_else(|| panic!("{:#?}", checked.problems)).choices().clone()
    }

    #[test]
    fn what_is_not_said_is_on_for_all_and_remembers_a_day() {
        let choices = choices("");
        assert_eq!(choices, Choices::default());
        assert_eq!(choices.off(Some("s")), None);
        assert_eq!(choices.memory_ms(), 86_400_000);
        assert!(choices.event_text());
    }

    #[test]
    fn a_catalog_switches_it_off_and_says_why() {
        let check = |written: &str, session: Option<&str>, off: Option<Off>| {
            assert_eq!(choices(written).off(session), off, "{written} {session:?}");
        };
        check("choices: {interpreter: off}", Some("s"), Some(Off::Catalog));
        check("choices: {interpreter: on}", Some("s"), None);
        check("choices: {share: 0}", None, Some(Off::Share));
        check("choices: {share: 0.01}", None, None);
        // By the hash of the id, the same on every machine: these two are pinned.
        check("choices: {share: 0.5}", Some("conversation-1"), None);
        check("choices: {share: 0.5}", Some("conversation-5"), Some(Off::Share));
        assert!(!choices("events: {text: false}").event_text());
        assert_eq!(choices("choices: {memory_minutes: 2}").memory_ms(), 120_000);
    }

    #[test]
    fn a_share_of_conversations_is_that_share() {
        for share in [0.1, 0.25, 0.5, 0.9] {
            let among =
                (0..10_000).filter(|n| is_among(&format!("s-{n}"), Points::from_share(share))).count();
            #[allow(clippy::cast_precision_loss)]
            let found = among as f64 / 10_000.0;
            assert!((found - share).abs() < 0.02, "{share}: {found}");
        }
    }

    proptest! {
        #[test]
        fn a_larger_share_holds_every_smaller_one(session in ".{1,40}", one in 0..=100_i32, other in 0..=100_i32) {
            let (small, large) = (Points::hundredths(one.min(other)), Points::hundredths(one.max(other)));
            prop_assert!(!is_among(&session, Points::ZERO));
            prop_assert!(is_among(&session, Points::ONE));
            prop_assert!(!is_among(&session, small) || is_among(&session, large));
        }
    }
}
