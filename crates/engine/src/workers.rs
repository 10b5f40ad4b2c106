//! How are costly pieces of work done together? All at once, for a while, and what failed once more in turn.
//!
//! Workers are for what waits: other machines, other processes. What takes microseconds is quicker on one thread, since
//! starting a second takes longer than the work (`docs/performance.md` has the figures).

use std::collections::HashMap;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use tokio::runtime::Builder;
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::{Instant, timeout_at};
use waypost_core::measure::{Confidence, Points};

/// Most workers at once: few enough that a slow machine on the other side is not run down, and as many as a task has
/// independent pieces; more would only wait for each other.
pub const AT_ONCE_MAX: usize = 5;
/// More than so many of so many must have finished for the rest to be done without: seven of ten are not enough.
const ENOUGH: (usize, usize) = (7, 10);
/// Above this one result is sure enough for the others not to matter.
const SURE: Points = Points::hundredths(95);

/// What a worker found, and how sure that is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<T> {
    /// It.
    pub value: T,
    /// How sure it is.
    pub confidence: Confidence,
}

/// What comes of doing the work once: something found, or why not.
pub type Attempt<T> = Result<Found<T>, String>;

/// Work that can be begun, and begun again where it failed.
type Work<T> = dyn Fn() -> Pin<Box<dyn Future<Output = Attempt<T>> + Send>> + Send + Sync;

/// A piece of work with a name.
pub struct Worker<T> {
    name: String,
    work: Arc<Work<T>>,
}

impl<T> Worker<T> {
    /// A worker. Its work must wait without blocking its thread, and stops where it waits when it is not wanted any more.
    pub fn new<F>(name: impl Into<String>, work: impl Fn() -> F + Send + Sync + 'static) -> Worker<T>
    where
        F: Future<Output = Attempt<T>> + Send + 'static,
    {
        Worker { name: name.into(), work: Arc::new(move || Box::pin(work())) }
    }
}

/// How long workers are waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// While they work together.
    pub together: Duration,
    /// In all, one after another included.
    pub in_all: Duration,
}

/// How a worker ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended<T> {
    /// It found something.
    Finished(Found<T>),
    /// It failed or panicked, and again where there was time to try; why.
    Failed(String),
    /// It was begun and did not end in time.
    TimedOut,
    /// It was not begun, or not waited for, since there was no time or another was sure.
    LeftOut,
}

/// How it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// All finished together.
    Parallel,
    /// One was so sure that the others were not waited for.
    Early,
    /// Time ran out, and what had come by then is all there is.
    Partial,
    /// What did not finish together was tried one after another.
    Sequential,
}

/// What workers brought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gathered<T> {
    /// How it went.
    pub way: Way,
    /// Each worker's name and how it ended, in the order they were given.
    pub workers: Vec<(String, Ended<T>)>,
}

impl<T> Gathered<T> {
    /// What was found, with the names of the finders.
    pub fn found(&self) -> impl Iterator<Item = (&str, &Found<T>)> {
        self.workers.iter().filter_map(|(name, ended)| match ended {
            Ended::Finished(found) => Some((name.as_str(), found)),
            Ended::Failed(_) | Ended::TimedOut | Ended::LeftOut => None,
        })
    }

    /// Whether it can be gone on with: one is sure, or more than seven in ten finished.
    pub fn is_enough(&self) -> bool {
        self.way == Way::Early || is_enough(self.found().count(), self.workers.len())
    }
}

fn is_enough(finished: usize, all: usize) -> bool {
    all == 0 || finished * ENOUGH.1 > all * ENOUGH.0
}

/// Does all the work: together until the time for that is over, or until one is sure; what failed then, or all that did
/// not finish where too few did, one after another in the time that is left.
pub async fn run<T: Send + 'static>(workers: Vec<Worker<T>>, patience: Patience) -> Gathered<T> {
    let started = Instant::now();
    let mut shift = Shift::of(workers);
    let mut way = shift.work_together(started + patience.together.min(patience.in_all)).await;
    if way == Way::Sequential {
        way = shift.work_in_turn(started + patience.in_all).await;
    }
    let names = shift.workers.into_iter().map(|worker| worker.name);
    Gathered { way, workers: names.zip(shift.ended).collect() }
}

/// The same, for callers that are not async: on a thread of its own, so that it may be called from any.
pub fn run_blocking<T: Send + 'static>(
    workers: Vec<Worker<T>>,
    patience: Patience,
) -> io::Result<Gathered<T>> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let working = thread::Builder::new().name("waypost-workers".to_owned()).spawn(move || {
        let gathered = runtime.block_on(run(workers, patience));
        // A look-up of a name may still hang in the system; nobody waits for it.
        runtime.shutdown_background();
        gathered
    })?;
    working.join().map_err(|panic| io::Error::other(what_it_said(&*panic)))
}

/// Workers at work.
struct Shift<T> {
    workers: Vec<Worker<T>>,
    ended: Vec<Ended<T>>,
    tasks: JoinSet<Attempt<T>>,
    /// Whose task is whose.
    places: HashMap<Id, usize>,
}

/// Whether a result is so sure that no other is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sure {
    Yes,
    No,
}

/// Why tasks are not waited for any longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stopped {
    OutOfTime,
    NotNeeded,
}

impl<T: Send + 'static> Shift<T> {
    fn of(workers: Vec<Worker<T>>) -> Shift<T> {
        let ended = workers.iter().map(|_| Ended::LeftOut).collect();
        Shift { workers, ended, tasks: JoinSet::new(), places: HashMap::new() }
    }

    /// All at once, as many as may be. Says how it went; sequential is how it has to go on.
    async fn work_together(&mut self, until: Instant) -> Way {
        let mut next = 0..self.workers.len();
        next.by_ref().take(AT_ONCE_MAX).for_each(|place| self.start(place));
        while !self.tasks.is_empty() {
            // What ended in the moment the time did has ended in time.
            let joined = match timeout_at(until, self.tasks.join_next_with_id()).await {
                Ok(joined) => joined,
                Err(_) => self.tasks.try_join_next_with_id(),
            };
            let Some(joined) = joined else { break };
            if self.take(joined) == Sure::Yes {
                self.stop(Stopped::NotNeeded);
                return Way::Early;
            }
            // What is begun when time is over could but be ended again.
            if Instant::now() < until {
                next.by_ref().take(1).for_each(|place| self.start(place));
            }
        }
        let in_time = Instant::now() < until;
        self.stop(Stopped::OutOfTime);
        let finished = self.ended.iter().filter(|ended| matches!(ended, Ended::Finished(_))).count();
        match self.ended.len() {
            all if finished == all => Way::Parallel,
            all if !in_time && is_enough(finished, all) => Way::Partial,
            _ => Way::Sequential,
        }
    }

    /// One after another: those that failed, then those that were not begun, and last those that are slow.
    async fn work_in_turn(&mut self, until: Instant) -> Way {
        let rank = |ended: &Ended<T>| match ended {
            Ended::Finished(_) => None,
            Ended::Failed(_) => Some(0),
            Ended::LeftOut => Some(1),
            Ended::TimedOut => Some(2),
        };
        let ranked = self.ended.iter().zip(0..).filter_map(|(ended, place)| Some((rank(ended)?, place)));
        let mut turns: Vec<(u8, usize)> = ranked.collect();
        turns.sort_unstable();
        let mut way = Way::Partial;
        for (_, place) in turns {
            if Instant::now() >= until {
                break;
            }
            way = Way::Sequential;
            self.start(place);
            let joined = timeout_at(until, self.tasks.join_next_with_id()).await;
            if joined.ok().flatten().is_some_and(|joined| self.take(joined) == Sure::Yes) {
                return Way::Early;
            }
            self.stop(Stopped::OutOfTime);
        }
        way
    }

    fn start(&mut self, place: usize) {
        if let Some(worker) = self.workers.get(place) {
            let work = Arc::clone(&worker.work);
            // Begun within the task, so that a panic before the first wait ends the task alone.
            let task = self.tasks.spawn(async move { work().await });
            self.places.insert(task.id(), place);
        }
    }

    /// Notes how a task ended.
    fn take(&mut self, joined: Result<(Id, Attempt<T>), JoinError>) -> Sure {
        let (id, attempt) = match joined {
            Ok((id, attempt)) => (id, attempt),
            Err(error) => (error.id(), Err(why(error))),
        };
        let sure = attempt.as_ref().is_ok_and(|found| found.confidence.points() > SURE);
        let ended = attempt.map_or_else(Ended::Failed, Ended::Finished);
        if let Some(place) = self.places.remove(&id).and_then(|place| self.ended.get_mut(place)) {
            *place = ended;
        }
        if sure { Sure::Yes } else { Sure::No }
    }

    /// Ends all tasks that are still at work.
    fn stop(&mut self, why: Stopped) {
        // A set that is dropped takes its tasks with it.
        self.tasks = JoinSet::new();
        for (_, place) in self.places.drain() {
            // Why it failed the first time says more than that the second took too long.
            let open = self.ended.get_mut(place).filter(|ended| !matches!(ended, Ended::Failed(_)));
            if let Some(ended) = open {
                *ended = match why {
                    Stopped::OutOfTime => Ended::TimedOut,
                    Stopped::NotNeeded => Ended::LeftOut,
                };
            }
        }
    }
}

/// Why a task did not come to its end.
fn why(error: JoinError) -> String {
    match error.try_into_panic() {
        Ok(panic) => what_it_said(&*panic),
        Err(error) => error.to_string(),
    }
}

fn what_it_said(panic: &(dyn std::any::Any + Send)) -> String {
    let said = panic.downcast_ref::<&str>().copied();
    let said = said.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("panicked: {}", said.unwrap_or("it did not say why"))
}

#[cfg(test)]
mod tests;
