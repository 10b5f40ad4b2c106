//! What may a catalog say about thresholds? Their keys, those of rules, and those of signals.

use super::super::shape::Presence::{Needed, Optional};
use super::super::shape::{Key, Shape, Table};

/// How sure is sure enough.
pub static THRESHOLDS: Table = Table {
    title: "the thresholds",
    one_of: &[],
    keys: &[
        Key {
            name: "base",
            shape: Shape::Share(0, 100),
            presence: Optional,
            says: "The least confidence to act on; the value itself is enough. Default 0.4.",
        },
        Key {
            name: "high",
            shape: Shape::Share(0, 100),
            presence: Optional,
            says: "The least confidence called high. Default 0.7.",
        },
        Key {
            name: "window",
            shape: Shape::Share(0, 100),
            presence: Optional,
            says: "Routes no further than this below the best are settled by priority. Default 0.15.",
        },
        Key {
            name: "target_precision",
            shape: Shape::Share(50, 99),
            presence: Optional,
            says: "How often a route taken by what was learned must be right, such as 0.98. Picks a threshold for each route, from examples it had not learned from; `waypost fit` shows and keeps them. Without it heads use `base`, and the full model 0.93, which takes a confidence of 0.49, or `base` if that is higher.",
        },
        Key {
            name: "least",
            shape: Shape::Share(0, 100),
            presence: Optional,
            says: "What no rule may put the threshold below. Default 0.",
        },
        Key {
            name: "most",
            shape: Shape::Share(0, 100),
            presence: Optional,
            says: "What no rule may put the threshold above. Default 1.",
        },
        Key {
            name: "strict",
            shape: Shape::Share(0, 100),
            presence: Optional,
            says: "From here on a threshold that rules may move is called strict. Default 0.75.",
        },
        Key {
            name: "lenient",
            shape: Shape::Share(0, 100),
            presence: Optional,
            says: "Up to here a threshold that rules may move is called lenient. Default 0.65.",
        },
        Key {
            name: "rules",
            shape: Shape::List(&Shape::Table(&RULE), 0),
            presence: Optional,
            says: "What moves the threshold. Of the rules that fire one is applied: by priority, then up before down, then the higher threshold, then the id.",
        },
        Key {
            name: "signals",
            shape: Shape::List(&Shape::Table(&SIGNAL), 0),
            presence: Optional,
            says: "What is worth noticing about the user, the machine and the task. Signals are told and move nothing by themselves; rules may ask for them as `signals.NAME`.",
        },
    ],
};

/// A rule that moves the threshold.
static RULE: Table = Table {
    title: "a rule of the threshold",
    one_of: &[],
    keys: &[
        Key {
            name: "id",
            shape: Shape::Name,
            presence: Needed,
            says: "What the rule is called; unique among the rules.",
        },
        Key {
            name: "when",
            shape: Shape::Text,
            presence: Needed,
            says: "The condition under which it fires, such as `user.reputation_score >= 0.8 and not environment.is_production`.",
        },
        Key {
            name: "threshold",
            shape: Shape::Share(0, 100),
            presence: Needed,
            says: "Where it puts the threshold, within `least` and `most`.",
        },
        Key {
            name: "priority",
            shape: Shape::Whole(-1000, 1000),
            presence: Optional,
            says: "Which rule is applied when several fire: the higher number. Default 0.",
        },
        Key {
            name: "direction",
            shape: Shape::Choice(&["up", "down"]),
            presence: Optional,
            says: "Whether it is stricter (`up`) or more lenient (`down`) than the base. Default: what its threshold is.",
        },
        Key { name: "reason", shape: Shape::Text, presence: Needed, says: "Why, in a person's words." },
    ],
};

/// Something worth noticing.
static SIGNAL: Table = Table {
    title: "a signal",
    one_of: &[],
    keys: &[
        Key {
            name: "name",
            shape: Shape::Name,
            presence: Needed,
            says: "What the signal is called; unique among the signals.",
        },
        Key {
            name: "source",
            shape: Shape::Choice(&["user", "resource", "context"]),
            presence: Needed,
            says: "What it is about: the user's earlier tasks, the machine, or the task and where it runs.",
        },
        Key {
            name: "when",
            shape: Shape::Text,
            presence: Needed,
            says: "The condition under which it is seen. It may not ask for other signals.",
        },
        Key {
            name: "recommends",
            shape: Shape::Choice(&["up", "down", "neutral"]),
            presence: Needed,
            says: "What it would do to the threshold.",
        },
        Key {
            name: "value",
            shape: Shape::Share(0, 100),
            presence: Optional,
            says: "Where it would put the threshold, within `least` and `most`.",
        },
        Key { name: "reason", shape: Shape::Text, presence: Needed, says: "Why, in a person's words." },
    ],
};
