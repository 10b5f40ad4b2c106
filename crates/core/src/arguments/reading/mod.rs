//! What does the reader see? For each slot where its value stands, which of its values is wanted, and what the message does.
//!
//! The reader is a trained model that reads a tool's schema and a message together; it runs outside the core and hands over these
//! numbers. `training/reader.py` gives their meaning.

mod values;
mod times;
mod numbers;
mod objects;
mod calls;
mod denied;
mod recalled;
mod rivals;
mod sure;
mod weights;
mod asking;
mod slots;
mod judge;
mod plain;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod value_tests;

pub(super) use judge::decide_request;
pub use judge::{interpret_reading, reading_evidence};
pub use plain::interpret_plain;
pub(super) use plain::word_spans;
pub(super) use slots::letters;
pub use sure::{Evidence, SlotCase, SlotEvidence};
pub(super) use values::Source;

use serde::{Deserialize, Serialize};

use crate::message::Span;

/// What a message does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpeechAct {
    /// Asks for the tool to be run.
    Request,
    /// Asks about something; nothing is to be run now.
    Question,
    /// Speaks of what would or could be done.
    Hypothetical,
    /// Tells what was done.
    Past,
    /// Means something that it does not say.
    Reference,
    /// Has nothing to do with the tool.
    Unrelated,
    /// Says that it is not to be run.
    Refusal,
    /// Changes what an earlier turn asked for.
    Correction,
}

impl SpeechAct {
    /// All of them, in the order of the training.
    pub const ALL: [SpeechAct; 8] = [
        SpeechAct::Request,
        SpeechAct::Question,
        SpeechAct::Hypothetical,
        SpeechAct::Past,
        SpeechAct::Reference,
        SpeechAct::Unrelated,
        SpeechAct::Refusal,
        SpeechAct::Correction,
    ];
}

/// Several calls are asked for from here on: if that is likelier than not.
pub const SEVERAL_MIN: f32 = 0.5;

/// A piece of the message or of an earlier turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// The earlier turn, counted from the first; nothing for the message itself.
    pub turn: Option<usize>,
    /// Where it stands, in bytes.
    pub span: Span,
}

/// What is seen for one slot. All numbers are probabilities.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SlotOutput {
    /// That no value is said.
    pub none: f32,
    /// Where the value may stand, likeliest first.
    pub pieces: Vec<(Piece, f32)>,
    /// Where the values of a list stand, in their order.
    pub parts: Vec<(Piece, f32)>,
    /// Where the values of a slot that takes one stand, in their order, if the message asks for several calls.
    pub repeats: Vec<(Piece, f32)>,
    /// How far each of its values is the one that is wanted, if it takes one of them; `none_wanted` is the rest.
    pub choices: Vec<f32>,
    /// That none of its values is wanted.
    pub none_wanted: f32,
    /// How far each of its values is wanted, taken by itself.
    pub each_wanted: Vec<f32>,
    /// That a flag is set, or that a day lies in the past.
    pub yes: f32,
    /// That a time of day lies after noon.
    pub afternoon: f32,
    /// That what is said cannot be run as it is: a condition, another unit, out of bounds.
    pub doubt: f32,
}

/// What is seen in a message beside a tool.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ReaderOutput {
    /// For each slot that was read, in the order of [`Form::read_slots`](super::Form::read_slots).
    pub slots: Vec<SlotOutput>,
    /// How likely each speech act is, in the order of [`SpeechAct::ALL`].
    pub acts: [f32; SpeechAct::ALL.len()],
    /// That several calls are asked for.
    pub several: f32,
    /// That something is asked for that no slot takes.
    pub unmet: f32,
    /// Whether the message was too long to be read to its end.
    pub is_cut: bool,
}

impl ReaderOutput {
    /// How likely a speech act is.
    pub fn act(&self, act: SpeechAct) -> f32 {
        SpeechAct::ALL.iter().zip(self.acts).find(|(one, _)| **one == act).map_or(0.0, |(_, likely)| likely)
    }
}
