//! Which of the options in a message is wanted? Told by the words around them, as learned on all sorts of choices.
//!
//! Learned by `training/stances.py`, whose file holds how frequent the combinations of stances are and what each sign around an
//! option speaks for.

use std::ops::Range;
use std::sync::OnceLock;

use super::learned::{Learned, hashed};
use super::said::{Said, said};

/// The file of weights that comes with the library.
const FILE: &[u8] = include_bytes!("stances.bin");

/// Most options of a message that are decided together: the combinations are three to their power.
const OPTIONS_MAX: usize = 4;
/// Words on each side that are looked at one by one, and from which on they are all far.
const NEAR: usize = 6;
const FAR: usize = 3;
/// Words of the neighbouring clauses that are looked at.
const BEYOND: usize = 4;

/// What a plain word speaks for a stance, such as a denial: as much as all the signs around an option together.
const TOLD: f32 = 1.0;

/// What a speaker makes of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stance {
    /// It is wanted.
    Wanted,
    /// It is set aside.
    Aside,
    /// It is asked about, or not decided.
    Open,
}

const STANCES: [Stance; 3] = [Stance::Wanted, Stance::Aside, Stance::Open];

/// What the file holds.
struct Weights {
    /// What speaks for so many options wanted and so many set aside, for each number of options.
    priors: Vec<f32>,
    learned: Learned<{ STANCES.len() }>,
}

impl Weights {
    fn get() -> &'static Weights {
        static WEIGHTS: OnceLock<Weights> = OnceLock::new();
        WEIGHTS.get_or_init(|| {
            let count = OPTIONS_MAX * (OPTIONS_MAX + 1) * (OPTIONS_MAX + 1);
            let (priors, rest) = FILE.split_at(FILE.len().min(4 * count));
            Weights {
                priors: priors.as_chunks().0.iter().map(|prior| f32::from_le_bytes(*prior)).collect(),
                learned: Learned::read(rest),
            }
        })
    }

    fn prior(&self, stances: &[Stance]) -> f32 {
        let count = |stance: Stance| stances.iter().filter(|other| **other == stance).count();
        let wide = OPTIONS_MAX + 1;
        let place = ((stances.len() - 1) * wide + count(Stance::Wanted)) * wide + count(Stance::Aside);
        self.priors.get(place).copied().unwrap_or(0.0)
    }
}

/// What the speaker makes of each option of a message, given by where they stand in bytes, one behind the other, and by what plain
/// words tell of them; and by how much that leads over the next likely. Nothing where there are none, or too many.
pub(super) fn of_options(
    text: &str,
    options: &[Range<usize>],
    told: &[Option<Stance>],
) -> Option<(Vec<Stance>, f32)> {
    if options.is_empty() || options.len() > OPTIONS_MAX {
        return None;
    }
    let weights = Weights::get();
    let scene = Scene::new(text, options);
    let mut scores: Vec<[f32; STANCES.len()]> =
        (0..options.len()).map(|nth| weights.learned.judge(scene.signs(nth))).collect();
    for (scores, told) in scores.iter_mut().zip(told) {
        for (score, stance) in scores.iter_mut().zip(STANCES) {
            *score += if *told == Some(stance) { TOLD } else { 0.0 };
        }
    }
    let mut best: Option<(Vec<Stance>, f32)> = None;
    let mut second = f32::MIN;
    let combinations = STANCES.len().pow(u32::try_from(options.len()).ok()?);
    for combination in 0..combinations {
        let mut left = combination;
        let mut sum = 0.0;
        let mut stances = Vec::with_capacity(options.len());
        for score in &scores {
            let stance = left % STANCES.len();
            left /= STANCES.len();
            sum += score.get(stance)?;
            stances.push(*STANCES.get(stance)?);
        }
        sum += weights.prior(&stances);
        match &best {
            Some((_, highest)) if *highest >= sum => second = second.max(sum),
            _ => {
                second = best.as_ref().map_or(f32::MIN, |(_, highest)| *highest);
                best = Some((stances, sum));
            }
        }
    }
    best.map(|(stances, highest)| (stances, highest - second))
}

/// A message with each option as one word.
struct Scene {
    words: Vec<String>,
    /// Where the options stand among the words, each with its own.
    options: Vec<(usize, String)>,
}

impl Scene {
    fn new(text: &str, options: &[Range<usize>]) -> Scene {
        let mut scene = Scene { words: Vec::new(), options: Vec::new() };
        let mut options = options.iter().peekable();
        for Said { word, at } in said(text) {
            while options.next_if(|option| option.end <= at.start).is_some() {}
            match options.peek() {
                Some(option) if option.start < at.end => {
                    let begun =
                        scene.options.last().is_some_and(|(place, _)| *place + 1 == scene.words.len())
                            && scene.words.last().is_some_and(|last| last == OTHER)
                            && at.start > option.start;
                    if let Some((_, own)) = scene.options.last_mut().filter(|_| begun) {
                        own.push(' ');
                        own.push_str(&word);
                    } else {
                        scene.options.push((scene.words.len(), word));
                        scene.words.push(OTHER.to_owned());
                    }
                }
                _ => scene.words.push(word),
            }
        }
        scene
    }

    /// What stands around an option, hashed.
    fn signs(&self, nth: usize) -> Vec<u32> {
        let Some((at, own)) = self.options.get(nth) else { return Vec::new() };
        let at = *at;
        let count = self.words.len();
        let word = |place: usize| {
            if place == at { OWN } else { self.words.get(place).map_or(END, String::as_str) }
        };
        // With a sign for either end of the message: the place behind a word's is its own.
        let ended = |place: usize| if place == 0 { START } else { word(place - 1) };
        let mut signs = Vec::new();
        for far in 0..NEAR {
            let name = far.min(FAR).to_string();
            if far < at {
                signs.push(hashed(&["l", &name, ":", word(at - 1 - far)]));
            }
            if at + 1 + far < count {
                signs.push(hashed(&["r", &name, ":", word(at + 1 + far)]));
            }
        }
        for first in (at + 1).saturating_sub(NEAR)..(count + 1).min(at + 1 + NEAR) {
            let side = if first < at + 1 { "l2:" } else { "r2:" };
            signs.push(hashed(&[side, ended(first), " ", ended(first + 1)]));
        }
        for first in at.saturating_sub(2)..count.min(at + 3) {
            signs.push(hashed(&["3:", ended(first), " ", ended(first + 1), " ", ended(first + 2)]));
        }
        let earlier = nth.checked_sub(1).and_then(|nth| self.options.get(nth)).map(|(place, _)| *place);
        let later = self.options.get(nth + 1).map(|(place, _)| *place);
        let mut region = |name: &str, words: Range<usize>| {
            for place in words.clone() {
                signs.push(hashed(&[name, ":", word(place)]));
                if place + 1 < words.end {
                    signs.push(hashed(&[name, ":", word(place), " ", word(place + 1)]));
                }
            }
        };
        region(if earlier.is_some() { "pb" } else { "ps" }, earlier.map_or(0, |place| place + 1)..at);
        region(if later.is_some() { "nb" } else { "ne" }, at + 1..later.unwrap_or(count));
        if let Some(later) = later {
            region("af", later + 1..count);
        }
        if let Some(earlier) = earlier {
            region("be", 0..earlier);
        }
        self.clause(at, &word, &mut signs);
        signs
            .extend(self.options.iter().take(nth).any(|(_, other)| other == own).then(|| hashed(&["again"])));
        signs.extend(
            self.options.iter().skip(nth + 1).any(|(_, other)| other == own).then(|| hashed(&["later"])),
        );
        let place = match (earlier, later) {
            (None, None) => "only",
            (None, Some(_)) => "first",
            (Some(_), Some(_)) => "mid",
            (Some(_), None) => "last",
        };
        signs.push(hashed(&[place]));
        signs
    }

    /// What stands in the clause of an option, and beside it.
    fn clause<'w>(&self, at: usize, word: &impl Fn(usize) -> &'w str, signs: &mut Vec<u32>) {
        let count = self.words.len();
        let ends = |place: &usize| matches!(word(*place), "." | ";" | "?" | "!" | "," | ":" | "—" | "–");
        let start = (0..at).rev().find(ends).map_or(0, |place| place + 1);
        let end = (at + 1..count).find(ends).unwrap_or(count);
        signs.extend((start..at).map(|place| hashed(&["cl:", word(place)])));
        signs.extend((at + 1..end).map(|place| hashed(&["cr:", word(place)])));
        signs.extend((end..count.min(end + BEYOND)).map(|place| hashed(&["cn:", word(place)])));
        signs.extend((start.saturating_sub(BEYOND)..start).map(|place| hashed(&["cp:", word(place)])));
        signs.extend((end == count).then(|| hashed(&["c>"])));
        signs.extend((start == 0).then(|| hashed(&["c<"])));
    }
}

/// What stands for the option that is looked at, for the others, and for the two ends of a message.
const OWN: &str = "@";
const OTHER: &str = "*";
const START: &str = "<";
const END: &str = ">";

#[cfg(test)]
mod tests {
    use super::*;
    use Stance::{Aside, Open, Wanted};

    #[test]
    fn stances_are_told_by_the_words_around_options() {
        let check = |marked: &str, expected: &[Stance]| {
            let mut text = String::new();
            let mut options = Vec::new();
            for (nth, part) in marked.split(['[', ']']).enumerate() {
                if nth % 2 == 1 {
                    options.push(text.len()..text.len() + part.len());
                }
                text.push_str(part);
            }
            let found = of_options(&text, &options, &[]).map(|(stances, _)| stances);
            assert_eq!(found.as_deref(), Some(expected), "{marked}");
        };
        check("[the bus], not [the train]", &[Wanted, Aside]);
        check("I had [the bus] in mind, but let's take [the train]", &[Aside, Wanted]);
        check("[tea] rather than [coffee]", &[Wanted, Aside]);
        check("[the red one]. no wait, [the blue one]", &[Aside, Wanted]);
        check("should I take [tea] or [coffee]?", &[Open, Open]);
        check("forget [the train], I want the other one", &[Aside]);
        check("[the train], please", &[Wanted]);
    }

    #[test]
    fn no_options_and_too_many_are_left_alone() {
        assert!(of_options("nothing here", &[], &[]).is_none());
        let many: Vec<Range<usize>> = (0..=OPTIONS_MAX).map(|at| 2 * at..2 * at + 1).collect();
        assert!(of_options("a b c d e", &many, &[]).is_none());
    }
}
