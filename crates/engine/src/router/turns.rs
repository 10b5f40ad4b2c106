//! What did the person say before, and what do head and full model make of it by themselves?

use std::sync::Arc;

use waypost_core::head::Judgement;
use waypost_core::message::{Message, Reading};

use super::Router;
use crate::encode::Encoder;
use crate::learn::{Cache, Depth, Pupil, Said};

/// What the person said before, oldest first, and which turn each is. What was answered is not theirs.
pub(super) fn earlier_turns(message: &Message) -> (Vec<&str>, Vec<usize>) {
    let own = message.history.iter().enumerate().filter(|(_, turn)| turn.is_users());
    own.map(|(at, turn)| (turn.text(), at)).unzip()
}

impl Router {
    /// The same as [`Router::learning`], with the built-in full model as the last word on what they say.
    #[must_use]
    pub fn learning_fully(self, encoders: &[Arc<dyn Encoder>], cache: &Cache) -> Router {
        self.learning_to(encoders, Depth::Full, cache)
    }

    pub(super) fn learning_to(
        mut self,
        encoders: &[Arc<dyn Encoder>],
        depth: Depth,
        cache: &Cache,
    ) -> Router {
        self.pupil = Arc::new(Pupil::of_encoders(encoders, depth, cache.clone()));
        self.get_ready();
        self
    }

    /// What each head and the full model say of a message by themselves; nothing where either is missing. For learning how to
    /// weigh them (`training/blend.py`).
    #[doc(hidden)]
    pub fn voices_apart(&self, message: &Message) -> Option<(Vec<Judgement>, [Vec<f32>; 3])> {
        let (earlier, _) = earlier_turns(message);
        let reading = Reading::new(&message.text);
        self.pupil.learned(&self.catalog)?.apart(Said {
            text: &message.text,
            reading: &reading,
            earlier: &earlier,
        })
    }
}
