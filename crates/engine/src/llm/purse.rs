//! How many tokens may still be used? A purse that is never overdrawn: what asking may take is set aside before it is asked.

use super::error::BudgetSpan;
use super::prompt::Usage;

/// The minute, in milliseconds.
const MINUTE_MS: u64 = 60_000;
/// Bytes of a token, where an endpoint does not count them: English has about four, and fewer is the cautious guess.
const BYTES_A_TOKEN: u64 = 3;

/// About how many tokens a text has.
pub(super) fn guess(bytes: usize) -> u64 {
    u64::try_from(bytes).unwrap_or(u64::MAX).div_ceil(BYTES_A_TOKEN)
}

/// Tokens used and set aside.
#[derive(Clone, Debug, Default)]
pub(super) struct Purse {
    a_minute: Option<Refilled>,
    in_all: Option<u64>,
    used: Usage,
    set_aside: u64,
}

/// A budget that fills up evenly. It is counted in parts, of which a token has as many as a minute has milliseconds, so that no
/// part of a millisecond is lost.
#[derive(Clone, Copy, Debug)]
struct Refilled {
    most: u64,
    left_parts: u64,
    at_ms: u64,
}

impl Refilled {
    fn refill(&mut self, now_ms: u64) {
        let passed = now_ms.saturating_sub(self.at_ms).min(MINUTE_MS);
        let more = self.most.saturating_mul(passed);
        self.left_parts = self.left_parts.saturating_add(more).min(parts(self.most));
        self.at_ms = now_ms;
    }
}

const fn parts(tokens: u64) -> u64 {
    tokens.saturating_mul(MINUTE_MS)
}

/// Why nothing can be set aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Empty {
    pub(super) left: u64,
    pub(super) most: u64,
    pub(super) span: BudgetSpan,
}

impl Purse {
    /// A purse with these budgets, which begins full.
    pub(super) fn new(a_minute: Option<u64>, in_all: Option<u64>, now_ms: u64) -> Purse {
        let full = |most: u64| Refilled { most, left_parts: parts(most), at_ms: now_ms };
        Purse { a_minute: a_minute.map(full), in_all, ..Purse::default() }
    }

    /// What was used so far.
    pub(super) const fn used(&self) -> Usage {
        self.used
    }

    /// Sets tokens aside, if there are as many.
    pub(super) fn set_aside(&mut self, tokens: u64, now_ms: u64) -> Result<(), Empty> {
        if let Some(most) = self.in_all {
            let left = most.saturating_sub(self.used.total()).saturating_sub(self.set_aside);
            if tokens > left {
                return Err(Empty { left, most, span: BudgetSpan::Life });
            }
        }
        if let Some(minute) = &mut self.a_minute {
            minute.refill(now_ms);
            let left = minute.left_parts / MINUTE_MS;
            if tokens > left {
                return Err(Empty { left, most: minute.most, span: BudgetSpan::Minute });
            }
            minute.left_parts = minute.left_parts.saturating_sub(parts(tokens));
        }
        self.set_aside = self.set_aside.saturating_add(tokens);
        Ok(())
    }

    /// Takes what was used of what was set aside, and puts the rest back. An endpoint that used more has it taken too.
    pub(super) fn settle(&mut self, set_aside: u64, used: Usage) {
        self.set_aside = self.set_aside.saturating_sub(set_aside);
        self.used.prompt = self.used.prompt.saturating_add(used.prompt);
        self.used.completion = self.used.completion.saturating_add(used.completion);
        if let Some(minute) = &mut self.a_minute {
            let back = minute.left_parts.saturating_add(parts(set_aside));
            let left = back.saturating_sub(parts(used.total()));
            minute.left_parts = left.min(parts(minute.most));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn used(tokens: u64) -> Usage {
        Usage { prompt: tokens, completion: 0 }
    }

    #[test]
    fn what_is_set_aside_is_not_there_for_others() {
        let mut purse = Purse::new(None, Some(100), 0);
        assert_eq!(purse.set_aside(60, 0), Ok(()));
        let empty = Empty { left: 40, most: 100, span: BudgetSpan::Life };
        assert_eq!(purse.set_aside(60, 0), Err(empty));
        purse.settle(60, used(10));
        assert_eq!(purse.set_aside(90, 0), Ok(()));
        assert_eq!(purse.used().total(), 10);
    }

    #[test]
    fn a_minute_fills_up_evenly() {
        let mut purse = Purse::new(Some(60), None, 0);
        assert_eq!(purse.set_aside(60, 0), Ok(()));
        purse.settle(60, used(60));
        let empty = |left| Err(Empty { left, most: 60, span: BudgetSpan::Minute });
        assert_eq!(purse.set_aside(1, 999), empty(0));
        assert_eq!(purse.set_aside(1, 1_000), Ok(()));
        assert_eq!(purse.set_aside(61, 10_000_000), empty(60));
        assert_eq!(purse.set_aside(60, 0), Ok(()), "a clock that is set back takes nothing");
    }

    #[test]
    fn without_a_budget_everything_goes() {
        let mut purse = Purse::new(None, None, 0);
        assert_eq!(purse.set_aside(u64::MAX, 0), Ok(()));
        purse.settle(u64::MAX, used(u64::MAX));
        assert_eq!(purse.set_aside(u64::MAX, 0), Ok(()));
    }

    proptest! {
        #[test]
        fn it_is_never_overdrawn(asked in proptest::collection::vec((1_u64..50, 0_u64..50), 0..40)) {
            let mut purse = Purse::new(None, Some(300), 0);
            for (aside, taken) in asked {
                if purse.set_aside(aside, 0).is_ok() {
                    purse.settle(aside, used(taken.min(aside)));
                }
                prop_assert!(purse.used().total() <= 300);
            }
        }
    }
}
