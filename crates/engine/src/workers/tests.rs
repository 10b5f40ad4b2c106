//! Do workers go on, stop, fall back and give up where they should? Under a clock that only goes when all wait.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Waker};

use tokio::time::{advance, sleep};

use super::*;

/// What a worker does each time it is begun; the last from then on.
#[derive(Clone, Copy)]
enum Does {
    /// Finds something after milliseconds, sure to so many thousandths.
    Finds(u64, i32),
    /// Fails after milliseconds.
    Fails(u64),
    Panics,
    /// Panics before there is anything to wait for.
    PanicsAtOnce,
    /// Finds something after a millisecond, without a wait before all time is over.
    Oversleeps,
}
use Does::{Fails, Finds, Oversleeps, Panics, PanicsAtOnce};

const SLOW: Does = Finds(1_000_000, 500);
const QUICK: Does = Finds(1, 500);
/// How long they may work together, and in all, in milliseconds.
const TOGETHER: u64 = 100;
const IN_ALL: u64 = 300;

fn worker(place: usize, script: &[Does]) -> Worker<usize> {
    let (script, begun) = (script.to_vec(), Arc::new(AtomicUsize::new(0)));
    Worker::new(format!("w{place}"), move || {
        let turn = begun.fetch_add(1, Ordering::SeqCst).min(script.len() - 1);
        let does = script[turn];
        assert!(!matches!(does, PanicsAtOnce), "oh");
        async move {
            match does {
                Finds(ms, thousandths) => {
                    sleep(Duration::from_millis(ms)).await;
                    let share = f64::from(thousandths) / 1000.0;
                    Ok(Found { value: place, confidence: Confidence::new(Points::from_share(share)) })
                }
                Fails(ms) => {
                    sleep(Duration::from_millis(ms)).await;
                    Err("no".to_owned())
                }
                Oversleeps => {
                    sleep(Duration::from_millis(1)).await;
                    // Asked once, it sets the clock; asked to its end, it would let the others go on in between.
                    let clock_set = std::pin::pin!(advance(Duration::from_millis(TOGETHER)));
                    let _ = clock_set.poll(&mut Context::from_waker(Waker::noop()));
                    Ok(Found { value: place, confidence: Confidence::NONE })
                }
                Panics | PanicsAtOnce => panic!("oh"),
            }
        }
    })
}

/// How it goes, how each worker ends (`+` finished, `!` failed, `t` timed out, `-` left out), and after how long.
#[track_caller]
fn told(gathered: &Gathered<usize>) -> String {
    let mark = |(at, (name, ended)): (usize, &(String, Ended<usize>))| {
        assert_eq!(*name, format!("w{at}"));
        match ended {
            Ended::Finished(found) => {
                assert_eq!(found.value, at);
                '+'
            }
            Ended::Failed(_) => '!',
            Ended::TimedOut => 't',
            Ended::LeftOut => '-',
        }
    };
    gathered.workers.iter().enumerate().map(mark).collect()
}

async fn check(scripts: &[&[Does]], way: Way, ended: &str, ms: u64, enough: bool) {
    let workers = scripts.iter().enumerate().map(|(place, script)| worker(place, script)).collect();
    let patience =
        Patience { together: Duration::from_millis(TOGETHER), in_all: Duration::from_millis(IN_ALL) };
    let started = Instant::now();
    let gathered = run(workers, patience).await;
    let took = u64::try_from(started.elapsed().as_millis()).unwrap();
    assert_eq!((gathered.way, told(&gathered).as_str(), took), (way, ended, ms));
    assert_eq!(gathered.is_enough(), enough, "{ended}");
}

/// So many that do one thing, and so many that do another.
fn mixed(one: (usize, &'static [Does]), other: (usize, &'static [Does])) -> Vec<&'static [Does]> {
    [vec![one.1; one.0], vec![other.1; other.0]].concat()
}

#[tokio::test(start_paused = true)]
async fn all_finish_together() {
    check(&[], Way::Parallel, "", 0, true).await;
    check(&[&[Finds(7, 950)]], Way::Parallel, "+", 7, true).await;
    check(&[&[Finds(10, 0)], &[Finds(30, 0)], &[Finds(20, 0)]], Way::Parallel, "+++", 30, true).await;
    // Five at a time: eleven take three rounds.
    check(&[&[Finds(10, 0)][..]; 11], Way::Parallel, "+++++++++++", 30, true).await;
}

#[tokio::test(start_paused = true)]
async fn more_than_seven_in_ten_are_gone_on_with() {
    for (quick, slow, enough) in
        [(8, 2, true), (7, 3, false), (3, 1, true), (2, 1, false), (5, 2, true), (1, 1, false)]
    {
        let scripts = mixed((quick, &[QUICK]), (slow, &[SLOW]));
        let ended = format!("{}{}", "+".repeat(quick), "t".repeat(slow));
        // Where they are not enough the slow are tried again, and take the time there is.
        let (way, ms) = if enough { (Way::Partial, TOGETHER) } else { (Way::Sequential, IN_ALL) };
        check(&scripts, way, &ended, ms, enough).await;
    }
    // What failed is not waited for either, once time is over and enough have finished.
    let failing = [mixed((8, &[QUICK]), (1, &[SLOW])), vec![&[Fails(1)]]].concat();
    check(&failing, Way::Partial, "++++++++t!", TOGETHER, true).await;
}

#[tokio::test(start_paused = true)]
async fn one_that_is_sure_ends_it() {
    check(&[&[Finds(10, 951)], &[SLOW]], Way::Early, "+-", 10, true).await;
    check(&[&[Finds(10, 950)], &[Finds(20, 0)]], Way::Parallel, "++", 20, true).await;
    // Those that had to wait for their turn are not even begun, and what came before stays.
    let crowd = [mixed((1, &[QUICK]), (4, &[SLOW])), mixed((1, &[Finds(5, 1000)]), (4, &[QUICK]))].concat();
    check(&crowd, Way::Early, "+----+----", 6, true).await;
    // In turn too.
    check(&[&[Fails(1), Finds(1, 951)], &[Fails(2), QUICK]], Way::Early, "+!", 3, true).await;
}

#[tokio::test(start_paused = true)]
async fn what_failed_is_tried_again_in_turn() {
    check(&[&[Fails(1), QUICK], &[QUICK]], Way::Sequential, "++", 2, true).await;
    check(&[&[Panics, Finds(10, 0)], &[Fails(5), Finds(10, 0)]], Way::Sequential, "++", 25, true).await;
    check(&[&[Panics], &[Fails(1)], &[QUICK]], Way::Sequential, "!!+", 2, false).await;
    check(&[&[Fails(1)][..]; 3], Way::Sequential, "!!!", 4, false).await;
    // Enough have finished, and there is time to try the others.
    check(&mixed((8, &[QUICK]), (2, &[Fails(1), QUICK])), Way::Sequential, "++++++++++", 4, true).await;
    // The slow come last: one that only failed is not kept waiting by them.
    check(&[&[SLOW], &[Fails(1), QUICK]], Way::Sequential, "t+", IN_ALL, false).await;
    // Slow together, quick when tried again.
    check(&[&[SLOW, QUICK], &[SLOW, QUICK]], Way::Sequential, "++", TOGETHER + 2, true).await;
    // Why it failed is told, though the second attempt hangs.
    check(&[&[Fails(1), SLOW], &[QUICK]], Way::Sequential, "!+", IN_ALL, false).await;
    // Six that hang: the sixth never had a place, and has its turn before the others.
    let hung = [vec![&[SLOW][..]; 5], vec![&[QUICK][..]]].concat();
    check(&hung, Way::Sequential, "ttttt+", IN_ALL, false).await;
}

#[tokio::test(start_paused = true)]
async fn nobody_is_begun_when_time_is_over() {
    let crowd = [vec![&[Oversleeps][..]], mixed((4, &[QUICK]), (1, &[QUICK]))].concat();
    check(&crowd, Way::Partial, "+++++-", TOGETHER + 1, true).await;
}

#[tokio::test(start_paused = true)]
async fn a_panic_before_the_first_wait_is_the_workers_own() {
    check(&[&[PanicsAtOnce], &[QUICK]], Way::Sequential, "!+", 1, false).await;
    check(&[&[PanicsAtOnce, QUICK], &[QUICK]], Way::Sequential, "++", 2, true).await;
}

#[tokio::test(start_paused = true)]
async fn there_is_no_turn_without_time() {
    let patience = Patience { together: Duration::from_secs(9), in_all: Duration::from_millis(50) };
    let started = Instant::now();
    let gathered = run(vec![worker(0, &[SLOW]), worker(1, &[Fails(1)])], patience).await;
    assert_eq!((gathered.way, told(&gathered).as_str()), (Way::Partial, "t!"));
    assert!(!gathered.is_enough() && gathered.found().next().is_none());
    assert_eq!(started.elapsed(), patience.in_all);
}

#[tokio::test(start_paused = true)]
async fn no_more_than_five_work_at_once() {
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let workers = (0..20)
        .map(|n| {
            let (now, most) = (Arc::clone(&now), Arc::clone(&most));
            Worker::new(n.to_string(), move || {
                let (now, most) = (Arc::clone(&now), Arc::clone(&most));
                async move {
                    most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    sleep(Duration::from_millis(1)).await;
                    now.fetch_sub(1, Ordering::SeqCst);
                    Ok(Found { value: (), confidence: Confidence::NONE })
                }
            })
        })
        .collect();
    let patience = Patience { together: Duration::from_secs(1), in_all: Duration::from_secs(1) };
    assert_eq!(run(workers, patience).await.found().count(), 20);
    assert_eq!(most.load(Ordering::SeqCst), AT_ONCE_MAX);
}

#[tokio::test]
async fn it_can_be_waited_for_from_any_thread() {
    let patience = Patience { together: Duration::from_secs(60), in_all: Duration::from_secs(60) };
    let gathered = run_blocking(vec![worker(0, &[Finds(0, 0)]), worker(1, &[Panics])], patience).unwrap();
    assert_eq!((gathered.way, told(&gathered).as_str()), (Way::Sequential, "+!"));
    assert_eq!(gathered.workers[1].1, Ended::Failed("panicked: oh".to_owned()));
}
