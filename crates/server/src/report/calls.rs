//! What does an evaluation over many tools say? As text.

use std::fmt::Write;

use waypost::eval::{CallsReport, Share};

/// The figures as a page of text.
pub fn calls(figures: &CallsReport) -> String {
    let mut page = format!("{} messages\n\n", figures.rows);
    line(&mut page, "whole calls right", figures.whole);
    if figures.several.of > 0 {
        line(&mut page, "of these, several calls at once", figures.several);
    }
    for (kind, share) in &figures.by_kind {
        line(&mut page, &format!("{kind} values right"), *share);
    }
    line(&mut page, "empty slots left empty", figures.empty);
    line(&mut page, "runnable calls that run", figures.ran);
    line(&mut page, "wrong runs", figures.wrong_runs);
    if figures.traps_run.of > 0 {
        line(&mut page, "traps that run", figures.traps_run);
    }
    let _ =
        writeln!(page, "  {:<32} {:.0} / {:.0} µs", "p50 / p99", figures.elapsed.p50, figures.elapsed.p99);
    page
}

fn line(page: &mut String, name: &str, share: Share) {
    let _ = writeln!(page, "  {name:<32} {:5.1} %  of {}", 100.0 * share.value(), share.of);
}
