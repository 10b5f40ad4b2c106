//! What is there to learn from? A catalog's examples, names and descriptions, each with its routes.

use std::collections::HashMap;

use sha2::{Digest, Sha256};
use waypost_core::catalog::{Catalog, Names, Route, RouteId};
use waypost_core::head::{LEARNING_VERSION, Role, Select};

use crate::encode::Encoder;

/// Everything a catalog teaches, in an order of its own.
#[derive(Clone, Debug)]
pub(crate) struct Lessons {
    pub(super) texts: Vec<Text>,
    /// The routes told apart, a class each.
    pub(super) routes: Vec<RouteId>,
    pub(super) select: Select,
    /// What the catalog and these routes are called: heads of one family differ in a few lessons.
    family: String,
}

/// One text to learn from.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub(super) said: String,
    /// Where it belongs; nowhere where it is empty.
    pub(super) classes: Vec<usize>,
    pub(super) role: Role,
    /// Which example of each class it is, in the same order.
    pub(super) examples: Vec<usize>,
}

impl Lessons {
    /// What a catalog teaches; nothing where no route has an example or a description.
    pub(crate) fn of(catalog: &Catalog) -> Option<Lessons> {
        let teaches = |route: &Route| !route.examples.is_empty() || !route.description.is_empty();
        let taught: Vec<(RouteId, &Route)> = catalog.routes().filter(|(_, route)| teaches(route)).collect();
        let mut gathered = Gathered::default();
        for (class, (_, route)) in taught.iter().enumerate() {
            for (at, example) in route.examples.iter().enumerate() {
                gathered.add(example, Some((class, Some(at))), Role::Example);
            }
        }
        for (class, (_, route)) in taught.iter().enumerate() {
            // Where a name takes its route, the rules see to it, and to its negation.
            if catalog.names() == Names::Hint {
                gathered.add(&spoken(&route.name), Some((class, None)), Role::Hint);
            }
            if !route.description.is_empty() {
                gathered.add(&route.description, Some((class, None)), Role::Hint);
            }
        }
        // What belongs to some route after all is no message that belongs nowhere. Where each route is judged for itself, what one of
        // them is not for says nothing of the others.
        let of_one = catalog.select() == Select::One;
        let not = taught.iter().filter(|_| of_one).flat_map(|(_, route)| &route.not_examples);
        for text in not.chain(catalog.ordinary()) {
            gathered.add(text, None, Role::Example);
        }
        // Keywords alone activate nothing, not one of them and not all in a row.
        for (_, route) in &taught {
            let words = || route.keywords.iter().filter_map(|keyword| keyword.forms.first());
            let row = words().map(String::as_str).collect::<Vec<_>>().join(" ");
            for text in words().chain([&row]).filter(|text| !text.is_empty()) {
                gathered.add(text, None, Role::Hint);
            }
        }
        let names = taught.iter().map(|(_, route)| &*route.name).collect::<Vec<_>>().join("\n");
        (!taught.is_empty()).then(|| Lessons {
            texts: gathered.texts,
            routes: taught.into_iter().map(|(id, _)| id).collect(),
            select: catalog.select(),
            family: format!("{}\n{names}", catalog.name()),
        })
    }

    /// What belongs to no route.
    pub(super) fn elsewhere(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().filter(|text| text.classes.is_empty()).map(|text| text.said.as_str())
    }

    /// A mark of each lesson: equal marks are equal lessons.
    pub(super) fn marks(&self) -> Vec<u64> {
        self.texts.iter().map(Text::mark).collect()
    }

    /// What a head taught these lessons on vectors of an encoder is kept under.
    pub(super) fn key(&self, encoder: &dyn Encoder) -> String {
        digits(&[&self.way(encoder), &bytes_of(&self.marks())])
    }

    /// What is common to heads that differ in a few lessons only.
    pub(super) fn family(&self, encoder: &dyn Encoder) -> String {
        digits(&[&self.way(encoder), self.family.as_bytes()])
    }

    /// How they are learned: by which version, for one route or many, on which vectors.
    fn way(&self, encoder: &dyn Encoder) -> Vec<u8> {
        let (select, dimensions) = (self.select, encoder.dimensions());
        format!("{LEARNING_VERSION} {select:?} {dimensions} {}", encoder.id()).into_bytes()
    }
}

impl Text {
    fn mark(&self) -> u64 {
        let mut digest = Sha256::new();
        digest.update([u8::from(self.role == Role::Hint)]);
        for class in &self.classes {
            digest.update((*class as u64).to_le_bytes());
        }
        digest.update(b"\n");
        digest.update(self.said.as_bytes());
        digest.finalize().first_chunk::<8>().map_or(0, |eight| u64::from_le_bytes(*eight))
    }
}

/// Texts while they are gathered: one that stands under several routes is one lesson of all of them.
#[derive(Default)]
struct Gathered {
    texts: Vec<Text>,
    places: HashMap<String, usize>,
}

impl Gathered {
    fn add(&mut self, text: &str, belongs: Option<(usize, Option<usize>)>, role: Role) {
        let next = self.texts.len();
        let place = *self.places.entry(text.to_owned()).or_insert(next);
        if place == next {
            self.texts.push(Text { said: text.to_owned(), classes: Vec::new(), role, examples: Vec::new() });
        }
        let (Some((class, example)), Some(known)) = (belongs, self.texts.get_mut(place)) else { return };
        if !known.classes.contains(&class) {
            known.classes.push(class);
            known.examples.push(example.unwrap_or(usize::MAX));
        }
    }
}

fn bytes_of(marks: &[u64]) -> Vec<u8> {
    marks.iter().flat_map(|mark| mark.to_le_bytes()).collect()
}

fn digits(parts: &[&[u8]]) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update((part.len() as u64).to_le_bytes());
        digest.update(part);
    }
    digest.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// A name as it would be said: `card_arrival` and `cardArrival` as "card arrival".
pub(crate) fn spoken(name: &str) -> String {
    let mut words = String::new();
    let mut before = ' ';
    for c in name.chars() {
        match c {
            '_' | '-' | '.' | '/' if before == ' ' => continue,
            '_' | '-' | '.' | '/' => words.push(' '),
            c if c.is_uppercase() && before.is_lowercase() => words.extend([' ', c]),
            c => words.push(c),
        }
        before = words.chars().next_back().unwrap_or(' ');
    }
    words
}
