//! The same search without playouts: what the networks say, and nothing else.

use std::sync::atomic::AtomicBool;

use game::Position;

use super::{MctsPlayer, Params};
use crate::{FromOptions, Limit, Options, Param, ParamError, Player, Report};

/// The player of the networks alone: its tree grows by PUCT, with the prior as the policy and the evaluation as the
/// value of a leaf (D. Silver et al., Mastering the game of Go without human knowledge, 2017). Nothing is played out,
/// so that neither RAVE nor the history of moves has anything to learn from; a leaf gets children when it is visited
/// for the second time. As in [`MctsPlayer`] the last moves are solved exactly.
///
/// Before every colour has begun there is nothing to evaluate; there the missing first pieces are drawn by the policy
/// of playouts.
///
/// ```
/// # use game::{Piece, Position, Rules};
/// # let position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
/// use player::{FromOptions, Limit, NeuralPlayer as Algorithm, Options, Player};
///
/// let mut player = Algorithm::new(&Options { memory: 16 << 20, ..Options::default() });
/// let report = player.choose(&position, &Limit::nodes(50));
/// assert!(position.check(report.mv).is_ok() && report.evaluation.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct NeuralPlayer(MctsPlayer);

/// The parameters that differ from those of the Monte Carlo player.
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

    fn choose(&mut self, position: &Position, limit: &Limit) -> Report {
        self.0.choose(position, limit)
    }

    fn prepare(&mut self, stop: &AtomicBool) {
        self.0.prepare(stop);
    }

    fn ponder(&mut self, position: &Position, limit: &Limit, stop: &AtomicBool) {
        self.0.ponder(position, limit, stop);
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
    use crate::mcts::tests::middle;

    #[test]
    fn its_results_do_not_depend_on_playouts() {
        let choose = |seed| {
            let mut player = NeuralPlayer::new(&Options { seed, memory: 16 << 20, ..Options::default() });
            let report = player.choose(&middle(), &Limit::nodes(500));
            (report, player.0.candidates().collect::<Vec<_>>())
        };
        // The seed decides nothing but playouts.
        assert_eq!(choose(1), choose(2));
    }
}
