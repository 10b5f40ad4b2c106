//! How is it said? References to what was said before, places in a list, questions about a choice, and what is ruled out.
//!
//! The words here are those with which people talk about their choices, whatever these are; none names a thing.

use std::ops::Range;

use super::Asked;
use super::features::View;
use super::form::Slot;
use super::heard::Heard;
use crate::mentions::Value as Found;

/// References to what was said before.
const REFERENCES: &[&[&str]] = &[
    &["same"],
    &["again"],
    &["last", "time"],
    &["before"],
    &["as", "usual"],
    &["the", "usual"],
    &["earlier"],
    &["previously"],
    &["previous", "one"],
    &["keep", "it"],
    &["unchanged"],
    &["repeat"],
];

/// Verbs that ask about words and not for things.
const ASKING_VERBS: [&str; 12] = [
    "mean",
    "means",
    "explain",
    "define",
    "difference",
    "differ",
    "differs",
    "stand",
    "stands",
    "recommend",
    "suggest",
    "advise",
];

/// Words a question begins with.
const ASKING_WORDS: [&str; 10] =
    ["what", "what's", "whats", "which", "why", "how", "is", "are", "does", "should"];

/// How a message is said.
#[derive(Clone, Debug, Default)]
pub(super) struct Talk {
    /// Where it refers to what was said before.
    pub refers: Option<Range<usize>>,
    /// Which place of a list it names, from 0; the last where it is `None`.
    pub ordinal: Option<(Option<usize>, Range<usize>)>,
    /// Whether it asks about a choice and does not choose.
    pub asks: bool,
}

/// Listens to how a message is said.
pub(super) fn listen(view: &View<'_, '_>, asked: &Asked<'_>) -> Talk {
    let heard = view.heard;
    Talk { refers: refers(heard), ordinal: ordinal(heard, asked), asks: asks(view) }
}

fn refers(heard: &Heard<'_>) -> Option<Range<usize>> {
    let at = |from: usize| {
        let cue = REFERENCES.iter().find(|cue| {
            cue.iter().enumerate().all(|(offset, word)| heard.tokens.lower(from + offset) == *word)
        })?;
        let words = from..from + cue.len();
        (!heard.denied(&words)).then_some(words)
    };
    (0..heard.len()).find_map(at)
}

/// A place in the visible list: "the second one", "#3", "option 2", "the last".
fn ordinal(heard: &Heard<'_>, asked: &Asked<'_>) -> Option<(Option<usize>, Range<usize>)> {
    let numbered = |words: &Range<usize>| {
        let before = words.start.checked_sub(1).map(|at| heard.tokens.lower(at)).unwrap_or_default();
        let alone = heard.words.iter().enumerate().all(|(at, word)| words.contains(&at) || word.empty);
        matches!(before, "option" | "number" | "choice" | "no" | "nr" | "#" | "item") || alone
    };
    for mention in heard.mentions.iter().rev() {
        let words = heard.words_of(mention.span);
        let place = match &mention.value {
            Found::Ordinal(place) => *place,
            #[allow(clippy::cast_possible_truncation)] // a place in a list of at most a few dozen
            Found::Number(amount) if numbered(&words) && !asked.options.is_empty() => match amount.single() {
                Some(number) if number.fract() == 0.0 => number as i64,
                _ => continue,
            },
            _ => continue,
        };
        if !heard.denied(&words) && !heard.taken_back(&words) {
            return Some((usize::try_from(place).ok()?.checked_sub(1), words));
        }
    }
    if asked.options.is_empty() {
        return None;
    }
    let place = |at: &usize| {
        let next = heard.tokens.lower(at + 1);
        let alone = next.is_empty()
            || matches!(next, "one" | "option" | "choice" | "please" | "pls" | "of" | "in" | "." | "!" | ",");
        match heard.tokens.lower(*at) {
            "last" | "bottom" | "latter" | "final" if alone => Some(None),
            "top" | "former" if alone => Some(Some(0)),
            "middle" if alone && asked.options.len() % 2 == 1 => Some(Some(asked.options.len() / 2)),
            _ => None,
        }
    };
    (0..heard.len()).find_map(|at| place(&at).map(|place| (place, at..at + 1)))
}

/// How many choices of one slot the message names: a question that names two of them weighs them.
fn choices_named(view: &View<'_, '_>) -> usize {
    let named =
        |slot: &Slot| slot.choices.iter().filter(|choice| view.named_at(choice).next().is_some()).count();
    view.form.slots.iter().filter(|slot| slot.closed).map(named).max().unwrap_or(0)
}

/// Most words of a question that name neither choice, slot nor tool, where it asks about them: "what counts as tertiary?".
const OTHER_WORDS_MAX: usize = 1;

/// Whether a message asks about a choice and makes none. It begins as a question of what, which, how or why, or has a verb of
/// asking, and there is hardly anything in it but the names of choices, slots and the tool.
fn asks(view: &View<'_, '_>) -> bool {
    let heard = view.heard;
    let first = heard.words.iter().position(|word| !word.sign).unwrap_or(0);
    let (opening, second) = (heard.tokens.lower(first), heard.tokens.lower(first + 1));
    let suggests = matches!((opening, second), ("how" | "what", "about") | ("why", "not" | "don't"));
    let interrogates = ASKING_WORDS.contains(&opening) && !suggests;
    let explains = (0..heard.len()).any(|at| {
        let verb = heard.tokens.lower(at);
        let meant = at > 0 && heard.tokens.lower(at - 1) == "i";
        // A mean is also an average.
        let asked = interrogates || !matches!(verb, "mean" | "means");
        ASKING_VERBS.contains(&verb) && !meant && asked
    });
    if !(interrogates || explains) || !view.form.slots.iter().any(|slot| slot.closed || slot.columns) {
        return false;
    }
    let other = |at: &usize| {
        let light = heard.word(*at).is_none_or(|word| word.light);
        let asking = ASKING_WORDS.contains(&heard.tokens.lower(*at))
            || ASKING_VERBS.contains(&heard.tokens.lower(*at));
        !light && !asking && !view.is_of_choices(*at)
    };
    let others = (0..heard.len()).filter(other).count();
    let named =
        (0..heard.len()).any(|at| view.is_of_choices(at) && heard.word(at).is_some_and(|word| !word.light));
    named && (explains || others <= OTHER_WORDS_MAX || (interrogates && choices_named(view) > 1))
}
