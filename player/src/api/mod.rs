//! The interface of a player: the trait, limits, reports and parameters. Nothing here knows an algorithm.

mod handle;
mod limit;
pub(crate) mod param;
mod report;

use std::sync::atomic::AtomicBool;

use game::Position;

pub use handle::SearchHandle;
pub use limit::{Budget, Limit};
pub use param::{Param, ParamError, ParamValue};
pub use report::{Evaluation, Report};

/// A Blokus player.
///
/// ```
/// use game::{Move, Position};
/// use player::{Limit, Player, Report};
///
/// /// Plays the first legal placement.
/// struct First;
///
/// impl Player for First {
///     fn name(&self) -> &'static str {
///         "first"
///     }
///
///     fn new_game(&mut self) {}
///
///     fn choose(&mut self, position: &Position, _: &Limit) -> Report {
///         let placements = position.board().placements(position.color());
///         Report::without_thought(placements.first().map_or(Move::Pass, |&first| first.into()))
///     }
/// }
/// ```
pub trait Player: Send {
    /// The name that [`by_name`](crate::by_name) knows.
    fn name(&self) -> &'static str;

    /// Forgets the previous game. The random number generator is not reset; to repeat a game, create a new player.
    fn new_game(&mut self);

    /// Chooses a legal move for the colour to move within the limit, which may also
    /// [restrict](Limit::among) the moves.
    ///
    /// Stateless: consecutive positions may be unrelated. The game is not over. If the colour to move has no
    /// placement, the move is a pass.
    fn choose(&mut self, position: &Position, limit: &Limit) -> Report;

    /// Warms up before the first move, for example by touching memory. Does not change any move. Returns within about
    /// a millisecond after `stop` becomes `true`.
    fn prepare(&mut self, _stop: &AtomicBool) {}

    /// Searches a position in which the opponent is to move, so that the next search starts with a larger tree. Returns
    /// at the limit, or within about a millisecond after `stop` becomes `true`. Does nothing by default.
    fn ponder(&mut self, _position: &Position, _limit: &Limit, _stop: &AtomicBool) {}

    /// Parameters with their current values; none by default.
    fn params(&self) -> Vec<Param> {
        Vec::new()
    }

    /// Parses `value` (see [`ParamValue`](crate::ParamValue)) and sets a parameter from the next move on.
    ///
    /// # Errors
    /// [`ParamError`] if the parameter is unknown or the value is out of range.
    fn set_param(&mut self, name: &str, _value: &str) -> Result<(), ParamError> {
        Err(ParamError::Unknown(name.to_owned()))
    }
}
