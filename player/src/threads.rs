//! Several threads that search the same position, of which one may fail.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread;

/// Runs all searchers at the same time, the first of them in this thread, and returns what those
/// found that did not panic, in order: the first and the rest.
///
/// A thread that panics, or that the system has no room for, is only logged: what the others have found is valid
/// without it.
///
/// # Panics
/// If all of them do.
pub fn search_together<S, T>(searchers: impl IntoIterator<Item = S>) -> (T, Vec<T>)
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
        log::error!("a search thread panicked; the move is that of the others");
    }
    let mut found = found.into_iter();
    match (found.next(), panic) {
        (Some(first), _) => (first, found.collect()),
        (None, Some(panic)) => resume_unwind(panic),
        (None, None) => panic!("a search needs at least one thread"),
    }
}

fn log_missing(error: &io::Error) {
    log::error!("searching with one thread fewer, because it could not be started: {error}");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers that come back from as many threads, of which some panic.
    fn found(panicking: &[usize]) -> Vec<usize> {
        let searchers = (0..3).map(|n| {
            move || {
                assert!(!panicking.contains(&n), "out of ideas");
                n
            }
        });
        let (first, rest) = search_together(searchers);
        std::iter::once(first).chain(rest).collect()
    }

    #[test]
    fn the_others_go_on_when_one_panics() {
        for (panicking, expected) in
            [(&[][..], &[0, 1, 2][..]), (&[0], &[1, 2]), (&[1], &[0, 2]), (&[0, 2], &[1]), (&[1, 2], &[0])]
        {
            assert_eq!(found(panicking), expected);
        }
    }

    #[test]
    #[should_panic(expected = "out of ideas")]
    fn it_panics_when_all_do() {
        found(&[0, 1, 2]);
    }
}
