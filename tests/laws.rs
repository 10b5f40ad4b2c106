//! What holds for every message and every catalog?
//!
//! More cases by `PROPTEST_CASES`; `scripts/measure fuzz` runs these for a minute and longer.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::sync::LazyLock;

use proptest::prelude::*;
use waypost::core::catalog::Source;
use waypost::core::measure::{Confidence, Points};
use waypost::core::message::{Fact, Turn};
use waypost::core::signals::MatchedBy;
use waypost::core::trace::Evidence;
use waypost::{Catalog, Message, Outcome, Router, SHIPPED, Trace};

static ROUTERS: LazyLock<Vec<Router>> =
    LazyLock::new(|| SHIPPED.iter().map(|shipped| Router::from_catalog(shipped.name).unwrap()).collect());

/// Words the shipped catalogs listen for, so that random messages reach every path.
const WORDS: &[&str] = &[
    "surgical",
    "circuitous",
    "interstitial",
    "not",
    "no",
    "without",
    "instead of",
    "isn't",
    "don't",
    "fix",
    "the",
    "internal",
    "counting",
    "logic",
    "statistics",
    "show",
    "wrong",
    "parameters",
    "flow",
    "between",
    "steps",
    "${x}",
    "substituted",
    "pipeline",
    "orchestration",
    "broken",
    "backward",
    "compatibility",
    "api",
    "change",
    "breaks",
    "EXPORT_DATASET",
    "NO_SUCH_ACTION",
    "prot_arv_to_kg2c_v3.0",
    "export",
    "load",
    "3675",
    "but",
    "should",
    "be",
    "1172",
    ",",
    ".",
    "?",
    "and",
    "why",
    "\n",
    "/biomapper-surgical",
    "/help",
    "/nonsense",
    "summarize",
    "translate",
    "into",
    "French",
    "remind",
    "me",
    "write",
    "an",
    "email",
    "é",
    "支付",
    "مرحبا",
    "🙂",
    "\u{202e}",
    "\u{0}",
    "ﬁx",
    "I’m",
];

fn texts() -> impl Strategy<Value = String> {
    let words = prop::collection::vec(prop::sample::select(WORDS), 0..14).prop_map(|words| words.join(" "));
    prop_oneof![4 => words, 1 => "\\PC{0,60}", 1 => any::<String>()]
}

fn facts() -> impl Strategy<Value = Fact> {
    prop_oneof![
        any::<bool>().prop_map(Fact::Flag),
        (-1000i32..1000).prop_map(|number| Fact::Number(f64::from(number))),
        texts().prop_map(Fact::Text),
        Just(Fact::Unset),
    ]
}

fn messages() -> impl Strategy<Value = Message> {
    let session = prop::collection::btree_map("[a-z]{1,6}", facts(), 0..3);
    let history = prop::collection::vec(texts().prop_map(Turn::Text), 0..3);
    (texts(), prop::option::of("[a-z]{1,5}"), session, history).prop_map(|(text, user, session, history)| {
        Message { text, user, session, history, ..Message::default() }
    })
}

fn adds_up(reason: &Evidence) -> bool {
    let parts: Points = reason.parts.iter().filter(|part| part.counts).map(|part| part.points).sum();
    (reason.parts.is_empty() || parts == reason.points) && reason.parts.iter().all(adds_up)
}

proptest! {
    #[test]
    fn every_message_gets_an_answer_that_explains_itself(message in messages()) {
        for router in ROUTERS.iter() {
            let trace = router.trace(&message).unwrap();
            let answer = &trace.answer;
            prop_assert_eq!(answer.outcome == Outcome::Act, answer.route.is_some());
            prop_assert_eq!(answer.outcome == Outcome::Clarify, answer.clarification.is_some());
            let routes = router.catalog().routes().len();
            prop_assert_eq!(answer.considered.len() + usize::from(answer.route.is_some()), routes, "every loser is listed");
            for route in &trace.evidence {
                let total: Points = route.reasons.iter().filter(|r| r.counts).map(|r| r.points).sum();
                prop_assert_eq!(route.confidence.points(), total, "parts add up");
                prop_assert!(route.reasons.iter().all(adds_up));
            }
            for ranked in &answer.routes {
                let enough = ranked.confidence >= answer.threshold.value || ranked.confidence == Confidence::CERTAIN;
                let falls_back = ranked.matched_by == Some(MatchedBy::Always);
                prop_assert!(enough || falls_back, "nothing below the threshold is ranked but what is taken then");
            }
            for reason in trace.evidence.iter().flat_map(|route| &route.reasons) {
                if let (Some([start, end]), Some(text)) = (reason.span, &reason.text) {
                    let cut: String = message.text.chars().skip(start).take(end - start).collect();
                    prop_assert_eq!(&cut, text, "spans point at their text");
                }
            }
        }
    }

    #[test]
    fn a_recorded_situation_gives_the_same_decision_byte_for_byte(message in messages()) {
        for router in ROUTERS.iter() {
            let recorded = serde_json::to_string(&router.trace(&message).unwrap()).unwrap();
            let read: Trace = serde_json::from_str(&recorded).unwrap();
            let replay = router.replay(&read).unwrap();
            prop_assert!(replay.same);
            prop_assert_eq!(serde_json::to_string(&replay.trace).unwrap(), recorded);
        }
    }

    #[test]
    fn case_and_spacing_change_nothing(text in "[a-z ,.?]{0,40}") {
        let spaced = format!("  {}\t", text.replace(' ', "  ").to_uppercase());
        for router in ROUTERS.iter() {
            let (one, two) = (router.route(&text.clone().into()).unwrap(), router.route(&spaced.clone().into()).unwrap());
            prop_assert_eq!(one.outcome, two.outcome);
            prop_assert_eq!(one.route, two.route);
            let confidences = |answer: &waypost::Answer| answer.routes.iter().map(|r| r.confidence).collect::<Vec<_>>();
            prop_assert_eq!(confidences(&router.route(&text.clone().into()).unwrap()), confidences(&router.route(&spaced.clone().into()).unwrap()));
        }
    }

    #[test]
    fn the_order_of_a_catalog_changes_nothing(order in Just(vec![0usize, 1, 2, 3]).prop_shuffle(), text in "(aa|bb|cc|dd| ){0,8}") {
        let route = |name: &str| format!("  - {{name: {name}, description: R, patterns: [{{match: {name}{name}, weight: 0.3}}], keywords: [{name}{name}]}}\n");
        let catalog = |order: &[usize]| {
            let routes: String = order.iter().map(|at| route(["a", "b", "c", "d"][*at])).collect();
            let yaml = format!("routes:\n{routes}");
            Router::new(Catalog::read(&[Source::new("order.yaml", yaml)], "order").catalog.unwrap())
        };
        let decide = |router: Router| {
            let answer = router.route(&text.clone().into()).unwrap();
            (answer.route, answer.routes, answer.considered)
        };
        prop_assert_eq!(decide(catalog(&[0, 1, 2, 3])), decide(catalog(&order)));
    }

    #[test]
    fn no_catalog_text_panics(yaml in "\\PC{0,200}|[-a-z:\\[\\]{}'\"&*|> \n]{0,200}") {
        let checked = Catalog::check(&[Source::new("any.yaml", yaml)], "any");
        prop_assert!(checked.catalog.is_some() || !checked.problems.is_empty());
    }

    #[test]
    fn no_damaged_catalog_panics(
        which in 0..SHIPPED.len(), cut in any::<prop::sample::Index>(), length in 0usize..40,
        inserted in "[-a-z0-9:\\[\\]{}'\"&*|>?,# \n\t(\\\\)]{0,12}",
    ) {
        let yaml: Vec<char> = SHIPPED[which].yaml.chars().collect();
        let at = cut.index(yaml.len());
        let damaged: String =
            yaml[..at].iter().copied().chain(inserted.chars()).chain(yaml[at..].iter().copied().skip(length)).collect();
        let checked = Catalog::check(&[Source::new("damaged.yaml", damaged.as_str())], "damaged");
        prop_assert!(checked.catalog.is_some() || !checked.problems.is_empty());
        for problem in &checked.problems {
            let lines = damaged.lines().count().max(1);
            prop_assert!((1..=lines + 1).contains(&(problem.place.line as usize)), "{problem:?} of {lines} lines");
            prop_assert!(!problem.show(&[Source::new("damaged.yaml", damaged.as_str())]).is_empty());
        }
        if let Some(catalog) = checked.catalog {
            Router::new(catalog).route(&"fix the statistics".into()).unwrap();
        }
    }
}
