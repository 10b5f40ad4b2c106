//! Does every value come from somewhere, and does no wording open a gate?
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::collections::BTreeMap;
use std::sync::OnceLock;

use proptest::prelude::*;
use serde_json::{Value, json};
use waypost::Router;
use waypost::arguments::{Answer, Interpreter, Request};
use waypost::core::arguments::{By, Outcome};
use waypost::core::message::Fact;
use waypost::encode::BuiltIn;

const TOOLS: [&str; 6] = ["run_tpr_step", "risk", "itn", "map_variable", "map_vulnerability", "analyze_data"];
const FACTS: [&str; 3] = ["tpr_complete", "risk_complete", "itn_complete"];

fn interpreter() -> &'static Interpreter {
    static SHARED: OnceLock<Interpreter> = OnceLock::new();
    SHARED.get_or_init(|| {
        let catalog = Router::shipped("choices").unwrap();
        let source = waypost::core::catalog::Source::new(catalog.name, catalog.yaml);
        let catalog = waypost::Catalog::read(&[source], catalog.name).catalog.unwrap();
        Interpreter::new(&Router::new(catalog), BuiltIn::shipped().unwrap())
    })
}

const TELLING: &str = "primary secondary tertiary all under five pregnant women rapid tests microscopy both composite pca \
    rainfall elevation nets 200k half a million 40 % top 10 wards bar chart household six urban threshold map the second one \
    same as before not no wait or and go ahead ignore gate session.tpr_complete=true what does mean ? , tomorrow 03/04/2027 \
    -5 500 prmary \"ndvi\" é 日本";

/// Words that matter to the tools, words that turn what others say, and anything at all.
fn word() -> impl Strategy<Value = String> {
    let telling: Vec<&str> = TELLING.split_whitespace().collect();
    prop_oneof![9 => prop::sample::select(telling).prop_map(str::to_owned), 1 => "\\PC{0,6}"]
}

fn request() -> impl Strategy<Value = Request> {
    let text = prop::collection::vec(word(), 0..12).prop_map(|words| words.join(" "));
    let facts = prop::collection::btree_map(
        prop::sample::select(&FACTS[..]).prop_map(str::to_owned),
        any::<bool>().prop_map(Fact::Flag),
        0..3,
    );
    let tool = prop::sample::select(&TOOLS[..]);
    (text, tool, facts, any::<bool>(), any::<bool>()).prop_map(|(text, tool, session, options, memory)| {
        let levels = json!(["primary", "secondary", "tertiary", "all"]);
        let remembered =
            [("facility_level", json!("tertiary")), ("method", json!("pca")), ("total_nets", json!(900))];
        Request {
            session,
            options: if options { levels.as_array().unwrap().clone() } else { Vec::new() },
            memory: if memory {
                remembered.map(|(slot, value)| (slot.to_owned(), value)).into()
            } else {
                BTreeMap::new()
            },
            now: Some("2027-03-01T12:00:00".to_owned()),
            ..Request::new(text, tool)
        }
    })
}

/// Where a value of a slot comes from, if from anywhere.
fn comes_from(request: &Request, slot: &str, told: &waypost::arguments::SlotAnswer) -> bool {
    let length = request.text.chars().count();
    let stands = told.span.is_some_and(|[start, end]| start < end && end <= length);
    match told.matched_by {
        By::Default => told.span.is_none(),
        By::Memory => request.memory.get(slot) == Some(&told.value),
        By::Ordinal => {
            let each = |value: &Value| request.options.contains(value);
            told.value.as_array().map_or_else(|| each(&told.value), |many| many.iter().all(each))
        }
        _ => stands,
    }
}

fn answer(request: &Request) -> Answer {
    interpreter().answer(request).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_value_comes_from_nowhere(request in request()) {
        let told = answer(&request);
        for (slot, held) in &told.slots.0 {
            prop_assert!((0.0..=1.0).contains(&held.confidence), "{slot}: {held:?}");
            prop_assert!(comes_from(&request, slot, held), "{:?} fills {slot} with {held:?}", request.text);
        }
        if told.outcome == Outcome::Run {
            prop_assert!(told.confidence >= 0.7 && told.clarification.is_none(), "{told:?}");
            prop_assert!(told.slots.0.iter().all(|(slot, held)| !told.args.contains_key(slot) || !held.doubtful));
        } else {
            prop_assert_eq!(told.clarification.is_some(), told.outcome == Outcome::Clarify);
        }
    }

    #[test]
    fn what_is_run_holds_to_the_schema(request in request()) {
        let told = answer(&request);
        if told.outcome == Outcome::Run {
            let name = told.tool.as_deref().unwrap();
            let place = interpreter().catalog().tool_place(name).unwrap();
            let schema = interpreter().catalog().tools()[place].input_schema.as_ref().unwrap();
            let call = Value::Object(told.args.clone());
            prop_assert!(jsonschema::is_valid(schema, &call), "{:?} is {call}", request.text);
        }
    }

    #[test]
    fn no_wording_opens_a_gate(request in request()) {
        let told = answer(&request);
        let silent = answer(&Request { text: String::new(), ..request.clone() });
        prop_assert_eq!(&told.gates, &silent.gates);
        if told.gates.iter().any(|gate| !gate.allowed) {
            prop_assert_eq!(told.outcome, Outcome::Clarify);
        }
    }
}
