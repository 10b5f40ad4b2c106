//! Where does a file wait until it is whole? Beside the models, under a name nobody looks for.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::KnownFile;
use crate::http::Sink;
use crate::ports::new_id;

/// How long nothing in a waiting folder changes before its pull counts as killed: one that lives gives up on a source
/// after a minute or two of silence.
const ABANDONED: Duration = Duration::from_secs(10 * 60);
/// Bytes of a file that are read at once.
const BLOCK_BYTES: usize = 1 << 16;

/// A folder for the files of one pull, removed with all that is still in it.
#[derive(Debug)]
pub(super) struct Waiting {
    path: PathBuf,
}

impl Waiting {
    /// Makes the folder, beside the place where the model will lie, and removes those of pulls that were killed.
    pub(super) fn beside(folder: &Path, name: &str) -> io::Result<Waiting> {
        fs::create_dir_all(folder)?;
        sweep(folder, name);
        let path = folder.join(format!(".{name}.{}.part", new_id()));
        fs::create_dir(&path)?;
        Ok(Waiting { path })
    }

    pub(super) fn join(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Moves everything into its place: at once where there is nothing yet, else file by file.
    pub(super) fn settle(self, place: &Path) -> io::Result<()> {
        if fs::rename(&self.path, place).is_ok() {
            return Ok(());
        }
        fs::create_dir_all(place)?;
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            fs::rename(entry.path(), place.join(entry.file_name()))?;
        }
        Ok(())
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        // What cannot be removed now is swept away another day.
        let _ = fs::remove_dir_all(&self.path);
    }
}

fn sweep(folder: &Path, name: &str) {
    for path in inside(folder) {
        let file_name = path.file_name().map(OsStr::to_string_lossy).unwrap_or_default();
        let of_a_pull = path.extension() == Some(OsStr::new("part"));
        if of_a_pull && file_name.starts_with(&format!(".{name}.")) && is_abandoned(&path) {
            // Whoever removes it at the same time does what we want.
            let _ = fs::remove_dir_all(&path);
        }
    }
}

fn is_abandoned(folder: &Path) -> bool {
    let changed = |path: &Path| path.metadata().and_then(|found| found.modified()).ok();
    let last = inside(folder).iter().filter_map(|path| changed(path)).chain(changed(folder)).max();
    last.and_then(|last| last.elapsed().ok()).is_some_and(|age| age > ABANDONED)
}

fn inside(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.filter_map(Result::ok).map(|entry| entry.path()).collect()
}

/// A file that is arriving, its checksum taken on the way.
pub(super) struct Arrival<'a> {
    file: File,
    digest: Sha256,
    bytes: u64,
    /// Is told how many bytes have come.
    tell: &'a mut dyn FnMut(u64),
}

impl<'a> Arrival<'a> {
    pub(super) fn create(path: &Path, tell: &'a mut dyn FnMut(u64)) -> io::Result<Arrival<'a>> {
        Ok(Arrival { file: File::create(path)?, digest: Sha256::new(), bytes: 0, tell })
    }

    /// Makes sure that it is on the disk, and says what is wrong with it, if anything.
    pub(super) fn finish(self, expected: &KnownFile) -> io::Result<Result<(), String>> {
        self.file.sync_all()?;
        Ok(hold_against(expected, self.bytes, self.digest))
    }
}

impl Sink for Arrival<'_> {
    fn start(&mut self) -> io::Result<()> {
        self.file.set_len(0)?;
        self.file.rewind()?;
        self.digest = Sha256::new();
        self.bytes = 0;
        (self.tell)(0);
        Ok(())
    }

    fn take(&mut self, piece: &[u8]) -> io::Result<()> {
        self.file.write_all(piece)?;
        self.digest.update(piece);
        self.bytes += piece.len() as u64;
        (self.tell)(self.bytes);
        Ok(())
    }
}

/// Whether a file that lies there is the one expected, by its checksum.
pub(super) fn is_right(path: &Path, expected: &KnownFile) -> bool {
    let read = || -> io::Result<bool> {
        let mut file = File::open(path)?;
        if file.metadata()?.len() != expected.bytes {
            return Ok(false);
        }
        let (mut digest, mut block) = (Sha256::new(), vec![0; BLOCK_BYTES]);
        loop {
            match file.read(&mut block)? {
                0 => return Ok(hold_against(expected, expected.bytes, digest).is_ok()),
                count => digest.update(block.get(..count).unwrap_or_default()),
            }
        }
    };
    read().unwrap_or(false)
}

fn hold_against(expected: &KnownFile, bytes: u64, digest: Sha256) -> Result<(), String> {
    let KnownFile { name, bytes: due, sha256 } = expected;
    if bytes != *due {
        return Err(format!("{name} came with {bytes} bytes, and has {due}"));
    }
    let found: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    if found == *sha256 {
        Ok(())
    } else {
        Err(format!("{name} was altered: its SHA-256 is {found}, and should be {sha256}"))
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;

    #[test]
    fn what_a_killed_pull_left_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let long_ago = SystemTime::now() - 2 * ABANDONED;
        for (name, old) in [(".a.1.0.part", true), (".a.2.0.part", false), (".b.1.0.part", true), ("a", true)]
        {
            fs::create_dir(at(name)).unwrap();
            let file = File::create(at(name).join("weights")).unwrap();
            if old {
                file.set_modified(long_ago).unwrap();
                File::open(at(name)).unwrap().set_modified(long_ago).unwrap();
            }
        }
        drop(Waiting::beside(folder.path(), "a").unwrap());
        let left = [".a.1.0.part", ".a.2.0.part", ".b.1.0.part", "a"].map(|name| at(name).exists());
        assert_eq!(left, [false, true, true, true]);
        assert_eq!(inside(folder.path()).len(), 3, "its own is gone too");
    }
}
