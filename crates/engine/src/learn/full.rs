//! What does the full model make of a message? The encoder trained on many small catalogs, and the catalog's texts as it reads them.

use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use waypost_core::catalog::{Catalog, Route};
use waypost_core::fewshot::{
    Blend, FullLogs, MessageFacts, RouteTexts, Taught, log_mean_exp, log_softmax, weights_mark,
};
use waypost_core::head::{Judgement, Select, exp};
use waypost_core::message::Reading;

use super::Said;
use super::cache::Cache;
use super::courtesy::matter;
use super::lessons::{Lessons, spoken};
use super::same::SameWords;
use super::tier::parts_of;
use crate::encode::{CatalogTexts, FewShot, MessageReading, ModelError, Spelling, TextReading};

/// Raise it where the same readings come to be judged otherwise.
const RULE_VERSION: u32 = 4;
/// Most texts of a catalog that the full model reads: some seconds of learning. With more examples than that the heads know the routes
/// as well.
const TEXTS_MAX: usize = 4_000;
/// How sure a denial must be to be reported. On validation catalogs a lower bound finds no more of them, and a higher
/// one misses one in twenty for a handful of false reports in a thousand messages.
const REPORTED_MIN: f32 = 0.3;
/// The least share of what is asked besides that is reported, and how likely what is acted on must be the second request for the words of the
/// first to be pointed at. With the model before 82, 86 and 81 of a hundred pairs of three parts were found, for two to four false reports
/// in a hundred other messages; with this one 87 of the test part.
const BESIDES_MIN: f32 = 0.2;
const SECOND_MIN: f32 = 0.5;
/// Most words of a message that is read once more without its greeting or thanks; longer ones do not change with them. And what that counts. On
/// 24 validation catalogs with greetings put in front, 76.8 % were right when read once, 81.3 % without them, 79.4 % at a half and 80.2 % at this share, which leaves
/// small talk and denials nearly as they are.
const SHORT_WORDS: usize = 30;
const BARE_SHARE: f32 = 0.75;
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
    same: Arc<SameWords>,
    blend: Blend,
    pub(super) select: Select,
    taught: Taught,
    /// How many routes there are to decide between.
    classes: usize,
    /// What its judgements are kept under, and what a trace says they are by: the texts as they are read, and the rule.
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
        let of_texts = key(&model, &routes, &texts);
        let kept = cache.read_bytes(&of_texts).and_then(|bytes| TextReading::from_bytes(&bytes, texts.len()));
        let (read, not_kept) = match kept {
            Some(read) => (read, None),
            None => {
                let read = model.read_texts(&texts.iter().map(String::as_str).collect::<Vec<_>>());
                let not_kept = cache.keep(&of_texts, &TextReading::to_bytes(&read)).err();
                (read, not_kept)
            }
        };
        let classes = lessons.routes.len();
        let blend = Blend::of(routes.examples.get(..classes).unwrap_or_default());
        let taught = if routes.examples.len() > classes { Taught::NoneToo } else { Taught::RoutesAlone };
        let of_routes = lessons.routes.iter().enumerate();
        let examples = of_routes.flat_map(|(class, route)| {
            let examples = catalog.route(*route).map_or(&[][..], |route| &route.examples);
            examples.iter().map(move |example| (Some(class), example.as_str()))
        });
        let nowhere = lessons.elsewhere().map(|text| (None, text));
        let same = Arc::new(SameWords::of(examples.chain(nowhere)));
        let spelling = Arc::new(Spelling::of(texts.iter().map(String::as_str)));
        let texts = Arc::new(CatalogTexts::new(routes, &read));
        let key = format!("{of_texts} {RULE_VERSION} {:08x}", weights_mark());
        Ok(Some((
            Full { model, texts, spelling, same, blend, select: lessons.select, taught, classes, key },
            not_kept,
        )))
    }

    /// Whether a head's word is as good as both together: it is what an example of the same words says.
    pub(super) fn agrees(&self, head: &Judgement, said: Said<'_>) -> bool {
        said.earlier.is_empty()
            && self.select == Select::One
            && self.same.find(said.reading).is_some_and(|class| surest(&head.beliefs) == Some(class))
    }

    /// Where a part of the message has the words of an example, the head's word on its route is as good as both together.
    fn hear_examples(&self, text: &str, head: &Judgement, beliefs: &mut [f32]) {
        for class in parts_of(text).filter_map(|part| self.same.find(&Reading::new(part))) {
            if let (Some(belief), Some(own)) = (beliefs.get_mut(class), head.beliefs.get(class)) {
                *belief = belief.max(*own);
            }
        }
    }

    /// What the full model alone makes of what is asked, asked besides, and not wanted: a logarithm per route, the last for none of them.
    pub(super) fn logs(&self, said: Said<'_>) -> [Vec<f32>; 3] {
        self.read(said).1
    }

    /// What the model reads in a message, and makes of it. A short one with a greeting or thanks is read without them too: with them requests are
    /// taken for small talk, and without them small talk and denials for requests.
    fn read(&self, said: Said<'_>) -> (MessageReading, [Vec<f32>; 3]) {
        let read = |text: &str| self.model.read_message(text, said.earlier, &self.spelling);
        let reading = read(said.text);
        let mut judged = self.judge(&reading);
        let short = said.reading.words().len() <= SHORT_WORDS;
        if let Some(matter) = matter(said.text).and_then(|matter| said.text.get(matter)).filter(|_| short) {
            for (whole, bare) in judged.iter_mut().zip(self.judge(&read(matter))) {
                let [of_whole, bare] = [std::mem::take(whole), bare].map(log_softmax);
                *whole = of_whole
                    .iter()
                    .zip(bare)
                    .map(|(whole, bare)| whole + BARE_SHARE * (bare - whole))
                    .collect();
            }
        }
        (reading, judged)
    }

    fn judge(&self, reading: &MessageReading) -> [Vec<f32>; 3] {
        let judged = self.model.scoring().judge(&self.texts.compare(reading), self.texts.routes());
        [judged.asked, judged.also, judged.denied].map(|mut logs| {
            self.none_of_these(&mut logs);
            logs
        })
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
        shares(asked)
    }

    /// What is made of a message after the turns before it.
    pub(super) fn hear(&self, said: Said<'_>, head: &Judgement) -> FullJudgement {
        let (reading, [asked, also, denied]) = self.read(said);
        let logs = FullLogs { asked: &asked, also: &also, denied: &denied };
        let message = MessageFacts { words: said.reading.words().len(), follows: !said.earlier.is_empty() };
        let mut beliefs = self.blend.believe(logs, head, self.taught, message);
        let mut none = beliefs.pop().unwrap_or_default();
        if self.select == Select::Many {
            let [asked, also] = [&asked, &also].map(|logs| log_softmax(logs.clone()));
            beliefs = self.blend.believe_each(&asked, &also, head);
            self.hear_examples(said.text, head, &mut beliefs);
        }
        let mut forbidden = None;
        if let Some((class, span)) = self.forbidden(said, &beliefs) {
            none += beliefs.get_mut(class).map(std::mem::take).unwrap_or_default();
            forbidden = Some(Side { class, belief: 1.0, span: Some(span) });
        }
        let best = surest(&beliefs);
        let wanted = |also: &Side| forbidden.as_ref().is_none_or(|denied| denied.class != also.class);
        let [asked, also, denied] = [asked, also, denied].map(shares);
        let second = best.and_then(|best| also.get(best)).copied().unwrap_or_default();
        let [also_said, denied_said] = reading.marks;
        // Where the second request is acted on, the first is what is asked besides.
        let first_said = also_said.as_ref().filter(|_| second >= SECOND_MIN);
        let said_besides = first_said.and_then(|marked| beside(said.text, marked)).or(also_said);
        FullJudgement {
            judged: Judgement { beliefs, fits: (1.0 - none).max(0.0) },
            also: self.aside(&besides(&asked, &also, best, second), said_besides, BESIDES_MIN).filter(wanted),
            denied: forbidden.or_else(|| self.aside(&denied, denied_said, REPORTED_MIN)),
            continues: reading.continues,
        }
    }

    /// The route that would be acted on although it is forbidden in the words of one of its examples, and where. To the full model the words count for
    /// more than the "not" before them.
    fn forbidden(&self, said: Said<'_>, beliefs: &[f32]) -> Option<(usize, Range<usize>)> {
        let best = surest(beliefs)?;
        let scope = said.reading.original(self.same.forbidden(said.reading, best)?);
        let denied = said.text.get(scope.start as usize..scope.end as usize)?;
        Some((best, scope.end as usize - denied.trim_start().len()..scope.end as usize))
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
    fn aside(&self, shares: &[f32], span: Option<Range<usize>>, least: f32) -> Option<Side> {
        let class = surest(shares.get(..self.classes)?)?;
        let belief = shares.get(class).copied()?;
        (belief >= least).then_some(Side { class, belief, span })
    }
}

/// Which of these beliefs is the highest.
fn surest(beliefs: &[f32]) -> Option<usize> {
    beliefs.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).map(|(class, _)| class)
}

fn shares(logs: Vec<f32>) -> Vec<f32> {
    log_softmax(logs).into_iter().map(exp).collect()
}

/// How likely each route, and last none, is asked beside the one that is acted on, which is the second request with this
/// probability: then the first is meant, and else the second.
fn besides(asked: &[f32], also: &[f32], acted_on: Option<usize>, second: f32) -> Vec<f32> {
    let pairs = asked.iter().zip(also).enumerate();
    let of = |(route, (asked, also)): (usize, (&f32, &f32))| match route {
        _ if Some(route) == acted_on => 0.0,
        _ => also * (1.0 - second) + asked * second,
    };
    let shares: Vec<f32> = pairs.map(of).collect();
    let total = shares.iter().sum::<f32>().max(f32::MIN_POSITIVE);
    shares.into_iter().map(|share| share / total).collect()
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
