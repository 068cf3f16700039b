//! Learns the evaluation of positions: the targets are the results of the games that went on from there.
//!
//! The values of searches are nearer to the truth than the result of one game, but searches use the evaluation
//! themselves, so that from their values it would learn its own mistakes again. In the result of a game it has no part
//! but to help both sides to choose their moves (docs/measurements.md, "Learning from results").
//!
//! A search also evaluates leaves in which the colour on turn cannot move. Such are not among the positions of games,
//! which skip it.

use std::fmt::Write;

use game::{Color, Position, Team};
use player::mcts::evaluation::{INPUTS, NETWORK, TURNS, inputs};
use player::mcts::network::Network;
use player::mcts::params::Params;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::games::Plan;
use super::network::{self, Sample};
use super::{EPOCHS, rounded};
use crate::opening::OpeningError;

/// Plays, learns a new network and returns its source file, and a report. Without positions the network stays as
/// it is.
///
/// # Errors
/// [`OpeningError`]
pub fn learn(plan: &Plan, done: &mut dyn FnMut()) -> Result<(String, String), OpeningError> {
    // The last moves change little, and to solve them takes long.
    let plan = Plan { params: Params { endgame: 0.0, ..plan.params }, ..plan.clone() };
    let mut samples: Vec<Sample<INPUTS>> = Vec::new();
    plan.play_to_end(
        |positions, end| {
            let margin = end.margin(Team::One);
            let positions = positions.iter().filter(|position| TURNS.contains(&position.turn()));
            samples.extend(positions.map(|position| sample(&plan.params, position, margin)));
        },
        done,
    )?;
    // Whole games, but for one: positions of the same game have the same result.
    let held_out = samples.split_off(samples.len() - samples.len() / 10);
    let mut network = NETWORK.clone();
    if !samples.is_empty() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(plan.seed);
        network = network::learn(&mut samples, EPOCHS, &mut rng);
        network.numbers_mut().for_each(|number| *number = rounded(*number));
    }
    let report = format!(
        "{} samples, error held out {:.4} before, {:.4} after\n",
        samples.len() + held_out.len(),
        network::error(&held_out, &NETWORK),
        network::error(&held_out, &network)
    );
    Ok((source(&network), report))
}

/// A position of a game that ended with this margin of team one, in points. The target is the result for the team on
/// turn, as a search from there counts it.
fn sample(params: &Params, position: &Position, margin: i32) -> Sample<INPUTS> {
    let turn = position.turn();
    let of_one = params.at(turn).result(margin);
    Sample {
        inputs: inputs(&mut position.board().clone(), position.in_play(), turn),
        target: if Color::of_turn(turn).team() == Team::One { of_one } else { 1.0 - of_one },
    }
}

/// The network as source code.
fn source(network: &Network<INPUTS>) -> String {
    let mut source = "Network {\n    hidden_weights: [\n".to_owned();
    for weights in &network.hidden_weights {
        // Writing to a string cannot fail.
        let _ = writeln!(source, "        {weights:?},");
    }
    let _ = writeln!(
        source,
        "    ],\n    hidden_biases: {:?},\n    output_weights: {:?},\n    output_bias: {:?},\n}}",
        network.hidden_biases, network.output_weights, network.output_bias
    );
    source
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_is_the_result_for_the_team_on_turn() {
        let (params, mut teams) = (Params::default(), [0; 2]);
        let plan = Plan { games: 3, nodes: 5, params, seed: 2 };
        let check = |positions: &[Position], _: &Position| {
            for position in positions.iter().filter(|position| TURNS.contains(&position.turn())) {
                let target = |margin: i32| sample(&params, position, margin).target;
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
