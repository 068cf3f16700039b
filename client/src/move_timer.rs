//! Asks a player for the moves of a game in time and logs them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use game::Position;
use player::{Budget, Player, Report};

use crate::answer;
use crate::logging::describe_search;
use crate::pace::Pace;
use crate::player_thread::PlayerThread;

/// Asks for the moves of one game and keeps them in time.
pub struct MoveTimer {
    pace: Pace,
    /// The time of the last search without a processor.
    waited: Duration,
}

impl MoveTimer {
    /// Keeps answers within this budget.
    pub fn new(budget: Budget) -> Self {
        Self { pace: Pace::new(budget), waited: Duration::ZERO }
    }

    /// Changes the budget for the moves to come.
    pub fn set_budget(&mut self, budget: Budget) {
        self.pace.set_budget(budget);
    }

    /// Returns the move of a player in a position, asked for at `asked`. Waits for the player without a limit.
    pub fn choose(&mut self, player: &mut dyn Player, position: &Position, asked: Instant) -> Report {
        let limit = self.pace.limit(asked);
        let report = self.measure_wait(|_| answer::choose(player, position, &limit));
        if let Some(time) = self.pace.thinking_time() {
            self.pace.note_delay(asked.elapsed().saturating_sub(time));
        }
        report
    }

    /// Returns the move of a player in a position, asked for at `asked`. Returns in time even if the player does not,
    /// with its current best move. Returns `None` soon after `stop` has become true.
    pub fn choose_in_time(
        &mut self,
        player: &PlayerThread,
        position: &Position,
        asked: Instant,
        stop: &AtomicBool,
    ) -> Option<Report> {
        let search = player.choose(*position, self.pace.limit(asked));
        let report = self.measure_wait(|timer| {
            loop {
                let now = Instant::now();
                let wake = timer.pace.next_wake(asked, now);
                match search.report.recv_timeout(wake.saturating_duration_since(now)) {
                    Ok(report) => return Ok(report),
                    Err(error @ RecvTimeoutError::Disconnected) => return Err(error),
                    Err(error) => {
                        let now = Instant::now();
                        timer.pace.note_wake(wake, now);
                        if stop.load(Ordering::Relaxed) || timer.pace.due(asked).is_some_and(|due| now >= due) {
                            return Err(error);
                        }
                    }
                }
            }
        });
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        Some(report.unwrap_or_else(|_| {
            let report = search.cut(position);
            log::info!("turn {}: the player has not answered in time, sending {}", position.turn(), report.mv);
            report
        }))
    }

    fn measure_wait<T>(&mut self, search: impl FnOnce(&mut Self) -> T) -> T {
        let (begin, processor) = (Instant::now(), ProcessTime::try_now());
        let result = search(self);
        let worked = processor.and_then(|begin| begin.try_elapsed());
        self.waited = worked.map_or(Duration::ZERO, |worked| begin.elapsed().saturating_sub(worked));
        result
    }

    /// Logs the move, the search, and the time from the request to the sent answer.
    pub fn note_answer(&mut self, position: &Position, report: &Report, time: Duration) {
        let waited = self.waited.as_secs_f64();
        log::info!(
            "turn {} {}: {} after {:.3} s, {waited:.3} s without a processor, {}",
            position.turn(),
            position.color(),
            report.mv,
            time.as_secs_f64(),
            describe_search(report),
        );
        if self.pace.note_answer(time)
            && let Some(thinking_time) = self.pace.thinking_time()
        {
            log::warn!(
                "turn {}: the answer was sent after {:.3} s, {waited:.3} s of it without a processor; thinking {:.3} s from now on",
                position.turn(),
                time.as_secs_f64(),
                thinking_time.as_secs_f64()
            );
        }
    }
}
