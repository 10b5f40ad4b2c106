//! Where does a catalog come from?

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use waypost_core::catalog::{Catalog, Checked, Place, Source};
use waypost_core::limits::CATALOG_FILE_BYTES_MAX;

use crate::learn::Lock;
use crate::retrieve::sources::Documents;
use crate::{Error, Router, SHIPPED};

/// The catalog file looked for in the working folder.
pub const CATALOG_FILE: &str = "waypost.yaml";

/// Most files of one catalog: a folder with more is not a catalog.
const CATALOG_FILES_MAX: usize = 1_000;

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
    asked_for.filter(|name| !name.is_empty()).map(str::to_owned).or_else(here).unwrap_or_else(default)
}

/// Reads the files of a catalog: of a path (a value with a `/`, or ending in .yaml or .yml) or a shipped name.
fn sources(catalog: &str) -> Result<Sources, Error> {
    if is_path(catalog) {
        return read_path(Path::new(catalog));
    }
    let shipped = Router::shipped(catalog)?;
    let source = Source::new(format!("{}.yaml (shipped)", shipped.name), shipped.yaml);
    Ok(Sources { default_name: shipped.name.to_owned(), sources: vec![source] })
}

/// Reads a catalog and looks for everything doubtful in it, keeping its files to quote from.
pub fn check(catalog: &str) -> Result<(Checked, Vec<Source>), Error> {
    let Sources { default_name, sources } = sources(catalog)?;
    Ok((Catalog::check(&sources, &default_name), sources))
}

/// Reads a catalog to decide by, and tells where its lock is kept.
pub(crate) fn read(catalog: &str) -> Result<(Catalog, Option<PathBuf>), Error> {
    let lock = is_path(catalog).then(|| Lock::beside(Path::new(catalog)));
    let Sources { default_name, sources } = sources(catalog)?;
    let Checked { catalog, problems, omitted } = Catalog::read(&sources, &default_name);
    Ok((catalog.ok_or(Error::BadCatalog { problems, omitted, sources })?, lock))
}

/// Where the documents of a catalog are, by its name or path.
pub(crate) fn documents_of(catalog: &str) -> Result<Documents, Error> {
    if !is_path(catalog) {
        return Ok(Documents::Within(Router::shipped(catalog)?.documents));
    }
    let path = Path::new(catalog);
    let folder = if path.is_dir() { path } else { path.parent().unwrap_or(Path::new(".")) };
    Ok(Documents::Beside(folder.to_owned()))
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
    let mut sources = Vec::new();
    for file in &files {
        sources.push(Source::new(file.display().to_string(), read_file(file)?));
    }
    let mut tools = Vec::new();
    for (file, source) in files.iter().zip(&sources) {
        tools.extend(tools_files(file, source)?);
    }
    sources.append(&mut tools);
    Ok(Sources { default_name: name_of(path), sources })
}

/// The files of tools that a file of the catalog names.
fn tools_files(file: &Path, source: &Source) -> Result<Vec<Source>, Error> {
    let folder = file.parent().unwrap_or(Path::new("."));
    let named = Catalog::tools_files(source);
    if named.len() > CATALOG_FILES_MAX {
        return Err(Error::TooManyFiles { path: file.to_owned(), files: named.len() });
    }
    let read = |(name, place): (String, Place)| {
        let path = folder.join(name);
        match read_file(&path) {
            Ok(text) => Ok(Source::of_tools(path.display().to_string(), text)),
            Err(Error::UnreadableCatalog { path, cause }) => {
                let why = format!("{cause} (`tools_files` names it at {}:{place})", source.name);
                Err(Error::UnreadableCatalog { path, cause: std::io::Error::new(cause.kind(), why) })
            }
            Err(error) => Err(error),
        }
    };
    named.into_iter().map(read).collect()
}

/// The name of the file or folder, as a catalog would call itself.
fn name_of(path: &Path) -> String {
    let canonical = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let name = if canonical.is_dir() { canonical.file_name() } else { canonical.file_stem() };
    name.map_or_else(|| "catalog".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// The YAML files of a folder in the order of their names; hidden ones are passed over.
fn yaml_files(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let unreadable = |cause| Error::UnreadableCatalog { path: folder.to_owned(), cause };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if !hidden && path.is_file() && path.extension().is_some_and(is_yaml) {
            files.push(path);
        }
    }
    files.sort();
    match files.len() {
        0 => Err(Error::EmptyFolder { path: folder.to_owned() }),
        1..=CATALOG_FILES_MAX => Ok(files),
        files => Err(Error::TooManyFiles { path: folder.to_owned(), files }),
    }
}

fn read_file(path: &Path) -> Result<String, Error> {
    let unreadable = |cause| Error::UnreadableCatalog { path: path.to_owned(), cause };
    let mut bytes = Vec::new();
    // One byte more than allowed is enough for the reader to refuse it.
    let most = CATALOG_FILE_BYTES_MAX as u64 + 1;
    File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes)).map_err(unreadable)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = error.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count() + 1;
        let message = format!("line {line} is not UTF-8; save the file as UTF-8");
        unreadable(std::io::Error::new(std::io::ErrorKind::InvalidData, message))
    })?;
    Ok(text.strip_prefix('\u{FEFF}').map(str::to_owned).unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The code of the error, or the name of the catalog.
    #[track_caller]
    fn check(catalog: &str, expected: &str) {
        let got = match read(catalog) {
            Ok((catalog, _)) => catalog.name().to_owned(),
            Err(error) => error.code().to_owned(),
        };
        assert_eq!(got, expected, "{catalog}");
    }

    #[test]
    fn catalogs_come_from_names_files_and_folders() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        let yaml = "routes: [{name: a, description: A, patterns: [aa]}]";
        std::fs::write(path("one.yaml"), format!("\u{feff}{yaml}")).unwrap();
        std::fs::write(path("latin.yaml"), b"name: caf\xe9").unwrap();
        std::fs::create_dir_all(path("empty")).unwrap();
        std::fs::create_dir_all(path("desk/.hidden")).unwrap();
        std::fs::write(path("desk/b.yml"), yaml).unwrap();
        std::fs::write(path("desk/.skip.yaml"), "not: one").unwrap();
        check("triad", "triad");
        check("triadd", "unknown_catalog");
        check(&path("one.yaml"), "one");
        check(&path("desk"), "desk");
        check(&path("empty"), "empty_folder");
        check(&path("latin.yaml"), "unreadable_catalog");
        check(&path("nowhere.yaml"), "unreadable_catalog");
        check(&path("desk/.skip.yaml"), "bad_catalog");
    }

    #[test]
    fn tools_come_from_the_files_a_catalog_names() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        let write = |name: &str, text: &str| std::fs::write(path(name), text).unwrap();
        std::fs::create_dir_all(path("tools")).unwrap();
        write("desk.yaml", "tools: [{name: z}]\ntools_files:\n  - tools/a.jsonl\n");
        write("tools/a.jsonl", "{\"name\": \"y\", \"server\": \"s\"}\n\n{\"name\": \"x\"}\n");
        let (catalog, _) = read(&path("desk.yaml")).unwrap();
        let names: Vec<String> =
            catalog.tools().iter().map(waypost_core::catalog::tools::Tool::full_name).collect();
        assert_eq!(names, ["x", "z", "s/y"]);
        write("tools/a.jsonl", "{\"name\": \"z\"}\n{\"name\": 1}\n{oops\n");
        let told = read(&path("desk.yaml")).unwrap_err().to_string();
        for said in
            ["a.jsonl:1:1", "twice", "desk.yaml, line 1", "a.jsonl:2:1", "a.jsonl:3:2", "not valid JSON"]
        {
            assert!(told.contains(said), "{said} in {told}");
        }
        std::fs::remove_file(path("tools/a.jsonl")).unwrap();
        let told = read(&path("desk.yaml")).unwrap_err().to_string();
        assert!(told.contains("desk.yaml:3:5"), "{told}");
    }

    #[test]
    fn an_empty_wish_is_none() {
        assert_eq!(find_catalog(Some("")), "starter");
        assert_eq!(find_catalog(Some("./x")), "./x");
    }
}
