//! How does the user stand, faced with this kind of request?

use super::Context;
use crate::catalog::context::Labels;
use crate::history::{History, Standing};
use crate::message::Situation;

impl Situation {
    /// What is known of the user. Somebody who is named and has no history is new; nobody in particular is unknown.
    pub fn standing(&self, kind: Option<(&Labels, &Context)>) -> Standing {
        let Some(history) = self.history.as_ref() else {
            return Standing::default();
        };
        let label = |layer: &str| kind.and_then(|(labels, context)| context.label(labels, layer));
        History::standing(history, label("area"), label("operation"), self.now_ms)
    }
}
