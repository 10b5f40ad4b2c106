//! What is measured of the catalog's tools? Runs that were recorded.

use std::collections::{BTreeMap, HashSet};

use waypost_core::catalog::tools::Tool;
use waypost_core::history::ToolFigures;

use super::Router;
use crate::retrieve::tools::which;
use crate::store::StoreError;

/// What is measured of tools, by their full names.
pub(super) type ToolsMeasured = BTreeMap<String, ToolFigures>;

impl Router {
    /// Takes a run of a tool of the catalog into account: whether it succeeded and, where that is known, how long it took. From
    /// five runs on, its `avg_latency_ms` and `error_rate` are the measured ones. Fails where there is no such tool or no store.
    pub fn record_tool_run(
        &self,
        tool: &str,
        success: bool,
        elapsed_ms: Option<u64>,
    ) -> Result<(), StoreError> {
        let tools = self.catalog.tools();
        let unknown = |what: String| StoreError::BadOutcome { what };
        let place = which(tools, tool).map_err(|error| unknown(error.to_string()))?;
        let name = tools.get(place).map(Tool::full_name).unwrap_or_default();
        self.around.record_tool_run(&name, success, elapsed_ms)
    }

    /// What is measured of the catalog's tools, or why that is not known.
    pub(super) fn tool_figures(&self) -> (ToolsMeasured, Option<String>) {
        let tools = self.catalog.tools();
        if tools.is_empty() {
            return (ToolsMeasured::new(), None);
        }
        match self.around.tool_figures() {
            Ok(mut known) => {
                let names: HashSet<String> = tools.iter().map(Tool::full_name).collect();
                known.retain(|name, _| names.contains(name));
                (known, None)
            }
            Err(note) => (ToolsMeasured::new(), Some(note)),
        }
    }
}
