//! Do checks, actions and risk say what the catalog says? One catalog in the document's words, and tables over it.

use proptest::prelude::*;

use super::*;
use crate::catalog::{Catalog, Source, Tiers};
use crate::resources::Zone;

const YAML: &str = "
routes: [{name: frontend, description: Pages, examples: [a page]}, {name: qa, description: Tests, examples: [a test]}]
resources:
  zones:
    yellow: {suggest: [caching, --uc], say: Be thrifty.}
    orange: {defer: [not-essential], say: What can wait should wait.}
    red: {activate: [--uc], block: [heavy, creation]}
    critical: {activate: [--safe-mode], block: [not-essential], say: Essentials only.}
flags:
  known: {--uc: Short answers., --verbose: Long ones., --seq: Steps., --no-mcp: No servers., --safe-mode: With care.}
  conflicts: [[--no-mcp, --seq], [--uc, --verbose]]
  activate: {complex: [--seq], debugging: [--verbose]}
preflight:
  heavy: [complex, implementation]
  essential: [debugging]
  space_mb: 10
  slow_ms: 200
  tools: [git]
  project: [README.md]
  servers: [{name: steps, command: npx}, {name: docs, url: 'http://localhost:9'}]
  requires:
    personas: {frontend: {tools: [node], project: [package.json], servers: [docs]}}
    commands: {test: {servers: [steps], personas: [qa]}}
";

fn precautions() -> Precautions {
    let checked = Catalog::check(&[Source::new("test.yaml", YAML)], "test");
    assert!(checked.problems.is_empty(), "{:?}", checked.problems);
    checked.catalog.unwrap().precautions().clone()
}

fn cpu(used: f64) -> Resources {
    Resources { cpu: Some(used), ..Resources::default() }
}

fn task(operation: &str, complexity: f64) -> Task {
    Task {
        operation: Some(operation.to_owned()),
        complexity: Some(Points::from_share(complexity)),
        ..Task::default()
    }
}

fn look_at(text: &str, task: &Task, resources: &Resources, observed: &Observed) -> Preflight {
    look(&precautions(), &Reading::new(text), task, resources, &Standing::default(), observed)
}

/// The verdict and the words of one check.
#[track_caller]
fn check_one(found: &Preflight, name: &str, verdict: Verdict, detail: &str) {
    let check = found.checks.iter().find(|check| check.name == name).unwrap();
    assert_eq!((check.verdict, check.detail.as_str()), (verdict, detail), "{name}");
}

#[test]
fn tokens_pass_up_to_their_budget() {
    let check = |tokens, token_budget, verdict, detail| {
        let task = Task { tokens, token_budget, ..Task::default() };
        check_one(&look_at("", &task, &cpu(0.1), &Observed::default()), "tokens", verdict, detail);
    };
    check(Some(5000), Some(5000), Verdict::Pass, "about 5000 of 5000");
    check(Some(5001), Some(5000), Verdict::Fail, "about 5001, 1 more than the budget of 5000");
    check(None, Some(5000), Verdict::Unknown, "not checked: no prediction");
    check(Some(5000), None, Verdict::Unknown, "not checked: no budget");
}

#[test]
fn resources_are_short_from_red_on() {
    let check = |memory, verdict, detail| {
        let resources = Resources { memory, cpu: memory, disk: memory };
        let found = look_at("", &Task::default(), &resources, &Observed::default());
        for name in ["memory", "cpu", "disk"] {
            check_one(&found, name, verdict, detail);
        }
    };
    check(Some(0.849_999), Verdict::Pass, "used to 84.9999 %");
    check(Some(0.85), Verdict::Fail, "used to 85 %; from 85 % on it is short");
    check(None, Verdict::Unknown, "not checked");
}

#[test]
fn state_needs_a_writable_folder_with_space() {
    let check = |writable, free_bytes, name, verdict, detail| {
        let observed = Observed { writable, free_bytes, ..Observed::default() };
        check_one(&look_at("", &Task::default(), &cpu(0.1), &observed), name, verdict, detail);
    };
    check(Some(true), None, "permissions", Verdict::Pass, "state can be written");
    let closed = "the folder that state is kept in cannot be written to";
    check(Some(false), None, "permissions", Verdict::Fail, closed);
    check(None, None, "permissions", Verdict::Unknown, "not checked");
    check(None, Some(10_000_000), "space", Verdict::Pass, "10 MB are free");
    check(None, Some(9_999_999), "space", Verdict::Fail, "9 MB are free; 10 MB are needed");
    check(None, None, "space", Verdict::Unknown, "not checked");
}

fn seen(names: &[(&str, bool)]) -> std::collections::BTreeMap<String, bool> {
    names.iter().map(|(name, there)| ((*name).to_owned(), *there)).collect()
}

#[test]
fn tools_and_files_are_found_missing_or_not_looked_for() {
    let frontend = Task { persona: Some("frontend".to_owned()), ..Task::default() };
    let check = |tools: &[(&str, bool)], verdict, detail| {
        let observed = Observed { tools: seen(tools), ..Observed::default() };
        check_one(&look_at("", &frontend, &cpu(0.1), &observed), "tools", verdict, detail);
    };
    check(&[("git", true), ("node", true)], Verdict::Pass, "found git, node");
    check(&[("git", true), ("node", false)], Verdict::Fail, "missing: node");
    check(&[("node", false)], Verdict::Fail, "missing: node");
    check(&[("git", true)], Verdict::Unknown, "not checked: node");
    let check = |project: &[(&str, bool)], verdict, detail| {
        let observed = Observed { project: seen(project), ..Observed::default() };
        check_one(&look_at("", &frontend, &cpu(0.1), &observed), "project", verdict, detail);
    };
    check(&[("README.md", true), ("package.json", true)], Verdict::Pass, "found README.md, package.json");
    check(&[("README.md", false), ("package.json", true)], Verdict::Fail, "missing: README.md");
    check(&[], Verdict::Unknown, "not checked: README.md, package.json");
}

#[test]
fn servers_are_reached_soon_late_or_never() {
    let both =
        Task { persona: Some("frontend".to_owned()), command: Some("test".to_owned()), ..Task::default() };
    let check = |servers: &[(&str, Reach)], verdict, detail| {
        let servers = servers.iter().map(|(name, reach)| ((*name).to_owned(), reach.clone())).collect();
        let observed = Observed { servers, ..Observed::default() };
        check_one(&look_at("", &both, &cpu(0.1), &observed), "servers", verdict, detail);
    };
    let (soon, late) = (Reach::After(200), Reach::After(201));
    check(
        &[("docs", soon.clone()), ("steps", soon.clone())],
        Verdict::Pass,
        "docs in 200 ms; steps in 200 ms",
    );
    let slow = "docs only after 201 ms; the most is 200 ms; steps not checked";
    check(&[("docs", late)], Verdict::Fail, slow);
    let refused = Reach::Failed("refused".to_owned());
    check(
        &[("docs", soon.clone()), ("steps", refused)],
        Verdict::Fail,
        "docs in 200 ms; steps offline: refused",
    );
    check(&[("steps", soon)], Verdict::Unknown, "docs not checked; steps in 200 ms");
    let nobody = look_at("", &Task::default(), &cpu(0.1), &Observed::default());
    check_one(&nobody, "servers", Verdict::Pass, "none is required");
}

#[test]
fn commands_work_with_their_personas() {
    let check = |persona: Option<&str>, command: Option<&str>, verdict, detail| {
        let task = Task {
            persona: persona.map(str::to_owned),
            command: command.map(str::to_owned),
            ..Task::default()
        };
        let found = look_at("", &task, &cpu(0.1), &Observed::default());
        check_one(&found, "persona_and_command", verdict, detail);
    };
    check(Some("qa"), Some("test"), Verdict::Pass, "/test works with qa");
    check(Some("frontend"), Some("test"), Verdict::Fail, "/test works with qa, not with frontend");
    check(None, Some("test"), Verdict::Unknown, "not checked: /test works with qa, and no route is chosen");
    check(Some("frontend"), Some("build"), Verdict::Pass, "/build works with any");
    check(None, None, Verdict::Pass, "no command is given");
}

#[test]
fn flags_are_meant_together_or_refused() {
    let check = |text, verdict, detail| {
        let found = look_at(text, &Task::default(), &cpu(0.1), &Observed::default());
        check_one(&found, "flags", verdict, detail);
    };
    check("fix it --seq --uc", Verdict::Pass, "--seq, --uc");
    check("fix it", Verdict::Pass, "none is given");
    let pair = "the flags --no-mcp and --seq exclude each other; give one of them";
    check("fix it --no-mcp --seq", Verdict::Fail, pair);
    let reading = Reading::new("fix it --seq");
    let found = look(
        &Precautions::default(),
        &reading,
        &Task::default(),
        &cpu(0.1),
        &Standing::default(),
        &Observed::default(),
    );
    check_one(&found, "flags", Verdict::Unknown, "not checked: the catalog knows no flags");
}

/// What happens at so much use: permission with its reason, flags set, and what is suggested.
#[track_caller]
fn check_zone(used: f64, text: &str, task: &Task, because: Option<&str>, flags: &[&str], suggested: &[&str]) {
    let actions = look_at(text, task, &cpu(used), &Observed::default()).actions;
    let set: Vec<&str> = actions.activated.iter().map(|activated| activated.flag.as_str()).collect();
    assert_eq!(actions.because.as_deref(), because, "{used}");
    assert_eq!((set.as_slice(), actions.suggested.as_slice()), (flags, &to_owned(suggested)[..]), "{used}");
}

fn to_owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn each_zone_does_its_own_and_what_the_milder_ones_do() {
    let analysis = task("analysis", 0.2);
    check_zone(0.599_999, "", &analysis, None, &[], &[]);
    check_zone(0.60, "", &analysis, None, &[], &["caching", "--uc"]);
    let deferred = Some("deferred from zone orange on: it is not essential");
    check_zone(0.75, "", &analysis, deferred, &[], &["caching", "--uc"]);
    check_zone(0.85, "", &analysis, deferred, &["--uc"], &["caching"]);
    let blocked = Some("blocked from zone critical on: it is not essential");
    check_zone(0.95, "", &analysis, blocked, &["--safe-mode", "--uc"], &["caching"]);
}

#[test]
fn heavy_work_is_blocked_in_red_unless_it_is_essential() {
    let heavy = Some("blocked from zone red on: it is heavy work");
    let deferred = Some("deferred from zone orange on: it is not essential");
    check_zone(0.85, "", &task("implementation", 0.2), heavy, &["--uc"], &["caching"]);
    check_zone(0.849_999, "", &task("implementation", 0.2), deferred, &[], &["caching", "--uc"]);
    check_zone(0.85, "", &task("analysis", 0.71), heavy, &["--uc", "--seq"], &["caching"]);
    check_zone(0.85, "", &task("analysis", 0.70), deferred, &["--uc"], &["caching"]);
    check_zone(0.99, "", &task("debugging", 0.9), None, &["--safe-mode", "--uc", "--seq"], &["caching"]);
    let critical = Task { critical: true, ..task("analysis", 0.9) };
    check_zone(0.99, "", &critical, None, &["--safe-mode", "--uc", "--seq"], &["caching"]);
    let named = Task { critical: true, ..task("creation", 0.1) };
    let by_name = Some("blocked from zone red on: it is creation");
    check_zone(0.85, "", &named, by_name, &["--uc"], &["caching"]);
}

#[test]
fn what_is_given_comes_before_what_is_activated() {
    let debugging = task("debugging", 0.9);
    check_zone(0.1, "", &debugging, None, &["--seq", "--verbose"], &[]);
    check_zone(0.1, "--seq", &debugging, None, &["--verbose"], &[]);
    check_zone(0.1, "--no-mcp", &debugging, None, &["--verbose"], &[]);
    check_zone(0.85, "", &debugging, None, &["--uc", "--seq"], &["caching"]);
    let withheld = |used: f64, text: &str| {
        let actions = look_at(text, &debugging, &cpu(used), &Observed::default()).actions;
        let words = |w: &Withheld| format!("{} by {} excludes {}", w.flag, w.by, w.excludes);
        actions.withheld.iter().map(words).collect::<Vec<_>>()
    };
    assert_eq!(withheld(0.1, "--no-mcp"), ["--seq by complex excludes --no-mcp"]);
    assert_eq!(withheld(0.9, ""), ["--verbose by debugging excludes --uc"]);
    assert_eq!(withheld(0.9, "--verbose"), ["--uc by zone red excludes --verbose"]);
}

#[test]
fn the_costly_tiers_stop_at_red_and_the_harshest_zone_speaks() {
    let at = |used: f64| look_at("", &Task::default(), &cpu(used), &Observed::default());
    let say = |used: f64| at(used).actions.say;
    assert_eq!(at(0.849_999).actions.tiers, Tiers::All);
    assert_eq!(at(0.85).actions.tiers, Tiers::Cheap);
    assert_eq!(say(0.1), None);
    assert_eq!(say(0.6).as_deref(), Some("Be thrifty."));
    assert_eq!(say(0.9).as_deref(), Some("What can wait should wait."));
    assert_eq!(say(0.95).as_deref(), Some("Essentials only."));
    assert_eq!(Precautions::default().tiers(Zone::Orange), Tiers::All);
    assert_eq!(Precautions::default().tiers(Zone::Red), Tiers::Cheap);
}

fn risk_of(task: &Task, resources: &Resources, success: Option<f64>, precautions: &Precautions) -> Risk {
    let standing = Standing { recent_success_rate: success, ..Standing::default() };
    assess(precautions, task, &resources.pressure(&precautions.bounds), &standing)
}

#[test]
fn risk_is_explained_part_by_part() {
    let wide = Task { areas: 3, production: true, critical: true, ..task("creation", 0.9) };
    let risk = risk_of(&wide, &cpu(0.9), Some(0.4), &precautions());
    let told: Vec<String> = risk
        .parts
        .iter()
        .map(|part| {
            let grounds: Vec<String> =
                part.grounds.iter().map(|ground| format!("{} {}", ground.points, ground.says)).collect();
            format!("{} {:.3} = {} x ({})", part.name, part.points, part.weight, grounds.join(" + "))
        })
        .collect();
    assert_eq!(
        told,
        [
            "complexity 0.270 = 0.30 x (0.90 the task is complex)",
            "failure 0.180 = 0.30 x (0.60 60 % of the user's last tasks failed)",
            "exhaustion 0.150 = 0.20 x (0.75 cpu is used to 90 %)",
            "cascade 0.200 = 0.20 x (0.40 a complex task changes a system + 0.20 it touches 3 areas \
             + 0.20 it runs in production + 0.20 it is critical)",
        ]
    );
    assert_eq!((risk.risk, risk.safe_mode), (Points::hundredths(80), false));
}

#[test]
fn the_failures_of_a_specialist_count_before_those_of_the_user() {
    let task = Task { specialist_failed: Some(Points::hundredths(75)), ..task("creation", 0.2) };
    let risk = risk_of(&task, &cpu(0.1), Some(0.9), &precautions());
    let failure = &risk.parts[1];
    assert_eq!((failure.likelihood, failure.points), (Points::hundredths(75), Points::from_share(0.225)));
    assert_eq!(failure.grounds[0].says, "75 % of the specialist's tasks in this area failed");
}

#[test]
fn what_nobody_knows_is_taken_as_the_middle_and_said() {
    let risk = risk_of(&Task::default(), &Resources::default(), None, &precautions());
    let likely: Vec<f64> = risk.parts.iter().map(|part| part.likelihood.share()).collect();
    assert_eq!(likely, [0.5, 0.5, 0.0, 0.2]);
    let said =
        risk.parts.iter().flat_map(|part| &part.grounds).filter(|ground| ground.says.contains("taken as"));
    assert_eq!(said.count(), 4);
}

#[test]
fn safe_mode_is_suggested_above_eight_tenths_and_not_at_it() {
    let mut alone = precautions();
    alone.risk.complexity = Points::ONE;
    (alone.risk.failure, alone.risk.exhaustion, alone.risk.cascade) =
        (Points::ZERO, Points::ZERO, Points::ZERO);
    for (complexity, safe_mode) in [(0.799_999, false), (0.8, false), (0.800_001, true)] {
        let risk = risk_of(&task("", complexity), &cpu(0.1), None, &alone);
        assert_eq!((risk.risk.share(), risk.safe_mode), (complexity, safe_mode));
    }
    // The same with the catalog's own weights: 0.18 + 0.15 + 0.2 leave 0.27 to complexity, which is 0.9.
    let wide = |complexity| Task { areas: 3, production: true, critical: true, ..task("", complexity) };
    for (complexity, safe_mode) in [(0.899_996, false), (0.9, false), (0.900_004, true)] {
        let risk = risk_of(&wide(complexity), &cpu(0.9), Some(0.4), &precautions());
        assert_eq!(risk.safe_mode, safe_mode, "{}", risk.risk.share());
    }
}

#[test]
fn everything_survives_json() {
    let found = look_at("fix it --no-mcp --seq", &task("creation", 0.9), &cpu(0.97), &Observed::default());
    let read: Preflight = serde_json::from_str(&serde_json::to_string(&found).unwrap()).unwrap();
    assert_eq!(found, read);
}

proptest! {
    #[test]
    fn risk_is_a_share_and_its_parts_add_up(
        (complexity, areas) in (proptest::option::of(-0.5f64..1.5), 0usize..9),
        (production, critical) in (any::<bool>(), any::<bool>()),
        (used, success) in (proptest::option::of(-0.5f64..1.5), proptest::option::of(-0.5f64..1.5)),
        cuts in proptest::array::uniform3(0i32..=100),
    ) {
        let mut cuts = cuts;
        cuts.sort_unstable();
        let mut precautions = precautions();
        precautions.risk.complexity = Points::hundredths(cuts[0]);
        precautions.risk.failure = Points::hundredths(cuts[1] - cuts[0]);
        precautions.risk.exhaustion = Points::hundredths(cuts[2] - cuts[1]);
        precautions.risk.cascade = Points::hundredths(100 - cuts[2]);
        let complexity = complexity.map(Points::from_share);
        let task = Task { complexity, areas, production, critical, ..Task::default() };
        let resources = Resources { memory: used, ..Resources::default() };
        let risk = risk_of(&task, &resources, success, &precautions);
        prop_assert!((Points::ZERO..=Points::ONE).contains(&risk.risk));
        prop_assert_eq!(risk.parts.iter().map(|part| part.points).sum::<Points>(), risk.risk);
        prop_assert_eq!(risk.safe_mode, risk.risk > Points::hundredths(80));
        for part in &risk.parts {
            prop_assert!((Points::ZERO..=part.weight).contains(&part.points));
            prop_assert_eq!(part.grounds.iter().map(|ground| ground.points).sum::<Points>(), part.likelihood);
        }
    }
}
