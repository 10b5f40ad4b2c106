//! How is a result shown to a person? The short form, the page as text, the page as HTML, and the figures as both.

mod paint;
mod marks;
mod page;
mod summary;
mod adjusted;
mod text;
mod html;
mod figures;
mod thresholds;
mod plot;
mod charts;
mod sheet;
mod evaluation;
mod context;
mod words;
pub mod selection;
mod outcomes;
mod tools;
mod args;
mod retrieval;
mod growth;

pub use adjusted::adjusted;
pub use args::{args, mentions};
pub use context::context_figures;
pub use evaluation::evaluation;
pub use figures::figures;
pub use growth::{Cost, growth, growth_svg};
pub use html::html;
pub use outcomes::outcome_figures;
pub use paint::{Paint, tame, tame_lines};
pub use retrieval::retrieval;
pub use summary::{Kept, summary};
pub use text::text;
pub use thresholds::thresholds;
pub use tools::{retrieval_figures, sources, tools};
