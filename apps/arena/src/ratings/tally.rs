//! Counts over the games of a match.

use std::collections::HashMap;
use std::time::Duration;

use record::FaultKind;

use crate::games::played::{PlayedGame, Side};

use super::likelihood::Pairs;
use super::score::ContestScore;
use super::sum::Sum;
use super::win_draw_loss::WinDrawLoss;

/// Sums over the games of a match.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Tally {
    /// Games from the view of A.
    pub games: WinDrawLoss,
    /// Complete pairs, by the points of A.
    pub pairs: Pairs,
    /// Counts of A and of B.
    pub sides: [SideTally; 2],
    /// The margins of A, over the games that went to their end.
    margins: Sum,
    /// Sum of both margins of each complete pair, without faults.
    pair_margins: Sum,
    /// First games of half-finished pairs.
    halves: HashMap<u32, Half>,
}

/// Result of A in one game of a pair.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Half {
    half_points: usize,
    /// `None` after a fault.
    margin: Option<i32>,
}

/// Counts of one contestant.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct SideTally {
    faults: [u64; 4],
    /// Number of moves, including openings.
    pub moves: u64,
    /// Its points on the board at the ends of all finished games.
    pub points: u64,
    /// Known thinking times.
    pub times: Vec<Duration>,
}

impl SideTally {
    /// Returns the number of games lost by this kind of fault.
    pub fn faults(&self, kind: FaultKind) -> u64 {
        self.faults[kind as usize]
    }

    /// Returns the mean time for a move; 0 if there are none.
    pub fn mean_time(&self) -> Duration {
        self.times.iter().sum::<Duration>().checked_div(self.times.len() as u32).unwrap_or_default()
    }

    /// Returns quantiles of the thinking times, for example the median (0.5) or the maximum (1); 0 without moves.
    pub fn time_quantiles<const N: usize>(&self, shares: [f64; N]) -> [Duration; N] {
        let mut times = self.times.clone();
        times.sort_unstable();
        shares.map(|share| {
            let rank = (share * times.len() as f64).ceil() as usize;
            times.get(rank.saturating_sub(1)).copied().unwrap_or_default()
        })
    }
}

impl Tally {
    /// Counts a game that has ended. The games may come in any order.
    pub fn add(&mut self, game: &PlayedGame) {
        let Some(half_points) = game.half_points(Side::A) else { return };
        for side in Side::ALL {
            let own = &mut self.sides[side as usize];
            own.moves += game.plies_of(side).count() as u64;
            own.times.extend(game.plies_of(side).filter_map(|ply| Some(ply.choice?.time)));
        }
        let WinDrawLoss { won, drawn, lost } = &mut self.games;
        *[lost, drawn, won][half_points] += 1;
        let end = game.end();
        for side in Side::ALL {
            self.sides[side as usize].points += u64::try_from(end.team_points(game.team(side))).unwrap_or(0);
        }
        let margin = match &game.fault {
            Some((side, fault)) => {
                self.sides[*side as usize].faults[fault.kind as usize] += 1;
                None
            }
            None => Some(end.margin(game.team(Side::A))),
        };
        if let Some(margin) = margin {
            self.margins.add(margin);
        }
        match self.halves.remove(&game.pair) {
            Some(first) => {
                self.pairs.0[first.half_points + half_points] += 1;
                if let (Some(first), Some(second)) = (first.margin, margin) {
                    self.pair_margins.add(first + second);
                }
            }
            None => _ = self.halves.insert(game.pair, Half { half_points, margin }),
        }
    }

    /// Returns the number of finished games.
    pub fn count(&self) -> u64 {
        self.games.count()
    }

    /// Returns the wins, draws and losses of a side.
    pub fn games_of(&self, side: Side) -> WinDrawLoss {
        match side {
            Side::A => self.games,
            Side::B => self.games.reversed(),
        }
    }

    /// Returns the score of a side for a table.
    pub fn contest_score(&self, side: Side) -> ContestScore {
        ContestScore::of(self.games_of(side), self.sides[side as usize].points)
    }

    /// Returns the score of A: 1 for a win, ½ for a draw.
    pub fn score_of_a(&self) -> f64 {
        self.games.points()
    }

    /// Returns the mean margin of A over the games without a fault; `None` if there are none.
    pub fn mean_margin(&self) -> Option<f64> {
        self.margins.mean()
    }

    /// Returns the standard error of the mean margin, by pairs, because both games of a pair share an opening. `None`
    /// with fewer than two pairs without a fault.
    pub fn margin_error(&self) -> Option<f64> {
        self.pair_margins.standard_error().map(|error| error / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use game::{Color, Piece, Position, Rules, Setup, Team};
    use record::Fault;

    use super::*;
    use crate::games::played::{Choice, Ply};

    fn game(pair: u32, team_of_a: Team, loser: Option<Side>, moves: usize) -> PlayedGame {
        // The last round of season 2021, with one colour in play per remaining move.
        let start = Position::new(Rules::Season2021, Some(Piece::PentoI)).unwrap();
        let in_play = Color::ALL.into_iter().take(moves).collect();
        let start = Setup { turn: 96, in_play, ..start.setup() }.position().unwrap();
        let mut position = start;
        let plies = (0..moves).map(|i| {
            let list = position.placements();
            let mv = list[list.len() - 1].into();
            position.play(mv);
            let time = Duration::from_millis(i as u64);
            Ply { mv, choice: Some(Choice { time, evaluation: None, nodes: 0, depth: 0 }) }
        });
        let fault = loser.map(|side| (side, Fault::new(FaultKind::Late, "test")));
        PlayedGame { pair, team_of_a, start, plies: plies.collect(), fault }
    }

    #[test]
    fn counts_complete_pairs() {
        let mut tally = Tally::default();
        tally.add(&game(3, Team::One, Some(Side::B), 0));
        tally.add(&game(1, Team::One, None, 1));
        assert_eq!((tally.count(), tally.pairs.count()), (2, 0));
        tally.add(&game(3, Team::Two, None, 0));
        tally.add(&game(1, Team::Two, None, 1));
        // A won one game of pair 1 by 5 points and lost the other by 5; it won and drew in pair 3.
        assert_eq!(tally.pairs, Pairs([0, 0, 1, 1, 0]));
        assert_eq!(
            (tally.games, tally.score_of_a(), tally.mean_margin()),
            (WinDrawLoss { won: 2, drawn: 1, lost: 1 }, 2.5, Some(0.0))
        );
        assert_eq!((tally.sides[0].faults(FaultKind::Late), tally.sides[1].faults(FaultKind::Late)), (0, 1));
    }

    #[test]
    fn margin_error_comes_from_pairs() {
        let mut tally = Tally::default();
        // A leads by 5 and 0 points, by 0 and 0, and by 5 and something.
        for (pair, team, loser, moves) in [
            (0, Team::One, None, 1),
            (0, Team::Two, None, 0),
            (1, Team::One, None, 0),
            (1, Team::Two, None, 0),
            (2, Team::One, None, 1),
        ] {
            tally.add(&game(pair, team, loser, moves));
            assert_eq!(tally.margin_error().is_some(), tally.pairs.count() == 2);
        }
        tally.add(&game(2, Team::Two, Some(Side::B), 0));
        assert_eq!((tally.mean_margin(), tally.pairs.count()), (Some(2.0), 3));
        // The means of both whole pairs are 2.5 and 0.
        let error = tally.margin_error().unwrap();
        assert!((error - 1.25).abs() < 1e-9, "{error}");
    }

    #[test]
    fn times_belong_to_moving_side_and_are_ranked() {
        let mut tally = Tally::default();
        tally.add(&game(0, Team::Two, None, 4));
        let millis = |times: &[Duration]| times.iter().map(Duration::as_millis).collect::<Vec<_>>();
        assert_eq!(tally.sides.each_ref().map(|side| millis(&side.times)), [[1, 3], [0, 2]]);
        assert_eq!(millis(&tally.sides.each_ref().map(SideTally::mean_time)), [2, 1]);
        let times = (1..=200).rev().map(Duration::from_millis).collect();
        let side = SideTally { times, ..SideTally::default() };
        assert_eq!(millis(&side.time_quantiles([0.0, 0.5, 0.99, 0.999, 1.0])), [1, 100, 198, 200, 200]);
        assert_eq!(SideTally::default().time_quantiles([0.5]), [Duration::ZERO]);
    }
}
