//! A player that looks one ply ahead and takes the position that looks best.

use std::cmp::Reverse;

use game::{Move, Placement, Position};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::model::handcrafted::{POINT, evaluate, mobility};
use crate::{Evaluation, FromOptions, Limit, Options, Player, Report};

/// Plays the placement after which the sum of [`evaluate`] and [`mobility`] is highest for its team; ties are broken
/// at random. Because counting placements is slow, that is done only for the placements that `evaluate` likes best.
///
/// It looks neither at the clock nor at the number of nodes: a move takes about a millisecond at most.
///
/// ```
/// # use game::{Piece, Position, Rules};
/// # let position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
/// use player::{FromOptions, HeuristicPlayer, Limit, Options, Player};
///
/// let report = HeuristicPlayer::new(&Options::default()).choose(&position, &Limit::nodes(1));
/// assert!(position.check(report.mv).is_ok() && report.evaluation.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct HeuristicPlayer {
    rng: Xoshiro256PlusPlus,
}

/// For how many placements the mobility is looked at.
const SHORT_LIST: usize = 64;

impl FromOptions for HeuristicPlayer {
    fn new(options: &Options) -> Self {
        Self { rng: Xoshiro256PlusPlus::seed_from_u64(options.seed) }
    }
}

impl Player for HeuristicPlayer {
    fn name(&self) -> &'static str {
        "heuristic"
    }

    fn new_game(&mut self) {}

    fn choose(&mut self, position: &Position, limit: &Limit) -> Report {
        let team = position.color().team();
        let placements = limit.placements(position);
        let nodes = placements.len() as u64;
        let mut candidates: Vec<(i32, u32, Placement)> = placements
            .into_iter()
            .map(|placement| {
                let value = evaluate(&position.after(Move::Place(placement)), team);
                // The random number decides between equal values.
                (value, self.rng.random(), placement)
            })
            .collect();
        if candidates.len() > SHORT_LIST {
            candidates.select_nth_unstable_by_key(SHORT_LIST, |&candidate| Reverse(candidate));
            candidates.truncate(SHORT_LIST);
        }
        for (value, _, placement) in &mut candidates {
            *value += mobility(&position.after(Move::Place(*placement)), team);
        }
        let Some((value, _, best)) = candidates.into_iter().max() else {
            return Report::without_thought(Move::Pass);
        };
        let mv = Move::Place(best);
        let evaluation = Some(Evaluation::of_margin(value as f32 / POINT as f32));
        Report { mv, evaluation, line: vec![mv], nodes, depth: 1 }
    }
}
