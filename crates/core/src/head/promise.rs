//! From which belief on is a promise kept? Thresholds for a wanted precision, with a bound for how few examples there are.
//!
//! A threshold is promised when the examples above it, judged by heads that had not learned from them, leave less than
//! [`RISK`] that the precision is below the one wanted: the exact bound of Clopper and Pearson. Several thresholds are
//! tried, so each is allowed its part of the risk only.

use super::exact::ln_double;

/// The risk that a promise is not kept.
pub const RISK: f64 = 0.05;
/// Thresholds tried, at even shares of the examples, and so the parts the risk is divided into.
const TRIED: usize = 20;

/// Most examples a promise is thought to take: 0.9999 takes sixty thousand.
const EXAMPLES_TRIED_MAX: usize = 1_000_000;

/// What was said about an example by a head that had not learned from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    /// The class believed.
    pub class: usize,
    /// How far.
    pub belief: f32,
    /// Whether the example belongs there.
    pub right: bool,
}

/// The beliefs to act from, for a wanted precision.
#[derive(Clone, Debug, PartialEq)]
pub struct Promises {
    /// The precision wanted.
    pub target: f64,
    /// What holds for all classes together.
    pub pooled: Promise,
    /// What holds for each class.
    pub classes: Vec<Promise>,
}

/// From which belief on a class is acted on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Promise {
    /// The least belief.
    pub threshold: f32,
    /// Examples judged.
    pub examples: usize,
    /// Examples above the threshold.
    pub above: usize,
    /// The right ones among them.
    pub right: usize,
    /// How it is kept.
    pub kept: Kept,
}

/// How a promise is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// By the class's own examples.
    Alone,
    /// By all classes together: the class has too few examples of its own.
    Together,
    /// Not at all: there are too few examples, or no threshold reaches the precision. The belief itself must reach it.
    Not,
}

impl Promises {
    /// The thresholds for a wanted precision.
    pub fn of(judged: &[Judged], classes: usize, target: f64) -> Promises {
        let mut surest = judged.to_vec();
        surest.sort_by(|a, b| b.belief.total_cmp(&a.belief).then(a.class.cmp(&b.class)));
        let mut of_class: Vec<Vec<Judged>> = vec![Vec::new(); classes];
        for judged in &surest {
            if let Some(own) = of_class.get_mut(judged.class) {
                own.push(*judged);
            }
        }
        let pooled =
            lowest(&surest, target, Kept::Together).unwrap_or_else(|| Promise::unkept(&surest, target));
        let class = |own: &Vec<Judged>| {
            lowest(own, target, Kept::Alone).unwrap_or_else(|| together(own, pooled, target))
        };
        Promises { target, pooled, classes: of_class.iter().map(class).collect() }
    }
}

impl Promise {
    /// Without a promise, the belief must be as high as the precision wanted.
    #[allow(clippy::cast_possible_truncation)] // a share
    fn unkept(surest: &[Judged], target: f64) -> Promise {
        let above = surest.partition_point(|judged| f64::from(judged.belief) >= target);
        let right = surest.iter().take(above).filter(|judged| judged.right).count();
        Promise { threshold: target as f32, examples: surest.len(), above, right, kept: Kept::Not }
    }

    fn at(surest: &[Judged], above: usize, kept: Kept) -> Option<Promise> {
        let threshold = surest.get(above.checked_sub(1)?)?.belief;
        // All that are as sure pass the threshold too.
        let above = surest.partition_point(|judged| judged.belief >= threshold);
        let taken = surest.get(..above)?;
        let right = taken.iter().filter(|judged| judged.right).count();
        Some(Promise { threshold, examples: surest.len(), above, right, kept })
    }
}

/// The lowest of the tried thresholds that is promised.
fn lowest(surest: &[Judged], target: f64, kept: Kept) -> Option<Promise> {
    let tried = (1..=TRIED).rev().map(|step| surest.len() * step / TRIED).filter(|above| *above > 0);
    let promised = |promise: &Promise| is_promised(promise.right, promise.above, target);
    tried.filter_map(|above| Promise::at(surest, above, kept)).find(promised)
}

/// The threshold of all together, raised as long as the class's own examples speak against it.
fn together(own: &[Judged], pooled: Promise, target: f64) -> Promise {
    let mut above = own.iter().take_while(|judged| judged.belief >= pooled.threshold).count();
    let mut wrong = own.iter().take(above).filter(|judged| !judged.right).count();
    while above > 0 && is_broken(above - wrong, above, target) {
        above -= 1;
        wrong -= usize::from(own.get(above).is_some_and(|judged| !judged.right));
    }
    let raised = own.get(above).map_or(0.0, |judged| judged.belief);
    let unmoved = own.get(above).is_none_or(|judged| judged.belief < pooled.threshold);
    let threshold = if unmoved { pooled.threshold } else { next_above(raised) };
    let kept = if pooled.kept == Kept::Not { Kept::Not } else { Kept::Together };
    Promise { threshold, examples: own.len(), above, right: above - wrong, kept }
}

/// The next number above a belief that is not negative.
fn next_above(belief: f32) -> f32 {
    f32::from_bits(belief.to_bits() + 1)
}

/// Whether so many right ones among so many leave little risk that the precision is below the target.
fn is_promised(right: usize, among: usize, target: f64) -> bool {
    #[allow(clippy::cast_precision_loss)] // a small number
    let risk = RISK / TRIED as f64;
    ln_at_most(among - right, among, 1.0 - target) <= ln_double(risk)
}

/// Whether so few right ones among so many leave little chance that the precision reaches the target.
fn is_broken(right: usize, among: usize, target: f64) -> bool {
    let wrong = among - right;
    // At least so many wrong ones: the rest of at most one fewer.
    wrong > 0 && ln_at_most(wrong - 1, among, 1.0 - target) > ln_double(1.0 - RISK)
}

/// Fewest examples, all of them right, that a precision can be promised with.
pub fn fewest_for(target: f64) -> usize {
    (1..EXAMPLES_TRIED_MAX).find(|count| is_promised(*count, *count, target)).unwrap_or(EXAMPLES_TRIED_MAX)
}

/// The logarithm of the chance that at most so many of `among` happen, each with `chance`.
#[allow(clippy::cast_precision_loss)] // counts of examples are far below 2^52
fn ln_at_most(most: usize, among: usize, chance: f64) -> f64 {
    let (chance, otherwise) = (chance.clamp(1e-9, 1.0 - 1e-9), (1.0 - chance).clamp(1e-9, 1.0 - 1e-9));
    // The term of the most, then each fewer one as a part of it.
    let ways: f64 = (0..most).map(|n| ln_double((among - n) as f64) - ln_double((n + 1) as f64)).sum();
    let last = ways + most as f64 * ln_double(chance) + (among - most) as f64 * ln_double(otherwise);
    let (mut term, mut sum) = (1.0, 1.0);
    for fewer in (1..=most).rev() {
        term *= fewer as f64 / (among - fewer + 1) as f64 * otherwise / chance;
        sum += term;
    }
    last + ln_double(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(count: usize, every: usize) -> Vec<Judged> {
        let of = |at: usize| Judged {
            class: at % 2,
            belief: 1.0 - f32::from(u16::try_from(at).unwrap()) / 10_000.0,
            right: at < count / 2 || !at.is_multiple_of(every),
        };
        (0..count).map(of).collect()
    }

    #[test]
    fn the_chance_is_that_of_the_binomial() {
        // 0.98^149 = 0.0493; at most 1 of 10 with 0.2: 0.3758.
        assert!((ln_at_most(0, 149, 0.02).exp() - 0.0493).abs() < 1e-4);
        assert!((ln_at_most(1, 10, 0.2).exp() - 0.375_81).abs() < 1e-5);
        assert_eq!(fewest_for(0.98), 297);
    }

    #[test]
    fn few_examples_promise_nothing() {
        let few = Promises::of(&judged(100, 1000), 2, 0.98);
        assert_eq!((few.pooled.kept, few.classes[0].kept), (Kept::Not, Kept::Not));
    }

    #[test]
    fn many_examples_promise_together_what_each_class_cannot() {
        // The surer half is right, of the other every fifth is wrong.
        let many = Promises::of(&judged(1000, 5), 2, 0.98);
        assert_eq!((many.pooled.kept, many.pooled.above, many.pooled.right), (Kept::Together, 500, 500));
        assert!(many.classes.iter().all(|class| class.kept == Kept::Together));
        assert!(many.classes.iter().all(|class| class.threshold >= many.pooled.threshold));
    }

    #[test]
    fn what_is_equally_sure_is_taken_or_left_together() {
        let rows: Vec<Judged> =
            (0..1000).map(|at| Judged { class: 0, belief: 0.9, right: at < 500 }).collect();
        let promises = Promises::of(&rows, 1, 0.8);
        assert_eq!((promises.pooled.kept, promises.classes[0].kept), (Kept::Not, Kept::Not));
    }

    #[test]
    fn a_class_that_speaks_against_the_promise_is_asked_for_more() {
        let mut rows = judged(2000, 100_000);
        // Whatever class 1 says at the lower half of its beliefs is wrong.
        for row in rows.iter_mut().filter(|row| row.class == 1 && row.belief < 0.9) {
            row.right = false;
        }
        let promises = Promises::of(&rows, 2, 0.9);
        assert!(promises.classes[1].threshold > promises.classes[0].threshold);
    }
}
