//! What does a regular expression look for? Patterns compiled once, with what matching needs to know.

use regex::{Regex, RegexBuilder};
use regex_syntax::hir::{Hir, HirKind};

use super::condition::Condition;
use super::id::RouteId;
use crate::limits::PATTERN_BYTES_MAX;
use crate::measure::Points;

/// A pattern of a route.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// The route it belongs to.
    pub route: RouteId,
    /// As the catalog writes it.
    pub source: String,
    /// What a match of it means.
    pub role: Role,
    /// How it is matched.
    pub matcher: Matcher,
    /// In which sessions it is looked for; nothing where in all.
    pub only_if: Option<Condition>,
}

/// What a match of a pattern means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Evidence for the route; the weight is what it adds to the base when it is the strongest match.
    Evidence(Points),
    /// The name of what the route is to work on.
    Target,
}

/// A compiled regular expression over folded text.
#[derive(Clone, Debug)]
pub struct Matcher {
    /// The expression itself.
    pub regex: Regex,
    /// Texts of which every match holds at least one; empty when no such set is known.
    pub literals: Vec<String>,
}

/// How much a match takes where it could take more or less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The shortest: evidence, whose span should hold nothing but its reasons.
    Shortest,
    /// The longest: targets, whose span is the name itself.
    Longest,
    /// The longest, of the text as it was written, capitals and all.
    AsWritten,
}

impl Matcher {
    /// Compiles an expression, or says what is wrong with it.
    pub fn new(source: &str, extent: Extent) -> Result<Matcher, String> {
        let hir = parse(source)?;
        // That a match begins a word is tested where it is used; this spares most of the trying. It looks at
        // ASCII letters only, so that the fast engine serves every text.
        let bordered = match starts_with_letter(&hir) {
            Some(true) if extent != Extent::AsWritten => format!(r"(?-u:\b{{start-half}})(?:{source})"),
            _ => source.to_owned(),
        };
        let regex = RegexBuilder::new(&bordered)
            .swap_greed(extent == Extent::Shortest)
            .case_insensitive(extent != Extent::AsWritten && has_capitals(source))
            .size_limit(PATTERN_BYTES_MAX)
            .build()
            .map_err(|error| match error {
                regex::Error::CompiledTooBig(limit) => format!("it compiles to more than {limit} bytes"),
                other => last_line(&other.to_string()),
            })?;
        let literals = required(&hir).unwrap_or_default();
        Ok(Matcher { regex, literals: literals.iter().map(|l| l.to_lowercase()).collect() })
    }
}

/// Parses an expression for a look inside.
pub(super) fn parse(source: &str) -> Result<Hir, String> {
    regex_syntax::parse(source).map_err(|error| match &error {
        regex_syntax::Error::Parse(error) => {
            format!("{}, at character {}", error.kind(), error.span().start.column)
        }
        regex_syntax::Error::Translate(error) => {
            format!("{}, at character {}", error.kind(), error.span().start.column)
        }
        other => last_line(&other.to_string()),
    })
}

fn last_line(text: &str) -> String {
    text.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned()
}

/// Whether every match begins with an ASCII letter; nothing where a match may be empty.
fn starts_with_letter(hir: &Hir) -> Option<bool> {
    match hir.kind() {
        HirKind::Literal(literal) => {
            let first = std::str::from_utf8(&literal.0).ok().and_then(|text| text.chars().next());
            Some(first.is_some_and(|c| c.is_ascii_alphabetic()))
        }
        HirKind::Class(class) => Some(class.minimum_len().is_some() && is_letters(hir)),
        HirKind::Capture(capture) => starts_with_letter(&capture.sub),
        HirKind::Repetition(repetition) => {
            let inside = starts_with_letter(&repetition.sub);
            if repetition.min == 0 { inside.filter(|letter| !letter) } else { inside }
        }
        HirKind::Concat(parts) => parts.iter().find_map(starts_with_letter),
        HirKind::Alternation(ways) => {
            let ways: Option<Vec<bool>> = ways.iter().map(starts_with_letter).collect();
            ways.map(|ways| ways.into_iter().all(|letter| letter))
        }
        HirKind::Empty | HirKind::Look(_) => None,
    }
}

/// Classes larger than this are taken to hold more than letters; `\w` does.
const LETTER_CLASS_MAX: u32 = 128;

fn is_letters(hir: &Hir) -> bool {
    let HirKind::Class(regex_syntax::hir::Class::Unicode(class)) = hir.kind() else { return false };
    class.ranges().iter().all(|range| {
        let (start, end) = (range.start(), range.end());
        u32::from(end) - u32::from(start) < LETTER_CLASS_MAX && (start..=end).all(|c| c.is_ascii_alphabetic())
    })
}

/// Whether the expression names capital letters, which folded text has none of. Those of classes like `\W` do
/// not count.
fn has_capitals(source: &str) -> bool {
    let mut escaped = false;
    source.chars().any(|c| {
        let counts = c.is_uppercase() && !escaped;
        escaped = c == '\\' && !escaped;
        counts
    })
}

/// Most texts one pattern may wait for: more would crowd the lexicon for little.
const REQUIRED_TEXTS_MAX: usize = 32;

/// Texts of which every match holds at least one: the choice whose shortest text is longest.
pub(super) fn required(hir: &Hir) -> Option<Vec<String>> {
    match hir.kind() {
        HirKind::Literal(literal) => Some(vec![std::str::from_utf8(&literal.0).ok()?.to_owned()]),
        HirKind::Capture(capture) => required(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => required(&repetition.sub),
        HirKind::Concat(parts) => parts.iter().filter_map(required).max_by_key(|texts| selectivity(texts)),
        HirKind::Alternation(ways) => {
            let texts: Option<Vec<Vec<String>>> = ways.iter().map(required).collect();
            texts.map(|texts| texts.concat()).filter(|texts| texts.len() <= REQUIRED_TEXTS_MAX)
        }
        _ => None,
    }
}

fn selectivity(texts: &[String]) -> (usize, usize) {
    (texts.iter().map(String::len).min().unwrap_or_default(), usize::MAX - texts.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, text: &str, expected: Option<&str>) {
        let matcher = Matcher::new(source, Extent::Shortest).unwrap();
        let found = matcher.regex.find(text).map(|found| found.as_str());
        assert_eq!(found, expected, "{source} in {text}");
        let held = matcher.literals.is_empty()
            || matcher.literals.iter().any(|literal| text.contains(literal.as_str()));
        assert!(expected.is_none() || held, "a match without any of {:?}", matcher.literals);
    }

    #[test]
    fn a_pattern_that_begins_with_a_letter_begins_a_word() {
        check("api.*break", "rapid change breaks", None);
        check("api.*break", "the api change breaks", Some("api change break"));
        check("(new|added).*parameter", "renew the parameter", None);
        check("action.*boundary", "transaction boundary", None);
        check(r"(the )?fix", "prefix", None);
        check("[A-Z]+_V", "x my_v", Some("my_v"));
        check(r"\Wfix", "FIX a fix", Some(" fix"));
        check(r"\d+.*but", "v12 but", Some("12 but"));
        check(r"\$\{.*\}", "x${a}", Some("${a}"));
        check("API", "an api", Some("api"));
    }

    #[test]
    fn patterns_wait_for_their_rarest_text() {
        let waits = |source: &str| Matcher::new(source, Extent::Shortest).unwrap().literals.join(" ");
        assert_eq!(waits("fix.*(counting|calculation).*in"), "counting calculation");
        assert_eq!(waits(r"\d+.*but.*should.*(be|show).*\d+"), "should");
        assert_eq!(waits(r"\w+\d"), "");
    }

    #[test]
    fn bad_expressions_say_what_is_wrong() {
        let error = |source: &str| Matcher::new(source, Extent::Shortest).unwrap_err();
        assert_eq!(error("fix.*(count"), "unclosed group, at character 6");
        assert_eq!(error(r"\w{500}{500}"), "it compiles to more than 1048576 bytes");
        assert!(error("(?=x)").starts_with("look-around"), "{}", error("(?=x)"));
    }
}
