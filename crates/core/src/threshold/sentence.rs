//! What does a person read about a threshold?

use crate::catalog::ThresholdRule;
use crate::measure::Confidence;

/// What moved the threshold from where to where, and why.
pub fn sentence(original: Confidence, threshold: Confidence, rule: Option<&ThresholdRule>) -> String {
    let Some(rule) = rule else {
        return format!("No rule fires; the threshold stays at {}.", shown(original));
    };
    let moved = if threshold == original {
        format!("Threshold kept at {}", shown(original))
    } else {
        let direction = if threshold > original { "increased" } else { "decreased" };
        let from_to = format!("({} → {})", shown(original), shown(threshold));
        format!("Threshold {direction} by {} {from_to}", percent(original, threshold))
    };
    format!("{moved}. Rule: {}. Reason: {}", rule.id, rule.reason)
}

/// Two decimals, or as many as it has.
fn shown(value: Confidence) -> String {
    let full = format!("{value:.6}");
    let (whole, decimals) = full.split_once('.').unwrap_or((&full, ""));
    format!("{whole}.{:0<2}", decimals.trim_end_matches('0'))
}

/// How much of the original that is, to the nearest hundredth.
fn percent(original: Confidence, threshold: Confidence) -> String {
    let (from, to) = (original.points().share(), threshold.points().share());
    let share = (to - from).abs() / from;
    match (share * 100.0).round() {
        _ if from == 0.0 => shown(threshold),
        percent if percent < 1.0 => "less than 1%".to_owned(),
        percent => format!("{percent}%"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Points;

    #[track_caller]
    fn check(original: i32, threshold: f64, expected: &str) {
        let (original, threshold) =
            (Confidence::new(Points::hundredths(original)), Confidence::new(Points::from_share(threshold)));
        assert_eq!(format!("{} {}", percent(original, threshold), shown(threshold)), expected);
    }

    #[test]
    fn figures_are_short_and_never_wrong() {
        check(70, 0.65, "7% 0.65");
        check(70, 0.62, "11% 0.62");
        check(70, 0.8, "14% 0.80");
        check(70, 0.703, "less than 1% 0.703");
        check(70, 0.725, "4% 0.725");
        check(0, 0.5, "0.50 0.50");
        check(80, 1.0, "25% 1.00");
    }
}
