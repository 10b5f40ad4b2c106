//! How is work spread over the cores? In blocks, taken by whoever is free, put together in order.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Items that a thread takes at a time where each is a text to read: some milliseconds of work.
const TEXTS_AT_A_TIME: usize = 8;

/// What a function makes of texts, in their order, on all processors.
pub(crate) fn spread_texts<T: Sync, R: Send>(texts: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    spread(texts, threads, TEXTS_AT_A_TIME, work)
}

/// What a function makes of items, in their order, on so many threads. Each takes so many items at a time.
pub(crate) fn spread<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    at_a_time: usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let blocks: Vec<&[T]> = items.chunks(at_a_time.max(1)).collect();
    let threads = threads.clamp(1, blocks.len().max(1));
    if threads == 1 {
        return items.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let take = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(block) = blocks.get(index) else { return done };
            done.push((index, block.iter().map(&work).collect::<Vec<R>>()));
        }
    };
    let mut done: Vec<(usize, Vec<R>)> = thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(take)).collect();
        running
            .into_iter()
            .flat_map(|thread| thread.join().unwrap_or_else(|cause| resume_unwind(cause)))
            .collect()
    });
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().flat_map(|(_, results)| results).collect()
}
