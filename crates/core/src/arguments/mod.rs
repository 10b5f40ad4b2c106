//! **With which values?** What a message says for the slots of a tool: valid arguments, one good question, or a plea to rephrase.
//!
//! [`Form::read`] makes slots of a tool's JSON Schema. [`interpret_pick`] takes answers that pick one of the visible options, [`interpret_plain`] messages of nothing but
//! plain values, and [`interpret_reading`] makes values of what a trained reader sees in a message, and judges them. Every value stands somewhere in the message, in
//! the visible options, in what is remembered, or is the schema's own default, and says which: nothing else is ever made up.

mod phrase;
pub mod form;
mod asked;
mod question;
mod interpretation;
mod written;
mod reading;
mod pick;
mod claim;

pub use asked::{Asked, Column};
pub use claim::{Claim, consider};
pub use form::Form;
pub use interpretation::{Filled, Interpretation, Outcome};
pub use phrase::Phrase;
pub use pick::{interpret_pick, interpret_settled};
pub use question::{Doubt, Question};
pub use reading::{
    Evidence, Piece, ReaderOutput, SEVERAL_MIN, SlotCase, SlotEvidence, SlotOutput, SpeechAct,
    interpret_plain, interpret_reading, reading_evidence,
};

use serde::Serialize;

/// How sure an interpretation must be to be run.
pub const RUN_MIN: f32 = 0.7;
/// How sure one must be for a question to be worth asking; below that nothing was understood.
pub const ASK_MIN: f32 = 0.4;

/// How a value was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// Word for word.
    Exact,
    /// By a word the schema gives it.
    Alias,
    /// By its place in the visible options.
    Ordinal,
    /// As a number.
    Number,
    /// As a date or a time.
    Date,
    /// As an address, a path or a quotation.
    Pattern,
    /// With typing errors.
    Fuzzy,
    /// By the trained reader: where it stands, or which choice is meant.
    Learned,
    /// As what was said before.
    Memory,
    /// As the schema's default.
    Default,
    /// By a language model.
    Llm,
    /// Not at all.
    None,
}

impl By {
    /// The name of the JSON contract.
    pub const fn name(self) -> &'static str {
        match self {
            By::Exact => "exact",
            By::Alias => "alias",
            By::Ordinal => "ordinal",
            By::Number => "number",
            By::Date => "date",
            By::Pattern => "pattern",
            By::Fuzzy => "fuzzy",
            By::Learned => "learned",
            By::Memory => "memory",
            By::Default => "default",
            By::Llm => "llm",
            By::None => "none",
        }
    }
}

/// The question for a slot that nothing is said for; one that takes columns shows these.
pub fn question_for(form: &Form, slot: &str, columns: &[serde_json::Value]) -> Option<Question> {
    let slot = form.slots.get(form.place(slot)?)?;
    let shown = if slot.columns { columns } else { &[] };
    Some(question::ask(slot, None, None, shown))
}
