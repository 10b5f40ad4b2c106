//! What tools are judged by, a row of JSON a message: `training/serves.py` learns from it.
//!
//!     cargo run --release --example serves_lessons -- POOL.jsonl ROWS.jsonl > lessons.jsonl
//!
//! The pool has a tool a line; rows are `{"text", "tools": [ids]}` or `{"query", "relevant": [ids]}`. Without files it shows one message over two tools.

use std::error::Error;

use serde_json::{Value, json};
use waypost::core::catalog::tools::Tool;
use waypost::encode::BuiltIn;
use waypost::retrieve::tools::Toolbox;

const POOL: &str = r#"{"name": "send_mail", "description": "Sends a mail to somebody."}
{"name": "play_music", "description": "Plays a song or an album."}"#;
const ROWS: &str = r#"{"text": "write to Ann that I am late", "tools": ["send_mail"]}"#;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (pool, rows) = match (args.next(), args.next()) {
        (Some(pool), Some(rows)) => (std::fs::read_to_string(pool)?, std::fs::read_to_string(rows)?),
        _ => (POOL.to_owned(), ROWS.to_owned()),
    };
    let read =
        |line: &str| -> Result<Tool, Box<dyn Error>> { Ok(Tool::from_row(&serde_json::from_str(line)?)?) };
    let tools = pool.lines().map(read).collect::<Result<Vec<_>, _>>()?;
    let toolbox = Toolbox::new(tools, BuiltIn::shipped()?)?;
    for row in rows.lines() {
        let row: Value = serde_json::from_str(row)?;
        let text = row.get("text").or(row.get("query")).and_then(Value::as_str).unwrap_or_default();
        let wanted = row.get("tools").or(row.get("relevant"));
        println!("{}", json!({ "text": text, "wanted": wanted, "tools": toolbox.evidence(text) }));
    }
    Ok(())
}
