//! When is the user's file of the third layer opened? When something is first asked of it: many messages need none of it.

use std::path::PathBuf;
use std::sync::OnceLock;

use super::{Kept, Key, Shelf, ShelfFile};

/// A file that is opened when it is first needed.
pub(super) struct LazyFile {
    file: PathBuf,
    opened: OnceLock<Result<ShelfFile, String>>,
}

impl LazyFile {
    pub(super) fn at(file: PathBuf) -> LazyFile {
        LazyFile { file, opened: OnceLock::new() }
    }

    fn file(&self) -> Option<&ShelfFile> {
        let open = || ShelfFile::open(&self.file).map_err(|error| error.to_string());
        self.opened.get_or_init(open).as_ref().ok()
    }
}

impl Shelf for LazyFile {
    fn get(&self, key: &Key, now_ms: u64) -> Option<Kept> {
        self.file()?.get(key, now_ms)
    }

    fn put(&self, key: &Key, kept: &Kept, now_ms: u64) {
        if let Some(file) = self.file() {
            file.put(key, kept, now_ms);
        }
    }

    fn trouble(&self) -> Option<String> {
        match self.opened.get()? {
            Ok(file) => file.trouble(),
            Err(error) => Some(error.clone()),
        }
    }
}
