//! Which language model is asked?

use std::path::Path;

use anyhow::{Context, bail};
use waypost::arguments::Interpreter;
use waypost::ports::llm::LlmSettings;

use super::definitions::LlmFlags;

/// The same interpreter with the models that the flags choose: a language model, and a trained reader from a file.
pub fn with_models(
    interpreter: Interpreter,
    asked: &LlmFlags,
    reader: Option<&Path>,
) -> anyhow::Result<Interpreter> {
    with_reader(advised(interpreter, asked)?, reader)
}

/// The same interpreter with a trained reader, if one is given.
pub fn with_reader(interpreter: Interpreter, file: Option<&Path>) -> anyhow::Result<Interpreter> {
    Ok(match file {
        Some(file) => interpreter.with_reader(file).context("the reader given by --reader cannot be used")?,
        None => interpreter,
    })
}

/// The same interpreter with the language model that the flags choose. What they leave open stays as the catalog says.
fn advised(interpreter: Interpreter, asked: &LlmFlags) -> anyhow::Result<Interpreter> {
    let own = interpreter.catalog().llm().map(LlmSettings::from);
    let settings = match asked.llm.as_deref() {
        Some("off") => return Ok(interpreter.without_llm()),
        Some(url) if url.starts_with("http://") || url.starts_with("https://") => Some(LlmSettings::new(url)),
        Some("") | None => own,
        Some(_) => bail!("--llm takes the address of an endpoint (http:// or https://), or `off`"),
    };
    let Some(settings) = settings else {
        let of_endpoint = [
            ("--llm-model", asked.llm_model.is_some()),
            ("--llm-key-env", asked.llm_key_env.is_some()),
            ("--llm-key-file", asked.llm_key_file.is_some()),
            ("--llm-timeout-ms", asked.llm_timeout_ms.is_some()),
        ];
        if let Some((flag, _)) = of_endpoint.iter().find(|(_, given)| *given) {
            bail!(
                "{flag} is for a language model; name one with --llm BASE_URL or with `llm` in the catalog"
            );
        }
        return Ok(interpreter);
    };
    let keyed = asked.llm_key_env.is_some() || asked.llm_key_file.is_some();
    let (key_env, key_file) = if keyed {
        (asked.llm_key_env.clone(), asked.llm_key_file.clone())
    } else {
        (settings.key_env.clone(), settings.key_file.clone())
    };
    Ok(interpreter.with_llm(LlmSettings {
        model: asked.llm_model.clone().or(settings.model.clone()),
        key_env,
        key_file,
        timeout_ms: asked.llm_timeout_ms.unwrap_or(settings.timeout_ms),
        ..settings
    }))
}
