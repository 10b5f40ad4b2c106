//! How is a tool written for the reader? Its name, then each slot behind a mark, and behind each slot its values.

use std::ops::Range;

use waypost_core::arguments::Form;
use waypost_core::arguments::form::{Kind, Slot};

use super::super::tokens::{TokenId, Vocabulary};
use super::{BEGIN, END, PLACES, Spelling, gloss};

/// Most tokens of a tool's name and description.
const TOOL_TOKENS: usize = 32;
/// Most tokens of a slot and of a value, as in the training; fewer where a tool would find no room otherwise.
const PIECE_TOKENS: [(usize, usize); 3] = [(40, 24), (20, 10), (10, 5)];
/// Tokens of a slot where even the fewest above are too many.
const SLOT_TOKENS_FEWEST: usize = 6;
/// Most examples of a value that are read.
const EXAMPLES: usize = 3;
/// The marks in front of slots and values: pieces of the vocabulary that no text has.
const SLOT_MARK: TokenId = 1;
const VALUE_MARK: TokenId = 2;

/// A tool as tokens.
pub(super) struct ToolTokens {
    pub ids: Vec<TokenId>,
    /// The piece of each slot, from its mark on.
    pub slots: Vec<Range<usize>>,
    /// Whether each slot takes several values.
    pub many: Vec<bool>,
    /// The slot of each value, and its piece.
    pub values: Vec<(usize, Range<usize>)>,
    /// Whether slots or values found no room.
    pub is_cut: bool,
}

/// The tokens of a tool. If it is too long, less of each piece is read, then no values, and in the end only the first slots.
pub(super) fn tokens(form: &Form, vocabulary: &Vocabulary) -> ToolTokens {
    let whole =
        PIECE_TOKENS.into_iter().map(|most| cut_tokens(form, vocabulary, most)).find(|tool| !tool.is_cut);
    let fewest = (SLOT_TOKENS_FEWEST, 0);
    whole.unwrap_or_else(|| cut_tokens(form, vocabulary, fewest))
}

/// The same with so many tokens of a slot and of a value at most; no values if they may have none.
fn cut_tokens(form: &Form, vocabulary: &Vocabulary, most: (usize, usize)) -> ToolTokens {
    let tokenized = |text: &str, most: usize| {
        let mut ids = Vec::new();
        vocabulary.tokenize(text, &mut ids);
        ids.truncate(most);
        ids
    };
    let (slots, values, many) = (Vec::new(), Vec::new(), Vec::new());
    let mut tool = ToolTokens { ids: vec![BEGIN], slots, many, values, is_cut: false };
    tool.ids.extend(tokenized(&described(&spoken(&form.tool), &form.description), TOOL_TOKENS));
    tool.ids.push(END);
    for (place, (name, slot)) in form.read_slots().into_iter().enumerate() {
        let listed = slot.many.is_some() || name.contains("[]");
        let kind = if listed { format!("list of {}", kind(slot)) } else { kind(slot).to_owned() };
        let needed = if slot.required { ", required" } else { "" };
        let about = described(&format!("{}, {kind}{needed}", spoken(&name)), &slot.about.text);
        let Some(piece) = tool.marked(SLOT_MARK, tokenized(&about, most.0)) else {
            tool.is_cut = true;
            break;
        };
        tool.slots.push(piece);
        tool.many.push(listed);
        let choices = if most.1 == 0 { &[] } else { slot.read_choices() };
        for (choice, gloss) in choices.iter().zip(gloss::of(&slot.about.text, choices)) {
            let words = choice.words.iter().map(|word| spoken(&word.text));
            let shown = choice.examples.iter().take(EXAMPLES).map(|example| example.text.clone());
            let called: Vec<String> = words.chain(gloss.map(str::to_owned)).chain(shown).collect();
            match tool.marked(VALUE_MARK, tokenized(&called.join(", "), most.1)) {
                Some(piece) => tool.values.push((place, piece)),
                None => tool.is_cut = true,
            }
        }
    }
    tool.ids.push(END);
    tool
}

/// The words that a message may say with a slip: those of slots and of their values.
pub(super) fn spelling(form: &Form) -> Spelling {
    let slots = form.read_slots();
    let names = slots.iter().map(|(name, _)| spoken(name));
    let choices = slots.iter().flat_map(|(_, slot)| slot.read_choices());
    let values = choices.flat_map(|choice| choice.words.iter().map(|word| spoken(&word.text)));
    let texts: Vec<String> = names.chain(values).collect();
    Spelling::of(texts.iter().map(String::as_str))
}

impl ToolTokens {
    /// Adds a piece behind a mark, where there is room.
    fn marked(&mut self, mark: TokenId, piece: Vec<TokenId>) -> Option<Range<usize>> {
        let start = self.ids.len();
        (start + piece.len() + 2 <= PLACES).then(|| {
            self.ids.push(mark);
            self.ids.extend(piece);
            start..self.ids.len()
        })
    }
}

fn described(name: &str, about: &str) -> String {
    if about.is_empty() { name.to_owned() } else { format!("{name}: {about}") }
}

/// What a slot takes, in the words of the training.
fn kind(slot: &Slot) -> &'static str {
    match slot.kind {
        Kind::Flag => "yes or no",
        _ if !slot.read_choices().is_empty() => "choice",
        Kind::Integer | Kind::Number => "number",
        Kind::Date => "date",
        Kind::Time => "time",
        Kind::DateTime => "date and time",
        Kind::Email => "email",
        Kind::Url => "link",
        Kind::Phone => "phone",
        Kind::Text | Kind::Duration | Kind::Object => "text",
    }
}

/// A name as words: `dueDate`, `due_date` and `due-date` are "due date".
fn spoken(name: &str) -> String {
    let mut words = String::with_capacity(name.len() + 4);
    let mut before: Option<char> = None;
    for letter in name.chars() {
        let parts = matches!(letter, '_' | '-' | '.' | '/' | '[' | ']');
        let turns = letter.is_ascii_uppercase()
            && before.is_some_and(|last| last.is_ascii_lowercase() || last.is_ascii_digit());
        if (parts && before.is_some_and(|last| last != ' ')) || turns {
            words.push(' ');
        }
        if !parts {
            words.push(letter);
        }
        before = Some(if parts { ' ' } else { letter });
    }
    words.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_spoken_as_they_were_trained() {
        for (name, said) in [
            ("dueDate", "due Date"),
            ("due_date", "due date"),
            ("orders.refund", "orders refund"),
            ("lines[].sku", "lines sku"),
            ("XLSX", "XLSX"),
            ("v2Beta", "v2 Beta"),
            ("_private__name", "private name"),
        ] {
            assert_eq!(spoken(name), said, "{name}");
        }
    }
}
