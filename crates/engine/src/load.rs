//! Where does a catalog come from?

use std::path::{Path, PathBuf};

use waypost_core::catalog::{Catalog, Checked, Source};

use crate::{Error, SHIPPED, shipped};

/// The catalog file looked for in the working folder.
pub const CATALOG_FILE: &str = "waypost.yaml";

/// The files of one catalog, read and not yet checked.
struct Sources {
    /// What the catalog is called if it does not say so itself.
    default_name: String,
    /// Its files.
    sources: Vec<Source>,
}

/// Which catalog to use: the one asked for, else `waypost.yaml` here if there is one, else the shipped default.
pub fn find_catalog(asked_for: Option<&str>) -> String {
    let here = || Path::new(CATALOG_FILE).is_file().then(|| CATALOG_FILE.to_owned());
    let default = || SHIPPED.first().map(|shipped| shipped.name.to_owned()).unwrap_or_default();
    asked_for.map(str::to_owned).or_else(here).unwrap_or_else(default)
}

/// Reads the files of a catalog: of a path (a value with a `/`, or ending in .yaml or .yml) or a shipped name.
fn sources(catalog: &str) -> Result<Sources, Error> {
    if is_path(catalog) {
        return read_path(Path::new(catalog));
    }
    let shipped = shipped(catalog)?;
    let source = Source::new(format!("{}.yaml (shipped)", shipped.name), shipped.yaml);
    Ok(Sources { default_name: shipped.name.to_owned(), sources: vec![source] })
}

/// Reads and checks a catalog, keeping its files to quote from.
pub fn check(catalog: &str) -> Result<(Checked, Vec<Source>), Error> {
    let Sources { default_name, sources } = sources(catalog)?;
    Ok((Catalog::read(&sources, &default_name), sources))
}

fn is_path(catalog: &str) -> bool {
    let extension = Path::new(catalog).extension();
    catalog.contains(['/', '\\']) || extension.is_some_and(is_yaml) || catalog == "." || catalog == ".."
}

fn is_yaml(extension: &std::ffi::OsStr) -> bool {
    extension.eq_ignore_ascii_case("yaml") || extension.eq_ignore_ascii_case("yml")
}

fn read_path(path: &Path) -> Result<Sources, Error> {
    let files = if path.is_dir() { yaml_files(path)? } else { vec![path.to_owned()] };
    let sources: Result<Vec<Source>, Error> = files.iter().map(|file| read_file(file)).collect();
    Ok(Sources { default_name: name_of(path), sources: sources? })
}

/// The name of the file or folder, as a catalog would call itself.
fn name_of(path: &Path) -> String {
    let canonical = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let name = if canonical.is_dir() { canonical.file_name() } else { canonical.file_stem() };
    name.map_or_else(|| "catalog".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// The YAML files of a folder in the order of their names; hidden ones are passed over.
fn yaml_files(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let unreadable = |source| Error::UnreadableCatalog { path: folder.to_owned(), source };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if !hidden && path.is_file() && path.extension().is_some_and(is_yaml) {
            files.push(path);
        }
    }
    files.sort();
    if files.is_empty() { Err(Error::EmptyFolder { path: folder.to_owned() }) } else { Ok(files) }
}

fn read_file(path: &Path) -> Result<Source, Error> {
    let unreadable = |source| Error::UnreadableCatalog { path: path.to_owned(), source };
    let bytes = std::fs::read(path).map_err(unreadable)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = error.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count() + 1;
        let message = format!("line {line} is not UTF-8; save the file as UTF-8");
        unreadable(std::io::Error::new(std::io::ErrorKind::InvalidData, message))
    })?;
    Ok(Source::new(path.display().to_string(), text.strip_prefix('\u{FEFF}').unwrap_or(&text)))
}
