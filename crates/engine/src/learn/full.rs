//! What does the full model make of a message? The encoder trained on many small catalogs, and the catalog's texts as it reads them.

use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use waypost_core::catalog::{Catalog, Route};
use waypost_core::fewshot::{Blend, RouteTexts, Taught, log_mean_exp, log_softmax};
use waypost_core::head::{Judgement, Select, exp};

use super::Said;
use super::cache::Cache;
use super::lessons::{Lessons, spoken};
use crate::encode::{CatalogTexts, FewShot, ModelError, Spelling, TextReading};

/// Most texts of a catalog that the full model reads: some seconds of learning. With more examples than that the heads know the routes
/// as well.
const TEXTS_MAX: usize = 4_000;
/// How sure a second request or a denial must be to be reported. On validation catalogs a lower bound finds no more of them, and a higher
/// one misses one in twenty for a handful of false reports in a thousand messages.
const REPORTED_MIN: f32 = 0.3;
/// How likely what is acted on must be the second of two requests for the first to be looked for, and how likely that one must then be. On
/// validation catalogs 78 instead of 73 of a hundred pairs are reported, for five more false reports in a thousand messages.
const SECOND_MIN: f32 = 0.5;
const FIRST_MIN: f32 = 0.1;
/// What is said beside a marked request is at least one part of the text out of so many.
const REST_PART: usize = 5;
/// What stands for the messages that the catalog says belong nowhere, where a route has its description.
const ELSEWHERE: &str = "something else";

/// The full model with one catalog's texts.
#[derive(Clone)]
pub(super) struct Full {
    model: Arc<FewShot>,
    texts: Arc<CatalogTexts>,
    spelling: Arc<Spelling>,
    blend: Blend,
    pub(super) select: Select,
    taught: Taught,
    /// How many routes there are to decide between.
    classes: usize,
    /// What the texts are kept under.
    pub(super) key: String,
}

/// What the full model makes of a message, together with a head.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct FullJudgement {
    /// How far each route is believed.
    pub(super) judged: Judgement,
    /// A second request.
    pub(super) also: Option<Side>,
    /// What is not wanted.
    pub(super) denied: Option<Side>,
    /// The earlier turn that is continued, of those that were read.
    pub(super) continues: Option<usize>,
}

/// A route that a part of a message is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Side {
    pub(super) class: usize,
    pub(super) belief: f32,
    /// Where it is said, in bytes.
    pub(super) span: Option<Range<usize>>,
}

impl Full {
    /// Reads a catalog's texts, or takes what was read at an earlier time; nothing where there are too many. Beside it why they could not
    /// be kept for the next time.
    pub(super) fn of(
        catalog: &Catalog,
        lessons: &Lessons,
        cache: &Cache,
    ) -> Result<Option<(Full, Option<std::io::Error>)>, ModelError> {
        let (routes, texts) = texts_of(catalog, lessons);
        if texts.len() > TEXTS_MAX {
            return Ok(None);
        }
        let model = FewShot::shipped()?;
        let key = key(&model, &routes, &texts);
        let kept = cache.read_bytes(&key).and_then(|bytes| TextReading::from_bytes(&bytes, texts.len()));
        let (read, not_kept) = match kept {
            Some(read) => (read, None),
            None => {
                let read = model.read_texts(&texts.iter().map(String::as_str).collect::<Vec<_>>());
                let not_kept = cache.keep(&key, &TextReading::to_bytes(&read)).err();
                (read, not_kept)
            }
        };
        let classes = lessons.routes.len();
        let blend = Blend::of(routes.examples.get(..classes).unwrap_or_default());
        let taught = if routes.examples.len() > classes { Taught::NoneToo } else { Taught::RoutesAlone };
        let spelling = Arc::new(Spelling::of(texts.iter().map(String::as_str)));
        let texts = Arc::new(CatalogTexts::new(routes, &read));
        Ok(Some((
            Full { model, texts, spelling, blend, select: lessons.select, taught, classes, key },
            not_kept,
        )))
    }

    /// Whether a head's word is as good as both together.
    pub(super) fn agrees(&self, head: &Judgement, said: Said<'_>) -> bool {
        said.earlier.is_empty()
            && self.select == Select::One
            && self.blend.agrees(head, said.reading.words().len())
    }

    /// What the full model alone makes of what is asked: a logarithm per route, the last for none of them.
    pub(super) fn asked(&self, said: Said<'_>) -> Vec<f32> {
        let reading = self.model.read_message(said.text, said.earlier, &self.spelling);
        let mut asked = self.model.scoring().judge(&self.texts.compare(&reading), self.texts.routes()).asked;
        self.none_of_these(&mut asked);
        asked
    }

    /// How far each route is believed of a message by itself, and last none of them; and the vector of what it asks.
    pub(super) fn listen(&self, text: &str) -> (Vec<f32>, Vec<f32>) {
        let reading = self.model.read_message(text, &[], &self.spelling);
        let asked = self.model.scoring().judge(&self.texts.compare(&reading), self.texts.routes()).asked;
        (self.beliefs(asked), reading.into_vector())
    }

    /// The same of an example of the catalog, counted from the first, as if it were not there.
    pub(super) fn listen_without(&self, text: &str, example: usize) -> Vec<f32> {
        let reading = self.model.read_message(text, &[], &self.spelling);
        let (likeness, routes) = self.texts.compare_without(&reading, example);
        self.beliefs(self.model.scoring().judge(&likeness, &routes).asked)
    }

    fn beliefs(&self, mut asked: Vec<f32>) -> Vec<f32> {
        self.none_of_these(&mut asked);
        log_softmax(asked).into_iter().map(exp).collect()
    }

    /// What is made of a message after the turns before it.
    pub(super) fn hear(&self, said: Said<'_>, head: &Judgement) -> FullJudgement {
        let reading = self.model.read_message(said.text, said.earlier, &self.spelling);
        let mut asked = self.model.scoring().judge(&self.texts.compare(&reading), self.texts.routes());
        for logs in [&mut asked.asked, &mut asked.also, &mut asked.denied] {
            self.none_of_these(logs);
        }
        let mut beliefs = self.blend.believe(&asked.asked, head, self.taught);
        let none = beliefs.pop().unwrap_or_default();
        if self.select == Select::Many {
            let [asked, also] = [&asked.asked, &asked.also].map(|logs| log_softmax(logs.clone()));
            beliefs = self.blend.believe_each(&asked, &also, head);
        }
        let best = beliefs.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).map(|(class, _)| class);
        let swapped = best.filter(|best| is_second(*best, &asked.also));
        for logs in [&mut asked.also, &mut asked.asked] {
            if let Some(log) = best.and_then(|best| logs.get_mut(best)) {
                *log = f32::MIN;
            }
        }
        let also = log_softmax(asked.also);
        let [also_said, denied_said] = reading.marks;
        // Where the second request is acted on, the first is what is asked besides.
        let rest = swapped.and(also_said.as_ref()).and_then(|marked| beside(said.text, marked));
        FullJudgement {
            judged: Judgement { beliefs, fits: 1.0 - none },
            also: match rest {
                Some(rest) => self.aside(&log_softmax(asked.asked), Some(rest), FIRST_MIN),
                None => self.aside(&also, also_said, REPORTED_MIN),
            },
            denied: self.aside(&asked.denied, denied_said, REPORTED_MIN),
            continues: reading.continues,
        }
    }

    /// What the catalog says belongs nowhere counts for none of its routes.
    fn none_of_these(&self, logs: &mut Vec<f32>) {
        if logs.len() == self.classes + 2
            && let (Some(none), Some(elsewhere)) = (logs.pop(), logs.pop())
        {
            logs.push(log_sum(none, elsewhere));
        }
    }

    /// The likeliest route of a part of the message, where it is likely enough.
    fn aside(&self, logs: &[f32], span: Option<Range<usize>>, least: f32) -> Option<Side> {
        let routes = logs.iter().take(self.classes).enumerate();
        let (class, log) = routes.max_by(|a, b| a.1.total_cmp(b.1))?;
        let belief = exp(*log);
        (belief >= least).then_some(Side { class, belief, span })
    }
}

/// Whether a route is the second of two requests, more likely than not.
fn is_second(route: usize, also: &[f32]) -> bool {
    log_softmax(also.to_vec()).get(route).is_some_and(|log| exp(*log) >= SECOND_MIN)
}

/// The longer stretch of a text before or behind a marked one, if it is more than a few words of it.
fn beside(text: &str, marked: &Range<usize>) -> Option<Range<usize>> {
    let stretch = |range: Range<usize>| {
        let part = text.get(range.clone())?;
        let start = range.start + part.len() - part.trim_start().len();
        Some(start..start + part.trim().len())
    };
    let parts = [stretch(0..marked.start)?, stretch(marked.end..text.len())?];
    let longest = parts.into_iter().max_by_key(Range::len)?;
    (REST_PART * longest.len() >= text.len()).then_some(longest)
}

/// The logarithm of the sum of two numbers, given by theirs.
fn log_sum(one: f32, two: f32) -> f32 {
    log_mean_exp(&[one, two]) + std::f32::consts::LN_2
}

/// The texts of a catalog, examples first, then a description per route. What belongs nowhere stands as a route of its own behind them.
fn texts_of(catalog: &Catalog, lessons: &Lessons) -> (RouteTexts, Vec<String>) {
    let routes: Vec<&Route> = lessons.routes.iter().filter_map(|route| catalog.route(*route)).collect();
    let mut examples: Vec<usize> = routes.iter().map(|route| route.examples.len()).collect();
    let mut texts: Vec<String> = routes.iter().flat_map(|route| route.examples.iter().cloned()).collect();
    let elsewhere: Vec<&str> = lessons.elsewhere().collect();
    texts.extend(elsewhere.iter().map(|text| (*text).to_owned()));
    texts.extend(routes.iter().map(|route| described(route)));
    if !elsewhere.is_empty() {
        examples.push(elsewhere.len());
        texts.push(ELSEWHERE.to_owned());
    }
    (RouteTexts { examples }, texts)
}

/// A route's name as words, and its description, as in the training.
fn described(route: &Route) -> String {
    let words = spoken(&route.name);
    if route.description.is_empty() { words } else { format!("{words}: {}", route.description) }
}

fn key(model: &FewShot, routes: &RouteTexts, texts: &[String]) -> String {
    let mut digest = Sha256::new();
    digest.update(format!("full {} {:?}", model.id(), routes.examples));
    for text in texts {
        digest.update((text.len() as u64).to_le_bytes());
        digest.update(text);
    }
    digest.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
