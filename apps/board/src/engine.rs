//! An engine: the strongest player for searches, and the players of the levels.
//!
//! A search runs in steps of less than half a second, so that hosts without threads can stop it.

use std::time::Duration;

use game::{Move, Position};
use player::mcts::Params;
use player::{Evaluation, Level, LevelPlayer, MctsPlayer, Options, Player, Report, SearchLimits};
use web_time::Instant;

use crate::session::{CandidateMove, Insight};

/// An engine. It runs one search at a time.
pub struct SearchEngine {
    memory: usize,
    player: Option<MctsPlayer>,
}

/// A search of a [`SearchEngine`] between two steps.
#[derive(Clone, Debug)]
pub struct EngineSearch {
    search: PositionSearch,
    /// The insight into the position before the candidates.
    insight: Option<Insight>,
    /// Time to search each candidate without a win probability afterwards; `None` for no such searches.
    candidate_time: Option<Duration>,
    /// The index of a candidate, and the search of the position after it.
    candidate: Option<(usize, PositionSearch)>,
    /// `true` if the search is complete or its time is up.
    pub is_done: bool,
}

#[derive(Clone, Debug)]
struct PositionSearch {
    position: Position,
    /// The only moves of this position and its successors, up to the first choice.
    forced: Vec<Move>,
    deadline: Instant,
    /// Duration of the next step.
    part: Duration,
    nodes: u64,
    is_done: bool,
}

impl PositionSearch {
    /// Turns an insight into the position after the forced moves into one into the position before them.
    fn before_forced(&self, after: Insight) -> Insight {
        let Some(&mv) = self.forced.first() else { return after };
        let candidates =
            vec![CandidateMove { mv, share: 1.0, win: Some(after.win_of(self.position.color().team())), margin: None }];
        let line = self.forced.iter().copied().chain(after.line).collect();
        Insight { line, candidates, ..after }
    }
}

/// Duration of the first step of a search; later ones are longer.
const FIRST_STEP: Duration = Duration::from_millis(120);

/// Maximum duration of a step.
const MAX_STEP: Duration = Duration::from_millis(400);

/// Duration of a step that ends a search early if the move cannot change within it.
const MAX_EARLY_STEP: Duration = Duration::from_secs(2);

/// Longest search: far away, but within the range of an [`Instant`].
const FOREVER: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// A candidate is searched for this fraction of the time of a hint.
const CANDIDATE_SHARE: u32 = 6;

/// Maximum number of reported candidates.
const CANDIDATES: usize = 3;

impl SearchEngine {
    /// Creates an engine whose search tree takes `memory` bytes.
    pub fn new(memory: usize) -> Self {
        Self { memory, player: None }
    }

    /// Returns the move of a level below the highest. It does not depend on the time.
    pub fn move_of_level(&mut self, level: Level, position: &Position) -> Move {
        // A new player for each move, so that no game depends on another. These levels search little.
        let options = Options { seed: rand::random(), memory: self.memory.min(32 << 20), ..Options::default() };
        LevelPlayer::new(level, &options).choose(position, &SearchLimits::UNLIMITED).mv
    }

    /// Starts a search that ends `time` from now. Drops the previous one.
    pub fn start_search(&mut self, position: &Position, time: Duration) -> EngineSearch {
        let search = self.start_position(position, time);
        EngineSearch { search, insight: None, candidate_time: None, candidate: None, is_done: false }
    }

    /// Starts a search that also searches each candidate whose win probability is unknown.
    pub fn start_hint(&mut self, position: &Position, time: Duration) -> EngineSearch {
        EngineSearch { candidate_time: Some(time / CANDIDATE_SHARE), ..self.start_search(position, time) }
    }

    /// Continues the search that was started last for less than half a second.
    pub fn step(&mut self, search: &mut EngineSearch) -> Insight {
        let team = search.search.position.color().team();
        let (insight, next) = match (&mut search.candidate, &mut search.insight) {
            (Some((number, after)), Some(insight)) => {
                let reply = self.step_position(after);
                if after.is_done {
                    insight.candidates[*number].win = Some(reply.win_of(team));
                }
                (insight.clone(), after.is_done.then_some(*number + 1))
            }
            _ => (self.step_position(&mut search.search), search.search.is_done.then_some(0)),
        };
        if let Some(next) = next {
            search.candidate = self.start_candidate(search, &insight, next);
            search.is_done = search.candidate.is_none();
            search.insight = Some(insight.clone());
        }
        insight
    }

    /// Starts the search of the next candidate without a win probability.
    fn start_candidate(
        &mut self,
        search: &EngineSearch,
        insight: &Insight,
        from: usize,
    ) -> Option<(usize, PositionSearch)> {
        let is_unknown = |&n: &usize| insight.candidates[n].win.is_none();
        let (time, number) = (search.candidate_time?, (from..insight.candidates.len()).find(is_unknown)?);
        let after = search.search.position.after(insight.candidates[number].mv);
        Some((number, self.start_position(&after, time)))
    }

    fn start_position(&mut self, position: &Position, time: Duration) -> PositionSearch {
        self.player().new_game();
        let deadline = Instant::now() + time.min(FOREVER);
        PositionSearch { position: *position, forced: Vec::new(), deadline, part: FIRST_STEP, nodes: 0, is_done: false }
    }

    fn step_position(&mut self, search: &mut PositionSearch) -> Insight {
        loop {
            let position = search.forced.iter().fold(search.position, |position, &mv| position.after(mv));
            if let Some(end) = Insight::of_end(&position) {
                search.is_done = true;
                return search.before_forced(end);
            }
            let end = search.deadline.min(Instant::now() + search.part);
            let report = self.player().choose(&position, &SearchLimits::deadline(end));
            search.nodes += report.nodes;
            let Some(evaluation) = report.evaluation else {
                // There is no choice, or the best move is solved but not its result: evaluate the next position.
                search.forced.push(report.mv);
                continue;
            };
            let mut insight = Insight::of(&position, evaluation, search.nodes, report.line.clone());
            insight.candidates = self.candidates(&report, insight.win_of(position.color().team()));
            let (now, is_solved) = (Instant::now(), evaluation == Evaluation::of_result(evaluation.margin as i32));
            // A step ends early if nothing within its time can change the move; a longer step may.
            let is_early = now < end;
            let is_decided = is_early && (end == search.deadline || search.part >= MAX_EARLY_STEP);
            search.is_done = is_solved || is_decided || now >= search.deadline;
            search.part = if is_early { 2 * search.part } else { MAX_STEP.min(2 * search.part) };
            return search.before_forced(insight);
        }
    }

    fn player(&mut self) -> &mut MctsPlayer {
        let options = Options { memory: self.memory, ..Options::default() };
        // People want to see several moves, and soon.
        let mut params = Params::default();
        (params.book, params.early_stop) = (false, true);
        self.player.get_or_insert_with(|| MctsPlayer::with_params(&options, params))
    }

    /// Returns the reported move, then those with the most visits.
    fn candidates(&mut self, report: &Report, win: f32) -> Vec<CandidateMove> {
        let mut all: Vec<(Move, u32)> = self.player().candidates().map(|(mv, visits)| (mv.into(), visits)).collect();
        all.sort_by_key(|&(mv, visits)| (mv != report.mv, std::cmp::Reverse(visits)));
        let total: f32 = all.iter().map(|&(_, visits)| visits as f32).sum();
        // A solved position has no visits.
        if total == 0.0 {
            return vec![CandidateMove { mv: report.mv, share: 1.0, win: Some(win), margin: None }];
        }
        all.truncate(CANDIDATES);
        all.retain(|&(_, visits)| visits > 0);
        let candidate = |(mv, visits): (Move, u32)| {
            let win = (mv == report.mv).then_some(win);
            CandidateMove { mv, share: visits as f32 / total, win, margin: None }
        };
        all.into_iter().map(candidate).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Rules;
    use player::{FromOptions, RandomPlayer};

    const MEMORY: usize = 16 << 20;

    fn finish(engine: &mut SearchEngine, mut search: EngineSearch) -> Insight {
        loop {
            let insight = engine.step(&mut search);
            if search.is_done {
                return insight;
            }
        }
    }

    #[test]
    fn insights_are_legal_and_grow() {
        let mut engine = SearchEngine::new(MEMORY);
        let position = Position::new(Rules::Classic, None).unwrap();
        let mut search = engine.start_search(&position, Duration::MAX);
        let [first, insight] = [(); 2].map(|()| engine.step(&mut search));
        assert!(first.nodes < insight.nodes && !search.is_done);
        let mut after = position;
        insight.line.iter().for_each(|&mv| after.try_play(mv).unwrap());
        assert_eq!(insight.candidates[0].mv, insight.line[0]);
        assert!(insight.candidates.iter().all(|candidate| (0.0..=1.0).contains(&candidate.share)));
        let hint = engine.start_hint(&position, Duration::from_millis(50));
        let hint = finish(&mut engine, hint);
        assert!(hint.candidates.len() > 1 && hint.candidates.iter().all(|candidate| candidate.win.is_some()));
    }

    #[test]
    fn evaluates_forced_moves_by_their_result() {
        let mut random = RandomPlayer::new(&Options::default());
        let mut position = Position::new(Rules::Classic, None).unwrap();
        let placements =
            |position: &Position| position.legal_moves().iter().filter(|mv| mv.placement().is_some()).count();
        while placements(&position) != 1 {
            position.play(random.choose(&position, &SearchLimits::UNLIMITED).mv);
            assert!(!position.is_over(), "no position had a forced move");
        }
        let mut engine = SearchEngine::new(MEMORY);
        let search = engine.start_search(&position, Duration::from_millis(20));
        let insight = finish(&mut engine, search);
        let after = insight.line.iter().fold(position, |position, &mv| position.after(mv));
        assert!(insight.line.len() > 1 || after.is_over(), "{insight:?}");
        assert_eq!(insight.candidates.len(), 1);
        assert_eq!(insight.candidates[0].mv, insight.line[0]);
    }
}
