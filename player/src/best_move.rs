//! A move in one call.

use std::time::Duration;

use game::{Move, Position};

use crate::mcts::Params;
use crate::{Limit, MctsPlayer, Options, Player};

/// The move that [`MctsPlayer`] chooses within this time, or earlier if no other can catch up any more, on one thread
/// and with at most the memory of [`Options::default`]; `None` if the game is over. The longer it thinks, the better.
///
/// A [`Player`] that is kept from move to move plays better still, because it goes on from what it
/// found out for the last one, and says what it thinks of its move.
///
/// ```
/// use std::time::Duration;
///
/// use game::{Piece, Position, Rules};
///
/// let mut position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
/// let mv = player::best_move(&position, Duration::from_millis(20)).expect("the game has just begun");
/// position.play(mv);
/// assert_eq!(position.turn(), 1);
/// # Ok::<(), game::SetupError>(())
/// ```
pub fn best_move(position: &Position, time: Duration) -> Option<Move> {
    if position.is_over() {
        return None;
    }
    // No later search begins with its tree.
    let params = Params { early_stop: true, ..Params::default() };
    Some(MctsPlayer::with_params(&Options::default(), params).choose(position, &Limit::time(time)).mv)
}
