//! Which state of the index counts? The generation that `current` names; writers make the next one beside it.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use fs4::fs_std::FileExt;

use super::error::KnowledgeError;

/// The file that names the generation that counts.
const CURRENT: &str = "current";
/// The file that one writer at a time holds.
const LOCK: &str = "lock";
/// The file of a generation that its readers hold.
const IN_USE: &str = "in-use";
/// What the folders of generations begin with.
const PREFIX: &str = "gen-";
/// How often a reader looks again when its generation is removed before it holds it. Each time another update must have
/// ended just then.
const LOOKS_MAX: usize = 16;

/// The folder of an index.
#[derive(Clone, Debug)]
pub(super) struct Generations {
    folder: PathBuf,
}

/// The right to write; it ends with the process at the latest.
#[derive(Debug)]
pub(super) struct WriteLock {
    _file: File,
}

/// A generation that is not removed as long as this lives.
#[derive(Debug)]
pub(super) struct Held {
    pub number: u64,
    pub folder: PathBuf,
    _file: File,
}

impl Generations {
    pub fn at(folder: &Path) -> Generations {
        Generations { folder: folder.to_owned() }
    }

    pub fn folder_of(&self, number: u64) -> PathBuf {
        self.folder.join(format!("{PREFIX}{number}"))
    }

    /// The generation that counts, if there is one.
    pub fn current(&self) -> Result<Option<u64>, KnowledgeError> {
        let path = self.folder.join(CURRENT);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(KnowledgeError::io(&path)(error)),
        };
        let number = text.trim().strip_prefix(PREFIX).and_then(|number| number.parse().ok());
        number.map(Some).ok_or_else(|| self.corrupt("its file `current` names no generation"))
    }

    /// The right to write. The folder is made where there is none; one that holds something else is left alone.
    pub fn lock(&self) -> Result<WriteLock, KnowledgeError> {
        fs::create_dir_all(&self.folder).map_err(KnowledgeError::io(&self.folder))?;
        let path = self.folder.join(LOCK);
        if !path.exists() && self.entries()?.next().is_some() {
            return Err(KnowledgeError::NotAnIndex { folder: self.folder.clone() });
        }
        let options = File::options().create(true).append(true).open(&path);
        let file = options.map_err(KnowledgeError::io(&path))?;
        if file.try_lock_exclusive().map_err(KnowledgeError::io(&path))? {
            Ok(WriteLock { _file: file })
        } else {
            Err(KnowledgeError::Locked { folder: self.folder.clone() })
        }
    }

    /// Holds the generation that counts.
    pub fn hold(&self) -> Result<Held, KnowledgeError> {
        for _ in 0..LOOKS_MAX {
            let Some(number) = self.current()? else { break };
            let folder = self.folder_of(number);
            let path = folder.join(IN_USE);
            match hold(&path) {
                Ok(Some(file)) => return Ok(Held { number, folder, _file: file }),
                Ok(None) => {}
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(KnowledgeError::io(&path)(error)),
            }
        }
        match self.current()? {
            Some(_) => Err(self.corrupt("the generation that counts is not there")),
            None => Err(KnowledgeError::NoIndex { folder: self.folder.clone() }),
        }
    }

    /// Makes the folder of the next generation, empty.
    pub fn begin(&self, lock: &WriteLock, current: Option<u64>) -> Result<(u64, PathBuf), KnowledgeError> {
        self.sweep(lock, current)?;
        let number = current.map_or(1, |current| current + 1);
        let folder = self.folder_of(number);
        let made = fs::create_dir(&folder).and_then(|()| File::create(folder.join(IN_USE)).map(drop));
        made.map_err(KnowledgeError::io(&folder))?;
        Ok((number, folder))
    }

    /// Lets a generation count from now on, once all of it is on the disk.
    pub fn publish(&self, _lock: &WriteLock, number: u64) -> Result<(), KnowledgeError> {
        let folder = self.folder_of(number);
        sync_all(&folder).map_err(KnowledgeError::io(&folder))?;
        let path = self.folder.join(CURRENT);
        put(&path, format!("{PREFIX}{number}\n").as_bytes()).map_err(KnowledgeError::io(&path))
    }

    /// Removes generations that do not count and that nobody holds: old ones, and those of writers that were killed.
    pub fn sweep(&self, _lock: &WriteLock, current: Option<u64>) -> Result<(), KnowledgeError> {
        for folder in self.entries()? {
            let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let number: Option<u64> = name.strip_prefix(PREFIX).and_then(|number| number.parse().ok());
            if number.is_none() || number == current {
                continue;
            }
            let held = File::open(folder.join(IN_USE));
            let free = held.as_ref().map_or(Ok(true), FileExt::try_lock_exclusive);
            if free.map_err(KnowledgeError::io(&folder))? {
                fs::remove_dir_all(&folder).map_err(KnowledgeError::io(&folder))?;
            }
        }
        Ok(())
    }

    pub fn corrupt(&self, cause: impl Into<String>) -> KnowledgeError {
        KnowledgeError::Corrupt { folder: self.folder.clone(), cause: cause.into() }
    }

    fn entries(&self) -> Result<impl Iterator<Item = PathBuf>, KnowledgeError> {
        let entries = fs::read_dir(&self.folder).map_err(KnowledgeError::io(&self.folder))?;
        Ok(entries.flatten().map(|entry| entry.path()))
    }
}

/// Holds a file together with other readers; nothing where it is being removed.
fn hold(path: &Path) -> io::Result<Option<File>> {
    let file = File::open(path)?;
    let held = FileExt::try_lock_shared(&file)?;
    // It may have been removed between opening and holding it.
    Ok((held && path.exists()).then_some(file))
}

/// Writes a file beside its place and moves it there, through to the disk.
pub(super) fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = path.with_extension("part");
    let mut file = File::create(&beside)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&beside, path)?;
    path.parent().map_or(Ok(()), sync_folder)
}

/// Brings everything in a folder to the disk.
fn sync_all(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { sync_all(&path)? } else { File::open(&path)?.sync_all()? }
    }
    sync_folder(folder)
}

/// Brings the names in a folder to the disk, where the system knows how.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
