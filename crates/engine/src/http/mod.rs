//! How does the engine ask other machines? One thread waits for all of them, behind a call that blocks.
//!
//! A caller hands its request to the thread and waits on an ordinary channel, so it may call from any thread, one of an
//! async runtime included. Proxies come from HTTPS_PROXY, HTTP_PROXY and NO_PROXY, and the roots of trust from the
//! system or from SSL_CERT_FILE. Nothing here is process-wide: a client takes its thread with it when it goes.

mod access;
mod attempt;
mod later;

use std::error::Error;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use reqwest::Url;
use reqwest::header::HeaderMap;
use reqwest::redirect::Policy;
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;
use tokio::runtime::{Builder, Handle};
use tokio::task::AbortHandle;

#[cfg(test)]
pub(crate) use access::bearer;
pub(crate) use access::{KeyPlace, NoAccess, address};
use attempt::{Told, exchange, innermost};

/// Most attempts at one request: two more are enough for a hiccup, and what lasts longer is no hiccup.
pub(crate) const ATTEMPTS_MAX: u32 = 3;
/// The wait before the second attempt; it doubles before each further one.
const BACKOFF_FIRST: Duration = Duration::from_millis(200);
/// Most redirections within one origin: one adds a slash, and a few more are no circle yet.
const REDIRECTS_MAX: usize = 5;
/// Longest wait before an attempt, whatever the other machine asks for: somebody waits for the answer.
const BACKOFF_MAX: Duration = Duration::from_secs(10);

/// What is asked of another machine.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// Where.
    pub(crate) url: Url,
    /// The JSON to post; without it the request is a plain GET.
    pub(crate) body: Option<Vec<u8>>,
    /// Its own headers. What proves who asks is marked sensitive: it shows in no debug output, and is cut out of what a
    /// refusal repeats.
    pub(crate) headers: HeaderMap,
    /// What kinds of answer are understood.
    pub(crate) accept: &'static str,
    /// How long an attempt may take.
    pub(crate) patience: Patience,
    /// Longest answer, in bytes.
    pub(crate) bytes_max: u64,
}

/// How long an attempt may take.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Patience {
    /// So long from the first byte sent to the last received: for answers somebody waits for.
    Whole(Duration),
    /// So long without anything arriving: for downloads, which take as long as they take.
    Silence(Duration),
}

/// Why there is no answer, after all attempts.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HttpError {
    #[error("cannot be reached: {0}")]
    Unreachable(String),
    #[error("does not answer within {} ms", .0.as_millis())]
    TimedOut(Duration),
    #[error("answers {status}{}{excerpt}", if .excerpt.is_empty() { "" } else { ": " })]
    Refused {
        status: u16,
        /// The beginning of what it says, on one line.
        excerpt: String,
        /// What it says, as far as it was read.
        said: String,
        retry_after: Option<Duration>,
    },
    #[error("answers with more than {0} bytes")]
    TooLong(u64),
    #[error("what came cannot be kept: {0}")]
    NotKept(io::Error),
}

impl HttpError {
    /// The wait before another attempt, where one may help.
    fn wait(&self, attempt: u32) -> Option<Duration> {
        let asked = match self {
            HttpError::Unreachable(_) | HttpError::TimedOut(_) => None,
            HttpError::Refused { status: 429 | 500..=599, retry_after, .. } => *retry_after,
            HttpError::Refused { .. } | HttpError::TooLong(_) | HttpError::NotKept(_) => return None,
        };
        Some(asked.unwrap_or_else(|| backoff(attempt, chance())).min(BACKOFF_MAX))
    }
}

/// Where an answer goes, piece by piece.
pub(crate) trait Sink {
    /// An attempt begins; what an earlier one brought is void.
    fn start(&mut self) -> io::Result<()>;
    /// The headers of the answer, before its first piece.
    fn head(&mut self, _headers: &HeaderMap) -> io::Result<()> {
        Ok(())
    }
    /// The next piece.
    fn take(&mut self, piece: &[u8]) -> io::Result<()>;
}

impl Sink for Vec<u8> {
    fn start(&mut self) -> io::Result<()> {
        self.clear();
        Ok(())
    }

    fn take(&mut self, piece: &[u8]) -> io::Result<()> {
        self.extend_from_slice(piece);
        Ok(())
    }
}

/// Asks other machines, from a thread of its own.
#[derive(Debug)]
pub(crate) struct Client {
    runtime: Handle,
    life: AbortHandle,
    proxied: reqwest::Client,
    /// For this machine itself, which no proxy can reach.
    direct: reqwest::Client,
}

impl Client {
    /// Starts the thread.
    pub(crate) fn start() -> Result<Client, HttpError> {
        Client::start_with(Policy::default, None)
    }

    /// Starts the thread of a client that is redirected within one origin alone, so that its headers go nowhere else.
    pub(crate) fn start_for_one_origin() -> Result<Client, HttpError> {
        Client::start_with(within_one_origin, None)
    }

    /// The same, of one that waits so long at most until it is connected: a machine that is off is noticed sooner than one
    /// that thinks.
    pub(crate) fn start_for_one_origin_within(connect: Duration) -> Result<Client, HttpError> {
        Client::start_with(within_one_origin, Some(connect))
    }

    fn start_with(redirects: fn() -> Policy, connect: Option<Duration>) -> Result<Client, HttpError> {
        let failed = |error: &dyn Error| HttpError::Unreachable(innermost(error));
        let tls = trust().map_err(|error| failed(&error))?;
        let client = || {
            let builder = reqwest::Client::builder().user_agent(AGENT).redirect(redirects());
            let builder = builder.tls_backend_preconfigured(tls.clone());
            connect.into_iter().fold(builder, reqwest::ClientBuilder::connect_timeout)
        };
        let proxied = client().build().map_err(|error| failed(&error))?;
        let direct = client().no_proxy().build().map_err(|error| failed(&error))?;
        let (ready, started) = mpsc::channel();
        let named = thread::Builder::new().name("waypost-http".to_owned());
        named.spawn(move || live(&ready)).map_err(|error| failed(&error))?;
        let started = started.recv().map_err(|error| failed(&error))?;
        let (runtime, life) = started.map_err(|error| failed(&error))?;
        Ok(Client { runtime, life, proxied, direct })
    }

    /// Asks, as often as it may help, and gives the address that answered after all redirections.
    pub(crate) fn ask(&self, request: &Request, sink: &mut dyn Sink) -> Result<Url, HttpError> {
        let mut wait = Duration::ZERO;
        for attempt in 1..ATTEMPTS_MAX {
            match self.try_once(request, wait, sink) {
                Ok(url) => return Ok(url),
                Err(error) => wait = error.wait(attempt).ok_or(error)?,
            }
        }
        self.try_once(request, wait, sink)
    }

    /// Asks once: for what must not be asked twice, and where a person can simply ask again.
    pub(crate) fn ask_once(&self, request: &Request, sink: &mut dyn Sink) -> Result<Url, HttpError> {
        self.try_once(request, Duration::ZERO, sink)
    }

    /// Asks once, after a while: for those who say themselves when another attempt may help.
    pub(crate) fn ask_after(
        &self,
        wait: Duration,
        request: &Request,
        sink: &mut dyn Sink,
    ) -> Result<Url, HttpError> {
        self.try_once(request, wait, sink)
    }

    fn try_once(&self, request: &Request, wait: Duration, sink: &mut dyn Sink) -> Result<Url, HttpError> {
        sink.start().map_err(HttpError::NotKept)?;
        let client = if is_this_machine(&request.url) { &self.direct } else { &self.proxied };
        let (client, request) = (client.clone(), request.clone());
        let (tell, told) = mpsc::channel();
        self.runtime.spawn(async move {
            tokio::time::sleep(wait).await;
            let done = exchange(&client, request, &tell).await;
            // A caller that has stopped listening does not want to know.
            let _ = tell.send(Told::Done(done));
        });
        loop {
            match told.recv() {
                Ok(Told::Head(headers)) => sink.head(&headers).map_err(HttpError::NotKept)?,
                Ok(Told::Piece(piece)) => sink.take(&piece).map_err(HttpError::NotKept)?,
                Ok(Told::Done(done)) => return done,
                Err(gone) => return Err(HttpError::Unreachable(gone.to_string())),
            }
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.life.abort();
    }
}

/// Follows a redirection that leads nowhere else.
fn within_one_origin() -> Policy {
    Policy::custom(|attempt| {
        let first = attempt.previous().first().map(Url::origin);
        let stays = first.is_none_or(|first| first == attempt.url().origin());
        let few = attempt.previous().len() <= REDIRECTS_MAX;
        if stays && few { attempt.follow() } else { attempt.stop() }
    })
}

/// What we call ourselves.
const AGENT: &str = concat!("waypost/", env!("CARGO_PKG_VERSION"));

/// The thread: it drives everything that is spawned until its client goes, which aborts the task it waits for.
fn live(ready: &Sender<io::Result<(Handle, AbortHandle)>>) {
    let runtime = match Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return drop(ready.send(Err(error))),
    };
    let life = runtime.spawn(std::future::pending::<()>());
    if ready.send(Ok((runtime.handle().clone(), life.abort_handle()))).is_ok() {
        let _ = runtime.block_on(life);
    }
    // A look-up of a name may still hang in the system; nobody waits for it.
    runtime.shutdown_background();
}

/// The system's roots of trust. A machine without any can still ask in plain HTTP; what it asks in HTTPS fails by name.
fn trust() -> Result<ClientConfig, rustls::Error> {
    let builder = || {
        ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
    };
    let config = match builder()?.with_platform_verifier() {
        Ok(verified) => verified,
        Err(_) => builder()?.with_root_certificates(RootCertStore::empty()),
    };
    Ok(config.with_no_client_auth())
}

/// An address as it may be shown and logged: without name and password, and without a query, which may hold a key.
pub(crate) fn shown(url: &Url) -> String {
    let mut url = url.clone();
    // Only addresses without a host have no room for these, and then there is nothing to remove.
    let _ = (url.set_username(""), url.set_password(None));
    url.set_query(None);
    url.set_fragment(None);
    url.as_str().trim_end_matches('/').to_owned()
}

fn is_this_machine(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

/// The wait before the attempt after this one: doubled each time, and up to half as long again by `share` (0 to 1), so that
/// many who failed together do not come back together.
pub(crate) fn backoff(attempt: u32, share: f64) -> Duration {
    let wait = BACKOFF_FIRST.saturating_mul(2_u32.saturating_pow(attempt.saturating_sub(1)));
    wait.saturating_add(wait.min(BACKOFF_MAX).mul_f64(0.5 * share.clamp(0.0, 1.0)))
}

/// A share by the clock's last digits.
fn chance() -> f64 {
    let nanos = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().subsec_nanos();
    f64::from(nanos % 1_000_000) / 1_000_000.0
}

#[cfg(test)]
mod tests {
    use reqwest::header::{AUTHORIZATION, HeaderValue};

    use super::*;
    use crate::loopback::{Answer, Loopback};

    fn request(url: &str) -> Request {
        let patience = Patience::Silence(Duration::from_secs(10));
        let url = Url::parse(url).unwrap();
        Request { url, body: None, headers: HeaderMap::new(), accept: "text/plain", patience, bytes_max: 4 }
    }

    /// What a server with these answers brings, and how many requests that takes.
    #[track_caller]
    fn check(answers: Vec<Answer>, requests: u32, expected: &str) {
        let server = Loopback::scripted(answers);
        let mut body = Vec::new();
        let got = match Client::start().unwrap().ask(&request(&server.url()), &mut body) {
            Ok(url) => format!("{} {}", url.path(), String::from_utf8(body).unwrap()),
            Err(error) => error.to_string(),
        };
        assert!(got.contains(expected), "{got}");
        assert_eq!(server.asked().len(), requests as usize, "{got}");
    }

    #[test]
    fn answers_are_followed_bounded_and_whole() {
        check(vec![Answer::good("four")], 1, "/ four");
        check(vec![Answer::good("fiver")], 1, "more than 4 bytes");
        check(vec![Answer::Says(302, "Location: /there\r\n", vec![]), Answer::good("it")], 2, "/there it");
        check(vec![Answer::CutShort(b"two".to_vec()), Answer::good("one")], 2, "/ one");
        check(vec![Answer::CutShort(b"two".to_vec())], ATTEMPTS_MAX, "cannot be reached: ");
        check(vec![Answer::Says(403, "", vec![])], 1, "answers 403");
    }

    #[test]
    fn what_is_posted_arrives_and_silence_has_an_end() {
        let server = Loopback::scripted(vec![Answer::good("ok"), Answer::Silence]);
        let headers = HeaderMap::from_iter([(AUTHORIZATION, HeaderValue::from_static("Bearer me"))]);
        let posted = Request { body: Some(b"[1]".to_vec()), headers, ..request(&server.url()) };
        let client = Client::start().unwrap();
        client.ask(&posted, &mut Vec::new()).unwrap();
        let asked = &server.asked()[0];
        assert_eq!(asked.body, "[1]");
        for header in ["authorization: Bearer me", "content-type: application/json", "accept: text/plain"] {
            assert!(asked.headers.contains(&header.to_owned()), "{:?}", asked.headers);
        }
        for patience in [Patience::Whole, Patience::Silence].map(|of| of(Duration::from_millis(20))) {
            let ended = client.ask(&Request { patience, ..request(&server.url()) }, &mut Vec::new());
            assert_eq!(ended.unwrap_err().to_string(), "does not answer within 20 ms");
        }
    }

    #[test]
    fn what_cannot_be_kept_ends_it() {
        struct Full;
        impl Sink for Full {
            fn start(&mut self) -> io::Result<()> {
                Ok(())
            }
            fn take(&mut self, _: &[u8]) -> io::Result<()> {
                Err(io::ErrorKind::StorageFull.into())
            }
        }
        let server = Loopback::scripted(vec![Answer::good("one")]);
        let ended = Client::start().unwrap().ask(&request(&server.url()), &mut Full);
        assert!(matches!(ended, Err(HttpError::NotKept(_))));
        assert_eq!(server.asked().len(), 1);
    }

    #[test]
    fn waits_grow_and_have_an_end() {
        let refused = |status, retry_after| {
            let (excerpt, said) = (String::new(), String::new());
            HttpError::Refused { status, excerpt, said, retry_after }
        };
        for attempt in 1..40 {
            let wait = HttpError::Unreachable(String::new()).wait(attempt).unwrap();
            let least = BACKOFF_FIRST.saturating_mul(1 << attempt.min(20) >> 1).min(BACKOFF_MAX);
            assert!(wait >= least && wait <= least.mul_f64(1.5).min(BACKOFF_MAX), "{attempt}: {wait:?}");
        }
        assert!(HttpError::TimedOut(Duration::ZERO).wait(1).is_some());
        assert_eq!(refused(429, Some(Duration::ZERO)).wait(1), Some(Duration::ZERO));
        assert_eq!(refused(503, Some(Duration::from_secs(86_400))).wait(1), Some(BACKOFF_MAX));
        assert_eq!(refused(404, Some(Duration::ZERO)).wait(1), None);
        assert_eq!(HttpError::TooLong(1).wait(1), None);
    }

    #[test]
    fn addresses_are_shown_without_secrets() {
        let url = Url::parse("https://me:secret@host:8443/v1/?key=secret#secret").unwrap();
        assert_eq!(shown(&url), "https://host:8443/v1");
        for (url, here) in [
            ("http://localhost:1", true),
            ("http://127.0.0.9/", true),
            ("http://[::1]:80/", true),
            ("http://localhost.example.com", false),
        ] {
            assert_eq!(is_this_machine(&Url::parse(url).unwrap()), here, "{url}");
        }
    }
}
