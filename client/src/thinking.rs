//! How a player is asked for the moves of a game: within a budget, and with what it thinks told in the log.

use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use game::Position;
use player::{Budget, Player, Report};

use crate::answer::choose;
use crate::pace::Pace;

/// Asks for the moves of one game and keeps them on time.
pub struct Thinking {
    pace: Pace,
    /// How long this thread had to wait for a processor when the last move was chosen.
    waited: Duration,
}

impl Thinking {
    /// For answers that have to be sent within this budget.
    pub fn new(budget: Budget) -> Self {
        Self { pace: Pace::new(budget), waited: Duration::ZERO }
    }

    /// Changes the budget for the moves to come.
    pub fn set_budget(&mut self, budget: Budget) {
        self.pace.set_budget(budget);
    }

    /// The move of a player in a position, which was asked for at `asked`.
    pub fn choose(&mut self, player: &mut dyn Player, position: &Position, asked: Instant) -> Report {
        let limit = self.pace.limit(asked);
        let (begin, processor) = (Instant::now(), ThreadTime::try_now());
        let report = choose(player, position, &limit);
        let worked = processor.and_then(|begin| begin.try_elapsed());
        self.waited = worked.map_or(Duration::ZERO, |worked| begin.elapsed().saturating_sub(worked));
        report
    }

    /// Says in the log what the player chose and why, and how long the answer took from the request until it had been
    /// sent. If that was too long, the next moves get less time.
    pub fn note_answer(&mut self, position: &Position, report: &Report, time: Duration) {
        let evaluation = report.evaluation.map_or_else(
            || "-".to_owned(),
            |evaluation| format!("{:.1} % {:+.1} points", 100.0 * evaluation.win, evaluation.margin),
        );
        let waited = self.waited.as_secs_f64();
        log::info!(
            "turn {} {}: {} after {:.3} s, {waited:.3} s without a processor, evaluation {evaluation}, {} nodes, depth {}, line {:?}",
            position.turn(),
            position.color(),
            report.mv,
            time.as_secs_f64(),
            report.nodes,
            report.depth,
            report.line,
        );
        if self.pace.note_answer(time, self.waited)
            && let Some(thinking_time) = self.pace.thinking_time()
        {
            log::warn!(
                "turn {}: the answer was sent after {:.3} s, of which it had no processor for {waited:.3} s; thinking {:.3} s from now on",
                position.turn(),
                time.as_secs_f64(),
                thinking_time.as_secs_f64()
            );
        }
    }
}
