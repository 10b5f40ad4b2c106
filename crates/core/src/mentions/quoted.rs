//! Which words stand in quotation marks?

use super::tokens::Tokens;
use super::{Mention, Value};
use crate::message::Span;

/// Finds words in quotation marks; the span holds the marks, the value does not.
pub(super) fn find(tokens: &Tokens<'_>, found: &mut Vec<Mention>) {
    let text = tokens.text();
    let mut from = 0;
    while let Some((start, open, close)) = next_opening(text, from) {
        from = start + open.len_utf8();
        let Some(end) = closing(text, from, close) else { continue };
        let words = text.get(from..end).unwrap_or_default().trim();
        if words.is_empty() {
            continue;
        }
        from = end + close.len_utf8();
        let span = Span::new(start..from);
        found.push(Mention { span, value: Value::Quoted(words.to_owned()), latent: false });
    }
}

/// The next mark that opens a quotation, and the one that would close it.
fn next_opening(text: &str, from: usize) -> Option<(usize, char, char)> {
    let rest = text.get(from..)?;
    rest.char_indices().find_map(|(at, mark)| {
        let close = match mark {
            '"' | '\'' | '`' => mark,
            '“' | '„' => '”',
            '‘' => '’',
            '«' => '»',
            _ => return None,
        };
        // Behind a letter it is an apostrophe, behind a figure inches or minutes.
        let before = text.get(..from + at)?.chars().next_back();
        before.is_none_or(|before| !before.is_alphanumeric()).then_some((from + at, mark, close))
    })
}

/// Where a quotation ends: at a mark that no letter follows, since within a word it is an apostrophe.
fn closing(text: &str, from: usize, close: char) -> Option<usize> {
    let rest = text.get(from..)?;
    rest.char_indices().filter(|(_, mark)| *mark == close).map(|(at, _)| from + at).find(|at| {
        let after = text.get(at + close.len_utf8()..).and_then(|rest| rest.chars().next());
        after.is_none_or(|after| !after.is_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let mut found = Vec::new();
        find(&Tokens::new(text), &mut found);
        let expected: Vec<Value> = expected.iter().map(|words| Value::Quoted((*words).to_owned())).collect();
        let values: Vec<Value> = found.into_iter().map(|mention| mention.value).collect();
        assert_eq!(values, expected, "{text}");
    }

    #[test]
    fn quotations_are_found_with_whatever_marks() {
        check("name it \"north wing\" please", &["north wing"]);
        check("“one” and ‘two’ and «three»", &["one", "two", "three"]);
        check("call it 'Jane's list', then `go`", &["Jane's list", "go"]);
        check("\"\" and \"unfinished", &[]);
    }

    #[test]
    fn apostrophes_and_inches_are_no_marks() {
        check("don't touch Bob's things", &[]);
        check("a 5\" pipe and a 7\" pipe", &[]);
    }
}
