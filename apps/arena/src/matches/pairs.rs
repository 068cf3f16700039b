//! Plays pairs of games of one or several matches.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use record::FaultKind;

use super::MatchError;
use crate::engines::{Budget, Contestant};
use crate::games::contest::play_game;
use crate::games::pause;
use crate::games::played::{GameId, PlayedGame};
use crate::matches::live::Live;
use crate::plan::{Job, Plan};

/// Interval at which the match checks for cancellation.
const POLL: Duration = Duration::from_millis(50);

/// Plays the games of `jobs` for which `is_finished` returns `false`, in order. `plan_of` returns the match for a
/// number. Calls `on_game` with the number and the game as soon as a game ends.
///
/// Plays `concurrency` games at the same time and shows them in `live`. Returns early when `stop` is set or `on_game`
/// breaks; games in progress are lost then.
///
/// # Errors
/// [`MatchError`], also of `on_game`. Starts no game after an error; finished games are still reported.
pub fn play_jobs(
    plan_of: &(impl Fn(u32) -> Plan + Sync),
    jobs: &[Job],
    is_finished: &(impl Fn(u32, GameId) -> bool + Sync),
    live: Option<&Live>,
    concurrency: usize,
    stop: &AtomicBool,
    mut on_game: impl FnMut(u32, PlayedGame) -> Result<ControlFlow<()>, MatchError>,
) -> Result<(), MatchError> {
    let next = AtomicUsize::new(0);
    // Set when no more games are to be played, for any reason.
    let over = AtomicBool::new(false);
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        // More threads would be idle.
        for _ in 0..concurrency.clamp(1, jobs.len().max(1)) {
            let (sender, next, over) = (sender.clone(), &next, &over);
            scope.spawn(move || {
                let mut runner = PairRunner { running: None, live };
                while !over.load(Ordering::Relaxed)
                    && let Some(&job) = jobs.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let is_wanted = |id| !is_finished(job.number, id);
                    // The receiver outlives this thread.
                    let played = runner.play(plan_of, job, &is_wanted, over, |game| {
                        let _ = sender.send(Ok((job.number, game)));
                    });
                    if let Err(error) = played {
                        let _ = sender.send(Err(error));
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut error = None;
        // After a failed write, later games are lost too.
        let mut is_lost = false;
        loop {
            if stop.load(Ordering::Relaxed) {
                over.store(true, Ordering::Relaxed);
            }
            let reported = match results.recv_timeout(POLL) {
                Ok(Ok(_)) if is_lost => continue,
                Ok(Ok((number, game))) => on_game(number, game).inspect_err(|_| is_lost = true),
                Ok(Err(reason)) => Err(reason),
                Err(mpsc::RecvTimeoutError::Timeout) => continue,
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            };
            if !matches!(reported, Ok(ControlFlow::Continue(()))) {
                over.store(true, Ordering::Relaxed);
            }
            error = error.or(reported.err());
        }
        error.map_or(Ok(()), Err)
    })
}

/// Plays pairs of games. Keeps the contestants for the next pair of the same match.
#[derive(Default)]
pub struct PairRunner<'a> {
    /// Contestants of the last match.
    running: Option<RunningMatch>,
    /// Running games for viewers.
    live: Option<&'a Live>,
}

/// A match with its running contestants.
struct RunningMatch {
    number: u32,
    plan: Plan,
    sides: [Box<dyn Contestant>; 2],
}

impl PairRunner<'_> {
    /// Plays the games of a pair for which `is_wanted` returns `true`. Calls `on_game` with each as soon as it ends,
    /// unless `stop` is set before.
    pub fn play(
        &mut self,
        plan_of: impl Fn(u32) -> Plan,
        job: Job,
        is_wanted: &impl Fn(GameId) -> bool,
        stop: &AtomicBool,
        mut on_game: impl FnMut(PlayedGame),
    ) -> Result<(), MatchError> {
        let Job { number, pair } = job;
        let running = self.running.take().filter(|running| running.number == number);
        let RunningMatch { plan, sides, .. } = self.running.insert(running.unwrap_or_else(|| {
            let plan = plan_of(number);
            RunningMatch { number, sides: plan.contestants(), plan }
        }));
        for id in job.games().into_iter().filter(|&id| is_wanted(id)) {
            let show = |game: &PlayedGame| {
                if let Some(live) = self.live {
                    live.note(number, plan, game);
                }
            };
            let pairing = plan.pairing(id)?;
            let mut attempts = 0;
            let game = loop {
                attempts += 1;
                let pauses = pause::count();
                let played = play_game(&pairing, sides, plan.time_limits(), stop, show);
                let was_paused = pauses != pause::count();
                let reason = match played {
                    Err(error) if was_paused => error.to_string(),
                    played => match played? {
                        None => return Ok(()),
                        Some(game) if is_counted(plan, &game, was_paused, attempts) => break game,
                        Some(game) => game.verdict(),
                    },
                };
                log::warn!("playing a game of pair {pair} again: {reason}");
            };
            // A fault ends a game without a move to show.
            show(&game);
            on_game(game);
        }
        Ok(())
    }
}

/// Maximum number of attempts at a game in which a player limited by nodes is late.
const ATTEMPTS: usize = 3;

/// Returns `false` if the game must be played again: a program was paused. A player limited by nodes should never be
/// late; after [`ATTEMPTS`] it counts as hanging.
fn is_counted(plan: &Plan, game: &PlayedGame, was_paused: bool, attempts: usize) -> bool {
    let Some((side, fault)) = &game.fault else { return true };
    let spec = plan.spec(*side);
    let by_nodes = matches!(spec.budget(), Budget { time: None, nodes: Some(_) });
    match fault.kind {
        FaultKind::Late => !was_paused && (!by_nodes || plan.is_tolerant || attempts >= ATTEMPTS),
        FaultKind::Left => !was_paused,
        _ => true,
    }
}
