//! Does every example, guarantee and threshold of the framework document hold?
//!
//! Each row names the line of the document ("Framework Triggering Mechanics") it comes from, or `0` where it
//! is our reading of it that is tested.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use waypost::core::measure::Points;
use waypost::{Answer, Message, Outcome, Router};

fn route(message: impl Into<Message>) -> Answer {
    thread_local!(static TRIAD: Router = Router::from_catalog("triad").unwrap());
    TRIAD.with(|router| router.route(&message.into()).unwrap())
}

/// Expects a route, with at least this confidence in hundredths.
#[track_caller]
fn acts(line: u32, message: &str, route_name: &str, at_least: i32) -> Answer {
    let answer = route(message);
    assert_eq!(answer.route.as_deref(), Some(route_name), "line {line}: {message}\n{answer:#?}");
    let confidence = answer.routes[0].confidence;
    assert!(confidence.points() >= Points::hundredths(at_least), "line {line}: {message} at {confidence}");
    answer
}

#[track_caller]
fn stays(line: u32, message: &str, outcome: Outcome) -> Answer {
    let answer = route(message);
    assert_eq!(answer.outcome, outcome, "line {line}: {message}\n{:#?}", answer.routes);
    assert_eq!(answer.route, None, "line {line}: {message}");
    answer
}

#[test]
fn example_matches() {
    let rows = [
        (50, "Use surgical mode to fix this", "surgical", 100),
        (51, "This needs surgical precision", "surgical", 100),
        (52, "The statistics show wrong counts", "surgical", 40),
        (53, "Fix the calculation logic in the action", "surgical", 40),
        (54, "3675 proteins but should be 1172", "surgical", 70),
        (79, "Use circuitous mode to trace the flow", "circuitous", 100),
        (80, "This needs circuitous analysis", "circuitous", 100),
        (81, "Parameters not flowing between steps", "circuitous", 40),
        (82, "${parameters.input_file} not substituting", "circuitous", 40),
        (83, "Pipeline orchestration is broken", "circuitous", 40),
        (108, "Use interstitial mode for compatibility", "interstitial", 100),
        (109, "This needs interstitial protection", "interstitial", 100),
        (110, "Backward compatibility broken", "interstitial", 40),
        (111, "New parameter broke existing strategies", "interstitial", 40),
        (112, "API evolution breaking changes", "interstitial", 40),
    ];
    for (line, message, route, at_least) in rows {
        acts(line, message, route, at_least);
    }
}

#[test]
fn every_listed_pattern_finds_a_message_of_its_kind() {
    let rows = [
        (37, "please fix the counting in this visualization", "surgical"),
        (38, "adjust the filter without affecting the pipeline", "surgical"),
        (39, "a careful little change", "surgical"),
        (40, "preserve the structure while updating it", "surgical"),
        (41, "entity counting looks inflated", "surgical"),
        (42, "statistics display incorrect totals", "surgical"),
        (43, "the output is correct but the numbers are wrong", "surgical"),
        (44, "it is counting expanded records instead of unique ones", "surgical"),
        (45, "it should only show unique proteins", "surgical"),
        (46, "3675 but should be 1200", "surgical"),
        (66, "the parameter does not pass between them", "circuitous"),
        (67, "strategy orchestration keeps failing", "circuitous"),
        (68, "the step sequence is incorrect", "circuitous"),
        (69, "parameter substitution does not work", "circuitous"),
        (70, "context is missing between the calls", "circuitous"),
        (71, "${x} does not resolve", "circuitous"),
        (72, "data does not flow from one to the other", "circuitous"),
        (73, "output not available to the next step", "circuitous"),
        (74, "the handoff between the steps fails", "circuitous"),
        (75, "the yaml for this strategy has an issue", "circuitous"),
        (95, "the interface between two actions is broken", "interstitial"),
        (96, "a contract issue", "interstitial"),
        (97, "action boundary must change", "interstitial"),
        (98, "backward compatibility must be preserved", "interstitial"),
        (99, "the parameter interface should evolve", "interstitial"),
        (100, "the output structure change hurts compatibility", "interstitial"),
        (101, "a version compatibility problem", "interstitial"),
        (102, "the api update breaks us", "interstitial"),
        (103, "the added parameter broke our existing setup", "interstitial"),
        (104, "this interface contract is violated", "interstitial"),
        (0, "existing strategies fail", "interstitial"),
        (0, "upgrade it without breaking anything", "interstitial"),
    ];
    for (line, message, route) in rows {
        acts(line, message, route, 40);
    }
}

#[test]
fn thresholds_of_the_document() {
    let answer = acts(145, "3675 proteins but should be 1172", "surgical", 70);
    assert_eq!(answer.threshold.base.points(), Points::hundredths(40));
    assert_eq!(answer.routes[0].band, "high", "line 146");
    let sure = acts(
        147,
        "Fix the counting statistics logic in the action: statistics show wrong internal counts",
        "surgical",
        99,
    );
    assert_eq!(sure.routes[0].confidence.points(), Points::hundredths(99), "1.0 is for names and commands");
}

#[test]
fn worked_examples() {
    acts(175, "Fix the internal counting logic", "surgical", 90);
    let tie = acts(213, "The action parameter handling is broken internally", "surgical", 40);
    assert_eq!(
        tie.routes.iter().map(|r| r.name.as_str()).collect::<Vec<_>>(),
        ["surgical", "circuitous"],
        "line 219"
    );
    acts(246, "The visualization shows 3675 proteins but should show 1172 unique ones", "surgical", 70);
    acts(262, "The ${parameters.input_file} isn't being substituted in the pipeline", "circuitous", 70);
    stays(277, "Something is wrong with the action", Outcome::Clarify);
    let both = acts(289, "Fix the internal parameter flow", "surgical", 70);
    assert_eq!(both.routes[1].name, "circuitous", "line 300");
    assert_eq!(both.routes[1].confidence.points(), Points::hundredths(65), "line 300");
}

#[test]
fn names_guarantee_activation_anywhere_in_any_case() {
    for name in ["surgical", "circuitous", "interstitial"] {
        for message in [
            name.to_owned(),
            name.to_uppercase(),
            format!("please, could you go {name} on this?"),
            format!("({name})"),
            format!("{name}: the weather is nice"),
        ] {
            let answer = acts(191, &message, name, 100);
            assert_eq!(answer.routes[0].matched_by.unwrap().name(), "name", "line 192");
        }
    }
    // The highest confidence score (line 192): no pattern of a route of higher priority comes before a name.
    acts(192, "circuitous, although the statistics show wrong counts", "circuitous", 100);
    acts(203, "circuitous or interstitial?", "interstitial", 100);
    acts(203, "interstitial or circuitous or surgical?", "surgical", 100);
}

#[test]
fn a_name_that_is_denied_or_part_of_a_word_is_none() {
    for message in
        ["surgically clean", "surgical_mask", "do not use surgical", "a non-surgical way", "not circuitous"]
    {
        assert_eq!(route(message).route, None, "{message}");
    }
    acts(0, "not surgical but circuitous", "circuitous", 100);
    acts(0, "use interstitial instead of surgical", "interstitial", 100);
    acts(0, "Instead of surgical use interstitial", "interstitial", 100);
    acts(0, "Don't forget to use surgical mode", "surgical", 100);
    acts(0, "surgical mode is not working", "surgical", 100);
    acts(0, "Use surgical, the counts are not right", "surgical", 100);
    acts(0, "Why not use surgical mode?", "surgical", 100);
    acts(0, &("surgically ".repeat(40) + "use surgical mode"), "surgical", 100);
    acts(0, &("not surgical, ".repeat(40) + "but now surgical"), "surgical", 100);
}

#[test]
fn keyword_bonuses() {
    let bonus = |message: &str, keyword: &str| {
        let answer = route(message);
        let counted =
            answer.routes[0].reasons.iter().filter(|r| r.counts && r.what == format!("keyword {keyword}"));
        counted.map(|reason| reason.points).collect::<Vec<_>>()
    };
    let ten = vec![Points::hundredths(10)];
    for keyword in ["fix", "internal", "logic", "counting", "statistics"] {
        assert_eq!(bonus(&format!("{keyword}: 3675 but should be 1200"), keyword), ten, "line 161");
    }
    for keyword in ["flow", "pipeline", "parameter", "yaml", "strategy"] {
        assert_eq!(bonus(&format!("{keyword}: ${{x}} does not resolve"), keyword), ten, "line 164");
    }
    for keyword in ["interface", "compatibility", "backward", "contract", "api"] {
        assert_eq!(bonus(&format!("{keyword}: upgrade without breaking"), keyword), ten, "line 167");
    }
}

#[test]
fn nothing_activates_on_keywords_alone() {
    for message in [
        "fix internal logic counting statistics",
        "fix, internal, logic, counting, statistics",
        "flow pipeline parameter yaml strategy",
        "interface compatibility backward contract api",
        "statistics",
        "api",
    ] {
        assert_eq!(route(message).route, None, "{message}");
    }
    for message in ["rapid", "prefix", "upload", "know", "a rapid prefix upload, you know"] {
        stays(0, message, Outcome::Abstain);
    }
}

#[test]
fn ordinary_requests_are_left_alone() {
    for message in [
        "Load the protein file",
        "Export the results as CSV",
        "Run the pipeline on my data",
        "What does the statistics module do?",
        "How many strategies are there?",
        "There are no compatibility problems",
        "The pipeline orchestration is not broken",
        "parameter substitution is not broken",
        "Load the data from the API",
        "Export the results through the interface",
        "thanks, that was quick",
        "",
    ] {
        let answer = stays(0, message, Outcome::Abstain);
        assert_eq!(answer.message, "No special framework is needed for this message.");
    }
    // "compatibility" alone is a word of trouble, so this one is asked back; it is not acted on.
    stays(0, "Backward compatibility isn't broken", Outcome::Clarify);
}

#[test]
fn vague_trouble_is_asked_back() {
    for message in ["It is broken", "Fix it", "something fails", "There's a bug somewhere", "it doesn't work"]
    {
        let answer = stays(0, message, Outcome::Clarify);
        let options: Vec<String> =
            answer.clarification.unwrap().options.into_iter().map(|o| o.name).collect();
        assert_eq!(options, ["surgical", "interstitial", "circuitous"]);
    }
}

#[test]
fn a_negation_that_the_pattern_expresses_counts() {
    acts(0, "Parameters don't flow between the steps", "circuitous", 70);
    acts(0, "I don't know why the pipeline orchestration is broken", "circuitous", 70);
    acts(0, "No idea. The pipeline orchestration is broken", "circuitous", 70);
    acts(0, "Isn't this a compatibility problem?", "interstitial", 70);
    acts(0, "no compatibility problems before, but now there is a contract issue", "interstitial", 40);
    acts(0, "Pipeline orchestration isn't failing any more, it is broken", "circuitous", 70);
    acts(0, "It doesn't\nThe pipeline orchestration is broken", "circuitous", 70);
}

#[test]
fn targets() {
    #[track_caller]
    fn check(line: u32, message: &str, route_name: &str, target: Option<&str>, unresolved: Option<&str>) {
        let answer = acts(line, message, route_name, 40);
        let first = &answer.routes[0];
        assert_eq!(first.target.as_deref(), target, "line {line}: {message}");
        assert_eq!(first.target_unresolved.as_deref(), unresolved, "line {line}: {message}");
    }
    let visualizations = Some("GENERATE_MAPPING_VISUALIZATIONS");
    check(228, "Fix GENERATE_MAPPING_VISUALIZATIONS", "surgical", visualizations, None);
    check(228, "fix generate_mapping_visualizations, please", "surgical", visualizations, None);
    check(232, "prot_arv_to_kg2c_v3.0 broken", "circuitous", Some("prot_arv_to_kg2c_v3.0"), None);
    check(232, "The trouble is in prot_arv_to_kg2c_v3.0.", "circuitous", Some("prot_arv_to_kg2c_v3.0"), None);
    check(0, "pipeline.yaml is broken", "circuitous", Some("pipeline.yaml"), None);
    check(0, "Configs/MyStrategy.yaml is broken", "circuitous", Some("Configs/MyStrategy.yaml"), None);
    check(0, "surgical, but not on EXPORT_DATASET", "surgical", None, None);
    check(236, "export compatibility", "interstitial", Some("EXPORT_DATASET"), None);
    check(0, "load compatibility", "interstitial", Some("LOAD_DATASET_IDENTIFIERS"), None);
    check(0, "EXPORT_DATASET compatibility", "interstitial", Some("EXPORT_DATASET"), None);
    check(0, "CUSTOM_TRANSFORM_EXPRESSION is wrong", "surgical", Some("CUSTOM_TRANSFORM_EXPRESSION"), None);
    check(0, "surgical on NO_SUCH_ACTION", "surgical", None, Some("NO_SUCH_ACTION"));
    check(0, "surgical, not EXPORT_DATASET, but FILTER_DATASET", "surgical", Some("FILTER_DATASET"), None);
    check(0, "uploads: the statistics show wrong counts", "surgical", None, None);
}

#[test]
fn commands_override() {
    #[track_caller]
    fn check(line: u32, message: Message, route_name: &str, target: Option<&str>, unresolved: Option<&str>) {
        let text = message.text.clone();
        let answer = route(message);
        let first = &answer.routes[0];
        assert_eq!(answer.route.as_deref(), Some(route_name), "line {line}: {text}");
        assert_eq!(first.matched_by.unwrap().name(), "command");
        assert_eq!(first.confidence.points(), Points::ONE);
        assert_eq!(first.target.as_deref(), target, "line {line}: {text}");
        assert_eq!(first.target_unresolved.as_deref(), unresolved, "line {line}: {text}");
    }
    check(344, "/biomapper-surgical EXPORT_DATASET".into(), "surgical", Some("EXPORT_DATASET"), None);
    check(344, "/BioMapper-Surgical export_dataset".into(), "surgical", Some("EXPORT_DATASET"), None);
    let strategy = Some("prot_arv_to_kg2c_v3.0");
    check(345, "/biomapper-circuitous prot_arv_to_kg2c_v3.0".into(), "circuitous", strategy, None);
    check(346, "/biomapper-interstitial export".into(), "interstitial", Some("EXPORT_DATASET"), None);
    check(0, "/biomapper-surgical NO_SUCH".into(), "surgical", None, Some("NO_SUCH"));
    check(0, "/biomapper-surgical".into(), "surgical", None, None);
    check(0, "/biomapper-circuitous use surgical here".into(), "circuitous", None, None);
    check(0, "/biomapper-surgical fix it".into(), "surgical", None, None);
    check(0, "/biomapper-surgical:EXPORT_DATASET".into(), "surgical", Some("EXPORT_DATASET"), None);
    let argument = "/biomapper-surgical CUSTOM_TRANSFORM to replace CUSTOM_TRANSFORM_EXPRESSION";
    check(0, argument.into(), "surgical", Some("CUSTOM_TRANSFORM"), None);
    let with = |json: &str| serde_json::from_str::<Message>(json).unwrap();
    let fact = r#"{"text": "/biomapper-surgical", "session": {"action": "FILTER_DATASET"}}"#;
    check(0, with(fact), "surgical", Some("FILTER_DATASET"), None);
    let turns = r#"{"text": "/biomapper-surgical", "history": ["MERGE_DATASETS was fine", {"role": "user", "text": "export_dataset is slow"}]}"#;
    check(0, with(turns), "surgical", Some("EXPORT_DATASET"), None);
    let unknown = stays(0, "/biomapper-surgicl EXPORT_DATASET", Outcome::Abstain);
    assert!(unknown.message.contains("did you mean /biomapper-surgical?"), "{}", unknown.message);
    let by_name = stays(0, "/surgical", Outcome::Abstain);
    assert!(by_name.message.contains("did you mean /biomapper-surgical?"), "{}", by_name.message);
}

#[test]
fn an_unknown_target_is_reported_even_where_nothing_is_taken() {
    let answer = stays(0, "Fix FOO_BAR_BAZ", Outcome::Clarify);
    assert_eq!(answer.target_unresolved.as_deref(), Some("FOO_BAR_BAZ"));
}

#[test]
fn the_window_is_settled_by_priority_and_the_rest_is_secondary() {
    let answer = acts(
        197,
        "Backward compatibility broken, and the pipeline orchestration is broken",
        "interstitial",
        70,
    );
    assert_eq!(answer.routes[1].name, "circuitous");
    let codes: Vec<(&str, &str)> = answer.considered.iter().map(|c| (&*c.name, &*c.code)).collect();
    assert_eq!(codes, [("circuitous", "outranked"), ("surgical", "nothing_matched")]);
}
