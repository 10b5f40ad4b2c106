//! What changes in a file of tools? Only what the import changes; what people wrote by hand stays.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Map, Value};
use waypost_core::catalog::tools::Tool;

use super::listed::{self, Listed};
use super::rows::not_json;
use super::{ImportError, Imported, Key};
use crate::ports::new_id;

/// Other keys that a tool is read from; keys that are neither these nor fields of a tool are the author's own, and stay.
const OTHER_KEYS: [&str; 6] = ["function", "type", "parameters", "inputSchema", "schema", "annotations"];
/// The fields of a tool that a listing may say something about, in the order in which changes are reported.
const FIELDS: [&str; 16] = [
    "id",
    "title",
    "description",
    "input_schema",
    "success_examples",
    "anti_patterns",
    "category",
    "safety_tags",
    "read_only",
    "destructive",
    "idempotent",
    "open_world",
    "cost_estimate",
    "avg_latency_ms",
    "error_rate",
    "pinned",
];
/// Those by which tools are told apart.
const KEY_FIELDS: [&str; 2] = ["name", "server"];

/// A file of tools, as it is before an import.
#[derive(Clone, Debug)]
pub struct ToolsFile {
    path: PathBuf,
    rows: BTreeMap<Key, Row>,
}

/// One tool of the file.
#[derive(Clone, Debug)]
struct Row {
    tool: Tool,
    line: String,
}

/// What an import does to a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It was not there.
    Added,
    /// It was there and is another now.
    Changed,
    /// Its server no longer offers it.
    Removed,
}

/// A tool that is not as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// What happened to it.
    pub change: Change,
    /// `server/name`.
    pub name: String,
    /// The fields that are others now.
    pub fields: Vec<&'static str>,
}

/// A file of tools, as it is after an import.
#[derive(Clone, Debug)]
pub struct Merged {
    path: PathBuf,
    text: String,
    /// What is not as it was, ordered by server and name.
    pub changes: Vec<Changed>,
    /// How many of the imported tools are as they were.
    pub unchanged: usize,
    /// How many tools the file has now.
    pub tools: usize,
    /// How many would have been removed, had every row of the import been good.
    pub spared: usize,
}

impl Change {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Change::Added => "added",
            Change::Changed => "changed",
            Change::Removed => "removed",
        }
    }
}

impl ToolsFile {
    /// Reads a file; one that is not there has no tools. A bad line is an error: what it says must not be lost.
    pub fn read(path: &Path) -> Result<ToolsFile, ImportError> {
        let failed = |cause| ImportError::File { doing: "read", path: path.to_owned(), cause };
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => String::new(),
            Err(cause) => return Err(failed(cause)),
        };
        let mut rows = BTreeMap::new();
        for (line, number) in text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty()) {
            let bad = |why| ImportError::BadToolsFile { path: path.to_owned(), line: number, why };
            let value: Value = serde_json::from_str(line).map_err(|error| bad(not_json(&error)))?;
            let tool = Tool::from_row(&value).map_err(|error| bad(error.to_string()))?;
            let key = (tool.server.clone(), tool.name.clone());
            if rows.insert(key, Row { line: line.to_owned(), tool: tool.clone() }).is_some() {
                return Err(bad(format!("the tool `{}` is there twice", tool.full_name())));
            }
        }
        Ok(ToolsFile { path: path.to_owned(), rows })
    }

    /// The file after an import. Tools of the imported servers that no longer come are removed, unless a row was bad:
    /// it may have been any of them.
    pub fn merge(self, imported: &Imported) -> Merged {
        let mut rows = self.rows;
        let (mut changes, mut unchanged) = (Vec::new(), 0);
        let mut servers: BTreeSet<Option<String>> =
            imported.tools.iter().map(|tool| tool.server.clone()).collect();
        if servers.is_empty() {
            servers.extend(imported.server.clone().map(Some));
        }
        let came: BTreeSet<Key> =
            imported.tools.iter().map(|tool| (tool.server.clone(), tool.name.clone())).collect();
        let gone: Vec<Key> =
            rows.keys().filter(|key| servers.contains(&key.0) && !came.contains(*key)).cloned().collect();
        let spared = if imported.bad.is_empty() { 0 } else { gone.len() };
        for key in gone.iter().filter(|_| spared == 0) {
            if let Some(row) = rows.remove(key) {
                changes.push(changed(Change::Removed, &row.tool, Vec::new()));
            }
        }
        for tool in &imported.tools {
            let key = (tool.server.clone(), tool.name.clone());
            let (change, new) = match rows.get(&key) {
                None => (Some(changed(Change::Added, tool, Vec::new())), Row::new(tool, fields(tool), None)),
                Some(old) => {
                    let before: Map<String, Value> = serde_json::from_str(&old.line).unwrap_or_default();
                    let (listed, was) = (with_own_id(tool), with_own_id(&old.tool));
                    let kept = listed::merge(&listed, &was, listed::in_row(&before).as_ref());
                    let differing = differing(&kept, &was);
                    if differing.is_empty() {
                        (None, old.clone())
                    } else {
                        let row = Row::new(tool, kept, Some(&before));
                        (Some(changed(Change::Changed, tool, differing)), row)
                    }
                }
            };
            unchanged += usize::from(change.is_none());
            changes.extend(change);
            rows.insert(key, new);
        }
        changes.sort_by(|a, b| a.name.cmp(&b.name));
        let text = rows.values().map(|row| format!("{}\n", row.line)).collect();
        Merged { path: self.path, text, changes, unchanged, tools: rows.len(), spared }
    }
}

impl Row {
    /// A row as it is written: the tool with the fields that are kept, what the author added to it, and what was listed.
    fn new(listed: &Tool, kept: Map<String, Value>, before: Option<&Map<String, Value>>) -> Row {
        let is_known = |key: &str| {
            FIELDS.iter().chain(&KEY_FIELDS).chain(&OTHER_KEYS).any(|known| *known == key)
                || key == listed::LISTED
        };
        let own = before.into_iter().flatten().filter(|(key, _)| !is_known(key));
        let own = own.map(|(key, value)| (key.clone(), value.clone())).collect();
        let mut kept = kept;
        kept.entry("id").or_insert_with(|| Value::String(listed.name.clone()));
        let tool = serde_json::from_value(Value::Object(kept)).unwrap_or_else(|_| listed.clone());
        let mut as_listed = listed::of(&with_own_id(listed));
        as_listed.retain(|field, _| !KEY_FIELDS.contains(&field.as_str()));
        let line = serde_json::to_string(&Written { tool: &tool, own, listed: as_listed });
        Row { line: line.unwrap_or_default(), tool }
    }
}

/// A row in the order in which its keys are written.
#[derive(Serialize)]
struct Written<'t> {
    #[serde(flatten)]
    tool: &'t Tool,
    #[serde(flatten)]
    own: Map<String, Value>,
    listed: Listed,
}

fn changed(change: Change, tool: &Tool, fields: Vec<&'static str>) -> Changed {
    Changed { change, name: tool.full_name(), fields }
}

/// A tool as JSON.
fn fields(tool: &Tool) -> Map<String, Value> {
    match serde_json::to_value(tool) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

/// The same without an id that is only the name: nothing was written or listed for it.
fn with_own_id(tool: &Tool) -> Map<String, Value> {
    let mut fields = fields(tool);
    if tool.id == tool.name {
        fields.remove("id");
    }
    fields
}

/// The fields in which two versions of a tool differ.
fn differing(new: &Map<String, Value>, old: &Map<String, Value>) -> Vec<&'static str> {
    FIELDS.into_iter().filter(|field| new.get(*field) != old.get(*field)).collect()
}

impl Merged {
    /// How many tools this happened to.
    pub fn count(&self, change: Change) -> usize {
        self.changes.iter().filter(|changed| changed.change == change).count()
    }

    /// Writes the file whole or not at all, and not if nothing changed. Says whether it did.
    pub fn write(&self) -> Result<bool, ImportError> {
        if self.changes.is_empty() {
            return Ok(false);
        }
        let failed = |cause| ImportError::File { doing: "write", path: self.path.clone(), cause };
        put(&self.path, self.text.as_bytes()).map_err(failed)?;
        Ok(true)
    }
}

/// Writes a file beside its place and moves it there. Where the place is a link, what it leads to is written.
fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let place = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut name = place.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", new_id()));
    let beside = place.with_file_name(name);
    let written = fs::File::create_new(&beside).and_then(|mut file| {
        if let Ok(known) = fs::metadata(&place) {
            file.set_permissions(known.permissions())?;
        }
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&beside, &place)).inspect_err(|_| drop(fs::remove_file(&beside)))
}
