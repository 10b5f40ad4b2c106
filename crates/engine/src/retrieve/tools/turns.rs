//! Which tools does a conversation have, turn after turn, and which of them failed?

use serde::Serialize;
use waypost_core::selection::offered::{Offered, Renewal};

use super::{Alternate, Asked, Found, Toolbox};
use crate::store::{Store, StoreError};

/// The tools of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OfferedSet {
    /// Their ids, in the order they are offered.
    pub tools: Vec<String>,
    /// SHA-256 over the ids in their order, each with a line feed behind it.
    pub fingerprint: String,
    /// Those that were not in the set before.
    pub added: Vec<String>,
    /// Whether the set begins anew.
    pub renewed: bool,
    /// Why it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renewed_because: Option<Renewal>,
}

/// Tools that failed, by their places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Failures {
    /// The one that wants another.
    pub instead_of: Option<usize>,
    /// Those that failed before.
    pub failed: Vec<usize>,
}

/// What a turn of a conversation was given.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// What there is instead of a tool that failed, where one did.
    pub alternate: Option<Alternate>,
    /// The tools of the conversation from now on.
    pub set: OfferedSet,
}

impl Toolbox {
    /// What there is instead of the tool that failed, where one did. `earlier` are full names of tools that failed in earlier turns.
    pub fn instead(&self, asked: &Asked<'_>, failures: &Failures, earlier: &[String]) -> Option<Alternate> {
        // A tool that failed and is gone needs no avoiding.
        let earlier = earlier.iter().filter_map(|name| self.named(name).ok());
        let failed: Vec<usize> = failures.failed.iter().copied().chain(earlier).collect();
        Some(self.alternate(asked, failures.instead_of?, &failed))
    }

    /// A turn of a conversation: its failures are remembered, and its set takes in what was found.
    pub fn turn(
        &self,
        store: &dyn Store,
        (tenant, session): (Option<&str>, &str),
        asked: &Asked<'_>,
        found: &Found,
        failures: &Failures,
    ) -> Result<Turn, StoreError> {
        let may = self.may_offer(asked);
        let names: Vec<String> = (failures.failed.iter().chain(&failures.instead_of))
            .filter_map(|place| Some(self.tools().get(*place)?.full_name()))
            .collect();
        let mut told = None;
        let mut turn = |before: Offered| {
            let before = names.iter().fold(before, |offered, name| offered.with_failure(name));
            let alternate = self.instead(asked, failures, before.failed());
            let instead = alternate.as_ref().and_then(|alternate| alternate.tool.as_ref());
            let wanted: Vec<String> = found
                .tools
                .iter()
                .chain(instead)
                .map(|tool| self.key(&tool.id, tool.server.as_deref(), &tool.name))
                .collect();
            let step = before.turn(&wanted, |id| may.contains(id));
            let set = OfferedSet {
                tools: step.offered.tools().map(str::to_owned).collect(),
                fingerprint: step.offered.fingerprint(),
                added: step.added,
                renewed: step.renewed.is_some(),
                renewed_because: step.renewed,
            };
            told = Some(Turn { alternate, set });
            step.offered
        };
        store.offer(tenant, session, &mut turn)?;
        told.ok_or(StoreError::NoStore)
    }
}
