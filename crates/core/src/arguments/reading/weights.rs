//! Numbers that `training/sure.py` fitted on tools that the reader had not learned from; it writes this file.

use super::sure::{MESSAGE_FACTS, SLOT_CASES, SLOT_FACTS};

/// What each fact of a slot counts, by case.
#[rustfmt::skip]
pub(super) const SLOT_RIGHT: [[f32; SLOT_FACTS]; SLOT_CASES] = [
    [0.1057, -0.3338, -0.0225, 0.1173, 0.3851, 0.1051],
    [0.6698, -0.3304, 0.2575, 0.0553, 0.0000, -0.2938],
    [0.8051, 0.2316, -0.0164, 0.0244, 0.0000, -0.1083],
    [0.3360, 0.1840, 0.4860, -0.0034, 0.0000, -0.2644],
    [0.5174, -0.0121, 0.1435, -0.0707, 0.0000, -0.1875],
    [0.2674, 0.2338, 0.6147, -0.0301, 0.0000, -0.1733],
    [0.4663, -0.0374, 0.0181, 0.0156, 0.0000, -0.0126],
    [0.9185, 0.1286, -0.0815, 0.0130, 0.0000, -0.0202],
    [0.5048, -0.1297, 0.0050, 0.0920, 0.0000, -0.1900],
    [0.4078, 0.0314, 0.1571, 0.0616, 0.0000, -0.0514],
    [0.8000, 0.0000, 0.0000, 0.0000, 0.0000, 0.0000],
    [0.8000, 0.0000, 0.0000, 0.0000, 0.0000, 0.0000],
];

/// What each fact of a message counts.
#[rustfmt::skip]
pub(super) const ALL_RIGHT: [f32; MESSAGE_FACTS] = [0.7986, 0.1809, 0.0074, 0.0235, -0.0323, -0.3947, 0.5518, 0.1410, 0.3806, -0.2030, 0.1106];

/// How likely all of a call must be right for it to be run, by the share of all messages that may be run wrongly.
#[rustfmt::skip]
pub(super) const NEEDED: [(f64, f32); 9] = [(0.0, 1.100), (0.001, 0.974), (0.005, 0.931), (0.01, 0.872), (0.02, 0.767), (0.05, 0.565), (0.1, 0.228), (0.2, 0.039), (1.0, 0.000)];
