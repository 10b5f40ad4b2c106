//! What does the rule that weighs head and full model learn from? Prints what each says of every message.
//!
//! ```text
//! cargo run --release --example blend_lessons -- training/episodes/valid.jsonl > small.jsonl
//! cargo run --release --example blend_lessons -- ROWS.jsonl TEST.jsonl > public.jsonl
//! python3 training/blend.py --out crates/core/src/fewshot/blend.bin small.jsonl public.jsonl
//! ```
//!
//! `ROWS.jsonl` teaches routes by rows `{"text", "label"}`, and `TEST.jsonl` asks them.
#![allow(clippy::print_stdout)]

use std::fs;

use anyhow::Context;
use serde_json::json;
use waypost::encode::{BuiltIn, Deep, Encoder};
use waypost::eval::{Row, SmallCatalog, SmallSetting, catalog_of};
use waypost::learn::Cache;
use waypost::{Message, Router};

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [] => println!("give a file of small catalogs, such as training/episodes/valid.jsonl"),
        [catalogs] => small(catalogs)?,
        [rows, test] => public(rows, test)?,
        _ => anyhow::bail!("give a file of small catalogs, or rows to learn from and rows to ask"),
    }
    Ok(())
}

fn lines<T: serde::de::DeserializeOwned>(path: &str) -> anyhow::Result<Vec<T>> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {path}"))?;
    text.lines()
        .map(|line| serde_json::from_str(line).with_context(|| format!("a bad line in {path}")))
        .collect()
}

/// Every message of small catalogs, with two numbers of examples.
fn small(path: &str) -> anyhow::Result<()> {
    for catalog in lines::<SmallCatalog>(path)? {
        for examples_max in [None, Some(3)] {
            let setting = SmallSetting { examples_max, ..SmallSetting::default() };
            let router = catalog.router(setting, &Cache::none())?;
            for message in &catalog.messages {
                let history = message.history.clone();
                let said = Message { history, ..Message::from(message.text.as_str()) };
                let wanted = [message.route.as_deref(), message.also.as_deref()];
                tell(&router, &said, &wanted, &message.group);
            }
        }
    }
    Ok(())
}

/// Every row of a public set.
fn public(rows: &str, test: &str) -> anyhow::Result<()> {
    let builtin = BuiltIn::shipped()?;
    let encoders: [std::sync::Arc<dyn Encoder>; 2] = [builtin.clone(), std::sync::Arc::new(Deep(builtin))];
    let router =
        Router::new(catalog_of("train", &lines::<Row>(rows)?)?).learning_fully(&encoders, &Cache::none());
    for row in lines::<Row>(test)? {
        tell(&router, &Message::from(row.text.as_str()), &[Some(row.label.as_str())], "public");
    }
    Ok(())
}

fn tell(router: &Router, said: &Message, wanted: &[Option<&str>], group: &str) {
    let Some((heads, [full, also, denied])) = router.voices_apart(said) else { return };
    let names: Vec<&str> = router.catalog().routes().map(|(_, route)| &*route.name).collect();
    let place = |name: &str| names.iter().position(|known| *known == name);
    let wanted: Vec<usize> = wanted.iter().flatten().filter_map(|name| place(name)).collect();
    let examples: Vec<usize> = router.catalog().routes().map(|(_, route)| route.examples.len()).collect();
    let words = waypost::core::message::Reading::new(&said.text).words().len();
    let line = json!({ "catalog": router.catalog().name(), "group": group, "wanted": wanted, "heads": heads, "full": full, "also": also, "denied": denied, "examples": examples, "words": words, "history": said.history.len() });
    println!("{line}");
}
