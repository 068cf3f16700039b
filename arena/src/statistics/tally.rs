//! Counts over the games of a match.

use std::collections::HashMap;
use std::time::Duration;

use crate::record::{FaultKind, GameRecord, Outcome, Side};

use super::likelihood::Pairs;

/// What the games of a match add up to.
///
/// ```
/// use arena::statistics::Tally;
///
/// let tally = Tally::default();
/// assert_eq!((tally.count(), tally.points(), tally.mean_margin()), (0, 0.0, None));
/// ```
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Tally {
    /// Games that A won, that were drawn, and that B won.
    pub games: [u64; 3],
    /// The pairs of which both games are finished, by the points of A.
    pub pairs: Pairs,
    /// What concerns A alone, and B alone.
    pub sides: [SideTally; 2],
    /// Sum of the margins of A over the games that went to their end.
    margins: i64,
    regular: u64,
    /// Half points of A in the pairs of which one game is finished.
    halves: HashMap<u32, usize>,
}

/// What one contestant did.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct SideTally {
    faults: [u64; 4],
    /// The times for its moves.
    pub times: Vec<Duration>,
}

impl SideTally {
    /// How many games the contestant lost by this kind of fault.
    pub fn faults(&self, kind: FaultKind) -> u64 {
        self.faults[kind as usize]
    }

    /// The mean time for a move; 0 if there are none.
    pub fn mean_time(&self) -> Duration {
        self.times.iter().sum::<Duration>().checked_div(self.times.len() as u32).unwrap_or_default()
    }

    /// The times within which these shares of the moves were made, for example half of them (0.5) or
    /// all (1); 0 if there are none.
    pub fn times_within<const N: usize>(&self, shares: [f64; N]) -> [Duration; N] {
        let mut times = self.times.clone();
        times.sort_unstable();
        shares.map(|share| {
            let rank = (share * times.len() as f64).ceil() as usize;
            times.get(rank.saturating_sub(1)).copied().unwrap_or_default()
        })
    }
}

impl Tally {
    /// Counts a game. The games may come in any order.
    pub fn add(&mut self, game: &GameRecord) {
        let outcome = game.outcome(Side::A);
        self.games[match outcome {
            Outcome::Win => 0,
            Outcome::Draw => 1,
            Outcome::Loss => 2,
        }] += 1;
        match &game.fault {
            Some((side, fault)) => self.sides[*side as usize].faults[fault.kind as usize] += 1,
            None => {
                self.margins += i64::from(game.margin(Side::A));
                self.regular += 1;
            }
        }
        for side in Side::ALL {
            self.sides[side as usize].times.extend(game.times(side));
        }
        match self.halves.remove(&game.pair) {
            Some(first) => self.pairs.0[first + outcome.half_points()] += 1,
            None => _ = self.halves.insert(game.pair, outcome.half_points()),
        }
    }

    /// How many games were counted.
    pub fn count(&self) -> u64 {
        self.games.iter().sum()
    }

    /// The points of A: 1 for a win, ½ for a draw.
    pub fn points(&self) -> f64 {
        self.games[0] as f64 + self.games[1] as f64 / 2.0
    }

    /// Points of A less those of B at the end of a game, averaged over the games that nobody lost
    /// by a fault; `None` if there are none.
    pub fn mean_margin(&self) -> Option<f64> {
        (self.regular > 0).then(|| self.margins as f64 / self.regular as f64)
    }
}

#[cfg(test)]
mod tests {
    use game::{Position, Rules, Team};

    use super::*;
    use crate::record::{Choice, Fault, Ply};

    fn game(pair: u32, team_of_a: Team, loser: Option<Side>, moves: usize) -> GameRecord {
        let start = Position::new(Rules::Classic, None).unwrap();
        let mut position = start;
        let plies = (0..moves).map(|i| {
            let mut list = Vec::new();
            position.board().list_placements(position.color(), &mut list);
            let mv = list[list.len() - 1].into();
            position.play(mv);
            let time = Duration::from_millis(i as u64);
            Ply { mv, choice: Some(Choice { time, evaluation: None, nodes: 0, depth: 0 }) }
        });
        let fault = loser.map(|side| (side, Fault::new(FaultKind::Late, "test")));
        GameRecord { pair, team_of_a, start, plies: plies.collect(), fault }
    }

    #[test]
    fn pairs_are_counted_when_both_games_are_there() {
        let mut tally = Tally::default();
        tally.add(&game(3, Team::One, Some(Side::B), 0));
        tally.add(&game(1, Team::One, None, 1));
        assert_eq!((tally.count(), tally.pairs.count()), (2, 0));
        tally.add(&game(3, Team::Two, None, 0));
        tally.add(&game(1, Team::Two, None, 1));
        // A won one game of pair 1 by 5 points and lost the other by 5; it won and drew in pair 3.
        assert_eq!(tally.pairs, Pairs([0, 0, 1, 1, 0]));
        assert_eq!((tally.games, tally.points(), tally.mean_margin()), ([2, 1, 1], 2.5, Some(0.0)));
        assert_eq!((tally.sides[0].faults(FaultKind::Late), tally.sides[1].faults(FaultKind::Late)), (0, 1));
    }

    #[test]
    fn times_belong_to_the_side_that_moved() {
        let mut tally = Tally::default();
        tally.add(&game(0, Team::Two, None, 4));
        let millis = |times: &[Duration]| times.iter().map(Duration::as_millis).collect::<Vec<_>>();
        assert_eq!(tally.sides.each_ref().map(|side| millis(&side.times)), [[1, 3], [0, 2]]);
        assert_eq!(millis(&tally.sides.each_ref().map(SideTally::mean_time)), [2, 1]);
    }

    #[test]
    fn times_are_ranked() {
        let times = (1..=200).rev().map(Duration::from_millis).collect();
        let side = SideTally { times, ..SideTally::default() };
        assert_eq!(
            side.times_within([0.0, 0.5, 0.99, 0.999, 1.0]).map(|time| time.as_millis()),
            [1, 100, 198, 200, 200]
        );
        assert_eq!(SideTally::default().times_within([0.5]), [Duration::ZERO]);
    }
}
