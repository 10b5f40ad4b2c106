//! Does a store keep what it is told, in a file and in memory alike?

mod conversations;
mod crowd;
mod forgetting;
mod trouble;

use waypost_core::history::{Completion, History};

use super::*;

/// A completion of one letter's worth of words.
fn completion(task: &str, user: &str, success: bool, at_ms: u64) -> Completion {
    Completion {
        task_id: task.to_owned(),
        user: user.to_owned(),
        success,
        area: Some("backend".to_owned()),
        operation: Some("debugging".to_owned()),
        at_ms,
        ..Completion::default()
    }
}

/// What the arithmetic makes of completions, taken in the order of their times and ids.
fn replay<'a>(completions: impl IntoIterator<Item = &'a Completion>) -> History {
    let mut ordered: Vec<&Completion> = completions.into_iter().collect();
    ordered.sort_by_key(|completion| (completion.at_ms, &completion.task_id));
    let mut history = History::default();
    for completion in ordered {
        let (area, operation) = (completion.area.as_deref(), completion.operation.as_deref());
        history.record(completion.success, area, operation, completion.at_ms);
    }
    history
}

/// Runs a test on a store in a new file, and on one in memory.
fn on_each_store(test: impl Fn(&dyn Store)) {
    let folder = tempfile::tempdir().unwrap();
    test(&Sqlite::open(&folder.path().join("deep/down").join(STORE_FILE), Settings::default()).unwrap());
    test(&Sqlite::in_memory().unwrap());
}

#[test]
fn a_history_is_the_replay_of_its_tasks_in_whatever_order_they_came() {
    on_each_store(|store| {
        assert_eq!(store.history(None, "ann").unwrap(), History::default());
        let told: Vec<Completion> = (0..40u64)
            .map(|n| Completion {
                area: (n % 3 > 0).then(|| format!("area{}", n % 3)),
                operation: (n % 2 > 0).then(|| "analysis".to_owned()),
                // Neither in order nor all different.
                ..completion(&format!("t{n}"), "ann", n % 5 > 1, (n * 17) % 23)
            })
            .collect();
        for completion in &told {
            assert_eq!(store.record(completion).unwrap(), Recorded::New);
        }
        assert_eq!(store.history(None, "ann").unwrap(), replay(&told));
        assert_eq!(store.history(Some(""), "ann").unwrap(), replay(&told));
        assert_eq!(store.history(Some("acme"), "ann").unwrap(), History::default());
        let last = store.last_tasks(None, "ann", 3).unwrap();
        let mut ordered = told;
        ordered.sort_by(|a, b| (b.at_ms, &b.task_id).cmp(&(a.at_ms, &a.task_id)));
        assert_eq!(last, ordered[..3]);
    });
}

#[test]
fn a_task_counts_once_within_its_tenant() {
    on_each_store(|store| {
        let told = completion("t1", "ann", true, 5);
        assert_eq!(store.record(&told).unwrap(), Recorded::New);
        let before = store.history(None, "ann").unwrap();
        let other = Completion { area: None, ..completion("t1", "ann", false, 9) };
        for again in [&told, &other] {
            assert_eq!(store.record(again).unwrap(), Recorded::AlreadyKnown);
        }
        let refused = store.record(&completion("t1", "bob", false, 9)).unwrap_err();
        assert_eq!(refused.code(), "bad_outcome");
        assert!(refused.to_string().ends_with("t1 was told for another user"), "{refused}");
        assert_eq!(store.history(None, "ann").unwrap(), before);
        assert_eq!(store.history(None, "bob").unwrap(), History::default());
        assert_eq!(store.last_tasks(None, "ann", 9).unwrap(), std::slice::from_ref(&told));
        let elsewhere = Completion { tenant: Some("acme".to_owned()), ..told };
        assert_eq!(store.record(&elsewhere).unwrap(), Recorded::New);
    });
}

#[test]
fn a_tenant_is_all_its_users_together() {
    on_each_store(|store| {
        let of = |tenant: &str, task: &str, user: &str, success, at_ms| Completion {
            tenant: Some(tenant.to_owned()).filter(|tenant| !tenant.is_empty()),
            ..completion(task, user, success, at_ms)
        };
        let told = [
            of("acme", "a", "ann", true, 3),
            of("acme", "b", "bob", false, 1),
            of("acme", "c", "ann", true, 2),
            of("", "d", "ann", false, 9),
        ];
        for completion in &told {
            store.record(completion).unwrap();
        }
        assert_eq!(store.history_of_tenant(Some("acme")).unwrap(), replay(&told[..3]));
        assert_eq!(store.history_of_tenant(None).unwrap(), replay(&told[3..]));
        assert_eq!(store.history_of_tenant(Some("none")).unwrap(), History::default());
        for tenant in [None, Some("acme")] {
            assert_eq!(store.history(tenant, "").unwrap(), History::default(), "nobody has no name");
        }
        let names = |tenant, most| -> Vec<String> {
            let known = store.users(tenant, most).unwrap().into_iter();
            known.map(|known| format!("{}:{}", known.tenant.unwrap_or_default(), known.user)).collect()
        };
        assert_eq!(names(None, 9), [":ann", "acme:ann", "acme:bob"]);
        assert_eq!(names(Some("acme"), 9), ["acme:ann", "acme:bob"]);
        assert_eq!(names(Some(""), 9), [":ann"]);
        assert_eq!(names(None, 1), [":ann"]);
    });
}

#[test]
fn what_makes_no_sense_is_refused() {
    let good = || completion("t", "u", true, 1);
    let check = |bad: Completion, expected: &str| {
        on_each_store(|store| {
            let error = store.record(&bad).unwrap_err();
            assert_eq!(error.code(), "bad_outcome");
            assert!(error.to_string().contains(expected), "{error}");
            assert_eq!(store.users(None, 9).unwrap(), []);
        });
    };
    check(Completion { task_id: String::new(), ..good() }, "needs a task");
    check(Completion { user: String::new(), ..good() }, "needs a user");
    check(Completion { tenant: Some("x".repeat(NAME_BYTES_MAX + 1)), ..good() }, "its tenant has 513 bytes");
    check(Completion { complexity: Some(1.01), ..good() }, "complexity is 1.01");
    check(Completion { confidence_used: Some(f64::NAN), ..good() }, "confidence is NaN");
    check(Completion { at_ms: u64::MAX, ..good() }, "year 9999");
    check(Completion { execution_time_ms: Some(u64::MAX), ..good() }, "year 9999");
    check(Completion { error_message: Some("x".repeat(ERROR_BYTES_MAX + 1)), ..good() }, "4096");
}

fn decision(id: &str, user: &str, confidence: f64) -> DecisionKept {
    DecisionKept {
        id: id.to_owned(),
        tenant: Some("acme".to_owned()),
        user: Some(user.to_owned()),
        route: Some("surgical".to_owned()),
        confidence,
        area: Some("backend".to_owned()),
        operation: Some("analysis".to_owned()),
        complexity: Some(0.25),
        threshold: 0.7,
        at_ms: 7,
        ..DecisionKept::default()
    }
}

#[test]
fn an_outcome_takes_from_its_decision_what_it_leaves_out() {
    on_each_store(|store| {
        let kept = decision("d1", "ann", 0.875);
        store.keep_decision(&kept).unwrap();
        store.keep_decision(&decision("d1", "bob", 0.1)).unwrap();
        assert_eq!(store.decision("d1").unwrap(), Some(kept));
        assert_eq!(store.decision("d2").unwrap(), None);
        let told = |json: &str| {
            let reported: Reported = serde_json::from_str(json).unwrap();
            reported.complete(store, 99).map_err(|error| error.to_string())
        };
        let from_decision = Completion {
            task_id: "d1".to_owned(),
            tenant: Some("acme".to_owned()),
            user: "ann".to_owned(),
            decision_id: Some("d1".to_owned()),
            success: true,
            specialist: Some("surgical".to_owned()),
            area: Some("backend".to_owned()),
            operation: Some("analysis".to_owned()),
            complexity: Some(0.25),
            confidence_used: Some(0.875),
            at_ms: 99,
            ..Completion::default()
        };
        assert_eq!(told(r#"{"decision": "d1", "success": true}"#), Ok(from_decision.clone()));
        let own = r#"{"task": "t", "decision_id": "d1", "success": true, "user": "ann", "area": "frontend",
            "operation": "", "complexity": 1, "confidence": 0, "time_ms": 3, "error": "no", "at": "1970-01-01T00:00:01Z"}"#;
        let expected = Completion {
            task_id: "t".to_owned(),
            area: Some("frontend".to_owned()),
            complexity: Some(1.0),
            confidence_used: Some(0.0),
            execution_time_ms: Some(3),
            error_message: Some("no".to_owned()),
            at_ms: 1000,
            ..from_decision
        };
        assert_eq!(told(own), Ok(expected));
        for (bad, why) in [
            (r#"{"success": true}"#, "needs a task or a decision"),
            (r#"{"task_id": "t", "success": true}"#, "needs a user or a decision"),
            (r#"{"decision": "d2", "success": true}"#, "d2 is not kept here"),
            (r#"{"decision": "d1", "user": "bob", "success": true}"#, "another user"),
            (r#"{"decision": "d1", "tenant": "emca", "success": true}"#, "leave out --user and --tenant"),
        ] {
            assert!(told(bad).unwrap_err().contains(why), "{bad}: {:?}", told(bad));
        }
        let long =
            format!(r#"{{"task": "t", "user": "u", "success": false, "error": "x{}"}}"#, "é".repeat(3000));
        assert_eq!(told(&long).unwrap().error_message.unwrap().len(), ERROR_BYTES_MAX - 1);
    });
}

#[test]
fn outcomes_are_those_of_decisions_in_their_order() {
    on_each_store(|store| {
        for (id, confidence) in [("d2", 0.9), ("d1", 0.4), ("d3", 0.6)] {
            store.keep_decision(&decision(id, "ann", confidence)).unwrap();
        }
        let outcome = |id: &str, tenant: Option<&str>, success| Completion {
            tenant: tenant.map(str::to_owned),
            decision_id: Some(id.to_owned()),
            ..completion(id, "ann", success, 1)
        };
        for told in [
            outcome("d1", Some("acme"), false),
            outcome("d2", Some("acme"), true),
            outcome("d3", None, true),
            outcome("d4", Some("acme"), true),
        ] {
            store.record(&told).unwrap();
        }
        let outcome = |confidence, success| Outcome { confidence, success };
        assert_eq!(store.outcomes().unwrap(), [outcome(0.9, true), outcome(0.4, false)]);
    });
}

#[test]
fn what_a_conversation_was_offered_is_kept_by_tenant_and_session() {
    use waypost_core::selection::offered::Offered;
    on_each_store(|store| {
        let turn = |tenant: Option<&str>, session: &str, tool: &str| -> Vec<String> {
            let mut tools = Vec::new();
            let mut turn = |offered: Offered| {
                let after = offered.turn(&[tool.to_owned()], |_| true).offered;
                tools = after.tools().map(str::to_owned).collect();
                after
            };
            store.offer(tenant, session, &mut turn).unwrap();
            tools
        };
        assert_eq!(turn(None, "s1", "mail"), ["mail"]);
        assert_eq!(turn(None, "s2", "search"), ["search"]);
        assert_eq!(turn(Some("acme"), "s1", "search"), ["search"]);
        assert_eq!(turn(Some(""), "s1", "search"), ["mail", "search"]);
    });
}

#[test]
fn turns_of_one_conversation_at_once_are_all_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(STORE_FILE);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let path = &path;
            scope.spawn(move || {
                let store = Sqlite::open(path, Settings::default()).unwrap();
                for turn in 0..5 {
                    let tool = format!("t{thread}-{turn}");
                    store.offer(None, "s", &mut |offered| offered.with_failure(&tool)).unwrap();
                }
            });
        }
    });
    let mut failed = 0;
    let store = Sqlite::open(&path, Settings::default()).unwrap();
    let look = &mut |offered: waypost_core::selection::offered::Offered| {
        failed = offered.failed().len();
        offered
    };
    store.offer(None, "s", look).unwrap();
    assert_eq!(failed, 20);
}
