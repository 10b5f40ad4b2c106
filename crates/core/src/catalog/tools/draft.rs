//! What does the author mean by the tools? As written, with their places.

use super::super::draft::{Placed, placed, texts};
use super::super::json;
use super::super::tree::{Node, Value};
use super::{Safety, Tool};

/// What a catalog says of tools, as written.
#[derive(Clone, Debug, Default)]
pub struct ToolsDraft {
    pub tools: Vec<Placed<Tool>>,
    pub files: Vec<Placed<String>>,
    pub search_tool: Option<Placed<String>>,
    pub safety: Safety,
}

impl ToolsDraft {
    /// Reads a checked tree.
    pub fn read(root: &Node) -> ToolsDraft {
        ToolsDraft {
            tools: root.list("tools").iter().filter_map(read_tool).collect(),
            files: texts(root.list("tools_files")),
            search_tool: root.get("search_tool").and_then(placed),
            safety: match root.get("safety").and_then(Node::text) {
                Some("enforce") => Safety::Enforce,
                _ => Safety::Off,
            },
        }
    }
}

/// A tool; one without a name is reported already.
fn read_tool(node: &Node) -> Option<Placed<Tool>> {
    let text = |key: &str| node.get(key).and_then(Node::text).map(str::to_owned);
    let values = |key: &str| texts(node.list(key)).into_iter().map(|text| text.value).collect();
    let number = |key: &str| node.get(key).and_then(Node::number);
    let flag = |key: &str| match node.get(key)?.value {
        Value::Flag(flag) => Some(flag),
        _ => None,
    };
    let name = node.get("name").and_then(placed)?;
    let tool = Tool {
        id: text("id").unwrap_or_else(|| name.value.clone()),
        name: name.value,
        server: text("server"),
        title: text("title"),
        description: text("description").unwrap_or_default(),
        input_schema: node.get("input_schema").map(json::from_node),
        success_examples: values("success_examples"),
        anti_patterns: values("anti_patterns"),
        category: text("category"),
        safety_tags: values("safety_tags"),
        read_only: flag("read_only"),
        destructive: flag("destructive"),
        idempotent: flag("idempotent"),
        open_world: flag("open_world"),
        cost_estimate: number("cost_estimate"),
        avg_latency_ms: number("avg_latency_ms"),
        error_rate: number("error_rate"),
        pinned: flag("pinned").unwrap_or_default(),
    };
    Some(Placed { value: tool, place: name.place })
}
