//! How far off is a head that is learning?

use std::ops::Range;

use super::train::Lesson;
use super::{Select, Shape, exact};

/// Turns logits into the error of each class; returns its square.
pub(super) fn error(logits: &mut [f32], shape: Shape, outputs: usize, lesson: &Lesson<'_>) -> f32 {
    match shape.select {
        Select::One => believe_one(logits, outputs),
        Select::Many => {
            for logit in logits.iter_mut().take(outputs) {
                *logit = exact::sigmoid(*logit);
            }
        }
    }
    let mut wanted = |class: usize, share: f32| {
        if let Some(belief) = logits.get_mut(class) {
            *belief -= share;
        }
    };
    match (lesson.classes, shape.select) {
        ([], Select::One) => wanted(shape.classes, 1.0),
        (classes, Select::One) => {
            let share = exact::part_of(classes.len());
            for class in classes {
                wanted(*class, share);
            }
        }
        (classes, Select::Many) => classes.iter().for_each(|class| wanted(*class, 1.0)),
    }
    logits.iter().map(|share| share * share).sum()
}

/// The same, question by question: where the lesson has no answer there is no error.
pub(super) fn error_by_layer(logits: &mut [f32], layers: &[Range<usize>], lesson: &Lesson<'_>) -> f32 {
    let mut square = 0.0;
    for layer in layers {
        let answer = lesson.classes.iter().find(|class| layer.contains(class));
        let Some(own) = logits.get_mut(layer.clone()) else { continue };
        match answer {
            Some(class) => {
                believe_one(own, layer.len());
                if let Some(belief) = own.get_mut(class - layer.start) {
                    *belief -= 1.0;
                }
            }
            None => own.fill(0.0),
        }
        square += own.iter().map(|share| share * share).sum::<f32>();
    }
    square
}

/// Turns logits into beliefs that are one in all; what fills up the row is believed nothing.
fn believe_one(logits: &mut [f32], outputs: usize) {
    let highest = logits.iter().take(outputs).copied().fold(f32::MIN, f32::max);
    let mut sum = 0.0;
    for (class, logit) in logits.iter_mut().enumerate() {
        *logit = if class < outputs { exact::exp(*logit - highest) } else { 0.0 };
        sum += *logit;
    }
    for share in logits.iter_mut() {
        *share /= sum;
    }
}
