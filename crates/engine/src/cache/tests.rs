//! Do the layers find, keep, expire and compute as they promise?

use std::collections::HashMap;
use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;

use super::*;

const HOUR_MS: u64 = 3_600_000;

/// A clock that is set by hand.
#[derive(Clone, Default)]
struct Hand(Arc<AtomicU64>);

impl Clock for Hand {
    fn now_ms(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// A shelf in memory, which several caches may share like processes a file.
#[derive(Clone, Default)]
struct Board(Arc<Mutex<HashMap<Key, Kept>>>);

impl Shelf for Board {
    fn get(&self, key: &Key, _: u64) -> Option<Kept> {
        open(&self.0).get(key).cloned()
    }

    fn put(&self, key: &Key, kept: &Kept, _: u64) {
        open(&self.0).insert(*key, kept.clone());
    }
}

#[allow(clippy::unnecessary_wraps)] // as computations do
fn fresh(text: &str) -> Result<Fresh, String> {
    Ok(Fresh { value: text.as_bytes().to_vec(), confidence: Confidence::CERTAIN })
}

/// Asks for a key at an hour, and says where the answer came from.
struct Desk {
    clock: Hand,
    caches: Caches,
}

impl Desk {
    fn new(board: &Board) -> Desk {
        let clock = Hand::default();
        Desk { caches: Caches::in_process().with_shelf(board.clone()).with_clock(clock.clone()), clock }
    }

    #[track_caller]
    fn check(&self, at_ms: u64, session: Option<&str>, text: &str, expected: &str) {
        self.clock.0.store(at_ms, Ordering::SeqCst);
        let before = self.counts();
        let value = self.caches.fetch(Key::of("hash", "asked", text), session, || fresh(text)).unwrap();
        assert_eq!(&*value, text.as_bytes());
        let after = self.counts();
        let from = after.iter().zip(before).find(|((_, after), (_, before))| after > before).unwrap();
        assert_eq!(from.0.0, expected, "{text} of {session:?} at {at_ms}");
    }

    fn counts(&self) -> [(&'static str, u64); 5] {
        let Metrics { process, session, store, waited, computed, .. } = self.caches.metrics();
        let names = ["process", "session", "store", "waited", "computed"];
        let figures = [process, session, store, waited, computed];
        std::array::from_fn(|at| (names[at], figures[at].count))
    }
}

#[test]
fn layers_are_asked_in_order_and_each_has_its_time() {
    let desk = Desk::new(&Board::default());
    desk.check(0, Some("s"), "a", "computed");
    desk.check(0, Some("s"), "a", "process");
    desk.check(HOUR_MS - 1, None, "a", "process");
    desk.check(HOUR_MS, Some("s"), "a", "session");
    // Found in the session, it is in the process again, for an hour.
    desk.check(2 * HOUR_MS - 1, None, "a", "process");
    desk.check(2 * HOUR_MS, Some("s"), "a", "store");
    desk.check(2 * HOUR_MS, Some("s"), "a", "process");
    desk.check(3 * HOUR_MS, Some("s"), "a", "session");
    desk.check(23 * HOUR_MS + HOUR_MS / 2, Some("s"), "a", "store");
    // Wherever it was found, it is no more than a day old.
    desk.check(24 * HOUR_MS - 1, Some("s"), "a", "process");
    desk.check(24 * HOUR_MS, Some("s"), "a", "computed");
    let metrics = desk.caches.metrics();
    assert_eq!((metrics.lookups, metrics.hit_rate), (11, 9.0 / 11.0));
}

#[test]
fn sessions_share_the_process_and_the_store_alone() {
    let board = Board::default();
    let desk = Desk::new(&board);
    desk.check(0, Some("s"), "a", "computed");
    desk.check(0, Some("t"), "a", "process");
    desk.check(HOUR_MS, Some("t"), "a", "store");
    desk.check(HOUR_MS, None, "b", "computed");
    let next_process = Desk::new(&board);
    next_process.check(HOUR_MS, Some("s"), "a", "store");
    next_process.check(HOUR_MS, None, "b", "store");
    // A clock that was wrong: what was made in the future is made again.
    next_process.check(HOUR_MS - 1, None, "b", "computed");
}

#[test]
fn what_is_too_large_is_computed_each_time() {
    let desk = Desk::new(&Board::default());
    for (bytes, then) in [(VALUE_BYTES_MAX, "process"), (VALUE_BYTES_MAX + 1, "computed")] {
        let text = "x".repeat(bytes);
        desk.check(0, Some("s"), &text, "computed");
        desk.check(0, Some("s"), &text, then);
    }
}

#[test]
fn many_who_ask_at_once_have_it_computed_once() {
    const THREADS: usize = 8;
    let (caches, computed) = (Caches::in_process(), AtomicUsize::new(0));
    let (start, key) = (Barrier::new(THREADS), Key::of("hash", "asked", "text"));
    thread::scope(|scope| {
        for n in 0..THREADS {
            let (caches, computed, start) = (&caches, &computed, &start);
            scope.spawn(move || {
                let session = n.to_string();
                start.wait();
                let value = caches.fetch(key, Some(&session), || {
                    computed.fetch_add(1, Ordering::SeqCst);
                    fresh("text")
                });
                assert_eq!(&*value.unwrap(), b"text");
            });
        }
    });
    let metrics = caches.metrics();
    assert_eq!((computed.load(Ordering::SeqCst), metrics.computed.count, metrics.lookups), (1, 1, 8));
}

/// The first to compute ends as told while others wait for it; all of those must have the value, by one more attempt.
fn check_lost(end: impl FnOnce() -> Result<Fresh, String> + Send) {
    let (caches, key) = (Caches::in_process(), Key::of("hash", "asked", "text"));
    let (computed, led, go) = (AtomicUsize::new(0), Barrier::new(2), Barrier::new(2));
    thread::scope(|scope| {
        let first = scope.spawn(|| {
            let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                caches.fetch(key, None, || {
                    led.wait();
                    go.wait();
                    end()
                })
            }));
            assert!(!matches!(caught, Ok(Ok(_))));
        });
        led.wait();
        let waiting: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    caches.fetch(key, None, || {
                        computed.fetch_add(1, Ordering::SeqCst);
                        fresh("text")
                    })
                })
            })
            .collect();
        go.wait();
        first.join().unwrap();
        for waiter in waiting {
            assert_eq!(&*waiter.join().unwrap().unwrap(), b"text");
        }
    });
    assert_eq!(computed.load(Ordering::SeqCst), 1);
}

#[test]
fn where_the_first_fails_another_tries() {
    check_lost(|| Err("not now".to_owned()));
    check_lost(|| panic!("not now"));
}

#[test]
fn where_all_fail_all_are_told() {
    let (caches, key) = (Caches::in_process(), Key::of("hash", "asked", "text"));
    thread::scope(|scope| {
        let ask = || caches.fetch(key, None, || Err::<Fresh, _>("not now"));
        let asking: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
        for asked in asking {
            assert_eq!(asked.join().unwrap(), Err("not now"));
        }
    });
    assert_eq!(caches.metrics().lookups, 0);
    assert!(caches.fetch(key, None, || fresh("text")).is_ok());
}

#[test]
fn a_store_that_cannot_be_had_is_told() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(Caches::in_folder(Some(folder.path())).notes(), [""; 0]);
    assert_eq!(Caches::in_folder(None).notes(), [NO_FOLDER]);
    std::fs::write(folder.path().join("file"), "").unwrap();
    let caches = Caches::in_folder(Some(&folder.path().join("file")));
    assert_eq!(caches.notes(), [""; 0], "nothing was asked of the store");
    assert!(caches.fetch(Key::of("hash", "asked", "text"), None, || fresh("text")).is_ok());
    let notes = caches.notes();
    assert!(matches!(&notes[..], [note] if note.contains("cannot be kept in")), "{notes:?}");
}
