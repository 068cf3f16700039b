//! Asks a player for a move and checks the answer.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;

use game::{Move, Position};
use player::{FromOptions, HeuristicPlayer, Options, Player, Report, SearchLimits};

/// Returns a legal move of the player. If the player panics or chooses an illegal move, the heuristic player
/// chooses, which takes a millisecond. Waits for a player that exceeds the limit.
///
/// Passes without asking the player if there is no placement or the game is over.
///
/// ```
/// use game::{Piece, Position, Rules};
/// use player::{FromOptions, Options, Player, RandomPlayer, SearchLimits};
///
/// let position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
/// let mut player = RandomPlayer::new(&Options::default());
/// let report = client::choose(&mut player, &position, &SearchLimits::nodes(1));
/// assert!(position.check(report.mv).is_ok());
/// # Ok::<(), game::SetupError>(())
/// ```
pub fn choose(player: &mut dyn Player, position: &Position, limit: &SearchLimits) -> Report {
    if position.is_over() || !position.board().has_placement(position.color()) {
        return Report::without_search(Move::Pass);
    }
    attempt(player, position, limit)
        .or_else(|| attempt(&mut HeuristicPlayer::new(&Options::default()), position, limit))
        .unwrap_or_else(|| Report::without_search(Move::Pass))
}

/// Returns the heuristic player's move in a position.
pub(crate) fn stand_in(position: &Position) -> Report {
    choose(&mut HeuristicPlayer::new(&Options::default()), position, &SearchLimits::UNLIMITED)
}

/// Announces a new game; logs a panic of the player.
pub(crate) fn new_game(player: &mut dyn Player) {
    if catch_unwind(AssertUnwindSafe(|| player.new_game())).is_err() {
        log::error!("the player panicked in `new_game`");
    }
}

/// Lets a player warm up until `stop`.
pub(crate) fn prepare(player: &mut dyn Player, stop: &AtomicBool) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| player.prepare(stop))) {
        log::error!("{} panicked while warming up ({})", player.name(), message(&*panic));
        new_game(player);
    }
}

/// Lets a player ponder until `stop`.
pub(crate) fn ponder(player: &mut dyn Player, position: &Position, stop: &AtomicBool) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| player.ponder(position, &SearchLimits::UNLIMITED, stop))) {
        log::error!("{} panicked while pondering ({}): {position}", player.name(), message(&*panic));
        new_game(player);
    }
}

/// Returns the player's move if it is legal.
fn attempt(player: &mut dyn Player, position: &Position, limit: &SearchLimits) -> Option<Report> {
    match catch_unwind(AssertUnwindSafe(|| player.choose(position, limit))) {
        Ok(report) => {
            let Err(reason) = position.check(report.mv) else { return Some(report) };
            log::error!("{} chose {}, but {reason}: {position}", player.name(), report.mv);
        }
        Err(panic) => {
            log::error!("{} panicked ({}): {position}", player.name(), message(&*panic));
            // Its state of the game may be incomplete.
            new_game(player);
        }
    }
    None
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Piece, Rules};

    /// Panics, or always chooses the same move.
    struct Bad {
        mv: Option<Move>,
        new_games: usize,
    }

    impl Player for Bad {
        fn name(&self) -> &'static str {
            "bad"
        }

        fn new_game(&mut self) {
            self.new_games += 1;
            panic!("no memory");
        }

        fn choose(&mut self, _: &Position, _: &SearchLimits) -> Report {
            Report::without_search(self.mv.expect("out of ideas"))
        }
    }

    #[test]
    fn heuristic_player_replaces_faulty_one() {
        let position = Position::new(Rules::Season2027, Some(Piece::PentoW)).unwrap();
        let limit = SearchLimits::nodes(1);
        let legal = Move::Place("PENTO_W@0,5".parse().unwrap());
        let expected = HeuristicPlayer::new(&Options::default()).choose(&position, &limit).mv;
        for (mv, expected) in [(None, expected), (Some(Move::Pass), expected), (Some(legal), legal)] {
            let mut player = Bad { mv, new_games: 0 };
            assert_eq!(choose(&mut player, &position, &limit).mv, expected);
            assert_eq!(player.new_games, usize::from(mv.is_none()));
        }
        assert!(position.check(expected).is_ok() && expected != legal);
    }
}
