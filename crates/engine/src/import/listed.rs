//! What was listed of a tool, and what did people change since? A field that is not as it was listed was written by hand.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// The key of a row that holds what was listed.
pub const LISTED: &str = "listed";
/// Bytes of a fingerprint that are kept: one change by hand in four billion is missed.
const FINGERPRINT_BYTES: usize = 4;
/// What the import alone says in a row that no import has written yet.
const ALWAYS_LISTED: [&str; 2] = ["description", "input_schema"];
/// What only people wrote in such rows.
const ALWAYS_BY_HAND: [&str; 6] =
    ["title", "category", "read_only", "destructive", "idempotent", "open_world"];

/// A fingerprint of each field as it was listed.
pub type Listed = BTreeMap<String, String>;

/// The fingerprints of fields.
pub fn of(fields: &Map<String, Value>) -> Listed {
    fields.iter().map(|(name, value)| (name.clone(), fingerprint(value))).collect()
}

/// What was listed of the tool in a row; nothing if no import has written the row.
pub fn in_row(row: &Map<String, Value>) -> Option<Listed> {
    let listed = row.get(LISTED)?.as_object()?;
    let text = |(name, print): (&String, &Value)| Some((name.clone(), print.as_str()?.to_owned()));
    Some(listed.iter().filter_map(text).collect())
}

/// A tool's fields after it was listed again: what was written by hand wins, else what is listed now counts.
pub fn merge(
    new: &Map<String, Value>,
    old: &Map<String, Value>,
    listed: Option<&Listed>,
) -> Map<String, Value> {
    let mut names: Vec<&String> = new.keys().chain(old.keys()).collect();
    names.sort();
    names.dedup();
    let kept = |name: &&String| {
        let (new, old) = (new.get(*name), old.get(*name));
        let value = match listed {
            Some(listed) if old.map(fingerprint).as_ref() == listed.get(*name) => new,
            Some(_) => old,
            None => without_record(name, new, old),
        };
        Some(((*name).clone(), value?.clone()))
    };
    names.iter().filter_map(kept).collect()
}

/// The same for a row that no import has written yet.
fn without_record<'v>(name: &str, new: Option<&'v Value>, old: Option<&'v Value>) -> Option<&'v Value> {
    if ALWAYS_LISTED.contains(&name) {
        new
    } else if ALWAYS_BY_HAND.contains(&name) {
        old.or(new)
    } else {
        new.or(old)
    }
}

fn fingerprint(value: &Value) -> String {
    let digest = Sha256::digest(value.to_string());
    digest.iter().take(FINGERPRINT_BYTES).map(|byte| format!("{byte:02x}")).collect()
}
