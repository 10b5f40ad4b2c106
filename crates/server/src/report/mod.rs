//! How is a result shown to a person? The short form, the page as text, the page as HTML, and the figures as both.

mod paint;
mod marks;
mod page;
mod summary;
mod text;
mod html;
mod figures;
mod thresholds;
mod plot;
mod charts;
mod evaluation;

pub use evaluation::evaluation;
pub use figures::figures;
pub use html::html;
pub use paint::{Paint, tame_lines};
pub use summary::summary;
pub use text::text;
pub use thresholds::thresholds;
