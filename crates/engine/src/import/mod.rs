//! How do tools come in? From MCP servers, from OpenAPI documents, and from lists as others write them.

mod error;
mod rows;
mod openapi;
mod mcp;
mod category;
mod listed;
mod tools_file;

use std::collections::BTreeMap;

use serde_json::Value;
use waypost_core::catalog::tools::Tool;

pub use error::ImportError;
pub use mcp::{McpServer, ask, dump, handshake};
pub use openapi::read as openapi;
pub use rows::{jsonl, openai};
pub use tools_file::{Change, Changed, Merged, ToolsFile};

/// The server of a tool and its name, by which tools are told apart.
type Key = (Option<String>, String);

/// What came in.
#[derive(Clone, Debug, Default)]
pub struct Imported {
    /// The server that was imported, where it is one: also if it offers nothing.
    pub server: Option<String>,
    /// The tools, ordered by server and name, each once.
    pub tools: Vec<Tool>,
    /// What was no tool, and was passed over.
    pub bad: Vec<BadTool>,
    /// What a person should know.
    pub notes: Vec<String>,
}

/// Something that should have been a tool and is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadTool {
    /// Where it stands: `line 3`, `tool 2`.
    pub place: String,
    /// Why it is none.
    pub why: String,
}

/// Whose tools they are.
#[derive(Clone, Copy, Debug)]
enum Owner<'n> {
    /// Of this server, whatever the rows say.
    Always(&'n str),
    /// Of this server, where a row does not name its own.
    Unsaid(Option<&'n str>),
}

impl Imported {
    /// Makes tools of rows that stand at their places. Of two with one name on one server, the last counts.
    fn gather(rows: impl IntoIterator<Item = (String, Result<Value, String>)>, owner: Owner<'_>) -> Imported {
        let mut imported = Imported::default();
        let mut tools: BTreeMap<Key, Tool> = BTreeMap::new();
        for (place, row) in rows {
            match row.and_then(|row| Tool::from_row(&row).map_err(|error| error.to_string())) {
                Err(why) => imported.bad.push(BadTool { place, why }),
                Ok(mut tool) => {
                    match owner {
                        Owner::Always(server) => tool.server = Some(server.to_owned()),
                        Owner::Unsaid(server) => {
                            tool.server = tool.server.or_else(|| server.map(str::to_owned));
                        }
                    }
                    if tool.category.is_none() {
                        tool.category = category::of(&tool);
                    }
                    let name = tool.full_name();
                    if tools.insert((tool.server.clone(), tool.name.clone()), tool).is_some() {
                        imported.notes.push(format!("`{name}` comes twice; the last one counts ({place})"));
                    }
                }
            }
        }
        imported.server = match owner {
            Owner::Always(server) => Some(server.to_owned()),
            Owner::Unsaid(server) => server.map(str::to_owned),
        };
        imported.tools = tools.into_values().collect();
        imported
    }
}
