//! The interface of a player: the trait, limits, reports and parameters. It imports nothing from the algorithms.

mod handle;
mod limits;
pub(crate) mod param;
mod report;

use std::sync::atomic::AtomicBool;

use game::Position;

pub use handle::SearchHandle;
pub use limits::{Budget, SearchLimits};
pub use param::{Param, ParamError, ParamValue};
pub use report::{Evaluation, Report};

/// A Blokus player. It is [`Send`], because programs run it in a thread of its own.
///
/// The players of this crate treat [`Rules::FourPlayers`](game::Rules::FourPlayers) as a game of two teams.
///
/// ```
/// use game::{Move, Position};
/// use player::{Player, Report, SearchLimits};
///
/// /// Plays the first placement.
/// struct First;
///
/// impl Player for First {
///     fn name(&self) -> &str {
///         "first"
///     }
///
///     fn choose(&mut self, position: &Position, _: &SearchLimits) -> Report {
///         let placements = position.placements();
///         Report::without_search(placements.first().map_or(Move::Pass, |&first| first.into()))
///     }
/// }
/// ```
pub trait Player: Send {
    /// Returns the name of the player, for logs and results.
    fn name(&self) -> &str;

    /// Forgets the previous game; does nothing by default. A player may keep its random number generator: only a new
    /// player is sure to repeat a game.
    fn new_game(&mut self) {}

    /// Chooses a legal move for the colour to move within the limits. The players of this crate pass only if the colour
    /// has no placement or, under the rules of a season, if a pass is better.
    ///
    /// Stateless: consecutive positions may be unrelated. The game is not over.
    fn choose(&mut self, position: &Position, limits: &SearchLimits) -> Report;

    /// Warms up before the first move, for example by touching memory. Does not change any move. Returns within about
    /// a millisecond after `stop` becomes `true`.
    #[expect(unused_variables)]
    fn prepare(&mut self, stop: &AtomicBool) {}

    /// Searches while the opponent is to move, so that the next search starts with a larger tree. Returns at the
    /// limits, or within about a millisecond after `stop` becomes `true`. Does nothing by default.
    #[expect(unused_variables)]
    fn ponder(&mut self, position: &Position, limits: &SearchLimits, stop: &AtomicBool) {}

    /// Returns the parameters with their current values; none by default.
    fn params(&self) -> Vec<Param> {
        Vec::new()
    }

    /// Parses `value` (see [`ParamValue`](crate::ParamValue)) and sets a parameter from the next move on.
    ///
    /// # Errors
    /// [`ParamError`] if the parameter is unknown or the value is out of range.
    #[expect(unused_variables)]
    fn set_param(&mut self, name: &str, value: &str) -> Result<(), ParamError> {
        Err(ParamError::unknown(name, &self.params()))
    }
}
