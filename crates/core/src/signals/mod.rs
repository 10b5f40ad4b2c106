//! **What did we notice?** One file a kind of signal; each looks at the same reading and adds what it finds.
//!
//! To add a kind: describe its data in `catalog`, write its detector here, and call it from [`notice`].

mod signal;
mod scan;
mod commands;
mod names;
mod patterns;
mod proceed;
mod targets;
mod keywords;
mod examples;
mod learned;
mod vague;

pub use commands::UnknownCommand;
pub(crate) use learned::speak_up;
pub use learned::{Aside, Belief, Depth, Grounds, Meaning, Tier, confidence};
pub use signal::{Force, MatchedBy, Signal, Worth};
pub use targets::{Named, Target};

use scan::Scan;

use crate::catalog::{Catalog, RouteId, Use};
use crate::measure::Confidence;
use crate::message::{Reading, Situation, Span};
use crate::preflight;
use crate::preflight::flags::{self, Conflict};

/// Everything noticed about one message.
#[derive(Clone, Debug, Default)]
pub struct Signals<'c> {
    /// What bears on a route, grouped by route.
    pub found: Vec<Signal<'c>>,
    /// What routes would work on.
    pub targets: Vec<Target>,
    /// Words of trouble.
    pub trouble: Vec<Trouble>,
    /// Whether the message names nothing, and the catalog wants to ask about it then.
    pub vague: bool,
    /// How likely the message belongs to any route, by what was learned; unknown where nothing was.
    pub fits: Option<Confidence>,
    /// A second request, by what was learned.
    pub also: Option<Aside>,
    /// What the message does not want, by what was learned.
    pub denied: Option<Aside>,
    /// The earlier turn that the message continues, counted from the first.
    pub continues: Option<usize>,
    /// What had the last word on what was learned; nothing where nothing was asked.
    pub read_by: Option<Depth>,
    /// Whether the message is decided in safe mode.
    pub safe_mode: bool,
    /// Two flags of the message that exclude each other.
    pub conflict: Option<Conflict>,
    /// A command the catalog does not know.
    pub unknown_command: Option<UnknownCommand>,
    /// Negations that a pattern of a route has expressed; spans are of the folded text.
    spent: Vec<(RouteId, Span)>,
}

/// A word that says something is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// Where it stands in the message as written.
    pub span: Span,
    /// The negation that denies it.
    pub denied: Option<Span>,
}

/// What every detector looks at.
struct Look<'l, 'c> {
    catalog: &'c Catalog,
    situation: &'l Situation,
    reading: &'l Reading,
    scan: &'l Scan,
}

/// Notices everything the catalog asks to look out for. What a head makes of the message is added by
/// [`Signals::hear`].
pub fn notice<'c>(catalog: &'c Catalog, situation: &Situation, reading: &Reading) -> Signals<'c> {
    let scan = scan::scan(catalog, reading);
    let look = Look { catalog, situation, reading, scan: &scan };
    let mut signals = Signals { trouble: trouble(&look), ..Signals::default() };
    signals.conflict = flags::given(reading, &catalog.precautions().flags).settle().err();
    signals.safe_mode = preflight::in_safe_mode(catalog.precautions(), situation, reading);
    commands::notice(&look, &mut signals);
    names::notice(&look, &mut signals);
    patterns::notice(&look, &mut signals);
    proceed::notice(&look, &mut signals);
    targets::notice(&look, &mut signals);
    keywords::notice(&look, &mut signals);
    examples::notice(&look, &mut signals);
    targets::complete(&look, &mut signals);
    for trouble in &mut signals.trouble {
        trouble.span = reading.original(trouble.span);
        trouble.denied = trouble.denied.map(|cue| reading.original(cue));
    }
    signals.found.sort_by_key(|signal| signal.route);
    signals.vague = signals.found.is_empty() && vague::is_vague(&look);
    signals
}

/// Words of trouble, in the folded text.
fn trouble(look: &Look<'_, '_>) -> Vec<Trouble> {
    let hits = look.scan.hits.iter().filter(|hit| hit.used == Use::Trouble);
    hits.map(|hit| Trouble { span: hit.span, denied: hit.denied }).collect()
}

impl Signals<'_> {
    /// Whether the message says, and does not deny, that something is wrong.
    pub fn is_troubled(&self) -> bool {
        self.trouble.iter().any(|trouble| trouble.denied.is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Source;
    use crate::message::Message;

    const CATALOG: &str = r"
names: force
trouble: [broken, wrong]
registries: {parts: [PUMP_A, PUMP_AB]}
routes:
  - name: alpha
    description: A
    aliases: [first one]
    commands: [go-alpha]
    patterns: ['not.*flow', 'pump.*leak', 支付]
    keywords: [pump, [valve, valves]]
    examples: [check the gauge]
    not_examples: [{text: check the gauges, reason: one at a time}]
    target: {find: [{registry: parts}, {words: {tank: TANK}}], looks_like: '[A-Z]+_[A-Z]+'}
";

    /// What is noticed, one word a signal: how, about what, `!` where it is denied; then targets and trouble.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let catalog = Catalog::read(&[Source::new("test.yaml", CATALOG)], "test").catalog.unwrap();
        let situation = Situation { message: Message::from(text), ..Situation::default() };
        let reading = Reading::new(text);
        let signals = notice(&catalog, &situation, &reading);
        let shown = signals.found.iter().map(|signal| {
            let denied = if signal.denied.is_some() { "!" } else { "" };
            format!("{denied}{}:{}", signal.kind.name(), signal.span.of(text))
        });
        let targets = signals.targets.iter().map(|target| format!("{:?}", target.named));
        let trouble = signals.trouble.iter().map(|t| format!("trouble:{}", t.span.of(text)));
        let unknown = signals.unknown_command.iter().map(|u| format!("unknown:{} {:?}", u.given, u.nearest));
        let seen: Vec<String> = shown.chain(targets).chain(trouble).chain(unknown).collect();
        assert_eq!(seen.join(" | "), expected, "{text}");
    }

    #[test]
    fn each_kind_is_noticed_where_it_stands() {
        check("Alpha, please", "name:Alpha");
        check("the First One", "name:First One");
        check("/go-alpha", "command:/go-alpha");
        check("/go-alpa x", "unknown:go-alpa Some(\"go-alpha\")");
        check("/alpha", "unknown:alpha Some(\"go-alpha\")");
        check("it does not flow", "pattern:not flow");
        check("我要支付账单", "pattern:支付");
        check("Check the gauge!", "exact:Check the gauge!");
        check("check the gauges", "exact:check the gauges");
        check("valve and valves", "keyword:valve");
        check("alphabet pumps prefix", "");
    }

    #[test]
    fn what_is_denied_is_shown_and_marked() {
        check("not alpha", "!name:alpha");
        check("not alpha, but alpha", "name:alpha");
        check("no pump leaks", "!pattern:pump leaks | !keyword:pump");
        check("no pump leaked, now a pump leaks", "pattern:pump leaks | keyword:pump");
        check("no pump does not flow", "!pattern:not flow | !keyword:pump");
    }

    #[test]
    fn targets_are_found_by_each_way() {
        check("PUMP_AB is wrong", "pattern:PUMP_AB | Resolved(\"PUMP_AB\") | trouble:wrong");
        check("pump_a and the valve", "pattern:pump_a | keyword:valve | Resolved(\"PUMP_A\")");
        check("the tank and the valve", "keyword:valve | Resolved(\"TANK\")");
        check("the tank is broken", "pattern:tank | Resolved(\"TANK\") | trouble:broken");
        check("alpha on NO_SUCH", "name:alpha | Unresolved(\"NO_SUCH\")");
        check("/go-alpha NOTHING", "command:/go-alpha | Unresolved(\"NOTHING\")");
        check("/go-alpha:pump_a", "command:/go-alpha:pump_a | Resolved(\"PUMP_A\")");
        check("/go-alpha look at it", "command:/go-alpha");
    }
}
