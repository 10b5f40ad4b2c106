//! Which addresses and files are named? E-mail, the web, paths and names of files.

use super::tokens::{Kind, Tokens};
use super::{Mention, Value};
use crate::entities::{is_file, is_host};
use crate::message::Span;

/// Finds e-mail addresses, addresses of the web and files.
pub(super) fn find(tokens: &Tokens<'_>, found: &mut Vec<Mention>) {
    let text = tokens.text();
    let mut at = 0;
    for piece in text.split_inclusive(char::is_whitespace) {
        let start = at;
        at += piece.len();
        // A word alone, as most are, is none of them.
        if piece.bytes().any(|byte| matches!(byte, b'@' | b'.' | b'/' | b'\\' | b':'))
            || piece.trim().len() == LOCAL.len()
        {
            written(piece, start, found);
        }
    }
    spoken(tokens, found);
}

/// The one host that has no point in its name.
const LOCAL: &str = "localhost";

/// What a piece of text between blanks is.
fn written(piece: &str, start: usize, found: &mut Vec<Mention>) {
    let bare = without_marks(piece);
    if bare.is_empty() {
        return;
    }
    let start = start + (bare.as_ptr() as usize - piece.as_ptr() as usize);
    let mut note = |value: fn(String) -> Value, text: &str, latent: bool| {
        let span = Span::new(start..start + bare.len());
        found.push(Mention { span, value: value(text.to_owned()), latent });
    };
    let address = bare.strip_prefix("mailto:").unwrap_or(bare);
    if is_email(address) {
        return note(Value::Email, address, false);
    }
    if bare.split_once("://").is_some_and(|(scheme, rest)| is_scheme(scheme) && !rest.is_empty()) {
        return note(Value::Url, bare, false);
    }
    let host = bare.split(['/', '?', '#', ':']).next().unwrap_or_default();
    let file = is_file(bare);
    if host == LOCAL || is_host(host) {
        // "Ask.me" may be the end of one sentence and the beginning of another.
        let whole = host.len() < bare.len() || host.starts_with("www.");
        note(Value::Url, bare, !whole);
    }
    if file {
        note(Value::File, bare, false);
    }
}

/// A piece without the marks that stand around it in a sentence.
fn without_marks(piece: &str) -> &str {
    let piece = piece.trim().trim_start_matches(['(', '[', '{', '<', '"', '\'', '`', '“', '‘', '«']);
    let mut bare = piece;
    loop {
        let open = bare.contains('(');
        let marks = |c: char| ".,;:!?]}>\"'`”’»".contains(c) || (c == ')' && !open);
        let cut = bare.trim_end_matches(marks);
        if cut.len() == bare.len() {
            return bare;
        }
        bare = cut;
    }
}

fn is_scheme(scheme: &str) -> bool {
    !scheme.is_empty()
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
}

fn is_email(text: &str) -> bool {
    text.split_once('@').is_some_and(|(local, domain)| is_local(local) && is_domain(domain))
}

/// Whether it may stand before the sign of an e-mail address.
fn is_local(text: &str) -> bool {
    let fits = |c: char| c.is_alphanumeric() || "._%+-'!#$&*/=?^`{|}~".contains(c);
    !text.is_empty() && !text.starts_with('.') && !text.ends_with('.') && text.chars().all(fits)
}

/// Whether it may stand behind the sign of an e-mail address: labels, points, and letters last.
fn is_domain(text: &str) -> bool {
    let label = |label: &str| {
        let fits = label.chars().all(|c| c.is_alphanumeric() || c == '-');
        !label.is_empty() && !label.starts_with('-') && !label.ends_with('-') && fits
    };
    let last = text.rsplit('.').next().unwrap_or_default();
    text.contains('.')
        && last.chars().count() > 1
        && last.chars().all(char::is_alphabetic)
        && text.split('.').all(label)
}

/// Finds e-mail addresses as they are said: ann at example dot com.
fn spoken(tokens: &Tokens<'_>, found: &mut Vec<Mention>) {
    for at in 1..tokens.len() {
        let said_at = tokens.lower(at) == "at" && !tokens.is_joined(at) && !tokens.is_joined(at + 1);
        if !said_at && tokens.lower(at) != "@" {
            continue;
        }
        let from = backward(tokens, at);
        let (next, dotted) = forward(tokens, at + 1);
        let local = said(tokens, from, at);
        let domain = said(tokens, at + 1, next);
        // "Look at example.com" is said as often.
        let latent = !dotted && local.chars().all(char::is_alphabetic);
        if !said_at && !dotted {
            continue;
        }
        if !is_local(&local) || !is_domain(&domain) || (latent && !is_host(&domain)) {
            continue;
        }
        let value = Value::Email(format!("{local}@{domain}"));
        found.push(Mention { span: tokens.span(from, next), value, latent });
    }
}

/// Where the first part of a spoken address begins.
fn backward(tokens: &Tokens<'_>, at: usize) -> usize {
    let mut from = at;
    while from > 0 {
        from -= 1;
        let said_dot = from > 1 && tokens.lower(from - 1) == "dot";
        if !tokens.is_joined(from) && said_dot {
            from -= 1;
        } else if !tokens.is_joined(from) {
            break;
        }
    }
    from
}

/// Where the second part of a spoken address ends, and whether its points were said.
fn forward(tokens: &Tokens<'_>, from: usize) -> (usize, bool) {
    let mut next = from + 1;
    let mut dotted = false;
    loop {
        let word = tokens.get(next + 1).is_some_and(|token| token.kind != Kind::Sign);
        if tokens.lower(next) == "dot" && word {
            dotted = true;
            next += 2;
        } else if tokens.is_joined(next)
            && (matches!(tokens.lower(next), "-") || word || is_name(tokens, next))
        {
            next += 1;
        } else {
            return (next, dotted);
        }
    }
}

fn is_name(tokens: &Tokens<'_>, i: usize) -> bool {
    tokens.get(i).is_some_and(|token| token.kind != Kind::Sign)
}

/// The tokens as they were written, a spoken dot as a point, without spaces.
fn said(tokens: &Tokens<'_>, from: usize, to: usize) -> String {
    let text = tokens.text();
    (from..to)
        .filter_map(|i| tokens.get(i))
        .map(|token| if token.lower == "dot" { "." } else { token.span.of(text) })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(Value, bool)]) {
        let mut found = Vec::new();
        find(&Tokens::new(text), &mut found);
        let values: Vec<(Value, bool)> =
            found.into_iter().map(|mention| (mention.value, mention.latent)).collect();
        assert_eq!(values, expected, "{text}");
    }

    fn email(text: &str) -> Value {
        Value::Email(text.to_owned())
    }

    fn url(text: &str) -> Value {
        Value::Url(text.to_owned())
    }

    fn file(text: &str) -> Value {
        Value::File(text.to_owned())
    }

    #[test]
    fn mail_is_written_or_said() {
        check("write to ann.lee+x@mail.example.org.", &[(email("ann.lee+x@mail.example.org"), false)]);
        check("ann at example dot com", &[(email("ann@example.com"), false)]);
        check("ann@example dot com", &[(email("ann@example.com"), false)]);
        check("ann dot lee at my-mail dot co dot uk please", &[(email("ann.lee@my-mail.co.uk"), false)]);
        check("ann at example.com", &[(url("example.com"), true), (email("ann@example.com"), true)]);
        check("meet me at noon", &[]);
    }

    #[test]
    fn the_web_is_named_with_or_without_a_scheme() {
        check("see https://example.org/a?b=c#d, please", &[(url("https://example.org/a?b=c#d"), false)]);
        check("(www.example.net)", &[(url("www.example.net"), false)]);
        check("example.com/path", &[(url("example.com/path"), false)]);
        check("example.com", &[(url("example.com"), true)]);
        check("wait.then go", &[]);
    }

    #[test]
    fn files_have_paths_or_endings() {
        check("open notes.txt", &[(file("notes.txt"), false)]);
        check("in ~/work/plan.md?", &[(file("~/work/plan.md"), false)]);
        check("either/or, 24/7", &[]);
    }
}
