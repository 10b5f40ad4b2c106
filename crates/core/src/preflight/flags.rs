//! Which flags does the message carry, and can they be meant together?

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::catalog::Flags;
use crate::message::{Reading, Span};

/// What a flag begins with.
pub(super) const FLAG: &str = "--";
/// What begins and ends code that is quoted, not said.
const FENCE: &str = "```";

/// The text with blanks in place of everything written like a flag: how something is to be done is not what it is about.
pub fn without_flags(text: &str) -> Cow<'_, str> {
    if !text.contains(FLAG) {
        return Cow::Borrowed(text);
    }
    let word = |word: &str| {
        let named =
            word.strip_prefix(FLAG).is_some_and(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()));
        if named {
            word.chars().map(|c| if c.is_whitespace() { c } else { ' ' }).collect()
        } else {
            word.to_owned()
        }
    };
    Cow::Owned(text.split_inclusive(char::is_whitespace).map(word).collect())
}

/// The flags of a message.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Given {
    /// Those the catalog knows, each once, in the order they were written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<GivenFlag>,
    /// How many more there are that the catalog does not know.
    #[serde(default)]
    pub unknown: usize,
    /// Pairs among them that exclude each other. A message with such a pair is refused.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<Conflict>,
}

impl Given {
    /// Whether this flag was given.
    pub fn has(&self, flag: &str) -> bool {
        self.flags.iter().any(|given| given.flag == flag)
    }

    /// The flags, unless two of them exclude each other: then that pair, the catalog's first.
    pub fn settle(&self) -> Result<impl Iterator<Item = &str>, Conflict> {
        match self.conflicts.first() {
            Some(conflict) => Err(conflict.clone()),
            None => Ok(self.flags.iter().map(|given| given.flag.as_str())),
        }
    }
}

/// A flag and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenFlag {
    /// The flag, with its dashes.
    pub flag: String,
    /// Where it stands in the message as written, in bytes.
    pub span: Span,
}

/// Two flags that exclude each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conflict {
    /// The one.
    pub one: String,
    /// The other.
    pub other: String,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the flags {} and {} exclude each other; give one of them", self.one, self.other)
    }
}

impl std::error::Error for Conflict {}

/// The flags of a message: whole words with two dashes before them, outside of fenced code, and not denied ("do not
/// use --seq" asks for nothing). Letters may be large or small.
pub fn given(reading: &Reading, flags: &Flags) -> Given {
    let mut given = Given::default();
    for span in written(reading.text()) {
        let flag = span.of(reading.text());
        if !flags.known.contains_key(flag) {
            given.unknown += 1;
        } else if !given.has(flag) && !is_denied(reading, span) {
            given.flags.push(GivenFlag { flag: flag.to_owned(), span: reading.original(span) });
        }
    }
    given.conflicts = flags
        .conflicts
        .iter()
        .filter(|(one, other)| given.has(one) && given.has(other))
        .map(|(one, other)| Conflict { one: one.clone(), other: other.clone() })
        .collect();
    given
}

/// Everything in a folded text that is written like a flag.
fn written(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut at = 0;
    for (piece, fenced) in text.split(FENCE).zip([false, true].into_iter().cycle()) {
        if !fenced {
            spans.extend(written_in(piece).into_iter().map(|(from, to)| Span::new(at + from..at + to)));
        }
        at += piece.len() + FENCE.len();
    }
    spans
}

fn written_in(piece: &str) -> Vec<(usize, usize)> {
    let found = piece.match_indices(FLAG).filter_map(|(from, dashes)| {
        let before = piece.get(..from)?.chars().next_back();
        let name = piece.get(from + dashes.len()..)?;
        let length = name.find(|c: char| !is_of_flag(c)).unwrap_or(name.len());
        // A flag at the end of a clause may be followed by a dash that is not its own.
        let length = name.get(..length)?.trim_end_matches('-').len();
        let whole = !before.is_some_and(is_of_flag) && name.starts_with(char::is_alphanumeric);
        whole.then_some((from, from + dashes.len() + length))
    });
    found.collect()
}

fn is_of_flag(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_')
}

/// Whether a negation denies the flag. The `no` of `--no-mcp` is part of a name and denies nothing.
fn is_denied(reading: &Reading, span: Span) -> bool {
    let part_of_a_flag = |cue: Span| {
        let before = reading.text().get(..cue.start as usize).unwrap_or_default();
        before.ends_with('-')
    };
    reading.negations_near(span).any(|negation| {
        negation.scope.overlaps(span) && !span.holds(negation.cue) && !part_of_a_flag(negation.cue)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags() -> Flags {
        let known = ["--seq", "--no-mcp", "--uc", "--think-hard", "--think"];
        Flags {
            known: known.into_iter().map(|flag| (flag.to_owned(), "does it".to_owned())).collect(),
            conflicts: [("--no-mcp", "--seq"), ("--think", "--think-hard")]
                .map(|(one, other)| (one.to_owned(), other.to_owned()))
                .to_vec(),
            ..Flags::default()
        }
    }

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let given = given(&Reading::new(text), &flags());
        let found: Vec<&str> = given.flags.iter().map(|given| given.flag.as_str()).collect();
        assert_eq!(found, expected, "{text}");
        for flag in &given.flags {
            assert_eq!(flag.span.of(text).to_lowercase(), flag.flag, "{text}");
        }
    }

    #[test]
    fn flags_are_whole_words() {
        check("fix it --seq", &["--seq"]);
        check("--uc fix it", &["--uc"]);
        check("fix it (--seq), then --uc.", &["--seq", "--uc"]);
        check("fix it `--seq`", &["--seq"]);
        check("Fix Größe --SEQ", &["--seq"]);
        check("--seq --seq", &["--seq"]);
        check("--think-hard", &["--think-hard"]);
        check("--sequential", &[]);
        check("--seq_x", &[]);
        check("x--seq", &[]);
        check("---seq", &[]);
        check("-seq", &[]);
        check("-- seq", &[]);
        check("seq", &[]);
        check("--seq-- and on", &["--seq"]);
        check("--seq=1", &["--seq"]);
        check("", &[]);
        check("--", &[]);
    }

    #[test]
    fn quoted_code_and_denied_flags_ask_for_nothing() {
        check("run this:\n```\ntool --seq\n```\nwith --uc", &["--uc"]);
        check("``` tool --seq", &[]);
        check("do not use --seq", &[]);
        check("fix it without --seq", &[]);
        check("--no-mcp --uc", &["--no-mcp", "--uc"]);
    }

    #[test]
    fn flags_of_other_programs_are_counted_and_left_alone() {
        let given = given(&Reading::new("cargo test --release --seq --locked"), &flags());
        assert_eq!((given.flags.len(), given.unknown), (1, 2));
    }

    #[test]
    fn a_conflict_names_its_pair() {
        let settle = |text: &str| {
            let given = given(&Reading::new(text), &flags());
            given.settle().map(|flags| flags.collect::<Vec<_>>().join(" ")).map_err(|c| c.to_string())
        };
        let refused = Err("the flags --no-mcp and --seq exclude each other; give one of them".to_owned());
        assert_eq!(settle("fix it --no-mcp --seq"), refused);
        assert_eq!(settle("fix it --seq but --no-mcp"), refused);
        assert_eq!(settle("fix it --seq --uc"), Ok("--seq --uc".to_owned()));
        assert_eq!(settle("fix it"), Ok(String::new()));
        let both = given(&Reading::new("--think --think-hard --seq --no-mcp"), &flags());
        assert_eq!(both.conflicts.len(), 2);
    }

    #[test]
    fn what_it_is_about_is_read_without_flags() {
        let check = |text: &str, left: &str| assert_eq!(without_flags(text), left, "{text}");
        check("Refactor the form --no-mcp --seq", "Refactor the form               ");
        check("--seq: go on", "       go on");
        check("a -- b, c--d, -x, --1", "a -- b, c--d, -x, --1");
        check("no flags", "no flags");
    }
}
