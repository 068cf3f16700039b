//! The player's thread. The session's thread stays free to send an answer in time.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, Scope};

use game::{Move, Position};
use player::{Player, Report, SearchHandle, SearchLimits};

use crate::answer;

/// A player in a thread of its own, which does one job after the other.
pub struct PlayerThread {
    name: &'static str,
    jobs: Sender<Job>,
}

type Job = Box<dyn FnOnce(&mut dyn Player) + Send>;

impl PlayerThread {
    /// Starts the thread. It ends after its last job, when the `PlayerThread` is gone.
    pub fn start<'scope>(scope: &'scope Scope<'scope, '_>, player: &'scope mut dyn Player) -> io::Result<Self> {
        let (name, (jobs, queue)) = (player.name(), mpsc::channel::<Job>());
        let work = move || queue.iter().for_each(|job| job(player));
        thread::Builder::new().name("player".to_owned()).spawn_scoped(scope, work)?;
        Ok(Self { name, jobs })
    }

    /// The player's name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Announces a new game.
    pub fn new_game(&self) {
        self.run(answer::new_game);
    }

    /// Lets the player warm up until the guard is dropped.
    pub fn prepare(&self) -> StopOnDrop {
        let guard = StopOnDrop::default();
        let stop = guard.0.clone();
        self.run(move |player| answer::prepare(player, &stop));
        guard
    }

    /// Lets the player ponder a position until the guard is dropped.
    pub fn ponder(&self, position: Position) -> StopOnDrop {
        let guard = StopOnDrop::default();
        let stop = guard.0.clone();
        self.run(move |player| answer::ponder(player, &position, &stop));
        guard
    }

    /// Starts a search.
    pub fn choose(&self, position: Position, limit: SearchLimits) -> Search {
        let (sender, report) = mpsc::channel();
        let handle = Arc::new(SearchHandle::default());
        let limit = limit.with_handle(handle.clone());
        // Nobody receives a late report.
        self.run(move |player| _ = sender.send(answer::choose(player, &position, &limit)));
        Search { handle, report }
    }

    fn run(&self, job: impl FnOnce(&mut dyn Player) + Send + 'static) {
        // The thread catches panics and lives as long as `self`.
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
    report: Receiver<Report>,
}

impl Search {
    /// The channel of the report.
    pub fn report(&self) -> &Receiver<Report> {
        &self.report
    }

    /// Stops the search and returns a legal move: the best so far, or the heuristic player's.
    pub fn cut(self, position: &Position) -> Report {
        let best = self.handle.best_move().map(Move::from).filter(|&mv| position.check(mv).is_ok());
        drop(self);
        best.map_or_else(|| answer::stand_in(position), Report::without_search)
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.handle.stop();
    }
}
