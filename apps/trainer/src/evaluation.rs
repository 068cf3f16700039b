//! Learns the evaluation of positions: the targets are the results of the games that went on from there.
//!
//! The values of searches are nearer to the truth than the result of one game, but searches use the evaluation
//! themselves, so that from their values it would learn its own mistakes again. In the result of a game it has no part
//! but to help both sides to choose their moves.
//!
//! A search also evaluates leaves where the colour on turn cannot move. Games skip such positions, so the samples
//! contain none.

use std::path::PathBuf;

use game::{Position, Rules, Team};
use player::mcts::Params;
use player::model::Model;
use player::model::value_net::{INPUTS, Mlp, PositionFeatures, ValueNet};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use record::selfplay::{Reader, ShardError};

use crate::games::Plan;
use crate::value_net::{self, RATE, Sample};
use crate::{EPOCHS, shown};
use arena::openings::OpeningError;

/// Plays, learns a new network, and returns it and a report; none if there was no position to learn from.
///
/// # Errors
/// [`OpeningError`]
pub fn learn(plan: &Plan, done: &mut dyn FnMut()) -> Result<Option<(ValueNet, String)>, OpeningError> {
    // The last moves change little, and to solve them takes long.
    let plan = Plan { params: Params { endgame: false, ..plan.params }, ..plan.clone() };
    let mut samples = Samples::default();
    plan.play_to_end(|positions, end| samples.add(&plan.params, positions, end), done)?;
    Ok(samples.learn(&plan.model, Begin::Untaught, plan.seed))
}

/// The network that learning begins with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Begin {
    /// Untrained weights.
    Untaught,
    /// The model's weights, trained further at a lower rate.
    Further,
}

/// Learns a new network from files of self-play games, and returns it and a report; none if there was no position to
/// learn from. `done` is called after each game.
///
/// # Errors
/// [`ShardError`] of the first file that cannot be read.
pub fn learn_from_files(
    files: &[PathBuf],
    params: &Params,
    model: &Model,
    begin: Begin,
    seed: u64,
    done: &mut dyn FnMut(),
) -> Result<Option<(ValueNet, String)>, ShardError> {
    let mut samples = Samples::default();
    for path in files {
        for game in Reader::open(path)? {
            let (game, positions) = game?;
            if let [usable @ .., end] = &positions[game.first_usable_ply()..] {
                samples.add(params, usable, end);
            }
            done();
        }
    }
    Ok(samples.learn(model, begin, seed))
}

/// Positions with their rules; positions of one game are adjacent.
#[derive(Default)]
struct Samples {
    samples: Vec<Sample<INPUTS>>,
    rules: Vec<Rules>,
}

impl Samples {
    /// Adds positions of a game with this end.
    fn add(&mut self, params: &Params, positions: &[Position], end: &Position) {
        let margin = end.margin(Team::One);
        self.samples.extend(positions.iter().filter_map(|position| sample(params, position, margin)));
        self.rules.resize(self.samples.len(), end.rules());
    }

    /// Trains a network and reports its error on the held-out last tenth of the positions. Returns `None` without
    /// positions.
    fn learn(self, model: &Model, begin: Begin, seed: u64) -> Option<(ValueNet, String)> {
        let Self { mut samples, rules } = self;
        let count = samples.len();
        if count == 0 {
            return None;
        }
        // Splits between games, because positions of one game have the same result.
        let held_out = samples.split_off(count - count / 10);
        let rules = &rules[samples.len()..];
        let before = &model.value_net.network;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (first, rate) = match begin {
            Begin::Untaught => (value_net::untaught(&mut rng), RATE),
            Begin::Further => (before.clone(), RATE / 3.0),
        };
        let network = value_net::learn(first, &mut samples, EPOCHS, rate, &mut rng);
        let errors = |network: &Mlp<INPUTS>| {
            let of = |wanted: &dyn Fn(Rules) -> bool| {
                let wanted = held_out.iter().zip(rules).filter(|(_, of)| wanted(**of));
                shown(value_net::error(wanted.map(|(sample, _)| sample), network))
            };
            let of_rules: Vec<String> =
                Rules::ALL.iter().map(|rules| format!("{rules} {}", of(&|of| of == *rules))).collect();
            format!("{} ({})", of(&|_| true), of_rules.join(", "))
        };
        let report = format!("{count} samples, error held out {} before, {} after\n", errors(before), errors(&network));
        Some((ValueNet { network }, report))
    }
}

/// A position of a game that ended with this margin of team one, in points. The target is the result for the team on
/// turn, as a search from there counts it. None for a position that is not evaluated.
fn sample(params: &Params, position: &Position, margin: i32) -> Option<Sample<INPUTS>> {
    let turn = position.turn();
    let view = PositionFeatures::of(position.board(), position.in_play(), turn)?;
    let of_one = params.at(turn).result(margin);
    let target = if view.on_turn.team() == Team::One { of_one } else { 1.0 - of_one };
    Some(Sample { inputs: *view.inputs(), target })
}

#[cfg(test)]
mod tests {
    use super::*;
    use player::model::value_net::TURNS;

    #[test]
    fn target_is_result_of_team_to_move() {
        let (params, mut teams) = (Params::default(), [0; 2]);
        let plan = Plan { games: 3, nodes: 5, params, seed: 2, model: Model::built_in() };
        let check = |positions: &[Position], _: &Position| {
            for position in positions.iter().filter(|position| TURNS.contains(&position.turn())) {
                let target = |margin: i32| sample(&params, position, margin).unwrap().target;
                let team = position.color().team();
                teams[team as usize] += 1;
                let sign = if team == Team::One { 1 } else { -1 };
                assert!(target(9 * sign) > 0.75 && target(-9 * sign) < 0.25 && target(0) == 0.5);
                assert!(target(10 * sign) > target(9 * sign));
            }
        };
        plan.play_to_end(check, &mut || ()).unwrap();
        assert!(teams.into_iter().all(|count| count > 9), "{teams:?}");
    }
}
