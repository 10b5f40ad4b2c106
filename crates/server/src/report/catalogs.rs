//! What does an evaluation over small catalogs say? As text.

use std::collections::BTreeMap;
use std::fmt::Write;

use waypost::eval::{CatalogsReport, Percentiles, Share};

/// The figures as a page of text.
pub fn catalogs(figures: &CatalogsReport) -> String {
    let mut page = format!("{} catalogs, {} messages\n\n", figures.catalogs, figures.messages);
    let shares = [
        ("decisions right", figures.right),
        ("best-ranked route right", figures.top_1),
        ("precision of what is acted on", figures.precision),
        ("coverage", figures.coverage),
        ("denied route acted on", figures.acted_on_denied),
        ("denied route reported", figures.denied_reported),
        ("second request reported", figures.second_reported),
        ("continued turn named", figures.turn_named),
        ("decided by the full model", figures.read_fully),
    ];
    for (name, value) in shares {
        line(&mut page, name, &percent(value));
    }
    line(&mut page, "calibration error (ECE)", &format!("{:.3}", figures.calibration_error));
    line(&mut page, "full model, p50 / p99", &times(figures.full_us));
    line(&mut page, "without it, p50 / p99", &times(figures.fast_us));
    table(&mut page, "Decisions right by group", &figures.by_group);
    table(&mut page, "By examples per route", &figures.by_examples);
    table(&mut page, "By number of routes", &figures.by_routes);
    page
}

fn table(page: &mut String, title: &str, shares: &BTreeMap<String, Share>) {
    let _ = writeln!(page, "\n{title}");
    for (name, share) in shares {
        line(page, name, &format!("{}  of {}", percent(share.value()), share.of));
    }
}

fn line(page: &mut String, name: &str, value: &str) {
    let _ = writeln!(page, "  {name:<32} {value}");
}

fn percent(share: f64) -> String {
    format!("{:5.1} %", 100.0 * share)
}

fn times(times: Percentiles) -> String {
    format!("{:.0} / {:.0} µs", times.p50, times.p99)
}
