//! Where do sentences end?

/// Words before a full stop that do not end a sentence.
const ABBREVIATIONS: &[&str] = &[
    "al", "approx", "ca", "cf", "dr", "e.g", "eq", "etc", "fig", "i.e", "mr", "mrs", "nr", "prof", "vol",
    "vs",
];

/// The byte behind each sentence and the space that follows it; the last is the end of the text.
pub(super) fn ends(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut word_start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if c.is_whitespace() {
            word_start = at + c.len_utf8();
            continue;
        }
        let asian = matches!(c, '。' | '！' | '？');
        if !asian && !matches!(c, '.' | '!' | '?' | '…') {
            continue;
        }
        if c == '.' && is_abbreviation(text.get(word_start..at).unwrap_or_default()) {
            continue;
        }
        while chars.next_if(|(_, next)| ends_or_closes(*next)).is_some() {}
        let spaced = chars.peek().is_none_or(|(_, next)| next.is_whitespace());
        while chars.next_if(|(_, next)| next.is_whitespace()).is_some() {}
        let next = chars.peek().copied();
        if let Some((next_at, next)) = next {
            if spaced {
                word_start = next_at;
            }
            if asian || (spaced && !next.is_lowercase()) {
                found.push(next_at);
            }
        }
    }
    if !text.is_empty() {
        found.push(text.len());
    }
    found
}

fn ends_or_closes(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？' | '"' | '\'' | ')' | ']' | '”' | '’' | '»' | '」')
}

/// A known one, or the initial of a name.
fn is_abbreviation(word: &str) -> bool {
    let word = word.trim_start_matches(['(', '[', '"', '\'']);
    let mut chars = word.chars();
    let initial = chars.next().is_some_and(char::is_alphabetic) && chars.next().is_none();
    initial || ABBREVIATIONS.iter().any(|known| known.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_where_people_end_them() {
        let check = |text: &str, sentences: &[&str]| {
            let mut start = 0;
            let found: Vec<&str> = ends(text)
                .into_iter()
                .map(|end| text.get(std::mem::replace(&mut start, end)..end).unwrap().trim_end())
                .collect();
            assert_eq!(found, sentences);
        };
        check("", &[]);
        check("One", &["One"]);
        check("One. Two! Three?", &["One.", "Two!", "Three?"]);
        check(
            "Use a tool, e.g. a saw. Dr. K. Meyer agrees.",
            &["Use a tool, e.g. a saw.", "Dr. K. Meyer agrees."],
        );
        check("Version 1.2 is out. it says so", &["Version 1.2 is out. it says so"]);
        check("He said \"no.\" Then he left…\nWell.", &["He said \"no.\"", "Then he left…", "Well."]);
        check("今日は。明日も。", &["今日は。", "明日も。"]);
    }
}
