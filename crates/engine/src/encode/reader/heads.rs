//! What follows from the states of message and marks? Where values stand, which are wanted, and what the message does.

use waypost_core::arguments::{Piece, ReaderOutput, SEVERAL_MIN, SlotOutput, SpeechAct};
use waypost_core::head::similarity;

use super::super::dense::Dense;
use super::super::layers::{Linear, count, exp, softmax};
use super::super::stack::WIDTH;
use super::super::weights::{ModelError, Weights};
use super::KeptTool;

/// Length of what marks and tokens are compared by.
const KEY: usize = 96;
/// What a mark asks a token: whether it is the first or the last of a value, begins a part of a list, or goes on with one.
const QUESTIONS: usize = 4;
const FIRST: usize = 0;
const LAST: usize = 1;
const BEGINS: usize = 2;
const GOES_ON: usize = 3;
/// Longest value, in tokens.
const SPAN_TOKENS: usize = 40;
/// Pieces of the message that are kept for a slot.
const PIECES_KEPT: usize = 16;
/// What a value may be in a message: absent, wanted, rejected or merely mentioned.
const STANCES: usize = 4;
const ABSENT: usize = 0;
const WANTED: usize = 1;
/// Numbers by which a mark is judged: its own state, what it sees of the message, and both together.
const JUDGED: usize = 3 * WIDTH;

/// The heads of the reader.
#[derive(Debug)]
pub(super) struct Heads {
    ask: Linear,
    tell: Linear,
    seek: Linear,
    show: Linear,
    none: Dense,
    bias: Dense,
    yes: Dense,
    afternoon: Dense,
    doubt: Dense,
    none_wanted: Dense,
    stance: Dense,
    act: Dense,
    several: Dense,
    unmet: Dense,
}

impl Heads {
    pub(super) fn read(weights: &Weights) -> Result<Heads, ModelError> {
        let linear = |name: &str, rows: usize| Linear::of_shape(weights, name, rows, WIDTH);
        let dense = |name: &str, rows: usize, inputs: usize| {
            Dense::read(weights, &format!("head.{name}"), rows, inputs)
        };
        Ok(Heads {
            ask: linear("ask", QUESTIONS * KEY)?,
            tell: linear("tell", QUESTIONS * KEY)?,
            seek: linear("seek", KEY)?,
            show: linear("show", KEY)?,
            none: dense("none", 1, WIDTH)?,
            bias: dense("bias", 2, WIDTH)?,
            yes: dense("flag", 1, JUDGED)?,
            afternoon: dense("noon", 1, JUDGED)?,
            doubt: dense("doubt", 1, JUDGED)?,
            none_wanted: dense("pick", 1, JUDGED)?,
            stance: dense("stance", STANCES, JUDGED)?,
            act: dense("act", SpeechAct::ALL.len(), WIDTH)?,
            several: dense("several", 1, WIDTH)?,
            unmet: dense("unmet", 1, WIDTH)?,
        })
    }

    /// What a message says for the slots of a tool.
    pub(super) fn judge(
        &self,
        tool: &KeptTool,
        message: &[f32],
        marks: &[f32],
        places: &[Option<Piece>],
    ) -> ReaderOutput {
        let (slots, _) = marks.split_at(tool.slots * WIDTH);
        let (asks, tells) = (self.ask.apply(slots), self.tell.apply(message));
        let judged = self.judged(marks, message);
        let (judged_slots, judged_values) = judged.split_at(tool.slots.min(judged.len()));
        let whole = message.get(..WIDTH).unwrap_or_default();
        let several = sigmoid(self.several.one(0, whole));
        let slot = |at: usize| -> Option<SlotOutput> {
            let (state, judged) = (slots.get(at * WIDTH..(at + 1) * WIDTH)?, judged_slots.get(at)?);
            let asks = Asks { of_slot: asks.get(at * QUESTIONS * KEY..)?, tells: &tells, places };
            let (none, pieces) = asks.pieces(self.none.one(0, state));
            let is_list = tool.many.get(at) == Some(&true);
            let all = (is_list || several >= SEVERAL_MIN)
                .then(|| asks.parts(self.bias.one(0, state), self.bias.one(1, state)));
            let (parts, repeats) = if is_list { (all, None) } else { (None, all) };
            let values = tool.values.iter().zip(judged_values).filter(|(slot, _)| **slot == at);
            let stances: Vec<[f32; STANCES]> = values
                .map(|(_, value)| std::array::from_fn(|stance| self.stance.one(stance, value)))
                .collect();
            let mut choices: Vec<f32> =
                stances.iter().map(|stance| stance[WANTED] - stance[ABSENT]).collect();
            choices.push(self.none_wanted.one(0, judged));
            let mut choices = softmax(choices);
            Some(SlotOutput {
                none,
                pieces,
                parts: parts.unwrap_or_default(),
                repeats: repeats.unwrap_or_default(),
                none_wanted: choices.pop().unwrap_or(1.0),
                choices,
                each_wanted: stances.iter().map(wanted).collect(),
                yes: sigmoid(self.yes.one(0, judged)),
                afternoon: sigmoid(self.afternoon.one(0, judged)),
                doubt: sigmoid(self.doubt.one(0, judged)),
            })
        };
        let acts = softmax((0..SpeechAct::ALL.len()).map(|act| self.act.one(act, whole)).collect());
        ReaderOutput {
            slots: (0..tool.slots).filter_map(slot).collect(),
            acts: std::array::from_fn(|act| acts.get(act).copied().unwrap_or_default()),
            several,
            unmet: sigmoid(self.unmet.one(0, whole)),
            is_cut: false,
        }
    }

    /// By what each mark is judged.
    fn judged(&self, marks: &[f32], message: &[f32]) -> Vec<Vec<f32>> {
        let (seeks, shows) = (self.seek.apply(marks), self.show.apply(message));
        let scale = 1.0 / count(KEY).sqrt();
        let judged = |(mark, seek): (&[f32], &[f32])| {
            let near = shows.chunks_exact(KEY).map(|show| similarity(seek, show) * scale);
            let weights = softmax(near.collect());
            let mut seen = vec![0.0; WIDTH];
            for (state, weight) in message.chunks_exact(WIDTH).zip(weights) {
                for (seen, value) in seen.iter_mut().zip(state) {
                    *seen += weight * value;
                }
            }
            let both = mark.iter().zip(&seen).map(|(one, other)| one * other);
            mark.iter().copied().chain(seen.iter().copied()).chain(both).collect()
        };
        marks.chunks_exact(WIDTH).zip(seeks.chunks_exact(KEY)).map(judged).collect()
    }
}

/// What one slot asks the tokens of a message.
struct Asks<'r> {
    of_slot: &'r [f32],
    tells: &'r [f32],
    places: &'r [Option<Piece>],
}

impl Asks<'_> {
    /// What each token answers to a question.
    fn answers(&self, question: usize) -> Vec<f32> {
        let scale = 1.0 / count(KEY).sqrt();
        let key = question * KEY..(question + 1) * KEY;
        let asked = self.of_slot.get(key.clone()).unwrap_or_default();
        let told = self.tells.chunks_exact(QUESTIONS * KEY);
        told.map(|told| similarity(asked, told.get(key.clone()).unwrap_or_default()) * scale).collect()
    }

    /// How likely no value is said, and the likeliest pieces.
    fn pieces(&self, none: f32) -> (f32, Vec<(Piece, f32)>) {
        let (first, last) = (self.answers(FIRST), self.answers(LAST));
        let mut scored: Vec<(f32, Piece)> = Vec::new();
        for (from, (start, place)) in first.iter().zip(self.places).enumerate() {
            let Some(begin) = place else { continue };
            for (end, place) in last.iter().zip(self.places).skip(from).take(SPAN_TOKENS) {
                let Some(end_place) = place.filter(|place| place.turn == begin.turn) else { break };
                let span = begin.span.joined(end_place.span);
                scored.push((start + end, Piece { turn: begin.turn, span }));
            }
        }
        let most = scored.iter().map(|(score, _)| *score).fold(none, f32::max);
        let mut total = exp(none - most);
        for (score, _) in &mut scored {
            *score = exp(*score - most);
            total += *score;
        }
        scored.sort_by(|(left, _), (right, _)| right.total_cmp(left));
        scored.truncate(PIECES_KEPT);
        let pieces = scored.into_iter().map(|(score, piece)| (piece, score / total)).collect();
        (exp(none - most) / total, pieces)
    }

    /// The parts of a list, each as likely as it begins there.
    fn parts(&self, begin_bias: f32, go_on_bias: f32) -> Vec<(Piece, f32)> {
        let begins = self.answers(BEGINS);
        let goes_on = self.answers(GOES_ON);
        let mut parts: Vec<(Piece, f32)> = Vec::new();
        let mut open = false;
        for ((begin, go_on), place) in begins.iter().zip(&goes_on).zip(self.places) {
            let Some(place) = place else {
                open = false;
                continue;
            };
            if begin + begin_bias > 0.0 {
                parts.push((*place, sigmoid(begin + begin_bias)));
                open = true;
            } else if open && go_on + go_on_bias > 0.0 {
                if let Some((part, _)) = parts.last_mut() {
                    part.span = part.span.joined(place.span);
                }
            } else {
                open = false;
            }
        }
        parts
    }
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// How likely a value is wanted, taken by itself.
fn wanted(stance: &[f32; STANCES]) -> f32 {
    softmax(stance.to_vec()).get(WANTED).copied().unwrap_or_default()
}
