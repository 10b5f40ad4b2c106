//! Which knowledge does a catalog have? Each collection once, and rules that name what is there.

use std::collections::HashMap;

use super::super::context::Labels;
use super::super::draft::Placed;
use super::super::nearest::nearest;
use super::super::place::Source;
use super::super::problem::{Code, Problem};
use super::draft::{KnowledgeDraft, RuleDraft};
use super::{Collection, Knowledge, SourceRule};

/// Compiles what is said of knowledge; what is wrong with it is added to the problems.
pub fn compile(
    draft: KnowledgeDraft,
    labels: Option<&Labels>,
    sources: &[Source],
    problems: &mut Vec<Problem>,
) -> Knowledge {
    refuse_duplicates(&draft.collections, sources, problems);
    let collections: Vec<Collection> = draft.collections.into_iter().map(|placed| placed.value).collect();
    let rules =
        draft.rules.into_iter().map(|rule| compile_rule(rule, &collections, labels, problems)).collect();
    Knowledge { collections, rules }
}

fn refuse_duplicates(collections: &[Placed<Collection>], sources: &[Source], problems: &mut Vec<Problem>) {
    let mut seen = HashMap::new();
    for Placed { value, place } in collections {
        // In an index a source is found by either name.
        for name in [&value.name, &value.stored] {
            let first = *seen.entry(name).or_insert(*place);
            if first != *place {
                let hint = format!("first {}", first.seen_from(*place, sources));
                let message = format!("the source `{name}` is given twice");
                problems.push(Problem::new(Code::DuplicateName, *place, message).hint(hint));
                break;
            }
        }
    }
}

fn compile_rule(
    rule: RuleDraft,
    collections: &[Collection],
    labels: Option<&Labels>,
    problems: &mut Vec<Problem>,
) -> SourceRule {
    let mut places = Vec::new();
    for named in &rule.sources {
        match collections.iter().position(|collection| collection.name == named.value) {
            Some(place) => places.push(place),
            None => problems.push(dangling(named, "source", collections.iter().map(|own| own.name.as_str()))),
        }
    }
    for (layer, label) in &rule.when {
        let layers = labels.map_or(&[][..], Labels::layers);
        match layers.iter().find(|own| own.name == layer.value) {
            None => problems.push(dangling(layer, "layer", layers.iter().map(|own| own.name.as_str()))),
            Some(own) if own.labels.iter().all(|own| own.name != label.value) => {
                problems.push(dangling(label, "label", own.labels.iter().map(|own| own.name.as_str())));
            }
            Some(_) => {}
        }
    }
    let when = rule.when.into_iter().map(|(layer, label)| (layer.value, label.value)).collect();
    SourceRule { when, collections: places, exclusive: rule.exclusive }
}

fn dangling<'n>(named: &Placed<String>, what: &str, names: impl Iterator<Item = &'n str>) -> Problem {
    let message = format!("there is no {what} `{}`", named.value);
    let hint = match nearest(&named.value, names) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("write a {what} that the catalog has"),
    };
    Problem::new(Code::DanglingReference, named.place, message).hint(hint)
}
