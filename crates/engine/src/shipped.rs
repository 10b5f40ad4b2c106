//! Which catalogs come with the binary?

use waypost_core::catalog::nearest;

use crate::{Error, Router};

/// A catalog that comes with the binary.
#[derive(Clone, Copy, Debug)]
pub struct Shipped {
    /// What `--catalog` calls it.
    pub name: &'static str,
    /// Its YAML, comments and all.
    pub yaml: &'static str,
    /// The documents that it names, by their paths.
    pub documents: &'static [(&'static str, &'static str)],
}

/// A document of a shipped catalog, by its path there.
macro_rules! document {
    ($path:literal) => {
        ($path, include_str!(concat!("../../../catalogs/", $path)))
    };
}

/// The shipped catalogs; the first is the default.
pub const SHIPPED: &[Shipped] = &[
    Shipped { name: "starter", yaml: include_str!("../../../catalogs/starter.yaml"), documents: &[] },
    Shipped { name: "triad", yaml: include_str!("../../../catalogs/triad.yaml"), documents: &[] },
    Shipped { name: "choices", yaml: include_str!("../../../catalogs/choices.yaml"), documents: &[] },
    Shipped {
        name: "specialists",
        yaml: concat!(
            include_str!("../../../catalogs/specialists.yaml"),
            include_str!("../../../catalogs/labels.yaml")
        ),
        documents: &[],
    },
    Shipped {
        name: "context",
        yaml: concat!(
            include_str!("../../../catalogs/context.yaml"),
            include_str!("../../../catalogs/labels.yaml")
        ),
        documents: &[
            document!("knowledge/agile_artifacts.md"),
            document!("knowledge/api_documentation.md"),
            document!("knowledge/architecture_docs.md"),
            document!("knowledge/coding_standards.md"),
            document!("knowledge/security_guidelines.md"),
            document!("knowledge/testing_patterns.md"),
        ],
    },
];

impl Router {
    /// The shipped catalog of this name, as it is written.
    pub fn shipped(name: &str) -> Result<&'static Shipped, Error> {
        let names = || SHIPPED.iter().map(|shipped| shipped.name);
        SHIPPED.iter().find(|shipped| shipped.name == name).ok_or_else(|| Error::UnknownCatalog {
            name: name.to_owned(),
            nearest: nearest(name, names()).map(str::to_owned),
            shipped: names().collect::<Vec<_>>().join(", "),
        })
    }
}
