//! Do tools come in over streamable HTTP, from a server on the loopback?
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};
use support::{Run, waypost_in};
use tempfile::tempdir;

/// How the server of a test behaves.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Manner {
    /// It answers with JSON.
    Plain,
    /// It answers with events, and keeps the stream open behind the answer.
    Events,
    /// It sends to the same address with a slash.
    Moved,
    /// It sends to another host.
    Elsewhere,
    /// It answers every request with this status and repeats the key.
    Refuses(u16),
    /// It answers with a page.
    Page,
    /// It takes the request and never answers.
    Silent,
}

/// What a request said: its path, its headers in lower case, its body.
#[derive(Clone, Debug)]
struct Asked {
    path: String,
    headers: String,
    body: Value,
}

fn read(stream: &TcpStream) -> Option<Asked> {
    let mut reader = BufReader::new(stream);
    let (mut first, mut headers) = (String::new(), String::new());
    reader.read_line(&mut first).ok()?;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        if line.trim().is_empty() {
            break;
        }
        let (name, value) = line.split_once(':')?;
        headers.push_str(&format!("{}:{}\n", name.to_lowercase(), value.trim_end()));
    }
    let length = headers.lines().find_map(|header| header.strip_prefix("content-length: "))?;
    let mut body = vec![0; length.parse().ok()?];
    reader.read_exact(&mut body).ok()?;
    let path = first.split(' ').nth(1)?.to_owned();
    Some(Asked { path, headers, body: serde_json::from_slice(&body).ok()? })
}

fn result(body: &Value) -> Option<Value> {
    let result = match body["method"].as_str()? {
        "initialize" => json!({"protocolVersion": "2025-03-26", "serverInfo": {"name": "far"}}),
        "tools/list" if body["params"]["cursor"] == "2" => json!({"tools": [{"name": "second"}]}),
        "tools/list" => json!({"tools": [{"name": "first", "description": "Ü"}], "nextCursor": "2"}),
        _ => return None,
    };
    Some(json!({"jsonrpc": "2.0", "id": body["id"], "result": result}))
}

/// The head of an answer, its body, and whether the connection stays open behind it.
fn answer(manner: Manner, asked: &Asked) -> (String, String, bool) {
    let with = |status: &str, headers: &str, body: String| {
        let length = format!("Content-Length: {}\r\n", body.len());
        (format!("HTTP/1.1 {status}\r\n{headers}{length}Connection: close\r\n\r\n"), body, false)
    };
    match manner {
        Manner::Refuses(status) => {
            return with(&format!("{status} No"), "", "your key s3cret is unknown".to_owned());
        }
        Manner::Page => {
            return with("200 OK", "Content-Type: text/html\r\n", "<html>hello</html>".to_owned());
        }
        Manner::Moved if !asked.path.ends_with('/') => {
            return with("307 Moved", "Location: /mcp/\r\n", String::new());
        }
        Manner::Elsewhere => return with("307 Moved", "Location: http://localhost:1/mcp\r\n", String::new()),
        Manner::Silent => return (String::new(), String::new(), true),
        Manner::Plain | Manner::Events | Manner::Moved => {}
    }
    let Some(result) = result(&asked.body) else { return with("202 Accepted", "", String::new()) };
    let session = if asked.body["method"] == "initialize" { "Mcp-Session-Id: abc\r\n" } else { "" };
    if manner == Manner::Events {
        let head =
            format!("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n{session}\r\n");
        let notice = json!({"jsonrpc": "2.0", "method": "notifications/message"});
        return (head, format!(": hello\n\ndata: {notice}\n\nevent: message\ndata: {result}\n\n"), true);
    }
    with("200 OK", &format!("Content-Type: application/json\r\n{session}"), result.to_string())
}

/// Imports from a server that behaves so, and tells what it was asked.
fn import(manner: Manner, flags: &[&str]) -> (Run, Vec<Asked>, Vec<Value>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://user:pass@{}/mcp", listener.local_addr().unwrap());
    let asked = Arc::new(Mutex::new(Vec::new()));
    let remembered = Arc::clone(&asked);
    thread::spawn(move || {
        let mut open = Vec::new();
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let Some(asked) = read(&stream) else { continue };
            remembered.lock().unwrap().push(asked.clone());
            let (head, body, stays) = answer(manner, &asked);
            let _ = stream.write_all((head + &body).as_bytes());
            if stays {
                open.push(stream);
            }
        }
    });
    let here = tempdir().unwrap();
    let args = [&["import", "mcp", "--url", &url], flags].concat();
    let run = waypost_in(here.path(), &args, b"", &[("DESK_KEY", "s3cret")]);
    let text = fs::read_to_string(here.path().join("tools.jsonl")).unwrap_or_default();
    let rows = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let asked = asked.lock().unwrap().clone();
    (run, asked, rows)
}

#[test]
fn an_address_is_asked_for_all_its_tools() {
    for manner in [Manner::Plain, Manner::Events, Manner::Moved] {
        let (run, asked, rows) = import(manner, &["--bearer-env", "DESK_KEY", "--header", "X-Team: blue"]);
        assert_eq!(run.code, 0, "{manner:?}: {}", run.err);
        let names: Vec<String> =
            rows.iter().map(|row| format!("{}/{}", row["server"], row["name"])).collect();
        assert_eq!(names, [r#""far"/"first""#, r#""far"/"second""#], "{manner:?}");
        assert_eq!(rows[0]["description"], "Ü");
        let answered: Vec<&Asked> =
            asked.iter().filter(|asked| manner != Manner::Moved || asked.path == "/mcp/").collect();
        let methods: Vec<&str> =
            answered.iter().map(|asked| asked.body["method"].as_str().unwrap()).collect();
        assert_eq!(methods, ["initialize", "notifications/initialized", "tools/list", "tools/list"]);
        for asked in &answered {
            for header in [
                "authorization: Bearer s3cret",
                "x-team: blue",
                "accept: application/json, text/event-stream",
            ] {
                assert!(asked.headers.contains(header), "{}", asked.headers);
            }
        }
        for later in &answered[1..] {
            assert!(later.headers.contains("mcp-session-id: abc\n"), "{}", later.headers);
            assert!(later.headers.contains("mcp-protocol-version: 2025-03-26\n"), "{}", later.headers);
        }
    }
}

#[test]
fn an_address_that_fails_says_how_and_no_secret() {
    for (manner, code, says) in [
        (Manner::Refuses(401), "http", "--bearer-env"),
        (Manner::Refuses(404), "http", "ends in /mcp"),
        (Manner::Refuses(500), "http", "answers 500"),
        (Manner::Elsewhere, "http", "sends elsewhere"),
        (Manner::Page, "not_json", "<html>hello</html>"),
        (Manner::Silent, "timed_out", "within 1 s"),
    ] {
        let (run, asked, rows) = import(manner, &["--bearer-env", "DESK_KEY", "--json", "--timeout", "1"]);
        assert_eq!(run.code, 2, "{manner:?}: {}", run.out);
        let told: Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!(told["error"]["code"], code, "{manner:?}: {told}");
        let message = told["error"]["message"].as_str().unwrap();
        assert!(message.contains(says), "{manner:?}: {message}");
        assert!(!message.contains("s3cret") && !message.contains("pass"), "{message}");
        assert_eq!((asked.len(), rows.len()), (1, 0), "{manner:?}: asked once");
    }
    let here = tempdir().unwrap();
    let run = waypost_in(here.path(), &["import", "mcp", "--url", "http://127.0.0.1:1/mcp"], b"", &[]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("http://127.0.0.1:1/mcp cannot be reached"), "{}", run.err);
}
