//! Is it worth asking? A breaker that stops asking an endpoint that keeps failing, and tries it again after a while.
//!
//! Closed: everything is asked. Open: nothing is, until a time has passed. Half open: one request is let through, and what
//! comes of it closes the breaker or opens it again. Time comes in from outside.

/// Failures in a row that open it: more than the attempts of one message, so that one unlucky message does not.
pub const FAILURES_MAX: u32 = 5;
/// How long it stays open, in milliseconds: a server that starts anew is back by then, and messages do well without until then.
pub const REST_MS: u64 = 30_000;
/// Longest rest an endpoint can ask for, in milliseconds: it is tried every five minutes whatever it says.
pub const REST_MS_MAX: u64 = 300_000;

/// The breaker of one endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Breaker {
    /// Asked; so many failures in a row.
    Closed(u32),
    /// Not asked until then.
    Open(u64),
    /// One is asked; where nothing is heard of that by then, another may be.
    HalfOpen(u64),
}

/// What came of asking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// It lives, whatever it said.
    Answer,
    /// It cannot be reached, is silent or is broken.
    Failure,
    /// It asks to be left alone for so long, in milliseconds.
    Rest(u64),
}

impl Breaker {
    /// Whether to ask now; else for how long not, in milliseconds. `patience_ms` is how long an answer is waited for.
    pub(super) fn pass(&mut self, now_ms: u64, patience_ms: u64) -> Result<(), u64> {
        let until = match *self {
            Breaker::Closed(_) => return Ok(()),
            Breaker::Open(until) | Breaker::HalfOpen(until) => until,
        };
        match until.saturating_sub(now_ms) {
            // A rest longer than any comes of a clock that was set back.
            left @ 1..=REST_MS_MAX => Err(left),
            _ => {
                *self = Breaker::HalfOpen(now_ms.saturating_add(patience_ms.clamp(1, REST_MS_MAX)));
                Ok(())
            }
        }
    }

    /// Takes note of what came of asking.
    pub(super) fn note(&mut self, now_ms: u64, heard: Heard) {
        let rest = |ms: u64| Breaker::Open(now_ms.saturating_add(ms));
        *self = match (heard, *self) {
            // A straggler that was sent before it opened neither ends the rest nor prolongs it.
            (Heard::Answer | Heard::Failure, Breaker::Open(until)) => Breaker::Open(until),
            (Heard::Answer, _) => Breaker::Closed(0),
            (Heard::Rest(ms), _) => rest(ms.min(REST_MS_MAX)),
            (Heard::Failure, Breaker::Closed(failures)) if failures + 1 < FAILURES_MAX => {
                Breaker::Closed(failures + 1)
            }
            (Heard::Failure, Breaker::Closed(_) | Breaker::HalfOpen(_)) => rest(REST_MS),
        };
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn failed(times: u32) -> Breaker {
        let mut breaker = Breaker::Closed(0);
        (0..times).for_each(|_| breaker.note(1_000, Heard::Failure));
        breaker
    }

    #[test]
    fn it_opens_rests_and_tries_one() {
        assert_eq!(failed(FAILURES_MAX - 1).pass(1_000, 10), Ok(()));
        let mut breaker = failed(FAILURES_MAX);
        assert_eq!(breaker.pass(1_000, 10), Err(REST_MS));
        assert_eq!(breaker.pass(1_000 + REST_MS - 1, 10), Err(1));
        assert_eq!(breaker.pass(1_000 + REST_MS, 10), Ok(()), "one is let through");
        assert_eq!(breaker.pass(1_001 + REST_MS, 10), Err(9), "and one alone");
        let (mut well, mut ill) = (breaker, breaker);
        well.note(1_005 + REST_MS, Heard::Answer);
        assert_eq!(well, Breaker::Closed(0));
        ill.note(1_005 + REST_MS, Heard::Failure);
        assert_eq!(ill.pass(1_005 + REST_MS, 10), Err(REST_MS));
        assert_eq!(breaker.pass(1_010 + REST_MS, 10), Ok(()), "nothing was heard of the one");
    }

    #[test]
    fn answers_mend_and_rests_are_kept() {
        let mut breaker = failed(FAILURES_MAX - 1);
        breaker.note(1_000, Heard::Answer);
        breaker.note(1_000, Heard::Failure);
        assert_eq!(breaker, Breaker::Closed(1));
        breaker.note(1_000, Heard::Rest(u64::MAX));
        assert_eq!(breaker.pass(1_000, 10), Err(REST_MS_MAX));
        breaker.note(1_000, Heard::Answer);
        breaker.note(1_000, Heard::Failure);
        assert_eq!(breaker.pass(1_000, 10), Err(REST_MS_MAX), "stragglers change nothing");
        assert_eq!(Breaker::Open(1 << 60).pass(0, 10), Ok(()), "a clock that was set back");
    }

    proptest! {
        #[test]
        fn it_never_rests_for_ever(steps in proptest::collection::vec((0_u64..100_000, 0_u8..4), 0..60)) {
            let (mut breaker, mut now) = (Breaker::Closed(0), 0);
            for (later, step) in steps {
                now += later;
                match step {
                    0 => breaker.note(now, Heard::Answer),
                    1 => breaker.note(now, Heard::Failure),
                    2 => breaker.note(now, Heard::Rest(later * 7)),
                    _ => drop(breaker.pass(now, later)),
                }
            }
            prop_assert_eq!(breaker.pass(now + REST_MS_MAX, 1), Ok(()));
        }
    }
}
