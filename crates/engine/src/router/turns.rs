//! Which turns is a message read after, and what do head and full model make of it by themselves?

use std::sync::Arc;

use waypost_core::catalog::Catalog;
use waypost_core::head::Judgement;
use waypost_core::message::{Message, Reading};

use super::Router;
use crate::encode::Encoder;
use crate::learn::{Cache, Depth, Pupil, Said, asks_nothing};

/// The turns that a message is read after, oldest first, and their places: the user's, and a question that was asked just before it
/// ("Shall I book it?" – "yes please"). Other answers are left out: the training has none. Nothing was said before a message that asks for nothing, such as
/// thanks, a bare no, or a message that the catalog calls ordinary: it would be taken for what was asked before.
pub(super) fn earlier_turns<'m>(catalog: &Catalog, message: &'m Message) -> (Vec<&'m str>, Vec<usize>) {
    if message.history.is_empty() || asks_nothing(&message.text) || is_ordinary(catalog, &message.text) {
        return Default::default();
    }
    let last = message.history.len().saturating_sub(1);
    let asks = |at: usize, text: &str| at == last && text.trim_end().ends_with('?');
    let turns = message.history.iter().enumerate();
    let own = turns.filter(|(at, turn)| turn.is_users() || asks(*at, turn.text()));
    own.map(|(at, turn)| (turn.text(), at)).unzip()
}

/// Whether a message stands word for word under `ordinary`.
fn is_ordinary(catalog: &Catalog, text: &str) -> bool {
    fn bare(text: &str) -> &str {
        text.trim_matches(|c: char| !c.is_alphanumeric())
    }
    let same = |ordinary: &String| bare(ordinary).to_lowercase() == bare(text).to_lowercase();
    catalog.ordinary().iter().any(same)
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
        let (earlier, _) = earlier_turns(&self.catalog, message);
        let reading = Reading::new(&message.text);
        self.pupil.learned(&self.catalog)?.apart(Said {
            text: &message.text,
            reading: &reading,
            earlier: &earlier,
        })
    }
}
