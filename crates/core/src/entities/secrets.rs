//! Which pieces must nobody see? Keys of known shapes, passwords, and random values beside words for them.

use std::sync::LazyLock;

use super::page::{Chunk, Has, Page};
use super::vocabulary::{List, Traits, list_of};
use super::{EntityKind, Found};
use crate::limits::ENTITIES_MAX;

/// Shortest key of a known shape, in characters: a beginning of five and ten behind it.
const KEY_CHARS_MIN: usize = 15;
/// Shortest value that is random enough beside a cue, in characters.
const RANDOM_CHARS_MIN: usize = 16;
/// Most characters to one change between letters, capitals and digits: hexadecimal by chance has two, words
/// with a date behind them ten.
const RANDOM_CHARS_A_CHANGE: usize = 6;
/// How many words before a value its cue may stand: "the API key for staging is".
const CUE_WORDS: usize = 5;
/// Longest value of a said secret, in bytes: tokens with claims have hundreds.
const SAID_BYTES_MAX: usize = 512;
/// Longest private key followed to its end, in bytes: RSA of 16,384 bits takes 13,000.
const PRIVATE_KEY_BYTES_MAX: usize = 16 << 10;
/// Most characters of a value looked at: more say no more.
const RANDOM_CHARS_LOOKED_AT: usize = 256;

/// Keys with a beginning of their own: the beginning, and the fewest characters behind it.
const BEGINNINGS: &[(&str, usize)] = &[
    ("AKIA", 16),
    ("ASIA", 16),
    ("ghp_", 30),
    ("gho_", 30),
    ("ghu_", 30),
    ("ghs_", 30),
    ("ghr_", 30),
    ("github_pat_", 20),
    ("glpat-", 16),
    ("sk-", 20),
    ("sk_live_", 10),
    ("sk_test_", 10),
    ("pk_live_", 10),
    ("rk_live_", 10),
    ("whsec_", 16),
    ("xoxb-", 10),
    ("xoxp-", 10),
    ("xoxa-", 10),
    ("xoxr-", 10),
    ("xoxs-", 10),
    ("xapp-", 10),
    ("AIza", 30),
    ("ya29.", 20),
    ("npm_", 30),
    ("pypi-", 30),
    ("hf_", 30),
    ("SG.", 30),
    ("dop_v1_", 30),
    ("shpat_", 30),
    ("AGE-SECRET-KEY-", 30),
];

/// Values that stand for a secret and are none.
static PLACEHOLDERS: List = LazyLock::new(|| {
    list_of("password secret token key none null nil true false your yours xxx xxxx required optional string
    str changed reset wrong incorrect expired invalid missing forgotten empty example placeholder changeme redacted
    hidden unknown undefined here this not")
});

/// Finds keys of known shapes in a piece of the text, and values that are given to names of secrets.
pub(super) fn notice(chunk: &Chunk<'_>, page: &Page<'_>, found: &mut Found) {
    let text = chunk.text;
    if text.len() >= KEY_CHARS_MIN && notice_known_key(chunk, found) {
        return;
    }
    notice_url_password(chunk, found);
    notice_assignment(chunk, found);
    notice_random(chunk, page, found);
}

fn notice_known_key(chunk: &Chunk<'_>, found: &mut Found) -> bool {
    let text = chunk.text;
    for (beginning, rest) in BEGINNINGS {
        let Some(at) = find_beginning(text, beginning) else { continue };
        let tail = text.get(at + beginning.len()..).unwrap_or_default();
        let length = tail.bytes().take_while(|byte| is_key_byte(*byte)).count();
        if length >= *rest && tail.bytes().take(length).any(|byte| byte.is_ascii_digit()) {
            let range = chunk.start + at..chunk.start + at + beginning.len() + length;
            found.add(EntityKind::Secret, range, 98, "key of a known shape");
            return true;
        }
    }
    let is_jwt = text.starts_with("eyJ") && text.len() > 30 && text.matches('.').count() == 2;
    if is_jwt {
        found.add(EntityKind::Secret, chunk.start..chunk.start + text.len(), 97, "json web token");
    }
    is_jwt
}

/// Finds private keys, which go over many lines, and "password is …", "Bearer …".
pub(super) fn notice_spread(page: &Page<'_>, found: &mut Found) {
    notice_private_keys(page.text, found);
    for word in 0..page.words.len() {
        if page.is(word, Traits::CUE_SECRET) {
            notice_said(page, word, found);
        }
    }
}

fn find_beginning(text: &str, beginning: &str) -> Option<usize> {
    let at = text.find(beginning)?;
    let before = text.get(..at)?.bytes().next_back();
    (!before.is_some_and(|byte| byte.is_ascii_alphanumeric())).then_some(at)
}

const fn is_key_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'+' | b'/' | b'=')
}

/// The password in `scheme://user:password@host`.
fn notice_url_password(chunk: &Chunk<'_>, found: &mut Found) {
    if !(chunk.has.any(Has::AT) && chunk.has.any(Has::COLON)) {
        return;
    }
    let Some((head, rest)) = chunk.text.split_once("://") else { return };
    let Some((login, _)) = rest.split('/').next().and_then(|host| host.rsplit_once('@')) else { return };
    let Some((user, password)) = login.split_once(':') else { return };
    if !password.is_empty() && !is_placeholder(password) {
        let start = chunk.start + head.len() + 3 + user.len() + 1;
        found.add(EntityKind::Secret, start..start + password.len(), 95, "password in a url");
    }
}

/// `password=…`, `"api_key": "…"` and the like, within one piece.
fn notice_assignment(chunk: &Chunk<'_>, found: &mut Found) {
    let Some(at) = chunk.text.find(['=', ':']) else { return };
    let (Some(name), Some(value)) = (chunk.text.get(..at), chunk.text.get(at + 1..)) else { return };
    let bare = value.trim_start_matches(['"', '\'', '=', ' ']);
    let start = chunk.start + at + 1 + value.len() - bare.len();
    let value = bare.trim_end_matches(['"', '\'', ';']);
    if names_secret(name) && value.len() >= 4 && !is_placeholder(value) && !value.starts_with('/') {
        let confidence = if is_mixed(value) { 92 } else { 70 };
        found.add(EntityKind::Secret, start..start + value.len(), confidence, "value of a secret");
    }
}

/// Whether a name is a secret's: its last part is.
fn names_secret(name: &str) -> bool {
    let name = name.trim_end_matches(['"', '\'']).to_ascii_lowercase();
    let last = name.rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    [
        "password",
        "passwd",
        "pwd",
        "passphrase",
        "secret",
        "token",
        "apikey",
        "secretkey",
        "accesskey",
        "privatekey",
    ]
    .iter()
    .any(|known| last.ends_with(known))
        || (last == "key"
            && ["api", "secret", "access", "private", "auth", "encryption"]
                .iter()
                .any(|part| name.contains(part)))
}

/// "the password is hunter2!", "password: hunter2!", "Authorization: Bearer …".
fn notice_said(page: &Page<'_>, cue: usize, found: &mut Found) {
    let lower = page.word(cue).to_ascii_lowercase();
    let is_password = matches!(
        lower.as_str(),
        "password" | "passwd" | "pwd" | "passphrase" | "passcode" | "passwort" | "contraseña" | "senha"
    );
    let mut from = page.end(cue);
    let mut linked = page.gap(cue).trim_start().starts_with([':', '=']);
    for word in cue + 1..cue + 3 {
        if matches!(page.word(word).to_ascii_lowercase().as_str(), "is" | "to" | "ist" | "es" | "was" | "as")
        {
            from = page.end(word);
            linked = true;
        }
    }
    let Some(rest) = page.text.get(from..).filter(|_| linked || lower == "bearer") else { return };
    let rest = head_of(rest, SAID_BYTES_MAX);
    let blanks = rest.len() - rest.trim_start_matches([' ', ':', '=', '"', '\'', '`', '“']).len();
    let value: &str =
        rest.get(blanks..).unwrap_or_default().split(char::is_whitespace).next().unwrap_or_default();
    let value = value.trim_end_matches(['.', ',', ';', '"', '\'', '`', '”', ')', '?']);
    let random = value.len() >= RANDOM_CHARS_MIN && is_random(value);
    let enough = if is_password { value.len() >= 4 && is_mixed(value) } else { random };
    if enough && !is_placeholder(value) {
        let start = from + blanks;
        found.add(EntityKind::Secret, start..start + value.len(), 90, "said to be a secret");
    }
}

/// Random values near a word for a secret.
fn notice_random(chunk: &Chunk<'_>, page: &Page<'_>, found: &mut Found) {
    let text = chunk.text;
    let fits = text.len() >= RANDOM_CHARS_MIN && chunk.has.any(Has::DIGIT) && text.bytes().all(is_key_byte);
    if fits && page.cued(page.word_at(chunk.start), CUE_WORDS, Traits::CUE_SECRET) && is_random(text) {
        found.add(EntityKind::Secret, chunk.start..chunk.start + text.len(), 75, "random beside a cue");
    }
}

fn notice_private_keys(text: &str, found: &mut Found) {
    const BEGIN: &str = "-----BEGIN ";
    for (start, _) in text.match_indices(BEGIN).take(ENTITIES_MAX) {
        let rest = head_of(text.get(start..).unwrap_or_default(), PRIVATE_KEY_BYTES_MAX);
        let head = rest.get(..line_length(rest)).unwrap_or_default();
        if head.contains("PRIVATE KEY") {
            let end = rest.find("-----END");
            let end = end.map_or(head.len(), |end| end + line_length(rest.get(end..).unwrap_or_default()));
            found.add(EntityKind::Secret, start..start + end, 99, "private key");
        }
    }
}

/// The beginning of a text, of so many bytes at most.
fn head_of(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    text.get(..end).unwrap_or_default()
}

fn line_length(text: &str) -> usize {
    text.find('\n').unwrap_or(text.len())
}

fn is_placeholder(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    lower.starts_with(['<', '$', '{', '%', '['])
        || lower.bytes().all(|byte| matches!(byte, b'*' | b'x' | b'.' | b'-' | b'_' | b'#'))
        || PLACEHOLDERS.contains(lower.as_str())
        || lower.starts_with("your")
        || lower.starts_with("env.")
        || lower.starts_with("process.env")
}

/// Letters with digits or signs, as passwords have and words have not.
fn is_mixed(value: &str) -> bool {
    let letters = value.chars().any(char::is_alphabetic);
    let others = value.chars().any(|c| {
        c.is_ascii_digit() || matches!(c, '!' | '@' | '#' | '$' | '%' | '^' | '&' | '*' | '+' | '=')
    });
    letters && others
}

/// Whether letters, capitals and digits change as often as chance has them change, and words and dates do not.
fn is_random(value: &str) -> bool {
    let class = |byte: u8| match byte {
        b'0'..=b'9' => 0u8,
        b'A'..=b'Z' => 1,
        _ => 2,
    };
    let bytes = value.as_bytes().get(..RANDOM_CHARS_LOOKED_AT).unwrap_or(value.as_bytes());
    let changes = bytes.windows(2).filter(|pair| matches!(pair, [a, b] if class(*a) != class(*b))).count();
    let digits = bytes.iter().filter(|byte| byte.is_ascii_digit()).count();
    let fits = value.bytes().all(is_key_byte);
    fits && changes * RANDOM_CHARS_A_CHANGE >= bytes.len() && digits >= 2 && digits < bytes.len()
}
