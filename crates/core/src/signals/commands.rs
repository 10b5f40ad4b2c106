//! Was a route ordered?

use super::{Look, MatchedBy, Signal, Signals, Worth};
use crate::catalog::nearest;
use crate::limits::COMMAND_CHARS_MAX;
use crate::signals::Force;

/// A command the catalog does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownCommand {
    /// As it was given, without its slash.
    pub given: String,
    /// The known one most like it.
    pub nearest: Option<String>,
}

/// Notices the command a message starts with.
pub(super) fn notice<'c>(look: &Look<'_, 'c>, signals: &mut Signals<'c>) {
    let Some(command) = look.reading.command() else { return };
    match look.catalog.command(&command.name) {
        Some(route) => signals.found.push(Signal {
            route,
            kind: MatchedBy::Command,
            worth: Worth::Force(Force::Command),
            what: "command",
            span: look.reading.original(command.span),
            beside: None,
            denied: None,
        }),
        None => {
            let given = command.name.chars().take(COMMAND_CHARS_MAX).collect();
            let meant = nearest(&command.name, look.catalog.commands())
                .or_else(|| command_of_named(look, &command.name));
            signals.unknown_command = Some(UnknownCommand { given, nearest: meant.map(str::to_owned) });
        }
    }
}

/// The command of the route whose name was given for a command: `/surgical` means `/biomapper-surgical`.
fn command_of_named<'c>(look: &Look<'_, 'c>, given: &str) -> Option<&'c str> {
    let named = look.catalog.routes().find(|(_, route)| route.name.eq_ignore_ascii_case(given));
    named.and_then(|(_, route)| route.commands.first()).map(String::as_str)
}
