//! What is known when a threshold is adjusted? The user, the task, the machine and where it runs; nothing is invented.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value as Json;

use crate::catalog::context::Labels;
use crate::catalog::{Value, nearest};
use crate::context::{Context, Settled};
use crate::history::Standing;
use crate::measure::{Confidence, Points};
use crate::message::{Fact, Situation};
use crate::resources::{Resources, ZoneBounds};

/// What a threshold may depend on. What is not known is nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// How the user's earlier tasks went.
    pub user: Standing,
    /// Facts about where it runs.
    pub environment: BTreeMap<String, Fact>,
    /// Facts the session has established.
    pub session: BTreeMap<String, Fact>,
    /// What is to be done.
    pub task: Task,
    /// How much of the machine is used.
    pub resources: Resources,
    /// Where its zones begin.
    pub zones: ZoneBounds,
    /// How sure the best specialist is.
    pub base_confidence: Option<Confidence>,
}

/// What is to be done, as far as that is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Task {
    /// low, medium or high.
    pub urgency_level: Option<String>,
    /// From 0 to 1.
    pub complexity: Option<f64>,
    /// Whether the message says that it is urgent.
    pub has_urgency_keywords: Option<bool>,
    /// What is wanted.
    pub intent: Option<String>,
    /// What it is about.
    pub domain: Option<String>,
    /// The part of the system.
    pub area: Option<String>,
    /// What is done to it.
    pub operation: Option<String>,
    /// What kind of data it holds.
    pub sensitivity: Option<String>,
    /// simple, moderate or complex.
    pub band: Option<String>,
}

impl State {
    /// A fact by its name; nothing where it is not known.
    pub fn fact(&self, name: &str) -> Option<Value<'_>> {
        let (root, name) = name.split_once('.')?;
        match root {
            "user" => self.user_fact(name),
            "task" => self.task.fact(name),
            "resources" => self.resource_fact(name),
            "environment" => Value::of_fact(self.environment.get(name)?),
            "session" => Value::of_fact(self.session.get(name)?),
            _ => None,
        }
    }

    fn user_fact(&self, name: &str) -> Option<Value<'_>> {
        match name {
            "reputation_score" => Value::number(self.user.reputation_score?),
            "recent_success_rate" => Value::number(self.user.recent_success_rate?),
            "total_tasks_completed" => Some(Value::count(self.user.total_tasks_completed?)),
            "recent_error_count" => Some(Value::count(self.user.recent_error_count?)),
            "similar_task_success_rate" => Value::number(self.user.similar_task_success_rate?),
            _ => None,
        }
    }

    fn resource_fact(&self, name: &str) -> Option<Value<'_>> {
        let Resources { memory, cpu, disk } = self.resources;
        match name {
            "memory" => Value::number(memory?),
            "cpu" => Value::number(cpu?),
            "disk" => Value::number(disk?),
            "zone" => {
                let pressure = self.resources.pressure(&self.zones);
                pressure.worst.map(|_| Value::text(pressure.zone.name()))
            }
            _ => None,
        }
    }

    /// The state of a situation: what is known of the user, and what kind of request it is. Facts that the message brings
    /// with it are taken where the caller does not say otherwise.
    pub fn of(
        situation: &Situation,
        user: Standing,
        kind: Option<(&Labels, &Context)>,
        zones: ZoneBounds,
    ) -> State {
        let mut environment = situation.message.environment.clone();
        if let Some((labels, context)) = kind {
            for fact in context.facts(labels) {
                environment.entry(fact.to_owned()).or_insert(Fact::Flag(true));
            }
        }
        State {
            user,
            environment,
            session: situation.message.session.clone(),
            task: kind.map(|(labels, context)| Task::of(labels, context)).unwrap_or_default(),
            resources: situation.resources,
            zones,
            base_confidence: None,
        }
    }

    /// Reads a state from JSON: `null` and what is missing are not known. Besides the state, what was passed over
    /// in it and perhaps meant something.
    pub fn read(json: &Json) -> Result<(State, Vec<String>), Misread> {
        let whole =
            Table::new(json, "the state", "an object with user, environment, task and base_confidence")?;
        let (user, task) = (whole.table("user")?, whole.table("task")?);
        let resources = whole.table("resources")?;
        let state = State {
            user: Standing {
                reputation_score: user.number("reputation_score")?,
                recent_success_rate: user.number("recent_success_rate")?,
                total_tasks_completed: user.count("total_tasks_completed")?,
                recent_error_count: user.count("recent_error_count")?,
                similar_task_success_rate: user.number("similar_task_success_rate")?,
            },
            environment: whole.table("environment")?.facts()?,
            session: whole.table("session")?.facts()?,
            task: Task::read(&task)?,
            resources: Resources {
                memory: resources.number("memory")?,
                cpu: resources.number("cpu")?,
                disk: resources.number("disk")?,
            },
            zones: ZoneBounds::default(),
            base_confidence: whole
                .number("base_confidence")?
                .map(|share| Confidence::new(Points::from_share(share))),
        };
        let told =
            [whole.misspelt(STATE), user.unknown(USER), task.unknown(TASK), resources.unknown(RESOURCES)];
        let odd = [
            whole.beyond(&["base_confidence"]),
            user.beyond(SHARES),
            task.beyond(SHARES),
            resources.beyond(SHARES),
        ];
        let notes = told.into_iter().chain(odd).flatten().collect();
        Ok((state, notes))
    }
}

/// What a state is made of.
const STATE: &[&str] = &["user", "environment", "session", "task", "resources", "base_confidence"];

/// What lies between 0 and 1.
const SHARES: &[&str] = &[
    "reputation_score",
    "recent_success_rate",
    "similar_task_success_rate",
    "complexity",
    "memory",
    "cpu",
    "disk",
];

/// What is known of a user.
const USER: &[&str] = &[
    "reputation_score",
    "recent_success_rate",
    "total_tasks_completed",
    "recent_error_count",
    "similar_task_success_rate",
];

/// What is known of a task.
const TASK: &[&str] = &[
    "urgency_level",
    "complexity",
    "has_urgency_keywords",
    "intent",
    "domain",
    "area",
    "operation",
    "sensitivity",
    "band",
];

/// What is known of the machine.
const RESOURCES: &[&str] = &["memory", "cpu", "disk"];

impl Task {
    /// What is to be done, by the kind of request.
    fn of(labels: &Labels, context: &Context) -> Task {
        let label = |layer: &str| context.label(labels, layer).map(str::to_owned);
        let urgent = context.answered(labels, "urgency").is_some_and(|answered| {
            answered.by == Settled::Word && context.label(labels, "urgency") == Some("high")
        });
        let band = context.complexity.and_then(|complexity| {
            labels.layers().get(complexity.layer)?.labels.get(complexity.band).map(|label| label.name.clone())
        });
        Task {
            urgency_level: label("urgency"),
            complexity: context.complexity.map(|complexity| complexity.score.share()),
            has_urgency_keywords: Some(urgent),
            intent: label("intent"),
            domain: label("domain"),
            area: label("area"),
            operation: label("operation"),
            sensitivity: label("sensitivity"),
            band,
        }
    }

    fn fact(&self, name: &str) -> Option<Value<'_>> {
        let text = match name {
            "complexity" => return Value::number(self.complexity?),
            "has_urgency_keywords" => return self.has_urgency_keywords.map(Value::Flag),
            "urgency_level" => &self.urgency_level,
            "intent" => &self.intent,
            "domain" => &self.domain,
            "area" => &self.area,
            "operation" => &self.operation,
            "sensitivity" => &self.sensitivity,
            "band" => &self.band,
            _ => return None,
        };
        text.as_deref().map(Value::text)
    }

    fn read(task: &Table<'_>) -> Result<Task, Misread> {
        Ok(Task {
            urgency_level: task.text("urgency_level")?,
            complexity: task.number("complexity")?,
            has_urgency_keywords: task.flag("has_urgency_keywords")?,
            intent: task.text("intent")?,
            domain: task.text("domain")?,
            area: task.text("area")?,
            operation: task.text("operation")?,
            sensitivity: task.text("sensitivity")?,
            band: task.text("band")?,
        })
    }
}

/// A state that says something else than it may.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misread {
    /// What is wrong, by its path.
    pub path: String,
    /// What it is.
    pub found: String,
    /// What it should be.
    pub expected: &'static str,
}

impl fmt::Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {}; expected {}", self.path, self.found, self.expected)
    }
}

impl std::error::Error for Misread {}

impl Misread {
    fn new(path: String, json: &Json, expected: &'static str) -> Misread {
        let found = match json {
            Json::Null => "null".to_owned(),
            Json::Bool(flag) => flag.to_string(),
            Json::Number(number) => number.to_string(),
            Json::String(_) => "a text".to_owned(),
            Json::Array(_) => "a list".to_owned(),
            Json::Object(_) => "an object".to_owned(),
        };
        Misread { path, found, expected }
    }
}

/// A table of the state and its path; nothing where it is missing.
struct Table<'j> {
    path: String,
    entries: Option<&'j serde_json::Map<String, Json>>,
}

impl<'j> Table<'j> {
    fn new(json: &'j Json, path: &str, expected: &'static str) -> Result<Table<'j>, Misread> {
        let entries = json.as_object().ok_or_else(|| Misread::new(path.to_owned(), json, expected))?;
        Ok(Table { path: String::new(), entries: Some(entries) })
    }

    /// What stands under a key; `null` is nothing.
    fn get(&self, key: &str) -> Option<&'j Json> {
        self.entries?.get(key).filter(|json| !json.is_null())
    }

    fn path(&self, key: &str) -> String {
        if self.path.is_empty() { format!("`{key}`") } else { format!("`{}.{key}`", self.path) }
    }

    fn read<T>(
        &self,
        key: &str,
        expected: &'static str,
        read: impl Fn(&'j Json) -> Option<T>,
    ) -> Result<Option<T>, Misread> {
        let Some(json) = self.get(key) else { return Ok(None) };
        read(json).map(Some).ok_or_else(|| Misread::new(self.path(key), json, expected))
    }

    fn table(&self, key: &str) -> Result<Table<'j>, Misread> {
        let entries = self.read(key, "an object", Json::as_object)?;
        Ok(Table { path: key.to_owned(), entries })
    }

    fn number(&self, key: &str) -> Result<Option<f64>, Misread> {
        self.read(key, "a number", Json::as_f64)
    }

    fn text(&self, key: &str) -> Result<Option<String>, Misread> {
        self.read(key, "a text", |json| json.as_str().map(str::to_owned))
    }

    fn flag(&self, key: &str) -> Result<Option<bool>, Misread> {
        self.read(key, "true or false", Json::as_bool)
    }

    /// A count; `25.0` is one too.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // whole and not negative; beyond the range it saturates
    fn count(&self, key: &str) -> Result<Option<u64>, Misread> {
        let whole = |number: &f64| number.fract() == 0.0 && *number >= 0.0;
        self.read(key, "a whole number, not negative", |json| {
            json.as_u64().or_else(|| json.as_f64().filter(whole).map(|number| number as u64))
        })
    }

    fn facts(&self) -> Result<BTreeMap<String, Fact>, Misread> {
        let fact = |(key, json): (&String, &Json)| {
            let fact = match json {
                Json::Null => Fact::Unset,
                Json::Bool(flag) => Fact::Flag(*flag),
                Json::Number(number) => number.as_f64().map_or(Fact::Unset, Fact::Number),
                Json::String(text) => Fact::Text(text.clone()),
                Json::Array(_) | Json::Object(_) => {
                    return Err(Misread::new(self.path(key), json, "a text, a number, true, false or null"));
                }
            };
            Ok((key.clone(), fact))
        };
        self.entries.into_iter().flatten().map(fact).collect()
    }

    /// Shares that are none: taken as they are, and told.
    fn beyond(&self, shares: &[&str]) -> Vec<String> {
        let entries = self.entries.into_iter().flatten();
        let odd = entries
            .filter_map(|(key, json)| Some((key, json.as_f64()?)))
            .filter(|(key, number)| shares.contains(&key.as_str()) && !(0.0..=1.0).contains(number));
        odd.map(|(key, number)| format!("{} is {number}, and a share lies between 0 and 1", self.path(key)))
            .collect()
    }

    /// What stands there and is nearly known. A row may carry more than the state, such as an id.
    fn misspelt(&self, known: &[&str]) -> Vec<String> {
        let keys = self.entries.into_iter().flatten().map(|(key, _)| key);
        let strange = keys.filter(|key| !known.contains(&key.as_str()));
        let note = |key: &String| {
            let near = nearest(key, known.iter().copied())?;
            Some(format!("{} is not known and was passed over; did you mean `{near}`?", self.path(key)))
        };
        strange.filter_map(note).collect()
    }

    /// What stands there and is not known: passed over, and told.
    fn unknown(&self, known: &[&str]) -> Vec<String> {
        let keys = self.entries.into_iter().flatten().map(|(key, _)| key);
        let note = |key: &String| {
            let hint = nearest(key, known.iter().copied()).map_or_else(
                || format!("known are {}", known.join(", ")),
                |near| format!("did you mean `{near}`?"),
            );
            format!("{} is not known and was passed over; {hint}", self.path(key))
        };
        keys.filter(|key| !known.contains(&key.as_str())).map(note).collect()
    }
}
