//! Is nothing left of who is forgotten?

use std::fs;
use std::path::Path;

use super::*;

/// Rows and users enough for copies to be left behind by deleting alone.
const ROWS: u32 = 2_000;
const USERS: u32 = 100;

/// How often a text stands in any file of a folder.
pub(super) fn found(folder: &Path, text: &str) -> usize {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let count =
        |bytes: Vec<u8>| bytes.windows(text.len()).filter(|window| *window == text.as_bytes()).count();
    files.map(|file| count(fs::read(file).unwrap())).sum()
}

#[test]
fn every_byte_of_a_user_is_gone_and_the_others_stay() {
    let folder = tempfile::tempdir().unwrap();
    let store = Sqlite::open(&folder.path().join(STORE_FILE), Settings::default()).unwrap();
    let name = |user: u32| format!("person-{user}-secret");
    // Rows of many users, mixed well, so that SQLite moves them from page to page and leaves copies behind.
    let mut told = Vec::new();
    for n in 0..ROWS {
        let (user, scattered) = (n % USERS, u64::from(n).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let outcome = Completion {
            tenant: Some("acme".to_owned()),
            error_message: (n % 7 == 0)
                .then(|| format!("{} saw {}", name(user), "it ".repeat(n as usize % 60))),
            ..completion(&format!("{scattered:x}-{}", name(user)), &name(user), n % 2 > 0, scattered >> 32)
        };
        store.record(&outcome).unwrap();
        told.push(outcome);
    }
    store.keep_decision(&decision("d-1", &name(1), 0.5)).unwrap();
    store.keep_decision(&decision("d-2", &name(99), 0.5)).unwrap();

    for user in 0..USERS / 2 {
        assert!(found(folder.path(), &name(user)) > 0);
        let decisions = u64::from(user == 1);
        let expected = Forgotten { completions: u64::from(ROWS / USERS), decisions, ..Forgotten::default() };
        assert_eq!(store.forget(Some("acme"), &name(user)).unwrap(), expected);
        assert_eq!(found(folder.path(), &name(user)), 0, "{user}");
        assert_eq!(store.history(Some("acme"), &name(user)).unwrap(), History::default());
    }
    assert_eq!(store.decision("d-1").unwrap(), None);

    let left = || told.iter().filter(|outcome| (USERS / 2..USERS).any(|user| outcome.user == name(user)));
    assert_eq!(store.history_of_tenant(Some("acme")).unwrap(), replay(left()));
    let of_one = left().filter(|outcome| outcome.user == name(99));
    assert_eq!(store.history(Some("acme"), &name(99)).unwrap(), replay(of_one));
    assert!(store.decision("d-2").unwrap().is_some());
    assert!(found(folder.path(), &name(99)) > 0);
}

#[test]
fn forgetting_reaches_one_user_of_one_tenant_and_may_be_repeated() {
    on_each_store(|store| {
        let acme =
            |task: &str| Completion { tenant: Some("acme".to_owned()), ..completion(task, "ann", true, 1) };
        store.record(&completion("t", "ann", true, 1)).unwrap();
        store.record(&acme("t")).unwrap();
        let check = |user: &str, completions| {
            let expected = Forgotten { completions, ..Forgotten::default() };
            assert_eq!(store.forget(Some("acme"), user).unwrap(), expected, "{user}");
        };
        check("", 0);
        check("bob", 0);
        check("ann", 1);
        check("ann", 0);
        assert_eq!(store.history_of_tenant(Some("acme")).unwrap(), History::default());
        assert_eq!(store.history(None, "ann").unwrap().total, 1);
        // Who comes back is new.
        assert_eq!(store.record(&acme("t")).unwrap(), Recorded::New);
    });
}
