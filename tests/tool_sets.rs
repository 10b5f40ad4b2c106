//! Does a conversation keep its tools, and is there another where one failed?
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use support::{Run, waypost_in};

/// What conversations are about, and the tools of each subject.
const SUBJECTS: [(&str, [&str; 6]); 6] = [
    ("mail", ["Sends", "Reads", "Deletes", "Sorts", "Forwards", "Archives"]),
    ("calendar", ["Creates", "Moves", "Cancels", "Lists", "Shares", "Prints"]),
    ("weather", ["Forecasts", "Measures", "Records", "Maps", "Warns about", "Compares"]),
    ("invoice", ["Writes", "Pays", "Checks", "Files", "Refunds", "Totals"]),
    ("photo", ["Crops", "Rotates", "Brightens", "Tags", "Resizes", "Publishes"]),
    ("database", ["Queries", "Repairs", "Copies", "Indexes", "Migrates", "Empties"]),
];

/// A folder of its own for each test, with a file of tools and a home for what is kept.
struct Place(PathBuf);

impl Place {
    fn new(name: &str, tools: &[Value]) -> Place {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("tools.jsonl"), tools.iter().map(|row| format!("{row}\n")).collect::<String>())
            .unwrap();
        Place(folder)
    }

    fn run(&self, args: &[&str], input: &str) -> Run {
        let args = [&["tools", "--tools", "tools.jsonl"], args].concat();
        let home = self.0.join("home");
        waypost_in(&self.0, &args, input.as_bytes(), &[("WAYPOST_HOME", home.to_str().unwrap())])
    }

    fn answer(&self, args: &[&str]) -> Value {
        let run = self.run(&[args, &["--json"]].concat(), "");
        assert_eq!(run.code, 0, "{}", run.err);
        serde_json::from_str(&run.out).unwrap()
    }

    fn answers(&self, rows: &[Value], flags: &[&str]) -> Vec<Value> {
        let rows: String = rows.iter().map(|row| format!("{row}\n")).collect();
        let run = self.run(&[&["--batch", "-"], flags].concat(), &rows);
        assert_eq!(run.code, 0, "{} {}", run.err, run.out);
        run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

fn tools_of_all_subjects() -> Vec<Value> {
    let tool = |subject: &str, verb: &str| {
        let name = format!("{}_{subject}", verb.split(' ').next().unwrap().to_lowercase());
        json!({"name": name, "description": format!("{verb} one {subject} or several"), "category": subject})
    };
    SUBJECTS.iter().flat_map(|(subject, verbs)| verbs.iter().map(|verb| tool(subject, verb))).collect()
}

/// Fifty turns: some about one subject, then about the next, with a word on an earlier one now and then.
fn conversation() -> Vec<Value> {
    let turn = |turn: usize| {
        let at = if turn % 7 == 6 { turn / 9 } else { turn / 8 };
        let (subject, verbs) = SUBJECTS[at % SUBJECTS.len()];
        let verb = verbs[(turn * 5 + turn / 3) % verbs.len()].to_lowercase();
        json!({"text": format!("who {verb} the {subject} of Monday"), "session": "long"})
    };
    (0..50).map(turn).collect()
}

fn ids(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|id| id.as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_set_keeps_its_prefix_over_fifty_turns() {
    let place = Place::new("sets-fifty", &tools_of_all_subjects());
    let rows = conversation();
    let answers = place.answers(&rows, &["-k", "3"]);
    let mut before: Vec<String> = Vec::new();
    let mut print = String::new();
    let mut renewals = 0;
    for answer in &answers {
        let set = &answer["set"];
        let (tools, added) = (ids(&set["tools"]), ids(&set["added"]));
        let best = answer["tools"][0]["id"].as_str().unwrap().to_owned();
        assert!(tools.contains(&best), "the best tool is in the set: {answer}");
        if set["renewed"] == true {
            renewals += 1;
            assert!(set["renewed_because"].is_string(), "{set}");
        } else {
            assert_eq!(tools, [before.clone(), added.clone()].concat(), "it grows at its end");
            assert_eq!(set["fingerprint"] == print, added.is_empty());
        }
        assert!(tools.len() <= 32);
        (before, print) = (tools, set["fingerprint"].as_str().unwrap().to_owned());
    }
    assert!(renewals <= 3, "{renewals} renewals");
    assert!(before.len() > 3, "more than one turn's tools are kept");

    // The same conversation elsewhere ends with the same set, and each turn by itself does what a batch does.
    let other = Place::new("sets-fifty-again", &tools_of_all_subjects());
    for (row, batch) in rows.iter().take(4).zip(&answers) {
        let alone = other.answer(&["-k", "3", "--session", "long", row["text"].as_str().unwrap()]);
        assert_eq!(alone["set"], batch["set"]);
    }
    assert_eq!(other.answers(&rows[4..], &["-k", "3"]).last().unwrap()["set"]["fingerprint"], print);
}

#[test]
fn conversations_do_not_mix_and_a_message_alone_has_no_set() {
    let place = Place::new("sets-apart", &tools_of_all_subjects());
    let one = place.answer(&["-k", "2", "--session", "one", "send the mail"]);
    let two = place.answer(&["-k", "2", "--session", "two", "crop the photo"]);
    assert_eq!(ids(&two["set"]["tools"]).len(), 2, "{two}");
    assert_ne!(one["set"]["fingerprint"], two["set"]["fingerprint"]);
    assert!(place.answer(&["send the mail"])["set"].is_null());
    // A tool that is gone cannot stay in the set.
    let left = tools_of_all_subjects().into_iter().filter(|tool| tool["category"] != "mail");
    fs::write(place.0.join("tools.jsonl"), left.map(|row| format!("{row}\n")).collect::<String>()).unwrap();
    let set = &place.answer(&["-k", "2", "--session", "one", "crop the photo"])["set"];
    assert_eq!((&set["renewed"], &set["renewed_because"]), (&json!(true), &json!("barred")));
    let run = place.run(&["-k", "2", "--session", "one", "crop the photo"], "");
    assert!(run.out.contains("set of 2 tools, 0 added"), "{}", run.out);
}

#[test]
fn a_store_that_cannot_be_had_is_told() {
    let place = Place::new("sets-trouble", &tools_of_all_subjects());
    let run = place.run(&["--session", "s", "--data", "tools.jsonl/within", "send the mail"], "");
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.err.contains("may this user write there?"), "{}", run.err);
}

fn with_lone_tool() -> Vec<Value> {
    let mut tools = tools_of_all_subjects();
    tools.push(json!({"name": "ask_human", "description": "Asks a person for help", "category": "people"}));
    tools.push(json!({"name": "shout", "description": "Says it aloud"}));
    tools
}

#[test]
fn an_alternate_is_the_best_of_the_category_that_has_not_failed() {
    let place = Place::new("alternates", &with_lone_tool());
    let instead = |args: &[&str]| place.answer(args)["alternate"].clone();
    let first = instead(&["--instead-of", "sends_mail", "forward the mail to Ann"]);
    assert_eq!((&first["tool"]["id"], &first["same_category"]), (&json!("forwards_mail"), &json!(true)));
    assert!(first["reason"].as_str().unwrap().contains("category mail"), "{first}");
    let second =
        instead(&["--instead-of", "sends_mail", "--failed", "forwards_mail", "forward the mail to Ann"]);
    let id = second["tool"]["id"].as_str().unwrap();
    assert!(id.ends_with("_mail") && id != "sends_mail" && id != "forwards_mail", "{second}");
    assert_eq!(second["failed"], json!(["forwards_mail"]));

    let lone = instead(&["--instead-of", "ask_human", "forward the mail to Ann"]);
    assert_eq!((&lone["tool"]["id"], &lone["same_category"]), (&json!("forwards_mail"), &json!(false)));
    assert!(lone["reason"].as_str().unwrap().contains("no other tool of the category people"), "{lone}");
    let bare = instead(&["--instead-of", "shout", "forward the mail to Ann"]);
    assert!(bare["reason"].as_str().unwrap().contains("shout has no category"), "{bare}");
    let run = place.run(&["--instead-of", "shout", "forward the mail to Ann"], "");
    assert!(run.out.starts_with("instead of shout: shout has no category"), "{}", run.out);

    let only = Place::new("alternates-only", &tools_of_all_subjects()[..1]);
    let none = &only.answer(&["--instead-of", "sends_mail", "send it"])["alternate"];
    assert!(none["tool"].is_null() && none["reason"].as_str().unwrap().contains("no other tool"), "{none}");
}

#[test]
fn failures_of_a_conversation_are_remembered() {
    let place = Place::new("alternates-session", &with_lone_tool());
    let turn = |failed: &str| {
        let text = "forward the mail to Ann";
        place.answer(&["--session", "s", "--instead-of", failed, text])["alternate"].clone()
    };
    let mut failed = vec!["sends_mail".to_owned()];
    for _ in 0..5 {
        let alternate = turn(failed.last().unwrap());
        assert_eq!(alternate["same_category"], true, "{alternate}");
        let id = alternate["tool"]["id"].as_str().unwrap().to_owned();
        assert!(!failed.contains(&id), "{id} failed before: {failed:?}");
        failed.push(id);
    }
    assert_eq!(turn(failed.last().unwrap())["same_category"], false, "all of the category failed");
}

#[test]
fn tools_that_are_not_there_are_told_with_what_was_meant() {
    let mut tools = tools_of_all_subjects();
    tools.extend(["web", "disk"].map(|server| json!({"name": "search", "server": server})));
    let place = Place::new("alternates-bad", &tools);
    let run = place.run(&["--instead-of", "send_mail", "send it"], "");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("no tool `send_mail` (did you mean `sends_mail`?)"), "{}", run.err);
    let run = place.run(&["--instead-of", "search", "send it"], "");
    assert!(run.err.contains("web/search, disk/search; write the server too"), "{}", run.err);
    let rows = format!("{}\n", json!({"text": "send it", "instead_of": "web/search", "failed": ["nobody"]}));
    let run = place.run(&["--batch", "-"], &rows);
    assert!(run.code == 1 && run.out.contains("unknown_tool"), "{}", run.out);
}
