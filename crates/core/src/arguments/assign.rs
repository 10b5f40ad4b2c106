//! Which words fill which slots? The best for all of them together, no word used twice.

use super::By;
use super::candidates::{Candidate, empty, sureness};
use super::features::View;
use super::form::Form;

/// Candidates of one slot that are tried.
const TRIED_MAX: usize = 8;
/// Steps after which the search ends with the best it has: far more than forms of a dozen slots need.
const STEPS_MAX: usize = 20_000;

/// The candidate of each slot, or none.
pub(super) fn assign(form: &Form, candidates: &[Candidate]) -> Vec<Option<usize>> {
    let mut slots: Vec<Offers> = form
        .slots
        .iter()
        .enumerate()
        .map(|(place, slot)| {
            let mut of_slot: Vec<usize> = (0..candidates.len())
                .filter(|at| candidates.get(*at).is_some_and(|c| c.slot == place))
                .collect();
            let score = |at: &usize| candidates.get(*at).map_or(0.0, |candidate| candidate.score);
            of_slot.sort_by(|left, right| score(right).total_cmp(&score(left)));
            of_slot.truncate(TRIED_MAX);
            let none = empty(slot);
            let best = of_slot.first().map_or(none, score).max(none);
            Offers { place, of_slot, none, best }
        })
        .collect();
    // Those with the most to lose first, so that the bound cuts early.
    slots.sort_by(|left, right| (right.best - right.none).total_cmp(&(left.best - left.none)));
    let mut search = Search {
        candidates,
        rest: suffixes(&slots),
        slots,
        used: Vec::new(),
        form,
        chosen: vec![None; form.slots.len()],
        best: (f32::NEG_INFINITY, vec![None; form.slots.len()]),
        steps: 0,
    };
    search.descend(0, 0.0);
    search.best.1
}

/// How far a number may fall short of leaving its slot empty and still be taken, where no other slot takes it: people hardly
/// say numbers for nothing.
const SPARE_NUMBER: f32 = 2.0;
/// The same where examples tell which numbers are the slot's, which speak up to ten for or against one.
const SPARE_TAUGHT_NUMBER: f32 = 4.0;

/// Gives numbers that no slot took to the empty slots they fit best, and says how sure that is: as sure as the slot is the
/// likeliest of those that are empty.
pub(super) fn spare_numbers(view: &View<'_, '_>, candidates: &mut [Candidate], chosen: &mut [Option<usize>]) {
    let form = view.form;
    // Where examples tell which numbers are a slot's, one of several that is none of them is said for other reasons.
    let mut numbers = candidates.iter().filter(|candidate| candidate.by == By::Number).map(|c| &c.words);
    let first = numbers.next().cloned();
    let lone = numbers.all(|words| Some(words) == first.as_ref());
    let nothing = chosen.iter().all(Option::is_none);
    let open = |chosen: &[Option<usize>], place: usize| chosen.get(place).is_some_and(Option::is_none);
    loop {
        let taken: Vec<Candidate> =
            chosen.iter().flatten().filter_map(|at| candidates.get(*at).cloned()).collect();
        let free = |candidate: &Candidate| {
            candidate.by == By::Number
                && (lone || !view.taught.tells_numbers(candidate.slot))
                && open(chosen, candidate.slot)
                && !taken.iter().any(|t| t.excludes(candidate, form))
        };
        // A number that fits a slot better which is filled already says nothing of another.
        let fits_best = |candidate: &Candidate| {
            !candidates.iter().any(|other| {
                other.by == By::Number && other.words == candidate.words && other.score > candidate.score
            })
        };
        let near = |candidate: &Candidate| {
            let slot = form.slots.get(candidate.slot);
            let taught = view.taught.tells_numbers(candidate.slot);
            let short = if taught { SPARE_TAUGHT_NUMBER } else { SPARE_NUMBER };
            (nothing && !taught) || slot.is_some_and(|slot| candidate.score + short > empty(slot))
        };
        let best = candidates
            .iter()
            .enumerate()
            .filter(|(_, candidate)| {
                free(candidate) && near(candidate) && fits_best(candidate) && !candidate.value.is_array()
            })
            .max_by(|(_, left), (_, right)| left.score.total_cmp(&right.score));
        let Some((at, best)) = best.map(|(at, best)| (at, best.clone())) else { return };
        let rivals = candidates.iter().filter(|other| free(other) && other.words == best.words);
        let sum: f32 = rivals.map(|other| (other.score - best.score).exp()).sum();
        let share = 1.0 / sum.max(1.0);
        if let Some(candidate) = candidates.get_mut(at) {
            candidate.confidence = candidate.confidence.max(sureness(By::Number, share) * SPARE_CONFIDENCE);
        }
        match chosen.get_mut(best.slot) {
            Some(cell) => *cell = Some(at),
            None => return,
        }
    }
}

/// How sure a number is that was spare, beside one that was not.
const SPARE_CONFIDENCE: f32 = 0.9;

/// What could fill a slot.
struct Offers {
    place: usize,
    of_slot: Vec<usize>,
    none: f32,
    best: f32,
}

/// The best that the slots from each on could still add.
fn suffixes(slots: &[Offers]) -> Vec<f32> {
    let mut rest = vec![0.0; slots.len() + 1];
    for at in (0..slots.len()).rev() {
        let behind = rest.get(at + 1).copied().unwrap_or(0.0);
        if let (Some(cell), Some(slot)) = (rest.get_mut(at), slots.get(at)) {
            *cell = behind + slot.best;
        }
    }
    rest
}

struct Search<'c> {
    candidates: &'c [Candidate],
    slots: Vec<Offers>,
    rest: Vec<f32>,
    used: Vec<&'c Candidate>,
    form: &'c Form,
    chosen: Vec<Option<usize>>,
    best: (f32, Vec<Option<usize>>),
    steps: usize,
}

impl Search<'_> {
    fn descend(&mut self, depth: usize, score: f32) {
        self.steps += 1;
        if self.steps > STEPS_MAX || score + self.rest.get(depth).copied().unwrap_or(0.0) <= self.best.0 {
            return;
        }
        let Some(offers) = self.slots.get(depth) else {
            self.best = (score, self.chosen.clone());
            return;
        };
        let (place, none) = (offers.place, offers.none);
        for nth in 0..offers.of_slot.len() {
            let Some(at) = self.slots.get(depth).and_then(|offers| offers.of_slot.get(nth).copied()) else {
                break;
            };
            let Some(candidate) = self.candidates.get(at) else { continue };
            if self.used.iter().any(|used| candidate.excludes(used, self.form)) {
                continue;
            }
            let gain = candidate.score;
            self.used.push(candidate);
            self.choose(place, Some(at));
            self.descend(depth + 1, score + gain);
            self.choose(place, None);
            self.used.pop();
        }
        self.descend(depth + 1, score + none);
    }

    fn choose(&mut self, place: usize, candidate: Option<usize>) {
        if let Some(chosen) = self.chosen.get_mut(place) {
            *chosen = candidate;
        }
    }
}
