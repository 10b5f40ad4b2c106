//! How is an answer shown to a person? The short form, the page as text, and the page as HTML.

mod paint;
mod marks;
mod page;
mod summary;
mod text;
mod html;
mod figures;

pub use figures::figures;
pub use html::html;
pub use paint::{Paint, tame_lines};
pub use summary::summary;
pub use text::text;
