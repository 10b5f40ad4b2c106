//! Where is the JSON in what a model says? The whole of it, between fences, or in the midst of words.

use serde_json::Value;

/// Most places in a text that are tried: a reply has few braces before its JSON, and one made of braces costs no more than this.
const STARTS_MAX: usize = 64;
/// What fences JSON.
const FENCE: &str = "```";
/// What ends the thinking that some models say aloud; the reply comes behind it.
const THOUGHT: &str = "</think>";

/// The JSON of a reply; else what is wrong with it. Where there are several that differ, none is meant more than the others.
pub(super) fn json(said: &str) -> Result<Value, String> {
    let reply = said.rsplit(THOUGHT).next().unwrap_or(said).trim();
    if reply.is_empty() {
        return Err("it is empty".to_owned());
    }
    let whole = match serde_json::from_str(reply) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    let fenced: Vec<Value> = fenced(reply).filter_map(|inside| serde_json::from_str(inside).ok()).collect();
    one_of(fenced).or_else(|| one_of(objects(reply))).unwrap_or_else(|| Err(whole.to_string()))
}

/// The one value there is, if there is any.
fn one_of(found: Vec<Value>) -> Option<Result<Value, String>> {
    let count = found.len();
    let mut found = found.into_iter();
    let first = found.next()?;
    Some(if found.all(|other| other == first) {
        Ok(first)
    } else {
        Err(format!("there are {count} that differ"))
    })
}

/// What stands between fences, without the name of its language.
fn fenced(text: &str) -> impl Iterator<Item = &str> {
    let inside = text.split(FENCE).skip(1).step_by(2);
    inside.map(|block| match block.split_once('\n') {
        Some((language, rest)) if language.trim().chars().all(char::is_alphanumeric) => rest.trim(),
        _ => block.trim().trim_start_matches("json").trim(),
    })
}

/// The objects in a text, from left to right and none inside another.
fn objects(text: &str) -> Vec<Value> {
    let (mut found, mut from) = (Vec::new(), 0);
    for _ in 0..STARTS_MAX {
        let Some(rest) = text.get(from..) else { break };
        let Some(start) = rest.find('{') else { break };
        let mut values =
            serde_json::Deserializer::from_str(rest.get(start..).unwrap_or_default()).into_iter();
        match values.next() {
            Some(Ok(value)) => {
                from += start + values.byte_offset();
                found.push(value);
            }
            _ => from += start + 1,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(said: &str, expected: Result<Value, &str>) {
        match (json(said), expected) {
            (Ok(found), Ok(expected)) => assert_eq!(found, expected, "{said}"),
            (Err(found), Err(expected)) => assert!(found.contains(expected), "{said}: {found}"),
            (found, expected) => panic!("{said}: {found:?}, expected {expected:?}"),
        }
    }

    #[test]
    fn json_is_found_wherever_it_stands() {
        let one = || Ok(json!({ "a": 1 }));
        check(r#"{"a": 1}"#, one());
        check("\n  {\"a\": 1}  \n", one());
        check("```json\n{\"a\": 1}\n```", one());
        check("```\n{\"a\": 1}\n```", one());
        check("```json {\"a\": 1}```", one());
        check("```{\"a\": 1}```", one());
        check("Here you are:\n```json\n{\"a\": 1}\n```\nAnything else?", one());
        check("```json\n{\"a\": 1}", one());
        check("Sure! {\"a\": 1} is what you want.", one());
        check("A set {x} is not it, {\"a\": 1} is.", one());
        check("<think>{\"a\": 2} perhaps?</think>\n{\"a\": 1}", one());
        check("{\"a\": 1} and again {\"a\": 1}", one());
        check("[1, 2]", Ok(json!([1, 2])));
        check("{\"a\": \"```\"}", Ok(json!({ "a": "```" })));
    }

    #[test]
    fn what_is_no_json_or_too_many_is_told() {
        check("", Err("it is empty"));
        check("<think>hm</think>", Err("it is empty"));
        check("I cannot say.", Err("expected value at line 1 column 1"));
        check("{\"a\": ", Err("EOF"));
        check("{'a': 1}", Err("key must be a string"));
        check("{\"a\": 1} or {\"a\": 2}", Err("there are 2 that differ"));
        check("```\n{\"a\": 1}\n```\n```\n{\"a\": 2}\n```", Err("there are 2 that differ"));
        check(&"{".repeat(100_000), Err("line 1"));
    }

    proptest! {
        #[test]
        fn an_object_is_found_behind_and_before_words(
            before in "[a-z .,\n]{0,40}", after in "[a-z .,\n]{0,40}", key in "[a-z]{1,8}", value in ".{0,20}"
        ) {
            let object = json!({ key: value });
            prop_assert_eq!(json(&format!("{before} {object} {after}")), Ok(object));
        }

        #[test]
        fn nothing_said_breaks_it(said in "[{}\\[\\]`\"a:, \n]{0,80}") {
            let _ = json(&said);
        }
    }
}
