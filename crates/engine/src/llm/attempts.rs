//! How often is it tried? As often as it may help, within the time, and not at all while the endpoint rests.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderValue};

use super::breaker::{Breaker, Heard};
use super::error::LlmError;
use super::settings::LlmSettings;
use crate::http::{Client, HttpError, Patience, Request, backoff};
use crate::locks::open;
use crate::ports::Clock;

/// Longest time until a connection stands, in milliseconds: across the world it takes a tenth of that.
const CONNECT_MS_MAX: u64 = 3_000;
/// Longest reply, in bytes: the most tokens a catalog can ask for, and what endpoints add.
const REPLY_BYTES_MAX: u64 = 4 << 20;

/// The time of one call, and what was asked in it.
#[derive(Debug)]
pub(super) struct Call {
    started: Instant,
    limit: Duration,
    pub(super) requests: u32,
}

impl Call {
    pub(super) fn begin(limit: Duration) -> Call {
        Call { started: Instant::now(), limit, requests: 0 }
    }

    pub(super) fn left(&self) -> Duration {
        self.limit.saturating_sub(self.started.elapsed())
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// All the time there was, in milliseconds.
    pub(super) fn limit_ms(&self) -> u64 {
        ms(self.limit)
    }
}

/// Why nothing came.
#[derive(Debug)]
pub(super) enum Stop {
    /// It was not asked, and is not for so many milliseconds.
    Resting(u64),
    /// It was asked in vain.
    Failed(HttpError),
}

impl Stop {
    pub(super) fn told(self, place: &str, call: &Call) -> LlmError {
        match self {
            Stop::Resting(ms) => LlmError::Resting { url: place.to_owned(), ms },
            Stop::Failed(error) => LlmError::of(place, call.limit_ms(), error),
        }
    }
}

/// The way to an endpoint.
#[derive(Debug)]
pub(super) struct Line {
    client: Client,
    key: Option<HeaderValue>,
    retries: u32,
    breaker: Mutex<Breaker>,
    seed: u64,
    drawn: AtomicU64,
}

impl Line {
    pub(super) fn open(settings: &LlmSettings, key: Option<HeaderValue>) -> Result<Line, HttpError> {
        let connect = Duration::from_millis(settings.timeout_ms.clamp(1, CONNECT_MS_MAX));
        Ok(Line {
            client: Client::start_for_one_origin_within(connect)?,
            key,
            retries: settings.retries,
            breaker: Mutex::new(Breaker::Closed(0)),
            seed: settings.seed.unwrap_or_else(|| seed(&crate::ports::new_id())),
            drawn: AtomicU64::new(0),
        })
    }

    /// What an address answers, after as many attempts as may help.
    pub(super) fn ask(
        &self,
        url: &Url,
        body: Option<&[u8]>,
        call: &mut Call,
        clock: &dyn Clock,
    ) -> Result<Vec<u8>, Stop> {
        self.pass(call, clock).map_err(Stop::Resting)?;
        let (mut wait, mut attempt) = (Duration::ZERO, 0);
        loop {
            attempt += 1;
            let request = self.request(url, body, call.left().saturating_sub(wait));
            let mut answer = Vec::new();
            call.requests += 1;
            let done = self.client.ask_after(wait, &request, &mut answer);
            let Err(error) = done else {
                self.note(Heard::Answer, clock);
                return Ok(answer);
            };
            self.note(heard(&error, call.left()), clock);
            wait = match self.pause(&error, attempt) {
                Some(wait)
                    if attempt <= self.retries && wait < call.left() && self.pass(call, clock).is_ok() =>
                {
                    wait
                }
                _ => return Err(Stop::Failed(error)),
            };
        }
    }

    fn request(&self, url: &Url, body: Option<&[u8]>, within: Duration) -> Request {
        Request {
            url: url.clone(),
            body: body.map(<[u8]>::to_vec),
            headers: self.key.iter().map(|key| (AUTHORIZATION, key.clone())).collect(),
            accept: "application/json",
            patience: Patience::Whole(within),
            bytes_max: REPLY_BYTES_MAX,
        }
    }

    fn pass(&self, call: &Call, clock: &dyn Clock) -> Result<(), u64> {
        open(&self.breaker).pass(clock.now_ms(), ms(call.left()))
    }

    fn note(&self, heard: Heard, clock: &dyn Clock) {
        open(&self.breaker).note(clock.now_ms(), heard);
    }

    /// The wait before another attempt, where one may help.
    fn pause(&self, error: &HttpError, attempt: u32) -> Option<Duration> {
        let asked = match error {
            HttpError::Unreachable(_) => None,
            HttpError::Refused { status, retry_after, .. } if is_passing(*status) => *retry_after,
            // The time is over, or the same would come again.
            _ => return None,
        };
        Some(asked.unwrap_or_else(|| backoff(attempt, self.draw())))
    }

    /// A share of one, from the seed: the next of its row.
    fn draw(&self) -> f64 {
        share(self.seed, self.drawn.fetch_add(1, Ordering::Relaxed))
    }
}

/// Whether a refusal may be over soon: too many requests, and servers in trouble. What is not implemented stays so.
fn is_passing(status: u16) -> bool {
    matches!(status, 429 | 500..=599) && status != 501
}

/// What an error says of the endpoint's health, where so much of the time is left.
fn heard(error: &HttpError, left: Duration) -> Heard {
    match error {
        HttpError::Unreachable(_) | HttpError::TimedOut(_) => Heard::Failure,
        HttpError::Refused { status, retry_after: Some(wait), .. }
            if is_passing(*status) && *wait >= left =>
        {
            Heard::Rest(ms(*wait))
        }
        HttpError::Refused { status, .. } if is_passing(*status) && *status != 429 => Heard::Failure,
        HttpError::Refused { .. } | HttpError::TooLong(_) | HttpError::NotKept(_) => Heard::Answer,
    }
}

fn ms(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// A number out of a text.
fn seed(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The share of one at a place of the row that belongs to a seed: SplitMix64's mixing, of which 32 bits are plenty.
fn share(seed: u64, place: u64) -> f64 {
    let mut bits = seed.wrapping_add(place.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    let high = u32::try_from((bits ^ (bits >> 31)) >> 32).unwrap_or_default();
    f64::from(high) / (f64::from(u32::MAX) + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_differ_and_a_seed_gives_the_same() {
        let row = |seed| (0..100).map(|place| share(seed, place)).collect::<Vec<f64>>();
        assert_eq!(row(7), row(7));
        assert_ne!(row(7), row(8));
        assert!(row(7).iter().all(|share| (0.0..1.0).contains(share)));
        assert!(row(7).iter().sum::<f64>() > 35.0 && row(7).iter().sum::<f64>() < 65.0, "{:?}", row(7));
        assert_ne!(seed("a"), seed("b"));
    }

    #[test]
    fn what_an_error_says_of_health() {
        let refused = |status, seconds: Option<u64>| HttpError::Refused {
            status,
            excerpt: String::new(),
            said: String::new(),
            retry_after: seconds.map(Duration::from_secs),
        };
        let check = |error: &HttpError, expected: Heard| {
            assert_eq!(heard(error, Duration::from_secs(5)), expected, "{error:?}");
        };
        check(&HttpError::Unreachable(String::new()), Heard::Failure);
        check(&HttpError::TimedOut(Duration::ZERO), Heard::Failure);
        check(&HttpError::TooLong(1), Heard::Answer);
        check(&refused(500, None), Heard::Failure);
        check(&refused(501, None), Heard::Answer);
        check(&refused(400, Some(9)), Heard::Answer);
        check(&refused(429, None), Heard::Answer);
        check(&refused(429, Some(1)), Heard::Answer);
        check(&refused(429, Some(60)), Heard::Rest(60_000));
        check(&refused(503, Some(5)), Heard::Rest(5_000));
    }
}
