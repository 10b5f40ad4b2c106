//! What comes of a request that names nothing, such as "fix it"?

use super::shape::Presence::Optional;
use super::shape::{Key, Shape};

/// The key of a catalog.
pub(super) const VAGUE: Key = Key {
    name: "vague",
    shape: Shape::Choice(&["ask", "decide"]),
    presence: Optional,
    says: "What comes of a request that names nothing, with nothing said before it (\"fix it\"). `ask`: the person is asked what it is about. `decide` (the default): it is decided like any other message.",
};

/// What comes of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Vague {
    /// The person is asked what it is about.
    Ask,
    /// It is decided like any other message.
    #[default]
    Decide,
}
