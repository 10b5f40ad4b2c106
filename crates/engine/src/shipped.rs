//! Which catalogs come with the binary?

/// A catalog that comes with the binary.
#[derive(Clone, Copy, Debug)]
pub struct Shipped {
    /// What `--catalog` calls it.
    pub name: &'static str,
    /// Its YAML, comments and all.
    pub yaml: &'static str,
}

/// The shipped catalogs; the first is the default.
pub const SHIPPED: &[Shipped] = &[
    Shipped { name: "starter", yaml: include_str!("../../../catalogs/starter.yaml") },
    Shipped { name: "triad", yaml: include_str!("../../../catalogs/triad.yaml") },
];
