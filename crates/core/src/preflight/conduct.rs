//! In which mode does a task run, and how carefully? Facts that markers set, the operating mode, and safe mode.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Task;
use super::actions::act;
use super::flags::{self, Given};
use super::verdict::SAFE_MODE;
use crate::catalog::{Flags, MODE_FACT, Mode, Precautions};
use crate::message::{Fact, Reading, Situation, Span, is_whole};

/// The operating mode of a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModeUsed {
    /// Its name.
    pub name: String,
    /// What may run in parallel.
    pub parallel: Vec<String>,
    /// Flags that it sets.
    pub flags: Vec<String>,
    /// What must be passed before the task counts as complete.
    pub quality_gates: Vec<QualityGate>,
}

/// A check that must be passed before a task counts as complete.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QualityGate {
    /// Its name.
    pub name: String,
    /// What it means.
    pub says: String,
}

/// Sets the facts of markers in a message, unless the caller gives them.
pub fn mark(precautions: &Precautions, reading: &Reading, environment: &mut BTreeMap<String, Fact>) {
    let markers = &precautions.conduct.markers;
    if markers.is_empty() {
        return;
    }
    let given = flags::given(reading, &precautions.flags);
    for marker in markers {
        if marker.words.iter().any(|word| is_marked(reading, &given, word)) {
            environment.entry(marker.fact.clone()).or_insert_with(|| marker.value.clone());
        }
    }
}

/// Whether a message has a flag, or a phrase as whole words that are not denied.
fn is_marked(reading: &Reading, given: &Given, word: &str) -> bool {
    if word.starts_with(flags::FLAG) {
        return given.has(word);
    }
    let places = reading.text().match_indices(word).map(|(at, word)| Span::new(at..at + word.len()));
    places.into_iter().any(|span| is_whole(reading.text(), span) && reading.denied(span).is_none())
}

/// The operating mode that the facts choose, else the first. Besides, a name that means no mode.
pub fn mode<'p>(
    precautions: &'p Precautions,
    environment: &BTreeMap<String, Fact>,
) -> (Option<&'p Mode>, Option<String>) {
    let modes = &precautions.conduct.modes;
    let named = environment.get(MODE_FACT).and_then(Fact::text).filter(|_| !modes.is_empty());
    let found = named.and_then(|name| modes.iter().find(|mode| mode.name == name));
    let unknown = named.filter(|_| found.is_none()).map(str::to_owned);
    (found.or_else(|| modes.first()), unknown)
}

/// The operating mode of a situation, as it is told.
pub fn mode_used(precautions: &Precautions, situation: &Situation) -> Option<ModeUsed> {
    let mode = mode(precautions, &situation.message.environment).0?;
    let gate = |name: &String| QualityGate {
        name: name.clone(),
        says: precautions.conduct.gates.get(name).cloned().unwrap_or_default(),
    };
    Some(ModeUsed {
        name: mode.name.clone(),
        parallel: mode.parallel.clone(),
        flags: mode.flags.clone(),
        quality_gates: mode.gates.iter().map(gate).collect(),
    })
}

/// Whether a message is decided in safe mode: it asks for it, or a zone or its mode activates it.
pub fn in_safe_mode(precautions: &Precautions, situation: &Situation, reading: &Reading) -> bool {
    let Flags { known, .. } = &precautions.flags;
    if !known.contains_key(SAFE_MODE) {
        return false;
    }
    let given = flags::given(reading, &precautions.flags);
    let mode = mode(precautions, &situation.message.environment).0.map(|mode| mode.name.clone());
    let task = Task { mode, ..Task::default() };
    let set = act(precautions, &task, &situation.resources.pressure(&precautions.bounds), &given).activated;
    given.has(SAFE_MODE) || set.iter().any(|set| set.flag == SAFE_MODE)
}
