//! Where are heads kept between runs? In a folder of files, each named by what it was learned from.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use waypost_core::head::Taught;

use crate::folders;
use crate::ports::new_id;

/// Most heads kept; the longest unused are removed. A catalog has four files, so a dozen versions of one are at hand.
const HEADS_MAX: usize = 48;

/// After so long what a killed process left behind, and what families of heads are long gone, is removed.
const LEFT_BEHIND: Duration = Duration::from_secs(90 * 24 * 3600);

/// A folder of heads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cache {
    folder: Option<PathBuf>,
    /// Whether a head that knows nearly all lessons may stand in for one that knows all.
    stand_ins: bool,
}

impl Cache {
    /// Heads are kept in memory only.
    pub const fn none() -> Cache {
        Cache { folder: None, stand_ins: false }
    }

    /// Heads are kept in a folder, which is made when there is something to keep.
    pub fn at(folder: impl Into<PathBuf>) -> Cache {
        Cache { folder: Some(folder.into()), stand_ins: true }
    }

    /// The user's own: `heads` under `WAYPOST_HOME`, else under the cache folder of the system (XDG).
    pub fn of_user() -> Cache {
        Cache { folder: folders::cache().map(|cache| cache.join("heads")), stand_ins: true }
    }

    /// The same cache, for heads that learn all their lessons from the beginning.
    #[must_use]
    pub fn whole(self) -> Cache {
        Cache { stand_ins: false, ..self }
    }

    /// The head kept under a key, unless there is none that can be used.
    pub(super) fn read(&self, key: &str) -> Option<Taught> {
        Taught::from_bytes(&self.read_bytes(key)?).ok()
    }

    /// The bytes kept under a key.
    pub(super) fn read_bytes(&self, key: &str) -> Option<Vec<u8>> {
        let file = self.file(key)?;
        let bytes = fs::read(&file).ok()?;
        let touched = fs::File::options().append(true).open(file).ok();
        // Used just now: what has not been used for longest is removed first.
        let _ = touched.map(|file| file.set_modified(SystemTime::now()));
        Some(bytes)
    }

    /// Keeps bytes under a key.
    pub(super) fn keep(&self, key: &str, bytes: &[u8]) -> io::Result<()> {
        let Some(folder) = &self.folder else { return Ok(()) };
        fs::create_dir_all(folder)?;
        put(&folder.join(format!("{key}.head")), bytes)?;
        prune(folder)
    }

    /// The head of a family that was kept last, where it may stand in.
    pub(super) fn read_latest(&self, family: &str) -> Option<Taught> {
        let key = fs::read_to_string(
            self.folder.as_ref().filter(|_| self.stand_ins)?.join(format!("{family}.latest")),
        )
        .ok()?;
        self.read(key.trim())
    }

    /// Keeps a head.
    pub(super) fn write(&self, key: &str, family: &str, taught: &Taught) -> io::Result<()> {
        let Some(folder) = &self.folder else { return Ok(()) };
        self.keep(key, &taught.to_bytes())?;
        put(&folder.join(format!("{family}.latest")), key.as_bytes())
    }

    /// Where heads are kept; nothing where they are not.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    fn file(&self, key: &str) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(format!("{key}.head")))
    }
}

/// Writes a file beside its place and moves it there, so that no reader ever sees half of it.
pub(super) fn put(file: &Path, bytes: &[u8]) -> io::Result<()> {
    // No two writers share a name, whether in one process or in containers that are all called 1.
    let beside = file.with_extension(format!("{}.part", new_id()));
    fs::write(&beside, bytes)?;
    fs::rename(&beside, file).inspect_err(|_| drop(fs::remove_file(&beside)))
}

/// Removes what has not been used for longest, beyond the most that is kept.
fn prune(folder: &Path) -> io::Result<()> {
    let mut heads: Vec<(SystemTime, PathBuf)> = Vec::new();
    for entry in fs::read_dir(folder)?.flatten() {
        // Another process may have removed it meanwhile.
        let Ok(modified) = entry.metadata().and_then(|metadata| metadata.modified()) else { continue };
        match entry.path().extension().and_then(|extension| extension.to_str()) {
            Some("head") => heads.push((modified, entry.path())),
            Some("part" | "latest") if modified.elapsed().is_ok_and(|age| age > LEFT_BEHIND) => {
                let _ = fs::remove_file(entry.path());
            }
            _ => {}
        }
    }
    heads.sort_by(|a, b| b.cmp(a));
    for (_, old) in heads.iter().skip(HEADS_MAX) {
        // Another process may have been quicker.
        let _ = fs::remove_file(old);
    }
    Ok(())
}
