//! How well kinds of request are told apart, as text.

use std::fmt::Write as _;

use waypost::eval::{ContextReport, LayerFigures};

/// Labels taken for another that are shown of each layer.
const CONFUSED_SHOWN: usize = 3;

/// The figures of every layer, and what was confused most.
pub fn context_figures(figures: &ContextReport) -> String {
    let mut shown = format!("{} messages\n\n", figures.messages);
    for layer in figures.layers.iter().chain(&figures.routes) {
        shown += &line(layer);
    }
    if let Some(entities) = &figures.entities {
        let _ = writeln!(
            shown,
            "  {:<12} F1 {:.1} %  precision {:.1} %, recall {:.1} % of {}",
            "entities",
            entities.f1 * 100.0,
            entities.precision * 100.0,
            entities.recall * 100.0,
            entities.wanted
        );
    }
    shown
}

fn line(layer: &LayerFigures) -> String {
    let confused = layer.confused.iter().take(CONFUSED_SHOWN);
    let confused: Vec<String> =
        confused.map(|pair| format!("{} for {} {}×", pair.given, pair.label, pair.count)).collect();
    let (name, accuracy, right, messages) =
        (&layer.name, layer.accuracy * 100.0, layer.right, layer.messages);
    format!("  {name:<12} {accuracy:>5.1} %  {right} of {messages}  {}\n", confused.join(", "))
}
