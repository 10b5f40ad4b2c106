//! Which name was meant?

use crate::mentions::distance;

/// Most edits between a name and what was meant by it.
const EDITS_MAX: usize = 6;

/// The known name nearest to a misspelt one, if any is near enough to suggest.
pub fn nearest<'n>(given: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let given = given.to_lowercase();
    // A third of the letters may be wrong: "keyword" suggests "keywords", "foo" does not suggest "name".
    let allowed = (given.chars().count() / 3).clamp(1, EDITS_MAX);
    let known: Vec<&str> = known.into_iter().collect();
    known
        .iter()
        .copied()
        .filter(|name| name.chars().count().abs_diff(given.chars().count()) <= allowed)
        .map(|name| (distance(&given, &name.to_lowercase()), name))
        .filter(|(distance, _)| *distance <= allowed)
        .min()
        .map(|(_, name)| name)
        .or_else(|| begun(&given, &known))
}

/// Fewest letters of a name by which it is known: two begin too many.
const BEGUN_LETTERS_MIN: usize = 3;

/// The shortest known name that begins with what was given: `run_tpr` for `run_tpr_step`.
fn begun<'n>(given: &str, known: &[&'n str]) -> Option<&'n str> {
    let begins =
        |name: &&str| given.chars().count() >= BEGUN_LETTERS_MIN && name.to_lowercase().starts_with(given);
    known.iter().copied().filter(begins).min_by_key(|name| (name.len(), *name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(given: &str, expected: Option<&str>) {
        assert_eq!(
            nearest(given, ["name", "keywords", "patterns", "biomapper-surgical"]),
            expected,
            "{given}"
        );
    }

    #[test]
    fn near_names_are_suggested_and_far_ones_are_not() {
        check("keyword", Some("keywords"));
        check("Nmae", Some("name"));
        check("pattrens", Some("patterns"));
        check("biomapper-surgicl", Some("biomapper-surgical"));
        check("biomapper", Some("biomapper-surgical"));
        check("pa", None);
        check("frobnicate", None);
        check("", None);
    }
}
