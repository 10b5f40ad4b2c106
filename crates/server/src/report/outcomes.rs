//! How decisions ended that were more or less sure, as text.

use std::fmt::Write as _;

use waypost::eval::{Band, OutcomesReport};

use super::Paint;

/// The figures of outcomes, and success by band of confidence.
pub fn outcome_figures(figures: &OutcomesReport, paint: Paint) -> String {
    let mut shown = String::new();
    let mut line = |label: &str, value: &str| {
        // Writing to a String cannot fail.
        let _ = writeln!(shown, "  {label:<28} {value}");
    };
    line("outcomes told", &figures.outcomes.to_string());
    if let Some(rate) = figures.success_rate {
        line("succeeded", &percent(rate));
    }
    match (figures.correlation, figures.rank_correlation) {
        (Some(correlation), Some(of_ranks)) => {
            line("confidence with success", &paint.strong(&format!("r = {correlation:.3}")));
            line("the same by rank", &format!("ρ = {of_ranks:.3}"));
        }
        _ => {
            let because = figures.unsaid.as_deref().unwrap_or_default();
            line("confidence with success", &format!("nothing can be said: {because}"));
        }
    }
    if let Some((brier, ece)) = figures.brier.zip(figures.ece) {
        line("Brier score", &format!("{brier:.4}"));
        line("calibration error (ECE)", &format!("{ece:.4}"));
    }
    if figures.outcomes == 0 {
        return shown;
    }
    let heading = paint.faint(&format!(
        "  {:<14} {:>9} {:>9}  {}",
        "confidence", "outcomes", "succeeded", "mean confidence"
    ));
    let bands: String = figures.bands.iter().map(band).collect();
    format!("{shown}\n{heading}\n{bands}")
}

fn band(band: &Band) -> String {
    let [start, end] = band.range;
    let range = format!("{start:.2} to {end:.2}");
    let succeeded = band.success_rate.map_or_else(|| "-".to_owned(), percent);
    let confidence = band.confidence.map_or_else(|| "-".to_owned(), |mean| format!("{mean:.2}"));
    format!("  {range:<14} {:>9} {succeeded:>9}  {confidence}\n", band.outcomes)
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}
