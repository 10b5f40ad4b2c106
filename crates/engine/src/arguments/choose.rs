//! Which tool is meant, where nobody says? What tools are for names a few; what the message says for their slots decides.

use std::sync::Arc;

use waypost_core::arguments::{By, Interpretation, Outcome};
use waypost_core::decision::Outcome as Decided;
use waypost_core::message::Message;
use waypost_core::preflight::Blocked;

use super::known::Known;
use super::request::{Request, ToolGiven};
use super::{Considered, Heard, Interpreter, Refused};
use crate::retrieve::tools::{Asked as AskedTools, Toolbox};

/// Most tools whose slots are looked at: those behind are meant too rarely for what they cost.
const CONTENDERS_MAX: usize = 3;
/// Tools that are less sure than this part of the best are not looked at: no slot makes up for that.
const CLOSE: f32 = 0.25;
/// How much surer a tool is for a required slot that the message fills for certain, and how much less for one that it leaves
/// open, as logarithms of odds. On odd lines of a public set of two to four tools a message, 99 of 100 are then right; by what
/// the tools are for alone, 98.
const FILLED: f32 = 0.8;
const OPEN: f32 = -1.2;

/// A tool that may be meant, with what the message says for it.
pub(super) struct Contender {
    pub known: Arc<Known>,
    pub heard: Heard,
    pub told: Considered,
}

/// What came of choosing.
pub(super) struct Choice {
    /// The tools looked at, the likeliest first.
    pub contenders: Vec<Contender>,
    /// Whether any of them serves the message.
    pub fits: bool,
    /// The route that the message goes to and that has no tool, where that is so.
    pub without_tool: Option<String>,
}

impl Interpreter {
    /// The tools that may be meant, the likeliest first.
    pub(super) fn choose(&self, request: &Request) -> Result<Choice, Refused> {
        if !request.tools.is_empty() {
            let known: Vec<Arc<Known>> =
                request.tools.iter().map(|given| self.known(given)).collect::<Result<_, _>>()?;
            let toolbox = self.toolbox_of(&request.tools, &known)?;
            return self.among(request, &toolbox, &known, None);
        }
        let catalog = self.catalog();
        let linked = self.linked(request)?;
        if let Some((route, tools)) = &linked
            && tools.is_empty()
        {
            let without_tool = Some(route.clone());
            return Ok(Choice { contenders: Vec::new(), fits: false, without_tool });
        }
        let toolbox = self.toolbox()?;
        let known = |place: usize| self.shelf.own(catalog, place);
        let known: Vec<Arc<Known>> = (0..catalog.tools().len()).map(known).collect::<Result<_, _>>()?;
        self.among(request, toolbox, &known, linked.map(|(_, tools)| tools).as_deref())
    }

    /// The route that a message goes to for sure, with the ids of its tools, where routes of the catalog have tools.
    fn linked(&self, request: &Request) -> Result<Option<(String, Vec<String>)>, Refused> {
        let catalog = self.catalog();
        if catalog.routes().all(|(_, route)| route.expertise.tools.is_empty()) {
            return Ok(None);
        }
        let answer = self.router.route(&message(request));
        let answer = answer.map_err(|error| Refused::Engine(error.to_string()))?;
        let Some(name) = answer.route.filter(|_| answer.outcome != Decided::Abstain) else { return Ok(None) };
        let route = catalog.routes().find(|(_, route)| *route.name == *name).map(|(_, route)| route);
        let tools = route.map(|route| route.expertise.tools.as_slice()).unwrap_or_default();
        let place = |tool: &String| catalog.tool_place(tool).and_then(|place| catalog.tools().get(place));
        Ok(Some((name, tools.iter().filter_map(place).map(|tool| tool.id.clone()).collect())))
    }

    /// What forbids that the message's task begins, where the catalog takes precautions.
    pub(super) fn blocked(&self, request: &Request) -> Result<Option<Blocked>, Refused> {
        if !self.catalog().precautions().is_asked() {
            return Ok(None);
        }
        self.router.held(&message(request)).map_err(|error| Refused::Engine(error.to_string()))
    }

    /// What forbids a tool in safe mode.
    pub(super) fn barred(&self, request: &Request, tool: &str) -> Option<Blocked> {
        let is_asked = self.catalog().precautions().is_asked();
        is_asked.then(|| self.router.barred(&message(request), tool)).flatten()
    }

    fn among(
        &self,
        request: &Request,
        toolbox: &Toolbox,
        known: &[Arc<Known>],
        among: Option<&[String]>,
    ) -> Result<Choice, Refused> {
        let asked = AskedTools {
            text: &request.text,
            most: CONTENDERS_MAX,
            among,
            session: request.session_id.as_deref(),
            ..AskedTools::default()
        };
        let found = toolbox.find(&asked);
        // What the route is sure of needs no second opinion.
        let fits = found.fits || among.is_some();
        let best = found.tools.first().map_or(0.0, |tool| share(tool.confidence));
        let mut contenders = Vec::new();
        for tool in found.tools.iter().take(CONTENDERS_MAX) {
            let confidence = share(tool.confidence);
            let own = |known: &&Arc<Known>| known.tool.id == tool.id && known.tool.server == tool.server;
            let Some(known) = known.iter().find(own).filter(|_| confidence >= CLOSE * best) else { continue };
            let heard = self.hear(request, known)?;
            let told = Considered {
                name: known.tool.full_name(),
                confidence,
                share: joint(confidence, &heard.said, known),
            };
            contenders.push(Contender { known: Arc::clone(known), heard, told });
        }
        into_shares(&mut contenders);
        contenders.sort_by(|left, right| right.told.share.total_cmp(&left.told.share));
        Ok(Choice { contenders, fits, without_tool: None })
    }

    /// The tools of a row, ready to be found.
    fn toolbox_of(&self, given: &[ToolGiven], known: &[Arc<Known>]) -> Result<Arc<Toolbox>, Refused> {
        let key = format!("{given:?}");
        self.boxes.get(&key, || {
            let tools = known.iter().map(|known| known.tool.clone()).collect();
            let toolbox = Toolbox::new(tools, Arc::clone(&self.encoder));
            toolbox
                .map(|toolbox| toolbox.with_caches(self.router.caches()))
                .map_err(|error| Refused::Engine(error.to_string()))
        })
    }
}

/// A request as a message to be routed.
fn message(request: &Request) -> Message {
    Message {
        text: request.text.clone(),
        session: request.session.clone(),
        session_id: request.session_id.clone(),
        environment: request.environment.clone(),
        history: request.history.clone(),
        ..Message::default()
    }
}

/// How far a tool is meant, as a logarithm of odds: by what it is for, and by each required slot as far as it is filled.
fn joint(confidence: f32, heard: &Interpretation, known: &Known) -> f32 {
    let required = known.form.slots.iter().filter(|slot| slot.required);
    let slot = |slot: &waypost_core::arguments::form::Slot| {
        let filled = heard.slots.iter().find(|filled| filled.slot == slot.name);
        // A default says nothing about what is meant.
        match filled.filter(|filled| filled.by != By::Default) {
            Some(filled) if filled.doubt.is_none() => OPEN + (FILLED - OPEN) * filled.confidence,
            _ if slot.default.is_some() => 0.0,
            _ => OPEN,
        }
    };
    let rephrase = if heard.outcome == Outcome::Rephrase { OPEN } else { 0.0 };
    odds(confidence) + rephrase + required.map(slot).sum::<f32>()
}

/// Logarithms of odds as shares of one.
fn into_shares(contenders: &mut [Contender]) {
    let most = contenders.iter().map(|contender| contender.told.share).fold(f32::NEG_INFINITY, f32::max);
    for contender in &mut *contenders {
        contender.told.share = (contender.told.share - most).exp();
    }
    let sum: f32 = contenders.iter().map(|contender| contender.told.share).sum();
    for contender in contenders {
        contender.told.share /= sum.max(f32::MIN_POSITIVE);
    }
}

/// The logarithm of the odds of a share of one, which is never quite nothing or all.
fn odds(share: f32) -> f32 {
    let share = share.clamp(0.01, 0.99);
    (share / (1.0 - share)).ln()
}

#[allow(clippy::cast_possible_truncation)] // a share of one
fn share(confidence: waypost_core::measure::Confidence) -> f32 {
    confidence.points().share() as f32
}
