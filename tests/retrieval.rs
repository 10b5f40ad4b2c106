//! Is what was found re-ranked, shown and measured as it should be?
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};
use support::{Run, waypost_in};
use tempfile::{TempDir, tempdir};

/// A folder with tools, passages, and rows that need them.
fn here() -> TempDir {
    let here = tempdir().unwrap();
    let write = |name: &str, rows: &[Value]| {
        fs::write(here.path().join(name), rows.iter().map(|row| format!("{row}\n")).collect::<String>())
            .unwrap();
    };
    let tools = [
        json!({"name": "send_mail", "description": "Sends an e-mail to somebody"}),
        json!({"name": "current_weather", "description": "Tells the weather of a place"}),
        json!({"name": "book_table", "description": "Reserves a table in a restaurant"}),
    ];
    write("tools.jsonl", &tools);
    let docs = [
        json!({"id": "leave", "collection": "handbook", "text": "Everybody has thirty days of paid holiday a year."}),
        json!({"id": "sick", "collection": "handbook", "text": "Call in sick before nine."}),
        json!({"id": "deploy", "collection": "operations", "text": "A release goes out on Tuesdays."}),
    ];
    write("docs.jsonl", &docs);
    let rows = [
        json!({"query": "send an e-mail to Bo", "relevant": ["send_mail"]}),
        json!({"query": "will it rain <b>today</b>", "relevant": ["book_table"]}),
        json!({"query": "zirconium flux capacitors", "relevant": []}),
    ];
    write("rows.jsonl", &rows);
    write(
        "asked.jsonl",
        &[json!({"query": "paid holidays", "relevant": ["leave"], "collection": "handbook"})],
    );
    here
}

fn run(folder: &Path, args: &[&str]) -> Run {
    waypost_in(folder, args, b"", &[("TEST_KEY", "secret-key")])
}

#[test]
fn evaluations_are_shown_on_one_page() {
    let here = here();
    let told = run(
        here.path(),
        &["eval", "tools", "--tools", "tools.jsonl", "--test", "rows.jsonl", "--html", "page.html"],
    );
    assert!(told.code == 0 && told.err.contains("wrote page.html"), "{}", told.err);
    for figure in
        ["nDCG@10", "recall@1 / @3 / @5 / @10", "precision@5", "MRR", "AUROC", "ECE", "p50 / p90 / p99"]
    {
        assert!(told.out.contains(figure), "no {figure} in {}", told.out);
    }
    let html = fs::read_to_string(here.path().join("page.html")).unwrap();
    assert!(html.starts_with("<!doctype html>") && html.ends_with("</html>\n"));
    assert!(!html.contains("<script") && !html.contains("http") && !html.contains("<b>today"), "{html}");
    for drawn in ["recall", "reliability", "fits", "latency"] {
        assert!(html.contains(&format!("<desc id=\"{drawn}-desc\">")), "no {drawn}");
    }
    assert!(html.contains("rain &lt;b&gt;today&lt;/b&gt;") && html.contains("book_<wbr>table"), "{html}");
    let args =
        ["eval", "sources", "--docs", "docs.jsonl", "--test", "asked.jsonl", "--json", "--html", "page.html"];
    let told = run(here.path(), &args);
    assert_eq!(told.code, 0, "{}", told.err);
    let figures = &serde_json::from_str::<Value>(&told.out).unwrap()["figures"];
    for figure in ["recall_at_3", "ndcg_at_10", "mrr", "precision_at_5", "collection_right", "latency", "ece"]
    {
        assert!(!figures[figure].is_null(), "no {figure} in {figures}");
    }
    assert_eq!(figures["recall_by_depth"].as_array().unwrap().len(), 10);
    let html = fs::read_to_string(here.path().join("page.html")).unwrap();
    assert!(html.contains("right collection first") && !html.contains("What nothing serves"), "{html}");
    let nowhere = run(
        here.path(),
        &["eval", "tools", "--tools", "missing", "--test", "missing", "--html", "nowhere/page.html"],
    );
    assert!(nowhere.code == 2 && nowhere.err.contains("cannot write nowhere/page.html"), "{}", nowhere.err);
}

/// How the endpoint of a test behaves.
#[derive(Clone, Copy, Debug)]
enum Manner {
    /// It prefers texts with more letters `w`, and answers as text-embeddings-inference does.
    Tei,
    /// The same, as Cohere does.
    Cohere,
    /// It scores a text that was not sent.
    Beyond,
    /// It scores one text too few.
    TooFew,
    /// It refuses.
    Refusing,
    /// It takes the request and never answers.
    Silent,
    /// It hangs up.
    Closing,
    /// It answers with something that is no JSON.
    Garbled,
}

/// An endpoint, and the heads and bodies of what it was asked.
struct Endpoint {
    url: String,
    asked: Arc<Mutex<Vec<(String, Value)>>>,
}

impl Endpoint {
    fn start(manner: Manner) -> Endpoint {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let remembered = Arc::clone(&asked);
        thread::spawn(move || {
            let mut kept_open = Vec::new();
            for stream in listener.incoming() {
                let Ok(mut stream) = stream else { return };
                let Some((head, body)) = read(&stream) else { continue };
                let answer = answer(manner, &body);
                remembered.lock().unwrap().push((head, body));
                match (manner, answer) {
                    (Manner::Silent, _) => kept_open.push(stream),
                    (Manner::Closing, _) => drop(stream),
                    (_, (status, answer)) => {
                        let length = answer.len();
                        let head = format!(
                            "HTTP/1.1 {status} So\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
                        );
                        let _ = stream.write_all((head + &answer).as_bytes());
                    }
                }
            }
        });
        Endpoint { url, asked }
    }
}

fn answer(manner: Manner, body: &Value) -> (u16, String) {
    let texts = body["texts"].as_array().or(body["documents"].as_array()).cloned().unwrap_or_default();
    let score = |text: &Value| text.as_str().unwrap().matches('w').count();
    let scored = |name: &str| -> Vec<Value> {
        texts.iter().enumerate().map(|(index, text)| json!({"index": index, name: score(text)})).collect()
    };
    let answer = match manner {
        Manner::Cohere => json!({"id": "x", "results": scored("relevance_score"), "meta": {}}).to_string(),
        Manner::Beyond => json!([{"index": texts.len(), "score": 1}]).to_string(),
        Manner::TooFew => Value::from(scored("score").split_off(1)).to_string(),
        Manner::Garbled => "<html>busy</html>".to_owned(),
        Manner::Refusing => return (500, "broken: Bearer secret-key".to_owned()),
        Manner::Tei | Manner::Silent | Manner::Closing => Value::from(scored("score")).to_string(),
    };
    (200, answer)
}

/// The head of a request, and the JSON that it carries.
fn read(stream: &TcpStream) -> Option<(String, Value)> {
    let mut reader = BufReader::new(stream);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        if line.trim().is_empty() {
            break;
        }
        head.push_str(&line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((head, serde_json::from_slice(&body).ok()?))
}

const MESSAGE: &str = "send an e-mail to Bo";

fn tools(folder: &Path, flags: &[&str]) -> Value {
    let args = [&["tools", "--tools", "tools.jsonl", "-k", "2", "--json", MESSAGE], flags].concat();
    let told = run(folder, &args);
    assert_eq!(told.code, 0, "{}", told.err);
    serde_json::from_str(&told.out).unwrap()
}

fn ids(answer: &Value, what: &str) -> Vec<String> {
    let ids = answer[what].as_array().unwrap().iter().map(|found| found["id"].as_str().unwrap().to_owned());
    ids.collect()
}

#[test]
fn endpoints_of_both_shapes_order_the_best() {
    let here = here();
    let local = tools(here.path(), &[]);
    assert_eq!(ids(&local, "tools")[0], "send_mail");
    assert!(local["reranked_by"].is_null() && local["notes"].is_null());
    let tei = Endpoint::start(Manner::Tei);
    let found = tools(here.path(), &["--rerank", &tei.url]);
    assert_eq!(ids(&found, "tools")[0], "current_weather", "{found}");
    assert_eq!((&found["reranked_by"], &found["notes"]), (&json!(format!("tei {}", tei.url)), &Value::Null));
    assert_eq!((&found["fits"], ids(&found, "tools").len()), (&local["fits"], 2));
    let (head, body) = tei.asked.lock().unwrap()[0].clone();
    assert!(head.starts_with("POST /rerank ") && !head.to_lowercase().contains("authorization"), "{head}");
    assert_eq!((&body["query"], body["texts"].as_array().unwrap().len()), (&json!(MESSAGE), 3));

    let cohere = Endpoint::start(Manner::Cohere);
    let url = format!("{}/v2", cohere.url);
    let flags = ["--rerank", &url, "--rerank-model", "rerank-v3.5", "--rerank-key-env", "TEST_KEY"];
    let args = [
        &["sources", "--docs", "docs.jsonl", "-k", "1", "--json", "is there a holiday", "--history", "hello"],
        &flags[..],
    ];
    let told = run(here.path(), &args.concat());
    assert_eq!(told.code, 0, "{}", told.err);
    let found: Value = serde_json::from_str(&told.out).unwrap();
    assert_eq!(found["reranked_by"], format!("cohere {url} rerank-v3.5"));
    let (head, body) = cohere.asked.lock().unwrap()[0].clone();
    assert!(head.starts_with("POST /v2/rerank ") && head.contains("Bearer secret-key"), "{head}");
    assert_eq!(
        (&body["model"], &body["query"]),
        (&json!("rerank-v3.5"), &json!("hello\nis there a holiday"))
    );
    assert_eq!(body["top_n"], body["documents"].as_array().unwrap().len());
}

#[test]
fn where_the_endpoint_fails_the_order_of_the_search_stands_and_a_note_says_why() {
    let here = here();
    let local = tools(here.path(), &[]);
    for (manner, told) in [
        (Manner::Beyond, "no usable scores: index 3 of 3 texts"),
        (Manner::TooFew, "no usable scores: scores of 2 of 3 texts"),
        (Manner::Refusing, "answers 500: broken: "),
        (Manner::Silent, "did not answer within 200 ms"),
        (Manner::Closing, "cannot be reached"),
        (Manner::Garbled, "no usable scores: expected value"),
    ] {
        let endpoint = Endpoint::start(manner);
        let patience = if matches!(manner, Manner::Silent) { "200" } else { "30000" };
        let flags =
            ["--rerank", &endpoint.url, "--rerank-timeout-ms", patience, "--rerank-key-env", "TEST_KEY"];
        let found = tools(here.path(), &flags);
        assert_eq!(
            (ids(&found, "tools"), &found["reranked_by"]),
            (ids(&local, "tools"), &Value::Null),
            "{manner:?}"
        );
        let note = found["notes"][0].as_str().unwrap();
        assert!(
            note.starts_with("not re-ranked: the re-rank endpoint ") && note.contains(told),
            "{manner:?}: {note}"
        );
        assert!(!found.to_string().contains("secret"), "{manner:?}: {found}");
    }
    let endpoint = Endpoint::start(Manner::Garbled);
    let args = ["eval", "tools", "--tools", "tools.jsonl", "--test", "rows.jsonl", "--rerank", &endpoint.url];
    let told = run(here.path(), &args);
    assert!(
        told.code == 0 && told.err.contains("3 rows were not re-ranked: the re-rank endpoint"),
        "{}",
        told.err
    );
    let told = run(here.path(), &["tools", "--tools", "tools.jsonl", "--rerank", &endpoint.url, MESSAGE]);
    assert!(told.code == 0 && told.err.starts_with("not re-ranked: "), "{}", told.err);
}

#[test]
fn what_cannot_work_at_all_is_told_at_once() {
    let here = here();
    let check = |flags: &[&str], expected: &str| {
        let args = [&["tools", "--tools", "tools.jsonl", MESSAGE], flags].concat();
        let told = run(here.path(), &args);
        assert!(told.code == 2 && told.err.contains(expected), "{flags:?}: {}", told.err);
    };
    check(&["--rerank", "localhost:8080"], "takes the URL of an endpoint");
    check(&["--rerank", "http://localhost:1", "--rerank-key-env", "UNSET_KEY"], "UNSET_KEY holds no key");
    check(&["--rerank", "http://localhost:1", "--rerank-key-file", "none"], "none holds no key");
    check(&["--rerank-key-env", "TEST_KEY"], "is for an endpoint");
    check(&["--rerank-model", "x"], "needs --rerank URL");
    check(&["--rerank", "transformer", "--rerank-model", "no-such-model"], "no-such-model");
    let told = waypost_in(
        here.path(),
        &["tools", "--tools", "tools.jsonl", MESSAGE],
        b"",
        &[("WAYPOST_RERANK", "http://127.0.0.1:1")],
    );
    assert!(
        told.code == 0 && told.err.contains("http://127.0.0.1:1/rerank cannot be reached"),
        "{}",
        told.err
    );
}

#[test]
fn cost_is_measured_against_size_and_drawn() {
    let here = here();
    let nouns = ["tram", "harbour", "kettle", "ledger", "owl", "invoice", "bridge", "lantern"];
    let row = |n: usize| {
        let (one, other) = (nouns[n % 8], nouns[n / 8 % 8]);
        json!({"title": format!("{one}_{n}"), "text": format!("The {one} of row {n} stands beside the {other} near <gate> `{}.", n / 64)})
    };
    let rows: String = (0..300).map(|n| format!("{}\n", row(n))).collect();
    fs::write(here.path().join("texts.jsonl"), rows).unwrap();
    let args = ["bench", "retrieval", "--texts", "texts.jsonl", "--sizes", "50,100000", "--questions", "20"];
    let told = run(here.path(), &[&args[..], &["--json", "--svg", "growth.svg"]].concat());
    assert_eq!(told.code, 0, "{}", told.err);
    let measured: Value = serde_json::from_str(&told.out).unwrap();
    let costs = measured["costs"].as_array().unwrap();
    let sizes: Vec<(&str, u64)> =
        costs.iter().map(|cost| (cost["what"].as_str().unwrap(), cost["size"].as_u64().unwrap())).collect();
    let all = measured["rows"].as_u64().unwrap();
    assert_eq!(
        sizes,
        [
            ("vectors", 50),
            ("vectors", all),
            ("tools", 50),
            ("tools", all),
            ("passages", 50),
            ("passages", all)
        ]
    );
    assert!(costs.iter().all(|cost| cost["p50_us"].as_f64() <= cost["p99_us"].as_f64()), "{measured}");
    assert!(
        costs[0]["recall_at_10"].as_f64().unwrap() > 0.9 && costs[2]["recall_at_10"].is_null(),
        "{measured}"
    );
    let drawn = fs::read_to_string(here.path().join("growth.svg")).unwrap();
    assert!(drawn.starts_with("<svg xmlns") && drawn.contains("<desc id=\"growth-desc\">"), "{drawn}");
    let table = run(here.path(), &[&args[..], &["--what", "vectors"]].concat());
    assert!(table.out.starts_with("| what | how many |") && table.out.lines().count() == 4, "{}", table.out);
    let few = run(here.path(), &["bench", "retrieval", "--texts", "docs.jsonl"]);
    assert!(few.code == 2 && few.err.contains("too few for 200 questions"), "{}", few.err);
}
