//! Who re-ranks what was found?

use anyhow::bail;
use waypost::Error;
use waypost::encode::transformer;
use waypost::retrieve::rerank::{self, ByMeaning, Rerank, RerankEndpoint, RerankSettings, Shape};
use waypost::retrieve::sources::{self, FoundSources, Sources};
use waypost::retrieve::tools::{Asked, Found, Toolbox};

use super::definitions::{RerankFlags, RerankShape};

/// The sentence transformer that re-ranks where no other is named.
const MODEL_DEFAULT: &str = "minilm";

/// Who was chosen, if anybody.
pub struct Reranker(Option<Box<dyn Rerank>>);

impl Reranker {
    /// The one that the flags choose. What cannot work at all is told now; what fails later is a note.
    pub fn chosen(asked: &RerankFlags) -> anyhow::Result<Reranker> {
        let url = asked.rerank.as_str();
        let is_url = url.starts_with("http://") || url.starts_with("https://");
        let of_endpoint = [
            ("--rerank-shape", asked.rerank_shape.is_some()),
            ("--rerank-key-env", asked.rerank_key_env.is_some()),
            ("--rerank-key-file", asked.rerank_key_file.is_some()),
            ("--rerank-timeout-ms", asked.rerank_timeout_ms.is_some()),
        ];
        if let Some((flag, _)) = of_endpoint.iter().find(|(_, given)| *given && !is_url) {
            bail!("{flag} is for an endpoint; name one with --rerank URL");
        }
        Ok(Reranker(match url {
            "off" | "" if asked.rerank_model.is_none() => None,
            "off" | "" => bail!("--rerank-model needs --rerank URL or --rerank transformer"),
            "transformer" => {
                let model = asked.rerank_model.as_deref().unwrap_or(MODEL_DEFAULT);
                Some(Box::new(ByMeaning::new(transformer(model)?)))
            }
            _ if is_url => Some(Box::new(RerankEndpoint::new(settings(asked))?)),
            _ => bail!("--rerank takes the URL of an endpoint (http:// or https://), `transformer` or `off`"),
        }))
    }

    /// What it is called, where there is one.
    pub fn id(&self) -> Option<String> {
        self.0.as_ref().map(|reranker| reranker.id().to_owned())
    }

    /// The tools for a message, and why they are not re-ranked where they should be.
    pub fn tools(&self, toolbox: &Toolbox, asked: &Asked<'_>) -> (Found, Option<String>) {
        match &self.0 {
            Some(reranker) => rerank::tools(reranker.as_ref(), toolbox, asked),
            None => (toolbox.find(asked), None),
        }
    }

    /// The passages for a message and the turns before it, and why they are not re-ranked where they should be.
    pub fn sources(
        &self,
        sources: &Sources,
        asked: &sources::Asked<'_>,
    ) -> Result<(FoundSources, Option<String>), Error> {
        match &self.0 {
            Some(reranker) => rerank::sources(reranker.as_ref(), sources, asked),
            None => Ok((sources.find(asked)?, None)),
        }
    }
}

fn settings(asked: &RerankFlags) -> RerankSettings {
    let by_model = if asked.rerank_model.is_some() { RerankShape::Cohere } else { RerankShape::Tei };
    let shape = match asked.rerank_shape.unwrap_or(by_model) {
        RerankShape::Tei => Shape::Tei,
        RerankShape::Cohere => Shape::Cohere,
    };
    let usual = RerankSettings::new(&asked.rerank, shape);
    RerankSettings {
        model: asked.rerank_model.clone(),
        key_env: asked.rerank_key_env.clone(),
        key_file: asked.rerank_key_file.clone(),
        timeout_ms: asked.rerank_timeout_ms.unwrap_or(usual.timeout_ms),
        ..usual
    }
}
