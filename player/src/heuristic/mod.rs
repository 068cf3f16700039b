//! A player that looks one ply ahead and takes the position that looks best.

mod features;
mod reach;
mod weights;

use game::{Move, Placement, Position};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

pub use features::evaluate;
pub use reach::Reach;
pub use weights::Weights;

use crate::{Evaluation, Limit, Options, Player, Report};

/// Plays the placement after which [`evaluate`] says most for its team; of several equally good
/// ones any.
///
/// It does not look at its limit: a move takes about a millisecond at most.
#[derive(Debug)]
pub struct HeuristicPlayer {
    weights: Weights,
    rng: Xoshiro256PlusPlus,
    placements: Vec<Placement>,
}

impl HeuristicPlayer {
    /// A player with weights of its own.
    pub fn with_weights(options: &Options, weights: Weights) -> Self {
        Self { weights, rng: Xoshiro256PlusPlus::seed_from_u64(options.seed), placements: Vec::new() }
    }
}

impl Player for HeuristicPlayer {
    fn new(options: &Options) -> Self {
        Self::with_weights(options, Weights::DEFAULT)
    }

    fn name(&self) -> &'static str {
        "heuristic"
    }

    fn new_game(&mut self) {}

    fn choose(&mut self, position: &Position, _limit: &Limit) -> Report {
        let team = position.color().team();
        self.placements.clear();
        position.board().list_placements(position.color(), &mut self.placements);
        let (mut best, mut best_value, mut ties) = (Move::Pass, i32::MIN, 0);
        for &placement in &self.placements {
            let mut next = *position;
            next.play(Move::Place(placement));
            let value = evaluate(&next, team, &self.weights);
            if value > best_value {
                (best, best_value, ties) = (Move::Place(placement), value, 1);
            } else if value == best_value {
                ties += 1;
                if self.rng.random_range(0..ties) == 0 {
                    best = Move::Place(placement);
                }
            }
        }
        let Move::Place(_) = best else {
            return Report::without_thought(best);
        };
        Report {
            mv: best,
            evaluation: Some(Evaluation::of_margin(best_value as f32 / Weights::POINT as f32)),
            line: vec![best],
            nodes: self.placements.len() as u64,
            depth: 1,
        }
    }
}
