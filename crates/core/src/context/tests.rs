//! Is a message told for what it is, and is what cannot be told left unknown?

use proptest::prelude::*;

use super::*;
use crate::catalog::{Catalog, Source};

/// `urgency`, `area` and `stage` are told by words alone; the others are taught by messages too.
const CATALOG: &str = r"
routes: [{name: any, description: Any, commands: [go]}]
context:
  understands: {layer: language, label: english}
  layers:
    - name: language
      labels:
        - {name: english, examples: [where is it]}
        - {name: other, examples: [wo ist es]}
    - name: urgency
      default: medium
      labels:
        - {name: high, words: [urgent, now, [as soon as possible, asap]], typical: [please]}
        - {name: medium}
        - {name: low, words: [whenever]}
    - name: area
      labels:
        - {name: frontend, words: [css, shared], files: ['*.tsx']}
        - {name: documentation, words: [readme, shared], files: ['docs/*', '*.md']}
        - {name: anything, files: ['*.*']}
    - name: sensitivity
      default: public
      always: 'yes'
      labels:
        - {name: safety_critical, words: [overdose], examples: [i took too much]}
        - {name: pii, holds: personal}
        - {name: internal, words: [confidential], holds: secret}
        - {name: public, examples: [hello there]}
    - name: complexity
      labels:
        - {name: simple, score: 0, below: 0.3, tokens: 5000, minutes: 5, examples: [fix a typo]}
        - {name: moderate, score: 0.5, up_to: 0.7, tokens: 15000, minutes: 30, examples: [add a form]}
        - {name: complex, score: 1, tokens: 30000, examples: [move the platform]}
    - name: stage
      labels:
        - {name: production, words: [in production], sets: is_production}
        - {name: elsewhere, words: [staging]}
";

/// Labels counted through all layers.
const LABELS: usize = 2 + 3 + 3 + 4 + 3 + 2;
/// English, everything else undecided: public and moderate.
const PLAIN: [f32; LABELS] =
    [0.9, 0.1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.9, 0.0, 1.0, 0.0, 0.0, 0.0];

fn catalog() -> Catalog {
    let read = Catalog::read(&[Source::new("test.yaml", CATALOG)], "test");
    assert!(read.problems.is_empty(), "{:?}", read.problems);
    read.catalog.unwrap()
}

fn told(catalog: &Catalog, text: &str, beliefs: Option<&[f32]>) -> Context {
    let labels = catalog.context().unwrap();
    tell(labels, glance(labels, text, &Reading::new(text)), beliefs)
}

/// The beliefs of a plain message, with some of one layer's own.
fn believing(start: usize, own: &[f32]) -> [f32; LABELS] {
    let mut beliefs = PLAIN;
    beliefs[start..start + own.len()].copy_from_slice(own);
    beliefs
}

const SENSITIVITY: usize = 8;
const COMPLEXITY: usize = 12;

/// The label of a layer and what settled it.
#[track_caller]
fn check_with(text: &str, beliefs: Option<&[f32]>, layer: &str, expected: &str) {
    let catalog = catalog();
    let (labels, context) = (catalog.context().unwrap(), told(&catalog, text, beliefs));
    let answered = context.answered(labels, layer).unwrap();
    let label = context.label(labels, layer).unwrap_or("unknown");
    assert_eq!(format!("{label} {}", answered.by.name()), expected, "{layer} of {text:?}: {answered:?}");
}

#[track_caller]
fn check(text: &str, layer: &str, expected: &str) {
    check_with(text, Some(&PLAIN), layer, expected);
    if !["sensitivity", "complexity", "language"].contains(&layer) {
        check_with(text, None, layer, expected);
    }
}

#[test]
fn words_stand_on_word_bounds_and_are_not_denied() {
    check("do it now", "urgency", "high keyword");
    check("NOW!", "urgency", "high keyword");
    check("i know that", "urgency", "medium none");
    check("nowhere to be found", "urgency", "medium none");
    check("this is urgent", "urgency", "high keyword");
    check("this is not urgent", "urgency", "medium none");
    check("it isn't urgent", "urgency", "medium none");
    check("not urgent, do it whenever", "urgency", "low keyword");
    check("reply ASAP", "urgency", "high keyword");
    check("please look", "urgency", "high keyword");
}

#[test]
fn a_word_counts_once_in_whatever_form_and_three_say_no_more_than_two() {
    let catalog = catalog();
    let loud = |text: &str| told_loudness(&catalog, text);
    assert_eq!(loud("asap"), loud("asap, as soon as possible, asap"));
    assert!(loud("please") < loud("asap") && loud("asap") < loud("asap, urgent"));
    assert_eq!(loud("asap, urgent"), loud("asap, urgent, now"));
}

fn told_loudness(catalog: &Catalog, text: &str) -> Points {
    let words = glance(catalog.context().unwrap(), text, &Reading::new(text)).words;
    Points::from_share(f64::from(words.loudness[2]))
}

#[test]
fn the_place_of_a_word_is_told_as_it_was_written() {
    let (catalog, text) = (catalog(), "Ünd: URGENT, urgent");
    let context = told(&catalog, text, None);
    let span = context.answered(catalog.context().unwrap(), "urgency").unwrap().span.unwrap();
    assert_eq!(span.range(), 6..12, "{}", span.of(text));
}

#[test]
fn files_speak_for_areas_by_their_patterns() {
    check("look at src/App.tsx", "area", "frontend keyword");
    check("look at docs/start.html", "area", "documentation keyword");
    check("look at README.md", "area", "documentation keyword");
    // A pattern that every file fits says nothing.
    check("look at main.rs", "area", "unknown none");
}

#[test]
fn the_earlier_label_wins_ties() {
    check("something shared", "area", "frontend keyword");
    check("css of the readme", "area", "frontend keyword");
    check_with("x", Some(&believing(COMPLEXITY, &[0.5, 0.5, 0.0])), "complexity", "simple learned");
    check_with("x", Some(&believing(SENSITIVITY, &[0.0, 0.0, 0.4, 0.4])), "sensitivity", "internal learned");
}

#[test]
fn what_a_message_holds_settles_a_label() {
    let surely_public = believing(SENSITIVITY, &[0.0, 0.0, 0.0, 1.0]);
    for beliefs in [Some(&PLAIN[..]), Some(&surely_public), None] {
        check_with("write to anna.berg@example.com", beliefs, "sensitivity", "pii pattern");
        check_with("the key is AKIAIOSFODNN7EXAMPLE", beliefs, "sensitivity", "internal pattern");
    }
    check_with("nothing of the kind", Some(&PLAIN), "sensitivity", "public learned");
    check_with("confidential", None, "sensitivity", "internal keyword");
}

#[test]
fn what_comes_before_goes_first_where_it_is_likelier_than_not() {
    let mail = "overdose, write to anna.berg@example.com";
    for (belief, expected) in
        [(0.51, "safety_critical keyword"), (0.5, "pii pattern"), (0.2, "pii pattern"), (0.0, "pii pattern")]
    {
        let beliefs = believing(SENSITIVITY, &[belief, 0.0, 0.0, 1.0 - belief]);
        check_with(mail, Some(&beliefs), "sensitivity", expected);
    }
}

#[test]
fn what_cannot_be_read_is_unknown_but_where_the_catalog_says_always() {
    let foreign = believing(0, &[0.3, 0.7]);
    let cyrillic = "это срочно, now, css, in production: anna.berg@example.com, и ещё немного слов по-русски";
    for (text, beliefs) in
        [(cyrillic, Some(&PLAIN)), (cyrillic, None), ("now css in production", Some(&foreign))]
    {
        let beliefs = beliefs.map(|beliefs| &beliefs[..]);
        for layer in ["urgency", "area", "complexity", "stage"] {
            check_with(text, beliefs, layer, "unknown none");
        }
    }
    // A layer that is always answered goes by words and by what the message holds, never by what was learned.
    check_with(cyrillic, Some(&PLAIN), "sensitivity", "pii pattern");
    check_with("overdose", Some(&foreign), "sensitivity", "safety_critical keyword");
    check_with("hello", Some(&foreign), "sensitivity", "unknown none");
    // The layer that tells the language says what it is, and doubt is not enough.
    check_with("now css", Some(&foreign), "language", "other learned");
    check_with("now css", Some(&believing(0, &[0.51, 0.49])), "urgency", "high keyword");
    // Numbers and signs are no foreign letters.
    check("1 + 1, now", "urgency", "high keyword");
}

#[test]
fn what_a_message_holds_is_not_told_where_it_cannot_be_read() {
    let yaml = CATALOG.replace("      always: 'yes'\n", "");
    let catalog = Catalog::read(&[Source::new("test.yaml", yaml)], "test").catalog.unwrap();
    let labels = catalog.context().unwrap();
    let label =
        |text: &str| told(&catalog, text, None).label(labels, "sensitivity").unwrap_or("unknown").to_owned();
    assert_eq!(label("write to anna.berg@example.com"), "pii");
    assert_eq!(label("напишите: anna.berg@example.com, пожалуйста, и побыстрее"), "unknown");
}

#[test]
fn a_layer_without_messages_goes_by_words_whatever_was_learned() {
    let urgent = believing(2, &[1.0, 0.0, 0.0]);
    check_with("take a look", Some(&urgent), "urgency", "medium none");
    check_with("whenever", Some(&urgent), "urgency", "low keyword");
    check_with("look", Some(&urgent), "stage", "unknown none");
}

/// Beliefs in simple, moderate and complex, the score and the band.
#[track_caller]
fn check_complexity(beliefs: [f32; 3], expected: &str) {
    let catalog = catalog();
    let complexity = told(&catalog, "x", Some(&believing(COMPLEXITY, &beliefs))).complexity;
    let layer = &catalog.context().unwrap().layers()[4];
    let told = complexity.map(|found| {
        let band = &layer.labels[found.band];
        assert_eq!(found.budget, band.budget);
        format!("{:.6} {} {}", found.score, band.name, found.confidence)
    });
    assert_eq!(told.unwrap_or_default(), expected, "{beliefs:?}");
}

#[test]
fn a_score_falls_into_its_band_at_the_bounds() {
    check_complexity([1.0, 0.0, 0.0], "0.000000 simple 0.99");
    check_complexity([0.400_002, 0.599_998, 0.0], "0.299999 simple 0.40");
    check_complexity([0.4, 0.6, 0.0], "0.300000 moderate 0.60");
    check_complexity([0.0, 1.0, 0.0], "0.500000 moderate 0.99");
    check_complexity([0.0, 0.6, 0.4], "0.700000 moderate 0.60");
    check_complexity([0.0, 0.599_998, 0.400_002], "0.700001 complex 0.40");
    check_complexity([0.0, 0.0, 1.0], "1.000000 complex 0.99");
    // The likeliest label need not be the band of the mean.
    check_complexity([0.5, 0.0, 0.5], "0.500000 moderate 0.00");
    // What is believed too little to be told weighs nothing.
    check_complexity([0.96, 0.0, 0.04], "0.000000 simple 0.96");
    check_complexity([0.0, 0.0, 0.04], "1.000000 complex 0.00");
    check_complexity([0.0, 0.0, 0.0], "");
}

#[test]
fn a_default_on_a_scale_is_where_it_stands() {
    let yaml = CATALOG.replace("- name: complexity", "- name: complexity\n      default: moderate");
    let catalog = Catalog::read(&[Source::new("test.yaml", yaml)], "test").catalog.unwrap();
    let found = told(&catalog, "x", None).complexity.unwrap();
    assert_eq!((found.score, found.band), (Points::hundredths(50), 1));
    assert_eq!((found.confidence, found.budget.tokens), (Confidence::NONE, Some(15_000)));
    assert_eq!(told(&catalog, "это не прочитать", None).complexity, None);
}

#[test]
fn labels_bring_their_facts() {
    let catalog = catalog();
    let facts = |text: &str| {
        let context = told(&catalog, text, Some(&PLAIN));
        context.facts(catalog.context().unwrap()).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(facts("it is broken in production"), ["is_production"]);
    for without in ["it is broken", "it is broken on staging", "it is not in production"] {
        assert!(facts(without).is_empty(), "{without}");
    }
}

#[test]
fn the_whole_is_as_sure_as_its_layers_on_average() {
    let (catalog, beliefs) = (catalog(), believing(0, &[0.8, 0.2]));
    // Language 0.8, urgency 0.99 by its word, sensitivity 0.9 and complexity 0.99; the others do not count.
    let context = told(&catalog, "now", Some(&beliefs));
    assert_eq!(context.confidence, Confidence::new(Points::from_share(0.92)), "{:?}", context.layers);
    assert_eq!(told(&catalog, "", None).confidence, Confidence::NONE);
}

proptest! {
    #[test]
    fn every_answer_keeps_its_bounds(
        text in prop_oneof![".{0,60}", "(now |css |overdose |a@b.co |это |docs/a.md |not ){0,9}"],
        beliefs in prop::option::of(prop::collection::vec(0.0f32..=1.0, LABELS)),
    ) {
        let catalog = catalog();
        let context = told(&catalog, &text, beliefs.as_deref());
        let layers = catalog.context().unwrap().layers();
        prop_assert!(context.confidence <= Confidence::CERTAIN);
        prop_assert_eq!(context.layers.len(), layers.len());
        for (answered, layer) in context.layers.iter().zip(layers) {
            prop_assert!(answered.label.is_none_or(|label| label < layer.labels.len()));
            prop_assert!(answered.confidence < Confidence::CERTAIN);
            prop_assert!(answered.scores.is_sorted_by(|a, b| a.1 >= b.1));
            prop_assert!(answered.by != Settled::Nothing || answered.confidence == Confidence::NONE);
        }
        let score = context.complexity.map(|found| found.score);
        prop_assert!(score.is_none_or(|score| (Points::ZERO..=Points::ONE).contains(&score)));
        prop_assert_eq!(&context, &told(&catalog, &text, beliefs.as_deref()));
    }
}
