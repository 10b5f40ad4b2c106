//! What is in a file of rows? One JSON object a line; a bad line is told with its number.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::Context;

/// Reads the rows of a file; empty lines are passed over.
pub fn read<T>(file: &Path, parse: impl Fn(&str) -> serde_json::Result<T>) -> anyhow::Result<Vec<T>> {
    let opened = File::open(file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut rows = Vec::new();
    for (line, number) in BufReader::new(opened).lines().zip(1..) {
        let place = || format!("{}, line {number}", file.display());
        let line = line.with_context(place)?;
        if !line.trim().is_empty() {
            rows.push(parse(&line).with_context(place)?);
        }
    }
    Ok(rows)
}
