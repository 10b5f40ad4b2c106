//! Does the catalog `choices` keep its promises? Routes, gates that no wording opens, and words whose meaning depends on the
//! session.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::BTreeMap;
use std::sync::LazyLock;

use proptest::prelude::*;
use serde_json::{Value, json};
use waypost::core::gates::{self, GateAnswer, Guarded};
use waypost::core::message::{Fact, Reading};
use waypost::eval::{self, Row};
use waypost::{Answer, Message, Outcome, Router};

static ROUTER: LazyLock<Router> = LazyLock::new(|| Router::from_catalog("choices").unwrap());

/// How far a session has come.
const NOTHING: &[&str] = &[];
const TPR: &[&str] = &["tpr_complete"];
const RISK: &[&str] = &["tpr_complete", "risk_complete"];
const ALL: &[&str] = &["tpr_complete", "risk_complete", "itn_complete"];

fn session(done: &[&str]) -> BTreeMap<String, Fact> {
    done.iter().map(|fact| ((*fact).to_owned(), Fact::Flag(true))).collect()
}

fn route(text: &str, session: BTreeMap<String, Fact>) -> Answer {
    ROUTER.route(&Message { session, ..Message::from(text) }).unwrap()
}

#[track_caller]
fn check(text: &str, done: &[&str], expected: &str) {
    let answer = route(text, session(done));
    let told = format!("{} {}", answer.outcome.name(), answer.route.as_deref().unwrap_or("-"));
    assert_eq!(told, expected, "{text} {done:?}: {:#?}", answer.routes);
}

#[test]
fn messages_find_their_route() {
    for (text, done, expected) in [
        ("please work out the test positivity", NOTHING, "act tpr"),
        ("let us do the TPR for pregnant women", NOTHING, "act tpr"),
        ("rank all wards by malaria risk", TPR, "act risk"),
        ("composite risk scores for the wards please", TPR, "act risk"),
        ("we got 60 thousand bed nets, plan who gets them", RISK, "act itn"),
        ("rainfall map please", NOTHING, "act map_variable"),
        ("the vulnerability map, with pca", RISK, "act map_vulnerability"),
        ("scatter plot of elevation and rainfall", NOTHING, "act data_analysis"),
        ("what does pca mean?", NOTHING, "act concept_help"),
        ("how do I bake bread?", NOTHING, "act off_domain"),
        ("Top 10 wards by rainfall", NOTHING, "act data_analysis"),
        ("Top 10 wards by rainfall", ALL, "act data_analysis"),
        ("/itn 5000", RISK, "act itn"),
        ("same as before", NOTHING, "abstain -"),
    ] {
        check(text, done, expected);
    }
}

#[test]
fn a_closed_gate_keeps_the_route_named_and_offers_the_way_on() {
    for (text, done, expected, gate, way) in [
        ("top 10 wards at risk", NOTHING, "clarify risk", "requires_tpr_complete", "tpr"),
        ("distribute the bed nets", NOTHING, "clarify itn", "requires_tpr_complete", "tpr"),
        ("distribute the bed nets", TPR, "clarify itn", "requires_risk_complete", "risk"),
        ("distribute the bed nets", &["risk_complete"], "clarify itn", "requires_tpr_complete", "tpr"),
        ("show the vulnerability map", NOTHING, "clarify map_vulnerability", "requires_tpr_complete", "tpr"),
        ("show the vulnerability map", TPR, "clarify map_vulnerability", "requires_risk_complete", "risk"),
        ("/itn", NOTHING, "clarify itn", "requires_tpr_complete", "tpr"),
    ] {
        check(text, done, expected);
        let answer = route(text, session(done));
        let closed = gates::closed(&answer.gates).unwrap();
        assert_eq!(closed.name, gate, "{text} {done:?}");
        assert!(answer.message.contains(&closed.reason), "{}", answer.message);
        let asked = answer.clarification.unwrap();
        let offered = closed.way_on.as_ref().unwrap();
        assert_eq!(offered.route.as_deref(), Some(way));
        assert_eq!(asked.options.len(), 1, "one way on");
        assert_eq!((asked.options[0].name.as_str(), &asked.options[0].description), (way, &offered.text));
    }
    for (text, done) in
        [("top 10 wards at risk", TPR), ("plan the bed nets", RISK), ("vulnerability map", ALL)]
    {
        let answer = route(text, session(done));
        assert_eq!(answer.outcome, Outcome::Act, "{text}");
        assert!(answer.clarification.is_none() && !answer.gates.is_empty());
        assert!(answer.gates.iter().all(|gate| gate.allowed && gate.way_on.is_none()), "{:?}", answer.gates);
    }
    assert!(route("rainfall map", session(NOTHING)).gates.is_empty(), "what no gate guards has none");
}

#[test]
fn gates_answer_for_routes_and_tools_alike() {
    let catalog = ROUTER.catalog();
    let told = |guarded: Guarded<'_>, done: &[&str]| {
        let answers = gates::check(catalog, guarded, &session(done));
        let mark = |gate: &GateAnswer| {
            format!("{}{}", if gate.allowed { "+" } else { "-" }, gate.name.trim_start_matches("requires_"))
        };
        answers.iter().map(mark).collect::<Vec<_>>().join(" ")
    };
    for (name, nothing, tpr, risk) in [
        ("risk", "-tpr_complete", "+tpr_complete", "+tpr_complete"),
        (
            "itn",
            "-tpr_complete -risk_complete",
            "+tpr_complete -risk_complete",
            "+tpr_complete +risk_complete",
        ),
        (
            "map_vulnerability",
            "-tpr_complete -risk_complete",
            "+tpr_complete -risk_complete",
            "+tpr_complete +risk_complete",
        ),
        ("map_variable", "", "", ""),
        ("no_such_thing", "", "", ""),
    ] {
        for (done, expected) in [(NOTHING, nothing), (TPR, tpr), (RISK, risk), (ALL, risk)] {
            assert_eq!(told(Guarded::Route(name), done), expected, "route {name} {done:?}");
            assert_eq!(told(Guarded::Tool(name), done), expected, "tool {name} {done:?}");
        }
    }
    // Only true is true: what a person may have written into a session opens nothing.
    for fact in [Fact::Unset, Fact::Flag(false), Fact::Text("true".to_owned()), Fact::Number(1.0)] {
        let said = BTreeMap::from([("tpr_complete".to_owned(), fact.clone())]);
        assert!(!gates::check(catalog, Guarded::Route("risk"), &said)[0].allowed, "{fact:?}");
    }
}

#[test]
fn the_way_on_continues_at_the_pending_step() {
    let step = |facts: &[(&str, &str)]| {
        let said =
            facts.iter().map(|(name, value)| ((*name).to_owned(), Fact::Text((*value).to_owned()))).collect();
        let answers = gates::check(ROUTER.catalog(), Guarded::Route("risk"), &said);
        let way = answers[0].way_on.clone().unwrap();
        assert_eq!(way.tool.as_deref(), Some("run_tpr_step"));
        way.step
    };
    assert_eq!(step(&[]).as_deref(), Some("facility_level"));
    assert_eq!(step(&[("facility_level", "primary")]).as_deref(), Some("age_group"));
    assert_eq!(step(&[("facility_level", "all"), ("age_group", "u5")]).as_deref(), Some("test_method"));
    assert_eq!(step(&[("test_method", "rdt")]).as_deref(), Some("facility_level"));
}

#[test]
fn map_means_what_the_session_has_come_to() {
    for text in [
        "map",
        "show me the map",
        "Can I see the map, please?",
        "map it",
        "let's see that on a map",
        "ok, the map",
    ] {
        check(text, NOTHING, "act map_variable");
        check(text, TPR, "act map_variable");
        check(text, RISK, "act map_vulnerability");
        check(text, ALL, "act map_vulnerability");
    }
    for text in ["map of rainfall", "show the temperature on a map", "draw the TPR map"] {
        check(text, NOTHING, "act map_variable");
        check(text, RISK, "act map_variable");
    }
    // With risk but without TPR, whoever set that, the map stays behind its gate.
    check("show me the map", &["risk_complete"], "clarify map_vulnerability");
    let catalog = ROUTER.catalog();
    let tool = catalog.tool_place("map_variable").unwrap();
    let default = |done: &[&str]| catalog.default_in(tool, "map_variable", &session(done));
    assert_eq!((default(NOTHING), default(TPR), default(RISK)), (None, Some(&json!("tpr")), None));
}

#[test]
fn going_on_means_the_flow_that_is_not_complete() {
    for text in ["go ahead", "Proceed.", "ok, continue please", "yes, let's go on", "next step"] {
        check(text, NOTHING, "act tpr");
        check(text, TPR, "act risk");
        check(text, RISK, "act itn");
        // A flow that somebody skipped comes first, so going on never meets a closed gate.
        check(text, &["risk_complete"], "act tpr");
    }
    let catalog = ROUTER.catalog();
    assert!(catalog.proceed(&Reading::new("go ahead with 500 nets")).is_none(), "that says more");
    let order: Vec<_> =
        catalog.flows().iter().map(|flow| (flow.name.as_str(), flow.next.as_deref())).collect();
    assert_eq!(order, [("tpr", Some("risk")), ("risk", Some("itn")), ("itn", None)]);
    let tpr = catalog.flow("tpr").unwrap();
    assert_eq!(
        (tpr.steps.join(" ").as_str(), tpr.sets.as_deref()),
        ("facility_level age_group test_method", Some("tpr_complete"))
    );
    assert_eq!((tpr.pending(&session(NOTHING)), tpr.pending(&session(TPR))), (Some("facility_level"), None));
}

/// Words that a message might try, gates and facts by their names among them.
const WORDS: &[&str] = &[
    "open",
    "the",
    "gate",
    "requires_tpr_complete",
    "tpr_complete=true",
    "session.risk_complete",
    "ignore",
    "skip",
    "override",
    "admin",
    "rank",
    "wards",
    "risk",
    "nets",
    "distribute",
    "vulnerability",
    "map",
    "go ahead",
    "TPR",
    "is complete",
    "\"session\": {\"tpr_complete\": true}",
    "/itn",
    "/risk",
    "not",
    "already done",
    ".",
    "\n",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn no_text_changes_a_gate(
        words in prop::collection::vec(prop::sample::select(WORDS), 0..12), noise in ".{0,20}", facts in prop::array::uniform3(any::<bool>()),
    ) {
        let text = format!("{} {noise}", words.join(" "));
        let said: BTreeMap<String, Fact> =
            ALL.iter().zip(facts).map(|(fact, done)| ((*fact).to_owned(), Fact::Flag(done))).collect();
        let answer = route(&text, said.clone());
        let expected = answer.route.as_deref().map(|name| gates::check(ROUTER.catalog(), Guarded::Route(name), &said));
        prop_assert_eq!(&answer.gates, &expected.unwrap_or_default());
        let shut = answer.gates.iter().any(|gate| !gate.allowed);
        prop_assert_eq!(shut, gates::closed(&answer.gates).is_some());
        prop_assert!(!shut || answer.outcome == Outcome::Clarify);
        let [tpr, risk, _] = facts;
        if answer.outcome == Outcome::Act && ["risk", "itn", "map_vulnerability"].contains(&answer.route.as_deref().unwrap_or_default()) {
            prop_assert!(tpr && (risk || answer.route.as_deref() == Some("risk")), "{}", text);
        }
    }
}

#[test]
fn tools_say_all_that_an_interpreter_needs() {
    let catalog = ROUTER.catalog();
    let names: Vec<&str> = catalog.tools().iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["analyze_data", "itn", "map_variable", "map_vulnerability", "risk", "run_tpr_step"]);
    for (_, route) in catalog.routes() {
        assert!(route.expertise.tools.iter().all(|tool| names.contains(&tool.as_str())), "{}", route.name);
    }
    for tool in catalog.tools() {
        let schema = tool.input_schema.as_ref().unwrap();
        jsonschema::validator_for(schema).unwrap();
        for (name, property) in schema["properties"].as_object().unwrap() {
            let told = format!("{}.{name}", tool.name);
            assert!(property["description"].as_str().is_some_and(|text| !text.is_empty()), "{told}");
            // A list, or a list a value.
            let given = &property["x-examples"];
            let lists = given.as_object().map_or_else(|| vec![given], |by_value| by_value.values().collect());
            let counts: Vec<usize> = lists.iter().map(|list| list.as_array().map_or(0, Vec::len)).collect();
            assert!(counts.iter().all(|count| *count >= 3), "{told}: {counts:?} examples");
            if let Some(default) = property.get("default") {
                assert!(jsonschema::validator_for(property).unwrap().is_valid(default), "{told}");
            }
            let values = property.get("enum").and_then(Value::as_array);
            if let (Some(values), Some(aliases)) =
                (values, property.get("x-aliases").and_then(Value::as_object))
            {
                assert!(aliases.keys().all(|value| values.contains(&json!(value))), "{told}: {aliases:?}");
            }
        }
    }
    let names: Vec<&str> = catalog.columns().iter().map(|column| column.name.as_str()).collect();
    assert!(
        ["rainfall", "ndvi", "tpr", "housing_quality"].iter().all(|name| names.contains(name)),
        "{names:?}"
    );
}

#[test]
fn messages_that_no_example_was_written_from_find_their_route() {
    let rows =
        |text: &str| -> Vec<Row> { text.lines().map(|line| serde_json::from_str(line).unwrap()).collect() };
    let right = |rows: &[Row]| {
        let predicted = rows.iter().map(|row| eval::predict(&ROUTER, row).unwrap());
        let right = predicted.filter(|row| row.predicted == row.label).count();
        (right * 100) / rows.len()
    };
    assert!(right(&rows(include_str!("heldout/choices_routes_dev.jsonl"))) >= 97);
    assert!(right(&rows(include_str!("heldout/choices_routes.jsonl"))) >= 95);
}
