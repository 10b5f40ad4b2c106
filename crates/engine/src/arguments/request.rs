//! What is asked? A message with what is known around it: one row of `waypost args --batch`.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};
use serde_json::Value;
use waypost_core::mentions::{Civil, Date, DateOrder, Setting, Zone};
use waypost_core::message::{Fact, Turn};

use super::Refused;

/// A message whose values are wanted.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Request {
    /// What was said.
    pub text: String,
    /// The tool whose arguments are wanted; without it the tool is chosen.
    #[serde(default)]
    pub tool: Option<ToolGiven>,
    /// Tools that alone can be chosen, where none is given.
    #[serde(default, deserialize_with = "or_nothing")]
    pub tools: Vec<ToolGiven>,
    /// The choices the speaker sees, in their order.
    #[serde(default, deserialize_with = "or_nothing")]
    pub options: Vec<Value>,
    /// The last value of each slot.
    #[serde(default, deserialize_with = "or_nothing")]
    pub memory: BTreeMap<String, Value>,
    /// Facts of the session: what gates and defaults look at.
    #[serde(default, deserialize_with = "or_nothing")]
    pub session: BTreeMap<String, Fact>,
    /// Facts about where it runs, such as `is_critical_task`.
    #[serde(default, deserialize_with = "or_nothing")]
    pub environment: BTreeMap<String, Fact>,
    /// The columns of the data. Without them those of the catalog.
    #[serde(default)]
    pub columns: Option<Vec<ColumnGiven>>,
    /// When it was said, as ISO 8601, on the speaker's clock. Without it the time of the clock.
    #[serde(default)]
    pub now: Option<String>,
    /// Earlier turns, oldest first; the last of them, unless the user said it, is the question this answers.
    #[serde(default, deserialize_with = "or_nothing")]
    pub history: Vec<Turn>,
    /// Where it was said, such as `en-US`: how days are written, and which holidays and money are meant.
    #[serde(default)]
    pub locale: Option<String>,
    /// The conversation it belongs to.
    #[serde(default)]
    pub session_id: Option<String>,
    /// The slot that was asked for last.
    #[serde(default)]
    pub about: Option<String>,
    /// What earlier turns of the same call have settled, by slot.
    #[serde(default, deserialize_with = "or_nothing")]
    pub settled: BTreeMap<String, Value>,
}

/// A tool, by its name or with its schema.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged, expecting = "a tool is a name, or an object with `name` and `schema`")]
pub enum ToolGiven {
    /// One of the catalog's.
    Named(String),
    /// One of the row's own: `{name, description, schema}`, as others write them too.
    Described(serde_json::Map<String, Value>),
}

/// A column, by its name alone or with what else it is called.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(untagged, expecting = "a column is a name, or an object with `name` and perhaps `aliases`")]
pub enum ColumnGiven {
    /// Its name.
    Named(String),
    /// Its name and other words for it.
    Called {
        /// Its name.
        name: String,
        /// Other words for it.
        #[serde(default)]
        aliases: Vec<String>,
    },
}

fn role(turn: &Turn) -> Option<&str> {
    match turn {
        Turn::Said { role, .. } => role.as_deref(),
        Turn::Text(_) => None,
    }
}

fn is_user(role: &str) -> bool {
    role.eq_ignore_ascii_case("user") || role.eq_ignore_ascii_case("human")
}

fn is_tool(role: &str) -> bool {
    role.eq_ignore_ascii_case("tool") || role.eq_ignore_ascii_case("function")
}

/// How deep the values of a result are looked for.
const RESULT_DEPTH_MAX: usize = 4;

/// The single values of a result by their names. A list of one is that one; of several, and of a name with several values, nobody says which is meant.
fn remember(result: &Value, depth: usize, remembered: &mut BTreeMap<String, Option<Value>>) {
    match result {
        Value::Object(fields) => {
            for (name, value) in fields {
                if !matches!(value, Value::Object(_) | Value::Array(_) | Value::Null) {
                    let held = remembered.entry(name.clone()).or_insert_with(|| Some(value.clone()));
                    if held.as_ref() != Some(value) {
                        *held = None;
                    }
                } else if depth > 0 {
                    remember(value, depth - 1, remembered);
                }
            }
        }
        Value::Array(values) if depth > 0 => {
            if let [one] = values.as_slice() {
                remember(one, depth - 1, remembered);
            }
        }
        _ => {}
    }
}

/// A `null` is as good as a field that is not there.
fn or_nothing<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

impl Request {
    /// A message for a tool of the catalog.
    pub fn new(text: impl Into<String>, tool: impl Into<String>) -> Request {
        Request { text: text.into(), tool: Some(ToolGiven::Named(tool.into())), ..Request::default() }
    }

    /// What was said to the speaker last.
    pub(super) fn question(&self) -> Option<&str> {
        let is_other = |turn: &&Turn| role(turn).is_none_or(|role| !is_user(role) && !is_tool(role));
        self.history.last().filter(is_other).map(Turn::text).filter(|text| !text.is_empty())
    }

    /// Whether the last turn is surely the assistant's: its role says whose it is, and it is neither the speaker's nor a tool's.
    pub(super) fn is_asked(&self) -> bool {
        let is_other = |role: &str| is_user(role) || matches!(role, "tool" | "system" | "function");
        self.history.last().and_then(role).is_some_and(|role| !is_other(role))
    }

    /// What is remembered of each slot: what the request brings, else the results of earlier steps, which are turns of a tool in JSON, as far as the tool takes them.
    pub(super) fn remembered(&self, takes: impl Fn(&str, &Value) -> bool) -> BTreeMap<String, Value> {
        let mut results = BTreeMap::new();
        for turn in self.history.iter().filter(|turn| role(turn).is_some_and(is_tool)) {
            if let Ok(result) = serde_json::from_str::<Value>(turn.text()) {
                remember(&result, RESULT_DEPTH_MAX, &mut results);
            }
        }
        let taken = |(name, value): (String, Option<Value>)| {
            let value = value.filter(|value| takes(&name, value))?;
            Some((name, value))
        };
        let mut remembered: BTreeMap<String, Value> = results.into_iter().filter_map(taken).collect();
        remembered.extend(self.memory.clone());
        remembered
    }

    /// What the speaker said before, oldest first: turns of the user, and turns of which nobody says whose they are.
    pub(super) fn turns_of_user(&self) -> Vec<&str> {
        self.history.iter().filter(|turn| role(turn).is_none_or(is_user)).map(Turn::text).collect()
    }

    /// The visible choices as they are read.
    pub(super) fn options_read(&self) -> Vec<String> {
        let read = |option: &Value| option.as_str().map_or_else(|| option.to_string(), str::to_owned);
        self.options.iter().map(read).collect()
    }

    /// What the message is read against. Without a time of its own that is the time given, which is UTC.
    pub(super) fn setting(&self, now_ms: u64) -> Result<Setting, Refused> {
        let (now, zone) = match &self.now {
            Some(written) => Civil::parse(written).ok_or_else(|| Refused::BadNow(written.clone()))?,
            None => (at(now_ms).ok_or(Refused::BadNow(now_ms.to_string()))?, None),
        };
        let country = self.locale.as_deref().and_then(country);
        // Nearly everybody writes the day first; whoever says nothing of where he is may mean either.
        let order = country.as_deref().map(|country| match country {
            "US" => DateOrder::MonthFirst,
            _ => DateOrder::DayFirst,
        });
        Ok(Setting { now: Some(now), zone: zone.unwrap_or(Zone(0)), order, country })
    }
}

/// The country of a locale such as `en-US`, `zh-Hant-TW` or `de_AT.UTF-8`.
fn country(locale: &str) -> Option<String> {
    let bare = locale.split(['.', '@']).next()?;
    let mut parts = bare.split(['-', '_']).skip(1);
    let is_country = |part: &&str| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_alphabetic());
    parts.find(is_country).map(str::to_ascii_uppercase)
}

/// A time of the clock as people tell it, in UTC.
fn at(now_ms: u64) -> Option<Civil> {
    let seconds = i64::try_from(now_ms / 1000).ok()?;
    Date::from_days(0)?.start().plus_seconds(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locale_says_how_days_are_written() {
        let check = |locale: &str, country: Option<&str>, order: Option<DateOrder>| {
            let request = Request { locale: Some(locale.to_owned()), ..Request::default() };
            let setting = request.setting(0).unwrap();
            assert_eq!((setting.country.as_deref(), setting.order), (country, order), "{locale}");
        };
        check("en-US", Some("US"), Some(DateOrder::MonthFirst));
        check("en_GB.UTF-8", Some("GB"), Some(DateOrder::DayFirst));
        check("zh-Hant-TW", Some("TW"), Some(DateOrder::DayFirst));
        check("en", None, None);
        check("", None, None);
    }

    #[test]
    fn now_is_what_the_row_says_else_what_the_clock_says() {
        let check = |now: Option<&str>, expected: &str, zone: i16| {
            let request = Request { now: now.map(str::to_owned), ..Request::default() };
            let setting = request.setting(1_772_357_400_000).unwrap();
            assert_eq!((setting.now.unwrap().to_string().as_str(), setting.zone.0), (expected, zone));
        };
        check(None, "2026-03-01T09:30:00", 0);
        check(Some("2027-01-02"), "2027-01-02T00:00:00", 0);
        check(Some("2027-01-02T03:04:05+02:00"), "2027-01-02T03:04:05", 120);
        let bad = Request { now: Some("soon".to_owned()), ..Request::default() };
        assert_eq!(bad.setting(0), Err(Refused::BadNow("soon".to_owned())));
    }

    #[test]
    fn the_question_is_what_was_said_to_the_speaker() {
        let check = |history: &str, question: Option<&str>| {
            let request: Request =
                serde_json::from_str(&format!(r#"{{"text": "x", "history": {history}}}"#)).unwrap();
            assert_eq!(request.question(), question, "{history}");
        };
        check("null", None);
        check(r#"["hello", "Which city?"]"#, Some("Which city?"));
        check(r#"[{"role": "assistant", "content": "Which city?"}]"#, Some("Which city?"));
        check(r#"[{"role": "assistant", "text": "Which?"}, {"role": "User", "text": "hm"}]"#, None);
    }
}
