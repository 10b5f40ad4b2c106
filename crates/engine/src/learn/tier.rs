//! How does one encoder's head learn, and what does it say?

use std::collections::HashMap;
use std::sync::Arc;
use std::thread::ScopedJoinHandle;

use waypost_core::head::{
    Features, Head, Judgement, Lesson, Promises, Role, Said, Select, Shape, Taught, Voice, teach, teach_more,
};
use waypost_core::measure::Confidence;
use waypost_core::message::Reading;

use super::cache::Cache;
use super::lessons::{Lessons, Text};
use crate::encode::{EncodeError, Encoder};

/// Parts the examples are dealt into; each is judged by a head that learned from the others. With many examples
/// half of them teach nearly as well as two thirds, and half of them are enough to be judged.
const FOLDS_OF_FEW: usize = 3;
const FOLDS_OF_MANY: usize = 2;
const FOLDS_JUDGED_OF_MANY: usize = 1;
/// Lessons from which on there are many.
const MANY_LESSONS: usize = 5_000;
/// Lessons from which on a head that knows all but a few of them stands in for a new one: below, learning them all
/// takes no longer than a blink.
const STAND_IN_FROM: usize = 300;
/// The most new lessons that a head can stand in for, one of so many.
const STAND_IN_PART: usize = 50;

/// Most that heads are made to say about examples they had not learned from, in classes times examples: beyond, some
/// examples are passed over. What was said takes four bytes each.
const SAID_MAX: usize = 8_000_000;
/// The belief from which on the next tier would hardly change the decision: nine of ten are right, and it costs ten times as
/// much to ask.
const SURE_ENOUGH: f64 = 0.9;
/// Most words of a message that are told of: a sentence or two.
const WORDS_HEARD_MAX: usize = 32;
/// Most parts of a message that are heard by themselves.
const PARTS_MAX: usize = 8;
/// Fewest texts worth a thread of their own: some ten milliseconds of work.
const TEXTS_A_THREAD: usize = 256;
/// Lessons of a route that are no examples: its name and its description.
const HINTS_MAX: usize = 2;

/// A head, and the encoder whose vectors it reads.
#[derive(Clone)]
pub(super) struct Tier {
    pub(super) encoder: Arc<dyn Encoder>,
    pub(super) head: Arc<Head>,
    /// Which example of its class each lesson of the head is.
    examples: Arc<HashMap<(usize, usize), usize>>,
    /// How sure each class must be, where that is not the catalog's base.
    pub(super) needed: Option<Arc<Vec<Confidence>>>,
    /// What the head is kept under.
    pub(super) key: String,
    /// How many lessons the head was not taught from the beginning.
    pub(super) in_passing: usize,
}

/// Where a head came from.
pub(super) struct Came {
    pub(super) tier: Tier,
    /// Why it could not be kept for the next time.
    pub(super) not_kept: Option<std::io::Error>,
}

impl Tier {
    /// The head of these lessons: one that was kept, else one that knows nearly all of them and learns the others in
    /// passing, else one that learns them all.
    pub(super) fn of(
        lessons: &Lessons,
        encoder: Arc<dyn Encoder>,
        cache: &Cache,
    ) -> Result<Came, EncodeError> {
        let (key, family) = (lessons.key(&*encoder), lessons.family(&*encoder));
        if let Some(kept) = cache.read(&key) {
            return Ok(Came { tier: Tier::new(kept, lessons, encoder, 0), not_kept: None });
        }
        if let Some((standing_in, in_passing)) = stand_in(lessons, &*encoder, cache.read_latest(&family))? {
            return Ok(Came { tier: Tier::new(standing_in, lessons, encoder, in_passing), not_kept: None });
        }
        let taught = learn(lessons, &*encoder)?;
        let not_kept = cache.write(&key, &family, &taught).err();
        Ok(Came { tier: Tier::new(taught, lessons, encoder, 0), not_kept })
    }

    fn new(taught: Taught, lessons: &Lessons, encoder: Arc<dyn Encoder>, in_passing: usize) -> Tier {
        let key = lessons.key(&*encoder);
        let places: HashMap<u64, usize> = taught.lessons.iter().copied().zip(0..).collect();
        let mut examples = HashMap::new();
        for (text, mark) in lessons.texts.iter().zip(lessons.marks()) {
            let Some(place) = places.get(&mark) else { continue };
            let own = text.classes.iter().zip(&text.examples).filter(|(_, example)| **example != usize::MAX);
            examples.extend(own.map(|(class, example)| ((*class, *place), *example)));
        }
        Tier {
            encoder,
            head: Arc::new(taught.head),
            examples: Arc::new(examples),
            needed: None,
            key,
            in_passing,
        }
    }

    /// What the head promises for a precision.
    pub(super) fn promises(&self, target: f64) -> Promises {
        Promises::of(self.head.judged(), self.head.shape().classes, target)
    }

    /// What the head looks at in a message.
    fn features(&self, text: &str, reading: &Reading) -> Result<Features, EncodeError> {
        let vector = encode(&*self.encoder, &[text])?.pop().unwrap_or_default();
        Ok(self.head.features(reading, vector))
    }

    /// What the head makes of a message. Where several routes may be taken, each of its parts may speak for one.
    pub(super) fn hear(&self, text: &str, reading: &Reading) -> Result<(Features, Judgement), EncodeError> {
        let features = self.features(text, reading)?;
        let mut judged = self.head.judge(&features);
        if self.head.shape().select == Select::Many {
            for part in parts_of(text) {
                let part = self.head.judge(&self.features(part, &Reading::new(part))?);
                judged.fits = judged.fits.max(part.fits);
                for (belief, heard) in judged.beliefs.iter_mut().zip(part.beliefs) {
                    *belief = belief.max(heard);
                }
            }
        }
        Ok((features, judged))
    }

    /// What each word and pair of words said for a class rather than for its rival, loudest first. A word is worth what is
    /// lost without it: its letters and its share in the meaning of the whole.
    pub(super) fn voices(
        &self,
        text: &str,
        reading: &Reading,
        features: &Features,
        [class, rival]: [Option<usize>; 2],
    ) -> Vec<Voice> {
        let margin = |features: &Features| {
            let logits = self.head.logits(features);
            let logit =
                |class: Option<usize>| class.and_then(|class| logits.get(class)).copied().unwrap_or_default();
            logit(class) - logit(rival)
        };
        let mut voices =
            class.map(|class| self.head.voices(reading, features, class, rival)).unwrap_or_default();
        // Each word takes a vector more, so an endpoint is not asked for it.
        let words = reading.words().iter().take(if self.encoder.is_local() { WORDS_HEARD_MAX } else { 0 });
        for word in words {
            let gone = reading.original(*word).range();
            let (before, after) = (text.get(..gone.start), text.get(gone.end..));
            let rest = format!("{}{}", before.unwrap_or_default(), after.unwrap_or_default());
            let Ok(without) = self.features(&rest, &Reading::new(&rest)) else { continue };
            voices.retain(|voice| voice.span != Some(*word));
            voices.push(Voice { span: Some(*word), amount: margin(features) - margin(&without) });
        }
        voices.sort_by(|a, b| b.amount.abs().total_cmp(&a.amount.abs()).then(a.span.cmp(&b.span)));
        voices
    }

    /// Whether its word is enough: what it believes is enough to act on, and no other tier would be much surer.
    pub(super) fn is_sure(&self, judged: &Judgement) -> bool {
        let needed = |class: usize| {
            let needed = self.needed.as_ref().and_then(|needed| needed.get(class));
            needed.map_or(SURE_ENOUGH, |needed| needed.points().share().max(SURE_ENOUGH))
        };
        let sure = |(class, belief): (usize, &f32)| f64::from(*belief) >= needed(class);
        match self.head.shape().select {
            Select::One => judged.beliefs.iter().enumerate().any(sure),
            // Each route is a question of its own; all must be settled.
            Select::Many => judged
                .beliefs
                .iter()
                .enumerate()
                .all(|(class, belief)| f64::from(*belief) <= 1.0 - SURE_ENOUGH || sure((class, belief))),
        }
    }

    /// The examples of a class that are most like a message, nearest first.
    pub(super) fn nearest(&self, class: usize, vector: &[f32], most: usize) -> Vec<(usize, f32)> {
        // The name and the description of the route are lessons too, and no examples.
        let lessons = self.head.nearest(class, vector, most + HINTS_MAX);
        let example = |(lesson, alike): (usize, f32)| Some((*self.examples.get(&(class, lesson))?, alike));
        lessons.into_iter().filter_map(example).take(most).collect()
    }
}

/// The parts of a message that may speak for a route each: sentences, clauses, and what "and" joins.
pub(super) fn parts_of(text: &str) -> impl Iterator<Item = &str> {
    let clauses = text.split(['.', ';', '?', '!', ',']).flat_map(|clause| clause.split(" and "));
    clauses.map(str::trim).filter(|part| part.split_whitespace().nth(1).is_some()).take(PARTS_MAX)
}

/// A head that knows all but a few of many lessons, taught those in passing.
fn stand_in(
    lessons: &Lessons,
    encoder: &dyn Encoder,
    latest: Option<Taught>,
) -> Result<Option<(Taught, usize)>, EncodeError> {
    let Some(mut latest) = latest.filter(|_| lessons.texts.len() >= STAND_IN_FROM) else { return Ok(None) };
    let known: std::collections::HashSet<u64> = latest.lessons.iter().copied().collect();
    let marks = lessons.marks();
    let fresh: Vec<(&Text, u64)> =
        lessons.texts.iter().zip(marks).filter(|(_, mark)| !known.contains(mark)).collect();
    let forgotten = known.len() + fresh.len() > lessons.texts.len();
    // What belongs nowhere must have been taught before, and a head that was never taught cannot be taught more.
    let unteachable = latest.head.goes_by_likeness()
        || !latest.head.knows_none() && fresh.iter().any(|(text, _)| text.classes.is_empty());
    if fresh.is_empty() || forgotten || unteachable || fresh.len() > lessons.texts.len() / STAND_IN_PART {
        return Ok(None);
    }
    let texts: Vec<&Text> = fresh.iter().map(|(text, _)| *text).collect();
    let vectors = encode(encoder, &texts.iter().map(|text| text.said.as_str()).collect::<Vec<_>>())?;
    let count = latest.lessons.len();
    latest.head = teach_more(latest.head, &as_lessons(&texts, &vectors), count);

    latest.lessons.extend(fresh.iter().map(|(_, mark)| *mark));
    Ok(Some((latest, fresh.len())))
}

/// Learns all the lessons from the beginning.
fn learn(lessons: &Lessons, encoder: &dyn Encoder) -> Result<Taught, EncodeError> {
    let plain: Vec<&str> = lessons.texts.iter().map(|text| text.said.as_str()).collect();
    let vectors = encode(encoder, &plain)?;
    let texts: Vec<&Text> = lessons.texts.iter().collect();
    let dimensions = encoder.dimensions();
    let shape = Shape { classes: lessons.routes.len(), dimensions, select: lessons.select };
    let head = teach_calibrated(&as_lessons(&texts, &vectors), shape);
    Ok(Taught { head, lessons: lessons.marks() })
}

fn as_lessons<'t>(texts: &[&'t Text], vectors: &'t [Vec<f32>]) -> Vec<Lesson<'t>> {
    let lesson = |(text, vector): (&&'t Text, &'t Vec<f32>)| Lesson {
        text: &text.said,
        vector,
        classes: &text.classes,
        role: text.role,
    };
    texts.iter().zip(vectors).map(lesson).collect()
}

/// A head, weighed by what heads like it said about examples they had not learned from. Each runs on a thread of its
/// own and depends on nothing but its lessons, so the number of processors changes nothing but the time.
fn teach_calibrated(lessons: &[Lesson<'_>], shape: Shape) -> Head {
    let (folds, judged) = match lessons.len() {
        ..MANY_LESSONS => (FOLDS_OF_FEW, FOLDS_OF_FEW),
        _ => (FOLDS_OF_MANY, FOLDS_JUDGED_OF_MANY),
    };
    std::thread::scope(|scope| {
        let whole = scope.spawn(|| teach(lessons, shape));
        let judging: Vec<_> =
            (0..judged).map(|fold| scope.spawn(move || judge_fold(lessons, shape, fold, folds))).collect();
        let said: Vec<Said> = judging.into_iter().flat_map(joined).collect();
        joined(whole).calibrated(&said)
    })
}

/// What a thread found; a panic in it is a panic here.
pub(super) fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// What a head that learned from the other parts says about the examples of one. Hints are only ever taught.
fn judge_fold(lessons: &[Lesson<'_>], shape: Shape, fold: usize, folds: usize) -> Vec<Said> {
    // The last counts what belongs nowhere.
    let mut dealt = vec![0usize; shape.classes + 1];
    let (mut taught, mut judged) = (Vec::new(), Vec::new());
    for lesson in lessons {
        let class = lesson.classes.first().copied().unwrap_or(shape.classes);
        let seen = dealt.get_mut(class).map_or(0, |seen| std::mem::replace(seen, *seen + 1));
        if lesson.role == Role::Example && seen % folds == fold {
            judged.push(lesson)
        } else {
            taught.push(lesson.clone())
        }
    }
    let head = teach(&taught, shape);
    let step = (judged.len() * shape.classes).div_ceil(SAID_MAX).max(1);
    let say = |lesson: &&Lesson<'_>| {
        let features = head.features(&Reading::new(lesson.text), lesson.vector.to_vec());
        Said::of(&head, &features, lesson.classes)
    };
    judged.iter().step_by(step).map(say).collect()
}

/// The vectors of many texts, a part of them on each processor; which part is whose changes nothing.
fn encode_in_parts(encoder: &dyn Encoder, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let part = texts.len().div_ceil(threads).max(TEXTS_A_THREAD);
    std::thread::scope(|scope| {
        let encoding: Vec<_> = texts.chunks(part).map(|part| scope.spawn(|| encoder.encode(part))).collect();
        let mut vectors = Vec::with_capacity(texts.len());
        for part in encoding {
            vectors.extend(joined(part)?);
        }
        Ok(vectors)
    })
}

/// Vectors as many and as long as promised, or an error.
pub(super) fn encode(encoder: &dyn Encoder, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
    let vectors = if texts.len() > TEXTS_A_THREAD && encoder.tier() == waypost_core::signals::Tier::BuiltIn {
        encode_in_parts(encoder, texts)?
    } else {
        encoder.encode(texts)?
    };
    let promised = encoder.dimensions();
    match vectors.iter().find(|vector| vector.len() != promised) {
        Some(wrong) => Err(EncodeError::WrongDimensions { found: wrong.len(), promised }),
        None => Ok(vectors),
    }
}
