//! Does what the reader sees become a call, a question, or nothing?

use serde_json::json;

use super::super::Asked;
use super::super::form::{Form, Slot};
use super::super::interpretation::{Filled, Interpretation, Outcome};
use super::*;
use crate::mentions::{Civil, Setting};
use crate::message::Span;
use serde_json::Value;

const TEXT: &str = "two large rooms in Lyon on Friday at 3, quiet and cheap";

/// A share that may be wrong, so large that what is likelier than not is run.
const MUCH_WRONG: f64 = 0.2;

fn form() -> Form {
    let schema = json!({"required": ["city"], "properties": {
        "city": {"type": "string"},
        "count": {"type": "integer", "maximum": 4},
        "size": {"enum": ["small", "large"]},
        "day": {"type": "string", "format": "date"},
        "time": {"type": "string", "format": "time"},
        "quiet": {"type": "boolean"},
        "tags": {"type": "array", "items": {"type": "string"}},
    }});
    Form::read("book", "Books a room", Some(&schema)).unwrap()
}

/// A reading in which nothing is said.
fn silent(form: &Form) -> ReaderOutput {
    let slot = |slot: &Slot| SlotOutput {
        none: 1.0,
        none_wanted: 1.0,
        choices: vec![0.0; slot.choices.len()],
        each_wanted: vec![0.0; slot.choices.len()],
        ..SlotOutput::default()
    };
    let mut acts = [0.0; SpeechAct::ALL.len()];
    acts[0] = 1.0;
    ReaderOutput {
        slots: form.read_slots().into_iter().map(|(_, of)| slot(of)).collect(),
        acts,
        ..ReaderOutput::default()
    }
}

fn piece(words: &str) -> Piece {
    let start = TEXT.find(words).unwrap();
    Piece { turn: None, span: Span::new(start..start + words.len()) }
}

fn say(reading: &mut ReaderOutput, form: &Form, slot: &str, words: &str) {
    let seen = &mut reading.slots[form.place(slot).unwrap()];
    (seen.none, seen.pieces) = (0.001, vec![(piece(words), 0.995)]);
}

fn interpreted(change: impl FnOnce(&mut ReaderOutput, &Form)) -> Interpretation {
    interpreted_if(None, change)
}

fn interpreted_if(max_wrong: Option<f64>, change: impl FnOnce(&mut ReaderOutput, &Form)) -> Interpretation {
    let form = form();
    let mut reading = silent(&form);
    say(&mut reading, &form, "city", "Lyon");
    change(&mut reading, &form);
    let now = Civil::parse("2026-11-16T10:00:00").map(|(now, _)| now);
    let setting = Setting { now, ..Setting::default() };
    let asked = Asked { setting, max_wrong, ..Asked::new(TEXT) };
    interpret_reading(&form, &asked, &reading, &[])
}

#[test]
fn pieces_become_values_of_their_slots() {
    let said = interpreted_if(Some(MUCH_WRONG), |reading, form| {
        say(reading, form, "count", "two");
        say(reading, form, "day", "Friday");
        say(reading, form, "time", "at 3");
        say(reading, form, "quiet", "quiet");
        let at = |slot: &str| form.place(slot).unwrap();
        reading.slots[at("time")].afternoon = 0.9;
        reading.slots[at("quiet")].yes = 0.97;
        let size = &mut reading.slots[at("size")];
        (size.none, size.none_wanted, size.choices) = (0.02, 0.02, vec![0.01, 0.97]);
        let tags = &mut reading.slots[at("tags")];
        (tags.none, tags.parts) = (0.0, vec![(piece("quiet"), 0.999), (piece("cheap"), 0.99)]);
    });
    let expected = json!({"city": "Lyon", "count": 2, "day": "2026-11-20", "time": "15:00:00", "quiet": true,
        "size": "large", "tags": ["quiet", "cheap"]});
    assert_eq!((Value::Object(said.args), said.outcome), (expected, Outcome::Run), "{}", said.reason);
    let weakest = said.slots.iter().map(|filled| filled.confidence).fold(1.0, f32::min);
    assert!((said.confidence - weakest).abs() < 1e-6, "as sure as its weakest slot: {}", said.confidence);
}

#[test]
fn listed_objects_are_put_together_by_what_stands_near() {
    let schema = json!({"properties": {"lines": {"type": "array", "items": {"type": "object", "properties": {
        "what": {"type": "string"},
        "count": {"type": "integer"},
    }}}}});
    let form = Form::read("order", "Orders", Some(&schema)).unwrap();
    let names: Vec<String> = form.read_slots().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["lines[].count", "lines[].what"]);
    let text = "rice, two bags of flour and three eggs";
    let piece = |words: &str| {
        let start = text.find(words).unwrap();
        (Piece { turn: None, span: Span::new(start..start + words.len()) }, 0.9)
    };
    let mut reading = silent(&form);
    reading.slots[0].parts = vec![piece("two"), piece("three")];
    reading.slots[1].parts = vec![piece("rice"), piece("flour"), piece("eggs")];
    let asked = Asked { max_wrong: Some(MUCH_WRONG), ..Asked::new(text) };
    let said = interpret_reading(&form, &asked, &reading, &[]);
    let expected = json!([{"what": "rice"}, {"what": "flour", "count": 2}, {"what": "eggs", "count": 3}]);
    assert_eq!((said.outcome, said.args["lines"].clone()), (Outcome::Run, expected));
}

#[test]
fn a_piece_is_the_value_of_one_slot() {
    let schema = json!({"properties": {"from": {"type": "string"}, "to": {"type": "string"}}});
    let form = Form::read("move", "Moves", Some(&schema)).unwrap();
    let read = |from: f32, elsewhere: f32| {
        let mut reading = silent(&form);
        (reading.slots[0].none, reading.slots[0].pieces) = (0.01, vec![(piece("Lyon"), from)]);
        let other = vec![(piece("in Lyon"), 0.9), (piece("Friday"), elsewhere)];
        (reading.slots[1].none, reading.slots[1].pieces) = (0.1 - elsewhere, other);
        Value::Object(interpret_reading(&form, &Asked::new(TEXT), &reading, &[]).args)
    };
    assert_eq!(read(0.98, 0.09), json!({"from": "Lyon", "to": "Friday"}), "the other looks elsewhere");
    assert_eq!(read(0.98, 0.02), json!({"from": "Lyon"}), "or is not said");
    assert_eq!(read(0.5, 0.02), json!({"to": "in Lyon"}), "the surer one keeps it");
}

#[test]
fn units_are_converted_or_asked_about() {
    let slot = |about: &str, text: &str, unit: Option<&str>| {
        let mut own = json!({"type": "number", "description": about});
        own.as_object_mut().unwrap().extend(unit.map(|unit| ("x-unit".to_owned(), json!(unit))));
        let form = Form::read("set", "Sets", Some(&json!({"properties": {"amount": own}}))).unwrap();
        let mut reading = silent(&form);
        let start = text.find('4').unwrap();
        let span = Span::new(start..start + 2);
        (reading.slots[0].none, reading.slots[0].pieces) = (0.0, vec![(Piece { turn: None, span }, 1.0)]);
        let said = interpret_reading(&form, &Asked::new(text), &reading, &[]);
        (said.outcome, said.args.get("amount").cloned().unwrap_or_default())
    };
    assert_eq!(slot("Power in kilowatts", "make it 40 MW", None), (Outcome::Run, json!(40_000)));
    assert_eq!(slot("Weight in kilograms", "it has 40 kg", None), (Outcome::Run, json!(40)));
    assert_eq!(slot("Weight in kilograms", "it has 40 lb", None).0, Outcome::Clarify, "a slip, perhaps");
    assert_eq!(slot("How far", "it is 40 miles", Some("km")), (Outcome::Run, json!(64.37376)));
    assert_eq!(slot("Weight in kilograms", "it has 40 litres", None).0, Outcome::Clarify);
    assert_eq!(slot("Amount in euros", "pay 40 dollars", None).0, Outcome::Clarify);
    assert_eq!(slot("Amount in US dollars", "pay 40 dollars", None), (Outcome::Run, json!(40)));
    assert_eq!(slot("Amount in dollars", "pay 40 dollars", None), (Outcome::Run, json!(40)));
    assert_eq!(slot("Canadian dollars", "pay 40 USD", None).0, Outcome::Clarify);
    assert_eq!(slot("Amount", "pay 40 dollars", None), (Outcome::Run, json!(40)));
    assert_eq!(slot("How far", "at a point 40 meters away", Some("m")), (Outcome::Run, json!(40)));
}

#[test]
fn what_is_not_to_be_run_is_asked_about() {
    let check = |change: &dyn Fn(&mut ReaderOutput, &Form), question: &str| {
        let said = interpreted(change);
        assert_eq!(said.outcome, Outcome::Clarify, "{question}");
        let asked = said.clarification.unwrap().question;
        assert!(asked.contains(question), "{asked}");
    };
    let at = |form: &Form, slot: &str| form.place(slot).unwrap();
    check(&|r, f| r.slots[at(f, "city")].none = 0.99, "What is the city?");
    check(&|r, f| r.slots[at(f, "city")].pieces[0].1 = 0.5, "Did you mean Lyon for city?");
    check(&|r, f| r.slots[at(f, "day")].doubt = 0.9, "What should the day be?");
    check(&|r, f| r.slots[at(f, "city")].doubt = 0.9, "You said \"Lyon\". What should the city be?");
    check(&|r, _| r.several = 0.8, "That asks for several calls. Should book run first with city = Lyon?");
    check(&|r, _| r.is_cut = true, "Should book run now with city = Lyon?");
    check(&|r, _| r.acts = [0.4, 0.3, 0.3, 0.0, 0.0, 0.0, 0.0, 0.0], "Should book run now with city = Lyon?");
    check(&|r, f| say(r, f, "count", "cheap"), "You said \"cheap\". What should the count be?");
    check(
        &|r, f| {
            say(r, f, "time", "at 3");
            r.slots[at(f, "time")].afternoon = 0.5;
        },
        "03:00:00 or 15:00:00",
    );
    check(&|r, _| r.acts = [0.1, 0.0, 0.9, 0.0, 0.0, 0.0, 0.0, 0.0], "Should book run now with city = Lyon?");
    check(
        &|r, _| r.acts = [0.1, 0.0, 0.0, 0.0, 0.9, 0.0, 0.0, 0.0],
        "That refers to something that is not said.",
    );
}

#[test]
fn what_is_about_something_else_is_left_alone() {
    let said = interpreted(|reading, _| reading.acts = [0.2, 0.0, 0.0, 0.0, 0.0, 0.8, 0.0, 0.0]);
    assert_eq!((said.outcome, said.reason.as_str()), (Outcome::Rephrase, "the message is not about book"));
    assert!(said.clarification.is_none());
}

#[test]
fn several_calls_are_told_apart_by_what_is_said_again() {
    let schema = json!({"required": ["city"], "properties": {
        "city": {"type": "string"},
        "day": {"type": "string", "format": "date"},
        "size": {"enum": ["small", "large"]},
    }});
    let form = Form::read("book", "Books a room", Some(&schema)).unwrap();
    let text = "a small room in Lyon and a large one in Nice on 2026-11-20";
    let piece = |words: &str| {
        let start = text.find(words).unwrap();
        (Piece { turn: None, span: Span::new(start..start + words.len()) }, 0.995)
    };
    let mut reading = silent(&form);
    reading.several = 0.9;
    let mut say = |slot: &str, words: &[&str]| {
        let seen = &mut reading.slots[form.place(slot).unwrap()];
        (seen.none, seen.pieces) = (0.001, vec![piece(words[0])]);
        seen.repeats = words.iter().map(|words| piece(words)).collect();
    };
    say("city", &["Lyon", "Nice"]);
    say("size", &["small", "large"]);
    say("day", &["2026-11-20"]);
    reading.slots[form.place("size").unwrap()].each_wanted = vec![0.9, 0.9];
    let said = interpret_reading(&form, &Asked::new(text), &reading, &[]);
    let calls = [
        json!({"city": "Lyon", "day": "2026-11-20", "size": "small"}),
        json!({"city": "Nice", "day": "2026-11-20", "size": "large"}),
    ];
    let told: Vec<Value> = said.calls.into_iter().map(Value::Object).collect();
    assert_eq!((told.as_slice(), said.outcome), (calls.as_slice(), Outcome::Clarify));
    let question = said.clarification.unwrap();
    assert!(question.confirms(), "{question:?}");
    assert!(question.question.starts_with("That asks for 2 calls: "), "{question:?}");
    assert_eq!(Value::Object(said.args), calls[0], "a yes is one for the first");
    let of_first = |filled: &Filled| calls[0].get(&filled.slot) == Some(&filled.value);
    assert!(said.slots.iter().all(of_first), "{:?}", said.slots);
}

#[test]
fn what_is_denied_is_not_run() {
    let form = form();
    for (text, outcome) in [
        ("a room in Lyon", Outcome::Run),
        ("don't book a room in Lyon", Outcome::Clarify),
        ("no room in Lyon", Outcome::Clarify),
        ("in Nice, no, in Lyon", Outcome::Run),
    ] {
        let start = text.find("Lyon").unwrap();
        let piece = Piece { turn: None, span: Span::new(start..start + 4) };
        let mut reading = silent(&form);
        let city = &mut reading.slots[form.place("city").unwrap()];
        (city.none, city.pieces) = (0.001, vec![(piece, 0.995)]);
        let asked = Asked { max_wrong: Some(MUCH_WRONG), ..Asked::new(text) };
        assert_eq!(interpret_reading(&form, &asked, &reading, &[]).outcome, outcome, "{text}");
    }
}

#[test]
fn what_is_referred_to_is_recalled() {
    let form = form();
    let memory = [("city", json!("Nice")), ("size", json!("small"))];
    let memory = memory.map(|(slot, value)| (slot.to_owned(), value)).into_iter().collect();
    let told = |text: &str| {
        let mut reading = silent(&form);
        reading.acts = [0.1, 0.0, 0.0, 0.0, 0.9, 0.0, 0.0, 0.0];
        let asked = Asked { memory: Some(&memory), ..Asked::new(text) };
        let said = interpret_reading(&form, &asked, &reading, &[]);
        assert_eq!(said.outcome, Outcome::Run, "{text}");
        Value::Object(said.args)
    };
    assert_eq!(told("the same as last time"), json!({"city": "Nice", "size": "small"}));
    assert_eq!(told("the same city as before"), json!({"city": "Nice"}), "no more than what is named");
    assert_eq!(told("like last time, same city"), json!({"city": "Nice"}), "time is not named");
}
