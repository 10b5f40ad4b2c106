//! Which names has the caller told us? Products, services and the like, found as whole words in any case.

use std::collections::HashMap;

use super::page::Page;
use super::{EntityKind, Found};

/// Most words of one name looked at: longer names are cut to that.
const NAME_WORDS_MAX: usize = 6;

/// Names to look out for, each with what it names. Made once, used for every text.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// By their first word: the other words, and the kind.
    by_first: HashMap<String, Vec<(Vec<String>, EntityKind)>>,
}

impl Known {
    /// Takes names and their kinds. Names without a letter or digit name nothing.
    pub fn new<'n>(names: impl IntoIterator<Item = (&'n str, EntityKind)>) -> Known {
        let mut by_first: HashMap<String, Vec<(Vec<String>, EntityKind)>> = HashMap::new();
        for (name, kind) in names {
            let page = Page::read(name);
            let mut words =
                (0..page.words.len().min(NAME_WORDS_MAX)).map(|word| page.word(word).to_lowercase());
            let Some(first) = words.next() else { continue };
            by_first.entry(first).or_default().push((words.collect(), kind));
        }
        for names in by_first.values_mut() {
            names.sort_by_key(|(rest, _)| std::cmp::Reverse(rest.len()));
        }
        Known { by_first }
    }

    /// Finds the names, the longest at each place.
    pub(super) fn notice(&self, page: &Page<'_>, found: &mut Found) {
        if self.by_first.is_empty() {
            return;
        }
        for first in 0..page.words.len() {
            let Some(names) = self.by_first.get(&page.word(first).to_lowercase()) else { continue };
            let hit = names.iter().find(|(rest, _)| {
                rest.iter().zip(first + 1..).all(|(part, word)| {
                    page.gap(word - 1).chars().count() <= 1 && page.word(word).to_lowercase() == *part
                })
            });
            if let Some((rest, kind)) = hit {
                found.add(*kind, page.range(first, first + rest.len()), 95, "known name");
            }
        }
    }
}
