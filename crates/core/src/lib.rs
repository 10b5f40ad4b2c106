//! How Waypost decides.
//!
//! A message goes through rooms, each a module that answers one question and uses only the rooms before it:
//! [`message`] (what was said?), [`catalog`] (what can be chosen?), [`threshold`] (how sure must we be?),
//! [`signals`] (what did we notice?), [`scores`] (what is it worth?), [`decision`] (is it enough?), [`gates`] (may we?) and [`trace`] (why?).
//! Every stage is a plain function on plain values. Nothing here touches the world: no files, no clock, no threads, no
//! randomness; the same [`Situation`](message::Situation) and [`Catalog`](catalog::Catalog) give the same decision.
//!
//! ```
//! use waypost_core::catalog::{Catalog, Source};
//! use waypost_core::message::{Message, Reading, Situation};
//! use waypost_core::{decision, scores, signals};
//!
//! let yaml = "routes: [{name: billing, description: Money, patterns: ['charged.*twice']}]";
//! let catalog = Catalog::read(&[Source::new("example.yaml", yaml)], "example").catalog.ok_or("bad catalog")?;
//!
//! let situation = Situation { message: Message::from("I was charged twice!"), ..Situation::default() };
//! let reading = Reading::new(&situation.message.text);
//! let signals = signals::notice(&catalog, &situation, &reading);
//! let scores = scores::weigh(&signals.found, catalog.thresholds().base);
//! let decision = decision::decide(&catalog, &signals, &scores, catalog.thresholds().base);
//!
//! assert_eq!(decision.ranked.first().map(|route| catalog.route_name(*route)), Some("billing"));
//! # Ok::<(), &str>(())
//! ```

#![forbid(unsafe_code)]

pub mod measure;
pub mod limits;
pub mod history;
pub mod resources;
pub mod message;
pub mod entities;
pub mod mentions;
pub mod head;
pub mod fewshot;
pub mod catalog;
pub mod context;
pub mod preflight;
pub mod threshold;
pub mod signals;
pub mod scores;
pub mod decision;
pub mod selection;
pub mod arguments;
pub mod gates;
pub mod conversation;
pub mod trace;
