//! Which facts may a session have, and what may be asked of them?

use std::collections::BTreeMap;

use super::condition::{Condition, SESSION, Scope, Value};
use super::draft::{Placed, placed};
use super::problem::Problem;
use super::shape::Presence::Optional;
use super::shape::{Key, Shape};
use super::thresholds::compile_condition;
use super::tree::Node;
use crate::message::Fact;

/// The key of a catalog that lists the facts of a session.
pub const FACTS: Key = Key {
    name: "facts",
    shape: Shape::Dictionary(&Shape::Text),
    presence: Optional,
    says: "Facts that a session may have, each with what it says, such as `tpr_complete`. Where they are listed, gates, patterns, defaults and flows may name no others; without a list, any.",
};

/// The facts as written; nothing where the catalog lists none.
#[derive(Clone, Debug, Default)]
pub struct FactsDraft(Option<Vec<(Placed<String>, String)>>);

/// Reads them from a checked catalog.
pub fn read(root: &Node) -> FactsDraft {
    let fact = |(name, says): &(Node, Node)| Some((placed(name)?, says.text()?.to_owned()));
    FactsDraft(root.get("facts").map(|facts| facts.entries().iter().filter_map(fact).collect()))
}

impl FactsDraft {
    /// The names of the facts; nothing where any may be named.
    pub fn names(&self) -> Option<Vec<&str>> {
        self.0.as_ref().map(|facts| facts.iter().map(|(name, _)| name.value.as_str()).collect())
    }

    /// The facts, each with what it says.
    pub fn compile(&self) -> BTreeMap<String, String> {
        self.0.iter().flatten().map(|(name, says)| (name.value.clone(), says.clone())).collect()
    }

    /// A condition over the session; what is wrong with it is added to the problems.
    pub fn condition(&self, written: &Placed<String>, problems: &mut Vec<Problem>) -> Option<Condition> {
        let names = self.names();
        compile_condition(written, &Scope::Session(names.as_deref()), problems)
    }
}

impl Condition {
    /// Whether it holds in a session; a fact that is missing there is false.
    pub fn holds_in(&self, session: &BTreeMap<String, Fact>) -> bool {
        self.holds(&|name| session.get(name.strip_prefix(SESSION)?).and_then(Value::of_fact))
    }
}
