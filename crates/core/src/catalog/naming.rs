//! Which names mean nothing, and which are given twice? One problem for each, with the nearest name or the first place.

use std::collections::HashMap;

use super::context::Labels;
use super::draft::Placed;
use super::nearest::nearest;
use super::place::{Place, Source};
use super::problem::{Code, Problem};

/// The problem of a name that means none of those there are; `otherwise` is the hint where none is near.
pub fn dangling<'n>(
    named: &Placed<String>,
    what: &str,
    names: impl Iterator<Item = &'n str>,
    otherwise: &str,
) -> Problem {
    let problem =
        Problem::new(Code::DanglingReference, named.place, format!("there is no {what} `{}`", named.value));
    match nearest(&named.value, names) {
        Some(near) => problem.hint(format!("did you mean `{near}`?")),
        None if otherwise.is_empty() => problem,
        None => problem.hint(otherwise),
    }
}

/// The layer of the context that a key names; one that is not there is a problem.
pub fn layer(
    named: Option<&Placed<String>>,
    labels: Option<&Labels>,
    problems: &mut Vec<Problem>,
) -> Option<usize> {
    let named = named?;
    let found = labels.and_then(|labels| labels.layer(&named.value));
    if found.is_none() {
        let message = format!("`context` has no layer `{}`", named.value);
        let problem = Problem::new(Code::DanglingReference, named.place, message);
        let layers = labels.into_iter().flat_map(Labels::layers).map(|layer| layer.name.as_str());
        problems.push(match nearest(&named.value, layers) {
            Some(near) => problem.hint(format!("did you mean `{near}`?")),
            None => problem,
        });
    }
    found
}

/// A name is given once.
pub fn refuse_twice<'d>(
    what: &str,
    names: impl Iterator<Item = &'d Placed<String>>,
    sources: &[Source],
    problems: &mut Vec<Problem>,
) {
    let mut seen: HashMap<&str, Place> = HashMap::new();
    for name in names {
        let first = *seen.entry(&name.value).or_insert(name.place);
        if first != name.place {
            let message = format!("there are two {what}s `{}`", name.value);
            let hint = format!("first {}", first.seen_from(name.place, sources));
            problems.push(Problem::new(Code::DuplicateName, name.place, message).hint(hint));
        }
    }
}
