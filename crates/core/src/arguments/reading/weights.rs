//! Numbers that `training/sure.py` fitted on tools that the reader had not learned from; it writes this file.

use super::sure::{MESSAGE_FACTS, SLOT_CASES, SLOT_FACTS};

/// What each fact of a slot counts, by case.
#[rustfmt::skip]
pub(super) const SLOT_RIGHT: [[f32; SLOT_FACTS]; SLOT_CASES] = [
    [0.1790, -0.1512, 0.0190, 0.0150, 0.4206, -0.1603],
    [0.6221, -0.3820, 0.2330, 0.1672, 0.0000, -0.2867],
    [0.8059, 0.3024, 0.0077, 0.0169, 0.0000, -0.0324],
    [0.2587, 0.1284, 0.3746, 0.0053, 0.0000, -0.1911],
    [0.4822, 0.0304, 0.1278, -0.0313, 0.0000, -0.0585],
    [0.5264, 0.4038, 0.3884, 0.0080, 0.0000, -0.6435],
    [0.3550, 0.0306, 0.0119, -0.0191, 0.0000, -0.0504],
    [0.9303, 0.3562, -0.0697, 0.0718, 0.0000, -0.0428],
    [0.5818, 0.0381, 0.0582, 0.0399, 0.0000, -0.1821],
    [0.3679, -0.0872, 0.2135, 0.1387, 0.0000, -0.1356],
];

/// What each fact of a message counts.
#[rustfmt::skip]
pub(super) const ALL_RIGHT: [f32; MESSAGE_FACTS] = [0.9600, 0.1513, 0.0140, -0.0664, -0.2922, 0.2737, 0.0978, -0.0204, -0.1992, -0.0431];

/// How likely all of a call must be right for it to be run, by the share of all messages that may be run wrongly.
#[rustfmt::skip]
pub(super) const NEEDED: [(f64, f32); 9] = [(0.0, 1.100), (0.001, 0.948), (0.005, 0.904), (0.01, 0.863), (0.02, 0.788), (0.05, 0.596), (0.1, 0.388), (0.2, 0.009), (1.0, 0.000)];
