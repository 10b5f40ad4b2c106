//! What happened? Events as JSON lines, written aside so that no answer waits for them or fails by them.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value};
use waypost_core::arguments::{By, Outcome};
use waypost_core::catalog::Catalog;
use waypost_core::conversation::{Call, Reply};
use waypost_core::gates::GateAnswer;

use super::TurnAnswer;
use crate::arguments::{self, named, rounded};
use crate::{folders, locks};

/// Most events that wait to be written; further ones are lost, and counted. A file writes hundreds of thousands a second.
const WAITING_MAX: usize = 4_096;
/// How long the end of a program waits for the last events to be written: a blink; a file that hangs holds nobody up.
const END_WAIT: Duration = Duration::from_millis(500);

/// What happened.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type")]
pub enum Event {
    /// A message was routed.
    #[serde(rename = "router_event")]
    Route {
        /// The conversation.
        session_id: String,
        /// The route.
        route: Option<String>,
        /// How sure it was.
        #[serde(serialize_with = "rounded")]
        confidence: f32,
        /// What follows.
        outcome: Outcome,
        /// What its gates said.
        gates: Vec<GateAnswer>,
        /// What was said.
        #[serde(skip_serializing_if = "Option::is_none")]
        user_text: Option<String>,
    },
    /// A message was interpreted.
    #[serde(rename = "choice_event")]
    Choice {
        /// The conversation, where there is one.
        session_id: Option<String>,
        /// The tool.
        tool: Option<String>,
        /// The arguments, as far as they are known.
        args: Map<String, Value>,
        /// How sure the whole was.
        #[serde(serialize_with = "rounded")]
        confidence: f32,
        /// How the weakest slot was found.
        #[serde(serialize_with = "named")]
        matched_by: By,
        /// What follows.
        outcome: Outcome,
        /// What was said.
        #[serde(skip_serializing_if = "Option::is_none")]
        user_text: Option<String>,
    },
    /// A call is complete.
    #[serde(rename = "tool_event")]
    Tool {
        /// The conversation.
        session_id: String,
        /// The tool.
        tool: String,
        /// Its arguments.
        args: Map<String, Value>,
        /// What became of it: `would_run`, since tools are called by whoever asked.
        outcome: &'static str,
        /// How long it took to make the call, in milliseconds.
        latency_ms: f64,
    },
}

impl Event {
    pub(super) fn route(session: &str, reply: &Reply, user_text: Option<String>) -> Event {
        Event::Route {
            session_id: session.to_owned(),
            route: reply.route.clone(),
            confidence: reply.route_confidence,
            outcome: reply.outcome,
            gates: reply.gates.clone(),
            user_text,
        }
    }

    pub(super) fn choice(session: Option<&str>, answer: &TurnAnswer, user_text: Option<String>) -> Event {
        Event::Choice {
            session_id: session.map(str::to_owned),
            tool: answer.tool.clone(),
            args: answer.args.clone(),
            confidence: answer.confidence,
            matched_by: answer.matched_by,
            outcome: answer.outcome,
            user_text,
        }
    }

    /// What `waypost args` answered.
    pub fn answered(session: Option<&str>, answer: &arguments::Answer, user_text: Option<String>) -> Event {
        Event::Choice {
            session_id: session.map(str::to_owned),
            tool: answer.tool.clone(),
            args: answer.args.clone(),
            confidence: answer.confidence,
            matched_by: answer.matched_by,
            outcome: answer.outcome,
            user_text,
        }
    }

    pub(super) fn tool(session: &str, call: &Call, latency_us: f64) -> Event {
        Event::Tool {
            session_id: session.to_owned(),
            tool: call.tool.clone(),
            args: call.args.clone(),
            outcome: "would_run",
            latency_ms: latency_us.round() / 1000.0,
        }
    }
}

/// Whether events hold what the user wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UserText {
    /// As the catalog says.
    AsCatalog,
    /// Never.
    Left,
}

/// Where events go: a file that a thread of its own writes, a line an event.
pub struct Events {
    waiting: Option<SyncSender<String>>,
    ended: Receiver<()>,
    lost: Arc<AtomicU64>,
    failed: Arc<Mutex<Option<String>>>,
    user_text: UserText,
}

impl Events {
    /// Events at the end of a file, which is made where there is none and then read by its owner alone.
    pub fn to_file(path: &Path, user_text: UserText) -> Events {
        let (waiting, events) = sync_channel::<String>(WAITING_MAX);
        let (end, ended) = sync_channel(1);
        let (lost, failed) = (Arc::<AtomicU64>::default(), Arc::<Mutex<Option<String>>>::default());
        let (path, told) = (path.to_owned(), Arc::clone(&failed));
        let written = move || {
            if let Err(error) = write(&path, &events) {
                *locks::open(&told) = Some(format!("{}: {error}", path.display()));
            }
            // Nobody may be left who waits for it.
            let _ = end.try_send(());
        };
        let begun = thread::Builder::new().name("events".to_owned()).spawn(written);
        let waiting = begun.is_ok().then_some(waiting);
        Events { waiting, ended, lost, failed, user_text }
    }

    /// What the user wrote, where events may hold it.
    pub fn text(&self, catalog: &Catalog, text: &str) -> Option<String> {
        let told = self.user_text == UserText::AsCatalog && catalog.choices().event_text();
        told.then(|| text.to_owned())
    }

    /// Tells an event; waits for nothing.
    pub fn tell(&self, event: &Event) {
        let line = serde_json::to_string(event).ok();
        let sent = line.zip(self.waiting.as_ref()).map(|(line, waiting)| waiting.try_send(line + "\n"));
        if !matches!(sent, Some(Ok(()))) {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// How many events could not be told, and why, where some could not.
    pub fn lost(&self) -> Option<String> {
        let failed = locks::open(&self.failed).clone();
        let lost = self.lost.load(Ordering::Relaxed);
        (lost > 0 || failed.is_some()).then(|| {
            format!("events were lost: {}", failed.unwrap_or_else(|| format!("{lost} came too fast")))
        })
    }

    /// Writes what still waits, and says what was lost.
    pub fn finish(mut self) -> Option<String> {
        self.end();
        self.lost()
    }

    fn end(&mut self) {
        if self.waiting.take().is_some() {
            let _ = self.ended.recv_timeout(END_WAIT);
        }
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        self.end();
    }
}

fn write(path: &Path, events: &Receiver<String>) -> std::io::Result<()> {
    folders::make_private(path)?;
    let mut file = File::options().append(true).open(path)?;
    // A line is one write, so that processes may share the file.
    events.iter().try_for_each(|line| file.write_all(line.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(text: Option<&str>) -> Event {
        Event::Choice {
            session_id: Some("s".to_owned()),
            tool: Some("brew".to_owned()),
            args: Map::new(),
            confidence: 0.9,
            matched_by: By::Alias,
            outcome: Outcome::Run,
            user_text: text.map(str::to_owned),
        }
    }

    #[test]
    fn every_event_is_a_line_at_the_end_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/events.jsonl");
        for text in [Some("one"), None] {
            let events = Events::to_file(&path, UserText::AsCatalog);
            events.tell(&event(text));
            assert_eq!(events.finish(), None);
        }
        let written = std::fs::read_to_string(&path).unwrap();
        let start = r#"{"type":"choice_event","session_id":"s","tool":"brew","args":{},"confidence":0.9,"matched_by":"alias","outcome":"run""#;
        assert_eq!(written, format!("{start},\"user_text\":\"one\"}}\n{start}}}\n"));
    }

    #[test]
    fn a_file_that_cannot_be_written_fails_nothing_and_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let events = Events::to_file(folder.path(), UserText::Left);
        for _ in 0..3 {
            events.tell(&event(None));
        }
        let lost = events.finish().unwrap();
        assert!(lost.starts_with("events were lost: "), "{lost}");
    }
}
