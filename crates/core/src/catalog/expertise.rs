//! What is a route made for? Areas, operations, bands and tools, as labels of the catalog's own layers.

use super::context::Labels;
use super::draft::Placed;
use super::nearest::nearest;
use super::problem::{Code, Problem};
use super::shape::Presence::Optional;
use super::shape::{Key, Shape};
use super::tree::Node;

/// The keys of a route that say what it is made for.
pub(super) const AREAS: Key = Key {
    name: "areas",
    shape: Shape::List(&Shape::Name, 0),
    presence: Optional,
    says: "Areas the route is made for, as labels of the layer `area`. Counts where the catalog scores by factors.",
};
pub(super) const RELATED: Key = Key {
    name: "related",
    shape: Shape::List(&Shape::Name, 0),
    presence: Optional,
    says: "Areas it knows a little of.",
};
pub(super) const DOMAINS: Key = Key {
    name: "domains",
    shape: Shape::List(&Shape::Name, 0),
    presence: Optional,
    says: "Domains it is made for, as labels of the layer `domain`, whatever the area.",
};
pub(super) const OPERATIONS: Key = Key {
    name: "operations",
    shape: Shape::List(&Shape::Name, 0),
    presence: Optional,
    says: "Operations it does, as labels of the layer `operation`.",
};
pub(super) const COMPLEXITY: Key = Key {
    name: "complexity",
    shape: Shape::List(&Shape::Name, 0),
    presence: Optional,
    says: "Bands of complexity it is made for, as labels of the layer `complexity`. Without it: all.",
};
pub(super) const TOOLS: Key = Key {
    name: "tools",
    shape: Shape::List(&Shape::Text, 0),
    presence: Optional,
    says: "Tools it needs: tools of the catalog, which go with its decisions; or programs, looked up on the PATH, and files of the project, by a path with a dot or a slash. Where the catalog scores by factors, only what is found earns points.",
};
pub(super) const SERVERS: Key = Key {
    name: "servers",
    shape: Shape::List(&Shape::Text, 0),
    presence: Optional,
    says: "MCP servers it needs. Where the catalog scores by factors, only a handshake earns points.",
};

/// What a route is made for. Labels are places in their layers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expertise {
    /// Areas it is made for.
    pub areas: Vec<usize>,
    /// Areas it knows a little of.
    pub related: Vec<usize>,
    /// Domains it is made for.
    pub domains: Vec<usize>,
    /// Operations it does.
    pub operations: Vec<usize>,
    /// Bands of complexity it is made for; empty where it is made for all.
    pub bands: Vec<usize>,
    /// Tools it needs.
    pub tools: Vec<String>,
    /// Servers it needs.
    pub servers: Vec<String>,
    /// Its place among the labels of the layer that tells routes apart.
    pub label: Option<usize>,
}

/// The same, as written.
#[derive(Clone, Debug, Default)]
pub struct ExpertiseDraft {
    areas: Vec<Placed<String>>,
    related: Vec<Placed<String>>,
    domains: Vec<Placed<String>>,
    operations: Vec<Placed<String>>,
    bands: Vec<Placed<String>>,
    tools: Vec<String>,
    servers: Vec<String>,
}

/// Reads it from a checked route.
pub fn read(node: &Node) -> ExpertiseDraft {
    let placed = |node: &Node| Some(Placed { value: node.text()?.to_owned(), place: node.place });
    let names = |key: &str| node.list(key).iter().filter_map(placed).collect();
    let texts = |key: &str| node.list(key).iter().filter_map(Node::text).map(str::to_owned).collect();
    ExpertiseDraft {
        areas: names("areas"),
        related: names("related"),
        domains: names("domains"),
        operations: names("operations"),
        bands: names("complexity"),
        tools: texts("tools"),
        servers: texts("servers"),
    }
}

/// Resolves its labels; one that names nothing is a problem.
pub fn resolve(
    draft: &ExpertiseDraft,
    route: &str,
    labels: Option<&Labels>,
    routes_layer: Option<usize>,
    problems: &mut Vec<Problem>,
) -> Expertise {
    let mut places = |layer: &str, names: &[Placed<String>]| -> Vec<usize> {
        names.iter().filter_map(|name| place(labels, layer, name, problems)).collect()
    };
    let own = labels.zip(routes_layer).and_then(|(labels, layer)| labels.layers().get(layer));
    Expertise {
        areas: places("area", &draft.areas),
        related: places("area", &draft.related),
        domains: places("domain", &draft.domains),
        operations: places("operation", &draft.operations),
        bands: places("complexity", &draft.bands),
        tools: draft.tools.clone(),
        servers: draft.servers.clone(),
        label: own.and_then(|layer| layer.labels.iter().position(|label| label.name == route)),
    }
}

fn place(
    labels: Option<&Labels>,
    layer: &str,
    name: &Placed<String>,
    problems: &mut Vec<Problem>,
) -> Option<usize> {
    let own = labels.and_then(|labels| labels.layers().get(labels.layer(layer)?));
    let names = || own.into_iter().flat_map(|layer| &layer.labels).map(|label| label.name.as_str());
    let found = names().position(|label| label == name.value);
    if found.is_none() {
        let message = format!("the layer `{layer}` of `context` has no label `{}`", name.value);
        let problem = Problem::new(Code::DanglingReference, name.place, message);
        problems.push(match nearest(&name.value, names()) {
            Some(near) => problem.hint(format!("did you mean `{near}`?")),
            None => problem,
        });
    }
    found
}
