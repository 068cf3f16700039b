//! The choice of the next pair if none is half-played.

use crate::ratings::{Interval, score_of_elo};

/// Error of a rating before the first game, in Elo points: half the width of the interval.
const UNKNOWN: f64 = 3000.0;

/// A player that can play now.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RatedPlayer {
    /// Number of the player.
    pub id: i64,
    /// Rating; `None` before the first pair.
    pub elo: Option<Interval>,
    /// Number of pairs in progress.
    pub running: u32,
}

impl RatedPlayer {
    /// Returns half the width of the interval; pairs in progress reduce it as if they were played.
    fn error(&self) -> f64 {
        let error = self.elo.map_or(UNKNOWN, |elo| (elo.high - elo.low) / 2.0);
        error / f64::from(1 + self.running)
    }

    fn rating(&self) -> f64 {
        self.elo.map_or(0.0, |elo| elo.estimate)
    }
}

/// Returns the players of the pair of games with the most information, the more uncertain first: players with uncertain
/// ratings that are close and have seldom met. `met` returns the number of pairs of two players.
pub fn choose(players: &[RatedPlayer], met: impl Fn([i64; 2]) -> u64) -> Option<[i64; 2]> {
    let pairs = players.iter().enumerate().flat_map(|(i, one)| players[..i].iter().map(move |other| (other, one)));
    let information = |(one, other): (&RatedPlayer, &RatedPlayer)| {
        let expected = score_of_elo(one.rating() - other.rating());
        let variance = one.error().powi(2) + other.error().powi(2);
        variance * expected * (1.0 - expected) / (1 + met([one.id, other.id])) as f64
    };
    // The first of equal ones, so that the choice depends on nothing else.
    let best =
        pairs.map(|pair| (information(pair), pair)).reduce(|best, pair| if pair.0 > best.0 { pair } else { best });
    best.map(|(_, (one, other))| if other.error() > one.error() { [other.id, one.id] } else { [one.id, other.id] })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(id: i64, estimate: f64, error: f64) -> RatedPlayer {
        let elo = Interval { low: estimate - error, estimate, high: estimate + error };
        RatedPlayer { id, elo: Some(elo), running: 0 }
    }

    #[test]
    fn most_informative_pair_plays() {
        let new = RatedPlayer { id: 9, elo: None, running: 0 };
        let unsure = player(1, 0.0, 90.0);
        // A player alone; a close opponent; frequent opponents; a new player; one with many running pairs.
        for (players, expected) in [
            (&[unsure][..], None),
            (&[player(1, 300.0, 20.0), player(2, 0.0, 90.0), player(3, 30.0, 20.0)], Some([2, 3])),
            (&[unsure, player(2, 0.0, 20.0), player(3, 0.0, 20.0)], Some([1, 3])),
            (&[player(1, 0.0, 80.0), player(2, 0.0, 70.0), new], Some([9, 1])),
            (&[player(1, 0.0, 80.0), player(2, 0.0, 70.0), RatedPlayer { running: 50, ..new }], Some([1, 9])),
        ] {
            assert_eq!(choose(players, |players| if players == [1, 2] { 3 } else { 0 }), expected, "{players:?}");
        }
    }
}
