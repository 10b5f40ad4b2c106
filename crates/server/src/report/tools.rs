//! How are tools and how well they are found shown to a person?

use std::fmt::Write;

use waypost::eval::RetrievalReport;
use waypost::retrieve::sources::FoundSources;
use waypost::retrieve::tools::{Alternate, Found, FoundTool, OfferedSet};

use super::{Paint, tame};

/// Collections shown: those that may be read.
const COLLECTIONS_TOLD: usize = 3;

/// First digits of a fingerprint: enough to tell two sets apart by eye.
const DIGITS_TOLD: usize = 12;

/// Tools for a message, a few lines each; before them what there is instead of one that failed, behind them the set of the
/// conversation.
pub fn tools(found: &Found, alternate: Option<&Alternate>, set: Option<&OfferedSet>, paint: Paint) -> String {
    let mut page = String::new();
    if let Some(alternate) = alternate {
        let _ = writeln!(page, "instead of {}: {}", tame(&alternate.instead_of), tame(&alternate.reason));
        alternate.tool.iter().for_each(|instead| tool(&mut page, instead, paint));
        if !alternate.failed.is_empty() {
            let _ = writeln!(page, "passed over, since they failed: {}", tame(&alternate.failed.join(", ")));
        }
        page.push('\n');
    }
    found.tools.iter().for_each(|found| tool(&mut page, found, paint));
    for removed in &found.removed {
        let _ = writeln!(page, "left out  {}: {}", tame(&removed.id), tame(&removed.reason));
    }
    if !found.fits {
        let strange = found.unmatched.iter().map(|word| tame(word)).collect::<Vec<_>>().join(", ");
        let why = if strange.is_empty() { String::new() } else { format!(" Nobody knows: {strange}.") };
        let _ = writeln!(page, "No tool serves this message.{why}");
    }
    if let Some(count) = found.fusion.examples {
        let told = format!("weights and confidence by {count} examples of the tools");
        let _ = writeln!(page, "{}", paint.faint(&told));
    }
    if let Some(set) = set {
        let digits: String = set.fingerprint.chars().take(DIGITS_TOLD).collect();
        let how = if set.renewed { "begun anew".to_owned() } else { format!("{} added", set.added.len()) };
        let _ = writeln!(page, "\nset of {} tools, {how}  {}", set.tools.len(), paint.faint(&digits));
        let _ = writeln!(page, "      {}", tame(&set.tools.join(", ")));
    }
    page
}

fn tool(page: &mut String, tool: &FoundTool, paint: Paint) {
    let server = tool.server.as_ref().map(|server| format!("{}/", tame(server))).unwrap_or_default();
    let sure = format!("{:.2}", tool.confidence.points().share());
    let _ = writeln!(page, "{sure}  {server}{}", paint.strong(&tame(&tool.name)));
    for reason in &tool.reasons {
        let _ = writeln!(page, "      {}", tame(reason));
    }
}

/// Passages for a message, a few lines each.
pub fn sources(found: &FoundSources, paint: Paint) -> String {
    let mut page = String::new();
    let share =
        |confidence: waypost::core::measure::Confidence| format!("{:.2}", confidence.points().share());
    for collection in found.collections.iter().take(COLLECTIONS_TOLD) {
        let _ = writeln!(page, "{}  {}", share(collection.confidence), paint.accent(&tame(&collection.name)));
    }
    for passage in &found.passages {
        let (title, collection) = (tame(&passage.citation.title), tame(&passage.collection));
        let place = match &passage.citation.source {
            Some(source) => format!("{collection}/{}", tame(source)),
            None => tame(&passage.id),
        };
        let _ = writeln!(page, "{}  {}  {title}", share(passage.confidence), paint.strong(&place));
        let _ = writeln!(page, "      {}", paint.faint(&tame(&passage.citation.quote)));
    }
    if !found.fits {
        page.push_str("No passage answers this message.\n");
    }
    page
}

/// How well tools or passages are found.
pub fn retrieval_figures(figures: &RetrievalReport) -> String {
    let mut page = String::new();
    let percent = |share: f64| format!("{:.2} %", share * 100.0);
    let mut line = |what: &str, figure: String| {
        let _ = writeln!(page, "  {what:<28} {figure}");
    };
    line("rows that need something", figures.rows.to_string());
    line("nDCG@10", percent(figures.ndcg_at_10));
    line(
        "recall@1 / @3 / @5 / @10",
        [figures.recall_at_1, figures.recall_at_3, figures.recall_at_5, figures.recall_at_10]
            .map(percent)
            .join(" / "),
    );
    line("precision@5", percent(figures.precision_at_5));
    line("first right place (MRR)", format!("{:.4}", figures.mrr));
    if figures.without > 0 {
        line("rows that nothing serves", figures.without.to_string());
    }
    if let Some(auroc) = figures.no_fit_auroc {
        line("told apart by confidence", format!("AUROC {auroc:.4}"));
    }
    if let Some(right) = figures.collection_right {
        line("right collection first", percent(right));
    }
    line("rightly said to be served", percent(figures.fits_right));
    line("calibration (ECE)", format!("{:.4}", figures.ece));
    let latency = &figures.latency;
    line(
        "p50 / p90 / p99",
        format!("{:.1} / {:.1} / {:.1} µs", latency.p50_us, latency.p90_us, latency.p99_us),
    );
    page
}
