//! What do pages of figures have in common? Their look, facts, plots with what they say, and tables.

use waypost::eval::Bin;

use super::charts;
use super::html::{self, document, escape};
use Column::{Figures, Words};

/// Longest part of a message that is shown, in characters: enough to see why it was misread. The whole of it is among
/// the predictions.
pub(super) const MESSAGE_CHARS_MAX: usize = 300;

/// A whole page under its title, which is no text from outside.
pub(super) fn sheet(title: &str, body: &[String]) -> String {
    let body = format!("<main>\n<h1>{title}</h1>\n{}\n</main>", body.join("\n"));
    document(&format!("Waypost evaluation: {title}"), &format!("{}{STYLE}", html::STYLE), &body)
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
/// Names and what they are.
pub(super) fn facts<N: AsRef<str>>(class: &str, facts: &[(N, String)]) -> String {
    let fact = |(name, value): &(N, String)| {
        format!("<div><dt>{}</dt><dd>{}</dd></div>\n", escape(name.as_ref()), shown(value))
    };
    format!("<dl class=\"{class}\">\n{}</dl>", facts.iter().map(fact).collect::<String>())
}

/// Confidence held against what was right.
pub(super) fn reliability(bins: &[Bin], ece: f64) -> String {
    let bin = |bin: &Bin| {
        let [low, high] = bin.range;
        let confidence = format!("{:.3}", bin.confidence);
        vec![format!("{low:.2} to {high:.2}"), bin.rows.to_string(), confidence, percent(bin.accuracy)]
    };
    let rows: Vec<Vec<String>> = bins.iter().map(bin).collect();
    let rows = table(
        "The bins that hold rows.",
        &[Words("confidence"), Figures("rows"), Figures("mean"), Figures("right")],
        &rows,
    );
    figure(&charts::reliability(bins, ece), &format!("{RELIABILITY} ECE {ece:.4}."), &rows)
}

/// Plots beside each other, where there is room.
pub(super) fn plots(figures: &[String]) -> String {
    format!("<div class=\"plots\">\n{}</div>", figures.concat())
}

/// A plot, what it says, and its figures for those who want them as such.
pub(super) fn figure(drawing: &str, told: &str, figures: &str) -> String {
    let figures = match figures {
        "" => String::new(),
        table => format!("<details><summary>The same as a table</summary>\n{table}</details>\n"),
    };
    format!("<figure>\n{drawing}<figcaption>{told}</figcaption>\n{figures}</figure>\n")
}

/// A column of a table, by what stands in it.
pub(super) enum Column {
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
pub(super) fn table(caption: &str, columns: &[Column], rows: &[Vec<String>]) -> String {
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

/// Text from outside: escaped, cut where it is long, and running its own way without turning its surroundings.
pub(super) fn shown(text: &str) -> String {
    let short: String = text.chars().take(MESSAGE_CHARS_MAX).collect();
    let more = if text.chars().nth(MESSAGE_CHARS_MAX).is_some() { "…" } else { "" };
    format!("<bdi>{}{more}</bdi>", escape(&short))
}

/// A share in per cent.
pub(super) fn percent(share: f64) -> String {
    format!("{:.2} %", share * 100.0)
}
