//! How well does each text answer, to a model that runs elsewhere? A re-rank endpoint, asked over HTTP.

use std::fmt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderValue};

use super::replies::{Shape, scores};
use super::{Rerank, RerankError};
use crate::http::{Client, HttpError, KeyPlace, Patience, Request, address, shown};

/// How long re-ranking may take by default, in milliseconds: somebody waits, and the order of the search is there already.
const TIMEOUT_MS_DEFAULT: u64 = 3_000;
/// Longest answer, in bytes: a thousand texts of 8,000 characters, should an endpoint send them back.
const ANSWER_BYTES_MAX: u64 = 16 << 20;
/// What comes behind the URL where it is not there yet.
const PATH: &str = "rerank";

/// Where an endpoint is and how it is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RerankSettings {
    /// Where its API begins, such as `http://localhost:8080` or `https://api.cohere.com/v2`.
    pub url: String,
    /// How it is asked.
    pub shape: Shape,
    /// The model to ask for, where the endpoint has several.
    pub model: Option<String>,
    /// The environment variable that holds the key; the key itself is kept out of settings, logs and traces.
    pub key_env: Option<String>,
    /// The file that holds the key, where no variable does.
    pub key_file: Option<PathBuf>,
    /// How long re-ranking for a message may take, in milliseconds.
    pub timeout_ms: u64,
}

impl RerankSettings {
    /// An endpoint without model or key, with the usual time-out.
    pub fn new(url: impl Into<String>, shape: Shape) -> RerankSettings {
        let (url, timeout_ms) = (url.into(), TIMEOUT_MS_DEFAULT);
        RerankSettings { url, shape, model: None, key_env: None, key_file: None, timeout_ms }
    }
}

/// A re-ranker on another machine, or in another process of this one.
///
/// It is asked once a message, or once for every 32 texts where it takes no more; what fails is not tried again, since
/// somebody waits and the order of the search is there. Redirections are followed within one origin alone, so that the key
/// goes nowhere else.
///
/// ```no_run
/// use waypost::retrieve::rerank::{Rerank, RerankEndpoint, RerankSettings, Shape};
///
/// let endpoint = RerankEndpoint::new(RerankSettings::new("http://localhost:8080", Shape::Tei))?;
/// let scores = endpoint.scores("where is my parcel?", &["Parcels are tracked here.", "Owls hunt at night."])?;
/// assert_eq!(scores.len(), 2);
/// # Ok::<(), waypost::retrieve::rerank::RerankError>(())
/// ```
pub struct RerankEndpoint {
    settings: RerankSettings,
    id: String,
    url: Url,
    key: Option<HeaderValue>,
    client: Client,
}

impl RerankEndpoint {
    /// Reads the URL and finds the key. Nothing is asked yet.
    pub fn new(settings: RerankSettings) -> Result<RerankEndpoint, RerankError> {
        let mut url = address(&settings.url).map_err(|why| RerankError::no_access("that was given", why))?;
        let place = shown(&url);
        let kept = KeyPlace { variable: settings.key_env.as_deref(), file: settings.key_file.as_deref() };
        let key = kept.bearer().map_err(|why| RerankError::no_access(&place, why))?;
        let client = Client::start_for_one_origin().map_err(|error| RerankError::of(&place, error))?;
        let parts = [settings.shape.name(), &place].into_iter().chain(settings.model.as_deref());
        let id = parts.collect::<Vec<&str>>().join(" ");
        if url.path_segments().and_then(Iterator::last) != Some(PATH)
            && let Ok(mut path) = url.path_segments_mut()
        {
            path.pop_if_empty().push(PATH);
        }
        Ok(RerankEndpoint { settings, id, url, key, client })
    }

    /// The scores of one batch.
    fn ask(&self, message: &str, texts: &[&str], patience: Duration) -> Result<Vec<f32>, RerankError> {
        let RerankSettings { shape, model, .. } = &self.settings;
        let request = Request {
            url: self.url.clone(),
            body: Some(shape.question(model.as_deref(), message, texts).to_string().into_bytes()),
            headers: self.key.iter().map(|key| (AUTHORIZATION, key.clone())).collect(),
            accept: "application/json",
            patience: Patience::Whole(patience),
            bytes_max: ANSWER_BYTES_MAX,
        };
        let (url, mut answer) = (shown(&self.url), Vec::new());
        self.client.ask_once(&request, &mut answer).map_err(|error| match error {
            // What is left of the time says little; the whole of it is what can be changed.
            HttpError::TimedOut(_) => {
                RerankError::TimedOut { url: url.clone(), ms: self.settings.timeout_ms }
            }
            error => RerankError::of(&url, error),
        })?;
        scores(&answer, texts.len()).map_err(|what| RerankError::Garbled { url, what })
    }
}

impl Rerank for RerankEndpoint {
    fn id(&self) -> &str {
        &self.id
    }

    fn scores(&self, message: &str, texts: &[&str]) -> Result<Vec<f32>, RerankError> {
        let (begun, limit) = (Instant::now(), Duration::from_millis(self.settings.timeout_ms));
        let mut scores = Vec::with_capacity(texts.len());
        for batch in texts.chunks(self.settings.shape.batch()) {
            let left = limit.saturating_sub(begun.elapsed());
            scores.extend(self.ask(message, batch, left)?);
        }
        Ok(scores)
    }
}

impl fmt::Debug for RerankEndpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RerankEndpoint").field(&self.id).finish()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::loopback::{Answer, Loopback};

    /// What three texts are scored by this answer.
    #[track_caller]
    fn check(answer: Answer, expected: &str) {
        let server = Loopback::scripted(vec![answer]);
        let settings = RerankSettings { timeout_ms: 200, ..RerankSettings::new(server.url(), Shape::Tei) };
        let got = match RerankEndpoint::new(settings).unwrap().scores("m", &["a", "b", "c"]) {
            Ok(scores) => format!("{scores:?}"),
            Err(error) => error.to_string().replace(&server.url(), "URL"),
        };
        assert!(got.contains(expected), "{got}");
        assert_eq!(server.asked().len(), 1, "what fails is not tried again: {got}");
    }

    fn says(body: &str) -> Answer {
        Answer::good(body)
    }

    #[test]
    fn answers_of_both_shapes_are_understood() {
        let bare = r#"[{"index": 2, "score": 0.9}, {"index": 0, "score": -1.5}, {"index": 1, "score": 0}]"#;
        check(says(bare), "[-1.5, 0.0, 0.9]");
        let results = r#"{"id": "x", "results": [{"index": 1, "relevance_score": 0.5, "document": {"text": "b"}},
            {"index": 0, "relevance_score": 0.25}, {"index": 2, "relevance_score": 0.125}], "meta": {}}"#;
        check(says(results), "[0.25, 0.5, 0.125]");
    }

    #[test]
    fn what_is_no_scores_is_told() {
        check(
            says(r#"[{"index": 3, "score": 1}]"#),
            "URL/rerank answers with no usable scores: index 3 of 3 texts",
        );
        check(says(r#"[{"index": 0, "score": 1}, {"index": 0, "score": 1}]"#), "index 0 twice");
        check(says(r#"{"results": [{"index": 1, "relevance_score": 1}]}"#), "scores of 1 of 3 texts");
        check(says("[]"), "scores of 0 of 3 texts");
        check(says(r#"{"data": []}"#), "neither a list of `index` and `score` nor");
        check(says(r#"[{"index": -1, "score": 1}]"#), "neither a list");
        check(says("<html>busy</html>"), "expected value at line 1 column 1; is its shape the right one?");
        check(Answer::Says(500, "", b"oh\nno".to_vec()), "URL/rerank answers 500: oh no");
        check(Answer::Says(401, "", vec![]), "answers 401; is its key the right one?");
        check(Answer::Says(302, "Location: http://127.0.0.1:1/\r\n", vec![]), "answers 302");
        check(Answer::CutShort(b"[".to_vec()), "URL/rerank cannot be reached");
        check(Answer::Silence, "URL/rerank did not answer within 200 ms");
    }

    /// What a server is asked for these many texts.
    fn asked(settings: impl Fn(String) -> RerankSettings, texts: usize) -> Vec<(String, Value, Vec<String>)> {
        let server = Loopback::answering(|asked| {
            let question: Value = serde_json::from_str(&asked.body).unwrap();
            let texts = question["texts"].as_array().or(question["documents"].as_array()).unwrap().len();
            let scores = (0..texts).map(|index| serde_json::json!({"index": index, "score": index}));
            Answer::good(serde_json::to_vec(&scores.collect::<Vec<Value>>()).unwrap())
        });
        let endpoint = RerankEndpoint::new(settings(server.url())).unwrap();
        let texts: Vec<String> = (0..texts).map(|text| text.to_string()).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        assert_eq!(endpoint.scores("m", &texts).unwrap().len(), texts.len());
        let read = |asked: &crate::loopback::Asked| {
            (asked.path.clone(), serde_json::from_str(&asked.body).unwrap(), asked.headers.clone())
        };
        server.asked().iter().map(read).collect()
    }

    #[test]
    fn each_shape_is_asked_in_its_way() {
        let tei = asked(|url| RerankSettings::new(url, Shape::Tei), 50);
        let sizes: Vec<usize> =
            tei.iter().map(|(_, body, _)| body["texts"].as_array().unwrap().len()).collect();
        assert_eq!((sizes.as_slice(), tei[0].0.as_str()), (&[32, 18][..], "/rerank"));
        assert_eq!((&tei[1].1["query"], &tei[1].1["texts"][0]), (&Value::from("m"), &Value::from("32")));
        let cohere = |url: String| RerankSettings {
            model: Some("rerank-v3.5".to_owned()),
            ..RerankSettings::new(url + "/v2/", Shape::Cohere)
        };
        let (path, body, _) = &asked(cohere, 50)[0];
        assert_eq!(
            (path.as_str(), &body["model"], &body["top_n"]),
            ("/v2/rerank", &Value::from("rerank-v3.5"), &Value::from(50))
        );
        let whole = asked(|url| RerankSettings::new(url + "/own/rerank", Shape::Tei), 2);
        assert_eq!(whole[0].0, "/own/rerank");
    }

    #[test]
    fn keys_come_from_their_place_and_are_never_told() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("key");
        std::fs::write(&file, "  secret-key\n").unwrap();
        let with = |url: String| RerankSettings {
            key_file: Some(file.clone()),
            ..RerankSettings::new(url, Shape::Tei)
        };
        let (_, _, headers) = &asked(with, 2)[0];
        assert!(headers.contains(&"authorization: Bearer secret-key".to_owned()), "{headers:?}");
        let check = |settings: RerankSettings, expected: &str| {
            let told = RerankEndpoint::new(settings).unwrap_err().to_string();
            assert!(told.contains(expected) && !told.contains("secret"), "{told}");
        };
        let own = || RerankSettings::new("http://me:secret@localhost", Shape::Tei);
        check(
            RerankSettings { key_file: Some(folder.path().join("none")), ..own() },
            "none holds no key for",
        );
        let unset = Some("WAYPOST_TEST_UNSET".to_owned());
        check(RerankSettings { key_env: unset, ..own() }, "WAYPOST_TEST_UNSET holds no key for");
        std::fs::write(&file, "secret\u{7}key").unwrap();
        check(with("http://localhost".to_owned()), "its key has characters");
        check(RerankSettings::new("ftp://me:secret@host", Shape::Tei), "does not begin with http");
        check(RerankSettings::new("secret", Shape::Tei), "does not begin with http");
        assert!(!format!("{:?}", RerankEndpoint::new(own()).unwrap()).contains("secret"));
    }
}
