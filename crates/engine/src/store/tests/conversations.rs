//! Are conversations kept for as long as they may be, and no longer?

use serde_json::json;
use waypost_core::arguments::{By, Outcome as Followed};
use waypost_core::conversation::{Conversation, Verdict};
use waypost_core::message::Fact;

use super::forgetting::found;
use super::*;

const KEEP_MS: u64 = 1_000;

fn of<'a>(session: &'a str, user: Option<&'a str>, now_ms: u64) -> TurnOf<'a> {
    TurnOf { tenant: Some("acme"), user, session, now_ms }
}

fn knowing(fact: &str) -> Conversation {
    Conversation { facts: [(fact.to_owned(), Fact::Flag(true))].into(), ..Conversation::default() }
}

fn choice(outcome: Followed, latency_us: f64) -> ChoiceKept {
    ChoiceKept { tool: Some("brew".to_owned()), outcome, matched_by: By::Alias, confidence: 0.9, latency_us }
}

/// Takes a turn that leaves a fact behind.
fn say(store: &dyn Store, of: &TurnOf<'_>, fact: &str) -> Conversation {
    let mut before = Conversation::default();
    let keep = &mut |state: Conversation| {
        before = state;
        Turned { conversation: knowing(fact), keep_ms: KEEP_MS, ..Turned::default() }
    };
    store.converse(of, keep).unwrap();
    before
}

#[test]
fn a_conversation_is_remembered_until_its_time_is_over() {
    on_each_store(|store| {
        assert_eq!(say(store, &of("s", None, 5_000), "one"), Conversation::default());
        assert_eq!(store.conversation(&of("s", None, 5_999)).unwrap(), knowing("one"));
        assert_eq!(store.conversation(&of("s", None, 6_000)).unwrap(), Conversation::default());
        assert_eq!(say(store, &of("s", None, 5_999), "two"), knowing("one"));
        assert_eq!(say(store, &of("s", None, 6_998), "three"), knowing("two"));
        assert_eq!(say(store, &of("s", None, 9_000), "four"), Conversation::default());
        let elsewhere = TurnOf { tenant: None, ..of("s", None, 9_000) };
        assert_eq!(store.conversation(&elsewhere).unwrap(), Conversation::default());
    });
}

#[test]
fn what_is_over_is_deleted_by_the_next_write() {
    let folder = tempfile::tempdir().unwrap();
    let store = Sqlite::open(&folder.path().join(STORE_FILE), Settings::default()).unwrap();
    say(&store, &of("old", None, 0), "a_secret");
    say(&store, &of("new", None, 5_000), "other");
    drop(store);
    assert_eq!(found(folder.path(), "a_secret"), 0);
}

#[test]
fn a_turn_that_comes_between_is_not_lost() {
    on_each_store(|store| {
        let here = of("s", None, 10);
        let mut tries = 0;
        let outer = &mut |state: Conversation| {
            tries += 1;
            if tries == 1 {
                say(store, &here, "between");
            }
            let mut conversation = state;
            conversation.facts.insert("own".to_owned(), Fact::Flag(true));
            Turned { conversation, keep_ms: KEEP_MS, ..Turned::default() }
        };
        store.converse(&here, outer).unwrap();
        assert_eq!(tries, 2);
        let kept = store.conversation(&here).unwrap();
        assert_eq!(kept.facts.keys().collect::<Vec<_>>(), ["between", "own"]);
    });
}

#[test]
fn a_conversation_forgotten_meanwhile_stays_forgotten() {
    on_each_store(|store| {
        let here = of("s", None, 10);
        say(store, &here, "secret");
        let mut tries = 0;
        let outer = &mut |conversation: Conversation| {
            tries += 1;
            if tries == 1 {
                store.forget_session(Some("acme"), "s").unwrap();
                say(store, &here, "anew");
            }
            Turned { conversation, keep_ms: KEEP_MS, ..Turned::default() }
        };
        store.converse(&here, outer).unwrap();
        assert_eq!(store.conversation(&here).unwrap(), knowing("anew"));
    });
}

#[test]
fn nothing_is_left_of_a_session_or_a_user_that_is_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let store = Sqlite::open(&folder.path().join(STORE_FILE), Settings::default()).unwrap();
    for n in 0..40 {
        let (session, fact) = (format!("session-{n}-secret"), format!("fact-{n}-{}", "secret".repeat(n)));
        say(&store, &of(&session, Some(if n < 20 { "ann-x" } else { "bob-x" }), 10), &fact);
        store.offer(Some("acme"), &session, &mut |offered| offered.with_failure("t")).unwrap();
    }
    let forgotten = store.forget_session(Some("acme"), "session-7-secret").unwrap();
    assert_eq!(forgotten, Forgotten { conversations: 1, ..Forgotten::default() });
    assert_eq!(found(folder.path(), "session-7-secret"), 0);
    assert_eq!(store.forget(Some("acme"), "ann-x").unwrap().conversations, 19);
    assert_eq!(found(folder.path(), "ann-x"), 0);
    assert_eq!(found(folder.path(), "fact-3-"), 0);
    assert!(found(folder.path(), "fact-30-") > 0);
    assert_eq!(store.forget_session(Some("acme"), "nobody").unwrap(), Forgotten::default());
}

#[test]
fn a_call_is_judged_by_the_turn_after_it() {
    on_each_store(|store| {
        assert_eq!(store.choices(None, 0).unwrap(), ChoiceFigures::default());
        let turn = |session: &str, verdict: Option<Verdict>, outcome: Followed, latency_us: f64| {
            let keep = &mut |conversation: Conversation| Turned {
                conversation,
                keep_ms: KEEP_MS,
                verdict,
                choice: Some(choice(outcome, latency_us)),
            };
            store.converse(&of(session, Some("ann"), 10), keep).unwrap();
        };
        turn("a", Some(Verdict::Accepted), Followed::Run, 1.0);
        turn("a", Some(Verdict::Corrected), Followed::Run, 2.0);
        turn("a", Some(Verdict::Accepted), Followed::Clarify, 3.0);
        turn("b", Some(Verdict::Accepted), Followed::Run, 4.0);
        turn("b", Some(Verdict::Accepted), Followed::Rephrase, 5.0);
        let figures = store.choices(Some("acme"), 0).unwrap();
        let expected = ChoiceCounts {
            turns: 5,
            ran: 3,
            clarified: 1,
            rephrased: 1,
            accepted: 2,
            corrected: 1,
            abandoned: 0,
            acceptance_rate: Some(2.0 / 3.0),
            clarify_rate: Some(0.2),
            latency_us_p50: Some(3.0),
            latency_us_p99: Some(5.0),
        };
        assert_eq!(figures.all, expected);
        assert_eq!(json!(figures.tools), json!([["brew", expected]]));
        assert_eq!(figures.matched_by, [("alias".to_owned(), 3)]);
        assert_eq!(store.choices(None, 11).unwrap(), ChoiceFigures::default());
        assert_eq!(store.choices(Some("other"), 0).unwrap(), ChoiceFigures::default());
        assert_eq!(store.forget(Some("acme"), "ann").unwrap().choices, 5);
    });
}
