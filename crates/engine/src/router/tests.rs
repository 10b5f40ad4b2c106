//! Does the pipeline keep its word?

use waypost_core::catalog::Source;

use super::*;
use crate::encode::EncodeError;

struct Stopped;

impl Clock for Stopped {
    fn now_ms(&self) -> u64 {
        1_700_000_000_000
    }
}

#[test]
fn the_situation_is_filled_from_the_ports_and_kept() {
    let router = Router::open("triad", &Cache::none()).unwrap().with_clock(Stopped);
    let trace = router.trace(&Message::from("use surgical mode")).unwrap();
    assert_eq!(trace.situation.now_ms, 1_700_000_000_000);
    assert_eq!(trace.answer.route.as_deref(), Some("surgical"));
    assert!(router.replay(&trace).unwrap().same);
    let other = Router::open("starter", &Cache::none()).unwrap();
    assert_eq!(other.replay(&trace).unwrap_err().code(), "another_catalog");
}

#[test]
fn a_message_beyond_the_limit_is_refused() {
    let router = Router::open("triad", &Cache::none()).unwrap();
    let long = Message::from("a".repeat(router.catalog().message_bytes_max() + 1));
    assert_eq!(router.route(&long).unwrap_err().code(), "message_too_long");
}

/// Reads everything but what says that it cannot be read.
struct Choosy;

impl Encoder for Choosy {
    fn id(&self) -> &'static str {
        "choosy"
    }

    fn dimensions(&self) -> usize {
        1
    }

    fn encode(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
        if texts.iter().any(|text| text.contains("unreadable")) {
            return Err(EncodeError::WrongDimensions { found: 0, promised: 1 });
        }
        Ok(vec![vec![1.0]; texts.len()])
    }
}

const KINDS: &str = "
name: kinds
context:
  layers:
    - name: area
      labels: [{name: frontend, words: [css]}, {name: backend, words: [api]}]
  examples:
    - {text: paint the button, labels: {area: frontend}}
    - {text: the server is slow, labels: {area: backend}}
routes:
  - {name: painter, keywords: [paint]}
  - {name: helper, keywords: [help]}
";

#[test]
fn kinds_that_cannot_be_read_are_told() {
    let catalog = Catalog::read(&[Source::new("kinds.yaml", KINDS)], "kinds").catalog.unwrap();
    let router = Router::new(catalog).learning(&[Arc::new(Choosy)], &Cache::none());
    let told = |text: &str| {
        let trace = router.trace(&Message::from(text)).unwrap();
        assert!(router.replay(&trace).unwrap().same, "{text}");
        let answer = router.route(&Message::from(text)).unwrap();
        let tells = |notes: &[String]| notes.iter().any(|note| note.contains("told by words alone"));
        assert_eq!(tells(&trace.answer.notes), tells(&answer.notes), "{text}");
        tells(&answer.notes)
    };
    assert!(!told("paint the css"));
    assert!(told("paint the unreadable css"));
}

#[test]
fn a_decision_that_cannot_be_kept_is_told() {
    let router = Router::open("triad", &Cache::none()).unwrap();
    let message = Message::from("use surgical mode");
    let answer = router.route(&message).unwrap();
    assert_eq!(router.keep(&message, &answer).unwrap_err().code(), "no_store");
    let lost = router.clone().with_store(Err(StoreError::NoFolder));
    let error = lost.keep(&message, &answer).unwrap_err();
    assert_eq!((error.code(), error.to_string()), ("no_data_folder", StoreError::NoFolder.to_string()));
    let kept = router.with_store(Ok(Arc::new(crate::store::Sqlite::in_memory().unwrap())));
    kept.keep(&message, &answer).unwrap();
}
