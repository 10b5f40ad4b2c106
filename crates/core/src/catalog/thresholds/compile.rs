//! How do written thresholds become rules to go by? Conditions read and held against the facts, numbers against the bounds.

use std::cmp::Reverse;

use super::super::condition::{Condition, Fault, Scope};
use super::super::draft::{Draft, Placed};
use super::super::naming::refuse_twice;
use super::super::place::{Place, Source};
use super::super::problem::{Code, Problem};
use super::draft::{RuleDraft, SignalDraft};
use super::{Direction, ThresholdRule, ThresholdSignal, Thresholds};
use crate::measure::{Confidence, Points};

/// The threshold of the framework document: below 0.40 nothing activates.
pub const BASE_DEFAULT: Points = Points::hundredths(40);
/// Where the framework document begins to speak of high confidence.
pub const HIGH_DEFAULT: Points = Points::hundredths(70);
/// How close counts as "similar" there.
const WINDOW_DEFAULT: Points = Points::hundredths(15);
/// From where on a threshold is strict: what the rules of the specialists raise it to.
const STRICT_DEFAULT: Points = Points::hundredths(75);
/// Up to where a threshold is lenient: what a proven user is given there.
const LENIENT_DEFAULT: Points = Points::hundredths(65);

/// Compiles the thresholds of a draft; what is wrong with them is added to the problems.
pub fn compile(draft: &Draft, sources: &[Source], problems: &mut Vec<Problem>) -> Thresholds {
    let adaptive = &draft.adaptive;
    let placed = |written: &Option<Placed<f64>>, default| share(written.as_ref().map(|w| w.value), default);
    let mut thresholds = Thresholds {
        base: share(draft.base.map(|(base, _)| base), BASE_DEFAULT),
        high: share(draft.high, HIGH_DEFAULT),
        window: share(draft.window, WINDOW_DEFAULT).points(),
        target_precision: draft.target_precision.map(|target| Confidence::new(Points::from_share(target))),
        least: placed(&adaptive.least, Points::ZERO),
        most: placed(&adaptive.most, Points::ONE),
        strict: placed(&adaptive.strict, STRICT_DEFAULT),
        lenient: placed(&adaptive.lenient, LENIENT_DEFAULT),
        rules: Vec::new(),
        signals: Vec::new(),
    };
    check_bounds(draft, &thresholds, problems);
    refuse_twice("signal", adaptive.signals.iter().map(|signal| &signal.name), sources, problems);
    refuse_twice("rule", adaptive.rules.iter().map(|rule| &rule.id), sources, problems);
    let names: Vec<&str> = adaptive.signals.iter().map(|signal| signal.name.value.as_str()).collect();
    thresholds.signals =
        adaptive.signals.iter().filter_map(|written| signal(written, &thresholds, problems)).collect();
    let scope = Scope::Beside(&names);
    thresholds.rules =
        adaptive.rules.iter().filter_map(|written| rule(written, &scope, &thresholds, problems)).collect();
    thresholds.rules.sort_by(|a, b| order(a).cmp(&order(b)));
    thresholds
}

/// By priority, then up before down, then the higher threshold, then the id.
fn order(rule: &ThresholdRule) -> (Reverse<i32>, Direction, Reverse<Confidence>, &str) {
    (Reverse(rule.priority), rule.direction, Reverse(rule.threshold), &rule.id)
}

fn share(written: Option<f64>, default: Points) -> Confidence {
    Confidence::new(written.map_or(default, Points::from_share))
}

/// The bounds hold the base, and the levels are in order.
fn check_bounds(draft: &Draft, thresholds: &Thresholds, problems: &mut Vec<Problem>) {
    let Thresholds { base, least, most, strict, lenient, .. } = thresholds;
    let at = |written: &Option<Placed<f64>>| written.as_ref().map(|written| written.place);
    let (at_least, at_most) = (at(&draft.adaptive.least), at(&draft.adaptive.most));
    if least > most {
        let message = format!("the least threshold of {least} is more than the most, {most}");
        let place = at_least.or(at_most).unwrap_or(Place::START);
        problems.push(Problem::new(Code::BadValue, place, message));
    } else if base < least || base > most {
        let message = format!("the base of {base} is not within {least} and {most}");
        let place = draft.base.map(|(_, place)| place).or(at_least).or(at_most).unwrap_or(Place::START);
        problems.push(Problem::new(Code::BadValue, place, message).hint("see `least` and `most`"));
    }
    if lenient >= strict {
        let message = format!("lenient ends at {lenient}, and strict begins at {strict}");
        let place = at(&draft.adaptive.lenient).or(at(&draft.adaptive.strict)).unwrap_or(Place::START);
        problems.push(Problem::new(Code::BadValue, place, message).hint("lenient lies below strict"));
    }
}

fn signal(
    written: &SignalDraft,
    thresholds: &Thresholds,
    problems: &mut Vec<Problem>,
) -> Option<ThresholdSignal> {
    Some(ThresholdSignal {
        value: written.value.as_ref().map(|value| within(value, "signal", thresholds, problems)),
        when: condition(written.when.as_ref()?, &Scope::Signal, problems)?,
        name: written.name.value.clone(),
        source: written.source,
        recommends: written.recommends,
        reason: written.reason.clone(),
    })
}

fn rule(
    written: &RuleDraft,
    scope: &Scope<'_>,
    thresholds: &Thresholds,
    problems: &mut Vec<Problem>,
) -> Option<ThresholdRule> {
    let threshold = within(&written.threshold, "rule", thresholds, problems);
    Some(ThresholdRule {
        threshold,
        direction: direction(written, threshold, thresholds.base, problems),
        when: condition(&written.when, scope, problems)?,
        id: written.id.value.clone(),
        priority: written.priority,
        reason: written.reason.clone(),
    })
}

/// A threshold within the bounds.
fn within(
    written: &Placed<f64>,
    of: &str,
    thresholds: &Thresholds,
    problems: &mut Vec<Problem>,
) -> Confidence {
    let (value, least, most) =
        (Confidence::new(Points::from_share(written.value)), thresholds.least, thresholds.most);
    // Where the bounds themselves are upside down, that is told once and not again for every rule.
    if least <= most && !(least..=most).contains(&value) {
        let message = format!("the {of}'s threshold of {value} is not within {least} and {most}");
        problems.push(Problem::new(Code::BadValue, written.place, message).hint("see `least` and `most`"));
    }
    value
}

/// Where a rule moves the threshold; what it says of itself must be so.
fn direction(
    written: &RuleDraft,
    threshold: Confidence,
    base: Confidence,
    problems: &mut Vec<Problem>,
) -> Direction {
    let moves = if threshold >= base { Direction::Up } else { Direction::Down };
    let Some(said) = &written.direction else { return moves };
    if said.value != moves && threshold != base {
        let (is, word) = if moves == Direction::Up { ("above", "up") } else { ("below", "down") };
        let message = format!("the threshold of {threshold} is {is} the base of {base}");
        problems.push(Problem::new(Code::BadValue, said.place, message).hint(format!("write `{word}`")));
    }
    said.value
}

/// Reads a condition, held against the facts it may ask for.
pub fn condition(
    written: &Placed<String>,
    scope: &Scope<'_>,
    problems: &mut Vec<Problem>,
) -> Option<Condition> {
    // An empty text is reported already.
    if written.value.trim().is_empty() {
        return None;
    }
    let (read, faults) = match Condition::read(&written.value) {
        Ok(condition) => {
            let faults = condition.faults(scope);
            (Some(condition), faults)
        }
        Err(fault) => (None, vec![fault]),
    };
    problems.extend(faults.into_iter().map(|fault| problem(fault, written.place)));
    read
}

fn problem(fault: Fault, place: Place) -> Problem {
    Problem { code: fault.code, place, message: fault.message, hint: fault.hint }
}
