//! The player's thread. The session's thread stays free to send an answer in time.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SendError, Sender};
use std::thread::{self, Scope};
use std::time::Duration;

use game::Position;
use player::{Player, Report, SearchHandle, SearchLimits};

use crate::answer;
use crate::logging::describe_search;

/// A player in a thread of its own, which does one job after the other.
pub struct PlayerThread {
    /// The player's name.
    pub name: String,
    jobs: Sender<PlayerJob>,
    /// Disconnected as soon as the thread has dropped the player.
    end: Receiver<Infallible>,
}

/// A job for the player's thread.
type PlayerJob = Box<dyn FnOnce(&mut dyn Player) + Send>;

impl PlayerThread {
    /// Starts a thread for a borrowed player. The scope waits for the thread, which ends after its last job.
    pub fn scoped<'scope>(scope: &'scope Scope<'scope, '_>, player: &'scope mut dyn Player) -> io::Result<Self> {
        let (thread, queue, alive) = Self::new(player.name());
        let work = move || {
            let _alive = alive;
            queue.iter().for_each(|job| job(player));
        };
        thread::Builder::new().name(thread.name.clone()).spawn_scoped(scope, work)?;
        Ok(thread)
    }

    /// Starts a thread that owns the player.
    pub fn owned(mut player: Box<dyn Player>) -> io::Result<Self> {
        let (thread, queue, alive) = Self::new(player.name());
        let work = move || {
            queue.iter().for_each(|job| job(&mut *player));
            drop(player);
            drop(alive);
        };
        thread::Builder::new().name(thread.name.clone()).spawn(work)?;
        Ok(thread)
    }

    fn new(name: &str) -> (Self, Receiver<PlayerJob>, Sender<Infallible>) {
        let ((jobs, queue), (alive, end)) = (mpsc::channel(), mpsc::channel());
        (Self { name: name.to_owned(), jobs, end }, queue, alive)
    }

    /// Announces a new game.
    pub fn new_game(&self) {
        self.run(answer::new_game);
    }

    /// Lets the player warm up until the guard is dropped.
    pub fn prepare(&self) -> StopOnDrop {
        self.work(answer::prepare)
    }

    /// Lets the player ponder a position until the guard is dropped.
    pub fn ponder(&self, position: Position) -> StopOnDrop {
        self.work(move |player, stop| answer::ponder(player, &position, stop))
    }

    fn work(&self, work: impl FnOnce(&mut dyn Player, &AtomicBool) + Send + 'static) -> StopOnDrop {
        let guard = StopOnDrop::default();
        let stop = guard.0.clone();
        self.run(move |player| work(player, &stop));
        guard
    }

    /// Starts a search. A report that comes after the search was [cut](Search::cut) is logged.
    pub fn choose(&self, position: Position, limit: SearchLimits) -> Search {
        let (sender, report) = mpsc::channel();
        let handle = Arc::new(SearchHandle::default());
        let limit = limit.with_handle(handle.clone());
        self.run(move |player| {
            let report = answer::choose(player, &position, &limit);
            if let Err(SendError(report)) = sender.send(report) {
                log::info!("turn {}: the search that was cut: {}", position.turn(), describe_search(&report));
            }
        });
        Search { handle, report }
    }

    /// Ends the thread and waits at most this long for the player to finish its jobs and to be dropped. Returns `false`
    /// if it has not.
    pub fn end(self, patience: Duration) -> bool {
        drop(self.jobs);
        matches!(self.end.recv_timeout(patience), Err(RecvTimeoutError::Disconnected))
    }

    fn run(&self, job: impl FnOnce(&mut dyn Player) + Send + 'static) {
        // The thread catches panics and lives until `self` is dropped.
        _ = self.jobs.send(Box::new(job));
    }
}

/// Stops a job when it is dropped.
#[derive(Default)]
pub struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A running search, which stops when it is dropped.
pub struct Search {
    handle: Arc<SearchHandle>,
    /// The channel of the report.
    pub report: Receiver<Report>,
}

impl Search {
    /// Stops the search and returns a legal move: its current best one, or the heuristic player's.
    pub fn cut(self, position: &Position) -> Report {
        let best = self.handle.best_move().filter(|&mv| position.check(mv).is_ok());
        drop(self);
        best.map_or_else(|| answer::stand_in(position), Report::without_search)
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.handle.stop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Piece, Rules};

    /// Chooses the first placement after an hour, or at once.
    struct Sleeper(Duration);

    impl Player for Sleeper {
        fn name(&self) -> &'static str {
            "sleeper"
        }

        fn choose(&mut self, position: &Position, _: &SearchLimits) -> Report {
            thread::sleep(self.0);
            Report::without_search(position.board().placements(position.color())[0].into())
        }
    }

    #[test]
    fn stuck_player_does_not_block_the_end() {
        let position = Position::new(Rules::Season2027, Some(Piece::PentoW)).unwrap();
        for (time, ends) in [(Duration::ZERO, true), (Duration::from_secs(3600), false)] {
            let thread = PlayerThread::owned(Box::new(Sleeper(time))).unwrap();
            let search = thread.choose(position, SearchLimits::UNLIMITED);
            if ends {
                assert!(search.report.recv().is_ok());
            } else {
                assert!(position.check(search.cut(&position).mv).is_ok());
            }
            let patience = Duration::from_millis(if ends { 60_000 } else { 10 });
            assert_eq!(thread.end(patience), ends);
        }
    }
}
