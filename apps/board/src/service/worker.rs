//! A thread that owns a value, so that no lock is held while it waits for the disk.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::{Arc, mpsc};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use thiserror::Error;
use tokio::sync::oneshot;

type Call<T> = Box<dyn FnOnce(&mut T) + Send>;

/// A thread that owns a `T` and runs calls on it one after the other. It ends with its handle.
pub(super) struct Worker<T>(mpsc::Sender<Call<T>>);

/// A call has panicked.
#[derive(Debug, Error)]
#[error("the service has made a mistake; see its log")]
pub(crate) struct Panicked;

impl<T: Send + 'static> Worker<T> {
    /// Starts the thread.
    pub fn start(name: &str, mut value: T) -> io::Result<Self> {
        let (sender, calls) = mpsc::channel::<Call<T>>();
        let run = move || {
            for call in calls {
                // The panic hook has logged it, and the caller gets an error.
                _ = catch_unwind(AssertUnwindSafe(|| call(&mut value)));
            }
        };
        thread::Builder::new().name(name.to_owned()).spawn(run)?;
        Ok(Self(sender))
    }

    /// Queues a call.
    pub fn call<R: Send + 'static>(
        &self,
        call: impl FnOnce(&mut T) -> R + Send + 'static,
    ) -> impl Future<Output = Result<R, Panicked>> {
        let (sender, receiver) = oneshot::channel();
        // The caller may have gone, and the thread ends only with its handle.
        _ = self.0.send(Box::new(move |value| drop(sender.send(call(value)))));
        async { receiver.await.map_err(|_| Panicked) }
    }
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Blocks the thread until a future is ready. Unlike the functions of tokio, it may be called anywhere.
pub(super) fn wait<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(value) => return value,
            Poll::Pending => thread::park(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worker_survives_a_panic() {
        let worker = Worker::start("test", 1).unwrap();
        let failed = worker.call(|_| panic!("a call fails"));
        assert!(matches!(wait(failed), Err(Panicked)));
        assert_eq!(wait(worker.call(|value| *value)).unwrap(), 1);
    }
}
