//! What kind of request is it, by what was learned of kinds?

use std::borrow::Cow;

use waypost_core::catalog::Scoring;
use waypost_core::catalog::context::Labelled;
use waypost_core::context::{self, Context};
use waypost_core::entities::{self, Known};
use waypost_core::message::{Message, Reading};
use waypost_core::preflight::flags::without_flags;
use waypost_core::signals::Meaning;
use waypost_core::trace::Context as ContextTold;

use super::Router;
use crate::cache::Recall;
use crate::retrieve::sources::Guidance;
use crate::{Error, learn};

impl Router {
    /// What kind of request it is, and why what was learned had no say in it; nothing where the catalog does not ask.
    pub(super) fn context(
        &self,
        text: &str,
        reading: &Reading,
        recall: Option<Recall<'_>>,
    ) -> (Option<Context>, Option<String>) {
        let Some(labels) = self.catalog.context() else { return (None, None) };
        let glance = context::glance(labels, text, reading);
        // Figures alone are like whatever has figures in it.
        let worded = !reading.words().is_empty() && text.contains(char::is_alphabetic);
        let kinds = self.pupil.kinds(&self.catalog).filter(|_| worded);
        let loudness = &glance.words.loudness;
        let believed = kinds.map(|kinds| match without_flags(text) {
            Cow::Borrowed(text) => kinds.recalled(text, reading, loudness, recall),
            Cow::Owned(text) => kinds.recalled(&text, &Reading::new(&text), loudness, recall),
        });
        let (beliefs, failed) = match believed.transpose() {
            Ok(beliefs) => (beliefs, None),
            Err(error) => (None, Some(learn::by_words_alone(&error))),
        };
        (Some(context::tell(labels, glance, beliefs.as_deref())), failed)
    }

    /// That a message is written in a language of which the catalog reads little or nothing, and which layers are unknown for it.
    pub(super) fn unread(&self, context: &ContextTold) -> Option<String> {
        let labels = self.catalog.context()?;
        let tells = labels.understands()?;
        let layer = labels.layers().get(tells.layer)?;
        let told = context.layers.get(&layer.name)?;
        let understood = layer.labels.get(tells.label)?;
        let unknown: Vec<&str> = labels
            .layers()
            .iter()
            .filter(|own| own.name != layer.name)
            .filter(|own| context.layers.get(&own.name).is_some_and(|told| told.label == context::UNKNOWN))
            .map(|own| own.name.as_str())
            .collect();
        let is_worded = context.text.contains(char::is_alphabetic);
        if told.label == understood.name || !is_worded || unknown.is_empty() {
            return None;
        }
        let by_words = labels.by_words().iter().filter_map(|label| layer.labels.get(*label));
        let how = match by_words.into_iter().find(|label| label.name == told.label) {
            Some(label) => {
                format!("The message is {}, of which only the words of the catalog are read.", label.name)
            }
            None => format!("The message is not {} and is not read.", understood.name),
        };
        Some(format!("{how} Unknown: {}.", unknown.join(", ")))
    }

    /// What a layer of the context makes of a message, where it tells routes apart that are weighed by rules: factors look
    /// at the layer themselves.
    pub(super) fn told_apart(&self, context: &Context) -> Option<Meaning> {
        (self.catalog.scoring() == Scoring::Rules).then(|| Meaning::of_layer(&self.catalog, context))?
    }

    /// What each labelled message of the catalog is taken for by what was learned from the others.
    pub(crate) fn cross_judge_kinds(&self) -> Result<Vec<(Labelled, Vec<f32>)>, Error> {
        let (Some(labels), Some(kinds)) = (self.catalog.context(), self.pupil.kinds(&self.catalog)) else {
            return Ok(Vec::new());
        };
        kinds.cross_judge(labels).map_err(Error::from)
    }

    /// What the catalog's rules say of collections for a message and the turns before it, oldest first; nothing where no rule
    /// speaks of its kind. A message that leans on the turn before it is helped by that one's rule.
    pub fn guidance(&self, text: &str, earlier: &[String]) -> Result<Option<Guidance>, Error> {
        match (self.rule_for(text)?, earlier.last()) {
            (None, Some(before)) => Ok(self.rule_for(before)?.map(Guidance::faded)),
            (own, _) => Ok(own),
        }
    }

    fn rule_for(&self, text: &str) -> Result<Option<Guidance>, Error> {
        let knowledge = self.catalog().knowledge();
        if knowledge.rules.is_empty() {
            return Ok(None);
        }
        let layers = self.route(&Message::from(text))?.context.layers;
        let Some(rule) = knowledge.rule(|layer| layers.get(layer).map(|told| told.label.as_str())) else {
            return Ok(None);
        };
        let told = rule.when.keys().filter_map(|layer| layers.get(layer));
        let sure: f64 = told.map(|told| told.confidence.points().share()).product();
        Ok(Some(Guidance::by(knowledge, rule, sure)))
    }

    /// What kind of data a message holds: the label of the layer `sensitivity`; where the catalog has none, `pii` where
    /// personal data or a secret is found.
    pub fn sensitivity(&self, text: &str) -> Result<Option<String>, Error> {
        let answer = self.route(&Message::from(text))?;
        Ok(match answer.context.layers.get("sensitivity") {
            Some(told) => Some(told.label.clone()),
            None => {
                let found = entities::find(text, &Known::default());
                let guarded =
                    entities::personal(&found).is_some() || found.iter().any(|found| found.kind.is_secret());
                guarded.then(|| "pii".to_owned())
            }
        })
    }
}
