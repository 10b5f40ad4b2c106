//! Why is it worth that? An explanation as a tree whose parts add up.

use super::{FactorKind, Note};
use crate::measure::Points;
use crate::signals::{Force, Signal, Worth};

/// One part of an explanation. Parts that count add up to the whole; the others are shown for honesty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason<'c> {
    /// How much it is.
    pub points: Points,
    /// Whether it is part of the sum.
    pub counts: bool,
    /// What it is.
    pub step: Step<'c>,
    /// What it is the sum of; a leaf has none.
    pub parts: Vec<Reason<'c>>,
}

/// What a part of an explanation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'c> {
    /// A name or command that settled the matter.
    Forced(Signal<'c>),
    /// The strongest ground.
    Strongest(Signal<'c>),
    /// What any ground is worth.
    Base,
    /// What this ground is worth beyond that.
    Weight,
    /// A ground after the strongest.
    Further(Signal<'c>),
    /// A keyword beside a ground.
    Support(Signal<'c>),
    /// A keyword with no ground to support.
    Alone(Signal<'c>),
    /// A confidence of its own.
    Own(Signal<'c>),
    /// What went beyond the most that rules reach.
    Capped,
    /// A factor: the sum of its parts, up to its most.
    Factor(FactorKind),
    /// What went beyond the most of a factor.
    Beyond,
    /// What was noted, and about what.
    Noted(Note, &'c str),
    /// Denied by a negation.
    Denied(Signal<'c>),
    /// A counter-example that rules the route out.
    Excluded(Signal<'c>),
}

impl<'c> Reason<'c> {
    /// A part without parts.
    pub(super) fn leaf(points: Points, step: Step<'c>) -> Reason<'c> {
        Reason { points, counts: true, step, parts: Vec::new() }
    }

    /// A part that is shown and is worth nothing.
    pub(super) fn silent(step: Step<'c>) -> Reason<'c> {
        Reason { counts: false, ..Reason::leaf(Points::ZERO, step) }
    }

    /// The strongest ground: its base and its weight.
    pub(super) fn strongest(base: Points, weight: Points, signal: Signal<'c>) -> Reason<'c> {
        let parts = vec![Reason::leaf(base, Step::Base), Reason::leaf(weight, Step::Weight)];
        Reason { points: base + weight, counts: true, step: Step::Strongest(signal), parts }
    }

    /// A factor: its parts, up to its most.
    pub(super) fn factor(kind: FactorKind, mut parts: Vec<Reason<'c>>, most: Points) -> Reason<'c> {
        let total: Points = parts.iter().map(Reason::counted).sum();
        if total > most {
            parts.push(Reason::leaf(most - total, Step::Beyond));
        }
        Reason { points: total.min(most), counts: true, step: Step::Factor(kind), parts }
    }

    /// The same part, shown only: something larger counts in its place.
    pub(super) fn outdone(self) -> Reason<'c> {
        Reason { counts: false, ..self }
    }

    /// What it adds to the sum.
    pub fn counted(&self) -> Points {
        if self.counts { self.points } else { Points::ZERO }
    }

    /// The signal behind it.
    pub const fn signal(&self) -> Option<&Signal<'c>> {
        match &self.step {
            Step::Forced(signal)
            | Step::Strongest(signal)
            | Step::Further(signal)
            | Step::Support(signal)
            | Step::Alone(signal)
            | Step::Own(signal)
            | Step::Denied(signal)
            | Step::Excluded(signal) => Some(signal),
            Step::Base | Step::Weight | Step::Capped | Step::Factor(_) | Step::Beyond | Step::Noted(..) => {
                None
            }
        }
    }

    /// The part in a person's words, without its points.
    pub fn words(&self) -> String {
        match &self.step {
            Step::Forced(Signal { worth: Worth::Force(Force::Command), .. }) => {
                "ordered by its command".to_owned()
            }
            Step::Forced(_) => "called by its name".to_owned(),
            Step::Strongest(signal) | Step::Further(signal) => ground(signal),
            Step::Base => "base of any pattern".to_owned(),
            Step::Weight => "weight of this one".to_owned(),
            Step::Support(signal) => format!("{} {}", signal.kind.name(), signal.what),
            Step::Alone(signal) => {
                format!("{} {}, which activates nothing by itself", signal.kind.name(), signal.what)
            }
            Step::Own(signal) => own(signal),
            Step::Capped => "capped: only a name or a command is certain".to_owned(),
            Step::Factor(kind) => kind.name().to_owned(),
            Step::Beyond => "the most of this factor".to_owned(),
            Step::Noted(note, "") => note.words().to_owned(),
            Step::Noted(note, about) => format!("{} {about}", note.words()),
            Step::Denied(signal) => format!("denied: {}", ground(signal)),
            Step::Excluded(signal) => format!("listed as not belonging here: {}", signal.what),
        }
    }
}

fn own(signal: &Signal<'_>) -> String {
    match signal.kind {
        kind if !kind.is_learned() => signal.what.to_owned(),
        _ if signal.what.is_empty() => "learned from the examples".to_owned(),
        _ => format!("learned, most like “{}”", signal.what),
    }
}

fn ground(signal: &Signal<'_>) -> String {
    match signal.beside {
        Some(_) => format!("{}, beside a keyword or a word of trouble", signal.what),
        None => format!("{} {}", signal.kind.name(), signal.what),
    }
}
