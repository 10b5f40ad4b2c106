//! What does a term mean? Questions about terms are answered with the catalog's own descriptions.

use serde_json::Value;

use super::{form, words};
use crate::catalog::tools::Tool;
use crate::catalog::{Catalog, Column};
use crate::message::Reading;
use crate::selection::terms::{Term, is_empty_word, term};

/// Words by which a message asks what something means, wherever they are.
const DEFINING: [&str; 15] = [
    "mean",
    "means",
    "meaning",
    "meant",
    "explain",
    "define",
    "definition",
    "difference",
    "differ",
    "what's",
    "whats",
    "what’s",
    "counts",
    "describe",
    "stand",
];
/// The same where these two words stand side by side.
const DEFINING_PAIRS: [[&str; 2]; 8] = [
    ["what", "is"],
    ["what", "are"],
    ["what", "was"],
    ["what", "does"],
    ["what", "do"],
    ["what", "can"],
    ["what", "happens"],
    ["tell", "about"],
];
/// Further words of such questions that name nothing.
const FILLERS: [&str; 39] = [
    "stands", "tell", "again", "exactly", "actually", "even", "here", "between", "more", "ok", "okay",
    "wait", "hang", "hm", "hmm", "sorry", "quick", "question", "oh", "um", "uh", "but", "just", "like",
    "thing", "called", "one", "ones", "happens", "though", "btw", "anyway", "first", "kind", "sort", "now",
    "supposed", "hold", "please",
];
/// What points back to what was asked.
const BACK: [&str; 5] = ["that", "it", "this", "those", "these"];
/// Words beyond which a question is about more than a term.
const TERM_WORDS_MAX: usize = 4;
/// What a word counts in the name of an entry, and in its text alone: the name of a thing says what the text is about. What
/// surrounds a thing (its slot, its tool) may be named besides and counts nothing.
const IN_NAME: u32 = 3;
const IN_TEXT: u32 = 1;
/// What an entry of the tool in question counts more, so that it wins among equals.
const OF_TOOL: u32 = 1;

/// Something the catalog describes.
struct Entry {
    /// What it is called, in its words.
    name: Vec<Term>,
    /// What it belongs to.
    around: Vec<Term>,
    text: String,
    of_tool: bool,
    /// The value of a slot that it is.
    value: Option<(String, Value)>,
}

/// What is open while somebody asks what a term means.
#[derive(Clone, Copy, Default)]
pub(super) struct Open<'o> {
    pub tool: Option<&'o str>,
    pub slot: Option<&'o str>,
}

/// An explanation, and the value that it explains where it is one of the open slot.
pub(super) struct Explained {
    pub text: String,
    pub value: Option<Value>,
}

/// The description of what a message asks about; nothing where it asks for no term, or the catalog does not describe it.
pub(super) fn explain(catalog: &Catalog, reading: &Reading, open: Open<'_>) -> Option<Explained> {
    let said = words::words(reading);
    // "I mean flyers" corrects and asks nothing.
    let speaks_of_self = said.windows(2).any(|pair| matches!(pair, ["i", "mean" | "meant"]));
    let defines = !speaks_of_self && said.iter().any(|word| DEFINING.contains(word))
        || said.windows(2).any(|pair| DEFINING_PAIRS.iter().any(|known| pair == known));
    if !defines {
        return None;
    }
    let subject: Vec<&str> = said
        .iter()
        .copied()
        .filter(|word| !FILLERS.contains(word) && !DEFINING.contains(word) && !is_empty_word(word))
        .collect();
    if subject.is_empty() {
        let back = said.iter().any(|word| BACK.contains(word));
        let text = described_slot(catalog, open.tool?, open.slot.filter(|_| back)?)?;
        return Some(Explained { text, value: None });
    }
    if subject.len() > TERM_WORDS_MAX {
        return None;
    }
    let wanted: Vec<Term> = subject.iter().map(|word| term(word)).collect();
    let entries = entries(catalog, open.tool);
    if said.iter().any(|word| word.starts_with("differ")) {
        let each = wanted.iter().filter_map(|one| best(&entries, std::slice::from_ref(one)));
        let mut texts: Vec<&str> = each.map(|entry| entry.text.as_str()).collect();
        texts.dedup();
        return (!texts.is_empty()).then(|| Explained { text: texts.join("\n"), value: None });
    }
    let found = best(&entries, &wanted)?;
    let value = found.value.as_ref().filter(|(slot, _)| found.of_tool && open.slot == Some(slot.as_str()));
    Some(Explained { text: found.text.clone(), value: value.map(|(_, value)| value.clone()) })
}

/// The entry that has every word asked about, most of them in its name; of equals the one with the shorter name.
fn best<'e>(entries: &'e [Entry], wanted: &[Term]) -> Option<&'e Entry> {
    let rank = |entry: &Entry| {
        let in_text = crate::selection::terms::words(&entry.text);
        let worth = |one: &Term| match () {
            () if entry.name.contains(one) => Some(IN_NAME),
            () if in_text.iter().any(|word| word.term == *one) => Some(IN_TEXT),
            () if entry.around.contains(one) => Some(0),
            () => None,
        };
        let sum: u32 = wanted.iter().map(worth).sum::<Option<u32>>().filter(|sum| *sum > 0)?;
        Some(sum * 2 + if entry.of_tool { OF_TOOL } else { 0 })
    };
    let ranked = entries.iter().filter_map(|entry| Some((rank(entry)?, entry)));
    ranked
        .max_by(|(a, one), (b, other)| a.cmp(b).then(other.name.len().cmp(&one.name.len())))
        .map(|(_, entry)| entry)
}

/// Everything the catalog has words for: values, slots and tools, routes, facts and columns.
fn entries(catalog: &Catalog, open_tool: Option<&str>) -> Vec<Entry> {
    let mut found: Vec<Entry> =
        catalog.tools().iter().flat_map(|tool| of_tool(catalog, tool, open_tool)).collect();
    let plain = |name: &str, text: String| Entry {
        name: terms_of(name),
        around: Vec::new(),
        text,
        of_tool: false,
        value: None,
    };
    found.extend(catalog.routes().map(|(_, route)| plain(&route.name, route.description.clone())));
    found.extend(catalog.facts().iter().map(|(name, says)| plain(name, says.clone())));
    let column = |column: &Column| {
        let named = column.name.replace('_', " ");
        plain(&column.name, format!("{named}: {}", column.aliases.join(", ")))
    };
    found.extend(catalog.columns().iter().map(column));
    found.retain(|entry| !entry.text.is_empty());
    found
}

/// A tool with its slots and the values they may take.
fn of_tool(catalog: &Catalog, tool: &Tool, open_tool: Option<&str>) -> Vec<Entry> {
    let of_tool = open_tool == Some(tool.name.as_str());
    let whole = [terms_of(&tool.name), terms_of(&tool.description)].concat();
    let mut found = Vec::new();
    for slot in form(catalog, &tool.name).map(|form| form.slots).unwrap_or_default() {
        let text = if slot.about.text.is_empty() { &tool.description } else { &slot.about.text };
        let around = [terms_of(&slot.name), whole.clone()].concat();
        let entry = |name: &str, value: Option<Value>| Entry {
            name: terms_of(name),
            around: around.clone(),
            text: text.clone(),
            of_tool,
            value: value.map(|value| (slot.name.clone(), value)),
        };
        found.push(entry(&slot.name, None));
        let named: Vec<&str> = slot.choices.iter().filter_map(|choice| choice.value.as_str()).collect();
        // Without a description of the slot there is at least what else it may be.
        let listed = format!("{}: {}. {}", slot.name.replace('_', " "), named.join(", "), tool.description);
        let described = |entry: Entry| {
            if slot.about.text.is_empty() { Entry { text: listed.clone(), ..entry } } else { entry }
        };
        found
            .extend(named.iter().map(|name| described(entry(name, Some(Value::String((*name).to_owned()))))));
    }
    let (name, text) = (terms_of(&tool.name), tool.description.clone());
    found.push(Entry { name, around: Vec::new(), text, of_tool, value: None });
    found
}

fn described_slot(catalog: &Catalog, tool: &str, slot: &str) -> Option<String> {
    let form = form(catalog, tool)?;
    let text =
        form.place(slot).and_then(|place| form.slots.get(place)).map(|slot| slot.about.text.clone())?;
    Some(text).filter(|text| !text.is_empty())
}

fn terms_of(name: &str) -> Vec<Term> {
    crate::selection::terms::telling(&name.replace(['_', '-', '.'], " "))
        .into_iter()
        .map(|word| word.term)
        .collect()
}
