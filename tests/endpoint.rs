//! Does a catalog that names an embeddings endpoint use it, and do without where it fails?
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use serde_json::{Value, json};
use support::waypost_in;
use tempfile::tempdir;

/// How the endpoint of a test behaves.
#[derive(Clone, Copy, Debug)]
enum Manner {
    /// It answers as it should.
    Good,
    /// It answers with vectors of another length every time.
    Growing,
    /// It answers with something that is no JSON.
    Garbled,
    /// It takes the request and never answers.
    Silent,
}

/// Words whose presence is a dimension each: enough to tell the routes of the test apart.
const WORDS: [&str; 4] = ["zorgle", "blimp", "quux", "flarn"];

fn vector(text: &str, length: usize) -> Vec<f64> {
    let has = |word: &&str| if text.contains(*word) { 1.0 } else { 0.01 };
    let mut vector: Vec<f64> = WORDS.iter().map(has).collect();
    vector.resize(length, 0.02);
    vector
}

/// Answers one request after the other, until the test is over.
fn serve(listener: &TcpListener, manner: Manner) {
    let mut kept_open: Vec<TcpStream> = Vec::new();
    for (stream, count) in listener.incoming().zip(0..) {
        let Ok(mut stream) = stream else { return };
        let Some(body) = body_of(&stream) else { continue };
        let texts: Vec<String> = serde_json::from_value(body["input"].clone()).unwrap_or_default();
        let length = if matches!(manner, Manner::Growing) { WORDS.len() + count } else { WORDS.len() };
        let data: Vec<Value> = texts
            .iter()
            .enumerate()
            .map(|(index, text)| json!({ "index": index, "embedding": vector(text, length) }))
            .collect();
        let answer = match manner {
            Manner::Good | Manner::Growing => json!({ "data": data }).to_string(),
            Manner::Garbled => "<html>busy</html>".to_owned(),
            Manner::Silent => {
                kept_open.push(stream);
                continue;
            }
        };
        let head =
            format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", answer.len());
        let _ = stream.write_all((head + &answer).as_bytes());
    }
}

/// The JSON that a request carries.
fn body_of(stream: &TcpStream) -> Option<Value> {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

/// What the binary answers with a catalog whose endpoint behaves so.
fn answer(manner: Manner, text: &str) -> Value {
    let here = tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || serve(&listener, manner));
    // The routes differ by words no encoder of ours knows, so that only the endpoint is sure.
    let patience = if matches!(manner, Manner::Silent) { 300 } else { 30_000 };
    let yaml = format!(
        "encoder: {{url: {url}, served: test, timeout_ms: {patience}}}
routes:
  - {{name: first, examples: [a zorgle here, the zorgle there, one zorgle more, blimp and zorgle]}}
  - {{name: second, examples: [a quux here, the quux there, one quux more, flarn and quux]}}
"
    );
    fs::write(here.path().join("waypost.yaml"), yaml).unwrap();
    let cache = here.path().display().to_string();
    let run = waypost_in(here.path(), &["route", "--json", text], b"", &[("XDG_CACHE_HOME", &cache)]);
    assert_eq!(run.code, 0, "{}", run.err);
    serde_json::from_str(&run.out).unwrap()
}

fn notes(answer: &Value) -> String {
    answer["notes"].to_string()
}

#[test]
fn the_endpoint_is_asked_where_the_built_in_encoder_is_not_sure() {
    let answer = answer(Manner::Good, "blimp");
    assert_eq!(answer["routes"][0]["name"], "first", "{answer:#}");
    assert_eq!(answer["routes"][0]["matched_by"], "transformer", "{answer:#}");
    assert_eq!(answer["notes"], Value::Null, "nothing went wrong");
}

#[test]
fn an_endpoint_that_fails_is_told_and_done_without() {
    for (manner, told) in [
        (Manner::Garbled, "no usable vectors"),
        (Manner::Growing, "numbers"),
        (Manner::Silent, "did not answer within 300 ms"),
    ] {
        let answer = answer(manner, "the zorgle over there");
        assert!(notes(&answer).contains(told), "{manner:?}: {answer:#}");
        assert_eq!(answer["route"], "first", "{manner:?}: the built-in encoder decides alone");
    }
}

#[test]
fn an_endpoint_that_is_not_there_is_told_and_done_without() {
    let here = tempdir().unwrap();
    // Nobody listens at port 1.
    let yaml = "encoder: {url: 'http://127.0.0.1:1', api: tei}\nroutes:\n  - {name: first, examples: [a red kite, the red kite]}\n  - {name: second, examples: [a blue boat, the blue boat]}\n";
    fs::write(here.path().join("waypost.yaml"), yaml).unwrap();
    let run = waypost_in(here.path(), &["route", "--json", "my red kite"], b"", &[]);
    let answer: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(answer["route"], "first");
    assert!(notes(&answer).contains("cannot be reached"), "{answer:#}");
}

#[test]
fn a_model_that_is_not_here_is_told_and_done_without() {
    let here = tempdir().unwrap();
    let yaml = "encoder: minilm\nroutes:\n  - {name: first, examples: [a red kite]}\n  - {name: second, examples: [a blue boat]}\n";
    fs::write(here.path().join("waypost.yaml"), yaml).unwrap();
    let nowhere = here.path().join("models").display().to_string();
    let run =
        waypost_in(here.path(), &["route", "--json", "my red kite"], b"", &[("WAYPOST_MODELS", &nowhere)]);
    let answer: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(answer["route"], "first");
    assert!(notes(&answer).contains("the built-in encoder decides alone"), "{answer:#}");
}
