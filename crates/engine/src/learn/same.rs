//! Does a message say an example in the same words? Then the full model has nothing to add.

use std::collections::HashMap;

use waypost_core::message::Reading;

/// Words that change nothing about what is asked.
const FILLERS: &[&str] = &[
    "a", "an", "can", "could", "do", "for", "hello", "hey", "hi", "i", "is", "it", "just", "like", "me",
    "my", "need", "now", "of", "our", "please", "pls", "thank", "thanks", "the", "to", "want", "we", "would",
    "you",
];

/// Which route has an example of these words. On clinc150, banking77 and our small catalogs, with ten examples a route or less,
/// all 75 messages that have one are decided by the full model as the example says.
#[derive(Clone, Debug, Default)]
pub(super) struct SameWords {
    /// By words in order of the alphabet; nothing where several routes have them.
    routes: HashMap<String, Option<usize>>,
}

impl SameWords {
    /// Reads examples, each with its route; nothing where it belongs nowhere.
    pub(super) fn of<'t>(examples: impl Iterator<Item = (Option<usize>, &'t str)>) -> SameWords {
        let mut routes: HashMap<String, Option<usize>> = HashMap::new();
        for (route, example) in examples {
            let known = routes.entry(key(&Reading::new(example))).or_insert(route);
            *known = known.filter(|known| Some(*known) == route);
        }
        routes.remove("");
        SameWords { routes }
    }

    /// The one route that has an example of a message's words.
    pub(super) fn find(&self, message: &Reading) -> Option<usize> {
        *self.routes.get(&key(message))?
    }
}

fn key(reading: &Reading) -> String {
    let words = reading.words().iter().map(|span| span.of(reading.text()));
    let mut told: Vec<&str> = words.filter(|word| !FILLERS.contains(word)).collect();
    told.sort_unstable();
    told.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_fillers_do_not_count_and_two_routes_are_none() {
        let examples = [
            (0, "cancel my order"),
            (1, "track the parcel"),
            (2, "open"),
            (3, "Open!"),
            (4, "please"),
            (5, "stop"),
        ];
        let examples = examples.into_iter().map(|(route, text)| (Some(route), text));
        let same = SameWords::of(examples.chain([(None, "stop it")]));
        for (text, route) in [
            ("Order, cancel!", Some(0)),
            ("could you please track my parcel", Some(1)),
            ("cancel my orders", None),
            ("do not cancel my order", None),
            ("open", None),
            ("stop", None),
            ("hi", None),
        ] {
            assert_eq!(same.find(&Reading::new(text)), route, "{text}");
        }
    }
}
