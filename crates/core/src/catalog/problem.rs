//! What is wrong with the catalog, where, and what would be right?

use std::fmt::Write as _;

use super::place::{Place, Source};

/// The kinds of trouble a catalog can have. The name is stable; people filter by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Code {
    /// The file is not YAML.
    Syntax,
    /// The file, or something in it, is larger than a limit allows.
    TooLarge,
    /// A key the format does not know.
    UnknownKey,
    /// A key given twice.
    DuplicateKey,
    /// A key the format demands is not there.
    MissingKey,
    /// A value of the wrong kind.
    WrongType,
    /// A value of the right kind that is not allowed.
    BadValue,
    /// A regular expression that does not compile.
    BadPattern,
    /// A condition that cannot be read, or can never hold.
    BadCondition,
    /// Two things of the same name.
    DuplicateName,
    /// A name that refers to nothing.
    DanglingReference,
    /// A secret stands in the catalog, where everybody reads it.
    Secret,
    /// The catalog chooses between nothing.
    NoRoutes,
    /// Lint: the same example under two routes.
    SharedExample,
    /// Lint: a pattern that can match nothing.
    DeadPattern,
    /// Lint: a pattern that matches everything.
    GreedyPattern,
    /// Lint: a route that no message can reach.
    UnreachableRoute,
    /// Lint: a name that is a common word and would be forced by it.
    CommonName,
    /// Lint: a route without a description.
    ThinRoute,
    /// Lint: thresholds that cannot both be meant.
    OddThresholds,
    /// Lint: a gate that guards nothing.
    IdleGate,
}

impl Code {
    /// The stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Code::Syntax => "syntax",
            Code::TooLarge => "too_large",
            Code::UnknownKey => "unknown_key",
            Code::DuplicateKey => "duplicate_key",
            Code::MissingKey => "missing_key",
            Code::WrongType => "wrong_type",
            Code::BadValue => "bad_value",
            Code::BadPattern => "bad_pattern",
            Code::BadCondition => "bad_condition",
            Code::DuplicateName => "duplicate_name",
            Code::DanglingReference => "dangling_reference",
            Code::Secret => "secret",
            Code::NoRoutes => "no_routes",
            Code::SharedExample => "shared_example",
            Code::DeadPattern => "dead_pattern",
            Code::GreedyPattern => "greedy_pattern",
            Code::UnreachableRoute => "unreachable_route",
            Code::CommonName => "common_name",
            Code::ThinRoute => "thin_route",
            Code::OddThresholds => "odd_thresholds",
            Code::IdleGate => "idle_gate",
        }
    }

    /// Whether the catalog cannot be used until this is mended. Lints only warn.
    pub const fn is_error(self) -> bool {
        !matches!(
            self,
            Code::SharedExample
                | Code::DeadPattern
                | Code::GreedyPattern
                | Code::UnreachableRoute
                | Code::CommonName
                | Code::ThinRoute
                | Code::OddThresholds
                | Code::IdleGate
        )
    }
}

/// One thing wrong with a catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What kind of trouble.
    pub code: Code,
    /// Where it is.
    pub place: Place,
    /// What is wrong.
    pub message: String,
    /// What would be right, where that is known.
    pub hint: Option<String>,
}

impl Problem {
    /// A problem without a hint.
    pub fn new(code: Code, place: Place, message: impl Into<String>) -> Problem {
        Problem { code, place, message: message.into(), hint: None }
    }

    /// The same problem, with what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Problem {
        self.hint = Some(hint.into());
        self
    }

    /// `error` or `warning`.
    pub const fn severity(&self) -> &'static str {
        if self.code.is_error() { "error" } else { "warning" }
    }

    /// The problem with its place and the line it stands on, the faulty part underlined.
    pub fn show(&self, sources: &[Source]) -> String {
        let Place { line, column, .. } = self.place;
        let Some(source) = sources.get(usize::from(self.place.source)) else {
            return format!("{}[{}]: {}", self.severity(), self.code.name(), self.message);
        };
        let number = line.to_string();
        let margin = " ".repeat(number.len());
        let (quoted, underline) = match self.code {
            Code::Secret => quote_alone(source.line(line), column, self.place.length),
            _ => quote(source.line(line), column, self.place.length),
        };
        let mut shown = format!("{}[{}]: {}\n", self.severity(), self.code.name(), self.message);
        let hint = self.hint.as_deref().map(|hint| format!(" {hint}")).unwrap_or_default();
        // Writing to a String cannot fail.
        let _ = write!(
            shown,
            "{margin}--> {}:{line}:{column}\n{margin} |\n{number} | {quoted}\n{margin} | {underline}{hint}\n",
            source.name
        );
        shown
    }
}

/// Longest stretch of a line that is quoted, in characters: half before the fault, half behind.
const QUOTED_CHARS_MAX: usize = 100;

/// The line around a column, and the marks under it.
fn quote(line: &str, column: u32, length: u32) -> (String, String) {
    let column = column.saturating_sub(1) as usize;
    let skipped = column.saturating_sub(QUOTED_CHARS_MAX / 2);
    let visible = |c: char| if c.is_control() { ' ' } else { c };
    let quoted: String = line.chars().skip(skipped).take(QUOTED_CHARS_MAX).map(visible).collect();
    let room = quoted.chars().count().saturating_sub(column - skipped).max(1);
    let marks = (length as usize).clamp(1, room);
    let before = if skipped > 0 { "…" } else { "" };
    let after = if line.chars().nth(skipped + QUOTED_CHARS_MAX).is_some() { "…" } else { "" };
    let indent = " ".repeat(column - skipped + before.chars().count());
    (format!("{before}{quoted}{after}"), format!("{indent}{}", "^".repeat(marks)))
}

/// The faulty part and nothing around it, where a secret stands.
fn quote_alone(line: &str, column: u32, length: u32) -> (String, String) {
    let (start, length) = (column.saturating_sub(1) as usize, length as usize);
    let part: String = line.chars().skip(start).take(length).collect();
    let marks = "^".repeat(part.chars().count().max(1));
    (format!("…{part}…"), format!(" {marks}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_shows_its_line() {
        let sources = [Source::new("waypost.yaml", "name: x\nroutse: []\n")];
        let place = Place { source: 0, line: 2, column: 1, length: 6 };
        let problem =
            Problem::new(Code::UnknownKey, place, "unknown key `routse`").hint("did you mean `routes`?");
        let expected = "error[unknown_key]: unknown key `routse`\n --> waypost.yaml:2:1\n  |\n2 | routse: []\n  | ^^^^^^ did you mean `routes`?\n";
        assert_eq!(problem.show(&sources), expected);
    }
}
