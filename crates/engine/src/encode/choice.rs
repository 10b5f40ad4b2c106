//! Which encoders does a catalog ask for?

#[cfg(feature = "transformer")]
use std::path::Path;
use std::sync::Arc;

use waypost_core::catalog::{EncoderChoice, EndpointChoice};

use super::{Api, BuiltIn, Deep, EncodeError, Encoder, Endpoint, EndpointSettings, LettersOnly};
#[cfg(feature = "transformer")]
use super::{Transformer, models};

/// The encoders a catalog asks for, cheapest first, and what is missing of them.
pub(crate) fn chosen(choice: &EncoderChoice) -> (Vec<Arc<dyn Encoder>>, Vec<String>) {
    let mut encoders: Vec<Arc<dyn Encoder>> = Vec::new();
    let mut notes = Vec::new();
    if *choice == EncoderChoice::None {
        return (vec![Arc::new(LettersOnly)], notes);
    }
    match BuiltIn::shipped() {
        Ok(builtin) => encoders.extend([Arc::clone(&builtin) as Arc<dyn Encoder>, Arc::new(Deep(builtin))]),
        Err(error) => {
            notes.push(format!("{error}; letters and words alone are read"));
            encoders.push(Arc::new(LettersOnly));
        }
    }
    let further = match choice {
        EncoderChoice::Endpoint(choice) => endpoint(choice),
        EncoderChoice::Transformer(model) => transformer(model),
        EncoderChoice::BuiltIn | EncoderChoice::None => return (encoders, notes),
    };
    match further {
        Ok(further) => encoders.push(further),
        Err(error) => notes.push(format!("{error}; the built-in encoder decides alone")),
    }
    (encoders, notes)
}

fn endpoint(choice: &EndpointChoice) -> Result<Arc<dyn Encoder>, EncodeError> {
    let api = if choice.speaks_tei { Api::Tei } else { Api::OpenAi };
    let mut settings = EndpointSettings::new(&choice.url, api);
    settings.model.clone_from(&choice.served);
    settings.key_env.clone_from(&choice.key_env);
    settings.timeout_ms = choice.timeout_ms.unwrap_or(settings.timeout_ms);
    Ok(Arc::new(Endpoint::connect(settings)?))
}

/// A sentence transformer by the name it was pulled under, or by its folder.
#[cfg(feature = "transformer")]
pub fn transformer(model: &str) -> Result<Arc<dyn Encoder>, EncodeError> {
    let folder = Path::new(model);
    let pulled = || models::find(model).ok_or_else(|| EncodeError::NoModel(model.to_owned()));
    let folder = if folder.is_dir() { folder.to_owned() } else { pulled()? };
    Ok(Arc::new(Transformer::read(&folder)?))
}

/// A sentence transformer by the name it was pulled under, or by its folder.
#[cfg(not(feature = "transformer"))]
pub fn transformer(model: &str) -> Result<Arc<dyn Encoder>, EncodeError> {
    Err(EncodeError::NotBuilt(model.to_owned()))
}
