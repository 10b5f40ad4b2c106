//! Numbers that `training/sure.py` fitted on tools that the reader had not learned from; it writes this file.

use super::sure::{MESSAGE_FACTS, SLOT_CASES, SLOT_FACTS};

/// What each fact of a slot counts, by case.
#[rustfmt::skip]
pub(super) const SLOT_RIGHT: [[f32; SLOT_FACTS]; SLOT_CASES] = [
    [0.0776, -0.4026, -0.0105, 0.0511, -0.3782, -0.5450],
    [0.7002, -0.2998, 0.3208, 0.0169, 0.0000, -0.3366],
    [0.3967, -0.1096, -0.0569, -0.0532, 0.0000, -0.9314],
    [0.2653, 0.1326, 0.5780, -0.0109, 0.0000, -0.0017],
    [0.5355, 0.0115, 0.0256, -0.0033, 0.0000, -0.1367],
    [0.2486, 0.1592, 0.6582, -0.0259, 0.0000, -0.2354],
    [0.6868, 0.0038, 0.0394, 0.0047, 0.0000, -0.0870],
    [0.9223, 0.0608, -0.0777, -0.0032, 0.0000, -0.0584],
    [0.4807, -0.0511, -0.0337, 0.0374, 0.0000, -0.4276],
    [0.5393, 0.0134, 0.0772, 0.0226, 0.0000, -0.2116],
    [0.2509, -0.4837, 0.0727, 0.1392, 0.0974, -0.0192],
    [0.8148, -0.1428, -0.0056, 0.0305, 0.0000, 0.0004],
];

/// What each fact of a message counts.
#[rustfmt::skip]
pub(super) const ALL_RIGHT: [f32; MESSAGE_FACTS] = [0.6553, 0.4243, 0.0881, 0.0236, -0.0077, -0.2913, -0.0003, -0.0749, 0.4400, -0.1058, -0.3749];

/// How likely all of a call must be right for it to be run, by the share of all messages that may be run wrongly.
#[rustfmt::skip]
pub(super) const NEEDED: [(f64, f32); 9] = [(0.0, 1.100), (0.001, 0.974), (0.005, 0.939), (0.01, 0.883), (0.02, 0.767), (0.05, 0.526), (0.1, 0.067), (0.2, 0.067), (1.0, 0.000)];
