//! Are two values the same? Each set says for itself how closely it looks.

use serde_json::Value;

use super::JudgedAs;

/// How far two numbers may be apart, relative to the larger: what conversion costs, and no more.
const NEAR: f64 = 1e-6;

/// Whether a value is one that is accepted.
pub(in super::super) fn same(found: &Value, accepted: &Value, judged_as: JudgedAs) -> bool {
    let each = |found: &[Value], accepted: &[Value]| {
        let right = found.iter().zip(accepted).all(|(found, accepted)| same(found, accepted, judged_as));
        found.len() == accepted.len() && right
    };
    match (found, accepted) {
        (Value::Number(found), Value::Number(accepted)) => near(found.as_f64(), accepted.as_f64()),
        // Turns write every value as text.
        (Value::Number(found), Value::String(text)) if judged_as == JudgedAs::Turn => {
            near(found.as_f64(), text.parse().ok())
        }
        (Value::String(found), Value::String(accepted)) => bare(found) == bare(accepted),
        // What is chosen is a set; a call's lists have an order.
        (Value::Array(found), Value::Array(accepted)) if judged_as == JudgedAs::Own => {
            let within = |value: &Value| found.iter().any(|found| same(found, value, judged_as));
            found.len() == accepted.len() && accepted.iter().all(within)
        }
        (Value::Array(found), Value::Array(accepted)) => each(found, accepted),
        (Value::Object(found), Value::Object(accepted)) => {
            let known = found.iter().all(|(name, value)| {
                let right = accepted.get(name);
                right.is_some_and(|right| is_accepted(value, right, judged_as))
            });
            known && accepted.iter().all(|(name, right)| found.contains_key(name) || may_be_left_out(right))
        }
        (found, accepted) => found == accepted,
    }
}

/// Within an object a call lists what is accepted, as it does outside.
fn is_accepted(value: &Value, right: &Value, judged_as: JudgedAs) -> bool {
    let listed = right.as_array().filter(|_| judged_as == JudgedAs::Call);
    listed.is_some_and(|listed| listed.iter().any(|right| same(value, right, judged_as)))
        || same(value, right, judged_as)
}

fn may_be_left_out(right: &Value) -> bool {
    right.as_array().is_some_and(|listed| listed.iter().any(|value| value == ""))
}

fn near(found: Option<f64>, accepted: Option<f64>) -> bool {
    let both = found.zip(accepted);
    both.is_some_and(|(a, b)| (a - b).abs() <= NEAR * a.abs().max(b.abs()))
}

/// A text as the set of calls compares it: without case, spaces and some signs.
fn bare(text: &str) -> String {
    let kept = |c: &char| !c.is_whitespace() && !matches!(c, ',' | '.' | '/' | '-' | '_' | '*' | '^');
    let one_quote = |c: char| if c == '\'' { '"' } else { c };
    text.chars().filter(kept).map(one_quote).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(judged_as: JudgedAs, found: &Value, accepted: &Value, expected: bool) {
        assert_eq!(same(found, accepted, judged_as), expected, "{found} and {accepted}");
    }

    #[test]
    fn each_set_looks_as_closely_as_it_says() {
        check(JudgedAs::Call, &json!("New-York, NY"), &json!("new york NY"), true);
        check(JudgedAs::Call, &json!(2), &json!(2.0), true);
        check(JudgedAs::Call, &json!(2), &json!("2"), false);
        check(JudgedAs::Turn, &json!(2), &json!("2"), true);
        check(JudgedAs::Own, &json!(["a", "b"]), &json!(["b", "a"]), true);
        check(JudgedAs::Call, &json!(["a", "b"]), &json!(["b", "a"]), false);
        check(JudgedAs::Call, &json!({"x": 1}), &json!({"x": [1, 2], "y": ["", 3]}), true);
        check(JudgedAs::Call, &json!({"x": 1}), &json!({"x": [2]}), false);
        check(JudgedAs::Own, &json!({"x": 1}), &json!({"x": 1, "y": 2}), false);
        check(JudgedAs::Own, &json!(true), &json!("true"), false);
    }
}
