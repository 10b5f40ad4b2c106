//! **What did we notice?** One file a kind of signal; each looks at the same reading and adds what it finds.
//!
//! To add a kind: describe its data in `catalog`, write its detector here, and call it from [`notice`].

mod signal;
mod scan;
mod commands;
mod names;
mod patterns;
mod targets;
mod keywords;
mod examples;

pub use commands::UnknownCommand;
pub use signal::{Force, MatchedBy, Signal, Worth};
pub use targets::{Named, Target};

use scan::Scan;

use crate::catalog::{Catalog, RouteId, Use};
use crate::message::{Reading, Situation, Span};

/// Everything noticed about one message.
#[derive(Clone, Debug, Default)]
pub struct Signals<'c> {
    /// What bears on a route, grouped by route.
    pub found: Vec<Signal<'c>>,
    /// What routes would work on.
    pub targets: Vec<Target>,
    /// Words of trouble that are not denied, in the message as written.
    pub trouble: Vec<Span>,
    /// A command the catalog does not know.
    pub unknown_command: Option<UnknownCommand>,
    /// Negations that a pattern of a route has expressed; spans are of the folded text.
    spent: Vec<(RouteId, Span)>,
}

/// What every detector looks at.
struct Look<'l, 'c> {
    catalog: &'c Catalog,
    situation: &'l Situation,
    reading: &'l Reading,
    scan: &'l Scan,
}

/// Notices everything the catalog asks to look out for.
pub fn notice<'c>(catalog: &'c Catalog, situation: &Situation, reading: &Reading) -> Signals<'c> {
    let scan = scan::scan(catalog, reading);
    let look = Look { catalog, situation, reading, scan: &scan };
    let mut signals = Signals { trouble: trouble(&look), ..Signals::default() };
    commands::notice(&look, &mut signals);
    names::notice(&look, &mut signals);
    patterns::notice(&look, &mut signals);
    targets::notice(&look, &mut signals);
    keywords::notice(&look, &mut signals);
    examples::notice(&look, &mut signals);
    targets::complete(&look, &mut signals);
    signals.trouble.iter_mut().for_each(|span| *span = reading.original(*span));
    signals.found.sort_by_key(|signal| signal.route);
    signals
}

/// Words of trouble that are not denied, in the folded text.
fn trouble(look: &Look<'_, '_>) -> Vec<Span> {
    let hits = look.scan.hits.iter().filter(|hit| hit.used == Use::Trouble);
    hits.map(|hit| hit.span).filter(|span| look.reading.denied(*span).is_none()).collect()
}
