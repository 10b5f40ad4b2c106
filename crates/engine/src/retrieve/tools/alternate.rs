//! What is there instead of a tool that failed?

use serde::Serialize;
use waypost_core::catalog::nearest;
use waypost_core::catalog::tools::Tool;

use super::Toolbox;
use super::answer::{Asked, DEPTH_MIN, FoundTool};
use super::parts::Served;

/// Most tools of one name that an error lists.
const NAMESAKES_TOLD: usize = 5;

/// What can be used instead of a tool that failed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Alternate {
    /// The tool that failed.
    pub instead_of: String,
    /// The best other tool, where one is left.
    pub tool: Option<FoundTool>,
    /// Whether it is of the same category as the one that failed.
    pub same_category: bool,
    /// Why it is this one, or why there is none.
    pub reason: String,
    /// Tools that failed and were passed over.
    pub failed: Vec<String>,
}

/// A tool that was named and cannot be told.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WhichTool {
    /// Nobody is called so.
    #[error("there is no tool `{name}`{}; give its id, or server/name", .nearest.as_ref().map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default())]
    Unknown {
        /// The name that was given.
        name: String,
        /// The name most like it.
        nearest: Option<String>,
    },
    /// Several are called so.
    #[error("several tools are called `{name}`: {namesakes}; write the server too")]
    Several {
        /// The name that was given.
        name: String,
        /// The first of them, with their servers.
        namesakes: String,
    },
}

impl WhichTool {
    /// A stable code for programs.
    pub const fn code(&self) -> &'static str {
        match self {
            WhichTool::Unknown { .. } => "unknown_tool",
            WhichTool::Several { .. } => "ambiguous_tool",
        }
    }
}

/// The place of the tool that somebody names: by server and name, by id, or by its name alone.
pub(crate) fn which(tools: &[Tool], name: &str) -> Result<usize, WhichTool> {
    let ways: [&dyn Fn(&Tool) -> bool; 3] =
        [&|tool| tool.full_name() == name, &|tool| tool.id == name, &|tool| tool.name == name];
    for is_it in ways {
        let found: Vec<(usize, &Tool)> = tools.iter().enumerate().filter(|(_, tool)| is_it(tool)).collect();
        match *found {
            [] => {}
            [(place, _)] => return Ok(place),
            ref found => {
                let names = found.iter().take(NAMESAKES_TOLD).map(|(_, tool)| tool.full_name());
                let namesakes = names.collect::<Vec<_>>().join(", ");
                return Err(WhichTool::Several { name: name.to_owned(), namesakes });
            }
        }
    }
    let known = tools.iter().flat_map(|tool| [tool.id.as_str(), tool.name.as_str()]);
    Err(WhichTool::Unknown { name: name.to_owned(), nearest: nearest(name, known).map(str::to_owned) })
}

impl Toolbox {
    /// The tool that somebody names: by server and name, by id, or by its name alone.
    pub fn named(&self, name: &str) -> Result<usize, WhichTool> {
        which(self.tools(), name)
    }

    /// What serves a message instead of a tool that failed: the best of its category, else the best of all; never one that
    /// failed. `failed` are places of tools that failed before.
    pub fn alternate(&self, asked: &Asked<'_>, instead_of: usize, failed: &[usize]) -> Alternate {
        let tools = self.tools();
        let own = tools.get(instead_of);
        let category = own.and_then(|tool| tool.category.as_deref());
        let mut open = self.open(asked).unwrap_or_else(|| (0..tools.len()).collect());
        open.retain(|place| *place != instead_of && !failed.contains(place));
        let is_alike = |place: &usize| {
            category.is_some() && tools.get(*place).and_then(|tool| tool.category.as_deref()) == category
        };
        let alike: Vec<usize> = open.iter().copied().filter(is_alike).collect();
        let same_category = !alike.is_empty();
        let among = if same_category { &alike } else { &open };
        let best = self.rank(asked.text, DEPTH_MIN, Some(among)).into_iter().next();
        let tool = best.map(|best| self.told(&Served::of(best), &self.heard(asked)));
        let full = |place: &usize| tools.get(*place).map(Tool::full_name);
        let name = full(&instead_of).unwrap_or_default();
        let reason = match (&tool, category) {
            (None, _) => "no other tool is left that may be used and has not failed".to_owned(),
            (Some(_), Some(category)) if same_category => {
                format!("the best for this message of the category {category}, as {name} is")
            }
            (Some(_), Some(category)) => {
                format!("no other tool of the category {category} is left: the best of any category")
            }
            (Some(_), None) => format!("{name} has no category: the best of all tools"),
        };
        let mut passed: Vec<String> = failed.iter().filter_map(full).filter(|other| *other != name).collect();
        passed.sort();
        passed.dedup();
        Alternate { instead_of: name, tool, same_category, reason, failed: passed }
    }
}
