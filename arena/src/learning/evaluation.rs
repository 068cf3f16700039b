//! Learns the evaluation of positions: the targets are the values that searches give to them.
//!
//! A search tells the value of the best move it has found, where a playout has the mean of random ones.

use std::fmt::Write;

use game::Move;
use player::mcts::evaluation::{INPUTS, NETWORK, TURNS, inputs};
use player::mcts::network::Network;
use player::mcts::params::Params;
use player::mcts::playout::{Playout, Policy};
use player::{Limit, MctsPlayer, Options, Player};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::games::Plan;
use super::network::{self, Sample};
use super::{EPOCHS, rounded};
use crate::opening::OpeningError;

/// How many positions are taken from playouts that begin at one position of a game.
const BRANCHES: usize = 2;

/// Positions are fewer plies than this away from a game.
const MOST_PLIES: usize = 14;

/// Plays, learns a new network and returns its source file, and a report. Positions get as many simulations as
/// moves of the games. Without positions the network stays as it is.
///
/// # Errors
/// [`OpeningError`]
pub fn learn(plan: &Plan, done: &mut dyn FnMut()) -> Result<(String, String), OpeningError> {
    // A solved endgame has the value 0 or 1, however small the margin.
    let params = Params { endgame: 0.0, ..plan.params };
    let policy = Policy::new(&params);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(plan.seed);
    let options = Options { seed: plan.seed, memory: 64 << 20, ..Options::default() };
    let mut judge = MctsPlayer::with_params(&options, params);
    let mut samples: Vec<Sample<INPUTS>> = Vec::new();
    plan.play(
        |position, _| {
            let mut playout = Playout::new(position);
            for _ in 0..BRANCHES {
                playout.restart();
                playout.run(&policy, rng.random_range(0..MOST_PLIES), &mut rng);
                let mut position = *position;
                playout.placements().iter().for_each(|&(_, placement)| position.play(Move::Place(placement)));
                let Some(color) = playout.color().filter(|_| !position.is_over()) else { continue };
                if !TURNS.contains(&playout.turn()) {
                    continue;
                }
                judge.new_game();
                let Some(value) = judge.choose(&position, &Limit::nodes(plan.nodes)).evaluation else { continue };
                // A playout does not skip colours that cannot move, so that another one may be on turn in it.
                let is_same_team = color.team() == position.color().team();
                let target = if is_same_team { value.win } else { 1.0 - value.win };
                let inputs = inputs(&mut playout.board().clone(), playout.in_play(), playout.turn());
                samples.push(Sample { inputs, target });
            }
        },
        done,
    )?;
    let held_out = samples.split_off(samples.len() - samples.len() / 10);
    let mut network = NETWORK.clone();
    if !samples.is_empty() {
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
