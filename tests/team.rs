//! Who takes which part of a message that asks for several things? Through the real binary.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::path::Path;

use serde_json::{Value, json};
use support::waypost_in;

const SPARE: &str = r#"{"cpu": 0.2, "memory": 0.2, "disk": 0.2}"#;

fn route(catalog: &str, text: &str) -> Value {
    let args = ["route", "--catalog", catalog, "--json", text];
    let run = waypost_in(Path::new(env!("CARGO_TARGET_TMPDIR")), &args, b"", &[("WAYPOST_RESOURCES", SPARE)]);
    serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err))
}

/// The specialist and the words of a part.
fn part(part: &Value) -> [&str; 2] {
    ["route", "text"].map(|key| part[key].as_str().unwrap())
}

#[test]
fn a_lead_and_assistants_have_their_parts_of_the_message() {
    let text =
        "Refactor the React dashboard component, and also write the Terraform module for the staging cluster";
    let answer = route("specialists", text);
    let team = &answer["team"];
    // The specialist of the whole message leads.
    assert_eq!(part(&team["lead"])[0], answer["route"], "{team:#}");
    let assistants: Vec<[&str; 2]> = team["assistants"].as_array().unwrap().iter().map(part).collect();
    let mut all = [assistants.clone(), vec![part(&team["lead"])]].concat();
    all.sort_unstable();
    let infrastructure = ["devops-engineer", "write the Terraform module for the staging cluster"];
    assert_eq!(all, [infrastructure, ["frontend-specialist", "Refactor the React dashboard component"]]);
    let [from, to] = [0, 1].map(|end| {
        team["assistants"][0]["span"][end].as_u64().and_then(|place| usize::try_from(place).ok()).unwrap()
    });
    assert_eq!(text.chars().skip(from).take(to - from).collect::<String>(), assistants[0][1]);
}

#[test]
fn what_one_specialist_takes_has_no_team() {
    for text in [
        "Rebuild the checkout page in Vue with a sticky summary",
        "write the Terraform module for the staging cluster",
    ] {
        assert_eq!(route("specialists", text)["team"], Value::Null, "{text}");
    }
}

#[test]
fn a_mixed_message_names_the_second_framework() {
    let check = |text: &str, primary: &str, secondary: &str| {
        let answer = route("triad", text);
        assert_eq!(
            (&answer["route"], &answer["also"][0]["route"]),
            (&json!(primary), &json!(secondary)),
            "{text}: {answer:#}"
        );
    };
    check(
        "fix the statistics in CALCULATE_SET_OVERLAP, and the yaml strategy skips a step too",
        "surgical",
        "circuitous",
    );
    check(
        "the export counts are wrong inside EXPORT_DATASET and also the pipeline order is off, steps run in the wrong sequence",
        "surgical",
        "circuitous",
    );
}

#[test]
fn the_page_names_lead_and_assistants() {
    let text = "the login query is slow, add an index. Then translate the settings page into Czech";
    let args = ["explain", "--catalog", "specialists", text];
    let run = waypost_in(Path::new(env!("CARGO_TARGET_TMPDIR")), &args, b"", &[("WAYPOST_RESOURCES", SPARE)]);
    assert!(
        run.out.contains("lead localization-specialist") && run.out.contains("assistant database-specialist"),
        "{}",
        run.out
    );
}
