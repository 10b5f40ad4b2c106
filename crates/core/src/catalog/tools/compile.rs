//! Which tools does a catalog have? Each once, the search tool found among them.

use std::collections::HashMap;

use super::super::draft::Placed;
use super::super::nearest::nearest;
use super::super::place::{Holds, Source};
use super::super::problem::{Code, Problem};
use super::draft::ToolsDraft;
use super::{Safety, Tool};

/// The tools of a catalog, ordered by server and name.
#[derive(Clone, Debug, Default)]
pub struct Toolbox {
    pub tools: Vec<Tool>,
    pub search_tool: Option<usize>,
    pub safety: Safety,
}

/// Compiles what is said of tools; what is wrong with it is added to the problems.
pub fn compile(draft: ToolsDraft, sources: &[Source], problems: &mut Vec<Problem>) -> Toolbox {
    refuse_duplicates(&draft.tools, sources, problems);
    problems.extend(missing_files(&draft.files, sources));
    let mut tools: Vec<Tool> = draft.tools.into_iter().map(|placed| placed.value).collect();
    tools.sort_by(|a, b| (&a.server, &a.name).cmp(&(&b.server, &b.name)));
    let search_tool = draft.search_tool.and_then(|named| find(&named, &tools, problems));
    Toolbox { tools, search_tool, safety: draft.safety }
}

/// Two servers may share a name; one server has a name once.
fn refuse_duplicates(tools: &[Placed<Tool>], sources: &[Source], problems: &mut Vec<Problem>) {
    let mut seen = HashMap::new();
    for Placed { value, place } in tools {
        let first = *seen.entry((&value.server, &value.name)).or_insert(*place);
        if first != *place {
            let of = value.server.as_ref().map(|server| format!(" of the server `{server}`"));
            let message = format!("the tool `{}`{} is given twice", value.name, of.unwrap_or_default());
            let hint = format!("first {}", first.seen_from(*place, sources));
            problems.push(Problem::new(Code::DuplicateName, *place, message).hint(hint));
        }
    }
}

/// Whoever reads the catalog brings the files that it names along; one that is missing must not be passed over.
fn missing_files(named: &[Placed<String>], sources: &[Source]) -> Option<Problem> {
    let brought = sources.iter().filter(|source| source.holds == Holds::Tools).count();
    let first = named.first().filter(|_| brought < named.len())?;
    let message = format!("`tools_files` names {} files, and {brought} are here", named.len());
    Some(
        Problem::new(Code::DanglingReference, first.place, message)
            .hint("only a catalog that is read from its path can name files"),
    )
}

/// The tool that a name means, by its place: its own name, or `server/name`.
pub fn find(named: &Placed<String>, tools: &[Tool], problems: &mut Vec<Problem>) -> Option<usize> {
    let is_meant = |(_, tool): &(usize, &Tool)| tool.name == named.value || tool.full_name() == named.value;
    let meant: Vec<(usize, &Tool)> = tools.iter().enumerate().filter(is_meant).collect();
    match meant.as_slice() {
        [(index, _)] => return Some(*index),
        [] => {
            let message = format!("there is no tool `{}`", named.value);
            let full: Vec<String> = tools.iter().map(Tool::full_name).collect();
            let names = tools.iter().map(|tool| tool.name.as_str()).chain(full.iter().map(String::as_str));
            let hint = match nearest(&named.value, names) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "list it under `tools`".to_owned(),
            };
            problems.push(Problem::new(Code::DanglingReference, named.place, message).hint(hint));
        }
        several => {
            let message = format!("{} servers have a tool `{}`", several.len(), named.value);
            let names: Vec<String> =
                several.iter().map(|(_, tool)| format!("`{}`", tool.full_name())).collect();
            let hint = format!("write which: {}", names.join(", "));
            problems.push(Problem::new(Code::BadValue, named.place, message).hint(hint));
        }
    }
    None
}
