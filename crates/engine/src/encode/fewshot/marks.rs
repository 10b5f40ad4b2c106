//! What does a reading point at? The words of a part of the message, and the turn before it that it continues.

use std::ops::Range;

use super::{MARK_MIN, TURNS, Tokens};

/// The stretch of the text whose words a reading marks: from the first to the last of the longest run, which a word in between that
/// is not marked does not end.
pub(super) fn marked(pool: &[f32], tokens: &Tokens, places: &[Range<usize>]) -> Option<Range<usize>> {
    let marked = pool.iter().zip(&tokens.words).filter(|(weight, _)| **weight > MARK_MIN);
    let mut words: Vec<usize> = marked.filter_map(|(_, word)| *word).collect();
    words.dedup();
    let runs = words.chunk_by(|one, next| next - one <= 2);
    let longest = runs.max_by_key(|run| run.len())?;
    let (first, last) = (places.get(*longest.first()?)?, places.get(*longest.last()?)?);
    Some(first.start..last.end)
}

/// The earlier turn that a message continues, unless it continues none.
pub(super) fn continued_turn(pool: &[f32], tokens: &Tokens) -> Option<usize> {
    let score = |turn: usize| {
        let of: Vec<f32> =
            pool.iter().zip(&tokens.turns).filter(|(_, t)| **t == Some(turn)).map(|(w, _)| *w).collect();
        (!of.is_empty()).then(|| waypost_core::fewshot::log_mean_exp(&of))
    };
    let scored = (0..TURNS).filter_map(|turn| Some((turn, score(turn)?)));
    scored.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, score)| *score > 0.0).map(|(turn, _)| turn)
}
