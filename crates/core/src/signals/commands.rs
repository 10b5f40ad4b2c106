//! Was a route ordered?

use super::{Look, MatchedBy, Signal, Signals, Worth};
use crate::catalog::nearest;
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
            let near = nearest(&command.name, look.catalog.commands()).map(str::to_owned);
            signals.unknown_command = Some(UnknownCommand { given: command.name.clone(), nearest: near });
        }
    }
}
