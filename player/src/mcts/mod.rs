//! Monte Carlo tree search with priors, RAVE, move history and playouts.

// `MctsPlayer::choose` reads top-down: forced move, opening book, endgame solver, search, report. `search` lets
// threads share one tree until `time_manager` ends the search. `worker` runs one simulation: `selection`, `expansion`,
// evaluation, `playout`, `backpropagation`. Priors and evaluations come from the `model`.
//
// `tree` stores the nodes, and `tree_reuse` keeps the subtree of the played move. `amaf` and `history` store results of
// moves, `shortlist` the best children of the root. `params` lists all parameters. `neural` is the same search without
// playouts.

mod amaf;
mod atomic;
mod backpropagation;
mod expansion;
mod history;
mod neural;
mod params;
mod player;
mod search;
mod selection;
mod shortlist;
mod time_manager;
mod tree;
mod tree_reuse;
mod win_probability;
mod worker;

pub use self::params::Params;
pub use self::player::MctsPlayer;

#[cfg(test)]
mod test_positions {
    use game::{Piece, Position, Rules};

    pub fn start() -> Position {
        Position::new(Rules::Season2027, Some(Piece::PentoW)).unwrap()
    }

    /// Returns a position of the benchmark after 20 plies.
    pub fn middle() -> Position {
        crate::bench::positions().into_iter().find(|position| position.turn() == 20).unwrap()
    }
}
