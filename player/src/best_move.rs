//! A move in one call.

use std::time::Duration;

use game::{Move, Position};

use crate::api::{Player, SearchLimits};
use crate::mcts::MctsPlayer;
use crate::mcts::Params;
use crate::options::Options;

/// Returns the move of the [`MctsPlayer`] for this thinking time, or `None` if the game is over. Uses one thread, and
/// at most the memory of [`Options::default`]; stops early if the move is decided.
///
/// A [`Player`] that is kept for a whole game is stronger, because it reuses its tree, and reports its evaluation.
///
/// ```
/// use std::time::Duration;
///
/// use game::{Piece, Position, Rules};
///
/// let mut position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
/// let mv = player::best_move(&position, Duration::from_millis(20)).expect("a first move");
/// position.play(mv);
/// assert_eq!(position.turn(), 1);
/// # Ok::<(), game::SetupError>(())
/// ```
pub fn best_move(position: &Position, time: Duration) -> Option<Move> {
    if position.is_over() {
        return None;
    }
    // No later search reuses the tree.
    let params = Params { early_stop: true, ..Params::default() };
    Some(MctsPlayer::with_params(&Options::default(), params).choose(position, &SearchLimits::time(time)).mv)
}
