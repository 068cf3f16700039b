//! The values of moves by long searches.

use std::cmp::Reverse;

use game::{Move, Placement, Position};
use player::endgame::Solver;
use player::mcts::Params;
use player::{Evaluation, MctsPlayer, Options, Player, SearchLimits};
use serde::{Deserialize, Serialize};

/// The length of the searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Simulations {
    /// Simulations that select the moves to judge.
    pub root: u64,
    /// Simulations of the position after each of them.
    pub reply: u64,
}

/// Moves with at least this share of the visits are judged.
const FAIR_SHARE: f64 = 0.02;

/// Maximum number of moves that are judged.
const MAX_MOVES: usize = 6;

/// Simulations of the test for undecided positions.
const SHORT_SEARCH: u64 = 5000;

/// Minimum win probability of both teams in an undecided position.
const CHANCE: f32 = 0.03;

/// Memory of the solver of endgames in bytes.
const SOLVER_MEMORY: usize = 64 << 20;

fn searcher(seed: u64, endgame: bool, early_stop: bool) -> MctsPlayer {
    let mut params = Params::default();
    (params.book, params.endgame, params.early_stop) = (false, endgame, early_stop);
    MctsPlayer::with_params(&Options { seed, ..Options::default() }, params)
}

/// Returns `true` if a short search gives both teams a chance and more than one move is legal.
pub fn is_undecided(position: &Position) -> bool {
    let report = searcher(1, false, true).choose(position, &SearchLimits::nodes(SHORT_SEARCH));
    report.evaluation.is_some_and(|Evaluation { win, .. }| (CHANCE..=1.0 - CHANCE).contains(&win))
}

/// Returns the values of the moves that a long search takes seriously, best first; none if only one move is legal, or
/// if no move has 2 % of the visits.
pub fn judge(position: &Position, effort: Simulations) -> Vec<(Move, f64)> {
    let moves = candidates(position, effort.root).into_iter();
    let mut values: Vec<(Move, f64)> = moves.map(|mv| (mv, value(position, mv, effort.reply))).collect();
    values.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    values
}

/// Returns the most visited moves of a search, and the solution if the position can be solved.
fn candidates(position: &Position, nodes: u64) -> Vec<Move> {
    let mut player = searcher(1, false, true);
    player.choose(position, &SearchLimits::nodes(nodes));
    let mut visits: Vec<(Placement, u32)> = player.candidates().collect();
    visits.sort_unstable_by_key(|&(placement, visits)| (Reverse(visits), placement));
    let sum: u32 = visits.iter().map(|&(_, visits)| visits).sum();
    visits.retain(|&(_, visits)| f64::from(visits) >= FAIR_SHARE * f64::from(sum));
    let mut moves: Vec<Move> = visits.iter().take(MAX_MOVES).map(|&(placement, _)| placement.into()).collect();
    if Solver::is_promising(position)
        && !moves.is_empty()
        && let Some(solution) = Solver::new(SOLVER_MEMORY).solve(position, &SearchLimits::nodes(nodes))
        && !moves.contains(&solution.mv)
    {
        moves.push(solution.mv);
    }
    moves
}

/// Returns the win probability of the team to move after `mv`, exact if the rest can be solved.
pub fn value(position: &Position, mv: Move, nodes: u64) -> f64 {
    let team = position.color().team();
    let mut next = position.after(mv);
    let mut player = searcher(2, true, false);
    while !next.is_over() {
        let report = player.choose(&next, &SearchLimits::nodes(nodes));
        if let Some(evaluation) = report.evaluation {
            let own = if next.color().team() == team { evaluation } else { evaluation.of_opponents() };
            return own.win.into();
        }
        next.play(report.mv);
    }
    Evaluation::of_result(next.margin(team)).win.into()
}

#[cfg(test)]
mod tests {
    use game::{Piece, Rules};
    use player::{FromOptions, HeuristicPlayer};

    use super::*;

    fn after(plies: u16) -> Position {
        let mut position = Position::new(Rules::Season2027, Some(Piece::PentoW)).unwrap();
        let mut player = HeuristicPlayer::new(&Options::default());
        while position.turn() < plies {
            position.play(player.choose(&position, &SearchLimits::nodes(1)).mv);
        }
        position
    }

    #[test]
    fn values_best_legal_moves() {
        let position = after(30);
        let values = judge(&position, Simulations { root: 200, reply: 50 });
        assert!((2..=MAX_MOVES).contains(&values.len()) && values.is_sorted_by(|(_, a), (_, b)| a >= b));
        assert!(values.iter().all(|&(mv, win)| position.check(mv).is_ok() && (0.0..=1.0).contains(&win)));

        // Values in the endgame are exact.
        let position = after(66);
        let values = judge(&position, Simulations { root: 3000, reply: 300_000 });
        let solution = Solver::new(1 << 20).solve(&position, &SearchLimits::UNLIMITED).unwrap();
        let best = Evaluation::of_result(solution.margin.unwrap()).win;
        assert_eq!(values.first().map(|&(_, win)| win), Some(best.into()));
    }
}
