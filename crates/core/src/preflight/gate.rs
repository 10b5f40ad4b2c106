//! May it be handed over? Confidence, resources and complexity, just before dispatch.

use serde::{Deserialize, Serialize};

use super::actions::{Actions, Permission};
use super::checks::{Check, Verdict};
use super::{Band, Task};
use crate::measure::{Confidence, Points};
use crate::resources::Pressure;

/// Whether a task is handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Passage {
    /// To whom it was decided.
    Passed,
    /// To somebody who looks at it first.
    Escalated,
}

/// What the gate found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gate {
    /// Whether the task is handed over.
    pub passage: Passage,
    /// Confidence, resources and complexity, each with its reason.
    pub checks: Vec<Check>,
}

/// Opens or closes the gate. What fails escalates; what is not known does not, since a machine nobody measured is no
/// reason to stop.
pub fn gate(
    confidence: Confidence,
    threshold: Confidence,
    pressure: &Pressure,
    actions: &Actions,
    task: &Task,
    handles: &[Band],
) -> Gate {
    let checks = vec![
        sure_enough(confidence, threshold),
        resources(pressure, actions),
        complexity(task.band(), handles),
    ];
    let failed = checks.iter().any(|check| check.verdict == Verdict::Fail);
    Gate { passage: if failed { Passage::Escalated } else { Passage::Passed }, checks }
}

/// The confidence is at least the threshold.
fn sure_enough(confidence: Confidence, threshold: Confidence) -> Check {
    let reached = confidence >= threshold;
    let (verdict, relation) = if reached { (Verdict::Pass, "reaches") } else { (Verdict::Fail, "is below") };
    let says = |share: Confidence| decimals(share.points());
    Check::new(
        "confidence",
        verdict,
        format!("{} {relation} the threshold {}", says(confidence), says(threshold)),
    )
}

/// A share with two decimals, or all it has where two would hide the difference that decides.
fn decimals(points: Points) -> String {
    let short = format!("{points:.2}");
    if short.parse() == Ok(points.share()) { short } else { points.share().to_string() }
}

/// The zone grants the task.
fn resources(pressure: &Pressure, actions: &Actions) -> Check {
    let name = "resources";
    match (actions.permission, &actions.because) {
        (Permission::Granted, _) if pressure.worst.is_none() => {
            Check::new(name, Verdict::Unknown, pressure.words())
        }
        (Permission::Granted, _) => Check::new(name, Verdict::Pass, pressure.words()),
        (_, because) => {
            let because = because.as_deref().unwrap_or("the zone does not grant it");
            Check::new(name, Verdict::Fail, format!("{because} ({})", pressure.words()))
        }
    }
}

/// Whoever is to take the task handles its band, or the one next to it; without a list, any.
fn complexity(band: Option<Band>, handles: &[Band]) -> Check {
    let name = "complexity";
    let Some(band) = band else {
        return Check::new(name, Verdict::Unknown, "how complex the task is nobody knows");
    };
    let apart = handles.iter().map(|handled| (*handled as u8).abs_diff(band as u8)).min();
    let (verdict, detail) = match apart {
        None => (Verdict::Pass, "any complexity is handled"),
        Some(0) => (Verdict::Pass, "handled"),
        Some(1) => (Verdict::Pass, "next to what is handled"),
        Some(_) => (Verdict::Fail, "too far from what is handled"),
    };
    Check::new(name, verdict, format!("{}: {detail}", band.name()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resources::{Resource, Zone};

    const SURE: Confidence = Confidence::CERTAIN;

    fn share(share: f64) -> Confidence {
        Confidence::new(Points::from_share(share))
    }

    fn task(complexity: f64) -> Task {
        Task { complexity: Some(Points::from_share(complexity)), ..Task::default() }
    }

    fn red() -> Pressure {
        Pressure { zone: Zone::Red, worst: Some(Resource::Cpu), used: Some(Points::hundredths(90)) }
    }

    #[track_caller]
    fn check(gate: &Gate, passage: Passage, details: [&str; 3]) {
        let told: Vec<&str> = gate.checks.iter().map(|check| check.detail.as_str()).collect();
        assert_eq!((gate.passage, told.as_slice()), (passage, details.as_slice()));
    }

    #[test]
    fn the_threshold_itself_passes() {
        let at = |confidence: f64| {
            gate(share(confidence), share(0.7), &red(), &Actions::default(), &task(0.5), &[])
        };
        let (cpu, any) = ("red: cpu is used to 90 %", "moderate: any complexity is handled");
        check(&at(0.7), Passage::Passed, ["0.70 reaches the threshold 0.70", cpu, any]);
        check(&at(0.699_999), Passage::Escalated, ["0.699999 is below the threshold 0.70", cpu, any]);
        check(&at(0.700_001), Passage::Passed, ["0.700001 reaches the threshold 0.70", cpu, any]);
    }

    #[test]
    fn what_the_zone_holds_back_is_escalated() {
        let because = Some("blocked from zone red on: it is heavy work".to_owned());
        for permission in [Permission::Deferred, Permission::Blocked] {
            let actions = Actions { permission, because: because.clone(), ..Actions::default() };
            check(
                &gate(SURE, share(0.7), &red(), &actions, &task(0.1), &[Band::Simple]),
                Passage::Escalated,
                [
                    "1.00 reaches the threshold 0.70",
                    "blocked from zone red on: it is heavy work (red: cpu is used to 90 %)",
                    "simple: handled",
                ],
            );
        }
    }

    #[test]
    fn complexity_is_handled_or_next_to_it() {
        let at = |complexity: f64, handles: &[Band]| {
            gate(SURE, SURE, &red(), &Actions::default(), &task(complexity), handles).passage
        };
        assert_eq!(at(0.29, &[Band::Complex]), Passage::Escalated);
        assert_eq!(at(0.30, &[Band::Complex]), Passage::Passed);
        assert_eq!(at(0.70, &[Band::Simple]), Passage::Passed);
        assert_eq!(at(0.71, &[Band::Simple]), Passage::Escalated);
        assert_eq!(at(0.71, &[Band::Simple, Band::Moderate]), Passage::Passed);
        assert_eq!(at(0.71, &[]), Passage::Passed);
    }

    #[test]
    fn what_is_not_known_does_not_escalate() {
        check(
            &gate(SURE, SURE, &Pressure::default(), &Actions::default(), &Task::default(), &[Band::Simple]),
            Passage::Passed,
            [
                "1.00 reaches the threshold 1.00",
                "green: nothing is known of the machine",
                "how complex the task is nobody knows",
            ],
        );
    }
}
