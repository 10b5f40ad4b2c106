//! Which of a few described things does a message ask for? The trained model with their descriptions and examples, outside of any catalog.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use waypost_core::fewshot::{RouteTexts, log_softmax};

use crate::encode::{CatalogTexts, FewShot, ModelError, Spelling};

/// Something a message may ask for.
pub(crate) struct Described {
    /// What people say who ask for it.
    pub examples: Vec<String>,
    /// Its name and what it is for.
    pub description: String,
}

/// The trained model with the texts of some described things.
pub(crate) struct DescribedTexts {
    model: Arc<FewShot>,
    texts: CatalogTexts,
    spelling: Spelling,
}

/// How likely each is what a message asks for, and what it asks for besides; as logarithms, that of none of them last.
#[derive(Serialize, Deserialize)]
pub(crate) struct DescribedLogs {
    pub asked: Vec<f32>,
    pub also: Vec<f32>,
}

impl DescribedTexts {
    /// Reads the texts; about a millisecond each.
    pub(crate) fn read(things: &[Described]) -> Result<DescribedTexts, ModelError> {
        let routes = RouteTexts { examples: things.iter().map(|thing| thing.examples.len()).collect() };
        let examples = things.iter().flat_map(|thing| &thing.examples);
        let descriptions = things.iter().map(|thing| &thing.description);
        let texts: Vec<&str> = examples.chain(descriptions).map(String::as_str).collect();
        let model = FewShot::shipped()?;
        let read = model.read_texts(&texts);
        let spelling = Spelling::of(texts.into_iter());
        Ok(DescribedTexts { texts: CatalogTexts::new(routes, &read), model, spelling })
    }

    /// What is made of a message after the turns before it.
    pub(crate) fn hear(&self, text: &str, earlier: &[&str]) -> DescribedLogs {
        let reading = self.model.read_message(text, earlier, &self.spelling);
        let judged = self.model.scoring().judge(&self.texts.compare(&reading), self.texts.routes());
        let [asked, also] = [judged.asked, judged.also].map(log_softmax);
        DescribedLogs { asked, also }
    }
}
