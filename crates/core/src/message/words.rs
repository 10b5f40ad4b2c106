//! Where does a word begin and end?

use super::fold::is_word_char;
use super::span::Span;

/// The words of a folded text, in order.
pub(super) fn split(text: &str) -> Vec<Span> {
    let mut words = Vec::with_capacity(text.len() / 5 + 1);
    let mut start = None;
    for (at, c) in text.char_indices() {
        match (is_word_char(c), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                words.push(Span::new(from..at));
                start = None;
            }
            _ => {}
        }
    }
    words.extend(start.map(|from| Span::new(from..text.len())));
    words
}

/// Whether a span begins and ends where words do: the one test behind every "whole word".
pub fn is_whole(text: &str, span: Span) -> bool {
    is_border(text, span.start as usize) && is_border(text, span.end as usize)
}

/// Whether a word begins, ends, or neither runs across this position. Scripts written without spaces
/// have no such borders to see, so every position in them is one.
pub fn is_border(text: &str, at: usize) -> bool {
    let Some((before, after)) = text.split_at_checked(at) else { return at >= text.len() };
    match (before.chars().next_back(), after.chars().next()) {
        (Some(left), Some(right)) => {
            !(is_word_char(left) && is_word_char(right)) || is_unspaced(left) || is_unspaced(right)
        }
        _ => true,
    }
}

/// The end of the word that a position is in, or the position itself.
pub fn word_end(text: &str, at: usize) -> usize {
    let mut end = at;
    while !is_border(text, end) {
        end += text.get(end..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
    }
    end
}

/// Letters of scripts that write words without spaces between them.
fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}'     // Thai, Lao
        | '\u{1000}'..='\u{109F}'   // Myanmar
        | '\u{1780}'..='\u{17FF}'   // Khmer
        | '\u{3040}'..='\u{30FF}'   // Hiragana, Katakana
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{323AF}') // Han
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, word: &str, whole: bool) {
        let at = text.find(word).unwrap();
        assert_eq!(is_whole(text, Span::new(at..at + word.len())), whole, "{word} in {text}");
    }

    #[test]
    fn whole_words_only() {
        check("a rapid api", "api", false);
        check("an api.", "api", true);
        check("prefix", "fix", false);
        check("fix_it", "fix", false);
        check("re-fix it", "fix", true);
        check("我要支付账单", "支付", true);
        check("préfix", "fix", false);
    }

    #[test]
    fn words_end_where_letters_do() {
        let words: Vec<&str> =
            split("v3.0 a_b, ümlaut!").into_iter().map(|w| w.of("v3.0 a_b, ümlaut!")).collect();
        assert_eq!(words, ["v3", "0", "a_b", "ümlaut"]);
        assert_eq!(word_end("violates it", 5), 8);
        assert_eq!(word_end("violates it", 8), 8);
    }
}
