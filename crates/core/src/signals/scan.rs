//! Which texts of the lexicon stand in the message? One pass; every detector looks here.

use std::collections::HashMap;

use crate::catalog::{Catalog, Use};
use crate::limits::PLACES_PER_TERM_MAX;
use crate::message::{Reading, Span, is_whole};

/// What one pass over a folded text found.
#[derive(Clone, Debug, Default)]
pub(super) struct Scan {
    /// Whole words and phrases, by place.
    pub(super) hits: Vec<Hit>,
    /// Patterns worth trying, by index, ascending.
    pub(super) awake: Vec<usize>,
}

/// A term of the lexicon at a place of the folded text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub(super) used: Use,
    pub(super) span: Span,
    /// The cue of the negation it stands in.
    pub(super) denied: Option<Span>,
}

/// Scans the message behind its command.
pub(super) fn scan(catalog: &Catalog, reading: &Reading) -> Scan {
    let mut scan = Scan { hits: Vec::new(), awake: catalog.unprompted().to_vec() };
    // Denied places are counted apart: however often a word is denied, it is seen where it is not.
    let mut places: HashMap<(usize, bool), usize> = HashMap::new();
    let mut woken = Vec::new();
    let body_start = reading.body_start();
    for found in catalog.lexicon().find(reading.text()).filter(|found| found.start >= body_start) {
        let span = Span::new(found.start..found.end);
        let mut place = None;
        for used in found.uses {
            if let Use::Wakes(pattern) = *used {
                wake(&mut woken, pattern as usize);
                continue;
            }
            let denied = match place {
                Some(denied) => denied,
                None if !is_whole(reading.text(), span) => break,
                None => {
                    let denied = reading.denied(span).map(|negation| negation.cue);
                    let count = places.entry((found.term, denied.is_some())).or_default();
                    *count += 1;
                    if *count > PLACES_PER_TERM_MAX {
                        break;
                    }
                    place = Some(denied);
                    denied
                }
            };
            scan.hits.push(Hit { used: *used, span, denied });
        }
    }
    scan.awake.extend(woken);
    scan.awake.sort_unstable();
    scan.awake.dedup();
    scan
}

/// Notes a pattern once in a row; a text full of one word must not make a list of it.
fn wake(woken: &mut Vec<usize>, pattern: usize) {
    if !woken.contains(&pattern) {
        woken.push(pattern);
    }
}
