//! Monte Carlo tree search without playouts.

use super::{MctsPlayer, Params};
use crate::options::Options;

impl MctsPlayer {
    /// Creates the neural player: PUCT with the prior as the policy and the evaluation as the value of a leaf (D.
    /// Silver et al., Mastering the game of Go without human knowledge, 2017). Without playouts there is no RAVE and no
    /// move history. A leaf is expanded at its second visit.
    ///
    /// Before every colour has placed a piece there is no evaluation; the playout policy places the missing first
    /// pieces.
    ///
    /// ```
    /// # use game::{Piece, Position, Rules};
    /// # let position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
    /// use player::{MctsPlayer, Options, Player, SearchLimits};
    ///
    /// let mut player = MctsPlayer::neural(&Options { memory: 16 << 20, ..Options::default() });
    /// let report = player.choose(&position, &SearchLimits::nodes(50));
    /// assert!(position.check(report.mv).is_ok() && report.evaluation.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn neural(options: &Options) -> Self {
        let params = Params {
            book: false,
            playouts: false,
            exploration: 0.6,
            rave_weight: 0.0,
            history_weight: 0.0,
            expansion_visits: 1,
            ..Params::default()
        };
        let mut player = Self::with_params(options, params);
        player.name = "neural";
        player
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcts::test_positions::middle;
    use crate::{Player, SearchLimits};

    #[test]
    fn results_do_not_depend_on_the_seed() {
        let choose = |seed| {
            let mut player = MctsPlayer::neural(&Options { seed, memory: 16 << 20, ..Options::default() });
            let report = player.choose(&middle(), &SearchLimits::nodes(500));
            (report, player.candidates().collect::<Vec<_>>())
        };
        // The seed affects only playouts.
        assert_eq!(choose(1), choose(2));
    }
}
