//! How well tools or passages are found, as one HTML file that needs nothing else.
#![allow(clippy::cast_precision_loss)] // counts of rows are far below 2^52

use waypost::eval::{FitBin, Missed, RetrievalReport};

use super::charts;
use super::html::section;
use super::plot::{Axis, Frame, drawing};
use super::sheet::Column::{Figures, Words};
use super::sheet::{facts, figure, percent, plots, reliability, sheet, shown, table};

/// Height of the drawings, and of the frames in them, in units of the plot.
const HEIGHT: f64 = 280.0;
const FRAME_TOP: f64 = 28.0;
const FRAME_HEIGHT: f64 = 210.0;

const RECALL: &str = "<b>Recall by depth.</b> <i class=\"key line\"></i> the share of what is needed that is among the first \
    so many.";
const FITS: &str = "<b>How sure the best is.</b> <i class=\"key\"></i> where a row needs something, \
    <i class=\"key second\"></i> where nothing serves it.";
const LATENCY: &str = "<b>Latency.</b> Half, nine in ten, and ninety-nine in a hundred rows took no longer.";

/// The whole page: the figures, the rows that went worst, and what was measured with what. `what` are tools or passages.
pub fn retrieval(report: &RetrievalReport, what: &str, setting: &[(&str, String)]) -> String {
    let title =
        format!("nDCG@10 of {what}: {} on {}", percent(report.ndcg_at_10), charts::count(report.rows));
    let body = [
        facts("setting", setting),
        facts("figures", &headline(report)),
        section("Depth and confidence", &found(report)),
        section("What nothing serves", &unserved(report)),
        section("Latency", &figure(&charts::latency(&report.latency, "a row"), LATENCY, "")),
        section("What went worst", &worst(&report.worst)),
    ];
    sheet(&title, &body)
}

fn headline(report: &RetrievalReport) -> Vec<(&'static str, String)> {
    let mut figures = vec![
        ("rows", report.rows.to_string()),
        ("nDCG@10", percent(report.ndcg_at_10)),
        ("recall@1", percent(report.recall_at_1)),
        ("recall@3", percent(report.recall_at_3)),
        ("recall@5", percent(report.recall_at_5)),
        ("recall@10", percent(report.recall_at_10)),
        ("precision@5", percent(report.precision_at_5)),
        ("MRR", format!("{:.4}", report.mrr)),
        ("calibration (ECE)", format!("{:.4}", report.ece)),
    ];
    figures.extend(report.collection_right.map(|right| ("right collection first", percent(right))));
    if report.without > 0 {
        figures.push(("rows nothing serves", report.without.to_string()));
    }
    figures.extend(report.no_fit_auroc.map(|auroc| ("told apart, AUROC", format!("{auroc:.4}"))));
    figures.push(("rightly served or not", percent(report.fits_right)));
    figures.push(("p50", format!("{:.1} µs", report.latency.p50_us)));
    figures.push(("p90", format!("{:.1} µs", report.latency.p90_us)));
    figures.push(("p99", format!("{:.1} µs", report.latency.p99_us)));
    figures
}

fn found(report: &RetrievalReport) -> String {
    let depths = report.recall_by_depth.iter().enumerate();
    let rows: Vec<Vec<String>> =
        depths.map(|(at, recall)| vec![(at + 1).to_string(), percent(*recall)]).collect();
    let rows = table("The first so many.", &[Words("depth"), Figures("recall")], &rows);
    plots(&[figure(&recall_curve(report), RECALL, &rows), reliability(&report.reliability, report.ece)])
}

fn recall_curve(report: &RetrievalReport) -> String {
    let deepest = report.recall_by_depth.len();
    let ticks = (1..=deepest).map(|depth| (depth as f64, depth.to_string())).collect();
    let frame = Frame {
        across: Axis { name: "the first so many", range: [1.0, deepest.max(2) as f64], ticks },
        up: Axis::whole("share of what is needed"),
        top: FRAME_TOP,
        height: FRAME_HEIGHT,
    };
    let points: Vec<[f64; 2]> =
        report.recall_by_depth.iter().enumerate().map(|(at, recall)| [(at + 1) as f64, *recall]).collect();
    let told = |[depth, recall]: &[f64; 2]| format!("among the first {depth:.0}: {}", percent(*recall));
    let mut parts = vec![frame.axes(), frame.line(&points, "first")];
    parts.extend(points.iter().map(|point| frame.dot(*point, "first", &told(point))));
    let described = format!(
        "The share of what is needed that is among the first so many: {}.",
        points.iter().map(told).collect::<Vec<_>>().join(", ")
    );
    drawing("recall", "Recall by depth", &described, HEIGHT, &parts)
}

/// How sure the best is for rows of both kinds: those that need something above the line, the others below.
fn unserved(report: &RetrievalReport) -> String {
    let Some(auroc) = report.no_fit_auroc else { return String::new() };
    let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
    let shares = |bin: &FitBin| [share(bin.inside, report.rows), share(bin.outside, report.without)];
    let frame = Frame {
        across: Axis::confidence("confidence of the best"),
        up: Axis::mirrored(
            "share of the rows of each kind",
            report.fits.iter().flat_map(shares).fold(0.0, f64::max),
        ),
        top: FRAME_TOP,
        height: FRAME_HEIGHT,
    };
    let mut parts = vec![frame.axes()];
    for bin in &report.fits {
        let ([low, high], [above, below]) = (bin.range, shares(bin));
        let (need, none) = (charts::count(bin.inside), charts::count(bin.outside));
        let tip = format!("{low:.2} to {high:.2}: {need} that need something, {none} that nothing serves");
        parts.push(frame.bar(bin.range, [0.0, above], "first", &tip));
        parts.push(frame.bar(bin.range, [0.0, -below], "second", &tip));
    }
    parts.push(frame.line(&[[0.0, 0.0], [1.0, 0.0]], "axis"));
    let described = format!(
        "Histogram of how sure the best is: above the line for the {} that need something, below it for the {} that \
         nothing serves. By confidence they are told apart with an AUROC of {auroc:.4}.",
        charts::count(report.rows),
        charts::count(report.without)
    );
    let bin = |bin: &FitBin| {
        let [low, high] = bin.range;
        vec![format!("{low:.2} to {high:.2}"), bin.inside.to_string(), bin.outside.to_string()]
    };
    let rows: Vec<Vec<String>> = report.fits.iter().map(bin).collect();
    let columns = [Words("confidence"), Figures("need something"), Figures("nothing serves")];
    let drawn = drawing("fits", "How sure the best is", &described, HEIGHT, &parts);
    figure(&drawn, &format!("{FITS} AUROC {auroc:.4}."), &table("Rows of each kind.", &columns, &rows))
}

/// The rows that went worst, with what was wanted and what was found.
fn worst(worst: &[Missed]) -> String {
    if worst.is_empty() {
        return String::new();
    }
    let listed = |ids: &[String], none: &str| match ids {
        [] => format!("<em>{none}</em>"),
        ids => ids.iter().map(|id| shown(id).replace('_', "_<wbr>")).collect::<Vec<_>>().join("<br>"),
    };
    let row = |row: &Missed| {
        let place = row.place.map_or_else(|| "–".to_owned(), |place| place.to_string());
        let (wanted, found) = (listed(&row.relevant, "nothing serves it"), listed(&row.found, "nothing"));
        vec![shown(&row.text), wanted, found, place, format!("{:.2}", row.confidence)]
    };
    let rows: Vec<Vec<String>> = worst.iter().map(row).collect();
    table(
        "The surest first. The place is that of the first that was wanted.",
        &[Words("message"), Words("wanted"), Words("found first"), Figures("place"), Figures("sure")],
        &rows,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use waypost::eval::{Ranking, retrieval_report};

    fn row(text: &str, relevant: &[&str], found: &[&str], confidence: f64) -> Ranking {
        let owned = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect();
        Ranking {
            text: text.to_owned(),
            relevant: owned(relevant),
            found: owned(found),
            confidence,
            fits: confidence >= 0.25,
            collection_right: (!relevant.is_empty()).then_some(confidence > 0.5),
            elapsed_us: confidence * 100.0,
        }
    }

    fn page(rows: &[Ranking]) -> String {
        retrieval(&retrieval_report(rows), "tools", &[("judged by", "rows.jsonl".to_owned())])
    }

    #[test]
    fn the_page_of_a_few_rows() {
        let rows = [
            row("send a mail", &["send_mail"], &["send_mail", "search"], 0.9),
            row("book and pay", &["book_table", "pay"], &["book_table", "search", "pay"], 0.7),
            row("rain?", &["weather"], &["search", "send_mail"], 0.3),
            row("sing", &[], &["search"], 0.4),
            row("hm", &[], &["search"], 0.1),
        ];
        let page = page(&rows);
        insta::with_settings!({
            snapshot_path => "../../../../tests/snapshots", prepend_module_to_snapshot => false, omit_expression => true,
        }, {
            insta::assert_snapshot!("retrieval__the_page_of_a_few_rows", page.split("</style>").nth(1).unwrap());
        });
    }

    #[test]
    fn what_is_not_there_leaves_no_heading_and_text_is_never_obeyed() {
        let told = page(&[row("a", &["a"], &["a"], 1.0)]);
        assert!(!told.contains("What nothing serves") && !told.contains("What went worst"), "{told}");
        let nothing = page(&[]);
        assert!(!nothing.contains("NaN") && !nothing.contains("inf"), "{nothing}");
        let hostile = "<script>alert(1)</script>\u{202e}";
        let told =
            page(&[row(hostile, &[hostile], &[hostile, "b"], 0.5), row(hostile, &[hostile], &[], 0.5)]);
        assert!(!told.contains(hostile) && !told.contains("<script"), "{told}");
        assert_eq!(told.matches("&lt;script&gt;alert(1)&lt;/script&gt;\u{fffd}").count(), 2);
    }
}
