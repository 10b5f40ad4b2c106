//! What do the values of a slot stand for? Descriptions explain codes: "PO by mouth, SC under the skin", "dtm = bare ground".

use waypost_core::arguments::form::Choice;

/// Signs that part a code from what it stands for.
const PARTING: [char; 5] = ['=', ':', '(', '–', '—'];
/// Signs that end what a code stands for.
const ENDING: [char; 6] = [',', ';', '.', '|', ')', '\n'];

/// What a description says each value stands for. Without a sign in between it counts only where half of the values are explained, and at least two.
pub(super) fn of<'t>(about: &'t str, choices: &[Choice]) -> Vec<Option<&'t str>> {
    let codes: Vec<&str> = choices.iter().filter_map(|choice| choice.value.as_str()).collect();
    if codes.len() < choices.len() || !codes.iter().any(|code| place(about, code).is_some()) {
        return vec![None; choices.len()];
    }
    let found: Vec<Option<(&str, bool)>> = codes.iter().map(|code| gloss(about, code, &codes)).collect();
    let count = found.iter().flatten().count();
    let all = count >= 2 && 2 * count >= codes.len();
    found
        .into_iter()
        .map(|gloss| gloss.filter(|(_, parted)| *parted || all).map(|(gloss, _)| gloss))
        .collect()
}

/// What stands behind a code up to the next one or the end of its part, and whether a sign is in between.
fn gloss<'t>(about: &'t str, code: &str, codes: &[&str]) -> Option<(&'t str, bool)> {
    let rest = about.get(place(about, code)? + code.len()..)?;
    let said = rest.trim_start();
    let parted = said.starts_with(PARTING) || said.starts_with("- ");
    let said = said.trim_start_matches(PARTING).trim_start_matches("- ").trim_start();
    let next = codes.iter().filter_map(|other| place(said, other)).min().unwrap_or(said.len());
    let end = said.find(ENDING).unwrap_or(said.len()).min(next);
    let gloss = said.get(..end)?.trim();
    let says = gloss.chars().filter(|c| c.is_alphanumeric()).count() > 1;
    (says && !matches!(gloss, "or" | "and")).then_some((gloss, parted))
}

/// Where a code stands in a text as a word of its own.
fn place(text: &str, code: &str) -> Option<usize> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let alone = |at: &usize| {
        let before = text.get(..*at).and_then(|before| before.chars().next_back());
        let behind = text.get(at + code.len()..).and_then(|behind| behind.chars().next());
        !before.is_some_and(is_part) && !behind.is_some_and(is_part)
    };
    text.match_indices(code).map(|(at, _)| at).find(alone)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use waypost_core::arguments::Form;

    #[track_caller]
    fn check(about: &str, codes: &[&str], expected: &[Option<&str>]) {
        let schema = json!({"type": "object", "properties": {"slot": {"type": "string", "enum": codes}}});
        let form = Form::read("tool", "", Some(&schema)).unwrap();
        assert_eq!(of(about, &form.slots[0].choices), expected, "{about}");
    }

    #[test]
    fn codes_are_explained_with_and_without_signs() {
        check("PO by mouth, SC under the skin", &["PO", "SC"], &[Some("by mouth"), Some("under the skin")]);
        check("Model: dtm = bare ground", &["dsm", "dtm"], &[None, Some("bare ground")]);
        check(
            "transponder: car key; tubular: round",
            &["tubular", "transponder"],
            &[Some("round"), Some("car key")],
        );
        check("S1 (first soprano), S2 (second)", &["S1", "S2"], &[Some("first soprano"), Some("second")]);
        check("A across, D down", &["A", "D"], &[Some("across"), Some("down")]);
    }

    #[test]
    fn lists_and_other_words_explain_nothing() {
        check("one of basic, pro", &["basic", "pro"], &[None, None]);
        check("low or high as it is", &["low", "mid", "high"], &[None, None, None]);
        check("", &["a", "b"], &[None, None]);
    }
}
