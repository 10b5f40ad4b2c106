//! How does one attempt go? A request sent, an answer taken in time and piece by piece, a refusal read.

use std::error::Error;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Response, Url};

use super::{HttpError, Patience, Request, later};

/// Longest excerpt of a refusal, in characters: two lines of a terminal.
const EXCERPT_CHARS_MAX: usize = 200;
/// Most bytes of a refusal that are read to make the excerpt.
const REFUSAL_BYTES_MAX: usize = 4096;

/// What the thread tells the caller. Pieces wait in the channel for a slow caller, and are together never more than
/// the longest answer allowed.
pub(super) enum Told {
    Head(HeaderMap),
    Piece(Vec<u8>),
    Done(Result<Url, HttpError>),
}

/// One attempt, piece by piece.
pub(super) async fn exchange(
    client: &reqwest::Client,
    request: Request,
    tell: &Sender<Told>,
) -> Result<Url, HttpError> {
    let (patience, started) = (request.patience, Instant::now());
    let sending = match request.body {
        Some(body) => client.post(request.url).header(CONTENT_TYPE, "application/json").body(body),
        None => client.get(request.url),
    };
    let mut headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static(request.accept))]);
    headers.extend(request.headers);
    let secrets: Vec<HeaderValue> = headers.values().filter(|value| value.is_sensitive()).cloned().collect();
    let mut response = within(patience, started, sending.headers(headers).send()).await?;
    if !response.status().is_success() {
        return Err(refusal(response, patience, started, &secrets).await);
    }
    // A caller that has gone is noticed at the first piece.
    let _ = tell.send(Told::Head(response.headers().clone()));
    let mut bytes = 0;
    while let Some(piece) = within(patience, started, response.chunk()).await? {
        bytes += piece.len() as u64;
        if bytes > request.bytes_max {
            return Err(HttpError::TooLong(request.bytes_max));
        }
        if tell.send(Told::Piece(piece.to_vec())).is_err() {
            break;
        }
    }
    Ok(response.url().clone())
}

/// One step of an attempt, if it comes in time.
async fn within<T>(
    patience: Patience,
    started: Instant,
    step: impl Future<Output = reqwest::Result<T>>,
) -> Result<T, HttpError> {
    match tokio::time::timeout(patience.left(started), step).await {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(error)) if error.is_timeout() && error.is_connect() => {
            Err(HttpError::Unreachable("it takes too long to connect".to_owned()))
        }
        Ok(Err(error)) if error.is_timeout() => Err(HttpError::TimedOut(patience.limit())),
        Ok(Err(error)) => Err(HttpError::Unreachable(innermost(&error.without_url()))),
        Err(_) => Err(HttpError::TimedOut(patience.limit())),
    }
}

/// What a refusal says, as far as it is worth reading, and without the secrets it was given, which some repeat.
async fn refusal(
    mut response: Response,
    patience: Patience,
    started: Instant,
    secrets: &[HeaderValue],
) -> HttpError {
    let retry_after = later::asked(response.headers());
    let mut body = Vec::new();
    while let Ok(Some(piece)) = within(patience, started, response.chunk()).await {
        body.extend_from_slice(&piece);
        if body.len() >= REFUSAL_BYTES_MAX {
            break;
        }
    }
    let mut text = String::from_utf8_lossy(&body).into_owned();
    let shown = secrets.iter().filter_map(|secret| secret.to_str().ok());
    for secret in shown.filter_map(|secret| secret.split_whitespace().last()) {
        text = text.replace(secret, "…");
    }
    let (status, excerpt) = (response.status().as_u16(), excerpt(&text));
    HttpError::Refused { status, excerpt, said: text, retry_after }
}

/// The beginning of a text, on one line.
fn excerpt(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    let line = words.collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(EXCERPT_CHARS_MAX) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

impl Patience {
    fn limit(self) -> Duration {
        match self {
            Patience::Whole(limit) | Patience::Silence(limit) => limit,
        }
    }

    fn left(self, since: Instant) -> Duration {
        match self {
            Patience::Whole(limit) => limit.saturating_sub(since.elapsed()),
            Patience::Silence(limit) => limit,
        }
    }
}

/// The cause behind all causes, which is the one that helps: "connection refused" rather than "error sending request".
pub(super) fn innermost(error: &dyn Error) -> String {
    let mut cause = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}
