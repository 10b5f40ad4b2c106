//! What is decided where the scores are given: fallbacks, likeness, flags that exclude each other?

use super::*;
use crate::catalog::Source;
use crate::message::{Message, Reading, Situation};
use crate::signals;

fn catalog(more: &str) -> Catalog {
    let yaml = format!(
        "{more}
thresholds: {{base: 0.7, high: 0.85, window: 0}}
flags: {{known: {{--seq: Think., --no-mcp: Alone., --uc: Short.}}, conflicts: [[--no-mcp, --seq]]}}
routes:
  - {{name: painter, description: P, commands: [paint]}}
  - {{name: plumber, description: P, commands: [plumb]}}
  - {{name: universal, description: U, commands: [any]}}
"
    );
    Catalog::read(&[Source::new("test.yaml", yaml)], "test").catalog.unwrap()
}

/// A score of a route by its name, in hundredths: how sure, and how like its own.
fn score(catalog: &Catalog, (name, sure, like): (&str, i32, i32)) -> Score<'static> {
    Score {
        route: catalog.routes().find(|(_, route)| &*route.name == name).unwrap().0,
        confidence: Confidence::new(Points::hundredths(sure)),
        force: None,
        matched_by: None,
        needed: None,
        belief: Confidence::new(Points::hundredths(like)),
        reasons: Vec::new(),
    }
}

/// The outcome, why, the ranking, and the code of each loser.
#[track_caller]
fn check(catalog: &Catalog, text: &str, scores: &[(&str, i32, i32)], expected: &str) {
    let situation = Situation { message: Message::from(text), ..Situation::default() };
    let signals = signals::notice(catalog, &situation, &Reading::new(text));
    let scores: Vec<Score<'_>> = scores.iter().map(|given| score(catalog, *given)).collect();
    let decision = decide(catalog, &signals, &scores, catalog.thresholds().base);
    let ranked: Vec<&str> = decision.ranked.iter().map(|route| catalog.route_name(*route)).collect();
    let losers: Vec<String> = decision
        .losers
        .iter()
        .map(|l| format!("{}:{}", catalog.route_name(l.route), l.lost.code()))
        .collect();
    let why = match &decision.why {
        Why::Conflict(pair) => format!("{} {}", pair.one, pair.other),
        why => format!("{why:?}"),
    };
    let outcome = decision.outcome.name();
    assert_eq!(format!("{outcome} {why}: {} / {}", ranked.join(" "), losers.join(" ")), expected, "{text:?}");
}

#[test]
fn the_fallback_is_taken_where_nobody_is_sure_enough_and_only_there() {
    let catalog = catalog("fallback: universal");
    let sure = |painter: i32, universal: i32| {
        [("painter", painter, 0), ("plumber", 30, 0), ("universal", universal, 0)]
    };
    check(&catalog, "x", &sure(70, 99), "act Surest: painter / universal:not_needed plumber:below_threshold");
    check(
        &catalog,
        "x",
        &sure(69, 99),
        "act Fallback: universal / painter:below_threshold plumber:below_threshold",
    );
    check(
        &catalog,
        "x",
        &sure(0, 0),
        "act Fallback: universal / plumber:below_threshold painter:nothing_matched",
    );
    // Taken is taken, though nothing was noticed of it.
    check(&catalog, "x", &[], "act Fallback: universal / painter:nothing_matched plumber:nothing_matched");
    check(
        &catalog,
        "x",
        &sure(70, 0)[..1],
        "act Surest: painter / plumber:nothing_matched universal:not_needed",
    );
}

#[test]
fn a_catalog_that_takes_many_takes_its_fallback_alone() {
    let catalog = catalog("select: many\nfallback: universal");
    let sure =
        |painter: i32, plumber: i32| [("painter", painter, 0), ("plumber", plumber, 0), ("universal", 50, 0)];
    check(&catalog, "x", &sure(80, 90), "act Several(2): plumber painter / universal:not_needed");
    check(
        &catalog,
        "x",
        &sure(60, 10),
        "act Fallback: universal / painter:below_threshold plumber:below_threshold",
    );
}

#[test]
fn what_is_equally_sure_is_settled_by_likeness() {
    let catalog = catalog("");
    for (painter, plumber, expected) in [
        (40, 41, "act Preferred: plumber painter / painter:outranked universal:nothing_matched"),
        (41, 40, "act Preferred: painter plumber / plumber:outranked universal:nothing_matched"),
    ] {
        check(&catalog, "x", &[("painter", 75, painter), ("plumber", 75, plumber)], expected);
    }
    let surer = "act Surest: painter plumber / plumber:less_sure universal:nothing_matched";
    check(&catalog, "x", &[("painter", 76, 0), ("plumber", 75, 99)], surer);
}

#[test]
fn flags_that_exclude_each_other_are_asked_about_whoever_is_sure() {
    for more in ["", "fallback: universal", "select: many"] {
        let catalog = catalog(more);
        let losers = "painter:conflicting_flags plumber:conflicting_flags universal:conflicting_flags";
        let torn = format!("clarify --no-mcp --seq:  / {losers}");
        for text in ["do it --seq --no-mcp", "--no-mcp now, and --seq", "/paint it --seq --no-mcp"] {
            check(&catalog, text, &[("painter", 99, 0)], &torn);
        }
        check(&catalog, "/what --seq --no-mcp", &[], &format!("abstain {}", refused(&catalog)));
    }
    let alone = "act Surest: painter / plumber:nothing_matched universal:nothing_matched";
    for text in ["do it --seq", "do it --seq --uc", "do it --no-mcp, do not use --seq"] {
        check(&catalog(""), text, &[("painter", 99, 0)], alone);
    }
}

/// What an unknown command leaves: it goes before flags.
fn refused(catalog: &Catalog) -> String {
    let losers: Vec<String> =
        catalog.routes().map(|(_, route)| format!("{}:unknown_command", route.name)).collect();
    let unknown = UnknownCommand { given: "what".to_owned(), nearest: None };
    format!("{:?}:  / {}", Why::UnknownCommand(unknown), losers.join(" "))
}

#[test]
fn a_moved_threshold_decides_on_either_side_of_it() {
    let catalog = catalog("fallback: universal");
    let signals = Signals::default();
    for (sure, threshold, taken) in [
        (68, 62, "painter"),
        (68, 68, "painter"),
        (68, 69, "universal"),
        (68, 70, "universal"),
        (72, 70, "painter"),
        (72, 80, "universal"),
        (80, 80, "painter"),
    ] {
        let scores = [score(&catalog, ("painter", sure, 0))];
        let threshold = Confidence::new(Points::hundredths(threshold));
        let decision = decide(&catalog, &signals, &scores, threshold);
        assert_eq!(catalog.route_name(decision.ranked[0]), taken, "{sure} {threshold}");
        assert_eq!(decision.threshold, threshold);
    }
}
