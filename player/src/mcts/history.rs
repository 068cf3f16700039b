//! Move history: the results of the games of one search by move, wherever and whenever a colour played it (after
//! progressive history; J. Nijssen, M. Winands, Enhancements for multi-player Monte-Carlo tree search, 2010, who add it
//! to the selection formula and let it fade with visits).
//!
//! RAVE does the same for the children of one node, and needs many visits of that node. In Blokus the value of a
//! placement depends mostly on the cells around it, so its history in other positions is a good first value in a new
//! node. Visits soon outweigh it.

use game::{ByColor, Color, Placement};

use super::atomic::{AtomicF32, MAX_MEAN_COUNT};
use crate::math::min;

/// Results of the games of one search by move. Takes 1.4 MiB.
///
/// Threads share it without locks, as they share the tree; an update can be lost.
pub struct MoveHistory {
    moves: ByColor<Box<[MoveResults]>>,
    all: ByColor<MoveResults>,
}

/// Mean result and number of games of one colour.
#[derive(Default, Debug)]
struct MoveResults {
    mean: AtomicF32,
    games: AtomicF32,
}

impl MoveResults {
    fn add(&self, result: f32) {
        let (mean, games) = (self.mean.load(), self.games.load() + 1.0);
        // The mean first, so that other threads rarely see a game without its result.
        self.mean.store(mean + (result - mean) / min(games, MAX_MEAN_COUNT));
        self.games.store(games);
    }
}

impl MoveHistory {
    /// Creates an empty history.
    pub fn new() -> Self {
        let none = |_| (0..Placement::INDEX_END).map(|_| MoveResults::default()).collect();
        Self { moves: ByColor::from_fn(none), all: ByColor::default() }
    }

    /// Removes all games.
    pub fn clear(&mut self) {
        self.all = ByColor::default();
        for moves in &mut self.moves.0 {
            moves.fill_with(MoveResults::default);
        }
    }

    /// Adds a game: its moves in any order, and the result of each colour, 0 to 1.
    pub fn add(&self, moves: impl Iterator<Item = (Color, Placement)>, result: impl Fn(Color) -> f32) {
        let results = ByColor::from_fn(result);
        for color in Color::ALL {
            self.all[color].add(results[color]);
        }
        for (color, placement) in moves {
            self.moves[color][placement.index()].add(results[color]);
        }
    }

    /// Returns the mean result of the games with this move minus the mean of all games, -1 to 1. Few games count less:
    /// the difference is scaled by n / (n + `games`). Returns 0 without games.
    pub fn advantage(&self, color: Color, placement: Placement, games: f32) -> f32 {
        let of_move = &self.moves[color][placement.index()];
        let count = of_move.games.load();
        if count == 0.0 {
            return 0.0;
        }
        (of_move.mean.load() - self.all[color].mean.load()) * count / (count + games)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_of_won_games_have_an_advantage() {
        let [a, b, never] = [0, 1, 2].map(|x| format!("MONO@{x},0").parse::<Placement>().unwrap());
        let mut history = MoveHistory::new();
        let blue_wins = |color: Color| if color == Color::Blue { 1.0 } else { 0.0 };
        history.add([(Color::Blue, a), (Color::Yellow, a)].into_iter(), blue_wins);
        history.add([(Color::Blue, b)].into_iter(), |_| 0.5);
        assert_eq!(history.advantage(Color::Blue, a, 0.0), 0.25);
        assert_eq!(history.advantage(Color::Blue, a, 1.0), 0.125);
        assert_eq!(history.advantage(Color::Blue, b, 0.0), -0.25);
        assert_eq!(history.advantage(Color::Yellow, a, 0.0), -0.25);
        assert_eq!(history.advantage(Color::Yellow, b, 0.0), 0.0);
        assert_eq!(history.advantage(Color::Blue, never, 0.0), 0.0);
        history.clear();
        assert_eq!(history.advantage(Color::Blue, a, 0.0), 0.0);
        history.add([(Color::Blue, a)].into_iter(), |_| 1.0);
        assert_eq!(history.advantage(Color::Blue, a, 0.0), 0.0);
    }
}
