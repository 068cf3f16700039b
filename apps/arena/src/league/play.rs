//! Plays the games of a league.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

use game::Piece;
use server::TimeLimits;

use super::LeagueError;
use super::clients::delete_copies;
use super::folder::{FolderPlayer, PlayerFolder};
use super::standings::LeagueStandings;
use super::state::{LeagueJob, LeagueResults, LeagueState};
use crate::database::{Store, StoreError};
use crate::defaults::time_limits;
use crate::engines::Budget;
use crate::lock::lock;
use crate::matches::live::Live;
use crate::matches::play_jobs;
use crate::plan::{Entrant, Job, Plan};

pub use super::clients::Isolation;

/// Interval at which idle threads read the folder.
const IDLE: Duration = Duration::from_millis(300);

/// The settings of a league.
#[derive(Clone, PartialEq, Debug)]
pub struct LeagueSettings {
    /// Settings of the games; the contestants come from the folder.
    pub plan: Plan,
    /// Limits for players without their own.
    pub budget: Budget,
    /// Isolation of programs.
    pub isolation: Isolation,
}

impl LeagueSettings {
    /// Returns the time limits of an answer.
    fn time_limits(&self) -> TimeLimits {
        time_limits(self.plan.timeout, [self.budget])
    }

    /// Returns the settings that affect the games, as text.
    fn key(&self) -> String {
        let Plan { rules, start_piece, opening, seed, .. } = &self.plan;
        let start = start_piece.map_or("any", Piece::name);
        let limit = |value: Option<u128>, unit: &str| value.map_or("unlimited".to_owned(), |n| format!("{n}{unit}"));
        let time = limit(self.budget.time.map(|time| time.as_millis()), " ms");
        let nodes = limit(self.budget.nodes.map(u128::from), "");
        let timeout = self.time_limits().soft.as_millis();
        format!(
            "rules {rules}, start {start}, opening {opening}, time {time}, nodes {nodes}, timeout {timeout} ms, \
             seed {seed}"
        )
    }
}

/// A league that plays.
pub struct League {
    settings: LeagueSettings,
    /// Folder of the copies of the versions.
    copies: PathBuf,
    state: Mutex<LeagueState>,
    live: Option<Live>,
    /// Counts changes of the standings.
    changes: AtomicUsize,
}

impl League {
    /// Opens the league of a folder. `games` is the number of games to play; `None` to play until it is stopped.
    pub fn open(
        folder: &Path,
        database: &Path,
        settings: LeagueSettings,
        games: Option<u64>,
    ) -> Result<Self, LeagueError> {
        // An unreadable folder gets no database.
        let mut files = PlayerFolder::new(folder);
        files.read()?;
        let mut store = Store::open(database)?;
        let wanted = settings.key();
        let found = store.start_league(&wanted)?;
        if wanted != found {
            return Err(LeagueError::Settings { found });
        }
        let mut copies = database.to_owned().into_os_string();
        copies.push("-clients");
        let live = Live::beside(database).inspect_err(|error| log::warn!("cannot show running games: {error}")).ok();
        let copies = PathBuf::from(copies);
        let state = LeagueState::open(store, files, games)?;
        delete_copies(&copies, &state.used_hashes(), true);
        Ok(Self { settings, copies, state: Mutex::new(state), live, changes: AtomicUsize::new(0) })
    }

    /// Plays `concurrency` games at the same time until `stop` is set or all games are played. Calls `show` at the
    /// start and after each change with the standings and the remarks about files that cannot play.
    ///
    /// # Errors
    /// [`LeagueError`]; all finished games are in the database.
    pub fn play(
        &self,
        concurrency: usize,
        stop: &AtomicBool,
        mut show: impl FnMut(&LeagueStandings, &[String]),
    ) -> Result<(), LeagueError> {
        let over = AtomicBool::new(false);
        let failure = Mutex::new(None);
        let mut shown = None;
        thread::scope(|scope| {
            let threads: Vec<_> = (0..concurrency.max(1))
                .map(|thread| {
                    let (over, failure) = (&over, &failure);
                    scope.spawn(move || {
                        if let Err(error) = self.play_pairs(thread, over) {
                            over.store(true, Ordering::Relaxed);
                            lock(failure).get_or_insert(error);
                        }
                    })
                })
                .collect();
            let mut last = false;
            while !last {
                last = threads.iter().all(thread::ScopedJoinHandle::is_finished);
                if stop.load(Ordering::Relaxed) {
                    over.store(true, Ordering::Relaxed);
                }
                let changes = self.changes.load(Ordering::Relaxed);
                if shown != Some(changes) {
                    shown = Some(changes);
                    let (standings, remarks) = self.state().standings();
                    show(&standings, &remarks);
                }
                thread::sleep(IDLE / 5);
            }
        });
        let results = self.state().results();
        let rated = self.rate(&results);
        match lock(&failure).take() {
            Some(error) => Err(error),
            None => Ok(rated?),
        }
    }

    /// Returns the current standings.
    pub fn standings(&self) -> LeagueStandings {
        self.state().standings().0
    }

    fn state(&self) -> MutexGuard<'_, LeagueState> {
        lock(&self.state)
    }

    /// Computes and stores ratings; only storing them locks the league.
    fn rate(&self, results: &LeagueResults) -> Result<(), StoreError> {
        let ratings = results.rate();
        self.state().store_ratings(results, ratings)
    }

    fn changed(&self) {
        self.changes.fetch_add(1, Ordering::Relaxed);
    }

    fn play_pairs(&self, thread: usize, over: &AtomicBool) -> Result<(), LeagueError> {
        while !over.load(Ordering::Relaxed) {
            let job = {
                let mut state = self.state();
                if state.scan()? {
                    delete_copies(&self.copies, &state.used_hashes(), false);
                    self.changed();
                }
                if state.is_over() {
                    return Ok(());
                }
                state.next(self.settings.plan.rules)?
            };
            let Some(job) = job else {
                thread::sleep(IDLE);
                continue;
            };
            let played = self.play_pair(&job, thread, over);
            self.state().end(&job);
            played?;
        }
        Ok(())
    }

    fn play_pair(&self, job: &LeagueJob, thread: usize, over: &AtomicBool) -> Result<(), LeagueError> {
        let LeagueSettings { plan, budget, isolation } = &self.settings;
        let contestant = |(player, name): &(FolderPlayer, String)| {
            // Messages name the player, not its copy.
            let spec = isolation.contestant(&self.copies, player, thread).or_budget(*budget).with_text(name);
            Entrant { name: name.clone(), ..spec.into() }
        };
        let contestants = job.players.iter().map(contestant).collect();
        // Each match of the league has openings of its own.
        let seed = plan.seed ^ ((job.match_id as u64) << 32);
        let timeout = Some(self.settings.time_limits().soft);
        let plan = Plan { contestants, seed, timeout, is_tolerant: true, ..plan.clone() }.match_plan(0);
        let number = u32::try_from(job.match_id).unwrap_or(u32::MAX);
        let jobs = [Job { number, pair: job.pair }];
        let is_finished = |_, id| job.finished == Some(id);
        play_jobs(&|_| plan.clone(), &jobs, &is_finished, self.live.as_ref(), 1, over, |_, game| {
            let due = self.state().add(job, &game)?;
            if let Some(results) = due {
                self.rate(&results)?;
            }
            self.changed();
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(())
    }
}
