//! The routing layer for AI agents: which route a message needs, how sure that is, and why.
//!
//! ```
//! use waypost::{Message, Router};
//!
//! let router = Router::from_catalog("triad")?;
//! let answer = router.route(&Message::from("The statistics show wrong counts"))?;
//! assert_eq!(answer.route.as_deref(), Some("surgical"));
//! # Ok::<(), waypost::Error>(())
//! ```
//!
//! A [`Router`] holds one compiled catalog: a shipped one by its name, or your own by its path. It decides on
//! the calling thread, in microseconds, without a network. [`Router::route`] gives the
//! [`Answer`]; [`Router::trace`] the whole account behind it, which [`Router::replay`] decides again.

pub mod ports;
mod folders;
mod spread;
mod locks;
mod http;
mod import;
mod llm;
mod resources;
mod surroundings;
pub mod store;
mod documents;
mod cache;
mod budget;
mod workers;
pub mod encode;
mod vectors;
pub mod learn;
pub mod knowledge;
pub mod eval;
pub mod retrieve;
mod error;
mod shipped;
mod load;
mod router;
pub mod arguments;
mod conversation;
#[cfg(test)]
mod loopback;

pub use error::Error;
pub use load::{check, find_catalog};
pub use router::{Replay, Router};
pub use shipped::SHIPPED;

pub use waypost_core::catalog::Catalog;
pub use waypost_core::decision::Outcome;
pub use waypost_core::message::Message;
pub use waypost_core::trace::{Answer, Trace};

/// The rooms behind the router, for those who want to go further in.
pub use waypost_core as core;
