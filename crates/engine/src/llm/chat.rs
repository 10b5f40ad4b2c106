//! How is a language model asked? In turn, within its bounds, in the surest form that the endpoint can do.

use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use reqwest::Url;
use serde_json::Value;

use super::abilities::{Abilities, Lesson};
use super::attempts::{Call, Line, Stop};
use super::error::LlmError;
use super::prompt::{Prompt, Reply, ReplyMode, Usage};
use super::purse::{Empty, Purse, guess};
use super::settings::{LlmSettings, base, below};
use super::slots::Slots;
use super::wire::{self, Manner, Unfit};
use crate::http::{HttpError, address, shown};
use crate::locks::open;
use crate::ports::{Clock, LanguageModel, SystemClock};

/// Most models that are told where one must be named.
const MODELS_TOLD_MAX: usize = 8;

/// A language model behind an endpoint that speaks OpenAI's chat completions.
///
/// It may be asked from many threads, those of an async runtime included; a call blocks until there is a reply or a reason why
/// not, and never longer than its time. Redirections are followed within one origin alone, so that the key goes nowhere else.
///
/// ```no_run
/// use serde_json::json;
/// use waypost::ports::LanguageModel;
/// use waypost::ports::llm::{ChatModel, LlmSettings, Prompt};
///
/// let model = ChatModel::new(LlmSettings::new("http://localhost:11434/v1"))?;
/// let schema = json!({
///     "type": "object",
///     "properties": { "colour": { "enum": ["red", "blue"] } },
///     "required": ["colour"],
///     "additionalProperties": false
/// });
/// let prompt = Prompt::new("paint", schema).system("Which colour is meant?").user("like the sky, please");
/// let reply = model.ask(&prompt)?;
/// println!("{} ({}, {})", reply.value, reply.mode.name(), reply.usage);
/// # Ok::<(), waypost::ports::llm::LlmError>(())
/// ```
pub struct ChatModel {
    settings: LlmSettings,
    id: String,
    place: String,
    base: Url,
    line: Line,
    slots: Slots,
    purse: Mutex<Purse>,
    abilities: Mutex<Abilities>,
    served: Mutex<Option<Served>>,
    clock: Arc<dyn Clock>,
}

/// What an endpoint serves that was asked for no model.
#[derive(Clone, Debug)]
enum Served {
    /// This one alone.
    One(String),
    /// It does not say, so that it needs no name.
    Unnamed,
    /// Several, of which one must be named.
    Several(String),
}

impl ChatModel {
    /// Reads the address and finds the key. Nothing is asked yet.
    pub fn new(settings: LlmSettings) -> Result<ChatModel, LlmError> {
        ChatModel::with_clock(settings, Arc::new(SystemClock))
    }

    /// The same by another clock, which says when an endpoint that failed is asked again and when a minute is over.
    pub fn with_clock(settings: LlmSettings, clock: Arc<dyn Clock>) -> Result<ChatModel, LlmError> {
        let url = address(&settings.base_url).map_err(|why| LlmError::no_access("that was given", why))?;
        let base = base(url);
        let place = shown(&base);
        let key = settings.key_place(&base).bearer().map_err(|why| LlmError::no_access(&place, why))?;
        let line =
            Line::open(&settings, key).map_err(|error| LlmError::of(&place, settings.timeout_ms, error))?;
        let id = [place.as_str()].into_iter().chain(settings.model.as_deref()).collect::<Vec<_>>().join(" ");
        let purse = Purse::new(settings.tokens_per_minute, settings.tokens_in_all, clock.now_ms());
        Ok(ChatModel {
            id,
            place,
            base,
            line,
            slots: Slots::new(settings.at_once),
            purse: Mutex::new(purse),
            abilities: Mutex::new(Abilities::beginning_with(settings.reply_mode)),
            served: Mutex::new(None),
            clock,
            settings,
        })
    }

    /// The tokens used so far.
    pub fn used(&self) -> Usage {
        open(&self.purse).used()
    }

    fn url(&self) -> String {
        self.place.clone()
    }

    /// The model to ask for, where one must be named. An endpoint that is asked for none says once what it serves.
    fn model(&self, call: &mut Call) -> Result<Option<String>, LlmError> {
        if let Some(model) = &self.settings.model {
            return Ok(Some(model.clone()));
        }
        let known = open(&self.served).clone();
        let served = match known {
            Some(served) => served,
            None => self.look_up(call)?,
        };
        *open(&self.served) = Some(served.clone());
        match served {
            Served::One(model) => Ok(Some(model)),
            Served::Unnamed => Ok(None),
            Served::Several(served) => Err(LlmError::NoModel { url: self.url(), served }),
        }
    }

    fn look_up(&self, call: &mut Call) -> Result<Served, LlmError> {
        let url = below(&self.base, &["models"]);
        let mut models = match self.line.ask(&url, None, call, &*self.clock) {
            Ok(answer) => wire::models(&answer).unwrap_or_default(),
            // It has no list; who may not ask may not ask for replies either.
            Err(Stop::Failed(HttpError::Refused { status: 400 | 404 | 405 | 501, .. })) => Vec::new(),
            Err(stop) => return Err(stop.told(&self.place, call)),
        };
        Ok(match (models.len(), models.pop()) {
            (1, Some(model)) => Served::One(model),
            (_, None) => Served::Unnamed,
            (all, Some(last)) => {
                models.push(last);
                let more = if all > MODELS_TOLD_MAX { ", …" } else { "" };
                models.truncate(MODELS_TOLD_MAX);
                Served::Several(models.join(", ") + more)
            }
        })
    }

    /// Asks, in whichever form the endpoint can do. Every refusal that teaches something leaves less to try, so it ends.
    fn converse(
        &self,
        prompt: &Prompt,
        manner: &Manner<'_>,
        call: &mut Call,
    ) -> Result<(Vec<u8>, ReplyMode), Stop> {
        let url = below(&self.base, &["chat", "completions"]);
        let mut abilities = *open(&self.abilities);
        loop {
            let question = wire::question(prompt, manner, abilities).to_string();
            let stop = match self.line.ask(&url, Some(question.as_bytes()), call, &*self.clock) {
                Ok(answer) => {
                    self.remember(abilities);
                    return Ok((answer, abilities.mode));
                }
                Err(stop) => stop,
            };
            let lesson = match &stop {
                Stop::Failed(HttpError::Refused { status, said, .. }) => abilities.learn(*status, said),
                Stop::Failed(_) | Stop::Resting(_) => Lesson::Nothing,
            };
            abilities = match lesson {
                Lesson::Learned(less) => {
                    self.remember(less);
                    less
                }
                Lesson::Guessed(less) => less,
                Lesson::Nothing => return Err(stop),
            };
        }
    }

    fn remember(&self, abilities: Abilities) {
        let mut known = open(&self.abilities);
        *known = known.with(abilities);
    }

    /// Asks with so many tokens set aside, and says how many it took.
    fn ask_within(
        &self,
        prompt: &Prompt,
        manner: &Manner<'_>,
        aside: Usage,
        call: &mut Call,
    ) -> (Usage, Result<Heard, LlmError>) {
        let (answer, mode) = match self.converse(prompt, manner, call) {
            Ok(answered) => answered,
            Err(stop) => {
                // Who is not waited for any longer may go on counting.
                let late = matches!(stop, Stop::Failed(HttpError::TimedOut(_)));
                return (if late { aside } else { Usage::default() }, Err(stop.told(&self.place, call)));
            }
        };
        let guessed = Usage { prompt: aside.prompt, completion: guess(answer.len()) };
        let Ok(answer) = String::from_utf8(answer) else {
            return (guessed, Err(LlmError::NotUtf8 { url: self.url() }));
        };
        let (counted, value) = wire::read(&answer, &prompt.sendable_name());
        open(&self.abilities).note_reply(mode, !matches!(value, Err(Unfit::NotJson(_))));
        let usage = counted.unwrap_or(guessed);
        let heard =
            value.map(|value| Heard { value, mode }).map_err(|unfit| self.unfit(unfit, manner.max_tokens));
        (usage, heard)
    }

    fn unfit(&self, unfit: Unfit, max_tokens: u32) -> LlmError {
        let url = self.url();
        match unfit {
            Unfit::Garbled(what) => LlmError::Garbled { url, what },
            Unfit::NoChoices => LlmError::NoChoices { url },
            Unfit::CutOff => LlmError::CutOff { url, max_tokens },
            Unfit::Declined(said) => LlmError::Declined { url, said },
            Unfit::OtherTool(tool) => LlmError::OtherTool { url, tool },
            Unfit::NotJson(what) => LlmError::NotJson { url, what },
        }
    }

    /// Sets aside what a prompt may take.
    fn set_aside(&self, prompt: &Prompt, max_tokens: u32) -> Result<Usage, LlmError> {
        let said: usize = prompt.turns.iter().map(|turn| turn.text.len()).sum();
        let asked = guess(said + prompt.schema.to_string().len());
        let aside = Usage { prompt: asked, completion: max_tokens.into() };
        let now_ms = self.clock.now_ms();
        let empty = |Empty { left, most, span }| LlmError::OverBudget {
            url: self.url(),
            needed: aside.total(),
            left,
            most,
            span,
        };
        open(&self.purse).set_aside(aside.total(), now_ms).map_err(empty)?;
        Ok(aside)
    }
}

/// What a reply says, and how it was asked for.
struct Heard {
    value: Value,
    mode: ReplyMode,
}

impl LanguageModel for ChatModel {
    fn id(&self) -> &str {
        &self.id
    }

    fn ask(&self, prompt: &Prompt) -> Result<Reply, LlmError> {
        let limit = Duration::from_millis(self.settings.timeout_ms);
        let mut call = Call::begin(prompt.within.map_or(limit, |within| within.min(limit)));
        let busy = || LlmError::Busy { url: self.url(), at_once: self.settings.at_once.max(1) };
        let _slot = self.slots.take(call.left()).ok_or_else(busy)?;
        let model = self.model(&mut call)?;
        let most = self.settings.max_tokens;
        let max_tokens = prompt.max_tokens.map_or(most, |own| own.min(most));
        let aside = self.set_aside(prompt, max_tokens)?;
        let manner = Manner { model: model.as_deref(), temperature: self.settings.temperature, max_tokens };
        let (usage, heard) = self.ask_within(prompt, &manner, aside, &mut call);
        open(&self.purse).settle(aside.total(), usage);
        let Heard { value, mode } = heard?;
        Ok(Reply { value, usage, mode, requests: call.requests, elapsed: call.elapsed() })
    }
}

impl fmt::Debug for ChatModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ChatModel").field(&self.id).finish()
    }
}
