//! How is it said? References to what was said before, places in a list, questions about a choice, and what is ruled out.
//!
//! The words here are those with which people talk about their choices, whatever these are; none names a thing.

use std::ops::Range;

use super::Asked;
use super::features::View;
use super::form::Slot;
use super::heard::{Heard, is_figure};
use super::manner::{self, Manner};
use crate::mentions::{Mention, Value as Found};

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
    &["previous"],
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
#[derive(Clone, Debug)]
pub(super) struct Talk {
    /// Where it refers to what was said before.
    pub refers: Option<Range<usize>>,
    /// Which place of a list it names, from 0; the last where it is `None`.
    pub ordinal: Option<(Option<usize>, Range<usize>)>,
    /// Whether it asks about a choice and does not choose.
    pub asks: bool,
    /// In which manner it is said, and how plainly.
    pub manner: (Manner, f32),
}

impl Talk {
    /// Whether a message is said in a manner, as plainly as that takes.
    pub fn is(&self, manner: Manner, least: f32) -> bool {
        self.manner.0 == manner && self.manner.1 >= least
    }
}

/// Listens to how a message is said.
pub(super) fn listen(view: &View<'_, '_>, asked: &Asked<'_>) -> Talk {
    let heard = view.heard;
    Talk {
        refers: refers(heard),
        ordinal: ordinal(heard, asked),
        asks: asks(view),
        manner: manner::of_message(asked.text),
    }
}

fn refers(heard: &Heard<'_>) -> Option<Range<usize>> {
    let at = |from: usize| {
        let cue = REFERENCES.iter().find(|cue| {
            let said = |at: usize| {
                let word = heard.tokens.lower(at);
                word.strip_suffix("'s").or(word.strip_suffix("’s")).unwrap_or(word)
            };
            cue.iter().enumerate().all(|(offset, word)| said(from + offset) == *word)
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
        let number = |at: usize| {
            let here = |mention: &Mention| heard.words_of(mention.span).contains(&at);
            heard.mentions.iter().any(|m| matches!(m.value, Found::Number(_)) && here(m))
        };
        let alone = heard.words.iter().enumerate().all(|(at, word)| word.empty || word.light || number(at));
        let listed = matches!(before, "option" | "number" | "choice" | "no" | "nr" | "#" | "item")
            || matches!(before, "options" | "numbers" | "choices" | "items" | "first" | "last" | "top");
        // "The third one" counts nothing by its "one".
        let one = words.end.checked_sub(1).is_some_and(|last| heard.tokens.lower(last) == "one");
        let pronoun = one && (!listed || matches!(before, "first" | "last" | "top"));
        // "The two of them" are two, and not the second.
        let counted = before == "the" && !words.clone().any(|at| is_figure(heard.tokens.lower(at)));
        (listed || alone) && !counted && !(pronoun && heard.len() > 1)
    };
    // "Number three" is a place in a list, whether one is seen or not.
    let is_of_list = |words: &Range<usize>| {
        let before = words.start.checked_sub(1).map(|at| heard.tokens.lower(at)).unwrap_or_default();
        matches!(before, "option" | "number" | "choice") && words.len() + 1 == heard.len()
    };
    for mention in heard.mentions.iter().rev() {
        let words = heard.words_of(mention.span);
        let place = match &mention.value {
            Found::Ordinal(place) => *place,
            #[allow(clippy::cast_possible_truncation)] // a place in a list of at most a few dozen
            Found::Number(amount)
                if numbered(&words) && (!asked.options.is_empty() || is_of_list(&words)) =>
            {
                match amount.single() {
                    Some(number) if number.fract() == 0.0 => number as i64,
                    _ => continue,
                }
            }
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
            || matches!(next, "one" | "option" | "choice" | "please" | "pls" | "of" | "in" | "." | "!" | ",")
            || matches!(next, "figure" | "value" | "number" | "type" | "kind" | "column" | "item" | "entry");
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
    // "How the values are spread" is a wish, "how are they spread" a question.
    let told = opening == "how"
        && !heard.tokens.text().contains('?')
        && matches!(second, "the" | "each" | "a" | "many");
    let interrogates = ASKING_WORDS.contains(&opening) && !suggests && !told;
    let explains = (0..heard.len()).any(|at| {
        let verb = heard.tokens.lower(at);
        let meant = at > 0 && heard.tokens.lower(at - 1) == "i";
        // A mean is also an average.
        let asked = interrogates || !matches!(verb, "mean" | "means");
        let named = verb == "difference" && heard.tokens.lower(at + 1) != "between";
        ASKING_VERBS.contains(&verb) && !meant && asked && !named
    });
    // How hot it is where may be what a tool shows; what a column is, is not.
    let interrogates =
        interrogates && (view.form.slots.iter().any(|slot| slot.closed) || opening.starts_with("what"));
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
