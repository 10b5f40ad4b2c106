//! Where do messages come from?

use std::collections::BTreeMap;
use std::io::{IsTerminal, Read};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use indicatif::ProgressBar;
use waypost::core::limits::MESSAGE_BYTES_MAX;
use waypost::core::message::{Fact, Turn};
use waypost::core::preflight::SAFE_MODE;
use waypost::core::resources::Resources;
use waypost::learn::Cache;
use waypost::ports::cache::Caches;
use waypost::ports::observe::Handshakes;
use waypost::ports::{FixedMachine, observe, sample_now};
use waypost::store::{self, Settings, Sqlite, Store, StoreError};
use waypost::{Catalog, Message, Router, eval, find_catalog};

use super::definitions::Asked;
use super::progress;

/// The router for the catalog asked for, which learns when a message first needs it.
pub fn router(catalog: Option<&str>) -> anyhow::Result<Router> {
    Ok(Router::open(&find_catalog(catalog), &Cache::of_user())?)
}

/// The same router, looking up what this machine computed before. Evaluations and benchmarks do without: they measure computing.
pub fn cached(router: Router) -> Router {
    looking_up(router, caches())
}

/// The same router, looking up in these layers if there are any.
pub fn looking_up(router: Router, caches: Option<Arc<Caches>>) -> Router {
    match caches {
        Some(caches) => router.with_caches(caches),
        None => router,
    }
}

/// Switches looking up off, with the value `off`.
const CACHE_VARIABLE: &str = "WAYPOST_CACHE";

/// What this machine computed before, unless looking up is switched off.
pub fn caches() -> Option<Arc<Caches>> {
    let is_off = std::env::var(CACHE_VARIABLE).is_ok_and(|value| value == "off");
    (!is_off).then(|| Arc::new(Caches::of_user()))
}

/// The same, having learned.
pub fn ready(catalog: Option<&str>) -> anyhow::Result<Router> {
    let router = router(catalog)?;
    let waiting = learning(&router);
    router.get_ready();
    waiting.finish_and_clear();
    Ok(router)
}

/// Shows that it learns, and from how much: the first time that takes seconds.
pub fn learning(router: &Router) -> ProgressBar {
    let catalog = router.catalog();
    let labelled = catalog.context().map_or(0, |labels| labels.examples().len());
    let examples = eval::rows_of(catalog).len() + labelled;
    progress::waiting(&format!("learning from {examples} examples"))
}

/// The same router in its surroundings, where its catalog asks for them: how much of the machine is used, what tasks need
/// and is there, and what is remembered of users.
///
/// A store that cannot be had is left out, and told by whoever would have used it.
pub fn surrounded(
    router: Router,
    data: Option<&Path>,
    use_of_store: StoreUse,
    handshakes: Handshakes,
) -> anyhow::Result<Router> {
    let (thresholds, precautions) = (router.catalog().thresholds(), router.catalog().precautions());
    if thresholds.rules.is_empty() && !precautions.is_asked() && use_of_store == StoreUse::Look {
        // Tools show what is measured of them, if anything was recorded.
        let file =
            store::path(data).ok().filter(|file| !router.catalog().tools().is_empty() && file.exists());
        return Ok(match file {
            Some(file) => router.with_store(open_store(&file, use_of_store)),
            None => router,
        });
    }
    let file = store::path(data);
    let here = Path::new(".");
    let state = file.as_deref().ok().and_then(Path::parent).unwrap_or(here);
    let resources = given_resources()?.unwrap_or_else(|| sample_now(state));
    let requires = observe::everything(router.catalog());
    let observed = observe::observe(&precautions.needs, &requires, state, here, handshakes);
    let store = file.and_then(|file| open_store(&file, use_of_store));
    Ok(router.with_machine(FixedMachine(resources)).with_observed(observed).with_store(store))
}

/// Says how much of the machine is used, where measuring it would mislead: in a container that sees its host's disk, or in a test.
const RESOURCES_VARIABLE: &str = "WAYPOST_RESOURCES";

fn given_resources() -> anyhow::Result<Option<Resources>> {
    let given = std::env::var(RESOURCES_VARIABLE).ok().filter(|given| !given.is_empty());
    let Some(given) = given else { return Ok(None) };
    let resources: Resources = serde_json::from_str(&given).with_context(|| {
        format!("{RESOURCES_VARIABLE} must be a JSON object such as {{\"memory\": 0.5, \"disk\": 0.2}}, not {given:?}")
    })?;
    let shares = [resources.memory, resources.cpu, resources.disk];
    if shares.into_iter().flatten().any(|share| !(0.0..=1.0).contains(&share)) {
        bail!("{RESOURCES_VARIABLE} holds shares between 0 and 1, not {given}");
    }
    Ok(Some(resources))
}

/// What the store is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreUse {
    /// To look up what is known of a user.
    Look,
    /// To keep decisions too.
    Record,
}

/// How long a handshake with servers at addresses may take, all together: those of this machine and its neighbours answer
/// within it. Servers that take longer are not checked, and answers say so.
const SERVERS_WAIT: Duration = Duration::from_millis(20);

/// The handshakes of a command that is run once. Starting programs takes seconds, so it is done on request (`--handshake`).
pub fn handshakes(are_all_asked: bool) -> Handshakes {
    if are_all_asked { Handshakes::All } else { Handshakes::Addresses(SERVERS_WAIT) }
}

/// How long a decision waits for another process that holds the store: a blink; it can be made without.
const STORE_WAIT: Duration = Duration::from_millis(250);

fn open_store(file: &Path, use_of_store: StoreUse) -> Result<Arc<dyn Store>, StoreError> {
    let settings = Settings { busy_wait: STORE_WAIT };
    Ok(Arc::new(match use_of_store {
        StoreUse::Look => Sqlite::look(file, settings)?,
        StoreUse::Record => Sqlite::open(file, settings)?,
    }))
}

/// The message of the command line, or of standard input where it has none.
pub fn message<F: Args>(asked: &Asked<F>, catalog: &Catalog) -> anyhow::Result<Message> {
    let mut text = text(&asked.text)?;
    if asked.safe_mode {
        if !catalog.precautions().flags.known.contains_key(SAFE_MODE) {
            bail!("the catalog {} has no flag {SAFE_MODE} under `flags.known`", catalog.name());
        }
        text = format!("{text} {SAFE_MODE}");
    }
    Ok(Message {
        text,
        user: asked.user.clone(),
        tenant: asked.tenant.clone(),
        session_id: asked.session_id.clone(),
        session: facts(&asked.session)?,
        environment: facts(&asked.environment)?,
        history: asked.history.iter().map(|turn| Turn::Text(turn.clone())).collect(),
    })
}

/// The text of a message: what is written behind the command, else standard input.
pub fn text(written: &[String]) -> anyhow::Result<String> {
    if written.is_empty() || written == ["-"] {
        standard_input(written.is_empty(), "message")
    } else {
        Ok(written.join(" "))
    }
}

/// That a message is not longer than any is answered; else what to say.
pub fn bounded(text: &str) -> Result<(), String> {
    let (found, most) = (text.len(), MESSAGE_BYTES_MAX);
    if found > most { Err(format!("the message has {found} bytes and may have {most}")) } else { Ok(()) }
}

/// What standard input holds: the thing that was asked for, and perhaps nothing said so.
pub fn standard_input(implied: bool, what: &str) -> anyhow::Result<String> {
    let stdin = std::io::stdin();
    if implied && stdin.is_terminal() {
        bail!("there is no {what}; give it as an argument, on standard input, or as rows with --batch FILE");
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

/// Facts as `key=value`; true, false and numbers are what they look like, and yes and no what they mean.
pub fn facts<'f>(written: impl IntoIterator<Item = &'f String>) -> anyhow::Result<BTreeMap<String, Fact>> {
    let fact = |pair: &String| {
        let (key, value) = pair.split_once('=').with_context(|| format!("{pair:?} is not KEY=VALUE"))?;
        let fact = match value {
            "yes" | "on" => Fact::Flag(true),
            "no" | "off" => Fact::Flag(false),
            _ => serde_json::from_str(value).unwrap_or_else(|_| Fact::Text(value.to_owned())),
        };
        Ok((key.to_owned(), fact))
    };
    written.into_iter().map(fact).collect()
}
