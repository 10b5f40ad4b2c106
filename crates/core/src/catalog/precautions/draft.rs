//! What does the author mean by zones, flags, checks and risk? Typed values that still know their places.

use super::super::draft::{Placed, placed, texts, whole};
use super::super::place::Place;
use super::super::tree::Node;
use super::conduct::{self, ConductDraft};
use super::{Contact, Tiers};
use crate::measure::Points;
use crate::resources::Zone;

/// Precautions as written.
#[derive(Clone, Debug, Default)]
pub struct PrecautionsDraft {
    pub zones: Vec<(Zone, ZoneDraft)>,
    pub flags: FlagsDraft,
    pub needs: NeedsDraft,
    pub risk: Option<RiskDraft>,
    pub conduct: ConductDraft,
}

/// A zone as written.
#[derive(Clone, Debug)]
pub struct ZoneDraft {
    pub place: Place,
    pub at: Option<Placed<Points>>,
    pub suggest: Vec<Placed<String>>,
    pub activate: Vec<Placed<String>>,
    pub defer: Vec<Placed<String>>,
    pub block: Vec<Placed<String>>,
    pub tiers: Option<Tiers>,
    pub say: Option<String>,
}

/// Flags as written.
#[derive(Clone, Debug, Default)]
pub struct FlagsDraft {
    pub known: Vec<(Placed<String>, String)>,
    pub conflicts: Vec<Placed<Vec<Placed<String>>>>,
    pub activate: Vec<(String, Vec<Placed<String>>)>,
}

/// Needs as written.
#[derive(Clone, Debug, Default)]
pub struct NeedsDraft {
    pub heavy: Vec<Placed<String>>,
    pub essential: Vec<Placed<String>>,
    pub space_mb: Option<u32>,
    pub slow_ms: Option<u32>,
    pub servers: Vec<(Placed<String>, Contact)>,
    pub always: RequirementDraft,
    pub personas: Vec<(Placed<String>, RequirementDraft)>,
    pub commands: Vec<(Placed<String>, RequirementDraft)>,
}

/// A requirement as written.
#[derive(Clone, Debug, Default)]
pub struct RequirementDraft {
    pub tools: Vec<Placed<String>>,
    pub project: Vec<Placed<String>>,
    pub servers: Vec<Placed<String>>,
    pub personas: Vec<Placed<String>>,
}

/// Weights of risk as written.
#[derive(Clone, Debug)]
pub struct RiskDraft {
    pub place: Place,
    pub complexity: Option<Points>,
    pub failure: Option<Points>,
    pub exhaustion: Option<Points>,
    pub cascade: Option<Points>,
    pub safe_mode: Option<Points>,
}

impl PrecautionsDraft {
    /// Reads a checked tree.
    pub fn read(root: &Node) -> PrecautionsDraft {
        let zones = root.get("resources").and_then(|resources| resources.get("zones"));
        let zone = |zone: Zone| Some((zone, read_zone(zones?.get(zone.name())?)));
        PrecautionsDraft {
            zones: Zone::PRESSED.into_iter().filter_map(zone).collect(),
            flags: root.get("flags").map(read_flags).unwrap_or_default(),
            needs: root.get("preflight").map(read_needs).unwrap_or_default(),
            risk: root.get("risk").map(read_risk),
            conduct: root.get("preflight").map(conduct::read).unwrap_or_default(),
        }
    }
}

fn read_zone(node: &Node) -> ZoneDraft {
    ZoneDraft {
        place: node.place,
        at: node
            .get("at")
            .and_then(|at| Some(Placed { value: Points::from_share(at.number()?), place: at.place })),
        suggest: texts(node.list("suggest")),
        activate: texts(node.list("activate")),
        defer: texts(node.list("defer")),
        block: texts(node.list("block")),
        tiers: match node.get("tiers").and_then(Node::text) {
            Some("all") => Some(Tiers::All),
            Some("cheap") => Some(Tiers::Cheap),
            _ => None,
        },
        say: node.get("say").and_then(Node::text).map(str::to_owned),
    }
}

fn read_flags(node: &Node) -> FlagsDraft {
    let entries = |key: &str| node.get(key).map_or(&[][..], Node::entries);
    let known = |(flag, says): &(Node, Node)| Some((placed(flag)?, says.text()?.to_owned()));
    let activate = |(name, flags): &(Node, Node)| Some((name.text()?.to_owned(), texts(flags.items())));
    let pair = |pair: &Node| Placed { value: texts(pair.items()), place: pair.place };
    FlagsDraft {
        known: entries("known").iter().filter_map(known).collect(),
        conflicts: node.list("conflicts").iter().map(pair).collect(),
        activate: entries("activate").iter().filter_map(activate).collect(),
    }
}

fn read_needs(node: &Node) -> NeedsDraft {
    let number = |key: &str| u32::try_from(whole(node.get(key)?.number()?)).ok();
    let by_name = |key: &str| {
        let entries = node.get("requires").and_then(|requires| requires.get(key));
        let entries = entries.map_or(&[][..], Node::entries).iter();
        entries.filter_map(|(name, needs)| Some((placed(name)?, read_requirement(needs)))).collect()
    };
    NeedsDraft {
        heavy: texts(node.list("heavy")),
        essential: texts(node.list("essential")),
        space_mb: number("space_mb"),
        slow_ms: number("slow_ms"),
        servers: node.list("servers").iter().filter_map(read_server).collect(),
        // The servers listed here are those there are, not those that everything requires.
        always: RequirementDraft { servers: Vec::new(), ..read_requirement(node) },
        personas: by_name("personas"),
        commands: by_name("commands"),
    }
}

fn read_server(node: &Node) -> Option<(Placed<String>, Contact)> {
    let text = |key: &str| node.get(key).and_then(Node::text).map(str::to_owned);
    let contact = text("url").map(Contact::Url).or_else(|| text("command").map(Contact::Command))?;
    Some((node.get("name").and_then(placed)?, contact))
}

fn read_requirement(node: &Node) -> RequirementDraft {
    RequirementDraft {
        tools: texts(node.list("tools")),
        project: texts(node.list("project")),
        servers: texts(node.list("servers")),
        personas: texts(node.list("personas")),
    }
}

fn read_risk(node: &Node) -> RiskDraft {
    let share = |key: &str| node.get(key).and_then(Node::number).map(Points::from_share);
    RiskDraft {
        place: node.place,
        complexity: share("complexity"),
        failure: share("failure"),
        exhaustion: share("exhaustion"),
        cascade: share("cascade"),
        safe_mode: share("safe_mode"),
    }
}
