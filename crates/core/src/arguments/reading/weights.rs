//! Numbers that `training/sure.py` fitted on tools that the reader had not learned from; it writes this file.

use super::sure::{MESSAGE_FACTS, SLOT_CASES, SLOT_FACTS};

/// What each fact of a slot counts, by case.
#[rustfmt::skip]
pub(super) const SLOT_RIGHT: [[f32; SLOT_FACTS]; SLOT_CASES] = [
    [0.1555, -0.1905, 0.0026, 0.0653, 0.7694, -0.0344],
    [0.6479, -0.3529, 0.2476, 0.1304, 0.0000, -0.2809],
    [0.7953, 0.2490, -0.0337, 0.0675, 0.0000, 0.0349],
    [0.2353, 0.1341, 0.4515, -0.0002, 0.0000, -0.2030],
    [0.4260, -0.0036, 0.0647, -0.0027, 0.0000, 0.0823],
    [0.4615, 0.3836, 0.4964, 0.0075, 0.0000, -0.3145],
    [0.4487, -0.0497, 0.1021, 0.0017, 0.0000, 0.0156],
    [0.9179, 0.3246, -0.0821, 0.0262, 0.0000, -0.0495],
    [0.6082, 0.0271, 0.0443, 0.0454, 0.0000, -0.2143],
    [0.3966, -0.0777, 0.1030, 0.0492, 0.0000, -0.0893],
];

/// What each fact of a message counts.
#[rustfmt::skip]
pub(super) const ALL_RIGHT: [f32; MESSAGE_FACTS] = [0.8200, 0.1635, 0.0233, -0.0684, -0.0860, -0.1828, 0.1580, -0.0217, -0.2566, -0.2190, -0.1051];

/// How likely all of a call must be right for it to be run, by the share of all messages that may be run wrongly.
#[rustfmt::skip]
pub(super) const NEEDED: [(f64, f32); 9] = [(0.0, 1.100), (0.001, 0.948), (0.005, 0.910), (0.01, 0.875), (0.02, 0.799), (0.05, 0.587), (0.1, 0.338), (0.2, 0.016), (1.0, 0.000)];
