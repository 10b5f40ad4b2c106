//! What does a piece come to as the value of its slot?

use serde_json::{Value, json};

use super::super::form::Form;
use super::values;
use crate::mentions::{Civil, Setting};
use crate::message::Span;

/// What a piece of a text is as a value of a slot, on Monday, 2026-11-16, at 10:00.
#[track_caller]
fn check_value(schema: &Value, text: &str, words: &str, past: f32, expected: &Value) {
    let form = Form::read("book", "", Some(&json!({"properties": {"x": schema}}))).unwrap();
    let now = Civil::parse("2026-11-16T10:00:00").map(|(now, _)| now);
    let setting = Setting { now, ..Setting::default() };
    let source = values::Source::new(text, &setting);
    let start = text.find(words).unwrap();
    let hints = values::Hints { afternoon: 0.9, past };
    let slot = &form.slots[form.place("x").unwrap()];
    let read = source.value(slot, Span::new(start..start + words.len()), hints);
    assert_eq!(&read.map_or(Value::Null, |read| read.value), expected, "{words} in {text}");
}

/// A piece that no value, or one that is asked about, comes of.
#[track_caller]
fn check_asked(schema: &Value, text: &str, words: &str, past: f32) {
    let form = Form::read("book", "", Some(&json!({"properties": {"x": schema}}))).unwrap();
    let now = Civil::parse("2026-11-16T10:00:00").map(|(now, _)| now);
    let setting = Setting { now, ..Setting::default() };
    let start = text.find(words).unwrap();
    let span = Span::new(start..start + words.len());
    let hints = values::Hints { afternoon: 0.9, past };
    let read = values::Source::new(text, &setting).value(&form.slots[0], span, hints);
    let told = read.map(|read| (read.value, read.doubt.is_some()));
    assert!(told.as_ref().is_none_or(|(_, asked)| *asked), "{words} in {text}: {told:?}");
}

#[test]
fn numbers_days_and_times_are_written_as_their_slot_takes_them() {
    let (date, time, moment) = (
        json!({"type": "string", "format": "date"}),
        json!({"type": "string", "format": "time"}),
        json!({"type": "string", "format": "date-time"}),
    );
    let number = json!({"type": "number"});
    check_value(&date, "seen on 1 September", "1 September", 0.9, &json!("2026-09-01"));
    check_value(&date, "from 1 September on", "1 September", 0.1, &json!("2027-09-01"));
    check_asked(&date, "on the 31st of June", "the 31st of June", 0.0);
    check_asked(&date, "it was on 1 February", "1 February", 0.9);
    check_value(&date, "by the end of November", "the end of November", 0.0, &json!("2026-11-30"));
    check_value(&date, "valid for one week", "one week", 0.0, &json!("2026-11-23"));
    check_value(&date, "it was one week ago or so", "one week", 0.9, &json!("2026-11-09"));
    check_value(&time, "pick up at 8.15", "8.15", 0.0, &json!("20:15:00"));
    check_value(&time, "at half past six", "half past six", 0.0, &json!("18:30:00"));
    check_value(&moment, "Saturday from 9:00 to 16:00", "16:00", 0.0, &json!("2026-11-21T16:00:00+00:00"));
    check_value(&number, "28,7 litres", "28,7", 0.0, &json!(28.7));
    check_value(&json!({"type": "number", "x-unit": "kg"}), "18,5 kg of it", "18,5", 0.0, &json!(18.5));
    check_asked(&json!({"type": "number", "x-unit": "kg"}), "took 1.200 g off", "1.200 g", 0.0);
    check_value(&number, "between 5 and 9 rooms", "9", 0.0, &json!(9));
    check_value(&number, "none at all", "none", 0.0, &json!(0));
    check_value(&number, "two dozen rooms", "two", 0.0, &json!(24));
    check_value(&number, "houndred rooms", "houndred", 0.0, &json!(100));
    check_value(&number, "some rooms", "some", 0.0, &Value::Null);
    check_value(&json!({"type": "string", "format": "email"}), "to Ann", "Ann", 0.0, &Value::Null);
    check_value(
        &json!({"type": "string"}),
        "call it \"Red, hot\", ok",
        "\"Red, hot\"",
        0.0,
        &json!("Red, hot"),
    );
}

#[test]
fn days_are_said_with_their_weekday() {
    let (date, moment) =
        (json!({"type": "string", "format": "date"}), json!({"type": "string", "format": "date-time"}));
    for (said, expected) in [
        ("Saturday week", "2026-11-28"),
        ("a week on Tuesday", "2026-11-24"),
        ("Monday week", "2026-11-23"),
        ("thurs 26", "2026-11-26"),
        ("thursday the 26", "2026-11-26"),
        ("fri 27.11", "2026-11-27"),
        ("monday the sixteenth", "2026-11-16"),
        ("5/12, the Saturday", "2026-12-05"),
        ("month end", "2026-11-30"),
        ("on the last of the month", "2026-11-30"),
        ("wed", "2026-11-18"),
    ] {
        check_value(&date, &format!("please {said}"), said, 0.0, &json!(expected));
    }
    check_value(&date, "Fern wed 10-16", "wed", 0.0, &json!("2026-11-18"));
    check_value(&moment, "thu 9 works", "thu 9", 0.0, &json!("2026-11-19T21:00:00+00:00"));
}

#[test]
fn numbers_are_said_in_parts_figures_and_units() {
    let property =
        |name: &str, about: &str| json!({"properties": {name: {"type": "number", "description": about}}});
    let now = Civil::parse("2026-11-16T10:00:00").map(|(now, _)| now);
    let setting = Setting { now, ..Setting::default() };
    for (name, text, said, expected) in [
        ("feed_kg", "give 500 g to them", "500 g", 0.5),
        ("feed_kg", "feed hive 3 500 g syrup", "500 g", 0.5),
        ("feed_kg", "feed hive 3 500 g syrup", "500", 0.5),
        ("window_minutes", "alert after 2 h", "2 h", 120.0),
        ("rider_height_cm", "she is 1.82 m tall", "1.82 m", 182.0),
        ("load_mw", "1.2 GW now", "1.2 GW", 1200.0),
        ("kg", "7,5 t of salt", "7,5 t", 7500.0),
        ("baby_weight_g", "3,4 kg at birth", "3,4 kg", 3400.0),
        ("baby_weight_g", "3,4 kg at birth", "3,4", 3400.0),
        ("runtime_min", "for an hour and a half", "an hour and a half", 90.0),
        ("duration_h", "90 minutes", "90 minutes", 1.5),
        ("minutes", "a quarter of an hour", "a quarter of an hour", 15.0),
        ("duration_minutes", "a whole day", "a whole day", 1440.0),
        ("brightness_pct", "dim, a fifth", "a fifth", 20.0),
        ("brightness_pct", "full blast", "full blast", 100.0),
        ("ticket_no", "nine nine oh four two", "nine nine oh four two", 99_042.0),
        ("helmets", "no helmets at all", "no helmets", 0.0),
        ("mileage_km", "84k on it", "84k", 84_000.0),
        ("interval_months", "ring her, 12m", "12", 12.0),
        ("amount", "1 249,00 please", "1 249,00", 1249.0),
    ] {
        let form = Form::read("run", "", Some(&property(name, ""))).unwrap();
        let source = values::Source::new(text, &setting);
        let start = text.find(said).unwrap();
        let span = Span::new(start..start + said.len());
        let read = source.value(&form.slots[0], span, values::Hints { afternoon: 0.0, past: 0.0 });
        let value = read.and_then(|read| read.value.as_f64());
        assert!(value.is_some_and(|value| (value - expected).abs() < 1e-9), "{name}, {said}: {value:?}");
    }
    // What may be two numbers is asked about.
    for (name, said) in [("amount", "fifteen ninety-nine"), ("max_price", "88.000"), ("cpu_request", "500m")]
    {
        let form = Form::read("run", "", Some(&property(name, ""))).unwrap();
        let source = values::Source::new(said, &setting);
        let read = source.value(
            &form.slots[0],
            Span::new(0..said.len()),
            values::Hints { afternoon: 0.0, past: 0.0 },
        );
        assert!(read.is_none_or(|read| read.doubt.is_some()), "{name}, {said}");
    }
}

#[test]
fn codes_are_spelled_and_months_written() {
    let text = json!({"type": "string"});
    check_value(&text, "order c four oh oh seven", "c four oh oh seven", 0.0, &json!("C4007"));
    check_value(&text, "it is i dash zero nine b", "i dash zero nine b", 0.0, &json!("I-09B"));
    check_value(&text, "call it one two", "one two", 0.0, &json!("one two"));
    check_value(&text, "book Four Four Two", "Four Four Two", 0.0, &json!("Four Four Two"));
    check_asked(&json!({"type": "integer"}), "five, six, seven", "five, six, seven", 0.0);
    check_asked(&json!({"type": "number"}), "no upper limit", "no upper limit", 0.0);
    check_value(&json!({"type": "number", "maximum": 90}), "at 52.520 north", "52.520", 0.0, &json!(52.52));
    check_value(&text, "a team of two", "a team of two", 0.0, &json!("a team of two"));
    let month = json!({"type": "string", "pattern": "^\\d{4}-\\d{2}$"});
    check_value(&month, "pay it in January", "January", 0.0, &json!("2027-01"));
    check_asked(&month, "for october", "october", 0.0);
    let told = json!({"type": "string", "description": "Period as YYYY-MM"});
    check_value(&told, "this month", "this month", 0.0, &json!("2026-11"));
}

#[test]
fn names_of_slots_tell_units() {
    let unit = |name: &str, about: &str| {
        let schema = json!({"properties": {name: {"type": "integer", "description": about}}});
        let form = Form::read("run", "", Some(&schema)).unwrap();
        form.slots[0].unit.map(|unit| unit.name)
    };
    for (name, about, expected) in [
        ("duration_min", "", Some("minute")),
        ("start_min", "minutes from the start", Some("minute")),
        ("bedrooms_min", "", None),
        ("trim_sec", "", Some("second")),
        ("progress_pct", "", Some("percent")),
        ("days", "", Some("day")),
        ("duration_h", "", Some("hour")),
        ("kg", "", Some("kilogram")),
        ("ms", "", None),
        ("count", "", None),
    ] {
        assert_eq!(unit(name, about), expected, "{name}");
    }
}
