//! How do we refer to a route? By its rank among the names, so that the order of the file means nothing.

/// A route of a compiled catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RouteId(pub(crate) u32);

impl RouteId {
    /// The route's index in the catalog's own list.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
