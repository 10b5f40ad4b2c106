//! Which tools has a conversation been offered? A set that grows at its end, so that what was sent before stays as it was.
//!
//! Providers keep what they computed for the beginning of a prompt, and tools stand there. A set that changed in its middle would
//! have all of it computed again at every turn.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Most tools of a set, or as many as one turn asks for: models choose worse among more than some thirty.
pub const TOOLS_MAX: usize = 32;
/// A renewed set begins with at most this share of the most, so that it is not renewed again soon.
const RENEWED_SHARE: usize = 2;
/// Tools wanted within so many turns go into a renewed set: what was just talked about is likely talked about again.
const RECENT_TURNS: u32 = 4;
/// Tools not wanted for so many turns are idle.
const IDLE_TURNS: u32 = 8;
/// Fewest tools of a set that can be idle as a whole: a small one costs little to carry on.
const IDLE_TOOLS_MIN: usize = 12;
/// So many of four tools must be idle for the set to be so.
const IDLE_OF_FOUR: usize = 3;
/// Most failures that are remembered; the oldest give way.
const FAILED_MAX: usize = 64;

/// What a conversation was offered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offered {
    turns: u32,
    tools: Vec<Held>,
    #[serde(default)]
    failed: Vec<String>,
}

/// A tool of the set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Held {
    id: String,
    /// The last turn that wanted it.
    wanted: u32,
}

/// Why a set was not carried on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Renewal {
    /// It holds a tool that is gone, or that may not be offered for this message.
    Barred,
    /// It would have more tools than the most.
    Full,
    /// Most of its tools have not been wanted for long, and this turn wants none of it.
    Idle,
}

/// What a turn made of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The set from now on.
    pub offered: Offered,
    /// Tools that were not in the set before.
    pub added: Vec<String>,
    /// Why the set begins anew, where it does.
    pub renewed: Option<Renewal>,
}

impl Offered {
    /// The ids of the tools, in the order they are offered.
    pub fn tools(&self) -> impl Iterator<Item = &str> {
        self.tools.iter().map(|held| held.id.as_str())
    }

    /// SHA-256 over the ids in their order, each with a line feed behind it, as hexadecimal digits.
    pub fn fingerprint(&self) -> String {
        let mut digest = Sha256::new();
        for id in self.tools() {
            digest.update(id.as_bytes());
            digest.update(b"\n");
        }
        digest.finalize().iter().fold(String::new(), |mut digits, byte| {
            // Writing to a String cannot fail.
            let _ = write!(digits, "{byte:02x}");
            digits
        })
    }

    /// Tools that failed in this conversation, the oldest first.
    pub fn failed(&self) -> &[String] {
        &self.failed
    }

    /// Remembers that a tool failed.
    #[must_use]
    pub fn with_failure(mut self, tool: &str) -> Offered {
        self.failed.retain(|known| known != tool);
        self.failed.push(tool.to_owned());
        let over = self.failed.len().saturating_sub(FAILED_MAX);
        self.failed.drain(..over);
        self
    }

    /// The set after a turn that wants these tools, the best first. `may` tells which tools may be offered now.
    #[must_use]
    pub fn turn(self, wanted: &[String], may: impl Fn(&str) -> bool) -> Step {
        let now = self.turns.saturating_add(1);
        let has = |set: &Offered, id: &str| set.tools().any(|held| held == id);
        let mut new: Vec<&String> = Vec::new();
        for id in wanted {
            if !has(&self, id) && !new.contains(&id) {
                new.push(id);
            }
        }
        let renewed = self.no_longer_serves(wanted, new.len(), now, &may);
        let before = self.clone();
        let mut offered = if renewed.is_some() { self.begun_anew(wanted, now, &may) } else { self };
        for held in offered.tools.iter_mut().filter(|held| wanted.contains(&held.id)) {
            held.wanted = now;
        }
        let missing: Vec<&String> = new.into_iter().filter(|id| !has(&offered, id)).collect();
        offered.tools.extend(missing.into_iter().map(|id| Held { id: id.clone(), wanted: now }));
        offered.turns = now;
        let added = offered.tools().filter(|id| !has(&before, id)).map(str::to_owned).collect();
        Step { offered, added, renewed }
    }

    fn no_longer_serves(
        &self,
        wanted: &[String],
        new: usize,
        now: u32,
        may: impl Fn(&str) -> bool,
    ) -> Option<Renewal> {
        let idle = self.tools.iter().filter(|held| now - held.wanted > IDLE_TURNS).count();
        let wants_none = !self.tools.iter().any(|held| wanted.contains(&held.id));
        if self.tools().any(|id| !may(id)) {
            Some(Renewal::Barred)
        } else if self.tools.len() + new > TOOLS_MAX.max(wanted.len()) {
            Some(Renewal::Full)
        } else if wants_none
            && self.tools.len() >= IDLE_TOOLS_MIN
            && idle * 4 >= self.tools.len() * IDLE_OF_FOUR
        {
            Some(Renewal::Idle)
        } else {
            None
        }
    }

    /// What this turn wants, then what was wanted lately and may be offered, the latest first.
    fn begun_anew(self, wanted: &[String], now: u32, may: impl Fn(&str) -> bool) -> Offered {
        let is_recent = |held: &Held| now - held.wanted <= RECENT_TURNS && may(&held.id);
        let mut recent: Vec<Held> = self.tools.into_iter().filter(is_recent).collect();
        recent.sort_by_key(|held| std::cmp::Reverse(held.wanted));
        let mut tools: Vec<Held> = Vec::new();
        let first = wanted.iter().map(|id| Held { id: id.clone(), wanted: now });
        for held in first.chain(recent) {
            let room = tools.len() < (TOOLS_MAX / RENEWED_SHARE).max(wanted.len());
            if room && !tools.iter().any(|own| own.id == held.id) {
                tools.push(held);
            }
        }
        Offered { turns: self.turns, tools, failed: self.failed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ids(tools: &[usize]) -> Vec<String> {
        tools.iter().map(|tool| format!("t{tool}")).collect()
    }

    fn set(offered: &Offered) -> Vec<String> {
        offered.tools().map(str::to_owned).collect()
    }

    fn after(turns: &[Vec<usize>]) -> Offered {
        turns.iter().fold(Offered::default(), |offered, wanted| offered.turn(&ids(wanted), |_| true).offered)
    }

    #[test]
    fn a_set_grows_at_its_end() {
        let first = Offered::default().turn(&ids(&[3, 1]), |_| true);
        assert_eq!((set(&first.offered), first.renewed), (ids(&[3, 1]), None));
        let second = first.offered.clone().turn(&ids(&[1, 7, 2]), |_| true);
        assert_eq!((set(&second.offered), &second.added), (ids(&[3, 1, 7, 2]), &ids(&[7, 2])));
        let third = second.offered.clone().turn(&ids(&[2, 3]), |_| true);
        assert_eq!(third.offered.fingerprint(), second.offered.fingerprint());
        assert_ne!(first.offered.fingerprint(), second.offered.fingerprint());
        // The digits of `printf 't3\nt1\n' | sha256sum`.
        assert!(first.offered.fingerprint().starts_with("d9bbd0f0"), "{}", first.offered.fingerprint());
    }

    #[test]
    fn a_set_is_renewed_when_it_no_longer_serves() {
        let full: Vec<Vec<usize>> = (0..7).map(|turn| (0..5).map(|tool| turn * 5 + tool).collect()).collect();
        let step = after(&full[..6]).turn(&ids(&full[6]), |_| true);
        assert_eq!(step.renewed, Some(Renewal::Full));
        assert_eq!(set(&step.offered)[..10], ids(&[30, 31, 32, 33, 34, 25, 26, 27, 28, 29])[..]);
        assert_eq!(step.offered.tools().count(), TOOLS_MAX / RENEWED_SHARE);

        let mut idle = full[..3].to_vec();
        idle.extend(vec![vec![100]; 9]);
        assert_eq!(after(&idle).turn(&ids(&[101]), |_| true).renewed, Some(Renewal::Idle));
        assert_eq!(after(&idle).turn(&ids(&[100, 101]), |_| true).renewed, None, "it still serves");

        let barred = after(&full[..1]).turn(&ids(&[1, 2]), |id| id != "t0");
        assert_eq!(barred.renewed, Some(Renewal::Barred));
        assert_eq!(set(&barred.offered), ids(&[1, 2, 3, 4]));
    }

    #[test]
    fn failures_are_remembered_once_and_bounded() {
        let offered = Offered::default().with_failure("a").with_failure("b").with_failure("a");
        assert_eq!(offered.failed(), ["b", "a"]);
        let many = (0..100).fold(offered, |offered, n| offered.with_failure(&n.to_string()));
        assert_eq!((many.failed().len(), many.failed()[0].as_str()), (FAILED_MAX, "36"));
        let read: Offered = serde_json::from_str(&serde_json::to_string(&many).unwrap()).unwrap();
        assert_eq!(read, many);
    }

    proptest! {
        /// A turn keeps the set as a prefix or says that it is renewed; all it wants is in; the set stays bounded.
        #[test]
        fn the_laws_of_a_set(turns in proptest::collection::vec((proptest::collection::vec(0..60usize, 0..7), 0..300usize), 0..60)) {
            let mut offered = Offered::default();
            for (wanted, barred) in turns {
                let may = |id: &str| id != format!("t{barred}");
                let wanted: Vec<String> = ids(&wanted).into_iter().filter(|id| may(id)).collect();
                let step = offered.clone().turn(&wanted, may);
                prop_assert_eq!(&step, &offered.clone().turn(&wanted, may), "the same again");
                let (before, after) = (set(&offered), set(&step.offered));
                prop_assert!(step.renewed.is_some() || after.starts_with(&before));
                prop_assert!(wanted.iter().all(|id| after.contains(id)) && after.iter().all(|id| may(id)));
                prop_assert!(after.len() <= TOOLS_MAX.max(wanted.len()));
                prop_assert!(step.added.iter().all(|id| !before.contains(id) && after.contains(id)));
                let mut once = after.clone();
                once.sort();
                once.dedup();
                prop_assert_eq!(once.len(), after.len());
                offered = step.offered;
            }
        }
    }
}
