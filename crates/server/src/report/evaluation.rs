//! What does an evaluation look like as one HTML file that needs nothing else?

use waypost::eval::{
    Comparison, Confusion, CoveragePoint, FitBin, OutOfScope, Report, RouteFigures, ScopePoint,
};

use super::charts;
use super::html::section;
use super::sheet::Column::{Bars, Figures, Words};
use super::sheet::{facts, figure, percent, plots, reliability, sheet, shown, table};

/// The whole page: the figures of an evaluation, what it was held against, and what was measured with what.
pub fn evaluation(report: &Report, compared: Option<&Comparison>, setting: &[(&str, String)]) -> String {
    let title = format!("Right on {} of {}", percent(report.accuracy), charts::count(report.rows));
    let body = [
        facts("setting", setting),
        facts("figures", &headline(report)),
        section("Against the baseline", &compared.map(|to| comparison(report, to)).unwrap_or_default()),
        section("Confidence", &confidence(report)),
        section("Out of scope", &report.out_of_scope.as_ref().map(scope).unwrap_or_default()),
        section("Latency", &figure(&charts::latency(&report.latency, "a decision"), LATENCY, "")),
        section("Routes", &routes(&report.routes)),
        section("Most often taken for each other", &confusions(&report.confusions)),
    ];
    sheet(&title, &body)
}

const RISK: &str = "<b>Risk and coverage.</b> <i class=\"key line\"></i> the share that is wrong when only the surest rows \
    are answered; <i class=\"key second dot\"></i> the rows acted on.";
const FITS: &str = "<b>How far messages fit.</b> <i class=\"key\"></i> rows that belong to a route, \
    <i class=\"key second\"></i> rows that belong nowhere; <i class=\"key line cut\"></i> the cut that keeps 95 % of those \
    that belong.";
const LATENCY: &str =
    "<b>Latency.</b> Half, nine in ten, and ninety-nine in a hundred decisions took no longer.";

fn headline(report: &Report) -> Vec<(&'static str, String)> {
    let mut figures = vec![
        ("rows", report.rows.to_string()),
        ("accuracy", percent(report.accuracy)),
        ("macro F1", format!("{:.4}", report.macro_f1)),
        ("acted on", percent(report.acted)),
        ("right when acted on", percent(report.acted_precision)),
        ("calibration (ECE)", format!("{:.4}", report.ece)),
    ];
    if let Some(outside) = &report.out_of_scope {
        figures.push(("out of scope, AUROC", format!("{:.4}", outside.auroc)));
        figures.push(("caught, 95 % kept", percent(outside.caught_at_95)));
        figures.push(("left alone as it is", percent(outside.left_alone)));
    }
    figures.push(("p50", format!("{:.1} µs", report.latency.p50_us)));
    figures.push(("p99", format!("{:.1} µs", report.latency.p99_us)));
    figures
}

fn comparison(report: &Report, compared: &Comparison) -> String {
    let verdict = if compared.regression {
        "<b class=\"bad\">Worse</b> by more than chance."
    } else {
        "<b class=\"good\">Not worse</b> by more than chance."
    };
    let gained = (report.accuracy - compared.baseline_accuracy) * 100.0;
    let row = |name: &str, value: String| vec![name.to_owned(), value];
    let rows = [
        row("accuracy before", percent(compared.baseline_accuracy)),
        row("accuracy now", percent(report.accuracy)),
        row("gained, in points", format!("{gained:+.2}")),
        row("mended: right now, wrong before", compared.mended.to_string()),
        row("broken: wrong now, right before", compared.broken.to_string()),
        row("how likely by chance (McNemar’s p)", likelihood(compared.p_value)),
    ];
    format!(
        "<p>{verdict}</p>\n<div class=\"slim\">\n{}</div>",
        table("Both runs, row by row.", &[Words("figure"), Figures("value")], &rows)
    )
}

fn likelihood(p_value: f64) -> String {
    if p_value < 0.001 { "below 0.001".to_owned() } else { format!("{p_value:.3}") }
}

fn confidence(report: &Report) -> String {
    let point = |point: &CoveragePoint| vec![percent(point.coverage), percent(point.risk)];
    let points: Vec<Vec<String>> = report.risk_coverage.iter().map(point).collect();
    let points = table("Surest rows first.", &[Words("answered"), Figures("wrong")], &points);
    let reliability = reliability(&report.reliability, report.ece);
    plots(&[reliability, figure(&charts::risk_coverage(report), RISK, &points)])
}

fn scope(outside: &OutOfScope) -> String {
    let bin = |bin: &FitBin| {
        let [low, high] = bin.range;
        vec![format!("{low:.2} to {high:.2}"), bin.inside.to_string(), bin.outside.to_string()]
    };
    let bins: Vec<Vec<String>> = outside.fits.iter().map(bin).collect();
    let bins =
        table("Rows of each kind.", &[Words("fits"), Figures("belong"), Figures("belong nowhere")], &bins);
    let point = |point: &ScopePoint| vec![percent(point.set_aside), percent(point.caught)];
    let points: Vec<Vec<String>> = outside.curve.iter().map(point).collect();
    let points =
        table("Cuts from the lowest to the highest.", &[Words("set aside"), Figures("caught")], &points);
    let told = format!(
        "<b>What is caught, and at what price.</b> <i class=\"key line\"></i> foreign rows caught as more rows that belong \
         are set aside; <i class=\"key line ideal\"></i> by chance; <i class=\"key second dot\"></i> {} caught while 95 % are \
         kept. AUROC {:.4}, by confidence alone {:.4}.",
        percent(outside.caught_at_95),
        outside.auroc,
        outside.auroc_by_confidence
    );
    let histogram = figure(&charts::fits(outside), &format!("{FITS} Cut at {:.3}.", outside.cut), &bins);
    plots(&[histogram, figure(&charts::scope_curve(outside), &told, &points)])
}

/// Every route, the worst first; those that no row belongs to last, as nothing is known of them.
fn routes(routes: &[RouteFigures]) -> String {
    let mut routes: Vec<&RouteFigures> = routes.iter().collect();
    routes.sort_by(|a, b| {
        let known = (a.rows == 0).cmp(&(b.rows == 0));
        known.then(a.f1.total_cmp(&b.f1)).then(b.rows.cmp(&a.rows)).then(a.name.cmp(&b.name))
    });
    let row = |route: &&RouteFigures| {
        let figure = |value: f64| if route.rows == 0 { "–".to_owned() } else { format!("{value:.3}") };
        let (precision, recall, f1) =
            (format!("{:.3}", route.precision), figure(route.recall), figure(route.f1));
        let bar = format!("<div class=\"bar\"><i style=\"width:{:.1}%\"></i></div>", route.f1 * 100.0);
        vec![named(&route.name), route.rows.to_string(), precision, recall, f1, bar]
    };
    let rows: Vec<Vec<String>> = routes.iter().map(row).collect();
    table(
        "Every route, the worst first.",
        &[Words("route"), Figures("rows"), Figures("precision"), Figures("recall"), Figures("F1"), Bars],
        &rows,
    )
}

fn confusions(confusions: &[Confusion]) -> String {
    let text = |text: &String| format!("<li>{}</li>", shown(text));
    let pair = |pair: &Confusion| {
        format!(
            "<tbody class=\"pair\">\n<tr><td class=\"n\">{}</td><th scope=\"row\">{}</th><td>{}</td></tr>\n\
             <tr><td></td><td colspan=\"2\"><ul>{}</ul></td></tr>\n</tbody>\n",
            pair.rows,
            named(&pair.label),
            named(&pair.predicted),
            pair.texts.iter().map(text).collect::<String>()
        )
    };
    if confusions.is_empty() {
        return String::new();
    }
    format!(
        "<table>\n<caption>Pairs with most rows, and some of those.</caption>\n<thead><tr><th scope=\"col\" class=\"n\">rows</th>\
         <th scope=\"col\">belong to</th><th scope=\"col\">were taken for</th></tr></thead>\n{}</table>\n",
        confusions.iter().map(pair).collect::<String>()
    )
}

/// A route, which may break behind the signs that join its words.
fn named(route: &str) -> String {
    if route.is_empty() { "<em>no route</em>".to_owned() } else { shown(route).replace('_', "_<wbr>") }
}

#[cfg(test)]
mod tests {
    use super::super::sheet::MESSAGE_CHARS_MAX;
    use super::*;
    use waypost::Outcome;
    use waypost::eval::{self, Prediction};

    fn row(text: &str, label: &str, predicted: &str, confidence: f64) -> Prediction {
        let outcome = if confidence >= 0.5 { Outcome::Act } else { Outcome::Abstain };
        let (text, label, predicted) = (text.to_owned(), label.to_owned(), predicted.to_owned());
        Prediction { text, label, predicted, outcome, confidence, fits: None, elapsed_us: confidence * 50.0 }
    }

    fn page(rows: &[Prediction], foreign: &[Prediction], baseline: &[Prediction]) -> String {
        let mut report = eval::report(rows);
        report.out_of_scope = (!foreign.is_empty()).then(|| eval::out_of_scope(rows, foreign));
        let compared = eval::compare(rows, baseline);
        evaluation(&report, compared.as_ref(), &[("judged by", "rows.jsonl".to_owned())])
    }

    #[test]
    fn the_page_of_a_few_predictions() {
        let rows = [
            row("where is my parcel", "parcel", "parcel", 0.95),
            row("has it been sent", "parcel", "parcel", 0.88),
            row("the parcel cost too much", "parcel", "refund", 0.55),
            row("my money back", "refund", "refund", 0.91),
            row("they lost it, pay me", "refund", "parcel", 0.62),
            row("can I log in", "password", "password", 0.99),
            row("hm", "password", "", 0.0),
        ];
        let foreign = [row("bake a cake", "", "parcel", 0.2), row("sing", "", "refund", 0.9)];
        let mut before = rows.to_vec();
        before[0].predicted = "refund".to_owned();
        let page = page(&rows, &foreign, &before);
        insta::with_settings!({
            snapshot_path => "../../../../tests/snapshots", prepend_module_to_snapshot => false, omit_expression => true,
        }, {
            insta::assert_snapshot!("evaluation__the_page_of_a_few_predictions", page);
        });
    }

    #[test]
    fn text_from_outside_is_shown_and_never_obeyed() {
        let check = |hostile: &str, expected: &str| {
            let rows = [row(hostile, hostile, "b", 0.9), row("t", "c", hostile, 0.9)];
            let told = evaluation(&eval::report(&rows), None, &[("judged by", hostile.to_owned())]);
            let inside = told.split("</style>").nth(1).unwrap();
            assert!(!inside.contains(hostile), "{hostile:?} is obeyed");
            // The file, the route, and of the pairs the message, the label and the prediction.
            assert_eq!(inside.matches(expected).count(), 5, "{expected:?} for {hostile:?}");
        };
        check("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;");
        check("\" onload=\"x", "&quot; onload=&quot;x");
        check("it's' x='y", "it&#39;s&#39; x=&#39;y");
        check("</bdi></td>&lt;", "&lt;/bdi&gt;&lt;/td&gt;&amp;lt;");
        check("a\u{202e}b\u{2067}c\u{200f}d", "a\u{fffd}b\u{fffd}c\u{fffd}d");
        check("\u{0}\u{7}\u{1b}[31m\u{9b}\u{7f}", "\u{2400}\u{2407}\u{241b}[31m\u{fffd}\u{2421}");
    }

    #[test]
    fn what_is_not_there_leaves_no_heading() {
        let check = |rows: &[Prediction], there: &[&str], absent: &[&str]| {
            let told = page(rows, &[], &[]);
            for heading in there {
                assert!(told.contains(&format!("<h2>{heading}</h2>")), "{heading} is missing");
            }
            for heading in absent {
                assert!(!told.contains(&format!("<h2>{heading}</h2>")), "{heading} is there");
            }
            assert!(!told.contains("NaN") && !told.contains("inf"), "{told}");
        };
        let absent = ["Out of scope", "Most often taken for each other"];
        check(&[row("a", "a", "a", 1.0)], &["Confidence", "Latency", "Routes"], &absent);
        check(&[], &["Confidence", "Latency"], &absent);
    }

    #[test]
    fn long_messages_are_cut_and_routes_without_rows_come_last() {
        let long = "é".repeat(MESSAGE_CHARS_MAX + 1);
        let told = page(&[row(&long, "worst", "ghost", 0.9), row("b", "best", "best", 0.9)], &[], &[]);
        assert!(told.contains(&format!("{}…</bdi>", "é".repeat(MESSAGE_CHARS_MAX))) && !told.contains(&long));
        let place = |name: &str| told.find(&format!("<th scope=\"row\"><bdi>{name}</bdi>")).unwrap();
        assert!(place("worst") < place("best") && place("best") < place("ghost"));
    }
}
