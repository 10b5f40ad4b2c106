//! What do head and full model together say of each route? A small network, learned from catalogs that the full model was not trained on.

use std::sync::LazyLock;

use super::network::Network;
use super::{as_real, log_softmax, two_most};
use crate::head::Judgement;
use crate::head::exact::{exp, ln};

/// The weights, made by `training/blend.py`: single precision, least byte first.
const FILE: &[u8] = include_bytes!("blend.bin");

/// What is looked at of each route, and of the message; and how wide the hidden layers are.
const OF_ROUTE: usize = 6;
const OF_MESSAGE: usize = 11;
const HIDDEN: usize = 48;
/// Numbers in the file: two networks, each with its hidden rows and biases and one output with its own, and two plain sums.
const NUMBERS: usize =
    HIDDEN * (OF_ROUTE + OF_MESSAGE + 2) + 1 + HIDDEN * (OF_MESSAGE + 2) + 1 + OF_ROUTE + OF_MESSAGE;
const _: () = assert!(FILE.len() == 4 * NUMBERS, "blend.bin is of another shape");

/// Logarithms below this, and beliefs below the other, count as this much: less says nothing more.
const LOG_MIN: f32 = -9.0;
const BELIEF_MIN: f32 = 0.005;
/// What logarithms are divided by, and those of numbers of examples, so that inputs are about as large as one.
const LOGS: f32 = 3.0;
const EXAMPLE_LOGS: f32 = 2.0;
/// Words from which on more say nothing new.
const WORDS_MAX: usize = 60;

/// What the full model says: a logarithm per route and last that of none, of what is asked, asked besides, and not wanted.
#[derive(Clone, Copy, Debug)]
pub struct FullLogs<'l> {
    /// What is asked.
    pub asked: &'l [f32],
    /// What is asked besides.
    pub also: &'l [f32],
    /// What is not wanted.
    pub denied: &'l [f32],
}

/// What is known of the message itself.
#[derive(Clone, Copy, Debug)]
pub struct MessageFacts {
    /// How many words it has.
    pub words: usize,
    /// Whether something was said before it.
    pub follows: bool,
}

/// The network.
struct Weigher {
    routes: Network,
    none: Network,
    route_line: Vec<f32>,
    none_line: Vec<f32>,
}

static WEIGHER: LazyLock<Option<Weigher>> = LazyLock::new(|| Weigher::read(FILE));

impl Weigher {
    /// Reads the weights; nothing where they are not as many as there must be.
    fn read(bytes: &[u8]) -> Option<Weigher> {
        let mut numbers = bytes.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four));
        let mut take = |count: usize| {
            let taken: Vec<f32> = numbers.by_ref().take(count).collect();
            (taken.len() == count).then_some(taken)
        };
        let mut network = |inputs: usize| {
            let (rows, bias, out) = (take(HIDDEN * inputs)?, take(HIDDEN)?, take(HIDDEN)?);
            Network::new(rows, bias, out, &take(1)?)
        };
        let (routes, none) = (network(OF_ROUTE + OF_MESSAGE)?, network(OF_MESSAGE)?);
        let weigher = Weigher { routes, none, route_line: take(OF_ROUTE)?, none_line: take(OF_MESSAGE)? };
        numbers.next().is_none().then_some(weigher)
    }

    /// The logarithms of the routes and last that of none, with what the network adds.
    fn weigh(
        &self,
        full: FullLogs<'_>,
        head: &Judgement,
        examples: &[usize],
        message: MessageFacts,
    ) -> Vec<f32> {
        let [asked, also, denied] =
            [full.asked, full.also, full.denied].map(|logs| log_softmax(logs.to_vec()));
        let seen = |logs: &[f32]| logs.iter().map(|log| log.max(LOG_MIN) / LOGS).collect::<Vec<f32>>();
        let [asked_seen, also_seen, denied_seen] = [&asked, &also, &denied].map(|logs| seen(logs));
        let voice = |belief: &f32| -ln(1.0 / belief.max(BELIEF_MIN)) / LOGS;
        let heads: Vec<f32> = head.beliefs.iter().map(voice).collect();
        let counts: Vec<f32> = examples.iter().map(|count| ln(as_real(1 + count)) / EXAMPLE_LOGS).collect();
        let routes = heads.len();
        let last = |logs: &[f32]| logs.last().copied().unwrap_or(LOG_MIN / LOGS);
        let own = asked_seen.get(..routes).unwrap_or_default();
        let best = own.iter().copied().fold(LOG_MIN / LOGS, f32::max);
        let second = if routes > 1 { two_most(own).1 } else { LOG_MIN / LOGS };
        let of_message = [
            last(&asked_seen),
            last(&also_seen),
            last(&denied_seen),
            best,
            second,
            head.fits,
            heads.iter().copied().fold(f32::MIN, f32::max),
            ln(as_real(routes)) / LOGS,
            counts.iter().sum::<f32>() / as_real(routes.max(1)),
            ln(as_real(1 + message.words.min(WORDS_MAX))) / LOGS,
            if message.follows { 1.0 } else { 0.0 },
        ];
        let mut inputs = [0.0; OF_ROUTE + OF_MESSAGE];
        inputs.iter_mut().skip(OF_ROUTE).zip(of_message).for_each(|(input, number)| *input = number);
        let at = |numbers: &[f32], route: usize| numbers.get(route).copied().unwrap_or_default();
        let mut weighed: Vec<f32> = Vec::with_capacity(routes + 1);
        for (route, head) in heads.iter().enumerate() {
            let log = at(&asked_seen, route);
            let top = if log >= best { 1.0 } else { 0.0 };
            let of_route =
                [log, at(&also_seen, route), at(&denied_seen, route), *head, at(&counts, route), top];
            inputs.iter_mut().zip(of_route).for_each(|(input, number)| *input = number);
            weighed.push(at(&asked, route) + self.routes.apply(&inputs) + dot(&self.route_line, &of_route));
        }
        weighed.push(last(&asked) + self.none.apply(&of_message) + dot(&self.none_line, &of_message));
        weighed
    }
}

fn dot(weights: &[f32], inputs: &[f32]) -> f32 {
    weights.iter().zip(inputs).map(|(weight, input)| weight * input).sum()
}

/// A mark of the weights: other weights have another.
pub fn weights_mark() -> u32 {
    FILE.iter().fold(0x811c_9dc5, |mark, byte| (mark ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

/// The probabilities of the routes, and last that of none of them.
pub(super) fn weigh(
    full: FullLogs<'_>,
    head: &Judgement,
    examples: &[usize],
    message: MessageFacts,
) -> Vec<f32> {
    let logits = match &*WEIGHER {
        Some(weigher) => weigher.weigh(full, head, examples, message),
        None => full.asked.to_vec(),
    };
    log_softmax(logits).into_iter().map(exp).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_weights_are_whole() {
        assert!(WEIGHER.is_some());
        assert!(Weigher::read(FILE.get(4..).unwrap_or_default()).is_none());
        assert!(Weigher::read(&[FILE, &[0; 4]].concat()).is_none());
    }

    /// What `training/blend.py` prints for the weights that it writes.
    #[test]
    fn the_training_comes_to_the_same() {
        let logs = [[0.5, 0.3, 0.2], [0.1, 0.2, 0.7], [0.05, 0.05, 0.9]];
        let [asked, also, denied] = logs.map(|shares: [f32; 3]| shares.map(|share| -ln(1.0 / share)));
        let full = FullLogs { asked: &asked, also: &also, denied: &denied };
        let head = Judgement { beliefs: vec![0.6, 0.2], fits: 0.8 };
        let beliefs = weigh(full, &head, &[3, 5], MessageFacts { words: 7, follows: true });
        for (belief, expected) in beliefs.iter().zip([0.64523, 0.34921, 0.00556]) {
            assert!((belief - expected).abs() < 1e-4, "{beliefs:?}");
        }
    }

    #[test]
    fn beliefs_add_up_and_both_voices_count() {
        let message = MessageFacts { words: 5, follows: false };
        let also = log_softmax(vec![0.0, 0.0, 6.0]);
        let of = |asked: [f32; 3], own: [f32; 2]| {
            let asked = log_softmax(asked.to_vec());
            let head = Judgement { beliefs: own.to_vec(), fits: 0.9 };
            let full = FullLogs { asked: &asked, also: &also, denied: &also };
            let beliefs = weigh(full, &head, &[8, 8], message);
            assert!((beliefs.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{beliefs:?}");
            beliefs
        };
        let (with, against) = (of([1.0, 0.9, 0.0], [0.9, 0.05]), of([1.0, 0.9, 0.0], [0.05, 0.9]));
        assert!(with[0] > against[0] && with[1] < against[1], "{with:?} {against:?}");
        let nowhere = of([0.0, 0.0, 6.0], [0.1, 0.1]);
        assert!(nowhere[2] > 0.8, "{nowhere:?}");
    }
}
