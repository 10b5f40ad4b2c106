//! How is long work shown? A bar on standard error, on a terminal only.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar over so many units, or a spinner where nobody knows how many there are.
pub fn bar(length: Option<u64>, what: &str) -> ProgressBar {
    let (bar, template) = match length {
        Some(length) => (ProgressBar::new(length), "{wide_bar} {percent}% {msg} {eta} left"),
        None => (ProgressBar::new_spinner(), "{spinner} {msg} in {elapsed}"),
    };
    let shown = std::io::stderr().is_terminal();
    bar.set_draw_target(if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() });
    bar.set_message(what.to_owned());
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
