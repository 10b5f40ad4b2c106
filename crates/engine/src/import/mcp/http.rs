//! How is an address spoken to? One POST a message; the answer comes as JSON or as a stream of events.

use std::io;
use std::time::Duration;

use reqwest::Url;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

use super::events::Events;
use super::{ANSWER_BYTES_MAX, ImportError, Line, answer_in, excerpt, method_of};
use crate::http::{Client, HttpError, Patience, Request, Sink, shown};

const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");

/// An MCP server at an address.
pub struct Address {
    client: Client,
    url: Url,
    headers: HeaderMap,
    patience: Duration,
}

impl Address {
    pub fn new(
        url: &str,
        headers: &[(String, String)],
        bearer: Option<&str>,
        patience: Duration,
    ) -> Result<Address, ImportError> {
        let bad = ImportError::BadAddress;
        let parsed = Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        let url = parsed
            .ok_or_else(|| bad(format!("{url:?} is no address; it begins with https:// or http://")))?;
        let mut kept = HeaderMap::new();
        for (name, value) in headers {
            let parsed = HeaderName::from_bytes(name.trim().as_bytes()).ok().zip(secret(value.trim()));
            let (key, value) = parsed.ok_or_else(|| bad(format!("the header {name:?} cannot be sent")))?;
            kept.append(key, value);
        }
        if let Some(key) = bearer {
            let key = secret(&format!("Bearer {}", key.trim()));
            kept.insert(AUTHORIZATION, key.ok_or_else(|| bad("the key cannot be sent".to_owned()))?);
        }
        let client = Client::start_for_one_origin().map_err(|error| complain(&url, "", &error))?;
        Ok(Address { client, url, headers: kept, patience })
    }

    fn post(&self, message: &Value, answer: &mut Answer) -> Result<(), ImportError> {
        let request = Request {
            url: self.url.clone(),
            body: Some(message.to_string().into_bytes()),
            headers: self.headers.clone(),
            accept: "application/json, text/event-stream",
            patience: Patience::Whole(self.patience),
            bytes_max: ANSWER_BYTES_MAX,
        };
        match self.client.ask_once(&request, answer) {
            Ok(_) => Ok(()),
            // We stop listening as soon as the answer is there: a stream may stay open behind it.
            Err(HttpError::NotKept(_)) if answer.found.is_some() => Ok(()),
            Err(error) => Err(complain(&self.url, &method_of(message), &error)),
        }
    }
}

/// A header's value that shows nowhere.
fn secret(value: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(value).ok()?;
    value.set_sensitive(true);
    Some(value)
}

fn complain(url: &Url, method: &str, error: &HttpError) -> ImportError {
    let (server, method) = (shown(url), method.to_owned());
    let hint = match error {
        HttpError::TimedOut(after) => {
            let seconds = after.as_secs();
            return ImportError::TimedOut { server, method, seconds, stderr: String::new() };
        }
        HttpError::Refused { status: 401 | 403, .. } => {
            "; give it a key with --bearer-env NAME or --header 'K: V'"
        }
        HttpError::Refused { status: 404 | 405, .. } => {
            "; is it the address of an MCP endpoint over streamable HTTP? It often ends in /mcp"
        }
        HttpError::Refused { status: 300..=399, .. } => {
            "; it sends elsewhere, so give the address it sends to"
        }
        _ => "",
    };
    ImportError::Http { server, why: error.to_string(), hint }
}

impl Line for Address {
    fn server(&self) -> String {
        shown(&self.url)
    }

    fn ask(&mut self, id: u64, request: &Value) -> Result<Value, ImportError> {
        let mut answer = Answer { id, ..Answer::default() };
        self.post(request, &mut answer)?;
        if let Some(session) = answer.session.take() {
            self.headers.insert(SESSION, session);
        }
        if let Some(found) = answer.found {
            return Ok(found);
        }
        let (server, method) = (self.server(), method_of(request));
        let no_answer = "the answer is not among what it said".to_owned();
        if answer.events.is_some() {
            return Err(ImportError::BadAnswer { server, method, why: no_answer });
        }
        let message: Value = serde_json::from_slice(&answer.body).map_err(|_| ImportError::NotJson {
            server: server.clone(),
            method: method.clone(),
            said: excerpt(&answer.body),
            hint: "; is it the address of an MCP endpoint? It often ends in /mcp",
        })?;
        answer_in(message, id).ok_or(ImportError::BadAnswer { server, method, why: no_answer })
    }

    fn tell(&mut self, notification: &Value) -> Result<(), ImportError> {
        self.post(notification, &mut Answer::default())
    }

    fn agree(&mut self, version: &str) {
        if let Ok(version) = HeaderValue::from_str(version) {
            self.headers.insert(VERSION, version);
        }
    }
}

/// An answer as it comes in.
#[derive(Default)]
struct Answer {
    id: u64,
    session: Option<HeaderValue>,
    events: Option<Events>,
    body: Vec<u8>,
    found: Option<Value>,
}

impl Sink for Answer {
    fn start(&mut self) -> io::Result<()> {
        *self = Answer { id: self.id, ..Answer::default() };
        Ok(())
    }

    fn head(&mut self, headers: &HeaderMap) -> io::Result<()> {
        self.session = headers.get(SESSION).cloned();
        let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        self.events = kind.to_ascii_lowercase().starts_with("text/event-stream").then(Events::default);
        Ok(())
    }

    fn take(&mut self, piece: &[u8]) -> io::Result<()> {
        let Some(events) = &mut self.events else {
            self.body.extend_from_slice(piece);
            return Ok(());
        };
        for data in events.take(piece) {
            // What is no message is a sign of life, and nothing else.
            let found = serde_json::from_str(&data).ok().and_then(|message| answer_in(message, self.id));
            if found.is_some() {
                self.found = found;
                return Err(io::Error::other("the answer is there"));
            }
        }
        Ok(())
    }
}
