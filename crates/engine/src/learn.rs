//! How does a router learn from examples?

use std::sync::Arc;

use waypost_core::catalog::{Catalog, RouteId};
use waypost_core::head::{Calibration, Head, Judgement, Lesson, Role, Said, teach};
use waypost_core::message::Reading;
use waypost_core::signals::Meaning;

use crate::encode::{EncodeError, Encoder};

/// The least belief at which the first tier's word is enough; below it the next one is asked too.
const SURE_ENOUGH: f32 = 0.9;

/// What a router has learned: a head a tier, cheapest first.
#[derive(Clone)]
pub(crate) struct Learned {
    tiers: Vec<Tier>,
    routes: Vec<RouteId>,
}

/// A head, and the encoder whose vectors it reads.
#[derive(Clone)]
struct Tier {
    encoder: Arc<dyn Encoder>,
    head: Arc<Head>,
}

impl Learned {
    /// Learns from a catalog's examples; nothing where it has fewer than two routes with any.
    pub(crate) fn teach(
        catalog: &Catalog,
        encoders: &[Arc<dyn Encoder>],
    ) -> Result<Option<Learned>, EncodeError> {
        let taught: Vec<_> = catalog.routes().filter(|(_, route)| !route.examples.is_empty()).collect();
        if taught.len() < 2 {
            return Ok(None);
        }
        let names: Vec<String> = taught.iter().map(|(_, route)| spoken(&route.name)).collect();
        let mut texts: Vec<(&str, usize, Role)> = Vec::new();
        for (class, ((_, route), name)) in taught.iter().zip(&names).enumerate() {
            texts.extend(route.examples.iter().map(|example| (example.as_str(), class, Role::Example)));
            texts.push((name, class, Role::Name));
        }
        let tiers = encoders.iter().map(|encoder| Tier::teach(&texts, taught.len(), Arc::clone(encoder)));
        let tiers = tiers.collect::<Result<Vec<Tier>, EncodeError>>()?;
        Ok(Some(Learned { tiers, routes: taught.iter().map(|(id, _)| *id).collect() }))
    }

    /// What the heads make of a message: the word of the first that is sure, else of the last.
    pub(crate) fn meaning(&self, text: &str, reading: &Reading) -> Result<Meaning, EncodeError> {
        let mut judged = Judgement::default();
        for tier in &self.tiers {
            judged = tier.judge(text, reading)?;
            if judged.beliefs.iter().any(|belief| *belief >= SURE_ENOUGH) {
                break;
            }
        }
        Ok(Meaning::new(&self.routes, &judged))
    }
}

impl Tier {
    fn teach(
        texts: &[(&str, usize, Role)],
        classes: usize,
        encoder: Arc<dyn Encoder>,
    ) -> Result<Tier, EncodeError> {
        let plain: Vec<&str> = texts.iter().map(|(text, _, _)| *text).collect();
        let vectors = encode(&*encoder, &plain)?;
        let mut lessons = Vec::with_capacity(texts.len());
        for ((text, class, role), vector) in texts.iter().zip(&vectors) {
            lessons.push(Lesson { text, vector, class: *class, role: *role });
        }
        let head = teach_calibrated(&lessons, classes, encoder.dimensions());
        Ok(Tier { encoder, head: Arc::new(head) })
    }

    fn judge(&self, text: &str, reading: &Reading) -> Result<Judgement, EncodeError> {
        let vector = encode(&*self.encoder, &[text])?.pop().unwrap_or_default();
        Ok(self.head.judge(&self.head.features(reading, vector)))
    }
}

/// Parts the examples are dealt into; each is judged by a head that learned from the others. With many examples
/// half of them teach nearly as well as two thirds, in half the time.
const FOLDS_OF_FEW: usize = 3;
const FOLDS_OF_MANY: usize = 2;
/// Examples from which on there are many.
const MANY_EXAMPLES: usize = 5_000;

/// A head, weighed by what heads like it said about examples they had not learned from. Each runs on a thread of its
/// own and depends on nothing but its lessons, so the number of processors changes nothing but the time.
fn teach_calibrated(lessons: &[Lesson<'_>], classes: usize, dimensions: usize) -> Head {
    let folds = if lessons.len() < MANY_EXAMPLES { FOLDS_OF_FEW } else { FOLDS_OF_MANY };
    std::thread::scope(|scope| {
        let whole = scope.spawn(|| teach(lessons, classes, dimensions));
        let judging: Vec<_> = (0..folds)
            .map(|fold| scope.spawn(move || judge_fold(lessons, classes, dimensions, fold, folds)))
            .collect();
        let said: Vec<Said> = judging.into_iter().filter_map(|fold| fold.join().ok()).flatten().collect();
        match whole.join() {
            Ok(head) => head.calibrated(Calibration::fit(&said)),
            Err(_) => teach(lessons, classes, dimensions),
        }
    })
}

/// What a head that learned from the other parts says about the examples of one. Names are only ever taught.
fn judge_fold(
    lessons: &[Lesson<'_>],
    classes: usize,
    dimensions: usize,
    fold: usize,
    folds: usize,
) -> Vec<Said> {
    let mut dealt = vec![0usize; classes];
    let (mut taught, mut judged) = (Vec::new(), Vec::new());
    for lesson in lessons {
        let seen = dealt.get_mut(lesson.class).map_or(0, |seen| std::mem::replace(seen, *seen + 1));
        if lesson.role == Role::Example && seen % folds == fold {
            judged.push(lesson)
        } else {
            taught.push(lesson.clone())
        }
    }
    let head = teach(&taught, classes, dimensions);
    let say = |lesson: &&Lesson<'_>| {
        let features = head.features(&Reading::new(lesson.text), lesson.vector.to_vec());
        Said::of(&head, &features, lesson.class)
    };
    judged.iter().map(say).collect()
}

/// Vectors as long as promised, or an error.
fn encode(encoder: &dyn Encoder, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
    let vectors = encoder.encode(texts)?;
    let promised = encoder.dimensions();
    match vectors.iter().find(|vector| vector.len() != promised) {
        Some(wrong) => Err(EncodeError::WrongDimensions { found: wrong.len(), promised }),
        None => Ok(vectors),
    }
}

/// A name as it would be said: `card_arrival` as "card arrival".
fn spoken(name: &str) -> String {
    name.replace(['_', '-', '.'], " ")
}
