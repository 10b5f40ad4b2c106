//! Who comes first among those that are as good as equal? What is in time, then what is cheaper, then what is faster.

use std::cmp::Ordering;

/// Two tools are near-equal where the odds of one are at most so many times those of the other: closer than confidence is true
/// to what happens. In the middle that is 0.05 of confidence, and less towards both ends.
const NEAR_ODDS: f64 = 1.2;

/// What is known of a tool that is ranked.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rated {
    /// How sure it is, from 0 to 1.
    pub confidence: f64,
    /// What a call costs.
    pub cost: Option<f64>,
    /// How long a call takes, in milliseconds.
    pub latency_ms: Option<f64>,
    /// It was asked for by its name, and stays where it is.
    pub asked_for: bool,
}

/// Why a tool stands where it stands among near-equals. The place is that of the tool it passed, before anything was settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// It takes longer than it may, and so stands behind.
    TooSlow,
    /// It is in time, and the other is not.
    InTime(usize),
    /// It is cheaper than the other.
    Cheaper(usize),
    /// It is faster than the other.
    Faster(usize),
}

/// The order of tools that came best first, as places, with near-equals settled. Who is not near-equal never passes.
pub fn settle(rated: &[Rated], budget_ms: Option<f64>) -> Vec<(usize, Option<Settled>)> {
    let mut order = Vec::with_capacity(rated.len());
    let mut from = 0;
    while let Some(first) = rated.get(from) {
        let rest = rated.get(from + 1..).unwrap_or_default();
        let equals = rest.iter().take_while(|next| is_near(first, next)).count();
        settle_equals(rated, from..from + 1 + equals, budget_ms, &mut order);
        from += 1 + equals;
    }
    order
}

fn is_near(first: &Rated, next: &Rated) -> bool {
    let odds = |rated: &Rated| rated.confidence / (1.0 - rated.confidence).max(f64::EPSILON);
    let (a, b) = (odds(first), odds(next));
    // Tools without any confidence are in the order of their parts, which is all that is known of them.
    let known = a.min(b) > 0.0;
    known && !first.asked_for && !next.asked_for && a.max(b) <= NEAR_ODDS * a.min(b)
}

fn settle_equals(
    rated: &[Rated],
    places: std::ops::Range<usize>,
    budget_ms: Option<f64>,
    order: &mut Vec<(usize, Option<Settled>)>,
) {
    let equals = rated.get(places.clone()).unwrap_or_default();
    // Who does not say counts as the mean of those who do: neither favoured nor held back.
    let cost = mean(equals.iter().filter_map(|rated| rated.cost));
    let latency = mean(equals.iter().filter_map(|rated| rated.latency_ms));
    let figures = |place: usize| {
        let own = rated.get(place).copied().unwrap_or_default();
        let is_slow = budget_ms.zip(own.latency_ms).is_some_and(|(budget, takes)| takes > budget);
        (is_slow, own.cost.unwrap_or(cost), own.latency_ms.unwrap_or(latency))
    };
    let compare = |a: usize, b: usize| -> (Ordering, Ordering, Ordering) {
        let (a, b) = (figures(a), figures(b));
        (a.0.cmp(&b.0), a.1.total_cmp(&b.1), a.2.total_cmp(&b.2))
    };
    let mut settled: Vec<usize> = places.collect();
    settled.sort_by(|a, b| {
        let (time, cost, speed) = compare(*a, *b);
        time.then(cost).then(speed)
    });
    let any_in_time = settled.iter().any(|place| !figures(*place).0);
    for (at, place) in settled.iter().enumerate() {
        let passed = settled.get(at + 1..).unwrap_or_default().iter().find(|other| *other < place);
        let why = match passed.map(|other| (*other, compare(*place, *other))) {
            _ if figures(*place).0 && any_in_time => Some(Settled::TooSlow),
            Some((other, (Ordering::Less, ..))) => Some(Settled::InTime(other)),
            Some((other, (_, Ordering::Less, _))) => Some(Settled::Cheaper(other)),
            Some((other, (_, _, Ordering::Less))) => Some(Settled::Faster(other)),
            _ => None,
        };
        order.push((*place, why));
    }
}

#[allow(clippy::cast_precision_loss)] // so many tools there are not
fn mean(figures: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = figures.fold((0.0, 0_usize), |(sum, count), figure| (sum + figure, count + 1));
    sum / count.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rated(confidence: f64, cost: Option<f64>, latency_ms: Option<f64>) -> Rated {
        Rated { confidence, cost, latency_ms, asked_for: false }
    }

    #[track_caller]
    fn check(rated: &[Rated], budget_ms: Option<f64>, expected: &[(usize, Option<Settled>)]) {
        assert_eq!(settle(rated, budget_ms), expected);
    }

    #[test]
    fn among_near_equals_the_cheaper_and_the_faster_come_first() {
        let cheap = [rated(0.50, Some(2.0), None), rated(0.49, Some(1.0), None)];
        check(&cheap, None, &[(1, Some(Settled::Cheaper(0))), (0, None)]);
        let fast = [rated(0.50, None, Some(90.0)), rated(0.49, None, Some(10.0))];
        check(&fast, None, &[(1, Some(Settled::Faster(0))), (0, None)]);
        // Who says nothing is neither favoured nor held back.
        check(&[rated(0.50, None, None), rated(0.49, None, None)], None, &[(0, None), (1, None)]);
    }

    #[test]
    fn what_is_too_slow_goes_behind_its_equals_alone() {
        let tools =
            [rated(0.50, Some(1.0), Some(900.0)), rated(0.49, Some(5.0), Some(80.0)), rated(0.2, None, None)];
        check(&tools, Some(100.0), &[(1, Some(Settled::InTime(0))), (0, Some(Settled::TooSlow)), (2, None)]);
        check(&tools, Some(1000.0), &[(0, None), (1, None), (2, None)]);
        check(&tools[..1], Some(100.0), &[(0, None)]);
    }

    #[test]
    fn a_clearly_better_tool_and_one_that_is_named_stay() {
        let better = [rated(0.60, Some(9.0), Some(900.0)), rated(0.50, Some(1.0), Some(1.0))];
        check(&better, Some(100.0), &[(0, None), (1, None)]);
        let named = [Rated { asked_for: true, ..rated(0.5, Some(9.0), None) }, rated(0.5, Some(1.0), None)];
        check(&named, None, &[(0, None), (1, None)]);
    }

    fn figures() -> impl Strategy<Value = Vec<Rated>> {
        let one = (0.0..1.0f64, proptest::option::of(0.0..5.0f64), proptest::option::of(0.0..500.0f64));
        let all = proptest::collection::vec(one, 0..20);
        all.prop_map(|all| {
            let mut all: Vec<Rated> = all.into_iter().map(|(sure, cost, ms)| rated(sure, cost, ms)).collect();
            all.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
            all
        })
    }

    proptest! {
        /// Nobody is lost, and nobody passes one that is clearly better.
        #[test]
        fn only_near_equals_pass_each_other(rated in figures(), budget in proptest::option::of(0.0..500.0f64)) {
            let order: Vec<usize> = settle(&rated, budget).into_iter().map(|(place, _)| place).collect();
            let mut places = order.clone();
            places.sort_unstable();
            prop_assert_eq!(places, (0..rated.len()).collect::<Vec<_>>());
            for (at, place) in order.iter().enumerate() {
                for behind in &order[at + 1..] {
                    prop_assert!(behind > place || is_near(&rated[*behind], &rated[*place]));
                }
            }
        }
    }
}
