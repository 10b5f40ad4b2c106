//! Does the file say what a catalog may say? Walks the tree beside the format and reports every departure.

use super::nearest::nearest;
use super::problem::{Code, Problem};
use super::shape::{Key, Presence, Shape, Table, is_name};
use super::tree::{Node, Value};
use crate::limits::PROBLEMS_MAX;

/// Checks a whole tree against a shape.
pub fn check(node: &Node, shape: &'static Shape) -> Vec<Problem> {
    let mut problems = Vec::new();
    check_value(node, shape, "the catalog", &mut problems);
    problems
}

/// Checks one value; `what` names it in messages.
fn check_value(node: &Node, shape: &'static Shape, what: &str, problems: &mut Vec<Problem>) {
    if problems.len() > PROBLEMS_MAX {
        return;
    }
    match (shape, &node.value) {
        (Shape::Text | Shape::Regex, Value::Text(text)) => {
            if text.trim().is_empty() {
                problems.push(Problem::new(Code::BadValue, node.place, format!("{what} is empty")));
            }
        }
        (Shape::Name, Value::Text(text)) => check_name(node, text, what, problems),
        (Shape::Whole(least, most), Value::Number(number)) => {
            let fits = number.fract() == 0.0 && (f64::from(*least)..=f64::from(*most)).contains(number);
            expect(fits, node, shape, what, problems);
        }
        (Shape::Share(least, most), Value::Number(number)) => {
            let fits = (f64::from(*least)..=f64::from(*most)).contains(&(number * 100.0));
            expect(fits, node, shape, what, problems);
        }
        (Shape::Flag, Value::Flag(_)) => {}
        (Shape::Any, value) => check_any(value, problems),
        (Shape::Choice(words), Value::Text(text)) => check_choice(node, words, text, what, problems),
        (Shape::List(item, least), Value::List(items)) => {
            if items.len() < *least {
                problems.push(Problem::new(
                    Code::BadValue,
                    node.place,
                    format!("{what} needs at least {least} item"),
                ));
            }
            let what = format!("an item of {what}");
            for node in items {
                check_value(node, item, &what, problems);
            }
        }
        (Shape::Dictionary(item), Value::Table(entries)) => check_dictionary(entries, item, what, problems),
        (Shape::Table(table), Value::Table(entries)) => check_table(node, entries, table, problems),
        (Shape::Either(shapes), _) => match shapes.iter().find(|shape| accepts(shape, &node.value)) {
            Some(shape) => check_value(node, shape, what, problems),
            None => problems.push(wrong_type(node, shape, what)),
        },
        _ => problems.push(wrong_type(node, shape, what)),
    }
}

/// Whether a value is of the shape's kind, whatever its content.
fn accepts(shape: &Shape, value: &Value) -> bool {
    match shape {
        Shape::Text | Shape::Name | Shape::Regex | Shape::Choice(_) => matches!(value, Value::Text(_)),
        Shape::Whole(..) | Shape::Share(..) => matches!(value, Value::Number(_)),
        Shape::Flag => matches!(value, Value::Flag(_)),
        Shape::Any => true,
        Shape::List(..) => matches!(value, Value::List(_)),
        Shape::Dictionary(_) | Shape::Table(_) => matches!(value, Value::Table(_)),
        Shape::Either(shapes) => shapes.iter().any(|shape| accepts(shape, value)),
    }
}

fn wrong_type(node: &Node, shape: &Shape, what: &str) -> Problem {
    let message = format!("{what} is {}; expected {}", node.kind(), shape.words());
    let problem = Problem::new(Code::WrongType, node.place, message);
    match node.value {
        Value::Number(_) | Value::Flag(_) | Value::Null if accepts(shape, &Value::Text(String::new())) => {
            problem.hint("put it in quotes to make it text")
        }
        Value::Text(_) if matches!(shape, Shape::List(..)) => problem.hint("write it as [item, item]"),
        _ => problem,
    }
}

fn expect(fits: bool, node: &Node, shape: &Shape, what: &str, problems: &mut Vec<Problem>) {
    if !fits {
        let message = format!("{what} is out of range; expected {}", shape.words());
        problems.push(Problem::new(Code::BadValue, node.place, message));
    }
}

fn check_name(node: &Node, text: &str, what: &str, problems: &mut Vec<Problem>) {
    if is_name(text) {
        return;
    }
    let message = format!("{what} is not a name: {text:?}");
    let hint = if text.starts_with('/') {
        "write commands without their slash"
    } else {
        "a name is a letter, then letters, digits, `_`, `-` or `.`"
    };
    problems.push(Problem::new(Code::BadValue, node.place, message).hint(hint));
}

fn check_choice(node: &Node, words: &[&str], text: &str, what: &str, problems: &mut Vec<Problem>) {
    if words.contains(&text) {
        return;
    }
    let problem = Problem::new(Code::BadValue, node.place, format!("{what} cannot be `{text}`"));
    let hint = match nearest(text, words.iter().copied()) {
        Some(word) => format!("did you mean `{word}`?"),
        None => format!("expected one of {}", words.join(", ")),
    };
    problems.push(problem.hint(hint));
}

/// Anything goes that JSON can say: its keys are texts, each given once.
fn check_any(value: &Value, problems: &mut Vec<Problem>) {
    match value {
        Value::List(items) => items.iter().for_each(|item| check_any(&item.value, problems)),
        Value::Table(entries) => check_dictionary(entries, &Shape::Any, "this value", problems),
        Value::Null | Value::Flag(_) | Value::Number(_) | Value::Text(_) => {}
    }
}

fn check_dictionary(entries: &[(Node, Node)], item: &'static Shape, what: &str, problems: &mut Vec<Problem>) {
    check_keys_once(entries, problems);
    for (key, value) in entries {
        match key.text() {
            Some(name) => check_value(value, item, &format!("`{name}` of {what}"), problems),
            None => problems.push(wrong_type(key, &Shape::Text, "this key")),
        }
    }
}

fn check_table(node: &Node, entries: &[(Node, Node)], table: &'static Table, problems: &mut Vec<Problem>) {
    check_keys_once(entries, problems);
    for (key, value) in entries {
        match key.text().map(|name| (name, table.key(name))) {
            Some((name, Some(known))) => check_value(value, &known.shape, &format!("`{name}`"), problems),
            Some((name, None)) => problems.push(unknown_key(key, name, table)),
            None => problems.push(wrong_type(key, &Shape::Text, "this key")),
        }
    }
    let given = |name: &str| node.get(name).is_some();
    let missing = |key: &&Key| key.presence == Presence::Needed && !given(key.name);
    for key in table.keys.iter().filter(missing) {
        let message = format!("{} needs the key `{}`", table.title, key.name);
        problems.push(Problem::new(Code::MissingKey, node.place, message).hint(key.says));
    }
    let chosen = table.one_of.iter().filter(|name| given(name)).count();
    if !table.one_of.is_empty() && chosen != 1 {
        let message = format!("{} has exactly one of the keys {}", table.title, table.one_of.join(", "));
        let code = if chosen == 0 { Code::MissingKey } else { Code::BadValue };
        problems.push(Problem::new(code, node.place, message));
    }
}

fn check_keys_once(entries: &[(Node, Node)], problems: &mut Vec<Problem>) {
    let mut seen = std::collections::HashMap::new();
    for (key, name) in entries.iter().filter_map(|(key, _)| Some((key, key.text()?))) {
        let first: &mut &Node = seen.entry(name).or_insert(key);
        if !std::ptr::eq(*first, key) {
            let message = format!("the key `{name}` is given twice");
            let hint = format!("first at line {}", first.place.line);
            problems.push(Problem::new(Code::DuplicateKey, key.place, message).hint(hint));
        }
    }
}

/// What people call a secret. Where a table says with `key_env` where its secret is kept, these are no slips of the pen.
const SECRETS: &[&str] = &["key", "api_key", "apikey", "token", "secret", "password", "authorization"];

fn unknown_key(key: &Node, name: &str, table: &Table) -> Problem {
    if SECRETS.contains(&name.to_lowercase().as_str()) && table.key("key_env").is_some() {
        let message = format!("a secret never stands in a catalog, as `{name}` would");
        let hint = "name the environment variable that holds it with `key_env`";
        return Problem::new(Code::Secret, key.place, message).hint(hint);
    }
    let message = format!("{} has no key `{name}`", table.title);
    let known = || table.keys.iter().map(|key| key.name);
    let hint = match nearest(name, known()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("known keys: {}", known().collect::<Vec<_>>().join(", ")),
    };
    Problem::new(Code::UnknownKey, key.place, message).hint(hint)
}
