//! The history of moves: how the games of one search ended in which a colour made a move, wherever and
//! whenever (after progressive history; J. Nijssen, M. Winands, Enhancements for multi-player
//! Monte-Carlo tree search, 2010, who add it to the selection formula and let it fade with visits).
//!
//! RAVE learns the same about the children of one node, which takes many visits of that node. What a
//! placement is worth in Blokus depends mostly on the cells around it, so that its history in other
//! positions is a good first guess in a new node. There it is used as such, and visits outweigh it.

use game::{ByColor, Color, Placement};

use super::atomic::{AtomicF32, MOST_IN_MEAN};

/// The results of the games of one search, by the moves that were made in them. Takes 1.4 MiB.
///
/// The threads of a search share it as they share the tree, and with as little care: an update may be
/// lost.
pub struct History {
    moves: ByColor<Box<[Results]>>,
    all: ByColor<Results>,
}

/// The results of some games for one colour.
#[derive(Default, Debug)]
struct Results {
    mean: AtomicF32,
    games: AtomicF32,
}

impl Results {
    fn add(&self, result: f32) {
        let (mean, games) = (self.mean.load(), self.games.load() + 1.0);
        // The mean first, so that another thread mostly sees no game without its result.
        self.mean.store(mean + (result - mean) / games.min(MOST_IN_MEAN));
        self.games.store(games);
    }
}

impl History {
    /// The history of no game.
    pub fn new() -> Self {
        let none = |_| (0..Placement::INDEX_END).map(|_| Results::default()).collect();
        Self { moves: ByColor::from_fn(none), all: ByColor::default() }
    }

    /// Forgets all games.
    pub fn clear(&mut self) {
        self.all = ByColor::default();
        for moves in &mut self.moves.0 {
            moves.fill_with(Results::default);
        }
    }

    /// Adds a game: its moves with their colours, in any order, and its result for each colour, 0 to 1.
    pub fn add(&self, moves: impl Iterator<Item = (Color, Placement)>, result: impl Fn(Color) -> f32) {
        let results = ByColor::from_fn(result);
        for color in Color::ALL {
            self.all[color].add(results[color]);
        }
        for (color, placement) in moves {
            self.moves[color][placement.index()].add(results[color]);
        }
    }

    /// By how much the games in which `color` made this move ended better for it than all games, -1 to
    /// 1, times n / (n + `games`) for n such games, so that few count little; 0 for none.
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
    fn a_move_of_won_games_has_an_advantage() {
        let [a, b, never] = [0, 1, 2].map(|x| format!("MONO@{x},0").parse::<Placement>().unwrap());
        let mut history = History::new();
        let blue_wins = |color: Color| if color == Color::Blue { 1.0 } else { 0.0 };
        history.add([(Color::Blue, a), (Color::Yellow, a)].into_iter(), blue_wins);
        history.add([(Color::Blue, b)].into_iter(), |_| 0.5);
        assert_eq!(history.advantage(Color::Blue, a, 0.0), 0.25);
        assert_eq!(history.advantage(Color::Blue, a, 1.0), 0.125);
        assert_eq!(history.advantage(Color::Blue, b, 0.0), -0.25);
        assert_eq!(history.advantage(Color::Yellow, a, 0.0), -0.25);
        assert_eq!(history.advantage(Color::Yellow, b, 0.0), 0.0);
        assert_eq!(history.advantage(Color::Blue, never, 0.0), 0.0);
        // What is left of no game is neither a move nor the mean of all.
        history.clear();
        assert_eq!(history.advantage(Color::Blue, a, 0.0), 0.0);
        history.add([(Color::Blue, a)].into_iter(), |_| 1.0);
        assert_eq!(history.advantage(Color::Blue, a, 0.0), 0.0);
    }
}
