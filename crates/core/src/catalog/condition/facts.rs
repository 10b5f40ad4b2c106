//! Which facts can a condition ask for, and of which kind are they?

use super::super::nearest::nearest;
use super::super::problem::Code;
use super::{Amount, Asks, Fault, Test, Value};
use crate::resources::Zone;

/// What a fact is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Number,
    /// A number from 0 to 1.
    Share,
    /// One of the zones of the machine.
    Zone,
    Flag,
    Text,
    /// Whatever the caller makes of it.
    Any,
}

/// The facts that are always the same.
const FACTS: &[(&str, Kind)] = &[
    ("user.reputation_score", Kind::Share),
    ("user.recent_success_rate", Kind::Share),
    ("user.total_tasks_completed", Kind::Number),
    ("user.recent_error_count", Kind::Number),
    ("user.similar_task_success_rate", Kind::Share),
    ("task.urgency_level", Kind::Text),
    ("task.complexity", Kind::Share),
    ("task.has_urgency_keywords", Kind::Flag),
    ("task.intent", Kind::Text),
    ("task.domain", Kind::Text),
    ("task.area", Kind::Text),
    ("task.operation", Kind::Text),
    ("task.sensitivity", Kind::Text),
    ("task.band", Kind::Text),
    ("resources.memory", Kind::Share),
    ("resources.cpu", Kind::Share),
    ("resources.disk", Kind::Share),
    ("resources.zone", Kind::Zone),
];

/// What callers name as they like.
const OPEN: &[&str] = &["environment.", "session."];

/// How facts of the session begin.
pub const SESSION: &str = "session.";
/// What the catalog names.
const SIGNALS: &str = "signals.";

/// Where a condition stands, and so which signals it may ask for.
#[derive(Clone, Copy, Debug)]
pub enum Scope<'s> {
    /// In a signal, which may ask for no other.
    Signal,
    /// In a rule of the threshold: all signals of the catalog.
    Beside(&'s [&'s str]),
    /// Where only the session is looked at, and no signals: these facts of it, or any where none are listed.
    Session(Option<&'s [&'s str]>),
}

/// Whether a word is written like a fact.
pub fn looks_like_fact(word: &str) -> bool {
    let named = |start: &str| word.strip_prefix(start).is_some_and(|name| !name.is_empty());
    FACTS.iter().any(|(fact, _)| *fact == word) || OPEN.iter().any(|start| named(start)) || named(SIGNALS)
}

/// What is wrong with a test, if anything.
pub fn fault(test: &Test, scope: &Scope<'_>) -> Option<Fault> {
    let unknown = |message: &str| Fault::new(Code::DanglingReference, test.at, message);
    if let Scope::Session(known) = scope {
        return session_fault(test, *known);
    }
    if let Some(signal) = test.fact.strip_prefix(SIGNALS) {
        return match scope {
            Scope::Signal => {
                let hint = "write out what the other signal asks for";
                Some(unknown("a signal cannot ask for a signal").hint(hint))
            }
            Scope::Beside(signals) if signals.contains(&signal) => mismatch(test, Kind::Flag),
            Scope::Beside(signals) => {
                let hint = nearest(signal, signals.iter().copied())
                    .map_or_else(|| "define it under `signals`".to_owned(), meant);
                Some(unknown(&format!("there is no signal `{signal}`")).hint(hint))
            }
            Scope::Session(_) => None,
        };
    }
    match kind(&test.fact) {
        Some(kind) => mismatch(test, kind),
        None => {
            let known = FACTS.iter().map(|(fact, _)| *fact);
            let hint = nearest(&test.fact, known).map_or_else(|| roots(&test.fact), meant);
            Some(unknown(&format!("there is no fact `{}`", test.fact)).hint(hint))
        }
    }
}

/// What is wrong with a test where only facts of the session count.
fn session_fault(test: &Test, known: Option<&[&str]>) -> Option<Fault> {
    let unknown = |message: &str| Fault::new(Code::DanglingReference, test.at, message);
    let Some(fact) = test.fact.strip_prefix(SESSION).filter(|fact| !fact.is_empty()) else {
        let message = format!("`{}` is no fact of the session, and only those count here", test.fact);
        let named = test.fact.rsplit('.').next().unwrap_or_default();
        let near = known.and_then(|known| nearest(named, known.iter().copied()));
        let hint = near.map_or_else(
            || "facts of the session begin with session.".to_owned(),
            |near| meant(&format!("{SESSION}{near}")),
        );
        return Some(unknown(&message).hint(hint));
    };
    let known = known.filter(|known| !known.contains(&fact))?;
    let hint = nearest(fact, known.iter().copied())
        .map_or_else(|| "list it under `facts`".to_owned(), |near| meant(&format!("{SESSION}{near}")));
    Some(unknown(&format!("there is no fact `{}`", test.fact)).hint(hint))
}

fn meant(near: &str) -> String {
    format!("did you mean `{near}`?")
}

/// The facts that begin alike, or how facts begin.
fn roots(fact: &str) -> String {
    let root = fact.split('.').next().unwrap_or_default();
    let alike: Vec<&str> = FACTS
        .iter()
        .filter_map(|(fact, _)| fact.split_once('.').filter(|(start, _)| *start == root))
        .map(|(_, name)| name)
        .collect();
    if alike.is_empty() {
        "facts begin with user., task., resources., environment., session. or signals.".to_owned()
    } else {
        format!("known under {root}.: {}", alike.join(", "))
    }
}

fn kind(fact: &str) -> Option<Kind> {
    let known = FACTS.iter().find(|(name, _)| *name == fact).map(|(_, kind)| *kind);
    known.or_else(|| {
        OPEN.iter()
            .any(|start| fact.strip_prefix(start).is_some_and(|name| !name.is_empty()))
            .then_some(Kind::Any)
    })
}

fn is_zone(name: &str) -> bool {
    std::iter::once(Zone::Green).chain(Zone::PRESSED).any(|zone| zone.name() == name)
}

/// A test that says nothing, since the fact is of another kind or never beyond its bounds.
fn mismatch(test: &Test, kind: Kind) -> Option<Fault> {
    let fits = match (&test.asks, kind) {
        (Asks::Compares(_, Value::Number(number)), Kind::Share) => {
            (Amount::from_count(0)..=Amount::from_count(1)).contains(number)
        }
        (Asks::Compares(_, Value::Text(zone)), Kind::Zone) => is_zone(zone),
        (_, Kind::Any)
        | (Asks::IsTrue | Asks::Compares(_, Value::Flag(_)), Kind::Flag)
        | (Asks::Compares(_, Value::Number(_)), Kind::Number)
        | (Asks::Compares(_, Value::Text(_)), Kind::Text) => true,
        (Asks::IsTrue | Asks::Compares(..), _) => false,
    };
    let (is, hint) = match kind {
        Kind::Number => ("a number", "compare it with one: >= 3"),
        Kind::Share => ("a number from 0 to 1", "compare it with one: >= 0.8"),
        Kind::Zone => ("a zone", "compare it with one: = green, yellow, orange, red or critical"),
        Kind::Flag => ("true or false", "write it alone, or compare it with true or false"),
        Kind::Text | Kind::Any => ("a text", "compare it with one: = high"),
    };
    let message = format!("`{}` is {is}", test.fact);
    (!fits).then(|| Fault::new(Code::BadCondition, test.at, &message).hint(hint))
}
