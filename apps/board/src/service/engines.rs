//! Threads that think.
//!
//! There are as many as the service was told, so that neither their number nor their memory grows with the games. What
//! is to be thought about waits in a queue, in the order of [`Priority`].

use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::thinker::Thinker;

/// What comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Priority {
    /// The move of a program that a person plays against.
    Answer,
    /// What a person has asked for.
    Hint,
    /// The move of a program that plays against programs: people only look on.
    Show,
    /// What takes minutes anyway.
    Analysis,
}

type Job = Box<dyn FnOnce(&mut Thinker) + Send>;

/// The queue of the threads.
#[derive(Clone)]
pub(super) struct Engines(Arc<Shared>);

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    waiting: Condvar,
}

#[derive(Default)]
struct Queue {
    /// By priority and the order in which they came.
    jobs: BTreeMap<(Priority, u64), Job>,
    next: u64,
    is_closed: bool,
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Engines {
    /// Starts the threads, each with so much memory for its search.
    pub fn start(threads: usize, memory: usize) -> io::Result<Self> {
        let engines = Self(Arc::default());
        for n in 0..threads.max(1) {
            let shared = Arc::clone(&engines.0);
            thread::Builder::new().name(format!("engine {n}")).spawn(move || work(&shared, memory))?;
        }
        Ok(engines)
    }

    /// Does something on one of the threads as soon as one is free.
    pub fn ask(&self, priority: Priority, job: impl FnOnce(&mut Thinker) + Send + 'static) {
        let mut queue = self.0.queue();
        let number = queue.next;
        queue.next += 1;
        queue.jobs.insert((priority, number), Box::new(job));
        self.0.waiting.notify_one();
    }

    /// Ends the threads when they have finished what they are at.
    pub fn close(&self) {
        let mut queue = self.0.queue();
        queue.is_closed = true;
        queue.jobs.clear();
        self.0.waiting.notify_all();
    }
}

fn work(shared: &Shared, memory: usize) {
    let mut thinker = Thinker::new(memory);
    loop {
        let job = {
            let mut queue = shared.queue();
            loop {
                if queue.is_closed {
                    return;
                }
                match queue.jobs.pop_first() {
                    Some((_, job)) => break job,
                    None => queue = shared.waiting.wait(queue).unwrap_or_else(PoisonError::into_inner),
                }
            }
        };
        if catch_unwind(AssertUnwindSafe(|| job(&mut thinker))).is_err() {
            log::error!("an engine panicked; a new one takes its place");
            thinker = Thinker::new(memory);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn people_are_served_first_and_a_panic_stops_nobody() {
        let engines = Engines::start(1, 16 << 20).unwrap();
        let (sender, receiver) = mpsc::channel();
        let (go, wait) = mpsc::channel::<()>();
        engines.ask(Priority::Answer, move |_| wait.recv().unwrap());
        for priority in [Priority::Analysis, Priority::Show, Priority::Hint, Priority::Answer] {
            let sender = sender.clone();
            engines.ask(priority, move |_| {
                sender.send(priority).unwrap();
                assert_ne!(priority, Priority::Answer, "it panics");
            });
        }
        go.send(()).unwrap();
        let order = [Priority::Answer, Priority::Hint, Priority::Show, Priority::Analysis];
        assert_eq!([(); 4].map(|()| receiver.recv().unwrap()), order);
        engines.close();
    }
}
