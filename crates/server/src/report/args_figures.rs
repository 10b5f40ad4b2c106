//! How well arguments are filled, in a terminal and as a page.

use std::fmt::Write;

use waypost::core::arguments::Outcome;
use waypost::eval::{ArgsPrediction, ArgsReport, KindFigures, OutcomeCount, SlotJudged};

use super::charts;
use super::html::section;
use super::sheet::Column::{Figures, Words};
use super::sheet::{facts, figure, percent, sheet, shown, table};
use super::{Paint, tame};

/// Slots listed in a terminal: those that went worst.
const SLOTS_TOLD: usize = 15;
/// Rows listed in a terminal beside the wrong runs.
const MISSED_TOLD: usize = 10;

const LATENCY: &str = "<b>Latency.</b> Half, nine in ten, and ninety-nine in a hundred rows took no longer.";

/// The figures as text.
pub fn args_figures(figures: &ArgsReport, paint: Paint) -> String {
    let mut page = String::new();
    for (name, value) in headline(figures) {
        let _ = writeln!(page, "  {name:<32} {value}");
    }
    kinds(&mut page, "By kind (wanted, found, precision, recall)", &figures.kinds, paint);
    let mut worst: Vec<KindFigures> =
        figures.slots.iter().filter(|slot| slot.recall < 1.0).cloned().collect();
    worst.sort_by(|a, b| a.recall.total_cmp(&b.recall).then(b.wanted.cmp(&a.wanted)));
    worst.retain(|slot| slot.wanted > 0);
    worst.truncate(SLOTS_TOLD);
    kinds(&mut page, "Slots found worst (wanted, found, precision, recall)", &worst, paint);
    if !figures.outcomes.is_empty() {
        let _ = writeln!(page, "\n{}", paint.strong("Outcomes (wanted, followed, rows)"));
        for OutcomeCount { wanted, found, rows } in &figures.outcomes {
            let _ = writeln!(page, "  {:<9} {:<9} {rows:>6}", outcome(*wanted), outcome(*found));
        }
    }
    listed(&mut page, "Wrong runs", &figures.wrong, paint);
    let some = figures.missed.get(..MISSED_TOLD.min(figures.missed.len())).unwrap_or_default();
    listed(&mut page, "Some of what was asked about or missed", some, paint);
    page
}

fn headline(figures: &ArgsReport) -> Vec<(&'static str, String)> {
    let of = |part: usize, whole: usize| format!("{part} of {whole}");
    let mut lines = vec![
        ("rows", figures.rows.to_string()),
        ("wholly right", format!("{} ({})", percent(figures.exact), figures.right)),
        ("asked about", percent(figures.clarified)),
        ("wrong runs", format!("{} ({})", percent(figures.wrong_run_share), figures.wrong_runs)),
        (
            "values, precision / recall",
            format!("{} / {}", percent(figures.precision), percent(figures.recall)),
        ),
    ];
    if figures.ran > 0 {
        lines.push(("run, and then right", of(figures.ran_right, figures.ran)));
    }
    if figures.tools_right < figures.tools {
        lines.push(("right tool", of(figures.tools_right, figures.tools)));
    }
    if figures.to_ask > 0 {
        lines.push(("rightly not run", of(figures.to_ask_right, figures.to_ask)));
    }
    let latency = &figures.latency;
    lines.push((
        "p50 / p90 / p99",
        format!("{:.1} / {:.1} / {:.1} µs", latency.p50_us, latency.p90_us, latency.p99_us),
    ));
    lines
}

fn kinds(page: &mut String, title: &str, kinds: &[KindFigures], paint: Paint) {
    if kinds.is_empty() {
        return;
    }
    let _ = writeln!(page, "\n{}", paint.strong(title));
    for kind in kinds {
        let KindFigures { name, wanted, right, precision, recall, .. } = kind;
        let shares = format!("{:>9} {:>9}", percent(*precision), percent(*recall));
        let _ = writeln!(page, "  {:<40} {wanted:>6} {right:>6} {shares}", tame(name));
    }
}

fn listed(page: &mut String, title: &str, rows: &[ArgsPrediction], paint: Paint) {
    if rows.is_empty() {
        return;
    }
    let _ = writeln!(page, "\n{}", paint.strong(title));
    for row in rows {
        let _ = writeln!(page, "  {}", tame(&row.text));
        if row.tool != row.answered {
            let name = |tool: &Option<String>| tool.as_deref().map_or_else(|| "none".to_owned(), tame);
            let _ = writeln!(page, "      tool: {}, not {}", name(&row.answered), name(&row.tool));
        }
        for slot in row.slots.iter().filter(|slot| !slot.right) {
            let told = format!("{}: {} ({:.2})", slot.slot, difference(slot), slot.confidence);
            let _ = writeln!(page, "      {}", paint.faint(&tame(&told)));
        }
        if let Some((wanted, found)) = row.wanted.zip(row.outcome).filter(|(wanted, found)| wanted != found) {
            let told = format!("{}, not {}", outcome(found), outcome(wanted));
            let _ = writeln!(page, "      {}", paint.faint(&told));
        }
    }
}

/// What was taken, and what would have been right.
fn difference(slot: &SlotJudged) -> String {
    let found = slot.found.as_ref().map_or_else(|| "nothing".to_owned(), ToString::to_string);
    let right: Vec<String> = slot.accepted.iter().take(3).map(ToString::to_string).collect();
    if right.is_empty() {
        format!("{found}, which nobody said")
    } else {
        format!("{found}, not {}", right.join(" or "))
    }
}

fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Run => "run",
        Outcome::Clarify => "clarify",
        Outcome::Rephrase => "rephrase",
    }
}

/// The figures as a page: what went wrong, row by row, and what was measured with what.
pub fn args_page(figures: &ArgsReport, setting: &[(&str, String)]) -> String {
    let title =
        format!("Arguments: {} wholly right of {}", percent(figures.exact), charts::count(figures.rows));
    let body = [
        facts("setting", setting),
        facts("figures", &headline(figures)),
        section("Kinds of values", &kinds_table(&figures.kinds)),
        section("Slots", &kinds_table(&figures.slots)),
        section("Outcomes", &outcomes_table(&figures.outcomes)),
        section("Latency", &figure(&charts::latency(&figures.latency, "a row"), LATENCY, "")),
        section("Wrong runs", &rows_table(&figures.wrong)),
        section("Asked about or missed", &rows_table(&figures.missed)),
    ];
    sheet(&title, &body)
}

fn kinds_table(kinds: &[KindFigures]) -> String {
    let row = |kind: &KindFigures| {
        let counts =
            [kind.wanted, kind.right, kind.wrong, kind.extra, kind.wrong_sure].map(|n| n.to_string());
        let mut cells = vec![shown(&kind.name)];
        cells.extend(counts);
        cells.extend([percent(kind.precision), percent(kind.recall)]);
        cells
    };
    let columns = [
        Words("what"),
        Figures("wanted"),
        Figures("found"),
        Figures("another"),
        Figures("nobody said"),
        Figures("wrong and sure"),
        Figures("precision"),
        Figures("recall"),
    ];
    let rows: Vec<Vec<String>> = kinds.iter().map(row).collect();
    if rows.is_empty() { String::new() } else { table("Values wanted and taken.", &columns, &rows) }
}

fn outcomes_table(outcomes: &[OutcomeCount]) -> String {
    let row = |count: &OutcomeCount| {
        vec![outcome(count.wanted).to_owned(), outcome(count.found).to_owned(), count.rows.to_string()]
    };
    let rows: Vec<Vec<String>> = outcomes.iter().map(row).collect();
    if rows.is_empty() {
        return String::new();
    }
    table("Gates aside.", &[Words("wanted"), Words("followed"), Figures("rows")], &rows)
}

fn rows_table(predictions: &[ArgsPrediction]) -> String {
    let row = |row: &ArgsPrediction| {
        let wrong = row.slots.iter().filter(|slot| !slot.right);
        let told =
            wrong.map(|slot| shown(&format!("{}: {}", slot.slot, difference(slot)))).collect::<Vec<_>>();
        let tool = row.answered.as_deref().map(shown).unwrap_or_default();
        vec![shown(&row.text), tool, told.join("<br>"), format!("{:.2}", row.confidence)]
    };
    let rows: Vec<Vec<String>> = predictions.iter().map(row).collect();
    if rows.is_empty() {
        return String::new();
    }
    let columns = [Words("message"), Words("tool"), Words("what was taken"), Figures("sure")];
    table("What was taken, and what is right.", &columns, &rows)
}
