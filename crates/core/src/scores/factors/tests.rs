//! Does every factor give the points of the detection document, and nothing beyond them?

use proptest::prelude::*;

use super::*;
use crate::catalog::Source;
use crate::context::{Answered, Complexity};
use crate::message::{Message, Reading, Situation};
use crate::signals;

const CATALOG: &str = r"
names: force
scoring: factors
routes_layer: specialist
fallback: universal
thresholds: {base: 0.7, high: 0.85}
context:
  layers:
    - {name: area, labels: [{name: frontend}, {name: backend}, {name: documentation}]}
    - {name: domain, labels: [{name: code}, {name: legal}]}
    - {name: operation, labels: [{name: creation}, {name: analysis}]}
    - name: complexity
      labels: [{name: simple, score: 0, below: 0.3}, {name: moderate, score: 0.5, up_to: 0.7}, {name: complex, score: 1}]
    - {name: specialist, labels: [{name: painter}, {name: plumber}, {name: universal}]}
routes:
  - name: painter
    description: Paints.
    commands: [paint]
    keywords: [css, html]
    patterns: [button]
    not_examples: [{text: not a css button, reason: it says so}]
    areas: [frontend]
    related: [backend]
    domains: [legal]
    operations: [creation]
    complexity: [simple]
    tools: [brush, paint, ladder, lamp]
    servers: [magic]
  - name: plumber
    description: Plumbs.
    keywords: [api]
    areas: [backend]
  - name: universal
    description: Takes what nobody else does.
    commands: [anybody]
";

fn catalog() -> Catalog {
    let read = Catalog::read(&[Source::new("test.yaml", CATALOG)], "test");
    assert!(read.problems.is_empty(), "{:?}", read.problems);
    read.catalog.unwrap()
}

/// What a message was taken for: the places of its labels, and how like each route's own it is, in hundredths.
#[derive(Clone, Copy, Debug, Default)]
struct Kind {
    area: Option<(usize, Settled)>,
    domain: Option<usize>,
    operation: Option<usize>,
    band: Option<usize>,
    like: [i32; 3],
}

impl Kind {
    fn context(self) -> Context {
        let answered = |label: Option<usize>, by: Settled| Answered { label, by, ..Answered::default() };
        let likes = self.like.into_iter().enumerate().filter(|(_, share)| *share > 0);
        let specialist = Answered {
            scores: likes.map(|(at, share)| (at, Confidence::new(Points::hundredths(share)))).collect(),
            ..answered(None, Settled::Learned)
        };
        let (area, by) = self.area.map_or((None, Settled::Nothing), |(area, by)| (Some(area), by));
        Context {
            layers: vec![
                answered(area, by),
                answered(self.domain, Settled::Learned),
                answered(self.operation, Settled::Learned),
                answered(self.band, Settled::Learned),
                specialist,
            ],
            complexity: self.band.map(|band| Complexity {
                layer: 3,
                score: Points::hundredths(50),
                band,
                confidence: Confidence::NONE,
                budget: crate::catalog::context::Budget::default(),
            }),
            ..Context::default()
        }
    }
}

/// The tools of the painter.
const TOOLS: [&str; 4] = ["brush", "paint", "ladder", "lamp"];

/// All that the painter needs, but for these.
fn without(tools: &[&str], servers: &[&str]) -> Observed {
    let there = |name: &str| (name.to_owned(), !tools.contains(&name));
    let reach =
        if servers.contains(&"magic") { Reach::Failed("refused".to_owned()) } else { Reach::After(5) };
    Observed {
        tools: TOOLS.map(there).into(),
        servers: [("magic".to_owned(), reach)].into(),
        ..Observed::default()
    }
}

fn noticed<'c>(catalog: &'c Catalog, text: &str) -> Signals<'c> {
    let situation = Situation { message: Message::from(text), ..Situation::default() };
    signals::notice(catalog, &situation, &Reading::new(text))
}

/// The four factors of the painter, and their sum.
#[track_caller]
fn check(text: &str, kind: Kind, observed: &Observed, expected: &str) {
    let catalog = catalog();
    let scores = weigh(&catalog, &noticed(&catalog, text), Some(&kind.context()), observed);
    let painter = scores.iter().find(|score| catalog.route_name(score.route) == "painter").unwrap();
    let factors = painter.reasons.iter().filter(|reason| matches!(reason.step, Step::Factor(_)));
    let points: Vec<String> = factors.map(|factor| factor.points.to_string()).collect();
    assert_eq!(format!("{} = {}", points.join(" "), painter.confidence), expected, "{text:?} {kind:?}");
}

fn kind(change: impl Fn(&mut Kind)) -> Kind {
    let mut kind = Kind::default();
    change(&mut kind);
    kind
}

#[test]
fn patterns_give_up_to_forty() {
    let all = without(&[], &[]);
    check("hello", Kind::default(), &all, "0.00 0.05 0.10 0.10 = 0.25");
    check("css", Kind::default(), &all, "0.15 0.05 0.10 0.10 = 0.40");
    check("a button", Kind::default(), &all, "0.15 0.05 0.10 0.10 = 0.40");
    check("a css and html button", Kind::default(), &all, "0.15 0.05 0.10 0.10 = 0.40");
    check("no css", Kind::default(), &all, "0.00 0.05 0.10 0.10 = 0.25");
    check("hello", kind(|k| k.like[0] = 19), &all, "0.00 0.05 0.10 0.10 = 0.25");
    check("hello", kind(|k| k.like[0] = 20), &all, "0.10 0.05 0.10 0.10 = 0.35");
    check("hello", kind(|k| k.operation = Some(0)), &all, "0.10 0.05 0.10 0.10 = 0.35");
    check("hello", kind(|k| k.operation = Some(1)), &all, "0.00 0.05 0.10 0.10 = 0.25");
    let indicated = |by: Settled| kind(|k| k.area = Some((0, by)));
    check("hello", indicated(Settled::Word), &all, "0.05 0.20 0.10 0.10 = 0.45");
    check("hello", indicated(Settled::Learned), &all, "0.00 0.20 0.10 0.10 = 0.40");
    // An area it knows a little of is no sign of its own.
    check("hello", kind(|k| k.area = Some((1, Settled::Word))), &all, "0.00 0.10 0.10 0.10 = 0.30");
    let everything = kind(|k| (k.area, k.operation, k.like[0]) = (Some((0, Settled::Word)), Some(0), 99));
    check("css button", everything, &all, "0.40 0.30 0.10 0.10 = 0.90");
}

#[test]
fn fields_give_thirty_twenty_ten_or_five() {
    let all = without(&[], &[]);
    let field = |area: Option<usize>, domain: Option<usize>, like: i32| {
        kind(|k| {
            k.area = area.map(|area| (area, Settled::Learned));
            (k.domain, k.like[0]) = (domain, like);
        })
    };
    check("hello", field(Some(0), None, 20), &all, "0.10 0.30 0.10 0.10 = 0.60");
    check("hello", field(None, Some(1), 20), &all, "0.10 0.30 0.10 0.10 = 0.60");
    check("hello", field(Some(0), None, 19), &all, "0.00 0.20 0.10 0.10 = 0.40");
    check("hello", field(Some(2), Some(1), 0), &all, "0.00 0.20 0.10 0.10 = 0.40");
    check("hello", field(Some(2), None, 30), &all, "0.10 0.20 0.10 0.10 = 0.50");
    check("hello", field(Some(2), None, 29), &all, "0.10 0.05 0.10 0.10 = 0.35");
    check("hello", field(Some(1), None, 29), &all, "0.10 0.10 0.10 0.10 = 0.40");
    check("hello", field(Some(1), None, 0), &all, "0.00 0.10 0.10 0.10 = 0.30");
    check("hello", field(Some(2), Some(0), 0), &all, "0.00 0.05 0.10 0.10 = 0.25");
    check("hello", field(None, None, 0), &all, "0.00 0.05 0.10 0.10 = 0.25");
}

#[test]
fn bands_give_twenty_fifteen_or_ten() {
    for (band, expected) in [
        (Some(0), "0.00 0.05 0.20 0.10 = 0.35"),
        (Some(1), "0.00 0.05 0.15 0.10 = 0.30"),
        (Some(2), "0.00 0.05 0.10 0.10 = 0.25"),
        (None, "0.00 0.05 0.10 0.10 = 0.25"),
    ] {
        check("hello", kind(|k| k.band = band), &without(&[], &[]), expected);
    }
    // Who names no band is made for all.
    let catalog = catalog();
    let context = kind(|k| k.band = Some(2)).context();
    let scores = weigh(&catalog, &noticed(&catalog, "hello"), Some(&context), &without(&[], &[]));
    let plumber = scores.iter().find(|score| catalog.route_name(score.route) == "plumber").unwrap();
    assert_eq!(plumber.reasons[2].points, COMPLEXITY_EXACT);
}

#[test]
fn resources_give_ten_at_most() {
    for (tools, servers, expected) in [
        (&[][..], &[][..], "0.10"),
        (&[], &["magic"], "0.10"),
        (&["brush"], &["magic"], "0.07"),
        (&["brush"], &[], "0.10"),
        (&["brush", "paint"], &["magic"], "0.05"),
        (&["brush", "paint"], &[], "0.08"),
        (&["brush", "paint", "ladder"], &["magic"], "0.05"),
        (&["brush", "paint", "ladder", "lamp"], &[], "0.03"),
        (&["brush", "paint", "ladder", "lamp"], &["magic"], "0.00"),
    ] {
        let points: f64 = expected.parse().unwrap();
        let expected = format!("0.00 0.05 0.10 {expected} = {:.2}", 0.15 + points);
        check("hello", Kind::default(), &without(tools, servers), &expected);
    }
}

#[test]
fn what_is_not_checked_earns_nothing_and_is_said_not_to_be() {
    let catalog = catalog();
    let noted = |observed: &Observed| {
        let context = Kind::default().context();
        let scores = weigh(&catalog, &noticed(&catalog, "hello"), Some(&context), observed);
        let painter = scores.iter().find(|score| catalog.route_name(score.route) == "painter").unwrap();
        let words = painter.reasons[3].parts.iter().filter(|part| matches!(part.step, Step::Noted(..)));
        let words: Vec<String> = words.map(Reason::words).collect();
        format!("{} {}", painter.reasons[3].points, words.join("; "))
    };
    let some = |tools: &[&str]| Observed {
        tools: tools.iter().map(|tool| ((*tool).to_owned(), true)).collect(),
        ..Observed::default()
    };
    let unchecked = "tools it needs are not checked; servers it needs are not checked";
    assert_eq!(noted(&Observed::default()), format!("0.00 {unchecked}"));
    assert_eq!(noted(&some(&TOOLS[..1])), format!("0.05 some of the tools it needs are ready; {unchecked}"));
    assert_eq!(noted(&some(&TOOLS[..3])), format!("0.07 most tools it needs are ready; {unchecked}"));
    let all = "all tools it needs are ready";
    assert_eq!(noted(&some(&TOOLS)), format!("0.10 {all}; servers it needs are not checked"));
    assert_eq!(noted(&without(&[], &["magic"])), format!("0.10 {all}; a server it needs is offline"));
    assert_eq!(noted(&without(&[], &[])), format!("0.10 {all}; all servers it needs are online"));
    let none = "none of the tools it needs is ready; all servers it needs are online";
    assert_eq!(noted(&without(&TOOLS, &[])), format!("0.03 {none}"));
}

/// The best there is for the painter.
fn perfect() -> Kind {
    Kind {
        area: Some((0, Settled::Word)),
        domain: Some(1),
        operation: Some(0),
        band: Some(0),
        like: [99, 0, 0],
    }
}

#[test]
fn the_best_there_is_comes_to_one() {
    check("css button", perfect(), &without(&[], &[]), "0.40 0.30 0.20 0.10 = 1.00");
}

#[test]
fn names_and_commands_force_whatever_the_factors_say() {
    let catalog = catalog();
    for (text, name, force) in [
        ("/paint it", "painter", Force::Command),
        ("ask the painter", "painter", Force::Name),
        ("/anybody css button", "universal", Force::Command),
    ] {
        let scores =
            weigh(&catalog, &noticed(&catalog, text), Some(&Kind::default().context()), &without(&[], &[]));
        let forced: Vec<_> = scores.iter().filter(|score| score.force.is_some()).collect();
        assert_eq!(forced.len(), 1, "{text}");
        assert_eq!((catalog.route_name(forced[0].route), forced[0].force), (name, Some(force)), "{text}");
        assert_eq!(forced[0].confidence, Confidence::CERTAIN, "{text}");
    }
    check("/paint it", Kind::default(), &without(&[], &[]), "0.00 0.05 0.10 0.10 = 1.00");
}

#[test]
fn how_like_its_own_a_message_is_comes_from_the_layer_else_from_a_head() {
    let catalog = catalog();
    let like = |layer: [i32; 3], head: Option<i32>| {
        let mut signals = noticed(&catalog, "hello");
        signals.found.extend(head.map(|share| Signal {
            route: catalog.routes().find(|(_, route)| &*route.name == "painter").unwrap().0,
            kind: MatchedBy::Learned,
            worth: Worth::Own { confidence: Confidence::new(Points::hundredths(share)), needed: None },
            what: "",
            span: crate::message::Span::default(),
            beside: None,
            denied: None,
        }));
        let context = kind(|k| k.like = layer).context();
        let scores = weigh(&catalog, &signals, Some(&context), &without(&[], &[]));
        scores.iter().find(|score| catalog.route_name(score.route) == "painter").unwrap().belief.to_string()
    };
    assert_eq!(like([0, 0, 0], None), "0.00");
    assert_eq!(like([35, 0, 0], None), "0.35");
    assert_eq!(like([35, 0, 0], Some(80)), "0.35");
    assert_eq!(like([0, 90, 0], Some(80)), "0.80");
}

#[test]
fn a_message_listed_as_not_belonging_comes_to_nothing() {
    check("Not a CSS button!", perfect(), &without(&[], &[]), "0.25 0.30 0.20 0.10 = 0.00");
    // But a command is a command.
    check("/paint not a css button", perfect(), &without(&[], &[]), "0.25 0.30 0.20 0.10 = 1.00");
}

#[test]
fn without_a_context_the_rules_decide() {
    let catalog = catalog();
    let signals = noticed(&catalog, "a button");
    let rules = super::super::weigh(&signals.found, catalog.thresholds().base);
    assert_eq!(weigh(&catalog, &signals, None, &without(&[], &[])), rules);
}

fn adds_up(reason: &Reason<'_>) -> bool {
    let parts: Points = reason.parts.iter().map(Reason::counted).sum();
    (reason.parts.is_empty() || parts == reason.points) && reason.parts.iter().all(adds_up)
}

fn kinds() -> impl Strategy<Value = Kind> {
    let by = prop_oneof![Just(Settled::Word), Just(Settled::Learned)];
    let label = |most: usize| prop::option::of(0..most);
    let like = [0..=99, 0..=99, 0..=99];
    (prop::option::of((0..3usize, by)), label(2), label(2), label(3), like)
        .prop_map(|(area, domain, operation, band, like)| Kind { area, domain, operation, band, like })
}

proptest! {
    #[test]
    fn the_factors_add_up_exactly_and_never_beyond_one(
        kind in kinds(),
        text in "(css |api |button |no |painter |/paint |hello ){0,5}",
        tools in prop::collection::vec("brush|paint|ladder|lamp", 0..4),
        servers in prop::collection::vec("magic", 0..2),
    ) {
        let catalog = catalog();
        let (tools, servers): (Vec<&str>, Vec<&str>) =
            (tools.iter().map(String::as_str).collect(), servers.iter().map(String::as_str).collect());
        for score in weigh(&catalog, &noticed(&catalog, &text), Some(&kind.context()), &without(&tools, &servers)) {
            let total: Points = score.reasons.iter().map(Reason::counted).sum();
            prop_assert_eq!(score.confidence.points(), total);
            prop_assert!(total <= Points::ONE && score.reasons.iter().all(adds_up));
            prop_assert!(score.force.is_none() || total == Points::ONE);
        }
    }
}
