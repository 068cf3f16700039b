//! Search threads. The search survives a panic of a thread.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread;

/// Runs all searchers in parallel, the first in this thread. Returns the results of those that did not panic, in order:
/// the first and the rest.
///
/// A thread that panics or cannot be started is logged; the other results are valid without it.
///
/// # Panics
/// If all searchers panic.
pub fn run_together<S, T>(searchers: impl IntoIterator<Item = S>) -> (T, Vec<T>)
where
    S: FnOnce() -> T + Send,
    T: Send,
{
    let mut searchers = searchers.into_iter();
    let results: Vec<thread::Result<T>> = thread::scope(|scope| {
        let Some(own) = searchers.next() else { return Vec::new() };
        let started = searchers.map(|searcher| thread::Builder::new().spawn_scoped(scope, searcher));
        let others: Vec<_> = started.filter_map(|thread| thread.inspect_err(log_missing).ok()).collect();
        let own = catch_unwind(AssertUnwindSafe(own));
        std::iter::once(own).chain(others.into_iter().map(|other| other.join())).collect()
    });
    let (mut found, mut panic) = (Vec::with_capacity(results.len()), None);
    for result in results {
        match result {
            Ok(result) => found.push(result),
            Err(payload) => panic = Some(payload),
        }
    }
    if panic.is_some() && !found.is_empty() {
        log::error!("a search thread panicked; using the results of the others");
    }
    let mut found = found.into_iter();
    match (found.next(), panic) {
        (Some(first), _) => (first, found.collect()),
        (None, Some(panic)) => resume_unwind(panic),
        (None, None) => panic!("a search needs at least one thread"),
    }
}

fn log_missing(error: &io::Error) {
    log::error!("cannot start a search thread, searching without it: {error}");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs three searchers; those with the given numbers panic. Returns the numbers of the others.
    fn found(panicking: &[usize]) -> Vec<usize> {
        let searchers = (0..3).map(|n| {
            move || {
                assert!(!panicking.contains(&n), "searcher {n} fails");
                n
            }
        });
        let (first, rest) = run_together(searchers);
        std::iter::once(first).chain(rest).collect()
    }

    #[test]
    fn results_survive_panics_of_other_threads() {
        for (panicking, expected) in
            [(&[][..], &[0, 1, 2][..]), (&[0], &[1, 2]), (&[1], &[0, 2]), (&[0, 2], &[1]), (&[1, 2], &[0])]
        {
            assert_eq!(found(panicking), expected);
        }
    }

    #[test]
    #[should_panic(expected = "fails")]
    fn panics_if_all_threads_panic() {
        found(&[0, 1, 2]);
    }
}
