//! Is it enough to run? What each slot holds, how sure the whole is, and what to ask where it is not.

use serde::Serialize;
use serde_json::{Map, Value};

use super::candidates::{Candidate, empty, sureness};
use super::features::View;
use super::form::{Form, Slot};
use super::manner::Manner;
use super::question::{self, Doubt, Question};
use super::settle::slot_in_view;
use super::talk::Talk;
use super::{ASK_MIN, Asked, By, RUN_MIN};
use crate::mentions::{Amount, Value as Mentioned};
use crate::message::Span;

/// What follows from an interpretation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The call is complete, and sure enough.
    Run,
    /// One question is to be asked first.
    Clarify,
    /// Nothing was understood.
    #[default]
    Rephrase,
}

/// What a slot holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Filled {
    /// The slot.
    pub slot: String,
    /// Its value.
    pub value: Value,
    /// How sure it is.
    pub confidence: f32,
    /// How it was found.
    pub by: By,
    /// Where it stands in the message, in bytes; nowhere where it is remembered or a default.
    pub span: Option<Span>,
    /// Why it cannot be run as it is.
    pub doubt: Option<Doubt>,
}

impl Filled {
    /// Whether it was said at some time, and is not the schema's default.
    pub fn is_said(&self) -> bool {
        self.by != By::Default
    }
}

/// What a message says for a tool.
#[derive(Clone, Debug, Default)]
pub struct Interpretation {
    /// What follows.
    pub outcome: Outcome,
    /// The arguments: valid against the schema where the outcome is to run, else what is known of them.
    pub args: Map<String, Value>,
    /// What each slot holds, in the order of the schema.
    pub slots: Vec<Filled>,
    /// How sure the whole is: as its weakest slot.
    pub confidence: f32,
    /// How likely all of it is right, where the reader says so.
    pub all_right: Option<f32>,
    /// The slots that somebody else may tell better, where the reader read the message; none where it is not for values to say what follows.
    pub unsure: Option<Vec<String>>,
    /// The arguments of each call, where the message asks for several.
    pub calls: Vec<Map<String, Value>>,
    /// How the weakest slot was found.
    pub by: Option<By>,
    /// Why, in a few words.
    pub reason: String,
    /// What is to be asked.
    pub clarification: Option<Question>,
    /// What is unusual and yet allowed.
    pub warnings: Vec<String>,
}

pub(super) fn judge(
    view: &View<'_, '_>,
    asked: &Asked<'_>,
    talk: &Talk,
    candidates: &[Candidate],
    chosen: &[Option<usize>],
) -> Interpretation {
    let form = view.form;
    let taken: Vec<&Candidate> = chosen.iter().flatten().filter_map(|at| candidates.get(*at)).collect();
    let mut slots: Vec<(usize, Filled)> = Vec::new();
    for (place, slot) in form.slots.iter().enumerate() {
        let candidate = chosen.get(place).copied().flatten().and_then(|at| candidates.get(at));
        let filled = match candidate {
            Some(candidate) => Some(filled(view, slot, candidate, candidates, &taken)),
            None => settled(asked, slot).or_else(|| default(slot)),
        };
        slots.extend(filled.map(|filled| (place, filled)));
    }
    decide(view, asked, talk, slots)
}

/// What follows from what each slot holds, whoever filled it.
pub(super) fn decide(
    view: &View<'_, '_>,
    asked: &Asked<'_>,
    talk: &Talk,
    slots: Vec<(usize, Filled)>,
) -> Interpretation {
    let form = view.form;
    let said = slots.iter().filter(|(_, filled)| !matches!(filled.by, By::Default));
    let weakest = weakest(form, &slots);
    let is_open = |place: usize| !slots.iter().any(|(filled, _)| *filled == place);
    let missing = (0..form.slots.len())
        .find(|place| form.slots.get(*place).is_some_and(|slot| slot.required) && is_open(*place));
    let wanting = form.wants_one && said.clone().count() == 0;
    // A reference to what nobody remembers.
    let unknown = (talk.refers.is_some() || talk.is_place_alone(view)) && said.clone().count() == 0;
    let doubtful = slots.iter().find(|(_, filled)| filled.doubt.is_some());
    let unsure = weakest.filter(|(_, filled)| filled.confidence < RUN_MIN);
    let touched = said.clone().count() > 0
        || talk.asks
        || talk.ordinal.is_some()
        || talk.refers.is_some()
        || (view.touches_tool() && (view.about().is_some() || !talk.is(Manner::Elsewhere, 0.0)));
    let ask = doubtful
        .map(|(place, _)| *place)
        .or(unsure.map(|(place, _)| *place))
        .or(missing)
        .or_else(|| (wanting || talk.asks || unknown).then(|| first_open(view, &slots, asked)).flatten());
    let outcome = match ask {
        None if said.clone().count() > 0 || view.names_tool() || form.slots.is_empty() => Outcome::Run,
        None => Outcome::Rephrase,
        Some(_) if !touched => Outcome::Rephrase,
        Some(_) => Outcome::Clarify,
    };
    let clarification = ask
        .filter(|_| outcome == Outcome::Clarify)
        .and_then(|place| question_for(view, asked, &slots, place));
    let confidence = match outcome {
        Outcome::Rephrase => 0.0,
        _ if talk.asks || missing.is_some() || wanting || unknown => {
            weakest.map_or(ASK_MIN, |(_, f)| f.confidence.min(RUN_MIN))
        }
        _ => weakest.map_or(1.0, |(_, filled)| filled.confidence),
    };
    let kept = slots.iter().filter(|(_, filled)| filled.doubt.is_none() && filled.confidence >= ASK_MIN);
    let args = form.call(kept.map(|(place, filled)| (*place, filled.value.clone())));
    Interpretation {
        outcome,
        args,
        confidence,
        all_right: None,
        unsure: None,
        calls: Vec::new(),
        by: weakest.map(|(_, filled)| filled.by),
        reason: reason(form, outcome, &slots, missing, talk),
        clarification,
        warnings: slots
            .iter()
            .filter_map(|(place, filled)| warning(form.slots.get(*place)?, filled))
            .collect(),
        slots: slots.into_iter().map(|(_, filled)| filled).collect(),
    }
}

/// How near the score of another choice must be for both to be meant alike: less than what naming a choice in another form of
/// its word costs.
const RIVAL_SCORE: f32 = 1.5;

/// What a candidate comes to, less sure where another is as good.
fn filled(
    view: &View<'_, '_>,
    slot: &Slot,
    candidate: &Candidate,
    all: &[Candidate],
    chosen: &[&Candidate],
) -> Filled {
    let rival = all.iter().find(|other| {
        other.slot == candidate.slot
            && other.value != candidate.value
            && (slot.closed || slot.columns)
            && slot.many.is_none()
            && !matches!(other.by, By::Meaning)
            && (other.words.end <= candidate.words.start || candidate.words.end <= other.words.start)
            && (other.score - candidate.score).abs() < RIVAL_SCORE
    });
    let rival = rival.or_else(|| other_number(view, slot, candidate, all, chosen));
    let doubt = candidate.doubt.clone().or_else(|| half_of_range(view, candidate, chosen)).or_else(|| {
        let mut values = vec![candidate.value.clone()];
        values.push(rival?.value.clone());
        Some(Doubt::Several(values))
    });
    let span = (!candidate.words.is_empty()).then(|| view.heard.span(&candidate.words));
    Filled {
        slot: slot.name.clone(),
        value: candidate.value.clone(),
        confidence: left_to(view, slot, candidate, all, chosen).clamp(0.0, 1.0),
        by: candidate.by,
        span,
        doubt,
    }
}

/// Another number that would fill the slot as well and that no other slot takes: which of them is meant is not known.
fn other_number<'c>(
    view: &View<'_, '_>,
    slot: &Slot,
    candidate: &Candidate,
    all: &'c [Candidate],
    chosen: &[&Candidate],
) -> Option<&'c Candidate> {
    let single = candidate.by == By::Number && slot.many.is_none();
    all.iter().find(|other| {
        single
            && other.by == By::Number
            && other.slot == candidate.slot
            && other.value != candidate.value
            && other.doubt.is_none()
            && !view.heard.is_within_run(other.words.start)
            && !chosen.iter().any(|taken| taken.excludes(other, view.form))
            && other.score > empty(slot)
            && (view.taught.knows(other.slot) || (other.score - candidate.score).abs() < RIVAL_SCORE)
    })
}

/// How sure a candidate is once the others are settled: what stands in words that other slots took is no rival any more.
fn left_to(
    view: &View<'_, '_>,
    slot: &Slot,
    candidate: &Candidate,
    all: &[Candidate],
    chosen: &[&Candidate],
) -> f32 {
    if !matches!(candidate.by, By::Learned | By::Number | By::Date) {
        return candidate.confidence;
    }
    let taken = |other: &Candidate| {
        chosen.iter().any(|chosen| chosen.slot != candidate.slot && chosen.excludes(other, view.form))
    };
    let rivals =
        all.iter().filter(|other| other.slot == candidate.slot && other.by == candidate.by && !taken(other));
    let sum = rivals.map(|other| (other.score - candidate.score).exp()).sum::<f32>();
    let none = (empty(slot) - candidate.score).exp();
    sureness(candidate.by, 1.0 / (sum + none).max(1.0)).max(candidate.confidence)
}

/// Where a range was said and only one end of it is taken, which number is meant is not known.
fn half_of_range(view: &View<'_, '_>, candidate: &Candidate, chosen: &[&Candidate]) -> Option<Doubt> {
    let span = view.heard.span(&candidate.words);
    let range = view.heard.mentions.iter().find_map(|mention| match &mention.value {
        Mentioned::Number(Amount::Between(from, to)) | Mentioned::Percent(Amount::Between(from, to))
            if mention.span.holds(span) && candidate.by == By::Number && !candidate.value.is_array() =>
        {
            Some((mention.span, *from, *to))
        }
        _ => None,
    })?;
    let both: Vec<usize> = chosen
        .iter()
        .filter(|other| range.0.holds(view.heard.span(&other.words)))
        .map(|other| other.slot)
        .collect();
    (!are_ends(view.form, &both)).then(|| Doubt::Several(vec![Value::from(range.1), Value::from(range.2)]))
}

/// Whether two slots are the ends of one range: `min_price` and `max_price` share a word.
fn are_ends(form: &Form, slots: &[usize]) -> bool {
    let name = |place: &usize| form.slots.get(*place).and_then(|slot| slot.names.first());
    match slots {
        [one, other] => match (name(one), name(other)) {
            (Some(one), Some(other)) => one.terms.iter().any(|term| other.has(*term)),
            _ => false,
        },
        _ => slots.len() > 2,
    }
}

/// What was settled in an earlier turn of the same call.
pub(super) fn settled(asked: &Asked<'_>, slot: &Slot) -> Option<Filled> {
    let value = asked.settled?.get(&slot.name)?.clone();
    Some(Filled { slot: slot.name.clone(), value, confidence: 1.0, by: By::Memory, span: None, doubt: None })
}

pub(super) fn default(slot: &Slot) -> Option<Filled> {
    let value = slot.default.clone()?;
    Some(Filled { slot: slot.name.clone(), value, confidence: 1.0, by: By::Default, span: None, doubt: None })
}

/// The slot that the whole is as sure as: the weakest that is required, or that was said where none is.
fn weakest<'f>(form: &Form, slots: &'f [(usize, Filled)]) -> Option<&'f (usize, Filled)> {
    let required = |place: &usize| form.slots.get(*place).is_some_and(|slot| slot.required);
    let by_confidence =
        |left: &&(usize, Filled), right: &&(usize, Filled)| left.1.confidence.total_cmp(&right.1.confidence);
    let of_required = slots.iter().filter(|(place, _)| required(place)).min_by(by_confidence);
    let said = slots.iter().filter(|(_, filled)| filled.by != By::Default).min_by(by_confidence);
    match (of_required, said) {
        // What may be left out is still not run where it is not sure.
        (Some(required), Some(said))
            if said.1.confidence < RUN_MIN && said.1.confidence < required.1.confidence =>
        {
            Some(said)
        }
        (Some(required), _) => Some(required),
        (None, said) => said,
    }
}

/// The slot to ask for where none is named: what was asked for last, else the first that is not filled.
fn first_open(view: &View<'_, '_>, slots: &[(usize, Filled)], asked: &Asked<'_>) -> Option<usize> {
    let form = view.form;
    let open =
        |place: &usize| !slots.iter().any(|(filled, value)| filled == place && value.by != By::Default);
    let asked_for = asked.about.and_then(|name| form.place(name)).or_else(|| slot_in_view(view, asked));
    asked_for.or_else(|| (0..form.slots.len()).find(open)).or(Some(0))
}

fn question_for(
    view: &View<'_, '_>,
    asked: &Asked<'_>,
    slots: &[(usize, Filled)],
    place: usize,
) -> Option<Question> {
    let slot = view.form.slots.get(place)?;
    let filled = slots.iter().find(|(filled, _)| *filled == place).map(|(_, filled)| filled);
    let shown: Vec<Value> = asked.columns_of(slot).map(|choice| choice.value.clone()).collect();
    Some(question::ask(slot, filled.and_then(|f| f.doubt.as_ref()), filled.map(|f| &f.value), &shown))
}

/// What is unusual: a value beyond the soft bounds.
pub(super) fn warning(slot: &Slot, filled: &Filled) -> Option<String> {
    let number = filled.value.as_f64()?;
    let soft = &slot.soft;
    (!soft.hold(number)).then(|| {
        let usual = match (soft.least, soft.most) {
            (Some(least), Some(most)) => format!("{least} to {most}"),
            (Some(least), None) => format!("{least} or more"),
            (None, Some(most)) => format!("{most} or less"),
            (None, None) => "another".to_owned(),
        };
        format!("{} is {number}; {usual} is usual", slot.name)
    })
}

fn reason(
    form: &Form,
    outcome: Outcome,
    slots: &[(usize, Filled)],
    missing: Option<usize>,
    talk: &Talk,
) -> String {
    if outcome == Outcome::Rephrase {
        return format!("no word of the message touches {} or its slots", form.tool);
    }
    if talk.asks {
        return "the message asks about a choice and makes none".to_owned();
    }
    let said: Vec<String> = slots
        .iter()
        .filter(|(_, filled)| filled.by != By::Default)
        .map(|(_, filled)| {
            format!("{} = {} ({})", filled.slot, question::shown_as(&filled.value), filled.by.name())
        })
        .collect();
    let missing =
        missing.and_then(|place| form.slots.get(place)).map(|slot| format!("{} is not said", slot.name));
    said.into_iter().chain(missing).collect::<Vec<_>>().join("; ")
}
