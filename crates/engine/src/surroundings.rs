//! What does a decision find around it? The time, the machine, and what is remembered of the user.

use std::collections::BTreeMap;
use std::sync::Arc;

use waypost_core::history::{History, SpecialistRecord, ToolFigures};
use waypost_core::message::{Fact, Message, Situation};
use waypost_core::resources::{Observed, Resources};

use crate::ports::{Clock, FixedMachine, Machine, Store, SystemClock};
use crate::store::{DecisionKept, StoreError};

/// The variable that says where this runs, such as `production`.
pub(crate) const STAGE_VARIABLE: &str = "WAYPOST_ENV";

/// What that variable says where it runs in production.
const PRODUCTION: [&str; 2] = ["production", "prod"];

/// The world around a router.
#[derive(Clone)]
pub(crate) struct Surroundings {
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) machine: Arc<dyn Machine>,
    pub(crate) memory: Memory,
    pub(crate) observed: Observed,
    /// Where this runs, where nobody says it with the message.
    stage: Option<String>,
}

/// What is remembered of users.
#[derive(Clone, Default)]
pub(crate) enum Memory {
    /// Nothing is.
    #[default]
    None,
    /// What the store holds.
    Kept(Arc<dyn Store>),
    /// It cannot be had, for this reason.
    Lost {
        /// The code of the reason.
        code: &'static str,
        /// The reason.
        cause: String,
    },
}

impl Surroundings {
    /// This machine, of which nothing is known yet.
    pub(crate) fn new() -> Surroundings {
        Surroundings {
            clock: Arc::new(SystemClock),
            machine: Arc::new(FixedMachine(Resources::default())),
            memory: Memory::None,
            observed: Observed::default(),
            stage: std::env::var(STAGE_VARIABLE).ok().filter(|stage| !stage.is_empty()),
        }
    }

    /// Everything a decision may depend on, at this moment, and what could not be had of it.
    pub(crate) fn situate(&self, message: &Message) -> (Situation, Vec<String>) {
        let mut message = message.clone();
        if let Some(stage) = &self.stage {
            let said = Fact::Text(stage.clone());
            message.environment.entry("deployment_stage".to_owned()).or_insert(said);
            let production = Fact::Flag(PRODUCTION.iter().any(|name| stage.eq_ignore_ascii_case(name)));
            message.environment.entry("is_production".to_owned()).or_insert(production);
        }
        let (history, notes) = match self.history(&message) {
            Ok(history) => (history, Vec::new()),
            Err(note) => (None, vec![note]),
        };
        let situation = Situation {
            specialists: self.specialists(&message),
            history,
            resources: self.machine.resources(),
            observed: self.observed.clone(),
            now_ms: self.clock.now_ms(),
            message,
            ..Situation::default()
        };
        (situation, notes)
    }

    /// What is measured of tools.
    pub(crate) fn tool_figures(&self) -> Result<BTreeMap<String, ToolFigures>, String> {
        match &self.memory {
            Memory::Kept(store) => {
                store.tool_figures().map_err(|error| format!("{error}; tools are as the catalog says"))
            }
            // Who asks for the user's history is told why there is no store; tools have what the catalog says.
            Memory::None | Memory::Lost { .. } => Ok(BTreeMap::new()),
        }
    }

    /// Takes a run of a tool into account.
    pub(crate) fn record_tool_run(
        &self,
        tool: &str,
        success: bool,
        elapsed_ms: Option<u64>,
    ) -> Result<(), StoreError> {
        self.store()?.record_tool_run(tool, success, elapsed_ms)
    }

    /// How tasks of specialists went. A store that cannot be read is noted with the user's history, which says the same.
    fn specialists(&self, message: &Message) -> Vec<SpecialistRecord> {
        match &self.memory {
            Memory::Kept(store) => store.specialists(message.tenant.as_deref(), None).unwrap_or_default(),
            Memory::None | Memory::Lost { .. } => Vec::new(),
        }
    }

    /// How earlier tasks of whoever says it went; nothing where nobody does, or nothing is remembered.
    fn history(&self, message: &Message) -> Result<Option<History>, String> {
        let Some(user) = message.user.as_deref().filter(|user| !user.is_empty()) else { return Ok(None) };
        let without = |cause: &dyn std::fmt::Display| format!("{cause}; decided without the user's history");
        match &self.memory {
            Memory::None => Ok(None),
            Memory::Lost { cause, .. } => Err(without(cause)),
            Memory::Kept(store) => {
                store.history(message.tenant.as_deref(), user).map(Some).map_err(|error| without(&error))
            }
        }
    }

    /// Keeps a decision for the outcome that may follow; says so where there is nowhere to keep it.
    pub(crate) fn keep(&self, decision: &DecisionKept) -> Result<(), StoreError> {
        self.store()?.keep_decision(decision)
    }

    fn store(&self) -> Result<&dyn Store, StoreError> {
        match &self.memory {
            Memory::Kept(store) => Ok(store.as_ref()),
            Memory::None => Err(StoreError::NoStore),
            Memory::Lost { code, cause } => Err(StoreError::Lost { code, cause: cause.clone() }),
        }
    }
}
