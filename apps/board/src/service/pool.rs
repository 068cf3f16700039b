//! Threads for the work of all games. Their number and memory do not depend on the number of games.

use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use arena::lock::lock;

use crate::active::jobs::Priority;

type Task<T> = Box<dyn FnOnce(&mut T) + Send>;

/// A queue of tasks for a fixed number of threads, each with a tool of its own.
pub(super) struct TaskPool<T>(Arc<SharedQueue<T>>);

struct SharedQueue<T> {
    queue: Mutex<TaskQueue<T>>,
    task_added: Condvar,
}

struct TaskQueue<T> {
    /// Tasks by priority and order of arrival.
    tasks: BTreeMap<(Priority, u64), Task<T>>,
    next: u64,
    is_closed: bool,
}

impl<T: 'static> TaskPool<T> {
    /// Starts the threads. `tool` makes the tool of each thread, and another one after a panic.
    pub fn start(name: &str, threads: usize, tool: impl Fn() -> T + Clone + Send + 'static) -> io::Result<Self> {
        let queue = Mutex::new(TaskQueue { tasks: BTreeMap::new(), next: 0, is_closed: false });
        let pool = Self(Arc::new(SharedQueue { queue, task_added: Condvar::new() }));
        for n in 0..threads.max(1) {
            let (shared, tool) = (Arc::clone(&pool.0), tool.clone());
            thread::Builder::new().name(format!("{name} {n}")).spawn(move || run_tasks(&shared, tool))?;
        }
        Ok(pool)
    }

    /// Queues a task.
    pub fn submit(&self, priority: Priority, task: impl FnOnce(&mut T) + Send + 'static) {
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

fn run_tasks<T>(shared: &SharedQueue<T>, tool: impl Fn() -> T) {
    let mut current = tool();
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
        if catch_unwind(AssertUnwindSafe(|| task(&mut current))).is_err() {
            log::error!("a job of a game panicked");
            current = tool();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn tasks_run_by_priority_and_survive_a_panic() {
        let pool = TaskPool::start("test", 1, || 0).unwrap();
        let (sender, receiver) = mpsc::channel();
        let (go, wait) = mpsc::channel::<()>();
        pool.submit(Priority::Answer, move |_| wait.recv().unwrap());
        for priority in [Priority::Analysis, Priority::Watched, Priority::Hint, Priority::Answer] {
            let sender = sender.clone();
            pool.submit(priority, move |count| {
                *count += 1;
                sender.send((priority, *count)).unwrap();
                assert_ne!(priority, Priority::Answer, "it panics");
            });
        }
        go.send(()).unwrap();
        // The thread gets a new tool after the panic.
        let order = [(Priority::Answer, 1), (Priority::Hint, 1), (Priority::Watched, 2), (Priority::Analysis, 3)];
        assert_eq!([(); 4].map(|()| receiver.recv().unwrap()), order);
        pool.close();
    }
}
