//! Which texts of the lexicon stand in the message? One pass; every detector looks here.

use std::collections::HashMap;

use crate::catalog::{Catalog, Use};
use crate::limits::PLACES_PER_TERM_MAX;
use crate::message::{Reading, Span, is_whole};

/// What one pass over a folded text found.
#[derive(Clone, Debug, Default)]
pub(super) struct Scan {
    /// Whole words and phrases, by place; spans are of the folded text.
    pub(super) hits: Vec<Hit>,
    /// Patterns worth trying, by index, ascending.
    pub(super) awake: Vec<usize>,
}

/// A term of the lexicon at a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub(super) used: Use,
    pub(super) span: Span,
}

/// Scans the message behind its command.
pub(super) fn scan(catalog: &Catalog, reading: &Reading) -> Scan {
    let mut scan = Scan { hits: Vec::new(), awake: catalog.unprompted().to_vec() };
    let mut places: HashMap<usize, usize> = HashMap::new();
    let body_start = reading.body_start();
    for found in catalog.lexicon().find(reading.text()).filter(|found| found.start >= body_start) {
        let count = places.entry(found.term).or_default();
        *count += 1;
        if *count > PLACES_PER_TERM_MAX {
            continue;
        }
        let span = Span::new(found.start..found.end);
        let whole = is_whole(reading.text(), span);
        for used in found.uses {
            match *used {
                Use::Wakes(pattern) if *count == 1 => scan.awake.push(pattern as usize),
                Use::Wakes(_) => {}
                used if whole => scan.hits.push(Hit { used, span }),
                _ => {}
            }
        }
    }
    scan.awake.sort_unstable();
    scan.awake.dedup();
    scan
}
