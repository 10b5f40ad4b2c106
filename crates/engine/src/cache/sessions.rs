//! What has this conversation asked before? A small layer a session, so that a loud one does not crowd out the others.

use std::collections::HashMap;

use super::layer::{Bounds, Layer};
use super::{Kept, Key};

/// Most sessions at once: those of a busy hour. The one that has been silent for longest goes.
const SESSIONS_MAX: usize = 256;
/// What a session keeps: more messages than most conversations have, for two hours. All together are 32 MiB at most.
const SESSION_BOUNDS: Bounds = Bounds { entries: 64, bytes: 128 << 10, life_ms: 2 * 3_600_000 };

/// The layers of sessions.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    sessions: HashMap<Key, Session>,
    uses: u64,
}

#[derive(Debug)]
struct Session {
    layer: Layer,
    used: u64,
}

impl Sessions {
    /// What a session keeps under a key.
    pub(super) fn get(&mut self, session: &str, key: &Key, now_ms: u64) -> Option<Kept> {
        let found = self.sessions.get_mut(&named(session))?;
        self.uses += 1;
        found.used = self.uses;
        found.layer.get(key, now_ms)
    }

    /// Keeps something for a session.
    pub(super) fn put(&mut self, session: &str, key: Key, kept: Kept, now_ms: u64) {
        let name = named(session);
        if self.sessions.len() >= SESSIONS_MAX && !self.sessions.contains_key(&name) {
            let silent = self.sessions.iter().min_by_key(|(_, session)| session.used).map(|(name, _)| *name);
            silent.map(|silent| self.sessions.remove(&silent));
        }
        self.uses += 1;
        let new = || Session { layer: Layer::new(SESSION_BOUNDS), used: 0 };
        let session = self.sessions.entry(name).or_insert_with(new);
        session.used = self.uses;
        session.layer.put(key, kept, now_ms);
    }
}

/// What a session goes by here: an id of any length takes the same room.
fn named(session: &str) -> Key {
    Key::of("", "session", session)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use waypost_core::measure::Confidence;

    use super::*;

    #[test]
    fn sessions_keep_to_themselves_and_the_silent_one_goes() {
        let mut sessions = Sessions::default();
        let key = Key::of("", "", "text");
        let kept = Kept { value: Arc::from([1]), confidence: Confidence::NONE, made_ms: 0 };
        for session in 0..SESSIONS_MAX {
            sessions.put(&session.to_string(), key, kept.clone(), 0);
        }
        assert_eq!(sessions.get("0", &key, 0), Some(kept.clone()));
        assert_eq!(sessions.get("another", &key, 0), None);
        sessions.put("another", key, kept.clone(), 0);
        assert_eq!(sessions.sessions.len(), SESSIONS_MAX);
        for (session, there) in [("0", true), ("1", false), ("2", true), ("another", true)] {
            assert_eq!(sessions.get(session, &key, 0).is_some(), there, "{session}");
        }
    }
}
