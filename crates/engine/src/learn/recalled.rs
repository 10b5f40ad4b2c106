//! What did a tier make of this message the last time? Costly tiers are asked once a message, cheap ones each time.

use waypost_core::head::Judgement;
use waypost_core::message::Reading;
use waypost_core::signals::confidence;

use super::Said;
use super::full::{Full, FullJudgement};
use super::tier::Tier;
use crate::budget::{self, Budget};
use crate::cache::{Fresh, Recall, checksum};
use crate::encode::EncodeError;

/// What came of a message: its vector, and what the head makes of it.
type Heard = (Vec<f32>, Judgement);

/// What a tier makes of a message, looked up where that is quicker and must be the same.
pub(super) fn hear(
    tier: &Tier,
    text: &str,
    reading: &Reading,
    recall: Option<Recall<'_>>,
    budget: &Budget<'_>,
) -> Result<Heard, EncodeError> {
    let compute = || budget.timed(budget::Tier::of(&*tier.encoder), || compute(tier, text, reading));
    // A head that learned in passing is not known by its key alone: which head it was before counts too.
    let Some(recall) = recall.filter(|_| tier.encoder.is_costly() && tier.in_passing == 0) else {
        return compute();
    };
    let asked = format!("judged by {}", tier.key);
    let bytes = recall.fetch(&asked, text, || {
        let heard = compute()?;
        let surest = heard.1.beliefs.iter().copied().fold(0.0, f32::max);
        Ok::<_, EncodeError>(Fresh { value: to_bytes(&heard), confidence: confidence(surest) })
    })?;
    let shape = tier.head.shape();
    from_bytes(&bytes, shape.dimensions, shape.classes).map_or_else(compute, Ok)
}

/// What the full model makes of a message after the turns before it, looked up where it may be.
pub(super) fn hear_fully(
    full: &Full,
    tier: &Tier,
    said: Said<'_>,
    head: &Judgement,
    recall: Option<Recall<'_>>,
    budget: &Budget<'_>,
) -> FullJudgement {
    let compute = || budget.timed(budget::Tier::FullModel, || full.hear(said, head));
    let Some(recall) = recall.filter(|_| tier.in_passing == 0) else {
        return compute();
    };
    let earlier = checksum(&format!("{:?}", said.earlier));
    let asked = format!("read by {} with {} after {earlier}", full.key, tier.key);
    let fetched = recall.fetch(&asked, said.text, || {
        let judged = compute();
        let surest = judged.judged.beliefs.iter().copied().fold(0.0, f32::max);
        let value = serde_json::to_vec(&judged)?;
        Ok::<_, serde_json::Error>(Fresh { value, confidence: confidence(surest) })
    });
    let kept = fetched.ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    kept.unwrap_or_else(compute)
}

fn compute(tier: &Tier, text: &str, reading: &Reading) -> Result<Heard, EncodeError> {
    tier.hear(text, reading).map(|(features, judged)| (features.vector, judged))
}

/// The vector, the beliefs and the fit, in this order.
fn to_bytes((vector, judged): &Heard) -> Vec<u8> {
    let numbers = vector.iter().chain(&judged.beliefs).chain([&judged.fits]);
    numbers.flat_map(|number| number.to_le_bytes()).collect()
}

/// The way back, if the bytes are as many as they must be.
fn from_bytes(bytes: &[u8], dimensions: usize, classes: usize) -> Option<Heard> {
    let (numbers, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() || numbers.len() != dimensions + classes + 1 {
        return None;
    }
    let mut numbers = numbers.iter().map(|number| f32::from_le_bytes(*number));
    let vector = numbers.by_ref().take(dimensions).collect();
    let beliefs = numbers.by_ref().take(classes).collect();
    Some((vector, Judgement { beliefs, fits: numbers.next()? }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_comes_back_to_the_bit() {
        let heard = (vec![0.1, -0.2], Judgement { beliefs: vec![0.7, 1e-9, f32::MIN_POSITIVE], fits: 0.3 });
        let bytes = to_bytes(&heard);
        assert_eq!(from_bytes(&bytes, 2, 3), Some(heard));
        for (dimensions, classes) in [(2, 2), (3, 3), (0, 0)] {
            assert_eq!(from_bytes(&bytes, dimensions, classes), None);
        }
        assert_eq!(from_bytes(&bytes[1..], 2, 3), None);
    }
}
