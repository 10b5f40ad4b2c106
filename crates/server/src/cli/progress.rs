//! How is long work shown? A bar on standard error, on a terminal only.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How often a spinner turns: smoothly, and too rarely to cost anything.
const TURN: Duration = Duration::from_millis(100);

/// A spinner that turns by itself while something is waited for.
pub fn waiting(what: &str) -> ProgressBar {
    let spinner = bar(None, what);
    spinner.enable_steady_tick(TURN);
    spinner
}

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
