//! All parameters of the search, each with its meaning.
//!
//! They can be read and set by name, which is how the Go Text Protocol and the arena reach them.

use std::ops::Range;

use crate::api::param::params;
use crate::playout::Policy;

params! {
    /// Whether a move of the opening book is made at once where it has one, without a search. A player that gathers
    /// experience always searches.
    book: bool = true in false..=true;
    /// How many visits the experience of a move counts, for each simulation of the searches that it was gathered by.
    experience_weight: f32 = 1.0 in 0.0..=10.0;
    /// Weight of the exploration term of the selection formula; less late in the game, see [`Params::at`].
    exploration: f32 = 0.25 in 0.0..=10.0;
    /// What exploration is multiplied with late in the game.
    late_exploration_factor: f32 = 0.72 in 0.0..=10.0;
    /// Temperature of the prior: below 1 trusts the best moves more.
    temperature: f32 = 1.0 in 0.1..=10.0;
    /// Weight of the first value of a child (first-play urgency), in visits.
    first_play_weight: f32 = 3.0 in 0.01..=20.0;
    /// What the first value of a child gains if games with its move ended better by 1; 0 turns it off.
    history_weight: f32 = 8.0 in 0.0..=100.0;
    /// Games with a move after which its history counts half.
    history_games: f32 = 10.0 in 0.0..=100_000.0;
    /// Visits after which a leaf gets children.
    expansion_visits: u32 = 5 in 1..=1000;
    /// Maximum number of children of a node other than the root; the policy network adds up to as many.
    max_children: u32 = 50 in 1..=2000;
    /// Visits after which the policy network scores the children of a node again; 0 turns it off, even at the root.
    policy_visits: u32 = 1000 in 0..=1_000_000_000;
    /// Temperature of the policy network.
    policy_temperature: f32 = 1.0 in 0.1..=10.0;
    /// Weight of the policy network's value of a node, in visits.
    policy_value_weight: f32 = 0.0 in 0.0..=1000.0;
    /// Weight of an all-moves-as-first update, in visits, if the move was made at once; 0 turns RAVE off.
    rave_weight: f32 = 0.7 in 0.0..=10.0;
    /// RAVE updates the children of nodes with at most this many visits.
    rave_parent_visits: u32 = 50_000 in 0..=1_000_000_000;
    /// RAVE updates children whose weight, all updates together, is at most this.
    rave_child_weight: f32 = 2000.0 in 0.0..=1_000_000_000.0;
    /// Part of the result that depends on the margin and not on who has won; less late in the game, see
    /// [`Params::at`].
    margin_share: f32 = 0.35 in 0.0..=1.0;
    /// What the part of the margin is multiplied with late in the game.
    late_margin_factor: f32 = 0.3 in 0.0..=1.0;
    /// Whether a search ends as soon as its move cannot change any more. Otherwise it goes on to its limit, which deepens
    /// the tree that the next search begins with.
    early_stop: bool = false in false..=true;
    /// Whether endgames are solved.
    endgame: bool = true in false..=true;
    /// Part of the result that comes from the evaluation of the leaf and not from the end of the playout.
    evaluation_share: f32 = 0.45 in 0.0..=1.0;
    /// How much more the evaluation counts in the selection while little is known of a child: its part of the
    /// child's value grows by this number divided by the child's weight, but at most to 1; 0 turns that off.
    evaluation_boost: f32 = 1.6 in 0.0..=100.0;
    /// Whether games are played out from the leaves that can be evaluated; without, the evaluation alone counts.
    playouts: bool = true in false..=true;
    /// Playout: whether the latest threats of the opponents are answered first.
    playout_answers: bool = true in false..=true;
    /// Playout: how often one of the largest pieces that fit is placed, else any that fits.
    playout_largest: f32 = 0.8 in 0.0..=1.0;
}

/// The margin, in points, that counts half of what the largest margin counts. The evaluation was trained with it.
const MARGIN_SCALE: f32 = 20.0;

/// Up to the first of these turns a game is early, from the second on late.
const LATE: Range<u16> = 16..40;

impl Params {
    /// The parameters for a search from some turn: with less exploration and a smaller part of the margin late in
    /// the game, because each of them won more games from even positions there, and with part of the change between
    /// early and late; and, where nothing is played out, with nothing but the evaluation.
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

    /// The temperature of the prior of a root.
    pub fn root_temperature(&self) -> f32 {
        if self.uses_policy_net() { self.policy_temperature } else { self.temperature }
    }

    /// How playouts choose their moves.
    pub fn policy(&self) -> Policy {
        Policy::new(self.playout_answers, self.playout_largest)
    }

    /// What a margin of team one, in points, is worth to it, 0 to 1: mostly who has won, and to a
    /// bounded part by how much.
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
    fn late_factors_count_in_proportion() {
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
    fn results_count_wins_most_and_turn_round_for_the_opponent() {
        let params = Params { margin_share: 0.35, ..Params::default() };
        assert_eq!(params.result(0), 0.5);
        for (margin, win_of_one) in [(1, 1.0), (20, 1.0), (109, 1.0), (-1, 0.0), (-20, 0.0), (-109, 0.0)] {
            let result = params.result(margin);
            assert!((0.0..=1.0).contains(&result) && (result - win_of_one).abs() < 0.35 / 2.0, "{margin}: {result}");
            assert!((result + params.result(-margin) - 1.0).abs() < 1e-6);
        }
        assert!((params.result(20) - 0.9125).abs() < 1e-6, "a margin of the scale is worth half of the most");
    }
}
