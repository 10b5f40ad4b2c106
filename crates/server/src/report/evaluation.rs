//! What does an evaluation look like as one HTML file that needs nothing else?

use waypost::eval::{
    Bin, Comparison, Confusion, CoveragePoint, FitBin, OutOfScope, Report, RouteFigures, ScopePoint,
};

use super::charts;
use super::html::{self, document, escape, section};
use Column::{Bars, Figures, Words};

/// Longest part of a message that is shown, in characters: enough to see why it was misread. The whole of it is among
/// the predictions.
const MESSAGE_CHARS_MAX: usize = 300;

/// The whole page: the figures of an evaluation, what it was held against, and what was measured with what.
pub fn evaluation(report: &Report, compared: Option<&Comparison>, setting: &[(&str, String)]) -> String {
    let title = format!("Right on {} of {}", percent(report.accuracy), charts::count(report.rows));
    let body = [
        format!("<main>\n<h1>{title}</h1>"),
        facts("setting", setting),
        facts("figures", &headline(report)),
        section("Against the baseline", &compared.map(|to| comparison(report, to)).unwrap_or_default()),
        section("Confidence", &confidence(report)),
        section("Out of scope", &report.out_of_scope.as_ref().map(scope).unwrap_or_default()),
        section("Latency", &figure(&charts::latency(&report.latency), LATENCY, "")),
        section("Routes", &routes(&report.routes)),
        section("Most often taken for each other", &confusions(&report.confusions)),
        "</main>".to_owned(),
    ];
    document(&format!("Waypost evaluation: {title}"), &format!("{}{STYLE}", html::STYLE), &body.join("\n"))
}

/// What this page has beyond others. Paper is white, whatever the screen is.
const STYLE: &str = "
:root{color-scheme:light dark;--bad:#b91c1c}
@media(prefers-color-scheme:dark){:root{--bad:#f87171}}
body{max-width:64rem}h1{font-size:1.6rem}h2{font-size:1.1rem}
dl{display:grid;gap:.75rem;margin:1.5rem 0}dt{color:var(--soft);font-size:.85rem}dd{margin:0;overflow-wrap:anywhere}
.setting{display:flex;flex-wrap:wrap;gap:.25rem 2rem;margin:.75rem 0}
.setting dd{font-size:.9rem}
.figures{grid-template-columns:repeat(auto-fill,minmax(9.5rem,1fr))}
.figures div{border:1px solid var(--line);border-radius:.5rem;padding:.5rem .75rem}
.figures dd{font-size:1.25rem;font-weight:600;font-variant-numeric:tabular-nums}
.good{color:var(--good)}.bad{color:var(--bad)}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr));gap:1rem 3rem}
figure,.slim{max-width:31rem}figure{margin:1rem 0 0}figcaption{font-size:.9rem;margin-top:.5rem}
.plot{display:block;width:100%;height:auto}
.plot text{font:12px system-ui,sans-serif;font-variant-numeric:tabular-nums;fill:var(--soft);stroke:var(--paper);stroke-width:3px;paint-order:stroke}
.plot .name{fill:var(--ink)}
.plot text.count{font-size:10px}
.plot path,.plot polyline{fill:none}.plot .grid{stroke:var(--line)}.plot .axis{stroke:var(--soft)}
.plot .ideal{stroke:var(--soft);stroke-width:1.5;stroke-dasharray:5 4}
.plot .cut{stroke:var(--ink);stroke-width:1.5;stroke-dasharray:2 3}
.plot polyline.first{stroke:var(--bar);stroke-width:2.5;stroke-linejoin:round}
.plot rect,.plot circle{stroke:var(--paper)}
.plot rect.first,.plot circle.first{fill:var(--bar)}.plot .second{fill:var(--doubt)}.plot rect.soft{fill:var(--for);stroke:var(--bar)}
.key{display:inline-block;width:.75em;height:.75em;margin-right:.15em;background:var(--bar)}
.key.soft{background:var(--for)}.key.second{background:var(--doubt)}.key.dot{border-radius:50%}
.key.line{height:0;width:1.2em;vertical-align:middle;background:none;border-top:3px solid var(--bar)}
.key.ideal{border-top:2px dashed var(--soft)}.key.cut{border-top:2px dotted var(--ink)}
details{margin-top:.5rem;font-size:.9rem}summary{cursor:pointer;color:var(--soft)}
caption{text-align:left;color:var(--soft);font-size:.9rem;padding:.25rem 0}
th{padding:.25rem .5rem;text-align:left;vertical-align:top;font-weight:400}
thead th{color:var(--soft);font-size:.85rem;vertical-align:bottom;border-bottom:1px solid var(--line)}
tbody th{overflow-wrap:anywhere}td{vertical-align:top}
th.n,td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
td .bar{margin-top:.35rem;min-width:6rem}.pair th,.pair th+td{font-weight:600}.pair tr+tr td{padding-top:0}
.pair li+li{margin-top:.35rem}.pair li{white-space:pre-wrap;overflow-wrap:anywhere;color:var(--soft)}
@media(max-width:40rem){.wide{display:none}table{font-size:.9rem}th,td{padding:.25rem .2rem}.pair ul{padding-left:.6rem}}
@media print{:root{color-scheme:light;--ink:#1a1f2b;--paper:#fff;--soft:#667085;--line:#e4e7ec;--bar:#3b82f6;--for:#bfdbfe;--aside:#e5e7eb;--good:#15803d;--doubt:#b45309;--bad:#b91c1c}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}html{font-size:12px}body{max-width:none;margin:0;font-size:1rem}
figure,tr,.pair,.figures div{break-inside:avoid}h2{break-after:avoid}details{display:none}
.plots{grid-template-columns:1fr 1fr}}
";

const RELIABILITY: &str = "<b>Reliability.</b> <i class=\"key soft\"></i> the share of rows that is right in each bin of \
    confidence, <i class=\"key dot\"></i> at the bin’s mean confidence; <i class=\"key line ideal\"></i> where both are \
    equal. A dot below that line: surer than right. Below, the rows in each bin.";
const RISK: &str = "<b>Risk and coverage.</b> <i class=\"key line\"></i> the share that is wrong when only the surest rows \
    are answered; <i class=\"key second dot\"></i> the rows acted on.";
const FITS: &str = "<b>How far messages fit.</b> <i class=\"key\"></i> rows that belong to a route, \
    <i class=\"key second\"></i> rows that belong nowhere; <i class=\"key line cut\"></i> the cut that keeps 95 % of those \
    that belong.";
const LATENCY: &str =
    "<b>Latency.</b> Half, nine in ten, and ninety-nine in a hundred decisions took no longer.";

/// Names and what they are.
fn facts<N: AsRef<str>>(class: &str, facts: &[(N, String)]) -> String {
    let fact = |(name, value): &(N, String)| {
        format!("<div><dt>{}</dt><dd>{}</dd></div>\n", escape(name.as_ref()), shown(value))
    };
    format!("<dl class=\"{class}\">\n{}</dl>", facts.iter().map(fact).collect::<String>())
}

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
    let bin = |bin: &Bin| {
        let [low, high] = bin.range;
        let confidence = format!("{:.3}", bin.confidence);
        vec![format!("{low:.2} to {high:.2}"), bin.rows.to_string(), confidence, percent(bin.accuracy)]
    };
    let bins: Vec<Vec<String>> = report.reliability.iter().map(bin).collect();
    let bins = table(
        "The bins that hold rows.",
        &[Words("confidence"), Figures("rows"), Figures("mean"), Figures("right")],
        &bins,
    );
    let point = |point: &CoveragePoint| vec![percent(point.coverage), percent(point.risk)];
    let points: Vec<Vec<String>> = report.risk_coverage.iter().map(point).collect();
    let points = table("Surest rows first.", &[Words("answered"), Figures("wrong")], &points);
    let reliability =
        figure(&charts::reliability(report), &format!("{RELIABILITY} ECE {:.4}.", report.ece), &bins);
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

fn plots(figures: &[String]) -> String {
    format!("<div class=\"plots\">\n{}</div>", figures.concat())
}

/// A plot, what it says, and its figures for those who want them as such.
fn figure(drawing: &str, told: &str, figures: &str) -> String {
    let figures = match figures {
        "" => String::new(),
        table => format!("<details><summary>The same as a table</summary>\n{table}</details>\n"),
    };
    format!("<figure>\n{drawing}<figcaption>{told}</figcaption>\n{figures}</figure>\n")
}

/// A column of a table, by what stands in it.
enum Column {
    /// Words under a heading.
    Words(&'static str),
    /// Numbers under a heading: their digits stand below each other.
    Figures(&'static str),
    /// Bars, which repeat a number and are left out where there is no room.
    Bars,
}

impl Column {
    fn heading(&self) -> String {
        match self {
            Column::Words(name) => format!("<th scope=\"col\">{name}</th>"),
            Column::Figures(name) => format!("<th scope=\"col\" class=\"n\">{name}</th>"),
            Column::Bars => "<td class=\"wide\"></td>".to_owned(),
        }
    }

    fn cell(&self, cell: &str) -> String {
        match self {
            Column::Words(_) => format!("<th scope=\"row\">{cell}</th>"),
            Column::Figures(_) => format!("<td class=\"n\">{cell}</td>"),
            Column::Bars => format!("<td class=\"wide\" aria-hidden=\"true\">{cell}</td>"),
        }
    }
}

/// A table of cells that are escaped already; words name their row.
fn table(caption: &str, columns: &[Column], rows: &[Vec<String>]) -> String {
    let row = |cells: &Vec<String>| {
        let cells: String = columns.iter().zip(cells).map(|(column, cell)| column.cell(cell)).collect();
        format!("<tr>{cells}</tr>\n")
    };
    format!(
        "<table>\n<caption>{caption}</caption>\n<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody>\n</table>\n",
        columns.iter().map(Column::heading).collect::<String>(),
        rows.iter().map(row).collect::<String>()
    )
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

/// Text from outside: escaped, cut where it is long, and running its own way without turning its surroundings.
fn shown(text: &str) -> String {
    let short: String = text.chars().take(MESSAGE_CHARS_MAX).collect();
    let more = if text.chars().nth(MESSAGE_CHARS_MAX).is_some() { "…" } else { "" };
    format!("<bdi>{}{more}</bdi>", escape(&short))
}

fn percent(share: f64) -> String {
    format!("{:.2} %", share * 100.0)
}

#[cfg(test)]
mod tests {
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
