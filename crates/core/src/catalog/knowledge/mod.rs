//! Which documents are there to read, and which of them does a kind of message need?

pub(super) mod format;
pub(super) mod draft;
pub(super) mod compile;

use std::collections::BTreeMap;

/// Documents under one name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Collection {
    /// What rules and answers call it.
    pub name: String,
    /// What an index calls it.
    pub stored: String,
    /// What is in it.
    pub description: String,
    /// Its files and folders, relative to the catalog.
    pub files: Vec<String>,
    /// What is true of all its passages, to choose by.
    pub metadata: BTreeMap<String, String>,
}

/// Which collections a kind of message needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceRule {
    /// The label that each of these layers must have.
    pub when: BTreeMap<String, String>,
    /// The collections by their places, the most needed first.
    pub collections: Vec<usize>,
    /// Whether no other is read, however unsure these are.
    pub exclusive: bool,
}

/// The knowledge of a catalog.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Knowledge {
    /// Collections in the order they are written.
    pub collections: Vec<Collection>,
    /// Rules in the order they are written.
    pub rules: Vec<SourceRule>,
}

impl Knowledge {
    /// The first rule for a message with these labels: of each layer, the one it has.
    pub fn rule<'l>(&self, label: impl Fn(&str) -> Option<&'l str>) -> Option<&SourceRule> {
        let holds = |(layer, wanted): (&String, &String)| label(layer) == Some(wanted.as_str());
        self.rules.iter().find(|rule| rule.when.iter().all(holds))
    }
}

#[cfg(test)]
mod tests {
    use crate::catalog::{Catalog, Source};

    const CONTEXT: &str = "\
context:
  layers:
    - {name: domain, labels: [{name: code}, {name: api}]}
    - {name: intent, labels: [{name: write}, {name: join}]}
";

    fn problems(yaml: &str) -> Vec<String> {
        let checked = Catalog::read(&[Source::new("test.yaml", format!("{CONTEXT}{yaml}"))], "test");
        checked.problems.iter().map(|problem| format!("{problem:?}")).collect()
    }

    fn catalog(yaml: &str) -> Catalog {
        let checked = Catalog::read(&[Source::new("test.yaml", format!("{CONTEXT}{yaml}"))], "test");
        checked.catalog.unwrap_or_else(|| panic!("{:?}", checked.problems))
    }

    #[test]
    fn the_first_rule_whose_labels_all_hold_counts() {
        let catalog = catalog(
            "\
sources: [{name: style}, {name: manuals, collection: docs, metadata: {kind: official}}]
source_rules:
  - {when: {domain: api, intent: join}, sources: [manuals], exclusive: true}
  - {when: {domain: code}, sources: [style, manuals]}
",
        );
        let knowledge = catalog.knowledge();
        let check = |domain: &'static str, intent: &'static str, expected: Option<(&[usize], bool)>| {
            let label = |layer: &str| if layer == "domain" { Some(domain) } else { Some(intent) };
            let rule = knowledge.rule(label).map(|rule| (rule.collections.as_slice(), rule.exclusive));
            assert_eq!(rule, expected, "{domain}, {intent}");
        };
        check("api", "join", Some((&[1], true)));
        check("code", "join", Some((&[0, 1], false)));
        check("api", "write", None);
        assert_eq!(knowledge.collections[1].stored, "docs");
        assert_eq!(knowledge.collections[0].stored, "style");
        assert_eq!(knowledge.collections[1].metadata["kind"], "official");
    }

    #[test]
    fn names_that_are_not_there_are_told_with_the_nearest() {
        let check = |yaml: &str, said: &[&str]| {
            let told = problems(yaml).join("\n");
            for said in said {
                assert!(told.contains(said), "{said} in {told}");
            }
        };
        check(
            "sources: [{name: style}]\nsource_rules: [{when: {domain: code}, sources: [stile]}]",
            &["stile", "did you mean `style`?"],
        );
        check("sources: [{name: style}, {name: style}]", &["given twice"]);
        check("sources: [{name: style}, {name: b, collection: style}]", &["`style` is given twice"]);
        check(
            "sources: [{name: style}]\nsource_rules: [{when: {domian: code}, sources: [style]}]",
            &["domian", "did you mean `domain`?"],
        );
        check(
            "sources: [{name: style}]\nsource_rules: [{when: {domain: cod}, sources: [style]}]",
            &["cod", "did you mean `code`?"],
        );
    }
}
