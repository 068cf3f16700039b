//! A player that searches one ply.

use std::cmp::Reverse;

use game::{Move, Placement, Position};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::api::{Player, Report, SearchLimits};
use crate::model::handcrafted::{POINT, evaluate, evaluation_of_margin, mobility};
use crate::options::{FromOptions, Options};

/// Plays the placement with the best hand-crafted evaluation; ties are broken at random. Mobility is slow to compute:
/// only the `SHORTLIST` best placements by the other features get it.
///
/// Ignores time and nodes: a move takes at most about a millisecond.
///
/// ```
/// # use game::{Piece, Position, Rules};
/// # let position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
/// use player::{FromOptions, HeuristicPlayer, Options, Player, SearchLimits};
///
/// let report = HeuristicPlayer::new(&Options::default()).choose(&position, &SearchLimits::nodes(1));
/// assert!(position.check(report.mv).is_ok() && report.evaluation.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct HeuristicPlayer {
    rng: Xoshiro256PlusPlus,
}

/// Number of placements whose mobility is computed.
const SHORTLIST: usize = 64;

impl FromOptions for HeuristicPlayer {
    fn new(options: &Options) -> Self {
        Self { rng: Xoshiro256PlusPlus::seed_from_u64(options.seed) }
    }
}

impl Player for HeuristicPlayer {
    fn name(&self) -> &'static str {
        "heuristic"
    }

    fn choose(&mut self, position: &Position, _: &SearchLimits) -> Report {
        let team = position.color().team();
        let placements = position.placements();
        let nodes = placements.len() as u64;
        let mut candidates: Vec<(i32, u32, Placement)> = placements
            .into_iter()
            .map(|placement| {
                let value = evaluate(&position.after(Move::Place(placement)), team);
                // The random number breaks ties.
                (value, self.rng.random(), placement)
            })
            .collect();
        if candidates.len() > SHORTLIST {
            candidates.select_nth_unstable_by_key(SHORTLIST, |&candidate| Reverse(candidate));
            candidates.truncate(SHORTLIST);
        }
        for (value, _, placement) in &mut candidates {
            *value += mobility(&position.after(Move::Place(*placement)), team);
        }
        let Some((value, _, best)) = candidates.into_iter().max() else {
            return Report::without_search(Move::Pass);
        };
        let mv = Move::Place(best);
        let evaluation = Some(evaluation_of_margin(value as f32 / POINT as f32));
        Report { mv, evaluation, line: vec![mv], nodes, depth: 1 }
    }
}
