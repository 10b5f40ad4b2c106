//! How is a tool written for the reader? Its name, then each slot behind a mark, and behind each slot its values.

use std::ops::Range;

use waypost_core::arguments::Form;
use waypost_core::arguments::form::{Choice, Kind, Slot};

use super::super::tokens::{TokenId, Vocabulary};
use super::{BEGIN, END, PLACES, gloss};

/// Most tokens of a tool's name and description.
const TOOL_TOKENS: usize = 32;
/// Most tokens of a slot and of a value, as in the training; fewer where a tool would find no room otherwise.
const PIECE_TOKENS: [(usize, usize); 3] = [(40, 16), (20, 8), (10, 4)];
/// Most values of a slot.
const VALUES: usize = 32;
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
}

/// The tokens of a tool; nothing if a slot or a value finds no room.
pub(super) fn tokens(form: &Form, vocabulary: &Vocabulary) -> Option<ToolTokens> {
    PIECE_TOKENS.into_iter().find_map(|most| cut_tokens(form, vocabulary, most))
}

/// The same with so many tokens of a slot and of a value at most.
fn cut_tokens(form: &Form, vocabulary: &Vocabulary, most: (usize, usize)) -> Option<ToolTokens> {
    let tokenized = |text: &str, most: usize| {
        let mut ids = Vec::new();
        vocabulary.tokenize(text, &mut ids);
        ids.truncate(most);
        ids
    };
    let mut tool = ToolTokens { ids: vec![BEGIN], slots: Vec::new(), many: Vec::new(), values: Vec::new() };
    tool.ids.extend(tokenized(&described(&spoken(&form.tool), &form.description), TOOL_TOKENS));
    tool.ids.push(END);
    for (place, (name, slot)) in form.read_slots().into_iter().enumerate() {
        let listed = slot.many.is_some() || name.contains("[]");
        let kind = if listed { format!("list of {}", kind(slot)) } else { kind(slot).to_owned() };
        let about = described(&format!("{}, {kind}", spoken(&name)), &slot.about.text);
        let piece = tool.marked(SLOT_MARK, tokenized(&about, most.0))?;
        tool.slots.push(piece);
        tool.many.push(listed);
        if choices(slot).len() > VALUES {
            return None;
        }
        let glosses = gloss::of(&slot.about.text, choices(slot));
        for (choice, gloss) in choices(slot).iter().zip(glosses) {
            let words = choice.words.iter().map(|word| spoken(&word.text));
            let called: Vec<String> = words.chain(gloss.map(str::to_owned)).collect();
            let piece = tool.marked(VALUE_MARK, tokenized(&called.join(", "), most.1))?;
            tool.values.push((place, piece));
        }
    }
    tool.ids.push(END);
    Some(tool)
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

/// The values of a slot that the reader judges one by one: those it is bound to.
fn choices(slot: &Slot) -> &[Choice] {
    if slot.closed && slot.kind != Kind::Flag { &slot.choices } else { &[] }
}

fn described(name: &str, about: &str) -> String {
    if about.is_empty() { name.to_owned() } else { format!("{name}: {about}") }
}

/// What a slot takes, in the words of the training.
fn kind(slot: &Slot) -> &'static str {
    match slot.kind {
        Kind::Flag => "yes or no",
        _ if slot.closed => "choice",
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
