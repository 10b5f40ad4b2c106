//! What does an evaluation look like in a terminal?

use std::fmt::Write as _;

use waypost::eval::{Comparison, Report};

use super::Paint;
use super::paint::tame;

/// Routes listed: those found worst.
const WORST_ROUTES_MAX: usize = 10;

/// The figures of an evaluation.
pub fn figures(
    report: &Report,
    compared: Option<&Comparison>,
    learned_ms: Option<f64>,
    paint: Paint,
) -> String {
    let percent = |share: f64| format!("{:.2} %", share * 100.0);
    let mut shown = String::new();
    let mut line = |label: &str, value: &str| {
        // Writing to a String cannot fail.
        let _ = writeln!(shown, "  {label:<28} {value}");
    };
    line("rows", &report.rows.to_string());
    line("accuracy", &paint.strong(&percent(report.accuracy)));
    line("macro F1", &format!("{:.4}", report.macro_f1));
    line(
        "acted on, and then right",
        &format!("{}, {}", percent(report.acted), percent(report.acted_precision)),
    );
    line("calibration error (ECE)", &format!("{:.4}", report.ece));
    if let Some(outside) = &report.out_of_scope {
        line(
            "out of scope, AUROC",
            &format!("{:.4} (by confidence {:.4})", outside.auroc, outside.auroc_by_confidence),
        );
        line("caught, 95 % kept", &percent(outside.caught_at_95));
        line("left alone as it is", &percent(outside.left_alone));
    }
    if let Some(compared) = compared {
        let Comparison { mended, broken, p_value, .. } = compared;
        let verdict = if compared.regression { paint.bad("worse") } else { paint.good("not worse") };
        let before = percent(compared.baseline_accuracy);
        line(
            "against the baseline",
            &format!("{verdict}: {before} before, {mended} mended, {broken} broken, p = {p_value:.3}"),
        );
    }
    let latency = &report.latency;
    line(
        "p50 / p90 / p99",
        &format!("{:.1} / {:.1} / {:.1} µs", latency.p50_us, latency.p90_us, latency.p99_us),
    );
    if let Some(learned_ms) = learned_ms {
        line("learned in", &format!("{:.1} s", learned_ms / 1000.0));
    }
    format!("{shown}{}{}", worst(report, paint), confused(report, paint))
}

fn worst(report: &Report, paint: Paint) -> String {
    let mut routes: Vec<_> = report.routes.iter().filter(|route| route.rows > 0 && route.f1 < 1.0).collect();
    routes.sort_by(|a, b| a.f1.total_cmp(&b.f1));
    if routes.is_empty() {
        return String::new();
    }
    let mut shown = format!("\n{}\n", paint.strong("Routes found worst (precision, recall)"));
    for route in routes.into_iter().take(WORST_ROUTES_MAX) {
        let _ = writeln!(shown, "  {:<40} {:.2}  {:.2}", tame(&route.name), route.precision, route.recall);
    }
    shown
}

fn confused(report: &Report, paint: Paint) -> String {
    if report.confusions.is_empty() {
        return String::new();
    }
    let mut shown = format!("\n{}\n", paint.strong("Most often taken for each other"));
    for confusion in &report.confusions {
        let (label, predicted) = (tame(&confusion.label), tame(&confusion.predicted));
        let _ = writeln!(shown, "  {:>4}  {label} taken for {predicted}", confusion.rows);
        for text in &confusion.texts {
            let _ = writeln!(shown, "        {}", paint.faint(&tame(text)));
        }
    }
    shown
}
