//! **With which values?** What a message says for the slots of a tool: valid arguments, one good question, or a plea to rephrase.
//!
//! [`Form::read`] makes slots of a tool's JSON Schema. [`interpret`] hears a message once, gathers what could fill each slot,
//! assigns the best for all of them together, and judges what came of it. Every value stands somewhere in the message, in
//! the visible options, in what is remembered, or is the schema's own default, and says which: nothing else is ever made up.

mod phrase;
pub mod form;
mod meaning;
mod spelling;
mod taught;
mod heard;
mod features;
mod weights;
mod asked;
mod said;
mod learned;
mod manner;
mod stance;
mod talk;
mod candidates;
mod settle;
mod assign;
mod judge;
mod question;
#[cfg(test)]
mod tests;
mod claim;
mod reading;

pub use asked::{Asked, Column};
pub use claim::{Claim, consider};
pub use features::Sorts;
pub use form::Form;
pub use judge::{Filled, Interpretation, Outcome};
pub use meaning::{Letters, Meaning};
pub use question::{Doubt, Question};
pub use reading::{
    Evidence, Piece, ReaderOutput, SEVERAL_MIN, SlotCase, SlotEvidence, SlotOutput, SpeechAct,
    interpret_plain, interpret_reading, reading_evidence,
};

use serde::Serialize;

use features::View;
use heard::Heard;
use taught::Taught;

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
    /// By what it means.
    Meaning,
    /// By where it stands, as was learned.
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
            By::Meaning => "meaning",
            By::Learned => "learned",
            By::Memory => "memory",
            By::Default => "default",
            By::Llm => "llm",
            By::None => "none",
        }
    }
}

/// A tool's form, ready to be asked.
#[derive(Clone, Debug)]
pub struct Ready {
    /// Its slots.
    pub form: Form,
    sorts: Sorts,
    taught: Taught,
}

impl Ready {
    /// Works out once what every message is compared with.
    pub fn new(mut form: Form, meaning: &dyn Meaning) -> Ready {
        form.learn(meaning);
        let sorts = Sorts::of(&form, meaning);
        let taught = Taught::of(&form, meaning);
        Ready { form, sorts, taught }
    }
}

/// What a message says for the slots of a tool.
pub fn interpret(ready: &Ready, asked: &Asked<'_>, meaning: &dyn Meaning) -> Interpretation {
    let heard = Heard::new(asked.text, &asked.setting, &ready.taught, meaning);
    let view = View::new(ready, &heard, asked);
    let mut talk = talk::listen(&view, asked);
    let mut candidates = candidates::gather(&view, asked);
    talk.settle(&view, asked, &mut candidates);
    let mut chosen = assign::assign(&ready.form, &candidates);
    assign::spare_numbers(&view, &mut candidates, &mut chosen);
    judge::judge(&view, asked, &talk, &candidates, &chosen)
}

/// The question for a slot that nothing is said for; one that takes columns shows these.
pub fn question_for(form: &Form, slot: &str, columns: &[serde_json::Value]) -> Option<Question> {
    let slot = form.slots.get(form.place(slot)?)?;
    let shown = if slot.columns { columns } else { &[] };
    Some(question::ask(slot, None, None, shown))
}

/// What could fill a slot, with the reasons that are weighed: what the weights are learned from.
#[derive(Clone, Debug)]
pub struct Lesson {
    /// What it would come to.
    pub value: serde_json::Value,
    /// Where it stands, in bytes.
    pub span: crate::message::Span,
    /// The places of the weights, and how much of each reason there is.
    pub reasons: Vec<(usize, f32)>,
}

/// Everything that could fill the slots of a tool that are weighed by learned reasons, a list a slot.
pub fn lessons(ready: &Ready, asked: &Asked<'_>, meaning: &dyn Meaning) -> Vec<Vec<Lesson>> {
    let heard = Heard::new(asked.text, &asked.setting, &ready.taught, meaning);
    let view = View::new(ready, &heard, asked);
    let of_slot = |(place, slot): (usize, &form::Slot)| {
        let offers = candidates::offers(&view, slot, place).into_iter();
        let lesson = |offer: candidates::Offer| Lesson {
            value: offer.value,
            span: heard.span(&offer.words),
            reasons: offer.reasons,
        };
        offers.map(lesson).collect()
    };
    ready.form.slots.iter().enumerate().map(of_slot).collect()
}
