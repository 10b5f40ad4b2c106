//! Do the tools' own examples decide how they are found?
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use support::waypost;

/// Tools, each with messages it serves.
const TOOLS: [(&str, &str, [&str; 5]); 8] = [
    (
        "send_mail",
        "Sends an e-mail",
        [
            "write to Ann",
            "mail the report to Bo",
            "tell Cy by e-mail",
            "send a letter to the team",
            "drop Di a message",
        ],
    ),
    (
        "weather_now",
        "Tells the weather",
        [
            "will it rain in Oslo",
            "how warm is it outside",
            "do I need an umbrella",
            "is it windy at the coast",
            "forecast for Rome",
        ],
    ),
    (
        "book_table",
        "Reserves a table",
        [
            "dinner for four at eight",
            "a place at the trattoria",
            "reserve lunch for two",
            "table by the window tonight",
            "seats at the restaurant",
        ],
    ),
    (
        "play_music",
        "Plays songs",
        [
            "put on some jazz",
            "play the new album",
            "I want to hear a ballad",
            "start my party playlist",
            "some quiet piano please",
        ],
    ),
    (
        "convert_money",
        "Converts currencies",
        [
            "how many yen are 20 dollars",
            "euros for 50 pounds",
            "what is a franc worth",
            "change 10 crowns to dollars",
            "dollar rate in rupees",
        ],
    ),
    (
        "set_alarm",
        "Sets an alarm",
        [
            "wake me at six",
            "alarm for tomorrow morning",
            "ring in ten minutes",
            "remind me when the egg is done",
            "get me up early",
        ],
    ),
    (
        "find_flight",
        "Finds flights",
        [
            "fly to Lisbon on Monday",
            "cheapest plane to New York",
            "is there a night flight to Rome",
            "airline tickets for two",
            "when does the next plane leave",
        ],
    ),
    (
        "translate",
        "Translates text",
        [
            "how do you say bread in French",
            "this letter in German please",
            "what does hola mean",
            "put it into Polish",
            "the Latin word for sea",
        ],
    ),
];

fn file(name: &str, examples: usize) -> PathBuf {
    let rows = TOOLS.map(|(name, about, own)| {
        json!({"name": name, "description": about, "success_examples": own[..examples]}).to_string()
    });
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, rows.join("\n")).unwrap();
    path
}

fn answer(file: &Path, text: &str) -> Value {
    let run = waypost(&["tools", "--tools", file.to_str().unwrap(), "-k", "3", "--json", text]);
    assert_eq!(run.code, 0, "{}", run.err);
    serde_json::from_str(&run.out).unwrap()
}

#[test]
fn weights_and_confidence_are_chosen_by_the_examples() {
    let (many, few) = (file("examples-many.jsonl", 5), file("examples-few.jsonl", 2));
    let text = "how many euros are 30 dollars";
    let (by_examples, by_statistics) = (answer(&many, text), answer(&few, text));
    assert_eq!(by_examples["fusion"]["by"], "examples", "{by_examples}");
    assert_eq!(by_examples["fusion"]["examples"], 40);
    assert_eq!(by_statistics["fusion"]["by"], "statistics", "{by_statistics}");
    assert!(by_statistics["fusion"]["examples"].is_null());
    let best = &by_examples["tools"][0];
    assert_eq!(best["id"], "convert_money");
    assert!(best["reasons"].to_string().contains("is like its example 'euros for 50 pounds'"), "{best}");
    // The same file is fitted the same way.
    assert_eq!(answer(&many, text)["tools"], by_examples["tools"]);
    let run = waypost(&["tools", "--tools", many.to_str().unwrap(), text]);
    assert!(run.out.contains("weights and confidence by 40 examples"), "{}", run.out);
}

#[test]
fn examples_do_not_make_sure_of_what_nothing_serves() {
    let many = file("examples-strange.jsonl", 5);
    assert_eq!(answer(&many, "play some jazz for the party")["fits"], true);
    let strange = answer(&many, "who won the world cup in 1990");
    assert_eq!(strange["fits"], false, "{strange}");
}
