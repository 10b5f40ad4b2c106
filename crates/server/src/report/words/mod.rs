//! Which words does the report of a selection use? One table a language; a word that is missing does not compile.

mod english;
mod vietnamese;

pub use english::ENGLISH;
pub use vietnamese::VIETNAMESE;

/// Everything the report says by itself. `{0}`, `{1}` stand for what is told, in either order.
#[derive(Debug)]
#[cfg_attr(test, derive(serde::Serialize))]
pub struct Words {
    /// Headings and labels.
    pub headings: Headings,
    /// How much, and how strict.
    pub degrees: Degrees,
    /// How somebody was chosen, or nobody.
    pub choice: Choice,
    /// What factors are made of.
    pub parts: Parts,
    /// How the threshold came about.
    pub threshold: Threshold,
    /// Why others were not taken.
    pub rejections: Rejections,
    /// What sets flags.
    pub flags: Flags,
    /// What could go wrong, and why.
    pub risks: Risks,
    /// What is not certain, and what to do.
    pub advice: Advice,
}

/// Headings and labels, in the order of the report.
#[derive(Debug)]
#[cfg_attr(test, derive(serde::Serialize))]
pub struct Headings {
    pub title: &'static str,
    pub agent: &'static str,
    pub confidence: &'static str,
    pub reasoning: &'static str,
    pub pattern: &'static str,
    pub domain: &'static str,
    pub complexity: &'static str,
    pub resources: &'static str,
    pub score: &'static str,
    pub decision_factors: &'static str,
    pub threshold: &'static str,
    pub signal: &'static str,
    pub alternatives: &'static str,
    pub alternative_confidence: &'static str,
    pub flags_activated: &'static str,
    pub flags_given: &'static str,
    pub risk: &'static str,
    pub uncertainties: &'static str,
    pub suggestions: &'static str,
    pub budget: &'static str,
    pub action: &'static str,
    pub caution: &'static str,
    pub monitoring: &'static str,
    pub safe_mode: &'static str,
    pub mode: &'static str,
    pub quality_gates: &'static str,
    /// What did not go as it should; told in English, as the engine does.
    pub notes: &'static str,
    pub none: &'static str,
}

/// How much, and how strict.
#[derive(Debug)]
#[cfg_attr(test, derive(serde::Serialize))]
pub struct Degrees {
    pub high: &'static str,
    pub medium: &'static str,
    pub low: &'static str,
    pub unknown: &'static str,
    pub strict: &'static str,
    pub moderate: &'static str,
    pub lenient: &'static str,
}

/// How somebody was chosen, or nobody.
#[derive(Debug)]
#[cfg_attr(test, derive(serde::Serialize))]
pub struct Choice {
    pub specialist_high: &'static str,
    pub specialist: &'static str,
    pub universal: &'static str,
    pub asked: &'static str,
    pub left_alone: &'static str,
    pub blocked: &'static str,
    pub deferred: &'static str,
    pub conflict: &'static str,
    pub named: &'static str,
    pub ordered: &'static str,
    /// Whose confidence it is, where somebody else takes it.
    pub nearest: &'static str,
}

/// What factors are made of.
#[derive(Debug)]
#[cfg_attr(test, derive(serde::Serialize))]
pub struct Parts {
    pub keyword: &'static str,
    pub pattern: &'static str,
    pub matched: &'static str,
    pub beyond: &'static str,
    pub nothing: &'static str,
    pub strongly_like: &'static str,
    pub does_operation: &'static str,
    pub words_of_area: &'static str,
    pub own_field: &'static str,
    pub own_area: &'static str,
    /// The area is another, and the message much like its own.
    pub own_elsewhere: &'static str,
    pub related_area: &'static str,
    pub no_area: &'static str,
    pub area_unknown: &'static str,
    pub band_exact: &'static str,
    pub band_adjacent: &'static str,
    pub band_far: &'static str,
    pub band_unknown: &'static str,
    pub tools_all: &'static str,
    pub tools_most: &'static str,
    pub tools_some: &'static str,
    pub tools_none: &'static str,
    pub tools_not_needed: &'static str,
    pub tools_unchecked: &'static str,
    pub servers_all: &'static str,
    pub servers_offline: &'static str,
    pub servers_not_needed: &'static str,
    pub servers_unchecked: &'static str,
    /// A part that settled everything.
    pub by_name: &'static str,
    pub by_command: &'static str,
}

/// How the threshold came about.
#[derive(Debug)]
#[cfg_attr(test, derive(serde::Serialize))]
pub struct Threshold {
    pub no_rule: &'static str,
    pub kept: &'static str,
    pub increased: &'static str,
    pub decreased: &'static str,
    pub less_than_one: &'static str,
    pub raise: &'static str,
    pub raise_to: &'static str,
    pub lower: &'static str,
    pub lower_to: &'static str,
    pub leave: &'static str,
    pub of_user: &'static str,
    pub of_resource: &'static str,
    pub of_context: &'static str,
}

/// Why others were not taken.
#[derive(Debug)]
#[cfg_attr(test, derive(serde::Serialize))]
pub struct Rejections {
    pub overruled_by_command: &'static str,
    pub overruled_by_name: &'static str,
    pub outranked: &'static str,
    pub less_sure: &'static str,
    pub below_threshold: &'static str,
    pub excluded: &'static str,
    pub keywords_alone: &'static str,
    pub denied: &'static str,
    pub not_needed: &'static str,
    pub nothing_matched: &'static str,
    pub unknown_command: &'static str,
    /// Two flags exclude each other.
    pub conflicting_flags: &'static str,
    pub names_nothing: &'static str,
    pub safe_mode: &'static str,
}

/// What sets flags.
#[derive(Debug)]
#[cfg_attr(test, derive(serde::Serialize))]
pub struct Flags {
    pub zone: &'static str,
    pub complexity: &'static str,
    pub operation: &'static str,
    pub mode: &'static str,
}

/// What could go wrong, and why.
#[derive(Debug)]
#[cfg_attr(test, derive(serde::Serialize))]
pub struct Risks {
    pub complexity: &'static str,
    pub resource: &'static str,
    pub uncertainty: &'static str,
    pub total: &'static str,
    pub safe_mode: &'static str,
    pub complexity_is: &'static str,
    pub complexity_unknown: &'static str,
    pub zone_used: &'static str,
    pub zone_unknown: &'static str,
    pub doubt: &'static str,
    pub memory: &'static str,
    pub cpu: &'static str,
    pub disk: &'static str,
    pub part_complexity: &'static str,
    pub part_failure: &'static str,
    pub part_exhaustion: &'static str,
    pub part_cascade: &'static str,
    pub cause_band: &'static str,
    pub cause_band_unknown: &'static str,
    pub cause_failed: &'static str,
    pub cause_specialist_failed: &'static str,
    pub cause_failed_unknown: &'static str,
    pub cause_used: &'static str,
    pub cause_green: &'static str,
    pub cause_machine_unknown: &'static str,
    pub cause_simple: &'static str,
    pub cause_moderate: &'static str,
    pub cause_complex: &'static str,
    pub cause_spread_unknown: &'static str,
    pub cause_areas: &'static str,
    pub cause_production: &'static str,
    pub cause_critical: &'static str,
}

/// What is not certain, and what to do.
#[derive(Debug)]
#[cfg_attr(test, derive(serde::Serialize))]
pub struct Advice {
    pub nearest: &'static str,
    pub nobody: &'static str,
    pub review: &'static str,
    pub consider: &'static str,
    pub blocked: &'static str,
    pub deferred: &'static str,
    pub heavy: &'static str,
    pub not_essential: &'static str,
    pub named: &'static str,
    pub tokens: &'static str,
    pub minutes: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every table of a language, flat: the key and what is said.
    fn flat(words: &Words) -> Vec<(String, String)> {
        let tables = serde_json::to_value(words).unwrap();
        let mut said = Vec::new();
        for (table, entries) in tables.as_object().unwrap() {
            for (key, told) in entries.as_object().unwrap() {
                said.push((format!("{table}.{key}"), told.as_str().unwrap().to_owned()));
            }
        }
        said
    }

    #[test]
    fn both_languages_say_the_same_things() {
        let places = |told: &str| [0, 1, 2, 3, 4].map(|place| told.matches(&format!("{{{place}}}")).count());
        for ((key, english), (_, vietnamese)) in flat(&ENGLISH).iter().zip(&flat(&VIETNAMESE)) {
            assert!(!english.is_empty() && !vietnamese.is_empty(), "{key}");
            assert_eq!(places(english), places(vietnamese), "{key}: {english} / {vietnamese}");
        }
    }

    #[test]
    fn what_is_translated_differs() {
        let same: Vec<String> = flat(&ENGLISH)
            .into_iter()
            .zip(flat(&VIETNAMESE))
            .filter_map(|((key, english), (_, other))| (english == other).then_some(key))
            .collect();
        assert_eq!(same, ["risks.cpu"]);
    }
}
