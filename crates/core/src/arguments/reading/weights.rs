//! Numbers that `training/sure.py` fitted on tools that the reader had not learned from; it writes this file.

use super::sure::{MESSAGE_FACTS, SLOT_CASES, SLOT_FACTS};

/// What each fact of a slot counts, by case.
#[rustfmt::skip]
pub(super) const SLOT_RIGHT: [[f32; SLOT_FACTS]; SLOT_CASES] = [
    [0.1169, -0.3164, -0.0116, 0.1014, 0.3943, 0.0658],
    [0.6937, -0.3065, 0.2189, 0.0576, 0.0000, -0.3241],
    [0.7788, 0.2010, -0.0278, 0.0288, 0.0000, -0.1135],
    [0.2776, 0.1299, 0.5060, 0.0032, 0.0000, -0.1945],
    [0.5469, 0.0138, 0.0932, -0.0226, 0.0000, -0.0786],
    [0.2213, 0.2053, 0.5871, -0.0647, 0.0000, -0.1693],
    [0.4823, -0.0614, -0.0028, 0.0466, 0.0000, 0.0156],
    [0.9330, 0.1839, -0.0670, -0.0020, 0.0000, 0.0256],
    [0.5206, -0.0843, 0.0195, 0.0749, 0.0000, -0.1915],
    [0.4407, 0.0273, 0.1551, 0.0604, 0.0000, -0.0593],
    [0.8000, 0.0000, 0.0000, 0.0000, 0.0000, 0.0000],
];

/// What each fact of a message counts.
#[rustfmt::skip]
pub(super) const ALL_RIGHT: [f32; MESSAGE_FACTS] = [0.7599, 0.1358, 0.0258, 0.0356, -0.0155, -0.3412, 0.7076, 0.0954, 0.2971, -0.1181, 0.0922];

/// How likely all of a call must be right for it to be run, by the share of all messages that may be run wrongly.
#[rustfmt::skip]
pub(super) const NEEDED: [(f64, f32); 9] = [(0.0, 1.100), (0.001, 0.965), (0.005, 0.939), (0.01, 0.879), (0.02, 0.800), (0.05, 0.593), (0.1, 0.294), (0.2, 0.053), (1.0, 0.000)];
