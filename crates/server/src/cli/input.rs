//! Where do messages come from?

use std::collections::BTreeMap;
use std::io::{IsTerminal, Read};

use anyhow::{Context, bail};
use clap::Args;
use waypost::core::limits::MESSAGE_BYTES_MAX;
use waypost::core::message::{Fact, Turn};
use waypost::learn::Cache;
use waypost::{Message, Router, find_catalog};

use super::definitions::Asked;
use super::progress;

/// The router for the catalog asked for, which learns when a message first needs it.
pub fn router(catalog: Option<&str>) -> anyhow::Result<Router> {
    Ok(Router::open(&find_catalog(catalog), &Cache::of_user())?)
}

/// The same, having learned.
pub fn ready(catalog: Option<&str>) -> anyhow::Result<Router> {
    let router = router(catalog)?;
    let waiting = progress::waiting("learning from the examples");
    router.get_ready();
    waiting.finish_and_clear();
    Ok(router)
}

/// The message of the command line, or of standard input where it has none.
pub fn message<F: Args>(asked: &Asked<F>) -> anyhow::Result<Message> {
    let words = &asked.text;
    let text =
        if words.is_empty() || words == &["-"] { standard_input(words.is_empty())? } else { words.join(" ") };
    Ok(Message {
        text,
        user: asked.user.clone(),
        session_id: asked.session_id.clone(),
        session: facts(&asked.session)?,
        environment: facts(&asked.environment)?,
        history: asked.history.iter().map(|turn| Turn::Text(turn.clone())).collect(),
    })
}

fn standard_input(implied: bool) -> anyhow::Result<String> {
    let stdin = std::io::stdin();
    if implied && stdin.is_terminal() {
        bail!("there is no message; give it as TEXT, on standard input, or as rows with --batch FILE");
    }
    let mut bytes = Vec::new();
    // Two bytes more than allowed are enough to see that it is too long: one may be the end of the line.
    let most = MESSAGE_BYTES_MAX + 2;
    stdin.lock().take(most as u64).read_to_end(&mut bytes).context("cannot read standard input")?;
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    }
    // A text that is too long may be cut inside a character; that it is too long is what the router will say.
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(error) if error.as_bytes().len() > MESSAGE_BYTES_MAX => {
            Ok(String::from_utf8_lossy(error.as_bytes()).into())
        }
        Err(error) => Err(error).context("standard input is not UTF-8"),
    }
}

/// Facts as `key=value`; true, false and numbers are what they look like.
fn facts(written: &[String]) -> anyhow::Result<BTreeMap<String, Fact>> {
    let fact = |pair: &String| {
        let (key, value) = pair.split_once('=').with_context(|| format!("{pair:?} is not KEY=VALUE"))?;
        let fact = serde_json::from_str(value).unwrap_or_else(|_| Fact::Text(value.to_owned()));
        Ok((key.to_owned(), fact))
    };
    written.iter().map(fact).collect()
}
