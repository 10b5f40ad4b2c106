//! What does the author mean by the thresholds? Rules and signals as written, with their places.

use super::super::draft::{Placed, placed, whole};
use super::super::tree::Node;
use super::{Direction, Recommends, SignalSource};

/// What moves the threshold, as written.
#[derive(Clone, Debug, Default)]
pub struct AdaptiveDraft {
    pub least: Option<Placed<f64>>,
    pub most: Option<Placed<f64>>,
    pub strict: Option<Placed<f64>>,
    pub lenient: Option<Placed<f64>>,
    pub rules: Vec<RuleDraft>,
    pub signals: Vec<SignalDraft>,
}

/// A rule as written.
#[derive(Clone, Debug)]
pub struct RuleDraft {
    pub id: Placed<String>,
    pub when: Placed<String>,
    pub threshold: Placed<f64>,
    pub priority: i32,
    pub direction: Option<Placed<Direction>>,
    pub reason: String,
}

/// A signal as written.
#[derive(Clone, Debug)]
pub struct SignalDraft {
    pub name: Placed<String>,
    pub source: SignalSource,
    /// Nothing where it is reported as missing; its name is known all the same.
    pub when: Option<Placed<String>>,
    pub recommends: Recommends,
    pub value: Option<Placed<f64>>,
    pub reason: String,
}

impl AdaptiveDraft {
    /// Reads the checked table of thresholds.
    pub fn read(node: &Node) -> AdaptiveDraft {
        AdaptiveDraft {
            least: number(node, "least"),
            most: number(node, "most"),
            strict: number(node, "strict"),
            lenient: number(node, "lenient"),
            rules: node.list("rules").iter().filter_map(read_rule).collect(),
            signals: node.list("signals").iter().filter_map(read_signal).collect(),
        }
    }
}

/// A rule; what it must have and has not is reported already.
fn read_rule(node: &Node) -> Option<RuleDraft> {
    let direction = node.get("direction").and_then(|written| {
        let value = match written.text()? {
            "up" => Direction::Up,
            "down" => Direction::Down,
            _ => return None,
        };
        Some(Placed { value, place: written.place })
    });
    Some(RuleDraft {
        id: text(node, "id")?,
        when: text(node, "when")?,
        threshold: number(node, "threshold")?,
        priority: node.get("priority").and_then(Node::number).map_or(0, whole),
        direction,
        reason: text(node, "reason").map(|reason| reason.value).unwrap_or_default(),
    })
}

fn read_signal(node: &Node) -> Option<SignalDraft> {
    Some(SignalDraft {
        name: text(node, "name")?,
        source: match node.get("source").and_then(Node::text) {
            Some("user") => SignalSource::User,
            Some("resource") => SignalSource::Resource,
            _ => SignalSource::Context,
        },
        when: text(node, "when"),
        recommends: match node.get("recommends").and_then(Node::text) {
            Some("up") => Recommends::Up,
            Some("down") => Recommends::Down,
            _ => Recommends::Neutral,
        },
        value: number(node, "value"),
        reason: text(node, "reason").map(|reason| reason.value).unwrap_or_default(),
    })
}

fn text(node: &Node, key: &str) -> Option<Placed<String>> {
    node.get(key).and_then(placed)
}

fn number(node: &Node, key: &str) -> Option<Placed<f64>> {
    let written = node.get(key)?;
    Some(Placed { value: written.number()?, place: written.place })
}
