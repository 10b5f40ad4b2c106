//! What does a language model make of a message? What it says is checked, repaired once, or refused.
//!
//! It sees one tool and fills that tool's slots; where the trained reader read the message, only those the reader is not sure of, and it is not asked if a call
//! can run without it. Gates, bounds and questions are decided behind it as they are without it, so
//! that it can add no tool, open no gate and widen no range. Where it fails in any way our own reading stands.

mod prompt;
mod reply;
mod schema;

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use serde::Serialize;
use waypost_core::arguments::{Claim, Interpretation, Outcome, consider};
use waypost_core::gates::{self, GateAnswer};
use waypost_core::message::Reading;

use super::known::Known;
use super::{Interpreter, Request};
use crate::llm::{ChatModel, LlmError, LlmSettings, Prompt};
use crate::ports::LanguageModel;
use reply::Said;

/// Least time that is left for asking once more, in milliseconds: no model replies in less.
const REPAIR_MS_MIN: u64 = 20;

/// What came of asking a language model.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LlmTold {
    /// Whether its reply was taken.
    pub used: bool,
    /// How the form of its reply was asked for, where there was one.
    pub mode: Option<&'static str>,
    /// How often its endpoint was asked, at the least: an attempt that failed may have been several.
    pub requests: u32,
    /// How long it took, in milliseconds.
    pub elapsed_ms: f64,
    /// Why its reply was not taken.
    pub error: Option<LlmFault>,
}

/// Why a reply was not taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LlmFault {
    /// A stable name.
    pub code: &'static str,
    /// The same in words.
    pub message: String,
}

impl From<&LlmError> for LlmFault {
    fn from(error: &LlmError) -> LlmFault {
        LlmFault { code: error.code(), message: error.to_string() }
    }
}

/// A language model that fills slots, and the time it has for a message.
pub(super) struct Adviser {
    settings: LlmSettings,
    model: OnceLock<Result<Arc<dyn LanguageModel>, LlmError>>,
    budget: Duration,
}

impl Adviser {
    /// One behind an endpoint, which is looked up when it is first asked.
    pub fn new(settings: LlmSettings) -> Adviser {
        let budget = Duration::from_millis(settings.timeout_ms);
        Adviser { settings, model: OnceLock::new(), budget }
    }

    /// One of the host's choice.
    fn of(model: Arc<dyn LanguageModel>, budget: Duration) -> Adviser {
        Adviser { settings: LlmSettings::new(""), model: OnceLock::from(Ok(model)), budget }
    }

    fn model(&self) -> Result<&dyn LanguageModel, LlmFault> {
        let start = || {
            let model = ChatModel::new(self.settings.clone())?;
            Ok(Arc::new(model) as Arc<dyn LanguageModel>)
        };
        self.model.get_or_init(start).as_ref().map(AsRef::as_ref).map_err(LlmFault::from)
    }

    /// What it says, within its time, and what it took.
    fn ask(&self, prompt: Prompt, known: &Known) -> (Result<Said, LlmFault>, LlmTold) {
        let begun = Instant::now();
        let mut told = LlmTold::default();
        let said = self.ask_twice(prompt, known, begun, &mut told);
        // Whole microseconds: more is noise.
        told.elapsed_ms = (begun.elapsed().as_secs_f64() * 1e6).round() / 1e3;
        (said, told)
    }

    /// Asks, and once more where what came can be put right.
    fn ask_twice(
        &self,
        prompt: Prompt,
        known: &Known,
        begun: Instant,
        told: &mut LlmTold,
    ) -> Result<Said, LlmFault> {
        let model = self.model()?;
        let (fault, repair) = match ask_once(model, &prompt.clone().within(self.budget), known, told) {
            Ok(said) => return Ok(said),
            Err((fault, said)) => match said {
                Answered::Nothing => return Err(fault),
                Answered::NoJson => {
                    let again = prompt::again(prompt, None, &fault.message);
                    (fault, again)
                }
                Answered::Unfit(value) => {
                    let again = prompt::again(prompt, Some(&value), &fault.message);
                    (fault, again)
                }
            },
        };
        let left = self.budget.saturating_sub(begun.elapsed());
        if left < Duration::from_millis(REPAIR_MS_MIN) {
            return Err(fault);
        }
        ask_once(model, &repair.within(left), known, told).map_err(|(fault, _)| fault)
    }
}

/// What was answered that cannot be taken.
enum Answered {
    /// Nothing that asking again would change.
    Nothing,
    /// Something that is no JSON.
    NoJson,
    /// JSON that does not hold to what was asked for.
    Unfit(serde_json::Value),
}

fn ask_once(
    model: &dyn LanguageModel,
    prompt: &Prompt,
    known: &Known,
    told: &mut LlmTold,
) -> Result<Said, (LlmFault, Answered)> {
    let reply = match model.ask(prompt) {
        Ok(reply) => reply,
        Err(error) => {
            told.requests += u32::from(was_sent(&error));
            let no_json = matches!(error, LlmError::NotJson { .. });
            let answered = if no_json { Answered::NoJson } else { Answered::Nothing };
            return Err((LlmFault::from(&error), answered));
        }
    };
    told.requests += reply.requests;
    told.mode = Some(reply.mode.name());
    reply::read(&reply.value, known).map_err(|fault| (fault, Answered::Unfit(reply.value)))
}

/// Whether an endpoint was asked before this came of it.
fn was_sent(error: &LlmError) -> bool {
    !matches!(
        error,
        LlmError::Resting { .. }
            | LlmError::Busy { .. }
            | LlmError::OverBudget { .. }
            | LlmError::NoKey { .. }
            | LlmError::NoKeyFile { .. }
    )
}

impl Interpreter {
    /// The same with this language model instead of the catalog's. Nothing is asked before the first message.
    #[must_use]
    pub fn with_llm(self, settings: LlmSettings) -> Interpreter {
        Interpreter { adviser: Some(Adviser::new(settings)), ..self }
    }

    /// The same with a language model of your own, which has so much time for a message.
    #[must_use]
    pub fn with_language_model(self, model: Arc<dyn LanguageModel>, budget: Duration) -> Interpreter {
        Interpreter { adviser: Some(Adviser::of(model, budget)), ..self }
    }

    /// The same without a language model, whatever the catalog names.
    #[must_use]
    pub fn without_llm(self) -> Interpreter {
        Interpreter { adviser: None, ..self }
    }

    /// What was heard, with what a language model makes of the message, and what came of asking it.
    pub(super) fn advised(
        &self,
        request: &Request,
        known: &Known,
        before: &[GateAnswer],
        said: Interpretation,
    ) -> (Interpretation, Option<LlmTold>) {
        let Some(adviser) = &self.adviser else { return (said, None) };
        // A closed gate is not opened by values, and who says no more than to go on names none.
        let goes_on = self.catalog().proceed(&Reading::new(&request.text)).is_some();
        let nothing = request.text.trim().is_empty() || known.form.slots.is_empty();
        let sure = said.outcome == Outcome::Run || said.unsure.is_empty();
        if gates::closed(before).is_some() || goes_on || nothing || sure {
            return (said, Some(LlmTold::default()));
        }
        if let Some(fault) = known.unchecked() {
            let error = Some(LlmFault { code: "llm_unchecked", message: fault });
            return (said, Some(LlmTold { error, ..LlmTold::default() }));
        }
        let (claimed, told) = adviser.ask(self.prompt(request, known, &said), known);
        match claimed.and_then(|claimed| self.considered(request, known, &said, &claimed)) {
            Ok(said) => (said, Some(LlmTold { used: true, ..told })),
            Err(fault) => {
                let reason = format!("{}; the language model was not heard ({})", said.reason, fault.code);
                let reason = reason.trim_start_matches("; ").to_owned();
                (Interpretation { reason, ..said }, Some(LlmTold { error: Some(fault), ..told }))
            }
        }
    }

    /// Our own reading with the model's beside it.
    fn considered(
        &self,
        request: &Request,
        known: &Known,
        own: &Interpretation,
        claimed: &Said,
    ) -> Result<Interpretation, LlmFault> {
        if let Some(fault) = reply::unsure(claimed) {
            return Err(fault);
        }
        let claim = Claim { args: &claimed.args, confidence: claimed.confidence, of: &own.unsure };
        let heard = self.with_asked(request, known, |form, asked| consider(form, asked, own, &claim));
        let mut said =
            heard.map_err(|refused| LlmFault { code: refused.code(), message: refused.to_string() })?;
        if !claimed.reason.is_empty() {
            said.reason = format!("{}; the language model: {}", said.reason, claimed.reason);
            said.reason = said.reason.trim_start_matches("; ").to_owned();
        }
        Ok(said)
    }
}
