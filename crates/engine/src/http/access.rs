//! Where is another machine, and who asks it? Its address and its key, read in one place, and never shown.

use std::path::{Path, PathBuf};

use reqwest::Url;
use reqwest::header::HeaderValue;

use super::shown;

/// What is wrong with an address.
const NO_ADDRESS: &str = "its URL does not begin with http:// or https://, or is no URL";
/// What is wrong with a key that cannot be sent.
const ODD_KEY: &str = "its key has characters that no header may have";

/// Why another machine cannot be asked at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoAccess {
    /// The address is none; as it may be shown, where it may be.
    Address(Option<String>),
    /// The variable holds no key.
    Variable(String),
    /// The file holds no key; why.
    File(PathBuf, String),
    /// The key cannot be sent.
    OddKey,
}

impl NoAccess {
    /// Why, where neither a variable nor a file has to be named.
    pub(crate) const fn cause(&self) -> &'static str {
        match self {
            NoAccess::Address(_) => NO_ADDRESS,
            NoAccess::Variable(_) | NoAccess::File(..) | NoAccess::OddKey => ODD_KEY,
        }
    }
}

/// Reads an address.
pub(crate) fn address(url: &str) -> Result<Url, NoAccess> {
    match Url::parse(url) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => Ok(url),
        Ok(url) if url.has_host() => Err(NoAccess::Address(Some(shown(&url)))),
        // What does not parse, or has no place for one, may hold a password anywhere: it is not shown.
        Ok(_) | Err(_) => Err(NoAccess::Address(None)),
    }
}

/// Where a key is kept.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct KeyPlace<'s> {
    /// An environment variable.
    pub(crate) variable: Option<&'s str>,
    /// A file, where no variable is named.
    pub(crate) file: Option<&'s Path>,
}

impl KeyPlace<'_> {
    /// The header that carries the key, where a place for one is named. What is named must hold one.
    pub(crate) fn bearer(self) -> Result<Option<HeaderValue>, NoAccess> {
        if let Some(variable) = self.variable {
            let key = std::env::var(variable).ok().filter(|key| !key.trim().is_empty());
            return bearer(&key.ok_or_else(|| NoAccess::Variable(variable.to_owned()))?).map(Some);
        }
        let Some(file) = self.file else { return Ok(None) };
        let missing = |cause: String| NoAccess::File(file.to_owned(), cause);
        let key = std::fs::read_to_string(file).map_err(|error| missing(error.to_string()))?;
        if key.trim().is_empty() {
            return Err(missing("it is empty".to_owned()));
        }
        bearer(&key).map(Some)
    }
}

/// The header that carries a key. It is marked, so that it shows in no debug output and is cut out of refusals; the key is not
/// told either, whatever is wrong with it.
pub(crate) fn bearer(key: &str) -> Result<HeaderValue, NoAccess> {
    let mut value = HeaderValue::try_from(format!("Bearer {}", key.trim())).map_err(|_| NoAccess::OddKey)?;
    value.set_sensitive(true);
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_web_addresses() {
        assert_eq!(address("https://host/v1").unwrap().path(), "/v1");
        let shown = Some("ftp://host".to_owned());
        assert_eq!(address("ftp://me:secret@host"), Err(NoAccess::Address(shown)));
        for hidden in ["me:secret@host", "secret", ""] {
            assert_eq!(address(hidden), Err(NoAccess::Address(None)), "{hidden}");
        }
    }
}
