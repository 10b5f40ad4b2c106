//! Does nothing get lost or doubled when many write at once?

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Barrier;
use std::thread;

use super::*;

/// The size of the crowd, as the issue has it.
const THREADS: usize = 8;
const OUTCOMES: usize = 10_000;
const USERS: usize = 100;

/// Outcomes in an order of their own, with times that repeat and do not follow that order.
fn outcomes() -> Vec<Completion> {
    let mut state = 20_240_229u64;
    let mut next = || {
        // A linear congruence: any order will do, as long as it is the same in every run.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    let mut outcome = |n: usize| Completion {
        tenant: (n.is_multiple_of(3)).then(|| "acme".to_owned()),
        area: ["frontend", "backend", "documentation"].get(next() % 4).map(|area| (*area).to_owned()),
        operation: ["analysis", "creation"].get(next() % 3).map(|operation| (*operation).to_owned()),
        ..completion(
            &format!("task{n}"),
            &format!("user{}", next() % USERS),
            next() % 3 > 0,
            (next() % 5000) as u64,
        )
    };
    (0..OUTCOMES).map(&mut outcome).collect()
}

/// Tells every outcome twice, mostly from two threads, and counts what was new.
fn tell(
    outcomes: &[Completion],
    store_of: impl Fn(usize) -> Sqlite + Sync,
    shared: Option<&Sqlite>,
) -> usize {
    let barrier = Barrier::new(THREADS);
    let tell = |thread: usize| {
        let own = shared.is_none().then(|| {
            barrier.wait();
            store_of(thread)
        });
        let store = shared.or(own.as_ref()).unwrap();
        let first = (0..outcomes.len()).filter(|at| at % THREADS == thread);
        let again = (0..outcomes.len()).filter(|at| (at / THREADS + 1) % THREADS == thread);
        let record = |at: usize| store.record(&outcomes[at]).unwrap();
        first.chain(again).filter(|at| record(*at) == Recorded::New).count()
    };
    thread::scope(|scope| {
        let tell = &tell;
        let threads: Vec<_> = (0..THREADS).map(|thread| scope.spawn(move || tell(thread))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    })
}

/// Every user's history, and every tenant's, is that of a sequential replay.
fn check(store: &Sqlite, outcomes: &[Completion]) {
    let mut by_user: BTreeMap<(Option<&str>, &str), Vec<&Completion>> = BTreeMap::new();
    for outcome in outcomes {
        by_user.entry((outcome.tenant.as_deref(), &outcome.user)).or_default().push(outcome);
    }
    assert_eq!(store.users(None, usize::MAX >> 1).unwrap().len(), by_user.len());
    for ((tenant, user), told) in by_user {
        let (found, expected) = (store.history(tenant, user).unwrap(), replay(told));
        assert_eq!(found, expected, "{tenant:?} {user}");
        assert_eq!(found.standing(None, None, 9000), expected.standing(None, None, 9000));
    }
    for tenant in [None, Some("acme")] {
        let told = outcomes.iter().filter(|outcome| outcome.tenant.as_deref() == tenant);
        assert_eq!(store.history_of_tenant(tenant).unwrap(), replay(told));
    }
}

#[test]
fn eight_threads_share_one_store() {
    let folder = tempfile::tempdir().unwrap();
    let (outcomes, file) = (outcomes(), folder.path().join(STORE_FILE));
    let store = open(&file);
    assert_eq!(tell(&outcomes, |_| open(&file), Some(&store)), OUTCOMES);
    check(&store, &outcomes);
    drop(store);
    check(&open(&file), &outcomes);
}

#[test]
fn eight_stores_share_one_new_file() {
    let folder = tempfile::tempdir().unwrap();
    let (outcomes, file) = (outcomes(), folder.path().join(STORE_FILE));
    assert_eq!(tell(&outcomes, |_| open(&file), None), OUTCOMES);
    check(&open(&file), &outcomes);
}

fn open(file: &Path) -> Sqlite {
    // A crowd on a slow disk may wait long for its turn; that is no failure.
    let busy_wait = std::time::Duration::from_secs(120);
    Sqlite::open(file, Settings { busy_wait }).unwrap()
}

#[test]
fn many_find_a_new_file_at_once() {
    for _ in 0..10 {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(STORE_FILE);
        let barrier = Barrier::new(THREADS);
        thread::scope(|scope| {
            for n in 0..THREADS {
                let (barrier, file) = (&barrier, &file);
                scope.spawn(move || {
                    barrier.wait();
                    let told = completion(&format!("t{n}"), "ann", true, 1);
                    assert_eq!(open(file).record(&told).unwrap(), Recorded::New);
                });
            }
        });
        assert_eq!(open(&file).history(None, "ann").unwrap().total, THREADS as u64);
    }
}
