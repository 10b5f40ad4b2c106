//! Which plots does an evaluation have, and what do they say to somebody who cannot see them?
#![allow(clippy::cast_precision_loss)] // counts of rows are far below 2^52

use waypost::eval::{Bin, FitBin, Latency, OutOfScope, Report};

use super::plot::{Axis, Frame, drawing, percent};

/// Height of the drawings, and of the frames in them, in units of the plot.
const HEIGHT: f64 = 280.0;
const FRAME_TOP: f64 = 28.0;
const FRAME_HEIGHT: f64 = 210.0;
/// The panel of row counts under the reliability diagram; the words on its bars need what it leaves above.
const COUNTS_TOP: f64 = 276.0;
const COUNTS_HEIGHT: f64 = 36.0;
const RELIABILITY_HEIGHT: f64 = 354.0;
/// Height of the drawing of latencies, and of one bar in it.
const LATENCY_HEIGHT: f64 = 104.0;
const LATENCY_FRAME: f64 = 88.0;
/// The part of the axis of latencies that is left for the words behind the longest bar.
const LATENCY_WORDS: f64 = 0.4;
/// What is set aside at most where 95 % are kept.
const SET_ASIDE_MAX: f64 = 0.05;
/// Counts from here on are shortened: four digits are wider than the bar they stand on.
const SHORTENED_FROM: usize = 1000;

/// Confidence against the share that is right, and how many rows that is.
pub fn reliability(bins: &[Bin], ece: f64) -> String {
    let upper = Frame {
        across: Axis::bare("", 1.0),
        up: Axis::whole("share that is right"),
        top: FRAME_TOP,
        height: FRAME_HEIGHT,
    };
    let most = bins.iter().map(|bin| bin.rows).max().unwrap_or_default();
    let lower = Frame {
        across: Axis::confidence("confidence"),
        up: Axis::bare("rows", most as f64),
        top: COUNTS_TOP,
        height: COUNTS_HEIGHT,
    };
    let mut parts = vec![upper.axes(), lower.axes()];
    for bin in bins {
        let tip = tell_bin(bin);
        parts.push(upper.bar(bin.range, [0.0, bin.accuracy], "soft", &tip));
        parts.push(lower.bar(bin.range, [0.0, bin.rows as f64], "first", &tip));
        let above = [f64::midpoint(bin.range[0], bin.range[1]), bin.rows as f64];
        parts.push(lower.above(above, "count", &shorten(bin.rows)));
    }
    // After the bars, so that none covers the line or a dot.
    parts.push(upper.line(&[[0.0, 0.0], [1.0, 1.0]], "ideal"));
    let dot = |bin: &Bin| upper.dot([bin.confidence, bin.accuracy], "first", &tell_bin(bin));
    parts.extend(bins.iter().map(dot));
    let described = format!(
        "The share of rows that is right for each bin of confidence, beside the diagonal where both are equal, and \
         the number of rows in each bin. The calibration error (ECE) is {ece:.4}."
    );
    drawing("reliability", "Reliability diagram", &described, RELIABILITY_HEIGHT, &parts)
}

fn tell_bin(bin: &Bin) -> String {
    let ([low, high], rows) = (bin.range, count(bin.rows));
    let (sure, right) = (bin.confidence, percent(bin.accuracy));
    format!("confidence {low:.2} to {high:.2}: {rows}, {sure:.3} sure on average, {right} right")
}

/// So many rows.
pub fn count(rows: usize) -> String {
    if rows == 1 { "1 row".to_owned() } else { format!("{rows} rows") }
}

fn shorten(count: usize) -> String {
    let thousands = count as f64 / SHORTENED_FROM as f64;
    match count {
        0..SHORTENED_FROM => count.to_string(),
        _ if thousands < 9.95 => format!("{thousands:.1}k"),
        _ => format!("{thousands:.0}k"),
    }
}

/// The share of errors when only the surest rows are answered.
pub fn risk_coverage(report: &Report) -> String {
    let acted = (report.acted > 0.0).then_some([report.acted, 1.0 - report.acted_precision]);
    let risks = report.risk_coverage.iter().map(|point| point.risk).chain(acted.map(|[_, risk]| risk));
    let frame = Frame {
        across: Axis::whole("share of rows answered, surest first"),
        up: Axis::shares("share of those that is wrong", risks.fold(0.0, f64::max)),
        top: FRAME_TOP,
        height: FRAME_HEIGHT,
    };
    let points: Vec<[f64; 2]> =
        report.risk_coverage.iter().map(|point| [point.coverage, point.risk]).collect();
    let told = match acted {
        Some([of, wrong]) => {
            format!("{} of the rows are acted on, {} of those wrong", percent(of), percent(wrong))
        }
        None => "no row is acted on".to_owned(),
    };
    let dot = acted.map(|at| frame.dot(at, "second", &told)).unwrap_or_default();
    let described = format!(
        "The share of wrong answers as more and more rows are answered, surest first. Of all rows {} are wrong; {told}.",
        percent(1.0 - report.accuracy)
    );
    let parts = [frame.axes(), frame.line(&points, "first"), dot];
    drawing("risk", "Risk–coverage curve", &described, HEIGHT, &parts)
}

/// How far rows of both kinds fit: those that belong above the line, those that do not below.
pub fn fits(outside: &OutOfScope) -> String {
    let inside_rows = outside.fits.iter().map(|bin| bin.inside).sum::<usize>();
    let shares = |bin: &FitBin| [share(bin.inside, inside_rows), share(bin.outside, outside.rows)];
    let highest = outside.fits.iter().flat_map(shares).fold(0.0, f64::max);
    let frame = Frame {
        across: Axis::confidence("how far the message fits any route"),
        up: Axis::mirrored("share of the rows of each kind", highest),
        top: FRAME_TOP,
        height: FRAME_HEIGHT,
    };
    let mut parts = vec![frame.axes()];
    for bin in &outside.fits {
        let [above, below] = shares(bin);
        let ([low, high], inside, foreign) = (bin.range, count(bin.inside), count(bin.outside));
        let tip = format!("fits {low:.2} to {high:.2}: {inside} of a route, {foreign} of none");
        parts.push(frame.bar(bin.range, [0.0, above], "first", &tip));
        parts.push(frame.bar(bin.range, [0.0, -below], "second", &tip));
    }
    let ends = frame.up.range;
    parts.push(frame.line(&[[0.0, 0.0], [1.0, 0.0]], "axis"));
    parts.push(frame.line(&ends.map(|end| [outside.cut, end]), "cut"));
    let described = format!(
        "Histogram of how far messages fit: above the line those of the {} that belong to a route, below it those of \
         the {} that belong nowhere. A cut at {:.3} keeps 95 % of those that belong and catches {} of the others.",
        count(inside_rows),
        count(outside.rows),
        outside.cut,
        percent(outside.caught_at_95)
    );
    drawing("fits", "How far messages fit", &described, HEIGHT, &parts)
}

fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}

/// What is caught for what is set aside.
pub fn scope_curve(outside: &OutOfScope) -> String {
    let frame = Frame {
        across: Axis::whole("share of rows that belong, set aside"),
        up: Axis::whole("share of foreign rows caught"),
        top: FRAME_TOP,
        height: FRAME_HEIGHT,
    };
    let nothing = std::iter::once([0.0, 0.0]);
    let points: Vec<[f64; 2]> =
        nothing.chain(outside.curve.iter().map(|point| [point.set_aside, point.caught])).collect();
    let caught = percent(outside.caught_at_95);
    let kept_95 = outside.curve.iter().rfind(|point| point.set_aside <= SET_ASIDE_MAX);
    let kept_95 = [kept_95.map_or(SET_ASIDE_MAX, |point| point.set_aside), outside.caught_at_95];
    let parts = [
        frame.axes(),
        frame.line(&[[0.0, 0.0], [1.0, 1.0]], "ideal"),
        frame.line(&points, "first"),
        frame.dot(kept_95, "second", &format!("95 % kept, {caught} caught")),
    ];
    let described = format!(
        "The share of rows that belong nowhere and are caught, as more rows that belong are set aside with them. The \
         area under the curve (AUROC) is {:.4}; where 95 % of the rows that belong are kept, {caught} are caught.",
        outside.auroc
    );
    drawing("scope", "What is caught, and at what price", &described, HEIGHT, &parts)
}

/// How long something took, a bar a percentile.
pub fn latency(latency: &Latency, what: &str) -> String {
    let percentiles = [("p50", latency.p50_us), ("p90", latency.p90_us), ("p99", latency.p99_us)];
    let rows = percentiles.iter().zip([2.5, 1.5, 0.5]);
    let frame = Frame {
        across: Axis::bare("", latency.p99_us * (1.0 + LATENCY_WORDS)),
        up: Axis { name: "", range: [0.0, 3.0], ticks: rows.clone().map(tick).collect() },
        top: 4.0,
        height: LATENCY_FRAME,
    };
    let mut parts = vec![frame.axes()];
    for ((name, took), row) in rows {
        let told = format!("{took:.1} µs");
        let tip = format!("{name}: {told}");
        parts.push(frame.bar([0.0, *took], [row - 0.3, row + 0.3], "first", &tip));
        parts.push(frame.beside([*took, row], "tick", &told));
    }
    let told: Vec<String> = percentiles.iter().map(|(name, took)| format!("{name} {took:.1} µs")).collect();
    let described = format!("How long {what} took: {}.", told.join(", "));
    drawing("latency", &format!("Latency of {what}"), &described, LATENCY_HEIGHT, &parts)
}

fn tick(((name, _), row): (&(&str, f64), f64)) -> (f64, String) {
    (row, (*name).to_owned())
}
