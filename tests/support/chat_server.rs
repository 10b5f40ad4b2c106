//! Whom do tests ask for a language model? A server on the loopback that speaks chat completions by a script.
//!
//! Each request is answered on a thread of its own, so that several may wait at once. `GET …/models` is answered beside the
//! script; everything else takes its next line, and the last line from then on.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// Longest wait of a test for its own server, in seconds: only a test that is broken waits so long.
const PATIENCE_S: u64 = 30;
/// What a reply is said to have taken of tokens, request and reply.
pub const TOKENS: (u64, u64) = (10, 5);

/// What the server does with a request.
#[derive(Clone, Debug)]
pub enum Does {
    /// Replies with this JSON, as a call of the tool where one was given, else as text.
    Replies(Value),
    /// Replies with this text, whatever form was asked for.
    Says(String),
    /// Calls a tool of this name with these arguments.
    Calls(String, Value),
    /// Replies with this message, which ended for this reason.
    Ends(Value, &'static str),
    /// Sends this status, these further header lines (each with its line end) and this body.
    Sends(u16, String, Vec<u8>),
    /// Takes the request, and neither answers nor hangs up.
    Stalls,
    /// Hangs up without an answer.
    HangsUp,
    /// Waits for [`ChatServer::release`], then replies with this JSON.
    Waits(Value),
}

impl Does {
    /// A refusal as endpoints put it.
    pub fn refuses(status: u16, message: &str) -> Does {
        Does::Sends(
            status,
            String::new(),
            json!({ "error": { "message": message } }).to_string().into_bytes(),
        )
    }

    /// A refusal that says when to come back, in seconds or by a date.
    pub fn asks_to_wait(status: u16, retry_after: &str) -> Does {
        Does::Sends(status, format!("Retry-After: {retry_after}\r\n"), Vec::new())
    }
}

/// What a request said.
#[derive(Clone, Debug)]
pub struct Asked {
    /// `GET` or `POST`.
    pub method: String,
    /// Its path, with the query.
    pub path: String,
    /// Its header lines, in lower case up to the colon.
    pub headers: Vec<String>,
    /// Its JSON; null where there is none.
    pub body: Value,
}

impl Asked {
    /// How the form of the reply is asked for, by the name of the mode.
    pub fn mode(&self) -> &str {
        match (&self.body["response_format"]["type"], &self.body["tools"]) {
            (Value::String(format), _) => format,
            (_, Value::Array(_)) => "tool_call",
            _ => "prompt",
        }
    }
}

/// The server; it goes when this is dropped.
pub struct ChatServer {
    address: SocketAddr,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    models: Vec<String>,
    happened: Mutex<Happened>,
    changed: Condvar,
    closed: AtomicBool,
}

#[derive(Default)]
struct Happened {
    script: Vec<Does>,
    asked: Vec<Asked>,
    open: usize,
    open_max: usize,
    released: bool,
    held: Vec<TcpStream>,
}

impl ChatServer {
    /// A server of one model, `small`, that does these things in turn, and the last one from then on.
    pub fn scripted(script: Vec<Does>) -> ChatServer {
        ChatServer::serving(&["small"], script)
    }

    /// The same, of these models.
    pub fn serving(models: &[&str], mut script: Vec<Does>) -> ChatServer {
        assert!(!script.is_empty(), "a script has a line at least");
        script.reverse();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let happened = Mutex::new(Happened { script, ..Happened::default() });
        let models = models.iter().map(|model| (*model).to_owned()).collect();
        let state = Arc::new(State { models, happened, ..State::default() });
        let own = Arc::clone(&state);
        thread::spawn(move || {
            for stream in listener.incoming().take_while(|_| !own.closed.load(Ordering::SeqCst)) {
                let (Ok(stream), state) = (stream, Arc::clone(&own)) else { continue };
                thread::spawn(move || state.serve(stream));
            }
        });
        ChatServer { address, state }
    }

    /// Where the API begins.
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// What was asked so far, models left out.
    pub fn asked(&self) -> Vec<Asked> {
        self.state
            .happened
            .lock()
            .unwrap()
            .asked
            .iter()
            .filter(|asked| asked.method == "POST")
            .cloned()
            .collect()
    }

    /// How often it was asked what it serves.
    pub fn asked_for_models(&self) -> usize {
        self.state.happened.lock().unwrap().asked.iter().filter(|asked| asked.method == "GET").count()
    }

    /// The modes that replies were asked for in, in order.
    pub fn modes(&self) -> Vec<String> {
        self.asked().iter().map(|asked| asked.mode().to_owned()).collect()
    }

    /// Most requests that were open at once.
    pub fn open_max(&self) -> usize {
        self.state.happened.lock().unwrap().open_max
    }

    /// Waits until so many requests are open.
    pub fn wait_until_open(&self, count: usize) {
        let happened = self.state.happened.lock().unwrap();
        let patience = Duration::from_secs(PATIENCE_S);
        let waited =
            self.state.changed.wait_timeout_while(happened, patience, |now| now.open < count).unwrap();
        assert!(!waited.1.timed_out(), "there are no {count} requests");
    }

    /// Lets go of all that wait, now and later.
    pub fn release(&self) {
        self.state.happened.lock().unwrap().released = true;
        self.state.changed.notify_all();
    }
}

impl Drop for ChatServer {
    fn drop(&mut self) {
        self.state.closed.store(true, Ordering::SeqCst);
        self.release();
        // Wakes the thread, which then sees that it is over.
        let _ = TcpStream::connect(self.address);
    }
}

impl State {
    fn serve(&self, mut stream: TcpStream) {
        let Some(asked) = read(&stream) else { return };
        let does = self.note(&asked);
        let written = match &does {
            Does::Stalls => {
                self.happened.lock().unwrap().held.push(stream);
                return;
            }
            Does::HangsUp => stream.shutdown(Shutdown::Both),
            does => stream.write_all(&self.answer(does, &asked.body)),
        };
        // Whoever has heard enough may hang up.
        drop(written);
    }

    /// Takes note of a request, and says what to do with it.
    fn note(&self, asked: &Asked) -> Does {
        let mut happened = self.happened.lock().unwrap();
        happened.asked.push(asked.clone());
        if asked.method == "GET" {
            let data: Vec<Value> = self.models.iter().map(|id| json!({ "id": id })).collect();
            return Does::Sends(200, String::new(), json!({ "data": data }).to_string().into_bytes());
        }
        happened.open += 1;
        happened.open_max = happened.open_max.max(happened.open);
        self.changed.notify_all();
        match happened.script.len() {
            1 => happened.script[0].clone(),
            _ => happened.script.pop().unwrap(),
        }
    }

    /// The bytes of an answer. A request is open until its answer is there to be sent.
    fn answer(&self, does: &Does, body: &Value) -> Vec<u8> {
        let tool = body["tools"][0]["function"]["name"].as_str();
        let call = |name: &str, arguments: &Value| json!({ "tool_calls": [{ "function": { "name": name, "arguments": arguments.to_string() } }] });
        let answer = match (does, tool) {
            (Does::Sends(status, headers, body), _) => head_and(*status, headers, body),
            (Does::Says(text), _) => completion(&json!({ "content": text }), "stop"),
            (Does::Calls(name, arguments), _) => completion(&call(name, arguments), "tool_calls"),
            (Does::Ends(message, reason), _) => completion(message, reason),
            (Does::Replies(value) | Does::Waits(value), Some(tool)) => {
                completion(&call(tool, value), "tool_calls")
            }
            (Does::Replies(value) | Does::Waits(value), None) => {
                completion(&json!({ "content": value.to_string() }), "stop")
            }
            (Does::Stalls | Does::HangsUp, _) => Vec::new(),
        };
        let mut happened = self.happened.lock().unwrap();
        if matches!(does, Does::Waits(_)) {
            happened = self.changed.wait_while(happened, |now| !now.released).unwrap();
        }
        happened.open = happened.open.saturating_sub(1);
        answer
    }
}

fn completion(message: &Value, reason: &str) -> Vec<u8> {
    let choices = json!([{ "index": 0, "message": message, "finish_reason": reason }]);
    let usage = json!({ "prompt_tokens": TOKENS.0, "completion_tokens": TOKENS.1, "total_tokens": TOKENS.0 + TOKENS.1 });
    let body = json!({ "object": "chat.completion", "choices": choices, "usage": usage }).to_string();
    head_and(200, "", body.as_bytes())
}

fn head_and(status: u16, headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 {status} So\r\nContent-Length: {}\r\nContent-Type: application/json\r\nConnection: close\r\n{headers}\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

fn read(stream: &TcpStream) -> Option<Asked> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let (method, path) = (line.split(' ').next()?.to_owned(), line.split(' ').nth(1)?.to_owned());
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        match line.trim_end().split_once(": ") {
            Some((name, value)) => headers.push(format!("{}: {value}", name.to_lowercase())),
            None => break,
        }
    }
    let length = headers.iter().find_map(|header| header.strip_prefix("content-length: "));
    let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
    reader.read_exact(&mut body).ok()?;
    Some(Asked { method, path, headers, body: serde_json::from_slice(&body).unwrap_or_default() })
}
