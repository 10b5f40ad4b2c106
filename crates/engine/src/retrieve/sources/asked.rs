//! What is asked of a library: a conversation, what is known of it beforehand, and what may be answered.

use std::collections::BTreeMap;
use std::str::FromStr;

use crate::cache::checksum;
use waypost_core::catalog::knowledge::{Collection, Knowledge, SourceRule};

/// A message that asks for knowledge.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked<'a> {
    /// The message.
    pub text: &'a str,
    /// The turns before it, oldest first.
    pub earlier: &'a [String],
    /// How many passages are wanted.
    pub most: usize,
    /// What a catalog says of collections for this message.
    pub guidance: Option<&'a Guidance>,
    /// What passages must be: every list of filters must be passed.
    pub filters: &'a [Vec<Filter>],
    /// The conversation, for what is looked up.
    pub session: Option<&'a str>,
}

impl Asked<'_> {
    /// All that the passages follow from, beside the text.
    pub(super) fn beside(&self) -> String {
        let Asked { earlier, most, guidance, filters, .. } = self;
        format!("ranked {most} after {}", checksum(&format!("{earlier:?} {guidance:?} {filters:?}")))
    }
}

/// What a catalog says of collections, before a passage is read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Guidance {
    /// The rule it is said by: layers with their labels.
    pub when: BTreeMap<String, String>,
    /// Collections that are favoured, and how much, in deviations of the passages. Each by all names it goes by.
    pub favoured: Vec<(Vec<String>, f32)>,
    /// Whether no other is read.
    pub exclusive: bool,
}

/// What the first collection of a rule is ahead by, in deviations of the passages, where the labels it goes by are certain:
/// as much as a passage that is clearly better.
const PRIOR: f32 = 1.5;
/// What each further collection of a rule has of what the one before it has.
const PRIOR_FADES: f32 = 0.8;
/// What a collection is ahead by that is surely needed by what was learned: more than the order of a rule and a good passage.
const LEARNED_PRIOR: f32 = 4.0;
/// What the rule of an earlier turn counts for a message that no rule speaks of.
const EARLIER_FADES: f32 = 0.5;

impl Guidance {
    /// What a rule says, whose labels are so sure.
    #[allow(clippy::cast_possible_truncation)] // a share
    pub(crate) fn by(knowledge: &Knowledge, rule: &SourceRule, sure: f64) -> Guidance {
        let mut prior = PRIOR * sure as f32;
        let favoured = rule.collections.iter().filter_map(|place| {
            let collection = knowledge.collections.get(*place)?;
            let own = prior;
            prior *= PRIOR_FADES;
            Some((vec![collection.name.clone(), collection.stored.clone()], own))
        });
        Guidance { when: rule.when.clone(), favoured: favoured.collect(), exclusive: rule.exclusive }
    }

    /// The same with what was learned of each collection: how far it is believed that a message needs it. Without a rule all collections are read.
    #[allow(clippy::cast_possible_truncation)] // a share
    pub(crate) fn learned(
        rule: Option<Guidance>,
        knowledge: &Knowledge,
        belief: impl Fn(&str) -> f64,
    ) -> Guidance {
        let all = || {
            let names = |own: &Collection| (vec![own.name.clone(), own.stored.clone()], 0.0);
            Guidance { favoured: knowledge.collections.iter().map(names).collect(), ..Guidance::default() }
        };
        let mut own = rule.unwrap_or_else(all);
        for (names, prior) in &mut own.favoured {
            *prior += LEARNED_PRIOR * names.first().map_or(0.0, |name| belief(name)) as f32;
        }
        own
    }

    /// The same as a hint from an earlier turn: less is known of this one, and nothing is closed.
    pub(crate) fn faded(mut self) -> Guidance {
        for (_, prior) in &mut self.favoured {
            *prior *= EARLIER_FADES;
        }
        Guidance { exclusive: false, ..self }
    }

    /// What its collections are called by the catalog.
    pub fn sources(&self) -> Vec<&str> {
        self.favoured.iter().filter_map(|(names, _)| names.first().map(String::as_str)).collect()
    }

    /// What speaks for a collection.
    pub(super) fn prior(&self, collection: &str) -> f32 {
        let named = self.favoured.iter().find(|(names, _)| names.iter().any(|name| name == collection));
        named.map_or(0.0, |(_, prior)| *prior)
    }

    fn names(&self, collection: &str) -> bool {
        self.favoured.iter().any(|(names, _)| names.iter().any(|name| name == collection))
    }

    /// The places of the collections that alone are read.
    pub(super) fn only<'c>(&self, collections: impl Iterator<Item = &'c str>) -> Option<Vec<usize>> {
        let places = collections.enumerate().filter(|(_, name)| self.names(name)).map(|(place, _)| place);
        self.exclusive.then(|| places.collect())
    }
}

/// Something a passage must be, as `key=value`. Filters with one key are alternatives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    /// `collection`, `file`, `format`, or what its row or its collection says of it.
    pub key: String,
    /// What it must be. A `*` at the end stands for anything.
    pub value: String,
}

impl FromStr for Filter {
    type Err = String;

    fn from_str(text: &str) -> Result<Filter, String> {
        let parts = text.split_once('=').filter(|(key, _)| !key.trim().is_empty());
        let (key, value) =
            parts.ok_or_else(|| format!("`{text}` is no filter; write KEY=VALUE, as in format=markdown"))?;
        Ok(Filter { key: key.trim().to_owned(), value: value.trim().to_owned() })
    }
}

/// Whether a passage is what every list of filters asks for, by what is known of it.
pub(super) fn passes(lists: &[Vec<Filter>], known: impl Fn(&str) -> Vec<String>) -> bool {
    lists.iter().all(|filters| passes_one(filters, &known))
}

fn passes_one(filters: &[Filter], known: &impl Fn(&str) -> Vec<String>) -> bool {
    let holds = |filter: &Filter| {
        known(&filter.key).iter().any(|known| match filter.value.strip_suffix('*') {
            Some(start) => known.starts_with(start),
            None => *known == filter.value,
        })
    };
    filters.iter().all(|filter| filters.iter().any(|other| other.key == filter.key && holds(other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_of_one_key_are_alternatives_and_keys_must_all_hold() {
        let check = |filters: &[&str], expected: bool| {
            let filters: Vec<Filter> = filters.iter().map(|filter| filter.parse().unwrap()).collect();
            let known = |key: &str| match key {
                "lang" => vec!["en".to_owned()],
                "file" => vec!["guide/start.md".to_owned()],
                _ => Vec::new(),
            };
            assert_eq!(passes(std::slice::from_ref(&filters), known), expected, "{filters:?}");
        };
        check(&[], true);
        check(&["lang=en"], true);
        check(&["lang=de"], false);
        check(&["lang=de", "lang=en"], true);
        check(&["lang=en", "file=guide/*"], true);
        check(&["lang=en", "file=guide/"], false);
        check(&["unknown=x"], false);
        check(&["unknown=*"], false);
        let list = |filter: &str| vec![filter.parse::<Filter>().unwrap()];
        let english = |_: &str| vec!["en".to_owned()];
        assert!(!passes(&[list("lang=en"), list("lang=de")], english), "a list cannot widen another");
        assert!("lang".parse::<Filter>().is_err() && "=x".parse::<Filter>().is_err());
    }
}
