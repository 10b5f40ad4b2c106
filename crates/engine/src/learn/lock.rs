//! How sure must what was learned be? Chosen by `waypost fit`, and kept in a file beside the catalog.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use waypost_core::catalog::{Catalog, RouteId};
use waypost_core::head::{Kept, Promise, Promises, RISK};
use waypost_core::measure::{Confidence, Points};
use waypost_core::signals::confidence;

/// The lock of a catalog that is a folder.
const FOLDER_LOCK: &str = "waypost.lock";
/// The version of its layout.
const VERSION: u32 = 1;

/// The thresholds chosen for a catalog: a precision wanted, and how sure each route must be for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lock {
    /// The version of the layout.
    pub version: u32,
    /// The catalog's name.
    pub catalog: String,
    /// The precision wanted.
    pub target_precision: f64,
    /// The risk that a promise is not kept.
    pub risk: f64,
    /// What each encoder's head promises, cheapest first.
    pub tiers: Vec<LockedTier>,
}

/// The thresholds of one encoder's head.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LockedTier {
    /// The encoder.
    pub encoder: String,
    /// What the head was learned from; with other examples the thresholds no longer hold.
    pub learned: String,
    /// What holds for all routes together.
    pub pooled: Locked,
    /// What holds for each route.
    pub routes: BTreeMap<String, Locked>,
}

/// One threshold, and what it rests on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Locked {
    /// How sure the route must be.
    pub threshold: Confidence,
    /// How the promise is kept.
    pub promised: Promised,
    /// Examples judged by heads that had not learned from them.
    pub examples: usize,
    /// Those among them that are sure enough.
    pub above: usize,
    /// The right ones among those.
    pub right: usize,
}

/// How a promise is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Promised {
    /// By the route's own examples.
    Alone,
    /// By all routes together.
    Together,
    /// Not at all: there are too few examples.
    No,
}

/// Why a lock file cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LockError {
    /// It cannot be read or written.
    #[error("cannot read or write the lock file {}: {cause}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why not.
        cause: std::io::Error,
    },
    /// It is no lock file.
    #[error("{} is no lock file that this version reads: {cause}; `waypost fit` writes it anew", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        cause: String,
    },
}

impl Lock {
    /// Where the lock of a catalog is: beside its file under the same name (`waypost.lock`), or in its folder.
    pub fn beside(catalog: &Path) -> PathBuf {
        if catalog.is_dir() { catalog.join(FOLDER_LOCK) } else { catalog.with_extension("lock") }
    }

    /// Whether any of its thresholds is promised.
    pub fn promises(&self) -> bool {
        self.tiers.iter().any(|tier| tier.pooled.promised != Promised::No)
    }

    /// Reads a lock; nothing where there is no such file.
    pub fn read(path: &Path) -> Result<Option<Lock>, LockError> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(cause) => return Err(LockError::File { path: path.to_owned(), cause }),
        };
        let unreadable = |cause: String| LockError::Unreadable { path: path.to_owned(), cause };
        let lock: Lock = serde_json::from_str(&text).map_err(|error| unreadable(error.to_string()))?;
        if lock.version == VERSION {
            Ok(Some(lock))
        } else {
            Err(unreadable(format!("its version is {}", lock.version)))
        }
    }

    /// Writes the lock: beside, then renamed, so that no reader sees half of it.
    pub fn write(&self, path: &Path) -> Result<(), LockError> {
        let failed = |cause: std::io::Error| LockError::File { path: path.to_owned(), cause };
        let json = serde_json::to_string_pretty(self).map_err(|error| failed(error.into()))? + "\n";
        super::cache::put(path, json.as_bytes()).map_err(failed)
    }

    pub(super) fn of(catalog: &Catalog, target: f64, tiers: Vec<LockedTier>) -> Lock {
        let catalog = catalog.name().to_owned();
        Lock { version: VERSION, catalog, target_precision: target, risk: RISK, tiers }
    }

    /// How sure each of the routes must be for the head of this key; nothing where the lock does not know it.
    pub(super) fn needed(&self, key: &str, catalog: &Catalog, routes: &[RouteId]) -> Option<Vec<Confidence>> {
        let tier = self.tiers.iter().find(|tier| tier.learned == key)?;
        let needed = |route: &RouteId| {
            // The base may have been raised since.
            let base = catalog.thresholds().base;
            tier.routes
                .get(catalog.route_name(*route))
                .map_or(tier.pooled.threshold, |locked| locked.threshold)
                .max(base)
        };
        Some(routes.iter().map(needed).collect())
    }
}

impl LockedTier {
    pub(super) fn of(
        encoder: &str,
        key: &str,
        catalog: &Catalog,
        routes: &[RouteId],
        promises: &Promises,
    ) -> LockedTier {
        let named = routes.iter().map(|route| catalog.route_name(*route).to_owned());
        LockedTier {
            encoder: encoder.to_owned(),
            learned: key.to_owned(),
            pooled: Locked::of(&promises.pooled, catalog),
            routes: named.zip(promises.classes.iter().map(|class| Locked::of(class, catalog))).collect(),
        }
    }
}

impl Locked {
    fn of(promise: &Promise, catalog: &Catalog) -> Locked {
        Locked {
            threshold: needed_for(promise, catalog),
            promised: match promise.kept {
                Kept::Alone => Promised::Alone,
                Kept::Together => Promised::Together,
                Kept::Not => Promised::No,
            },
            examples: promise.examples,
            above: promise.above,
            right: promise.right,
        }
    }
}

/// The confidence a promise asks for, rounded up: what is rounded down would let one more through. Never less than the
/// catalog's base: the examples that keep a promise tell nothing about messages that belong nowhere.
pub(super) fn needed_for(promise: &Promise, catalog: &Catalog) -> Confidence {
    let exact = confidence(promise.threshold.min(1.0));
    let below = exact.points().share() < f64::from(promise.threshold);
    let up = if below { Points::from_share(1e-6) } else { Points::ZERO };
    Confidence::new(exact.points() + up).max(catalog.thresholds().base)
}

/// A mark of thresholds: equal marks are equal thresholds.
pub(super) fn digest(needed: &[Confidence]) -> String {
    let shares: Vec<String> = needed.iter().map(|needed| needed.points().share().to_string()).collect();
    let bytes = Sha256::digest(shares.join(" "));
    bytes.iter().take(4).fold(" at ".to_owned(), |digits, byte| format!("{digits}{byte:02x}"))
}
