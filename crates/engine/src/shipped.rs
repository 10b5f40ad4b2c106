//! Which catalogs come with the binary?

use waypost_core::catalog::nearest;

use crate::Error;

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
    Shipped {
        name: "specialists",
        yaml: concat!(
            include_str!("../../../catalogs/specialists.yaml"),
            include_str!("../../../catalogs/labels.yaml")
        ),
    },
    Shipped {
        name: "context",
        yaml: concat!(
            include_str!("../../../catalogs/context.yaml"),
            include_str!("../../../catalogs/labels.yaml")
        ),
    },
];

/// The shipped catalog of this name.
pub fn shipped(name: &str) -> Result<&'static Shipped, Error> {
    let names = || SHIPPED.iter().map(|shipped| shipped.name);
    SHIPPED.iter().find(|shipped| shipped.name == name).ok_or_else(|| Error::UnknownCatalog {
        name: name.to_owned(),
        nearest: nearest(name, names()).map(str::to_owned),
        shipped: names().collect::<Vec<_>>().join(", "),
    })
}
