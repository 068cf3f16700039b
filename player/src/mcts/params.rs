//! Parameters of the search, set by name: `--param`, `mcts:NAME=VALUE` in the arena, `param` over GTP.

use std::ops::Range;

use crate::api::param::params;
use crate::playout::PlayoutPolicy;

params! {
    /// Play moves of the opening book without a search. A player with experience always searches.
    book: bool = true in false..=true;
    /// Weight of experience, in visits per simulation of the earlier searches.
    experience_weight: f32 = 1.0 in 0.0..=10.0;
    /// Weight of the exploration term; smaller late in the game, see [`Params::at`].
    exploration: f32 = 0.25 in 0.0..=10.0;
    /// Factor of exploration late in the game.
    late_exploration_factor: f32 = 0.72 in 0.0..=10.0;
    /// Temperature of the prior; below 1 it trusts the best moves more.
    temperature: f32 = 1.0 in 0.1..=10.0;
    /// Weight of the first value of a child (first-play urgency), in visits.
    first_play_weight: f32 = 3.0 in 0.01..=20.0;
    /// Weight of the move history in the first value of a child; 0 turns it off.
    history_weight: f32 = 8.0 in 0.0..=100.0;
    /// Number of games at which the history of a move counts half.
    history_games: f32 = 10.0 in 0.0..=100_000.0;
    /// Number of visits after which a leaf is expanded.
    expansion_visits: u32 = 5 in 1..=1000;
    /// Maximum number of children of a node other than the root; the policy network can double it.
    max_children: u32 = 50 in 1..=2000;
    /// Number of visits after which the policy network scores the children of a node again; 0 turns it off, even at the
    /// root.
    policy_visits: u32 = 1000 in 0..=1_000_000_000;
    /// Temperature of the policy network.
    policy_temperature: f32 = 1.0 in 0.1..=10.0;
    /// Weight of a RAVE update in visits, if the move is played at once; 0 turns RAVE off.
    rave_weight: f32 = 0.7 in 0.0..=10.0;
    /// Maximum number of visits of a node whose children RAVE updates.
    rave_parent_visits: u32 = 50_000 in 0..=1_000_000_000;
    /// Maximum weight of a child that RAVE updates.
    rave_child_weight: f32 = 2000.0 in 0.0..=1_000_000_000.0;
    /// Margin of the final choice: the player takes the move with the highest value less this number divided by the
    /// square root of its visits. With 1000 it nearly always takes the most visited move.
    choice_margin: f32 = 4.0 in 0.0..=1000.0;
    /// Share of the margin in the result; the rest is the win. Smaller late in the game, see [`Params::at`].
    margin_share: f32 = 0.35 in 0.0..=1.0;
    /// Factor of the margin's share late in the game.
    late_margin_factor: f32 = 0.3 in 0.0..=1.0;
    /// End a search as soon as no other move can become the most visited one. Otherwise it continues to its limits and
    /// deepens the tree for the next search.
    early_stop: bool = false in false..=true;
    /// Solve endgames.
    endgame: bool = true in false..=true;
    /// Share of the leaf's evaluation in the result; the rest is the playout.
    evaluation_share: f32 = 0.45 in 0.0..=1.0;
    /// Boost of the evaluation in the selection while a child has little weight: its share grows by this number divided
    /// by the weight, up to 1; 0 turns it off.
    evaluation_boost: f32 = 1.6 in 0.0..=100.0;
    /// Play games out from leaves with an evaluation. Without, the evaluation alone counts.
    playouts: bool = true in false..=true;
    /// Playout: answer the latest threats of the opponents first.
    playout_answers: bool = true in false..=true;
    /// Playout: probability of a largest fitting piece; otherwise any piece that fits.
    playout_largest: f32 = 0.8 in 0.0..=1.0;
}

/// Margin in points that counts half as much as an infinite one. The value network was trained with it.
const MARGIN_SCALE: f32 = 20.0;

/// Turns between early and late.
const LATE: Range<u16> = 16..40;

impl Params {
    /// Returns the parameters for a search of this turn. Exploration and the share of the margin shrink between early
    /// and late turns, because that won more games from balanced positions. Without playouts the evaluation is the
    /// whole result.
    pub fn at(&self, turn: u16) -> Self {
        let lateness = f32::from(turn.clamp(LATE.start, LATE.end) - LATE.start) / f32::from(LATE.end - LATE.start);
        let factor = |late: f32| 1.0 + lateness * (late - 1.0);
        let (evaluation_share, evaluation_boost) =
            if self.playouts { (self.evaluation_share, self.evaluation_boost) } else { (1.0, 0.0) };
        Self {
            exploration: self.exploration * factor(self.late_exploration_factor),
            margin_share: self.margin_share * factor(self.late_margin_factor),
            evaluation_share,
            evaluation_boost,
            ..*self
        }
    }

    /// Returns `true` if the policy network is used.
    pub fn uses_policy_net(&self) -> bool {
        self.policy_visits > 0
    }

    /// Returns the policy of playouts.
    pub fn playout_policy(&self) -> PlayoutPolicy {
        PlayoutPolicy::new(self.playout_answers, self.playout_largest)
    }

    /// Returns the result for team one, 0 to 1, of a margin in points: mostly the win, and to a bounded part the
    /// margin.
    pub fn result(&self, margin: i32) -> f32 {
        let win = match margin {
            0 => 0.5,
            1.. => 1.0,
            _ => 0.0,
        };
        let margin = margin as f32;
        let bounded = margin / (margin.abs() + MARGIN_SCALE);
        (1.0 - self.margin_share) * win + self.margin_share * (0.5 + 0.5 * bounded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_factors_grow_linearly() {
        let params = Params {
            exploration: 0.2,
            late_exploration_factor: 0.5,
            margin_share: 0.4,
            late_margin_factor: 0.25,
            ..Params::default()
        };
        for (turn, exploration, margin_share) in
            [(0, 0.2, 0.4), (16, 0.2, 0.4), (28, 0.15, 0.25), (40, 0.1, 0.1), (99, 0.1, 0.1)]
        {
            let at = params.at(turn);
            assert!((at.exploration - exploration).abs() < 1e-6, "{turn}: {at:?}");
            assert!((at.margin_share - margin_share).abs() < 1e-6, "{turn}: {at:?}");
            let others = Params { exploration: params.exploration, margin_share: params.margin_share, ..at };
            assert_eq!(others, params);
        }
    }

    #[test]
    fn results_reward_wins_most_and_are_symmetric() {
        let params = Params { margin_share: 0.35, ..Params::default() };
        assert_eq!(params.result(0), 0.5);
        for (margin, win_of_one) in [(1, 1.0), (20, 1.0), (109, 1.0), (-1, 0.0), (-20, 0.0), (-109, 0.0)] {
            let result = params.result(margin);
            assert!((0.0..=1.0).contains(&result) && (result - win_of_one).abs() < 0.35 / 2.0, "{margin}: {result}");
            assert!((result + params.result(-margin) - 1.0).abs() < 1e-6);
        }
        assert!((params.result(20) - 0.9125).abs() < 1e-6, "half of the largest bonus");
    }
}
