//! How does the cost of a search grow with what is searched, as a table and as a drawing?

use serde::Serialize;

use super::plot::{Axis, Frame, drawing};

/// Height of the drawing and of the frame in it, in units of the plot.
const HEIGHT: f64 = 320.0;
const FRAME_TOP: f64 = 28.0;
const FRAME_HEIGHT: f64 = 245.0;

/// What searching so many cost.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cost {
    /// What was searched: tools, vectors or passages.
    pub what: &'static str,
    /// How many.
    pub size: usize,
    /// Questions asked, one after the other on one thread.
    pub questions: usize,
    /// Half of the questions took less.
    pub p50_us: f64,
    /// Nine of ten took less.
    pub p90_us: f64,
    /// Ninety-nine of a hundred took less.
    pub p99_us: f64,
    /// How many a second were made ready to be searched, on all cores.
    pub ready_per_second: f64,
    /// Memory that opening and searching took, in MiB, where the system tells.
    pub memory_mib: Option<f64>,
    /// The share of the ten truly nearest vectors that was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recall_at_10: Option<f64>,
}

/// The table, as Markdown: it goes into documents as it is.
pub fn growth(costs: &[Cost]) -> String {
    let row = |cost: &Cost| {
        let memory = cost.memory_mib.map_or_else(String::new, |mib| format!("{mib:.0} MiB"));
        let recall = cost.recall_at_10.map_or_else(String::new, |recall| format!("{recall:.4}"));
        format!(
            "| {} | {} | {} / {} / {} | {recall} | {memory} | {:.0} |\n",
            cost.what,
            grouped(cost.size),
            time(cost.p50_us),
            time(cost.p90_us),
            time(cost.p99_us),
            cost.ready_per_second
        )
    };
    let head = "| what | how many | p50 / p90 / p99 | recall@10 | memory | made ready a second |\n|---|---|---|---|---|---|\n";
    head.to_owned() + &costs.iter().map(row).collect::<String>()
}

/// The median against the size, both by powers of ten: one drawing that needs nothing else.
pub fn growth_svg(costs: &[Cost]) -> String {
    let ends = |value: fn(&Cost) -> f64| {
        let exponents = || costs.iter().map(|cost| value(cost).max(1.0).log10());
        let (low, high) = (exponents().fold(f64::INFINITY, f64::min), exponents().fold(0.0, f64::max));
        [low.min(high).floor(), high.ceil().max(low.min(high).floor() + 1.0)]
    };
    #[allow(clippy::cast_precision_loss)] // so many there are not
    let (sizes, times) = (ends(|cost| cost.size as f64), ends(|cost| cost.p50_us));
    let frame = Frame {
        across: powers("how many are searched", sizes, |size| grouped(rounded(size))),
        up: powers("time of one search, p50", times, time),
        top: FRAME_TOP,
        height: FRAME_HEIGHT,
    };
    let mut parts = vec![frame.axes()];
    let mut told = Vec::new();
    for (what, class) in [("passages", "third"), ("tools", "second"), ("vectors", "first")] {
        #[allow(clippy::cast_precision_loss)]
        let at = |cost: &Cost| [(cost.size as f64).log10(), cost.p50_us.max(1.0).log10()];
        let own: Vec<&Cost> = costs.iter().filter(|cost| cost.what == what).collect();
        let points: Vec<[f64; 2]> = own.iter().map(|cost| at(cost)).collect();
        parts.push(frame.line(&points, class));
        for cost in &own {
            let tip = format!("{} {what}: {}", grouped(cost.size), time(cost.p50_us));
            parts.push(frame.dot(at(cost), class, &tip));
            told.push(tip);
        }
        // In the middle, where there is room to both sides.
        if let Some(cost) = own.get(own.len() / 2) {
            parts.push(frame.above(at(cost), "name", what));
        }
    }
    let described = format!("The median time of one search: {}.", told.join(", "));
    let drawn = drawing("growth", "Cost against size", &described, HEIGHT, &parts);
    drawn.replacen("<svg ", "<svg xmlns=\"http://www.w3.org/2000/svg\" ", 1).replacen(
        ">\n",
        &format!(">\n<style>{STYLE}</style>\n"),
        1,
    )
}

/// The look of a drawing that stands alone, on light and on dark paper.
const STYLE: &str = "
svg{--ink:#1a1f2b;--paper:#fff;--soft:#667085;--line:#e4e7ec;--first:#3b82f6;--second:#b45309;--third:#15803d;background:var(--paper)}
@media(prefers-color-scheme:dark){svg{--ink:#e5e7eb;--paper:#11151c;--soft:#98a2b3;--line:#2a3140;--first:#60a5fa;--second:#fbbf24;--third:#4ade80}}
text{font:12px system-ui,sans-serif;fill:var(--soft);stroke:var(--paper);stroke-width:3px;paint-order:stroke}
.name{fill:var(--ink)}path,polyline{fill:none}.grid{stroke:var(--line)}.axis{stroke:var(--soft)}
polyline{stroke-width:2.5;stroke-linejoin:round}circle{stroke:var(--paper)}
polyline.first{stroke:var(--first)}polyline.second{stroke:var(--second)}polyline.third{stroke:var(--third)}
circle.first{fill:var(--first)}circle.second{fill:var(--second)}circle.third{fill:var(--third)}
";

/// An axis of powers of ten.
fn powers(name: &'static str, range: [f64; 2], words: impl Fn(f64) -> String) -> Axis {
    let tick = |exponent: i32| (f64::from(exponent), words(10_f64.powi(exponent)));
    #[allow(clippy::cast_possible_truncation)] // exponents of counts and microseconds
    let exponents = range[0] as i32..=range[1] as i32;
    Axis { name, range, ticks: exponents.map(tick).collect() }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a power of ten that is a count
fn rounded(value: f64) -> usize {
    value.round() as usize
}

/// A count in groups of three digits.
fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A time in the unit that suits it.
fn time(us: f64) -> String {
    let told = match us {
        us if us < 1_000.0 => format!("{us:.0} µs"),
        us if us < 100_000.0 => format!("{:.1} ms", us / 1e3),
        us if us < 1_000_000.0 => format!("{:.0} ms", us / 1e3),
        us => format!("{:.1} s", us / 1e6),
    };
    told.replace(".0 ", " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(what: &'static str, size: usize, p50_us: f64) -> Cost {
        let (p90_us, p99_us) = (p50_us * 1.5, p50_us * 3.0);
        let recall_at_10 = (what == "vectors").then_some(0.99);
        Cost {
            what,
            size,
            questions: 9,
            p50_us,
            p90_us,
            p99_us,
            ready_per_second: 7.0,
            memory_mib: None,
            recall_at_10,
        }
    }

    #[test]
    fn costs_as_a_table_and_as_a_drawing() {
        let costs =
            [cost("vectors", 1_000, 20.0), cost("vectors", 1_000_000, 9_500.0), cost("tools", 1_000, 150.0)];
        let told = growth(&costs);
        assert!(
            told.contains("| vectors | 1,000,000 | 9.5 ms / 14.2 ms / 28.5 ms | 0.9900 |  | 7 |\n"),
            "{told}"
        );
        let drawn = growth_svg(&costs);
        assert!(
            drawn.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" ") && drawn.contains("<style>"),
            "{drawn}"
        );
        for words in ["1,000 vectors: 20 µs", ">10 ms</text>", ">1,000,000</text>", ">tools</text>"] {
            assert!(drawn.contains(words), "no {words} in {drawn}");
        }
        assert!(!growth_svg(&[]).contains("NaN"), "{}", growth_svg(&[]));
        assert!(!growth_svg(&costs[..1]).contains("NaN"));
    }
}
