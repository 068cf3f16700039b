//! Monte Carlo tree search without playouts.

use std::sync::atomic::AtomicBool;

use game::Position;

use super::{MctsPlayer, Params};
use crate::{FromOptions, Options, Param, ParamError, Player, Report, SearchLimits};

/// The neural player: PUCT with the prior as the policy and the evaluation as the value of a leaf (D. Silver et al.,
/// Mastering the game of Go without human knowledge, 2017). Without playouts there is no RAVE and no move history. A
/// leaf is expanded at its second visit. Endgames are solved as in [`MctsPlayer`].
///
/// Before every colour has placed a piece there is no evaluation; the playout policy places the missing first pieces.
///
/// ```
/// # use game::{Piece, Position, Rules};
/// # let position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
/// use player::{FromOptions, NeuralPlayer as Algorithm, Options, Player, SearchLimits};
///
/// let mut player = Algorithm::new(&Options { memory: 16 << 20, ..Options::default() });
/// let report = player.choose(&position, &SearchLimits::nodes(50));
/// assert!(position.check(report.mv).is_ok() && report.evaluation.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct NeuralPlayer(MctsPlayer);

/// Returns the parameters of the neural player.
fn params() -> Params {
    Params {
        book: false,
        playouts: false,
        exploration: 0.6,
        rave_weight: 0.0,
        history_weight: 0.0,
        expansion_visits: 1,
        ..Params::default()
    }
}

impl FromOptions for NeuralPlayer {
    fn new(options: &Options) -> Self {
        Self(MctsPlayer::with_params(options, params()))
    }
}

impl Player for NeuralPlayer {
    fn name(&self) -> &'static str {
        "neural"
    }

    fn new_game(&mut self) {
        self.0.new_game();
    }

    fn choose(&mut self, position: &Position, limits: &SearchLimits) -> Report {
        self.0.choose(position, limits)
    }

    fn prepare(&mut self, stop: &AtomicBool) {
        self.0.prepare(stop);
    }

    fn ponder(&mut self, position: &Position, limits: &SearchLimits, stop: &AtomicBool) {
        self.0.ponder(position, limits, stop);
    }

    fn params(&self) -> Vec<Param> {
        self.0.params()
    }

    fn set_param(&mut self, name: &str, value: &str) -> Result<(), ParamError> {
        self.0.set_param(name, value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcts::test_positions::middle;

    #[test]
    fn results_do_not_depend_on_the_seed() {
        let choose = |seed| {
            let mut player = NeuralPlayer::new(&Options { seed, memory: 16 << 20, ..Options::default() });
            let report = player.choose(&middle(), &SearchLimits::nodes(500));
            (report, player.0.candidates().collect::<Vec<_>>())
        };
        // The seed affects only playouts.
        assert_eq!(choose(1), choose(2));
    }
}
