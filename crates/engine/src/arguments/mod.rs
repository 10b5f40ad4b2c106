//! With which values is a tool called? A message held against a tool's schema: a valid call, one question, or a plea to
//! rephrase.
//!
//! The [`Interpreter`] brings to the core's room `arguments` what it needs of the world: the catalog's tools and columns,
//! read once; what words mean; the time. It holds every call against its schema and every tool against its gates.

mod request;
mod answer;
mod kept;
mod known;
mod mentioned;
mod choose;
mod outcome;
mod llm;

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use serde_json::Value;
use waypost_core::arguments::{
    Asked, By, Evidence, Form, Interpretation, Outcome, ReaderOutput, interpret_pick, interpret_plain,
    interpret_reading, interpret_settled, question_for, reading_evidence,
};
use waypost_core::catalog::{Catalog, Off};
use waypost_core::gates::{self, GateAnswer, Guarded};
use waypost_core::limits::MESSAGE_BYTES_MAX;
use waypost_core::signals::confidence;
use waypost_core::trace::{CONTRACT_VERSION, CatalogRef};

pub use answer::{Answer, Clarification, Considered, SlotAnswer, Slots};
pub(crate) use answer::{named, rounded};
pub use llm::{LlmFault, LlmTold};
pub use mentioned::Mentioned;
pub use request::{ColumnGiven, Request, ToolGiven};

use crate::cache::checksum;
use crate::encode::{BuiltIn, ModelError, Reader};
use crate::ports::{Clock, SystemClock, elapsed_us, new_id};
use crate::retrieve::tools::{Toolbox, WhichTool};
use crate::{Error, Router};
use kept::Kept;
use known::{Known, ReadableForm, Shelf};

/// The variable that switches the interpreter off: `WAYPOST_CHOICES=0`.
const SWITCH: &str = "WAYPOST_CHOICES";

/// Why a message cannot be answered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// The tool that was named cannot be told.
    #[error(transparent)]
    Tool(#[from] WhichTool),
    /// A row's own tool is none.
    #[error("{0}; write it as {{\"name\", \"description\", \"schema\"}}")]
    BadTool(String),
    /// A tool's schema is no form that could be filled.
    #[error("{0}")]
    BadSchema(String),
    /// No tool is given, and there is none to choose from.
    #[error("there is no tool; name one of the catalog's with `tool`, or give its schema")]
    NoTools,
    /// The time is none.
    #[error(
        "{0:?} is no time; write it as 2027-03-04T15:30:00, with +01:00 or Z behind it where the zone matters"
    )]
    BadNow(String),
    /// The message is too long.
    #[error("the message has {bytes} bytes and may have {most}")]
    MessageTooLong {
        /// Its length.
        bytes: usize,
        /// The longest allowed.
        most: usize,
    },
    /// Something behind it failed.
    #[error("{0}")]
    Engine(String),
}

impl Refused {
    /// A stable code for programs.
    pub const fn code(&self) -> &'static str {
        match self {
            Refused::Tool(which) => which.code(),
            Refused::BadTool(_) => "bad_tool",
            Refused::BadSchema(_) => "bad_schema",
            Refused::NoTools => "no_tools",
            Refused::BadNow(_) => "bad_now",
            Refused::MessageTooLong { .. } => "message_too_long",
            Refused::Engine(_) => "engine",
        }
    }
}

/// What was heard for a tool, and what its gates said before anything was.
struct Heard {
    before: Vec<GateAnswer>,
    said: Interpretation,
}

/// A catalog's tools, ready to be called in free words. Safe to share between threads.
pub struct Interpreter {
    router: Router,
    encoder: Arc<BuiltIn>,
    clock: Arc<dyn Clock>,
    shelf: Shelf,
    /// The catalog's tools, ready to be found; read when a tool is first to be chosen.
    toolbox: OnceLock<Result<Toolbox, String>>,
    /// The same for tools that rows bring.
    boxes: Kept<String, Toolbox>,
    /// Whether the environment switches it off.
    switched_off: bool,
    /// The language model that is asked as well, where there is one.
    adviser: Option<llm::Adviser>,
    /// The trained reader that was given in the place of the one that comes with the library.
    reader: Option<Arc<Reader>>,
    /// The share of all messages that may be run with a wrong argument.
    max_wrong: f64,
}

impl Interpreter {
    /// The tools of a router's catalog. The router is asked where the tool is to be chosen.
    pub fn new(router: &Router, encoder: Arc<BuiltIn>) -> Interpreter {
        Interpreter {
            shelf: Shelf::new(router.catalog()),
            router: router.clone(),
            encoder,
            clock: Arc::new(SystemClock),
            toolbox: OnceLock::new(),
            boxes: Kept::default(),
            switched_off: std::env::var(SWITCH).is_ok_and(|said| said == "0"),
            adviser: router.catalog().llm().map(|choice| llm::Adviser::new(choice.into())),
            reader: None,
            max_wrong: router.catalog().choices().max_wrong(),
        }
    }

    /// The same with a trained reader from a file that `training/reader.py` made, in the place of the one that comes with the library.
    pub fn with_reader(self, file: &Path) -> Result<Interpreter, ModelError> {
        Ok(Interpreter { reader: Some(Arc::new(Reader::open(file)?)), ..self })
    }

    /// The same where another share of all messages may be run with a wrong argument than the catalog says.
    #[must_use]
    pub fn with_max_wrong(self, share: f64) -> Interpreter {
        Interpreter { max_wrong: share, ..self }
    }

    /// The same by a clock of your choice.
    #[must_use]
    pub fn with_clock(self, clock: impl Clock + 'static) -> Interpreter {
        Interpreter { clock: Arc::new(clock), ..self }
    }

    /// The catalog.
    pub fn catalog(&self) -> &Catalog {
        self.router.catalog()
    }

    /// Why the interpreter is not used for a conversation; nothing where it is.
    pub fn off(&self, session: Option<&str>) -> Option<Off> {
        if self.switched_off { Some(Off::Environment) } else { self.catalog().choices().off(session) }
    }

    /// What a message says for a tool: the one it names, else the one that is meant.
    pub fn answer(&self, request: &Request) -> Result<Answer, Refused> {
        let begun = Instant::now();
        let (bytes, most) = (request.text.len(), MESSAGE_BYTES_MAX);
        if bytes > most {
            return Err(Refused::MessageTooLong { bytes, most });
        }
        if let Some(off) = self.off(request.session_id.as_deref()) {
            return Ok(Answer { reason: off.reason().to_owned(), ..self.blank() });
        }
        let mut answer = match &request.tool {
            Some(given) => {
                let known = self.known(given)?;
                let heard = self.hear(request, &known)?;
                self.told(request, &known, heard)
            }
            None => self.chosen(request, self.choose(request)?),
        };
        let barred = answer.tool.as_deref().and_then(|tool| self.barred(request, tool));
        let blocked = match barred {
            // Not even the question whether to run it is asked.
            Some(barred) => Some(barred),
            None if answer.outcome == Outcome::Run => self.blocked(request)?,
            None => None,
        };
        if let Some(blocked) = blocked {
            answer.hold_back(&blocked);
        }
        answer.elapsed_us = elapsed_us(begun);
        Ok(answer)
    }

    /// The values that a message names, whatever the tool.
    pub fn mentions(&self, request: &Request) -> Result<Vec<Mentioned>, Refused> {
        Ok(mentioned::find(&request.text, &request.setting(self.clock.now_ms())?))
    }

    /// Reads a tool now, so that no message has to wait for it, and says whether it can be.
    pub fn get_ready(&self, tool: &ToolGiven) -> Result<(), Refused> {
        self.known(tool).map(|_| ())
    }

    /// Looks at the slots of a tool.
    pub fn with_form<R>(&self, tool: &ToolGiven, look: impl FnOnce(&Form) -> R) -> Result<R, Refused> {
        self.known(tool).map(|known| look(&known.form))
    }

    fn known(&self, given: &ToolGiven) -> Result<Arc<Known>, Refused> {
        self.shelf.known(self.catalog(), given)
    }

    /// The catalog's tools, ready to be found.
    fn toolbox(&self) -> Result<&Toolbox, Refused> {
        if self.catalog().tools().is_empty() {
            return Err(Refused::NoTools);
        }
        let read = || {
            Toolbox::of(self.catalog(), Arc::clone(&self.encoder))
                .map_err(|error| error.to_string())
                .map(|toolbox| toolbox.with_caches(self.router.caches()))
        };
        self.toolbox.get_or_init(read).as_ref().map_err(|error| Refused::Engine(error.clone()))
    }

    /// What a message says for the slots of one tool.
    fn hear(&self, request: &Request, known: &Known) -> Result<Heard, Refused> {
        let before = self.gates(known, request);
        let said = self.interpret(request, known)?;
        Ok(Heard { before, said: self.going_on(request, known, said) })
    }

    /// What is said, by the cheapest way that settles it: an option that is picked, plain values, and else the reader.
    fn interpret(&self, request: &Request, known: &Known) -> Result<Interpretation, Refused> {
        let nothing = request.text.trim().is_empty();
        if nothing && !request.settled.is_empty() {
            return self.with_asked(request, known, interpret_settled);
        }
        if nothing {
            return Ok(Interpretation {
                reason: "the message is empty".to_owned(),
                ..Interpretation::default()
            });
        }
        let is_answer = request.about.is_some() || !request.options.is_empty();
        let settled = self.with_asked(request, known, |form, asked| match is_answer {
            true => interpret_pick(form, asked),
            false if request.history.is_empty() => interpret_plain(form, asked),
            false => None,
        })?;
        match settled {
            Some(said) => Ok(said),
            None => self.read(request, known, interpret_reading),
        }
    }

    /// What is made of what the reader sees in a message, after what was said before it.
    fn read<R>(
        &self,
        request: &Request,
        known: &Known,
        with: impl FnOnce(&Form, &Asked<'_>, &ReaderOutput, &[&str]) -> R,
    ) -> Result<R, Refused> {
        let readable = known.readable(&self.shelf, request.columns.as_ref());
        let earlier = request.turns_of_user();
        let question = question_of(request, &readable.form);
        let turns: Vec<&str> = earlier.iter().copied().chain(question.as_deref()).collect();
        self.with_asked(request, known, |form, asked| {
            let reading = self.reading(request, &readable, asked.text, &turns)?;
            Ok(with(form, asked, &reading, &earlier))
        })?
    }

    /// What the reader sees in a message, looked up where it may be. A reader of somebody's choice reads each time.
    fn reading(
        &self,
        request: &Request,
        readable: &ReadableForm,
        text: &str,
        turns: &[&str],
    ) -> Result<ReaderOutput, Refused> {
        let read = || {
            let reader = self.reader()?;
            Ok(reader.read_message(readable.read_by(&reader), text, turns))
        };
        let Some(caches) = self.router.caches().filter(|_| self.reader.is_none()) else { return read() };
        let asked = format!("read after {}", checksum(&format!("{turns:?}")));
        // Runs are kept apart by acts: how likely the likeliest is says how sure the reading is.
        let sure = |read: &ReaderOutput| confidence(read.acts.iter().copied().fold(0.0, f32::max));
        readable.memo(caches).fetch((&asked, text), request.session_id.as_deref(), sure, read)
    }

    /// What a message's reading is judged by: `training/sure.py` learns from it.
    pub fn evidence(&self, request: &Request) -> Result<Option<Evidence>, Refused> {
        let Some(given) = &request.tool else { return Ok(None) };
        let known = self.known(given)?;
        self.read(request, &known, reading_evidence).map(Some)
    }

    fn reader(&self) -> Result<Arc<Reader>, Refused> {
        match &self.reader {
            Some(reader) => Ok(Arc::clone(reader)),
            None => Reader::shipped().map_err(|error| Refused::Engine(error.to_string())),
        }
    }

    /// Does something with a message and the form it is heard against.
    fn with_asked<R>(
        &self,
        request: &Request,
        known: &Known,
        with: impl FnOnce(&Form, &Asked<'_>) -> R,
    ) -> Result<R, Refused> {
        let options = request.options_read();
        let takes =
            |name: &str, value: &Value| known.form.place(name).is_some() && known.accepts(name, value);
        let remembered = request.remembered(takes);
        let asked = Asked {
            text: &request.text,
            setting: request.setting(self.clock.now_ms())?,
            options: &options,
            memory: Some(&remembered),
            about: request.about.as_deref(),
            question: request.question(),
            settled: (!request.settled.is_empty()).then_some(&request.settled),
            max_wrong: Some(self.max_wrong),
        };
        let readable = known.readable(&self.shelf, request.columns.as_ref());
        let form = self.as_things_stand(request, known, &readable.form);
        Ok(with(form.as_ref().unwrap_or(&readable.form), &asked))
    }

    /// The form with the defaults that hold in the session, if some do.
    fn as_things_stand(&self, request: &Request, known: &Known, form: &Form) -> Option<Form> {
        let place = known.place?;
        let default = |argument: &str| self.catalog().default_in(place, argument, &request.session);
        let holds = form.slots.iter().any(|slot| default(&slot.name).is_some());
        holds.then(|| {
            let mut form = form.clone();
            for slot in &mut form.slots {
                slot.default = default(&slot.name).cloned().or(slot.default.take());
            }
            form
        })
    }

    /// What the gates of a tool say. The message is no argument of it.
    fn gates(&self, known: &Known, request: &Request) -> Vec<GateAnswer> {
        let own = known.place.map(|_| known.tool.full_name());
        let check = |name: String| gates::check(self.catalog(), Guarded::Tool(&name), &request.session);
        own.map(check).unwrap_or_default()
    }

    /// An answer that says nothing yet.
    fn blank(&self) -> Answer {
        let catalog = self.catalog();
        Answer {
            version: CONTRACT_VERSION,
            id: new_id(),
            catalog: CatalogRef { name: catalog.name().to_owned(), hash: catalog.hash().to_owned() },
            outcome: Outcome::Rephrase,
            heard: Outcome::Rephrase,
            tool: None,
            args: serde_json::Map::new(),
            reason: String::new(),
            confidence: 0.0,
            all_right: None,
            matched_by: By::None,
            slots: Slots::default(),
            calls: Vec::new(),
            clarification: None,
            gates: Vec::new(),
            warnings: Vec::new(),
            tools: Vec::new(),
            llm: None,
            elapsed_us: 0.0,
        }
    }
}

/// The question that a message answers: as it was put, or as we put it for the slot that was asked for.
fn question_of(request: &Request, form: &Form) -> Option<String> {
    let asked = request.question().filter(|_| request.is_asked()).map(str::to_owned);
    asked.or_else(|| Some(question_for(form, request.about.as_deref()?, &[])?.question))
}

impl From<Error> for Refused {
    fn from(error: Error) -> Refused {
        Refused::Engine(error.to_string())
    }
}
