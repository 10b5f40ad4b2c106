//! Where are the bytes of a set? In memory, or in a file that is mapped into it.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use memmap2::Mmap;

use super::error::VectorsError;
use super::layout::{HEADER_BYTES, Layout};

/// A cache line; what begins at one is read fastest.
const LINE_BYTES: usize = 64;

/// The bytes of a set, beginning with its header.
#[derive(Debug)]
pub(super) enum Image {
    /// In memory: so many bytes, after those before the first cache line.
    Held { memory: Vec<u8>, start: usize, bytes: usize },
    /// In a file.
    Mapped(Mmap),
}

impl Image {
    /// So many zeros in memory.
    pub(super) fn of(bytes: usize) -> Image {
        let memory = vec![0; bytes + LINE_BYTES];
        let start = memory.as_ptr().align_offset(LINE_BYTES).min(LINE_BYTES);
        Image::Held { memory, start, bytes }
    }

    /// Maps a file whose header is sound and whose size is as the header says.
    pub(super) fn open(path: &Path) -> Result<(Image, Layout), VectorsError> {
        let failed = |error: std::io::Error| VectorsError::io(path, &error);
        let mut file = File::open(path).map_err(failed)?;
        let mut header = Vec::with_capacity(HEADER_BYTES);
        (&mut file).take(HEADER_BYTES as u64).read_to_end(&mut header).map_err(failed)?;
        let layout = Layout::read(&header, file.metadata().map_err(failed)?.len(), path)?;
        // A mapping is only sound while nobody changes the file. Ours are never written in place: a new one is written beside
        // and takes the name, and the old one lives on for those who have it mapped.
        #[allow(unsafe_code)]
        let mapped = unsafe { Mmap::map(&file) }.map_err(failed)?;
        if mapped.len() == layout.bytes() {
            Ok((Image::Mapped(mapped), layout))
        } else {
            Err(VectorsError::damaged(path, "it changed while it was opened"))
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Image::Held { memory, start, bytes } => memory.get(*start..start + bytes).unwrap_or_default(),
            Image::Mapped(mapped) => mapped,
        }
    }

    /// The bytes to be filled; a file has none.
    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        match self {
            Image::Held { memory, start, bytes } => {
                memory.get_mut(*start..*start + *bytes).unwrap_or_default()
            }
            Image::Mapped(_) => &mut [],
        }
    }
}
