//! Which files are there? Folders in sorted order, without what people do not mean when they name a folder.

use std::fs::{self, FileType};
use std::io;
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use serde::Serialize;

use super::Unread;

/// Longest file that is read, in bytes. Books have a few million; what is longer is data, or a log.
pub const FILE_BYTES_MAX: u64 = 32 << 20;

/// Folders of what programs make and fetch, left out beside everything hidden.
const LEFT_OUT: &[&str] = &["target", "node_modules"];

/// A file to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Where it is.
    pub path: PathBuf,
    /// Its path from where the walk began, with `/` between its parts.
    pub name: String,
    /// Its length in bytes.
    pub bytes: u64,
}

/// Why a file was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Reason {
    /// It cannot be read, or is damaged.
    Broken,
    /// It is longer than what is read.
    Huge,
    /// It is no text.
    Binary,
    /// It, or its name, is text in another encoding than UTF-8.
    NotUtf8,
    /// It has no text in it, as a scan has none.
    NoText,
}

impl Reason {
    /// The reason in words.
    pub const fn as_str(self) -> &'static str {
        match self {
            Reason::Broken => "broken",
            Reason::Huge => "huge",
            Reason::Binary => "binary",
            Reason::NotUtf8 => "not UTF-8",
            Reason::NoText => "no text",
        }
    }
}

/// A file that was not read, and why.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Skipped {
    /// The file, or the folder that cannot be looked into.
    pub file: String,
    /// Why, in short.
    pub reason: Reason,
    /// Why, in full.
    pub detail: String,
}

impl Skipped {
    /// What it means that a document cannot be read.
    pub fn unread(file: &str, unread: &Unread) -> Skipped {
        let reason = match unread {
            Unread::Binary { .. } => Reason::Binary,
            Unread::NotUtf8 { .. } => Reason::NotUtf8,
            Unread::NoText => Reason::NoText,
            Unread::Damaged { .. } => Reason::Broken,
        };
        Skipped { file: file.to_owned(), reason, detail: unread.to_string() }
    }

    /// What it means that a file cannot be opened.
    pub fn broken(file: &str, cause: &io::Error) -> Skipped {
        Skipped {
            file: file.to_owned(),
            reason: Reason::Broken,
            detail: format!("it cannot be read: {cause}"),
        }
    }
}

/// Which files are wanted.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    include: Option<GlobSet>,
    exclude: GlobSet,
    left_out: Vec<PathBuf>,
}

impl Wanted {
    /// Files that one of the patterns of `include` matches, or all where there are none, without those and without folders
    /// that one of `exclude` matches. A pattern without a `/` is held against names alone.
    pub fn by(include: &[String], exclude: &[String]) -> Result<Wanted, globset::Error> {
        let include = if include.is_empty() { None } else { Some(globs(include)?) };
        Ok(Wanted { include, exclude: globs(exclude)?, left_out: Vec::new() })
    }

    /// The same without a folder, such as that of the index itself.
    #[must_use]
    pub fn without(mut self, folder: &Path) -> Wanted {
        self.left_out.extend(fs::canonicalize(folder));
        self
    }

    fn takes_file(&self, name: &str) -> bool {
        self.include.as_ref().is_none_or(|include| include.is_match(name)) && !self.exclude.is_match(name)
    }

    fn takes_folder(&self, name: &str, path: &Path) -> bool {
        !self.exclude.is_match(name) && !self.left_out.iter().any(|left_out| left_out == path)
    }
}

fn globs(patterns: &[String]) -> Result<GlobSet, globset::Error> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let pattern = pattern.trim_end_matches('/');
        let anywhere = if pattern.contains('/') { pattern.to_owned() } else { format!("**/{pattern}") };
        set.add(GlobBuilder::new(&anywhere).literal_separator(true).build()?);
    }
    set.build()
}

/// What was found, in the order of names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walked {
    /// Files to be read.
    pub files: Vec<Found>,
    /// What is left out although it was meant.
    pub skipped: Vec<Skipped>,
}

/// Finds the files of a folder, or the one file that is named. Hidden files, links and folders of what programs make are
/// left out; what was named itself never is. Only a root that is not there is an error.
pub fn walk(root: &Path, wanted: &Wanted) -> io::Result<Walked> {
    let root = fs::canonicalize(root)?;
    let mut walked = Walked::default();
    let metadata = fs::metadata(&root)?;
    if !metadata.is_dir() {
        let name = root.file_name().and_then(|name| name.to_str()).unwrap_or("file").to_owned();
        walked.file(&root, name, metadata.file_type());
        return Ok(walked);
    }
    let mut folders = vec![(root, String::new())];
    while let Some((folder, prefix)) = folders.pop() {
        match fs::read_dir(&folder).and_then(Iterator::collect::<io::Result<Vec<_>>>) {
            Ok(entries) => {
                for entry in entries {
                    walked.entry(&entry, &prefix, wanted, &mut folders);
                }
            }
            Err(cause) => {
                let name = if prefix.is_empty() { "." } else { prefix.trim_end_matches('/') };
                walked.skipped.push(Skipped::broken(name, &cause));
            }
        }
    }
    walked.files.sort_by(|a, b| a.name.cmp(&b.name));
    walked.skipped.sort();
    Ok(walked)
}

impl Walked {
    fn entry(
        &mut self,
        entry: &fs::DirEntry,
        prefix: &str,
        wanted: &Wanted,
        folders: &mut Vec<(PathBuf, String)>,
    ) {
        let raw = entry.file_name();
        let name = format!("{prefix}{}", raw.to_string_lossy());
        let kind = match entry.file_type() {
            Ok(kind) => kind,
            Err(cause) => return self.skipped.push(Skipped::broken(&name, &cause)),
        };
        if raw.as_encoded_bytes().starts_with(b".") || kind.is_symlink() {
            return;
        }
        let path = entry.path();
        if kind.is_dir() {
            let made = LEFT_OUT.iter().any(|left_out| raw == *left_out);
            if !made && wanted.takes_folder(&name, &path) {
                folders.push((path, format!("{name}/")));
            }
        } else if wanted.takes_file(&name) {
            if raw.to_str().is_none() {
                let detail = "its name is not UTF-8".to_owned();
                return self.skipped.push(Skipped { file: name, reason: Reason::NotUtf8, detail });
            }
            self.file(&path, name, kind);
        }
    }

    /// Takes one file, unless it is too long. What is no file, such as a pipe, would never end.
    fn file(&mut self, path: &Path, name: String, kind: FileType) {
        if !kind.is_file() {
            return;
        }
        match fs::metadata(path).map(|metadata| metadata.len()) {
            Ok(bytes) if bytes > FILE_BYTES_MAX => {
                let detail = format!("it has {bytes} bytes; the most is {FILE_BYTES_MAX}");
                self.skipped.push(Skipped { file: name, reason: Reason::Huge, detail });
            }
            Ok(bytes) => self.files.push(Found { path: path.to_owned(), name, bytes }),
            Err(cause) => self.skipped.push(Skipped::broken(&name, &cause)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(root: &Path, include: &[&str], exclude: &[&str]) -> Vec<String> {
        let owned =
            |patterns: &[&str]| patterns.iter().map(|pattern| (*pattern).to_owned()).collect::<Vec<_>>();
        let wanted = Wanted::by(&owned(include), &owned(exclude)).unwrap();
        walk(root, &wanted).unwrap().files.into_iter().map(|found| found.name).collect()
    }

    #[test]
    fn folders_are_walked_in_order_without_what_nobody_means() {
        let here = tempfile::tempdir().unwrap();
        let root = here.path();
        for name in
            ["b.md", "a/z.txt", "a/b/c.rs", ".hidden", ".git/x", "target/x", "a/node_modules/x", "a.md"]
        {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "text").unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink(root, root.join("a/loop")).unwrap();
        assert_eq!(names(root, &[], &[]), ["a.md", "a/b/c.rs", "a/z.txt", "b.md"]);
        assert_eq!(names(root, &["*.md"], &[]), ["a.md", "b.md"]);
        assert_eq!(names(root, &["a/**"], &["*.rs"]), ["a/z.txt"]);
        assert_eq!(names(root, &[], &["a/"]), ["a.md", "b.md"]);
        assert_eq!(names(root, &[], &["b/"]), ["a.md", "a/z.txt", "b.md"]);
        assert_eq!(names(&root.join(".git"), &[], &[]), ["x"], "what is named itself is meant");
        assert_eq!(names(&root.join(".hidden"), &[], &[]), [".hidden"]);
        let without = walk(root, &Wanted::default().without(&root.join("a"))).unwrap();
        assert_eq!(without.files.len(), 2);
        assert!(walk(&root.join("nowhere"), &Wanted::default()).is_err());
    }

    #[test]
    fn what_cannot_be_taken_is_told() {
        let here = tempfile::tempdir().unwrap();
        let huge = fs::File::create(here.path().join("huge.txt")).unwrap();
        huge.set_len(FILE_BYTES_MAX + 1).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt;
            fs::write(here.path().join(std::ffi::OsStr::from_bytes(b"caf\xe9.txt")), "text").unwrap();
        }
        let walked = walk(here.path(), &Wanted::default()).unwrap();
        assert_eq!(walked.files, []);
        let reasons: Vec<Reason> = walked.skipped.iter().map(|skipped| skipped.reason).collect();
        assert_eq!(
            reasons,
            if cfg!(unix) { vec![Reason::NotUtf8, Reason::Huge] } else { vec![Reason::Huge] }
        );
        assert_eq!(Skipped::unread("f", &Unread::Damaged { cause: String::new() }).reason, Reason::Broken);
    }
}
