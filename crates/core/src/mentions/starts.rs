//! Where may an amount start at all?

use super::bounds;
use super::tokens::{Kind, Tokens};
use super::words::{self, is_dash};

/// The tokens at which an amount may start, so that all others are passed by at little cost.
pub(super) struct Starts(Vec<bool>);

impl Starts {
    /// Looks at each token once.
    pub(super) fn new(tokens: &Tokens<'_>) -> Starts {
        Starts((0..tokens.len()).map(|i| may_start(tokens, i)).collect())
    }

    /// Whether an amount may start at a token.
    pub(super) fn contains(&self, i: usize) -> bool {
        self.0.get(i).copied().unwrap_or(false)
    }
}

fn may_start(tokens: &Tokens<'_>, i: usize) -> bool {
    let Some(token) = tokens.get(i) else { return false };
    let lower = token.lower.as_str();
    match token.kind {
        Kind::Figures => true,
        Kind::Sign => {
            is_dash(lower)
                || matches!(lower, "." | "<" | ">" | "≤" | "≥")
                || words::part_sign(lower).is_some()
        }
        Kind::Word => {
            matches!(lower, "a" | "an" | "point" | "negative")
                || bounds::may_lead(lower)
                || words::word(lower).is_some()
                || words::part(lower).is_some()
                || words::split_ten(lower).is_some()
                || lower == "minus"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[bool]) {
        let tokens = Tokens::new(text);
        let starts = Starts::new(&tokens);
        let found: Vec<bool> = (0..=tokens.len()).map(|i| starts.contains(i)).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn numbers_and_what_is_said_before_them_start_amounts() {
        check("pay at least five", &[false, true, false, true, false]);
        check("half of 3 twentyone -", &[true, false, true, true, true, false]);
    }
}
