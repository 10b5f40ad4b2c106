//! How are many messages answered? Row by row, each for itself, in order.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use anyhow::Context;
use serde::Serialize;
use serde_json::json;
use waypost::{Error, Message};

use super::output::Output;
use super::{Ending, progress};

/// Longest row read, in bytes: a message of one MiB with every character escaped takes six.
const ROW_BYTES_MAX: u64 = 16 << 20;

/// How much of a file is read at once, in bytes: enough that reading is no part of the time.
const FILE_BUFFER_BYTES: usize = 1 << 18;

/// How often the progress bar moves, in rows: often enough to look alive, rarely enough to cost nothing.
const ROWS_PER_TICK: u64 = 512;

/// When answers are sent on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// When no more rows have come yet: whoever feeds us row by row is waiting for the answer.
    WhenWaiting,
    /// Each by itself: an answer that was read says that its row was dealt with.
    EveryRow,
}

/// Answers every message of a file, or of standard input for `-`. A bad row is answered in its place.
pub fn run<T: Serialize>(
    file: &Path,
    output: &mut Output,
    answer: impl Fn(&Message) -> Result<T, Error>,
) -> anyhow::Result<Ending> {
    each(file, output, Pace::WhenWaiting, "one with `text`", |row| {
        let message = serde_json::from_str(row).map_err(|error| Bad::unread(&error))?;
        answer(&message).map_err(|error| Bad::new(error.code(), error.to_string()))
    })
}

/// Answers every row of a file, or of standard input for `-`: JSON objects, of which `expected` says more.
pub fn each<T: Serialize>(
    file: &Path,
    output: &mut Output,
    pace: Pace,
    expected: &str,
    answer: impl Fn(&str) -> Result<T, Bad>,
) -> anyhow::Result<Ending> {
    let (mut rows, size) = open(file)?;
    let progress = progress::bar(size, "rows");
    let (mut line, mut read, mut ending) = (0u64, 0u64, Ending::Good);
    let mut row = Vec::new();
    loop {
        // Nothing more has come yet: whoever feeds us row by row is waiting for the answer.
        if pace == Pace::EveryRow || rows.buffer().is_empty() {
            output.flush()?;
        }
        let next =
            next_row(&mut rows, &mut row).with_context(|| format!("cannot read {}", file.display()))?;
        let Some(length) = next else { break };
        line += 1;
        read += length;
        match object(&row, length, expected).and_then(&answer) {
            Ok(answer) => output.row(&answer)?,
            Err(bad) => {
                ending = Ending::SomeBad;
                output
                    .row(&json!({ "line": line, "error": { "code": bad.code, "message": bad.message } }))?;
            }
        }
        if line.is_multiple_of(ROWS_PER_TICK) {
            progress.set_position(read);
            progress.set_message(format!("{line} rows"));
        }
    }
    output.flush()?;
    progress.finish_and_clear();
    Ok(ending)
}

/// Why a row could not be answered.
pub struct Bad {
    code: &'static str,
    message: String,
}

impl Bad {
    /// What is wrong with a row, under a stable code.
    pub fn new(code: &'static str, message: impl Into<String>) -> Bad {
        Bad { code, message: message.into() }
    }

    /// What the reader says, with its place in the row: a row has but one line.
    pub fn unread(error: &serde_json::Error) -> Bad {
        let full = error.to_string();
        let what = full.split(" at line ").next().unwrap_or(&full);
        Bad::new("bad_row", format!("{what}, at character {}", error.column()))
    }

    /// The same as an error, where there is but one message.
    pub fn alone(self) -> anyhow::Error {
        anyhow::anyhow!(self.message)
    }
}

/// A file of rows, or standard input.
type Rows = BufReader<Box<dyn Read>>;

fn open(file: &Path) -> anyhow::Result<(Rows, Option<u64>)> {
    if file == Path::new("-") {
        return Ok((BufReader::new(Box::new(io::stdin())), None));
    }
    let opened = File::open(file).with_context(|| format!("cannot read {}", file.display()))?;
    let size = opened.metadata().ok().map(|metadata| metadata.len());
    Ok((BufReader::with_capacity(FILE_BUFFER_BYTES, Box::new(opened)), size))
}

/// Reads the next row without its line end; its whole length, or nothing at the end. Of a row beyond the
/// limit only the beginning is kept.
pub(super) fn next_row(rows: &mut impl BufRead, row: &mut Vec<u8>) -> io::Result<Option<u64>> {
    row.clear();
    let mut length = rows.take(ROW_BYTES_MAX).read_until(b'\n', row)? as u64;
    if length == 0 {
        return Ok(None);
    }
    if length == ROW_BYTES_MAX && row.last() != Some(&b'\n') {
        length += skip_to_line_end(rows)?;
    }
    while row.last().is_some_and(|byte| matches!(byte, b'\n' | b'\r')) {
        row.pop();
    }
    Ok(Some(length))
}

fn skip_to_line_end(rows: &mut impl BufRead) -> io::Result<u64> {
    let mut skipped = 0;
    loop {
        let held = rows.fill_buf()?;
        let end = held.iter().position(|byte| *byte == b'\n');
        let used = end.map_or(held.len(), |at| at + 1);
        if used == 0 {
            return Ok(skipped);
        }
        rows.consume(used);
        skipped += used as u64;
        if end.is_some() {
            return Ok(skipped);
        }
    }
}

/// The text of a row that may be a JSON object.
fn object<'r>(row: &'r [u8], length: u64, expected: &str) -> Result<&'r str, Bad> {
    if length > ROW_BYTES_MAX {
        return Err(Bad::new(
            "row_too_long",
            format!("the row has {length} bytes; the most is {ROW_BYTES_MAX}"),
        ));
    }
    let text =
        std::str::from_utf8(row).map_err(|error| Bad::new("not_utf8", format!("not UTF-8: {error}")))?;
    let text = text.trim_start_matches('\u{feff}');
    if text.trim().is_empty() {
        return Err(Bad::new("empty_row", format!("the row is empty; expected an object, {expected}")));
    }
    if !text.trim_start().starts_with('{') {
        return Err(Bad::new("bad_row", format!("the row is no JSON object; expected {expected}")));
    }
    Ok(text)
}
