//! An engine's thoughts about a position, told while it thinks.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use game::{Move, Position};
use player::{Evaluation, Level, LevelPlayer, Limit, MctsPlayer, Options, Player, Report};

use crate::session::{Candidate, Insight};

/// An engine: the strongest player for thoughts, and players of the levels for moves.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use std::time::Duration;
///
/// use board::thinker::Thinker;
/// use game::{Position, Rules};
///
/// let position = Position::new(Rules::Classic, None)?;
/// let stop = AtomicBool::new(false);
/// let insight = Thinker::new(16 << 20).think(&position, Duration::from_millis(50), &stop, |_| {});
/// assert!(position.check(insight.line[0]).is_ok());
/// # Ok::<(), game::SetupError>(())
/// ```
pub struct Thinker {
    memory: usize,
    /// Made when it is needed first.
    searcher: Option<MctsPlayer>,
}

/// How long the first part of a search lasts, after which something can be told; the later ones are longer.
const FIRST_PART: Duration = Duration::from_millis(120);

/// How long the parts of a search last at most, after each of which it can be stopped.
const LONGEST_PART: Duration = Duration::from_millis(400);

/// How long a part may be whose move cannot change before the search is given up as decided.
const LONGEST_EARLY: Duration = Duration::from_secs(2);

/// How many candidates are reported.
const CANDIDATES: usize = 3;

impl Thinker {
    /// An engine that takes so much memory for its search, in bytes.
    pub fn new(memory: usize) -> Self {
        Self { memory, searcher: None }
    }

    /// The move of a level below the highest, which does not depend on the time.
    pub fn move_of_level(&mut self, level: Level, position: &Position) -> Move {
        // Small, for these levels search little; and a new one for each game, so that none depends on another.
        let options = Options { seed: rand::random(), memory: self.memory.min(32 << 20), ..Options::default() };
        LevelPlayer::of(level, &options).choose(position, &Limit::UNLIMITED).mv
    }

    /// Thinks about a position for a time, or until it is told to stop, and tells what it thinks meanwhile.
    pub fn think(
        &mut self,
        position: &Position,
        time: Duration,
        stop: &AtomicBool,
        mut tell: impl FnMut(&Insight),
    ) -> Insight {
        self.searcher().new_game();
        self.search(position, Instant::now() + time, stop, &mut tell)
    }

    fn searcher(&mut self) -> &mut MctsPlayer {
        let options = Options { memory: self.memory, ..Options::default() };
        self.searcher.get_or_insert_with(|| MctsPlayer::new(&options))
    }

    fn search(
        &mut self,
        position: &Position,
        deadline: Instant,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(&Insight),
    ) -> Insight {
        if let Some(end) = Insight::of_end(position) {
            return end;
        }
        let (mut part, mut nodes) = (FIRST_PART, 0);
        loop {
            let end = deadline.min(Instant::now() + part);
            let report = self.searcher().choose(position, &Limit::deadline(end));
            nodes += report.nodes;
            let Some(evaluation) = report.evaluation else {
                // There is no choice, so the position is worth what the next one is.
                return self.forced(position, report.mv, deadline, stop, tell);
            };
            let mut insight = Insight::of(position, evaluation, nodes, report.line.clone());
            insight.candidates = self.candidates(position, &report, insight.win_of(position.color().team()));
            tell(&insight);
            let (now, is_solved) = (Instant::now(), evaluation == Evaluation::of_result(evaluation.margin as i32));
            // It ends early if nothing in this part can change the move; a longer one may.
            let is_early = now < end;
            let is_decided = is_early && (end == deadline || part >= LONGEST_EARLY);
            if is_solved || is_decided || now >= deadline || stop.load(Ordering::Relaxed) {
                return insight;
            }
            part = if is_early { 2 * part } else { LONGEST_PART.min(2 * part) };
        }
    }

    fn forced(
        &mut self,
        position: &Position,
        mv: Move,
        deadline: Instant,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(&Insight),
    ) -> Insight {
        let after = self.search(&position.after(mv), deadline, stop, &mut |_| {});
        let candidates = vec![Candidate { mv, share: 1.0, win: Some(after.win_of(position.color().team())) }];
        let line = [mv].into_iter().chain(after.line).collect();
        let insight = Insight { line, candidates, ..after };
        tell(&insight);
        insight
    }

    /// The moves that the search looked at most.
    fn candidates(&mut self, position: &Position, report: &Report, win: f32) -> Vec<Candidate> {
        let mut all: Vec<(Move, u32)> = self.searcher().candidates().map(|(mv, visits)| (mv.into(), visits)).collect();
        all.sort_by_key(|&(_, visits)| std::cmp::Reverse(visits));
        let total: f32 = all.iter().map(|&(_, visits)| visits as f32).sum();
        // A position that was solved has not been searched; the tree is that of another one.
        if all.first().is_none_or(|&(mv, _)| mv != report.mv) || total == 0.0 {
            return vec![Candidate { mv: report.mv, share: 1.0, win: Some(win) }];
        }
        all.truncate(CANDIDATES);
        all.retain(|&(mv, visits)| visits > 0 && position.check(mv).is_ok());
        let candidate = |(mv, visits): (Move, u32)| {
            let win = (mv == report.mv).then_some(win);
            Candidate { mv, share: visits as f32 / total, win }
        };
        all.into_iter().map(candidate).collect()
    }

    /// Looks at the candidates whose chance to win is not known, so long at each.
    pub fn weigh(&mut self, position: &Position, insight: &mut Insight, time: Duration, stop: &AtomicBool) {
        for candidate in &mut insight.candidates {
            if candidate.win.is_none() && !stop.load(Ordering::Relaxed) {
                let after = self.think(&position.after(candidate.mv), time, stop, |_| {});
                candidate.win = Some(after.win_of(position.color().team()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Rules;

    #[test]
    fn thoughts_are_legal_and_grow_and_can_be_stopped() {
        let mut thinker = Thinker::new(16 << 20);
        let position = Position::new(Rules::Classic, None).unwrap();
        let stop = AtomicBool::new(false);
        let mut told = Vec::new();
        let mut insight = thinker.think(&position, Duration::from_secs(3600), &stop, |insight| {
            told.push(insight.nodes);
            stop.store(told.len() == 3, Ordering::Relaxed);
        });
        assert!(told.len() == 3 && told.is_sorted(), "{told:?}");
        let mut after = position;
        insight.line.iter().for_each(|&mv| after.try_play(mv).unwrap());
        assert_eq!(insight.candidates[0].mv, insight.line[0]);
        assert!(insight.candidates.iter().all(|candidate| (0.0..=1.0).contains(&candidate.share)));
        thinker.weigh(&position, &mut insight, Duration::from_millis(1), &AtomicBool::new(false));
        assert!(insight.candidates.iter().all(|candidate| candidate.win.is_some()));
    }
}
