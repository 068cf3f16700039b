//! The threads of the engines. Their number and memory do not depend on the number of games.

use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use arena::lock::lock;

use crate::active::jobs::Priority;
use crate::engine::SearchEngine;

type EngineTask = Box<dyn FnOnce(&mut SearchEngine) + Send>;

/// A queue of tasks for a fixed number of threads, each with an engine.
#[derive(Clone)]
pub(super) struct EnginePool(Arc<SharedQueue>);

#[derive(Default)]
struct SharedQueue {
    queue: Mutex<TaskQueue>,
    task_added: Condvar,
}

#[derive(Default)]
struct TaskQueue {
    /// Tasks by priority and order of arrival.
    tasks: BTreeMap<(Priority, u64), EngineTask>,
    next: u64,
    is_closed: bool,
}

impl EnginePool {
    /// Starts the threads, each with a search tree of `memory` bytes.
    pub fn start(threads: usize, memory: usize) -> io::Result<Self> {
        let pool = Self(Arc::default());
        for n in 0..threads.max(1) {
            let shared = Arc::clone(&pool.0);
            thread::Builder::new().name(format!("engine {n}")).spawn(move || run_tasks(&shared, memory))?;
        }
        Ok(pool)
    }

    /// Queues a task.
    pub fn submit(&self, priority: Priority, task: impl FnOnce(&mut SearchEngine) + Send + 'static) {
        let mut queue = lock(&self.0.queue);
        let number = queue.next;
        queue.next += 1;
        queue.tasks.insert((priority, number), Box::new(task));
        self.0.task_added.notify_one();
    }

    /// Drops all waiting tasks, and ends the threads after their current ones.
    pub fn close(&self) {
        let mut queue = lock(&self.0.queue);
        queue.is_closed = true;
        queue.tasks.clear();
        self.0.task_added.notify_all();
    }
}

fn run_tasks(shared: &SharedQueue, memory: usize) {
    let mut engine = SearchEngine::new(memory);
    loop {
        let task = {
            let mut queue = lock(&shared.queue);
            loop {
                if queue.is_closed {
                    return;
                }
                match queue.tasks.pop_first() {
                    Some((_, task)) => break task,
                    None => queue = shared.task_added.wait(queue).unwrap_or_else(PoisonError::into_inner),
                }
            }
        };
        if catch_unwind(AssertUnwindSafe(|| task(&mut engine))).is_err() {
            log::error!("an engine panicked; a new one replaces it");
            engine = SearchEngine::new(memory);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn tasks_run_by_priority_and_survive_a_panic() {
        let pool = EnginePool::start(1, 16 << 20).unwrap();
        let (sender, receiver) = mpsc::channel();
        let (go, wait) = mpsc::channel::<()>();
        pool.submit(Priority::Answer, move |_| wait.recv().unwrap());
        for priority in [Priority::Analysis, Priority::Watched, Priority::Hint, Priority::Answer] {
            let sender = sender.clone();
            pool.submit(priority, move |_| {
                sender.send(priority).unwrap();
                assert_ne!(priority, Priority::Answer, "it panics");
            });
        }
        go.send(()).unwrap();
        let order = [Priority::Answer, Priority::Hint, Priority::Watched, Priority::Analysis];
        assert_eq!([(); 4].map(|()| receiver.recv().unwrap()), order);
        pool.close();
    }
}
