//! Is the page the one people show each other? Snapshots of the real binary's output.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use support::{waypost, waypost_in};
use tempfile::tempdir;

#[track_caller]
fn page(message: &str) -> String {
    let run = waypost(&["explain", "--catalog", "triad", message]);
    assert_eq!(run.code, 0, "{}", run.err);
    run.out
}

#[test]
fn a_pattern_with_keywords() {
    insta::assert_snapshot!(page("The ${parameters.input_file} isn't being substituted in the pipeline"));
}

#[test]
fn two_routes_settled_by_priority() {
    insta::assert_snapshot!(page("Fix the internal parameter flow"));
}

#[test]
fn a_denied_match() {
    insta::assert_snapshot!(page("There are no compatibility problems"));
}

#[test]
fn a_vague_complaint() {
    insta::assert_snapshot!(page("Something is wrong with the action"));
}

#[test]
fn an_unknown_command() {
    insta::assert_snapshot!(page("/biomapper-surgicl EXPORT_DATASET"));
}

#[test]
fn a_closed_gate() {
    let run = waypost(&["explain", "--catalog", "choices", "/itn 5000", "--session", "tpr_complete=true"]);
    assert_eq!(run.code, 0, "{}", run.err);
    insta::assert_snapshot!(run.out);
}

#[test]
fn wide_and_strange_characters_keep_the_marks_in_place() {
    insta::assert_snapshot!(page("数据 👩‍💻 surgical\u{7}\u{202e} ok\nand a second line, surgical again"));
}

#[test]
fn the_page_as_html_is_one_file_that_obeys_nothing() {
    let here = tempdir().unwrap();
    let message = "<script>alert(1)</script> & 'surgical' \"mode\", not circuitous";
    let args = ["explain", "--catalog", "triad", "--html", "page.html", message];
    let run = waypost_in(here.path(), &args, b"", &[]);
    assert_eq!(run.code, 0, "{}", run.err);
    let html = std::fs::read_to_string(here.path().join("page.html")).unwrap();
    assert!(!html.contains("<script") && !html.contains("http"), "nothing is fetched or run");
    // The id of the decision is its own each time.
    let steady: Vec<&str> = html.split("decision ").collect();
    insta::assert_snapshot!(steady[0]);
}
