//! Why was nothing re-ranked?

use std::path::PathBuf;

use crate::encode::EncodeError;
use crate::http::{HttpError, NoAccess};

/// Why texts could not be scored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RerankError {
    /// The endpoint cannot be reached.
    #[error("the re-rank endpoint {url} cannot be reached: {cause}")]
    Unreachable {
        /// The endpoint.
        url: String,
        /// Why not.
        cause: String,
    },
    /// The endpoint does not answer in time.
    #[error("the re-rank endpoint {url} did not answer within {ms} ms; raise its time-out if it is slow")]
    TimedOut {
        /// The endpoint.
        url: String,
        /// How long was waited.
        ms: u64,
    },
    /// The endpoint refuses.
    #[error("the re-rank endpoint {url} answers {status}{}{body}{}", colon(.body), advice(*.status))]
    Refused {
        /// The endpoint.
        url: String,
        /// The HTTP status.
        status: u16,
        /// The beginning of what it says.
        body: String,
    },
    /// The endpoint answers with something that is no scores.
    #[error("the re-rank endpoint {url} answers with no usable scores: {what}; is its shape the right one?")]
    Garbled {
        /// The endpoint.
        url: String,
        /// What is wrong with it.
        what: String,
    },
    /// The variable that should hold the key does not.
    #[error("the environment variable {variable} holds no key for the re-rank endpoint {url}; set it")]
    NoKey {
        /// The endpoint.
        url: String,
        /// The variable.
        variable: String,
    },
    /// The file that should hold the key does not.
    #[error("{} holds no key for the re-rank endpoint {url}: {cause}", .file.display())]
    NoKeyFile {
        /// The endpoint.
        url: String,
        /// The file.
        file: PathBuf,
        /// Why not.
        cause: String,
    },
    /// What reads the texts could not.
    #[error(transparent)]
    Encode(#[from] EncodeError),
}

impl RerankError {
    /// Why an endpoint at this place cannot be asked.
    pub(super) fn no_access(place: &str, why: NoAccess) -> RerankError {
        let (url, cause) = (place.to_owned(), why.cause().to_owned());
        match why {
            NoAccess::Address(shown) => RerankError::Unreachable { url: shown.unwrap_or(url), cause },
            NoAccess::Variable(variable) => RerankError::NoKey { url, variable },
            NoAccess::File(file, cause) => RerankError::NoKeyFile { url, file, cause },
            NoAccess::OddKey => RerankError::Unreachable { url, cause },
        }
    }

    /// What came of asking an endpoint.
    pub(super) fn of(url: &str, error: HttpError) -> RerankError {
        let url = url.to_owned();
        match error {
            HttpError::Unreachable(cause) => RerankError::Unreachable { url, cause },
            HttpError::TimedOut(limit) => {
                RerankError::TimedOut { url, ms: u64::try_from(limit.as_millis()).unwrap_or(u64::MAX) }
            }
            HttpError::Refused { status, excerpt, .. } => RerankError::Refused { url, status, body: excerpt },
            error @ (HttpError::TooLong(_) | HttpError::NotKept(_)) => {
                RerankError::Garbled { url, what: error.to_string() }
            }
        }
    }
}

fn colon(body: &str) -> &'static str {
    if body.is_empty() { "" } else { ": " }
}

/// What a refusal usually means.
fn advice(status: u16) -> &'static str {
    match status {
        401 | 403 => "; is its key the right one?",
        404 | 405 => "; does its URL end where the API begins, as https://api.cohere.com/v2 does?",
        400 | 413 | 422 => "; does it need a model, or another shape?",
        _ => "",
    }
}
