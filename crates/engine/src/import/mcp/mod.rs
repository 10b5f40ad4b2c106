//! What does an MCP server offer? The little of the protocol that it takes to ask: initialize, then tools/list.
//!
//! Messages are JSON-RPC 2.0. A [`Line`] carries them: a process's standard input and output, or HTTP.

mod stdio;
mod http;
mod events;

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::rows::{items, list_in, parse};
use super::{ImportError, Imported, Owner};

/// The version of the protocol that is offered. What is asked here is the same in every version there is.
const PROTOCOL: &str = "2025-06-18";
/// Most pages of tools that are asked for: a server that has more goes in circles.
const PAGES_MAX: usize = 1_000;
/// Longest answer, in bytes: ten thousand tools with their schemas fit.
const ANSWER_BYTES_MAX: u64 = 64 << 20;
/// Longest excerpt of what a server said, in characters: two lines of a terminal.
const EXCERPT_CHARS_MAX: usize = 160;
/// The code of JSON-RPC for a method that is not there.
const NO_METHOD: i64 = -32601;

/// Where an MCP server is.
#[derive(Clone, Debug)]
pub enum McpServer {
    /// A program that is started, and spoken to over its standard input and output.
    Program {
        /// The program.
        command: String,
        /// Its arguments.
        args: Vec<String>,
    },
    /// An address that is spoken to over streamable HTTP.
    Url {
        /// The address.
        url: String,
        /// Headers, each a name and a value.
        headers: Vec<(String, String)>,
        /// What proves who asks.
        bearer: Option<String>,
    },
}

/// A way to a server.
trait Line {
    /// What the server is called in messages.
    fn server(&self) -> String;
    /// Sends a request and waits for the answer with its id.
    fn ask(&mut self, id: u64, request: &Value) -> Result<Value, ImportError>;
    /// Sends a notification.
    fn tell(&mut self, notification: &Value) -> Result<(), ImportError>;
    /// The version that was agreed on.
    fn agree(&mut self, _version: &str) {}
}

/// Whether a server is there: greets it and says goodbye. How long it took to answer, which may be so long.
pub fn handshake(server: &McpServer, patience: Duration) -> Result<Duration, ImportError> {
    let begun = Instant::now();
    let took = |line: &mut dyn Line| greet(line, &mut 0).map(|_| begun.elapsed());
    match server {
        McpServer::Program { command, args } => took(&mut stdio::Program::start(command, args, patience)?),
        McpServer::Url { url, headers, bearer } => {
            took(&mut http::Address::new(url, headers, bearer.as_deref(), patience)?)
        }
    }
}

/// Asks a server for its tools, waiting so long for each answer. They are the tools of `name`, else of what the server
/// calls itself.
pub fn ask(server: &McpServer, name: Option<&str>, patience: Duration) -> Result<Imported, ImportError> {
    let offer = match server {
        McpServer::Program { command, args } => list(&mut stdio::Program::start(command, args, patience)?),
        McpServer::Url { url, headers, bearer } => {
            list(&mut http::Address::new(url, headers, bearer.as_deref(), patience)?)
        }
    }?;
    let named = name.or(offer.server.as_deref());
    let owner = named.map_or(Owner::Unsaid(None), Owner::Always);
    Ok(Imported::gather(items(&offer.tools), owner))
}

/// Reads what a server answered to tools/list: the answer, its result, or the list.
pub fn dump(name: &str, text: &str, server: Option<&str>) -> Result<Imported, ImportError> {
    let read = parse(name, text)?;
    let result = read.get("result").unwrap_or(&read);
    let list = list_in(result, &["tools"]).ok_or_else(|| ImportError::BadDocument {
        name: name.to_owned(),
        why: "expected what a server answers to tools/list: {\"tools\": […]}, with or without \"result\" around it, \
              or the list alone"
            .to_owned(),
    })?;
    Ok(Imported::gather(items(&titled(list.clone())), Owner::Unsaid(server)))
}

/// What a server offers.
struct Offer {
    server: Option<String>,
    tools: Vec<Value>,
}

/// Opens a session, and gives what the server says of itself.
fn greet(line: &mut dyn Line, asked: &mut u64) -> Result<Value, ImportError> {
    let hello = json!({
        "protocolVersion": PROTOCOL, "capabilities": {},
        "clientInfo": { "name": "waypost", "version": env!("CARGO_PKG_VERSION") },
    });
    request(line, asked, "initialize", &hello)
}

/// Greets a server and asks for its tools, page by page.
fn list(line: &mut dyn Line) -> Result<Offer, ImportError> {
    let mut asked = 0;
    let hello = greet(line, &mut asked)?;
    line.agree(hello.get("protocolVersion").and_then(Value::as_str).unwrap_or(PROTOCOL));
    line.tell(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
    let name = hello.pointer("/serverInfo/name").and_then(Value::as_str);
    let server = name.filter(|name| !name.trim().is_empty()).map(str::to_owned);
    let (mut tools, mut cursor): (Vec<Value>, Option<String>) = (Vec::new(), None);
    let mut seen = Vec::new();
    for _ in 0..PAGES_MAX {
        let params = cursor.as_ref().map_or(json!({}), |cursor| json!({ "cursor": cursor }));
        let page = request(line, &mut asked, "tools/list", &params)?;
        let Some(Value::Array(more)) = page.get("tools") else {
            return Err(bad_answer(line, "its result has no list `tools`"));
        };
        tools.extend(more.iter().cloned());
        cursor = page.get("nextCursor").and_then(Value::as_str).filter(|c| !c.is_empty()).map(str::to_owned);
        match &cursor {
            None => return Ok(Offer { server, tools: titled(tools) }),
            Some(again) if seen.contains(again) => {
                return Err(bad_answer(line, &format!("the cursor {again:?} comes a second time")));
            }
            Some(new) => seen.push(new.clone()),
        }
    }
    Err(bad_answer(line, &format!("there are more than {PAGES_MAX} pages")))
}

fn bad_answer(line: &dyn Line, why: &str) -> ImportError {
    ImportError::BadAnswer { server: line.server(), method: "tools/list".to_owned(), why: why.to_owned() }
}

/// One question, and the result it is answered with.
fn request(line: &mut dyn Line, asked: &mut u64, method: &str, params: &Value) -> Result<Value, ImportError> {
    *asked += 1;
    let message = json!({ "jsonrpc": "2.0", "id": *asked, "method": method, "params": params });
    let mut answer = line.ask(*asked, &message)?;
    if let Some(result) = answer.get_mut("result") {
        return Ok(result.take());
    }
    let Some(error) = answer.get("error") else {
        let why = "it has neither a result nor an error".to_owned();
        return Err(ImportError::BadAnswer { server: line.server(), method: method.to_owned(), why });
    };
    let code = error.get("code").and_then(Value::as_i64).unwrap_or_default();
    let said = error.get("message").and_then(Value::as_str).unwrap_or("without a word");
    let message = match (method, code) {
        ("tools/list", NO_METHOD) => format!("it has no tools to offer: {said}"),
        _ => said.to_owned(),
    };
    Err(ImportError::Refused { server: line.server(), method: method.to_owned(), message, code })
}

/// The answer with this id, in a message or a batch of them.
fn answer_in(message: Value, id: u64) -> Option<Value> {
    let is_it = |message: &Value| {
        let own = message.get("id").and_then(Value::as_u64) == Some(id);
        // A server that could not even read the request knows no id to answer with.
        let lost = message.get("error").is_some() && message.get("id").is_none_or(Value::is_null);
        message.get("method").is_none() && (own || lost)
    };
    match message {
        Value::Array(batch) => batch.into_iter().find(is_it),
        one => Some(one).filter(is_it),
    }
}

/// The method of a request, to name it in complaints.
fn method_of(message: &Value) -> String {
    message.get("method").and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// Tools with their title as description where they have none.
fn titled(mut tools: Vec<Value>) -> Vec<Value> {
    for tool in tools.iter_mut().filter_map(Value::as_object_mut) {
        let bare = tool.get("description").and_then(Value::as_str).unwrap_or_default().trim().is_empty();
        let annotated = || tool.get("annotations")?.get("title");
        let title = tool.get("title").or_else(annotated).filter(|title| title.is_string()).cloned();
        if let Some(title) = title.filter(|_| bare) {
            tool.insert("description".to_owned(), title);
        }
    }
    tools
}

/// The beginning of what was said, on one line.
fn excerpt(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(EXCERPT_CHARS_MAX) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}
