//! Does a message fill the slots of a schema as it should, by letters alone?

use serde_json::{Value, json};

use super::{Asked, Form, Interpretation, Letters, Outcome, Ready, interpret};

fn hear(properties: &Value, text: &str) -> Interpretation {
    let schema = json!({ "type": "object", "properties": properties });
    let form = Form::read("tool", "", Some(&schema)).unwrap();
    interpret(&Ready::new(form, &Letters), &Asked::new(text), &Letters)
}

#[track_caller]
fn check(properties: &Value, text: &str, expected: &Value) {
    let heard = hear(properties, text);
    assert_eq!(&Value::Object(heard.args.clone()), expected, "{text}: {heard:?}");
}

#[track_caller]
fn asks(properties: &Value, text: &str, options: &Value) {
    let heard = hear(properties, text);
    assert_eq!(heard.outcome, Outcome::Clarify, "{text}: {heard:?}");
    assert_eq!(&json!(heard.clarification.map(|asked| asked.options)), options, "{text}");
}

#[test]
fn choices_are_named_misspelt_denied_corrected_and_counted_up() {
    let level = json!({"level": {"enum": ["primary", "secondary", "tertiary"]}});
    check(&level, "go with primary", &json!({"level": "primary"}));
    check(&level, "secondry please", &json!({"level": "secondary"}));
    check(&level, "primary, no wait, tertiary", &json!({"level": "tertiary"}));
    check(&level, "primary rather than tertiary", &json!({"level": "primary"}));
    check(&level, "neither primary nor tertiary", &json!({"level": "secondary"}));
    asks(&level, "not primary", &json!(["secondary", "tertiary"]));
    asks(&level, "what does tertiary mean?", &json!(["primary", "secondary", "tertiary"]));
    let method = json!({"method": {"enum": ["pca", "composite", "both"]}});
    check(&method, "P.C.A. it is", &json!({"method": "pca"}));
    check(&method, "pca and composite", &json!({"method": "both"}));
    asks(&method, "pca or composite", &json!(["pca", "composite"]));
}

#[test]
fn the_schema_says_what_a_text_looks_like() {
    let order = json!({"order": {"type": "string", "pattern": "^[A-Z]{2,3}-[0-9]{4}$"}});
    check(&order, "where is INV-2291, please?", &json!({"order": "INV-2291"}));
    check(&order, "where is my parcel", &json!({}));
    asks(&order, "is it INV-2291 that replaced AB-1000", &json!(["INV-2291"]));
    let mail = json!({"to": {"type": "string", "format": "email"}});
    check(&mail, "send it to ann@example.org", &json!({"to": "ann@example.org"}));
}

#[test]
fn numbers_come_in_the_units_and_bounds_of_their_slots() {
    let trip = json!({
        "distance": {"type": "number", "x-unit": "km"},
        "share": {"type": "number", "x-unit": "%", "minimum": 0, "maximum": 100},
    });
    check(&trip, "a distance of 3000 m", &json!({"distance": 3}));
    check(&trip, "share of 40 percent", &json!({"share": 40}));
    check(&trip, "distance 5 km and a share of half", &json!({"distance": 5, "share": 50}));
    assert_eq!(hear(&trip, "a share of 140 %").outcome, Outcome::Clarify);
    let range = json!({"min_price": {"type": "integer"}, "max_price": {"type": "integer"}});
    check(&range, "a price between 10 and 20", &json!({"min_price": 10, "max_price": 20}));
    let stay = json!({"start_date": {"format": "date"}, "end_date": {"format": "date"}});
    check(
        &stay,
        "from 3 March 2027 to 8 March 2027",
        &json!({"start_date": "2027-03-03", "end_date": "2027-03-08"}),
    );
    let nets = json!({"nets": {"type": "integer"}});
    assert_eq!(hear(&nets, "between 200k and 300k nets").outcome, Outcome::Clarify);
    assert_eq!(hear(&nets, "20 more nets").outcome, Outcome::Clarify);
    check(&nets, "10 000 nets", &json!({"nets": 10_000}));
}

#[test]
fn what_lies_within_objects_and_lists_is_filled() {
    let order = json!({
        "to": {"type": "object", "properties": {"country": {"enum": ["Mali", "Niger"]}}},
        "colours": {"type": "array", "items": {"enum": ["red", "green", "blue"]}},
        "count": {"anyOf": [{"type": "null"}, {"type": "integer"}]},
    });
    let expected = json!({"to": {"country": "Niger"}, "colours": ["red", "blue"], "count": 3});
    check(&order, "a count of 3 to Niger in red and blue", &expected);
}
