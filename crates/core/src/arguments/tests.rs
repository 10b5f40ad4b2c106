//! Does a message fill the slots of a schema as it should, by letters alone?

use serde_json::{Value, json};

use super::{Asked, Column, Form, Interpretation, Letters, Meaning, Outcome, Ready, interpret};

fn hear(properties: &Value, text: &str) -> Interpretation {
    let schema = json!({ "type": "object", "properties": properties });
    let form = Form::read("tool", "", Some(&schema)).unwrap();
    interpret(&Ready::new(form, &Letters), &Asked::new(text), &Letters)
}

/// Knows words by their letters alone: each has a direction of its own, so that texts are as alike as they share words.
struct Words;

impl Meaning for Words {
    fn dimensions(&self) -> usize {
        64
    }

    fn is_word(&self, _word: &str) -> bool {
        false
    }

    fn add(&self, word: &str, sum: &mut [f32]) {
        let mut bits = crate::head::grams::fed(crate::head::grams::SEED, word.as_bytes());
        for value in sum {
            *value += if bits & 1 == 1 { 1.0 } else { -1.0 };
            bits = bits.rotate_right(1);
        }
    }
}

/// What a message says for a form that examples teach.
fn taught(schema: &Value, text: &str) -> Interpretation {
    let form = Form::read("tool", "", Some(schema)).unwrap();
    interpret(&Ready::new(form, &Words), &Asked::new(text), &Words)
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

#[test]
fn examples_teach_what_is_meant() {
    let schema = json!({
        "type": "object",
        "properties": {
            "level": {"enum": ["primary", "tertiary"], "x-examples": {
                "primary": ["small village posts", "the clinic round the corner", "where the nurse works alone"],
                "tertiary": ["big university wards", "professors teach there", "the largest hospital in town"],
            }},
            "shape": {"enum": ["bar", "line"], "x-examples": {
                "bar": ["columns side by side", "upright blocks", "a block for each district"],
                "line": ["joined up over the months", "a curve of the trend", "how it goes up and down"],
            }},
            "nets": {"type": "integer", "x-examples": ["hand out 20,000 nets", "we hold 5,000 nets", "9,000 of them in store"]},
        },
        "x-examples": [
            {"text": "a curve for the village posts", "args": {"level": "primary", "shape": "line"}},
        ],
    });
    let check = |text: &str, expected: Value| {
        let heard = taught(&schema, text);
        assert_eq!(Value::Object(heard.args.clone()), expected, "{text}: {heard:?}");
    };
    check("those small village posts please", json!({"level": "primary"}));
    check("where professors teach", json!({"level": "tertiary"}));
    check("upright blocks side by side", json!({"shape": "bar"}));
    check("a curve for those village posts", json!({"level": "primary", "shape": "line"}));
    // With a typing error, which the examples' words mend.
    check("small villgae posts", json!({"level": "primary"}));
    // What is denied by its meaning leaves the other.
    check("not the small village posts", json!({"level": "tertiary"}));
    // What is sure beyond a name outdoes it; small talk says nothing.
    check("good morning, how are the kids", json!({}));
    // Seven is far from any number of nets that was ever said.
    check("seven of us are here", json!({}));
    check("we hold 7,000 nets", json!({"nets": 7000}));
}

#[test]
fn numbers_belong_where_examples_have_them() {
    let schema = json!({
        "type": "object",
        "properties": {
            "nets": {"type": "integer", "minimum": 0,
                "x-examples": ["hand out 20,000 nets", "we hold 5,000 nets", "9,000 nets are in store", "share 12,000 nets"]},
            "heads": {"type": "number", "minimum": 0,
                "x-examples": ["6 people in a home", "homes of 5 people", "8 under one roof", "4.5 people to a home"]},
        },
        "x-examples": [
            {"text": "our 3 clerks hold 7,000 nets", "args": {"nets": 7000}},
            {"text": "for the 2024 round share 8,000 nets", "args": {"nets": 8000}},
            {"text": "in 2023 we had 6 people in a home", "args": {"heads": 6}},
            {"text": "no nets at all", "args": {"nets": 0}},
            {"text": "the store is empty", "args": {"nets": 0}},
            {"text": "nothing is left in store", "args": {"nets": 0}},
        ],
    });
    let check = |text: &str, expected: Value| {
        let heard = taught(&schema, text);
        assert_eq!(Value::Object(heard.args.clone()), expected, "{text}: {heard:?}");
    };
    check("share 30,000 nets", json!({"nets": 30000}));
    check("our 2 clerks hold 9,500 nets", json!({"nets": 9500}));
    check("for the 2026 round share 15,000 nets", json!({"nets": 15000}));
    check("7 people in a home, and 40,000 nets", json!({"nets": 40000, "heads": 7}));
    // A number that examples mean without saying it.
    check("by now the store is empty", json!({"nets": 0}));
}

#[test]
fn of_choices_set_against_each_other_the_wanted_one_is_taken() {
    let two = json!({"method": {"enum": ["composite", "pca"]}});
    let three = json!({"method": {"enum": ["composite", "pca", "both"]}});
    check(&two, "I had pca in mind, but let's take composite", &json!({"method": "composite"}));
    check(&two, "forget pca, I want the other one", &json!({"method": "composite"}));
    check(&three, "not pca, and not both either", &json!({"method": "composite"}));
    check(&three, "pca and composite together", &json!({"method": "both"}));
}

#[test]
fn columns_are_found_by_parts_of_their_names() {
    let schema = json!({"type": "object", "properties": {"variable": {"type": "string", "x-columns": true}}});
    let ready = Ready::new(Form::read("tool", "", Some(&schema)).unwrap(), &Words);
    let names = ["rain_mm_yr", "elev_m", "dist_clinic_km", "eir"];
    let columns: Vec<Column> = names.iter().map(|name| Column::new(name, [""; 0], &Words)).collect();
    let check = |text: &str, expected: &str| {
        let heard = interpret(&ready, &Asked::new(text).with_columns(&columns), &Words);
        assert_eq!(heard.args.get("variable"), Some(&json!(expected)), "{text}: {heard:?}");
    };
    check("the elevation please", "elev_m");
    check("distance to a clinic", "dist_clinic_km");
    check("entomological inoculation rate", "eir");
}

#[test]
fn the_manner_of_a_message_settles_what_its_words_leave_open() {
    let schema = json!({"type": "object", "properties": {"method": {"enum": ["composite", "pca", "both"]}}});
    let form = || Form::read("tool", "", Some(&schema)).unwrap();
    let memory = std::collections::BTreeMap::from([("method".to_owned(), json!("pca"))]);
    let asked =
        Asked { memory: Some(&memory), ..Asked::new("keep the ranking that we agreed on last month") };
    let heard = interpret(&Ready::new(form(), &Letters), &asked, &Letters);
    assert_eq!(heard.args.get("method"), Some(&json!("pca")), "{heard:?}");
    asks(&schema["properties"], "I'm torn between pca and composite", &json!(["composite", "pca"]));
    for (text, value) in [
        ("I prefer pca to composite", "pca"),
        ("swap pca for composite", "composite"),
        ("drop pca, composite it is", "composite"),
        ("pca, composite is too simple", "pca"),
        ("composite, er, pca I mean", "pca"),
    ] {
        check(&schema["properties"], text, &json!({ "method": value }));
    }
    let lists = json!({"vars": {"type": "array", "items": {"enum": ["rain", "height", "slope"]}}});
    check(&lists, "height, and rain too", &json!({"vars": ["height", "rain"]}));
    check(&schema["properties"], "change composite to pca", &json!({"method": "pca"}));
}

#[test]
fn the_options_in_view_are_what_is_answered() {
    let schema = json!({"type": "object", "properties": {
        "level": {"enum": ["low", "high", "all"]},
        "kinds": {"type": "array", "items": {"enum": ["red", "green", "blue"]}},
    }});
    let ready = Ready::new(Form::read("tool", "", Some(&schema)).unwrap(), &Letters);
    let check = |options: &[&str], text: &str, expected: Value| {
        let options: Vec<String> = options.iter().map(|option| (*option).to_owned()).collect();
        let heard = interpret(&ready, &Asked { options: &options, ..Asked::new(text) }, &Letters);
        assert_eq!(Value::Object(heard.args.clone()), expected, "{text}: {heard:?}");
    };
    let colours = ["red", "green", "blue"];
    check(&colours, "all of them", json!({"kinds": colours}));
    check(&colours, "the first and the third", json!({"kinds": ["red", "blue"]}));
    check(&colours, "1 and 2", json!({"kinds": ["red", "green"]}));
    check(&colours, "the last two", json!({"kinds": ["green", "blue"]}));
    check(&["low", "high"], "the last one", json!({"level": "high"}));
    check(&["low", "high"], "not the second", json!({"level": "low"}));
}
