//! What does a text mean to a model that runs elsewhere? An embeddings endpoint, asked over HTTP.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderValue};
use waypost_core::signals::Tier;

pub use super::answers::Api;
use super::answers::bring_to_length_one;
use super::cache::{Cache, Key};
use super::{EncodeError, Encoder};
use crate::http::{Client, HttpError, KeyPlace, NoAccess, Patience, Request, address, shown};

/// How long an attempt may take by default, in milliseconds: a full batch on a processor without a graphics card.
const TIMEOUT_MS_DEFAULT: u64 = 10_000;
/// Texts a request by default: what text-embeddings-inference takes unless it is told otherwise.
const BATCH_DEFAULT: usize = 32;
/// Longest answer, in bytes: 256 vectors of 8,192 numbers of 25 characters are 52 million.
const ANSWER_BYTES_MAX: u64 = 64 << 20;
/// The text whose vector tells how long the vectors are.
const PROBE: &str = "How long are your vectors?";

/// Where an endpoint is and how it is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointSettings {
    /// Where its API begins, such as `https://api.openai.com/v1` or `http://localhost:8080`.
    pub url: String,
    /// How it is spoken to.
    pub api: Api,
    /// The model to ask for, where the endpoint has several.
    pub model: Option<String>,
    /// The environment variable that holds the key; the key itself is kept out of settings, logs and traces.
    pub key_env: Option<String>,
    /// How long one attempt may take, in milliseconds; there are three at most.
    pub timeout_ms: u64,
    /// How long the vectors are; without it the endpoint is asked once.
    pub dimensions: Option<usize>,
    /// Most texts in one request.
    pub batch: usize,
}

impl EndpointSettings {
    /// An endpoint without model or key, with the usual time-out and batch.
    pub fn new(url: impl Into<String>, api: Api) -> EndpointSettings {
        EndpointSettings {
            url: url.into(),
            api,
            model: None,
            key_env: None,
            timeout_ms: TIMEOUT_MS_DEFAULT,
            dimensions: None,
            batch: BATCH_DEFAULT,
        }
    }
}

/// An encoder on another machine, or in another process of this one.
///
/// It remembers the vectors of the last few thousand texts, asks again where that may help, and refuses whatever is
/// not one vector a text, all of one length. Unlike the encoders of the library it may give the same text another
/// vector tomorrow, if the model behind it changes.
///
/// ```no_run
/// use waypost::encode::{Api, Encoder, Endpoint, EndpointSettings};
///
/// let endpoint = Endpoint::connect(EndpointSettings::new("http://localhost:8080", Api::Tei))?;
/// let vectors = endpoint.encode(&["where is my parcel?"])?;
/// assert_eq!(vectors[0].len(), endpoint.dimensions());
/// # Ok::<(), waypost::encode::EncodeError>(())
/// ```
pub struct Endpoint {
    settings: EndpointSettings,
    id: String,
    url: Url,
    key: Option<HeaderValue>,
    dimensions: usize,
    client: Client,
    cache: Mutex<Cache>,
}

impl Endpoint {
    /// Finds the key, and learns how long the vectors are where the settings do not say so.
    pub fn connect(settings: EndpointSettings) -> Result<Endpoint, EncodeError> {
        let place = KeyPlace { variable: settings.key_env.as_deref(), file: None };
        let key = place.bearer().map_err(|missing| no_access(missing, &settings))?;
        Endpoint::connect_with(settings, key)
    }

    fn connect_with(settings: EndpointSettings, key: Option<HeaderValue>) -> Result<Endpoint, EncodeError> {
        let url = address(&settings.url).map_err(|missing| no_access(missing, &settings))?;
        let place = shown(&url);
        let client = Client::start().map_err(|error| complain(&place, error))?;
        let parts = ["endpoint", settings.api.name(), &place];
        let parts: Vec<&str> = parts.into_iter().chain(settings.model.as_deref()).collect();
        let (id, dimensions) = (parts.join(" "), settings.dimensions.unwrap_or_default());
        let cache = Mutex::new(Cache::default());
        let mut endpoint = Endpoint { settings, id, url, key, dimensions, client, cache };
        if endpoint.settings.dimensions.is_none() {
            let probed = endpoint.ask(&[PROBE])?;
            endpoint.dimensions = probed.first().map(Vec::len).unwrap_or_default();
        }
        Ok(endpoint)
    }

    /// The vectors of one batch, each of length one.
    fn ask(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
        let url = shown(&self.url);
        let api = self.settings.api;
        let mut address = self.url.clone();
        if let Ok(mut path) = address.path_segments_mut() {
            path.pop_if_empty().push(api.path());
        }
        let request = Request {
            url: address,
            body: Some(api.question(self.settings.model.as_deref(), texts).to_string().into_bytes()),
            headers: self.key.iter().map(|key| (AUTHORIZATION, key.clone())).collect(),
            accept: "application/json",
            patience: Patience::Whole(Duration::from_millis(self.settings.timeout_ms)),
            bytes_max: ANSWER_BYTES_MAX,
        };
        let mut answer = Vec::new();
        self.client.ask(&request, &mut answer).map_err(|error| complain(&url, error))?;
        let garbled = |what| EncodeError::Garbled { url: url.clone(), what };
        let mut vectors = api.vectors(&answer).map_err(garbled)?;
        if vectors.len() != texts.len() {
            return Err(EncodeError::WrongCount { url, asked: texts.len(), found: vectors.len() });
        }
        for vector in &mut vectors {
            bring_to_length_one(vector).map_err(garbled)?;
        }
        Ok(vectors)
    }

    /// The vectors of one batch, each as long as promised.
    fn ask_for(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
        let vectors = self.ask(texts)?;
        match vectors.iter().find(|vector| vector.len() != self.dimensions) {
            Some(other) => {
                Err(EncodeError::WrongDimensions { found: other.len(), promised: self.dimensions })
            }
            None => Ok(vectors),
        }
    }

    fn recall(&self, keys: &[Key]) -> HashMap<Key, Arc<[f32]>> {
        let cache = crate::locks::open(&self.cache);
        keys.iter().filter_map(|key| Some((*key, cache.recall(key)?))).collect()
    }

    fn keep(&self, key: Key, vector: Arc<[f32]>) {
        crate::locks::open(&self.cache).keep(key, vector);
    }
}

impl Encoder for Endpoint {
    fn id(&self) -> &str {
        &self.id
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn encode(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
        let keys: Vec<Key> = texts.iter().map(|text| Cache::key(text)).collect();
        let mut known = self.recall(&keys);
        let mut seen = HashSet::new();
        let new = keys.iter().zip(texts).filter(|(key, _)| !known.contains_key(*key) && seen.insert(**key));
        let new: Vec<(Key, &str)> = new.map(|(key, text)| (*key, *text)).collect();
        for batch in new.chunks(self.settings.batch.max(1)) {
            let asked: Vec<&str> = batch.iter().map(|(_, text)| *text).collect();
            for ((key, _), vector) in batch.iter().zip(self.ask_for(&asked)?) {
                let vector: Arc<[f32]> = vector.into();
                self.keep(*key, Arc::clone(&vector));
                known.insert(*key, vector);
            }
        }
        Ok(keys.iter().filter_map(|key| known.get(key)).map(|vector| vector.to_vec()).collect())
    }

    fn tier(&self) -> Tier {
        Tier::Transformer
    }

    fn is_local(&self) -> bool {
        false
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Endpoint").field(&self.id).field(&self.dimensions).finish()
    }
}

fn no_access(missing: NoAccess, settings: &EndpointSettings) -> EncodeError {
    let unshown = || "of the catalog".to_owned();
    let url = address(&settings.url).map_or_else(|_| unshown(), |url| shown(&url));
    let cause = missing.cause().to_owned();
    match missing {
        NoAccess::Address(place) => EncodeError::Unreachable { url: place.unwrap_or(url), cause },
        NoAccess::Variable(variable) => EncodeError::NoKey { url, variable },
        // A key comes from a variable alone here.
        NoAccess::File(..) | NoAccess::OddKey => {
            EncodeError::NoKey { url, variable: settings.key_env.clone().unwrap_or_default() }
        }
    }
}

fn complain(url: &str, error: HttpError) -> EncodeError {
    let url = url.to_owned();
    match error {
        HttpError::Unreachable(cause) => EncodeError::Unreachable { url, cause },
        HttpError::TimedOut(limit) => {
            EncodeError::TimedOut { url, ms: u64::try_from(limit.as_millis()).unwrap_or(u64::MAX) }
        }
        HttpError::Refused { status, excerpt, .. } => EncodeError::Refused { url, status, body: excerpt },
        error @ (HttpError::TooLong(_) | HttpError::NotKept(_)) => {
            EncodeError::Garbled { url, what: error.to_string() }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::super::answers::TEXT_CHARS_MAX;
    use super::*;
    use crate::http::{ATTEMPTS_MAX, bearer};
    use crate::loopback::{Answer, Loopback};

    fn settings(server: &Loopback, api: Api) -> EndpointSettings {
        EndpointSettings { dimensions: Some(2), ..EndpointSettings::new(server.url(), api) }
    }

    fn openai(body: &str) -> (Api, Vec<Answer>) {
        (Api::OpenAi, vec![Answer::good(body)])
    }

    fn tei(body: &str) -> (Api, Vec<Answer>) {
        (Api::Tei, vec![Answer::good(body)])
    }

    /// What two texts become by these answers, and how many requests that takes.
    #[track_caller]
    fn check((api, answers): (Api, Vec<Answer>), requests: u32, expected: &str) {
        let server = Loopback::scripted(answers);
        let endpoint = Endpoint::connect(settings(&server, api)).unwrap();
        let got = match endpoint.encode(&["one", "two"]) {
            Ok(vectors) => format!("{vectors:?}"),
            Err(error) => error.to_string().replace(&server.url(), "URL"),
        };
        assert!(got.contains(expected), "{got}");
        assert_eq!(server.asked().len(), requests as usize, "{got}");
    }

    /// A server that answers each text `n` with the direction of (n, 1).
    fn counting() -> Loopback {
        Loopback::answering(|asked| {
            let question: Value = serde_json::from_str(&asked.body).unwrap();
            let texts = question["inputs"].as_array().unwrap().iter();
            let vectors = texts.map(|text| [text.as_str().unwrap().parse().unwrap_or(0.0), 1.0]);
            Answer::good(serde_json::to_vec(&vectors.collect::<Vec<[f32; 2]>>()).unwrap())
        })
    }

    #[test]
    fn vectors_come_in_order_and_at_length_one() {
        let reversed =
            r#"{"data": [{"index": 1, "embedding": [0, -2]}, {"index": 0, "embedding": [5e30, 0]}]}"#;
        check(openai(reversed), 1, "[[1.0, 0.0], [0.0, -1.0]]");
        check(tei("[[3, 4], [0, -2]]"), 1, "[[0.6, 0.8], [0.0, -1.0]]");
    }

    #[test]
    fn what_is_no_vectors_is_refused() {
        check(tei("[[1, 0]]"), 1, "URL gave 1 vectors for 2 texts");
        check(tei("[[1, 0], [1, 0], [1, 0]]"), 1, "gave 3 vectors for 2 texts");
        check(tei("[[1, 0, 0], [1, 0, 0]]"), 1, "vectors of 3 numbers, and promised 2");
        check(tei("[[1, 0], [1]]"), 1, "vectors of 1 numbers, and promised 2");
        check(tei("[[1, null], [1, 0]]"), 1, "URL answers with no usable vectors: invalid type: null");
        check(tei("[[1, NaN], [1, 0]]"), 1, "no usable vectors: expected value");
        check(tei("[[1, 1e39], [1, 0]]"), 1, "number out of range");
        check(tei("[[0, 0], [1, 0]]"), 1, "a vector is empty or all zeros");
        check(tei("[[], [1, 0]]"), 1, "a vector is empty or all zeros");
        check(
            tei("<html>It works!</html>"),
            1,
            "expected value at line 1 column 1; is its API the right one?",
        );
        check(openai("[[1, 0], [1, 0]]"), 1, "no usable vectors");
        let twice = r#"{"data": [{"index": 0, "embedding": [1, 0]}, {"index": 0, "embedding": [1, 0]}]}"#;
        check(openai(twice), 1, "there is not exactly one vector of index 1");
    }

    #[test]
    fn what_may_pass_is_tried_again() {
        let says = |status, headers| Answer::Says(status, headers, b"busy,\nsorry".to_vec());
        let now = "Retry-After: 0\r\n";
        let good = || Answer::good("[[3, 4], [0, -2]]");
        check((Api::Tei, vec![says(429, now), good()]), 2, "[[0.6, 0.8], [0.0, -1.0]]");
        check((Api::Tei, vec![says(503, now), Answer::CutShort(vec![]), good()]), 3, "[[0.6, 0.8]");
        check((Api::Tei, vec![says(500, now)]), ATTEMPTS_MAX, "URL answers 500: busy, sorry");
        check((Api::Tei, vec![says(400, now)]), 1, "URL answers 400: busy, sorry");
        check((Api::Tei, vec![says(404, "")]), 1, "does its URL end where the API begins");
    }

    #[test]
    fn an_endpoint_that_is_silent_or_absent_is_named() {
        let server = Loopback::scripted(vec![Answer::Silence]);
        let silent = EndpointSettings { timeout_ms: 20, ..settings(&server, Api::OpenAi) };
        let timed_out = EncodeError::TimedOut { url: server.url(), ms: 20 };
        assert_eq!(Endpoint::connect(silent).unwrap().encode(&["one"]), Err(timed_out));
        let absent = Endpoint::connect(EndpointSettings::new(Loopback::nobody(), Api::Tei));
        assert!(matches!(absent, Err(EncodeError::Unreachable { cause, .. }) if cause.contains("refused")));
        for url in ["localhost:8080", "ftp://me:secret@host", ""] {
            let odd = Endpoint::connect(EndpointSettings::new(url, Api::Tei)).unwrap_err().to_string();
            assert!(odd.contains("does not begin with http") && !odd.contains("secret"), "{odd}");
        }
    }

    #[test]
    fn batches_are_split_and_kept_in_order_and_nothing_is_asked_twice() {
        let server = counting();
        let endpoint =
            Endpoint::connect(EndpointSettings { batch: 2, ..settings(&server, Api::Tei) }).unwrap();
        let ratios = |texts: &[&str]| -> Vec<f32> {
            endpoint.encode(texts).unwrap().iter().map(|vector| (vector[0] / vector[1]).round()).collect()
        };
        assert_eq!(ratios(&["5", "1", "5", "3", "2", "4"]), [5.0, 1.0, 5.0, 3.0, 2.0, 4.0]);
        assert_eq!(ratios(&["4", "6", "1"]), [4.0, 6.0, 1.0]);
        assert_eq!(ratios(&["6", "5"]), [6.0, 5.0]);
        assert_eq!(ratios(&[]), [0.0; 0]);
        let inputs = |body: &str| serde_json::from_str::<Value>(body).unwrap()["inputs"].to_string();
        let asked: Vec<String> = server.asked().iter().map(|asked| inputs(&asked.body)).collect();
        assert_eq!(asked, [r#"["5","1"]"#, r#"["3","2"]"#, r#"["4"]"#, r#"["6"]"#]);
    }

    #[test]
    fn the_dimension_is_learned_and_texts_fit_what_services_take() {
        let server = counting();
        let endpoint = Endpoint::connect(EndpointSettings::new(server.url() + "/", Api::Tei)).unwrap();
        assert_eq!((endpoint.dimensions(), endpoint.is_local()), (2, false));
        assert_eq!(endpoint.id(), format!("endpoint tei {}", server.url()));
        endpoint.encode(&[" \n", &"ä".repeat(TEXT_CHARS_MAX + 1)]).unwrap();
        let expected = serde_json::json!({ "inputs": [".", "ä".repeat(TEXT_CHARS_MAX)], "truncate": true });
        assert_eq!(server.asked()[1].body, expected.to_string());
        assert_eq!(server.asked()[1].path, "/embed");
    }

    #[test]
    fn the_key_is_sent_and_never_shown() {
        let echo = Answer::Says(401, "", b"wrong key s3cret!".to_vec());
        let server =
            Loopback::scripted(vec![Answer::good(r#"{"data": [{"index": 0, "embedding": [2]}]}"#), echo]);
        let url = server.url().replace("http://", "http://me:pass@") + "/v1?version=s3cret";
        let settings = EndpointSettings {
            model: Some("small".to_owned()),
            key_env: Some("WAYPOST_NO_SUCH_VARIABLE".to_owned()),
            ..EndpointSettings::new(url, Api::OpenAi)
        };
        let missing = Endpoint::connect(settings.clone()).unwrap_err().to_string();
        assert!(missing.contains("WAYPOST_NO_SUCH_VARIABLE") && !missing.contains("pass"), "{missing}");
        let endpoint = Endpoint::connect_with(settings, Some(bearer("s3cret").unwrap())).unwrap();
        assert_eq!(endpoint.id(), format!("endpoint openai {}/v1 small", server.url()));
        let refused = endpoint.encode(&["one"]).unwrap_err().to_string();
        assert!(refused.contains("401: wrong key …!; is its key the right one?"), "{refused}");
        assert!(!format!("{endpoint:?} {:?} {refused}", endpoint.key).contains("s3cret"));
        let asked = &server.asked()[0];
        assert_eq!(asked.path, "/v1/embeddings?version=s3cret");
        assert!(asked.headers.contains(&"authorization: Bearer s3cret".to_owned()), "{:?}", asked.headers);
        let question = Api::OpenAi.question(Some("small"), &[PROBE]);
        assert_eq!(asked.body, question.to_string());
    }

    #[test]
    fn it_may_be_asked_from_inside_an_async_runtime() {
        let server = counting();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let vectors = runtime.block_on(async {
            let endpoint = Endpoint::connect(settings(&server, Api::Tei)).unwrap();
            endpoint.encode(&["0"])
        });
        assert_eq!(vectors, Ok(vec![vec![0.0, 1.0]]));
    }
}
