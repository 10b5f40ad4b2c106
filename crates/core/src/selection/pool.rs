//! Which tools can be found, and by which words?

use std::collections::HashMap;

use super::lexical::{Field, Heard, Lexical};
use super::terms::{Term, Word, telling, words};
use crate::catalog::tools::Tool;

/// Texts of a tool that words are found in: name, description, names of parameters, what they are for, examples.
const FIELDS: [Field; 5] = [
    Field { weight: 2.0, by_length: 0.3 },
    Field { weight: 1.0, by_length: 0.6 },
    Field { weight: 0.5, by_length: 0.5 },
    Field { weight: 0.3, by_length: 0.5 },
    Field { weight: 1.0, by_length: 0.6 },
];
/// The fields, as reasons call them.
const FIELD_NAMES: [&str; 5] =
    ["name", "description", "parameters", "descriptions of parameters", "examples"];
/// Fewest words of a name that are looked for in a message one after the other: a single word may mean anything.
const NAME_WORDS_MIN: usize = 2;

/// The texts of a tool, a field each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    /// Its name, in words.
    pub name: String,
    /// What it does.
    pub description: String,
    /// The names of its parameters, in words.
    pub parameters: String,
    /// What they are for, and which values they take.
    pub about_parameters: String,
    /// Messages it serves.
    pub examples: String,
}

impl Texts {
    /// The texts of a tool.
    pub fn of(tool: &Tool) -> Texts {
        let parameters = tool.parameters();
        let names: Vec<String> = parameters.iter().map(|parameter| in_words(parameter.name)).collect();
        let about = parameters.iter().flat_map(|parameter| {
            std::iter::once(parameter.description).chain(parameter.values.iter().copied())
        });
        let about: Vec<&str> = about.filter(|text| !text.is_empty()).collect();
        Texts {
            name: in_words(&tool.name),
            description: tool.description.clone(),
            parameters: names.join(" "),
            about_parameters: about.join(" "),
            examples: tool.success_examples.join(" "),
        }
    }

    fn fields(&self) -> [&str; 5] {
        [&self.name, &self.description, &self.parameters, &self.about_parameters, &self.examples]
    }
}

/// A name in words: `find_symbol` and `findSymbol` are "find symbol".
pub fn in_words(name: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let mut end = 0;
    let found = words(name);
    for (at, word) in found.iter().enumerate() {
        // A name that is taken apart comes whole first: its parts say the same.
        let whole = found.get(at + 1).is_some_and(|next| next.at.start == word.at.start);
        if !whole && word.at.start >= end {
            end = word.at.end;
            parts.extend(name.get(word.at.clone()));
        }
    }
    parts.join(" ")
}

/// How a message says the name of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// As it is written: nothing else can be meant.
    AsWritten,
    /// Its words, one after the other: the tool, or simply the words.
    InWords,
}

/// Tools that can be found.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    tools: Vec<Tool>,
    lexical: Lexical,
    /// Tools by the words of their names.
    named: HashMap<Vec<Term>, Vec<usize>>,
    longest_name: usize,
    mean_words: f32,
    pinned: Vec<usize>,
}

impl Pool {
    /// Takes tools in.
    #[allow(clippy::cast_precision_loss)] // counts of words are small
    pub fn new(tools: Vec<Tool>) -> Pool {
        let texts: Vec<Texts> = tools.iter().map(Texts::of).collect();
        let lexical = Lexical::new(&FIELDS, texts.iter().map(Texts::fields));
        let count: usize = texts.iter().flat_map(Texts::fields).map(|text| words(text).len()).sum();
        let mut named: HashMap<Vec<Term>, Vec<usize>> = HashMap::new();
        for (at, texts) in texts.iter().enumerate() {
            let name: Vec<Term> = words(&texts.name).into_iter().map(|word| word.term).collect();
            named.entry(name).or_default().push(at);
        }
        let longest_name = named.keys().map(Vec::len).max().unwrap_or_default();
        let mean_words = count as f32 / tools.len().max(1) as f32;
        let pinned = tools.iter().enumerate().filter(|(_, tool)| tool.pinned).map(|(at, _)| at).collect();
        Pool { tools, lexical, named, longest_name, mean_words, pinned }
    }

    /// Tools that are always offered.
    pub fn pinned(&self) -> &[usize] {
        &self.pinned
    }

    /// The tools, in the order they were given.
    pub fn tools(&self) -> &[Tool] {
        &self.tools
    }

    /// How many words a tool has on average.
    pub const fn mean_words(&self) -> f32 {
        self.mean_words
    }

    /// The words of a message that are worth looking for.
    pub fn asked(text: &str) -> Vec<Word> {
        telling(text)
    }

    /// What words are worth to the tools that have them. `sums` is room to work in.
    pub fn hear(&self, asked: &[Word], sums: &mut Vec<f32>) -> Heard {
        self.lexical.hear(asked.iter().map(|word| word.term), sums)
    }

    /// Words of a message that a tool has, each with the name of the first of its texts that has it.
    pub fn shared<'t>(&self, tool: usize, text: &'t str, asked: &[Word]) -> Vec<(&'t str, &'static str)> {
        let entry = u32::try_from(tool).unwrap_or(u32::MAX);
        let shared = asked.iter().filter_map(|word| {
            let field = self.lexical.field_of(entry, word.term)?;
            Some((text.get(word.at.clone())?, *FIELD_NAMES.get(field)?))
        });
        shared.collect()
    }

    /// Words of a message that no tool has.
    pub fn strange<'t>(&self, text: &'t str, asked: &[Word]) -> Vec<&'t str> {
        let nobody = self.lexical.rarity_of_nobody();
        let strange = asked.iter().filter(|word| self.lexical.rarity(word.term) >= nobody);
        strange.filter_map(|word| text.get(word.at.clone())).collect()
    }

    /// Tools whose whole name stands in the message, and how: as it is written, or its words one after the other. In order.
    pub fn named(&self, text: &str) -> Vec<(usize, Named)> {
        let said: Vec<Term> = words(&in_words(text)).into_iter().map(|word| word.term).collect();
        let mut found = Vec::new();
        for length in NAME_WORDS_MIN..=self.longest_name.min(said.len()) {
            for window in said.windows(length) {
                found.extend(self.named.get(window).into_iter().flatten().copied());
            }
        }
        found.sort_unstable();
        found.dedup();
        let how = |tool: usize| {
            let name = self.tools.get(tool).map_or("", |tool| tool.name.as_str());
            // A name of plain words with spaces between them is no more than its words.
            let is_code = !name.is_empty() && !name.contains(' ');
            if is_code && text.contains(name) { Named::AsWritten } else { Named::InWords }
        };
        found.into_iter().map(|tool| (tool, how(tool))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn pool(names: &[&str]) -> Pool {
        Pool::new(names.iter().map(|name| Tool::from_row(&json!({ "name": name })).unwrap()).collect())
    }

    #[test]
    fn names_are_said_in_words() {
        let check = |name: &str, expected: &str| assert_eq!(in_words(name), expected);
        check("find_symbol", "find symbol");
        check("findSymbol", "find Symbol");
        check("HTTPServer.get-it", "HTTP Server get it");
        check("PDF&URLTool", "PDF URL Tool");
        check("", "");
    }

    #[test]
    fn whole_names_are_found_however_they_are_written() {
        let pool = pool(&["find_symbol", "search", "read_file", "read_file_lines"]);
        let check =
            |text: &str, expected: &[(usize, Named)]| assert_eq!(pool.named(text), expected, "{text}");
        check("find symbol main in lib.rs", &[(0, Named::InWords)]);
        check("call FindSymbol on it", &[(0, Named::InWords)]);
        check("please run find_symbol", &[(0, Named::AsWritten)]);
        check("search for it", &[]);
        check("read file lines 3 to 5", &[(2, Named::InWords), (3, Named::InWords)]);
        check("a symbol to find", &[]);
    }

    #[test]
    fn a_tool_is_found_by_all_its_texts() {
        let row = json!({"name": "book_room", "description": "Reserves a hall", "success_examples": ["a place for the party"],
            "parameters": {"properties": {"guest_count": {"description": "How many people", "enum": ["few", "crowd"]}}}});
        let pool = Pool::new(vec![Tool::from_row(&row).unwrap()]);
        for word in ["rooms", "halls", "guests", "people", "crowd", "party"] {
            let asked = Pool::asked(word);
            assert_eq!(pool.shared(0, word, &asked).first().map(|(word, _)| *word), Some(word));
            assert!(pool.strange(word, &asked).is_empty());
        }
        let asked = Pool::asked("submarine hall");
        assert_eq!(pool.strange("submarine hall", &asked), ["submarine"]);
    }
}
