//! `waypost sources`: which passages answer a message?

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::bail;
use serde::{Deserialize, Serialize};
use waypost::core::trace::CONTRACT_VERSION;
use waypost::encode::BuiltIn;
use waypost::ports::{elapsed_us, new_id};
use waypost::retrieve::sources::{
    Asked, Filter, FoundSources, Guidance, Indexed, Library, Sources, metadata_of,
};
use waypost::{Error, Router, find_catalog};

use super::batch::{self, Bad, Pace};
use super::definitions::SourcesFlags;
use super::output::Output;
use super::rerank::Reranker;
use super::{Ending, input, progress, rows};
use crate::report::{self, tame};

/// A message that asks for knowledge.
#[derive(Debug, Default, Deserialize)]
struct Row {
    text: String,
    /// Earlier turns, oldest first.
    #[serde(default)]
    history: Vec<String>,
    /// What passages must be, beside what the command line says: a value a key, or alternatives.
    #[serde(default)]
    filter: BTreeMap<String, OneOrMore>,
}

/// A value, or several.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

/// The rule of the catalog that an answer followed.
#[derive(Debug, Serialize)]
pub struct Rule {
    when: BTreeMap<String, String>,
    sources: Vec<String>,
    exclusive: bool,
}

/// What is answered for one message.
#[derive(Debug, Serialize)]
struct Answer {
    version: u32,
    id: String,
    #[serde(flatten)]
    found: FoundSources,
    /// The rule of the catalog that was followed, where one speaks of such messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<Rule>,
    /// Who re-ranked it, where somebody did.
    #[serde(skip_serializing_if = "Option::is_none")]
    reranked_by: Option<String>,
    /// What did not go as it should.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    elapsed_us: f64,
}

/// What was found for a message, and how.
pub struct Read {
    /// What was found.
    pub found: FoundSources,
    /// The rule of the catalog that was followed.
    pub rule: Option<Rule>,
    /// Whether somebody re-ranked it, where somebody should.
    pub reranked: bool,
    /// What did not go as it should.
    pub notes: Vec<String>,
}

/// What is searched, and who tells what kind of message it is.
pub struct Reading {
    sources: Sources,
    router: Option<Router>,
}

/// Runs the command.
pub fn run(catalog: Option<&str>, asked: &SourcesFlags, output: &mut Output) -> anyhow::Result<Ending> {
    let reranker = Reranker::chosen(&asked.rerank)?;
    let reading = Reading::open(catalog, asked.docs.as_deref(), asked.index.as_deref(), output)?.cached();
    if let Some(file) = &asked.batch {
        return batch::each(file, output, Pace::WhenWaiting, "one with `text`", |row| {
            let row: Row = serde_json::from_str(row).map_err(|error| Bad::unread(&error))?;
            input::bounded(&row.text).map_err(|why| Bad::new("message_too_long", why))?;
            reading.answer(&reranker, &row, asked).map_err(|error| Bad::new(error.code(), error.to_string()))
        });
    }
    let text = input::text(&asked.text)?;
    input::bounded(&text).map_err(anyhow::Error::msg)?;
    let row = Row { text, history: asked.history.clone(), ..Row::default() };
    let answer = reading.answer(&reranker, &row, asked)?;
    if asked.json {
        output.json(&answer)?;
    } else {
        output.remarks(&answer.notes);
        output.text(&report::sources(&answer.found, output.paint()))?;
    }
    Ok(Ending::Good)
}

/// The passages of a file, ready to be found.
fn open(file: &Path) -> anyhow::Result<Library> {
    let passages = rows::read(file, |line| serde_json::from_str(line))?;
    if passages.is_empty() {
        bail!("{} has no passages; give one JSON object a line, each with an id and a text", file.display());
    }
    let waiting = progress::waiting(&format!("reading {} passages…", passages.len()));
    let library = Library::new(passages, BuiltIn::shipped()?)?;
    waiting.finish_and_clear();
    Ok(library)
}

/// An index, with what the catalog says of its collections.
fn indexed(catalog: Option<&str>, folder: &Path) -> anyhow::Result<Reading> {
    let router = input::router(catalog)?;
    let index = Indexed::open(folder, BuiltIn::shipped()?, metadata_of(router.catalog()))?;
    Ok(Reading { sources: Sources::Indexed(index), router: Some(router) })
}

/// The documents that the catalog names.
fn of_catalog(catalog: Option<&str>, output: &mut Output) -> anyhow::Result<Reading> {
    let name = find_catalog(catalog);
    let router = input::router(catalog)?;
    if router.catalog().knowledge().collections.is_empty() {
        bail!(
            "the catalog {} names no documents; write them under `sources`, or give a file of passages with --docs or an index with --index",
            router.catalog().name()
        );
    }
    let waiting = progress::waiting("reading documents…");
    let (library, skipped) = Library::of_catalog(&name, router.catalog(), BuiltIn::shipped()?)?;
    waiting.finish_and_clear();
    output
        .remarks(skipped.iter().map(|file| format!("skipped {}: {}", tame(&file.file), tame(&file.detail))));
    if library.passages().is_empty() {
        bail!(
            "the documents of the catalog {} have no passages; name files under `sources`, or give an index with --index",
            router.catalog().name()
        );
    }
    Ok(Reading { sources: Sources::Held(library), router: Some(router) })
}

impl Reading {
    /// The passages of a file or of an index, or the documents that the catalog names.
    pub fn open(
        catalog: Option<&str>,
        docs: Option<&Path>,
        index: Option<&Path>,
        output: &mut Output,
    ) -> anyhow::Result<Reading> {
        match (docs, index) {
            (Some(file), _) => Ok(Reading { sources: Sources::Held(open(file)?), router: None }),
            (None, Some(folder)) => indexed(catalog, folder),
            (None, None) => of_catalog(catalog, output),
        }
    }

    /// The same, looking up what was answered before.
    fn cached(self) -> Reading {
        let caches = input::caches();
        let sources = self.sources.with_caches(caches.clone());
        Reading { sources, router: self.router.map(|router| input::looking_up(router, caches)) }
    }

    /// How many passages there are.
    pub fn count(&self) -> usize {
        self.sources.count()
    }

    /// The passages for a message, with what the catalog says of its kind, and why they are not re-ranked where they should be.
    pub fn find(
        &self,
        reranker: &Reranker,
        text: &str,
        earlier: &[String],
        most: usize,
        filters: &[Vec<Filter>],
    ) -> Result<Read, Error> {
        let guidance = self.router.as_ref().map(|router| router.guidance(text, earlier));
        let guidance = guidance.transpose()?.flatten();
        let asked = Asked { text, earlier, most, guidance: guidance.as_ref(), filters, session: None };
        let (found, note) = reranker.sources(&self.sources, &asked)?;
        let reranked = note.is_none();
        let mut notes: Vec<String> = note.into_iter().collect();
        if found.passages.is_empty() && filters.iter().any(|list| !list.is_empty()) {
            notes.push(
                "no passage passes the filters; `collection`, `file` and `format` hold for all documents"
                    .to_owned(),
            );
        }
        notes.extend(guidance.as_ref().and_then(|guidance| self.closed(guidance)));
        let rule = guidance.map(|guidance| Rule {
            sources: guidance.sources().into_iter().map(str::to_owned).collect(),
            when: guidance.when,
            exclusive: guidance.exclusive,
        });
        Ok(Read { found, rule, reranked, notes })
    }

    /// What to say where a rule allows only collections that are not here.
    fn closed(&self, guidance: &Guidance) -> Option<String> {
        let names = guidance.favoured.iter().flat_map(|(names, _)| names);
        let known = self.sources.collections();
        let absent = guidance.exclusive && !names.into_iter().any(|name| known.contains(name));
        let only = guidance.sources().join(", ");
        absent.then(|| format!("a rule of the catalog allows {only} alone for this message, and there is no such collection here"))
    }

    fn answer(&self, reranker: &Reranker, row: &Row, flags: &SourcesFlags) -> Result<Answer, Error> {
        let begun = std::time::Instant::now();
        // What a row asks for narrows what the command line allows, and never widens it.
        let own = row.filter.iter().flat_map(|(key, values)| {
            let values = match values {
                OneOrMore::One(value) => std::slice::from_ref(value),
                OneOrMore::More(values) => values,
            };
            values.iter().map(|value| Filter { key: key.clone(), value: value.clone() })
        });
        let filters = [flags.filters.clone(), own.collect()];
        let most = usize::from(flags.k);
        let Read { found, rule, reranked, notes } =
            self.find(reranker, &row.text, &row.history, most, &filters)?;
        let reranked_by = reranker.id().filter(|_| reranked);
        let (version, id) = (CONTRACT_VERSION, new_id());
        Ok(Answer { version, id, found, rule, reranked_by, notes, elapsed_us: elapsed_us(begun) })
    }
}
