//! Numbers that `training/sure.py` fitted on tools that the reader had not learned from; it writes this file.

use super::sure::{MESSAGE_FACTS, SLOT_CASES, SLOT_FACTS};

/// What each fact of a slot counts, by case.
#[rustfmt::skip]
pub(super) const SLOT_RIGHT: [[f32; SLOT_FACTS]; SLOT_CASES] = [
    [0.0719, -0.3560, -0.0104, 0.0549, -0.3515, -0.4397],
    [0.6854, -0.3147, 0.2886, 0.0258, 0.0000, -0.1988],
    [0.3439, -0.1085, -0.0698, -0.0210, 0.0000, -0.7551],
    [0.2329, 0.1064, 0.5263, -0.0237, 0.0000, -0.1261],
    [0.4697, 0.0154, 0.0479, -0.0288, 0.0000, -0.1927],
    [0.2814, 0.2150, 0.6199, -0.0497, 0.0000, -0.3061],
    [0.6205, -0.0344, 0.0940, 0.0059, 0.0000, -0.1466],
    [0.9253, 0.1414, -0.0747, -0.0150, 0.0000, -0.0322],
    [0.4674, -0.0228, -0.0139, 0.0370, 0.0000, -0.3757],
    [0.5476, 0.0208, 0.0618, 0.0356, 0.0000, -0.1693],
    [0.2672, -0.4836, 0.0608, 0.1653, 0.0889, -0.0131],
    [0.8291, -0.1423, 0.0020, 0.0871, 0.0000, -0.0116],
];

/// What each fact of a message counts.
#[rustfmt::skip]
pub(super) const ALL_RIGHT: [f32; MESSAGE_FACTS] = [0.6888, 0.4681, 0.0608, 0.0209, -0.0160, -0.2787, 0.1236, -0.0430, 0.3868, -0.1754, -0.3050];

/// How likely all of a call must be right for it to be run, by the share of all messages that may be run wrongly.
#[rustfmt::skip]
pub(super) const NEEDED: [(f64, f32); 9] = [(0.0, 1.100), (0.001, 0.978), (0.005, 0.945), (0.01, 0.878), (0.02, 0.780), (0.05, 0.488), (0.1, 0.063), (0.2, 0.063), (1.0, 0.000)];
