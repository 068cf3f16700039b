//! Learns the evaluation of positions: the targets are the mean results of playouts.

use std::fmt::Write;

use game::{Color, Team};
use player::mcts::evaluation::{FEATURES, Features, STAGE_TURNS, STAGES, WEIGHTS, features};
use player::mcts::playout::{Playout, Policy};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::games::Plan;
use super::softmax::{self, Choice};
use super::{EPOCHS, describe, list};
use crate::opening::OpeningError;

/// How many positions are taken from playouts that begin at one position of a game.
const BRANCHES: usize = 4;

/// Positions are at most so many plies away from a game.
const MOST_PLIES: usize = 14;

/// Playouts from each position.
const PLAYOUTS: usize = 12;

/// Plays, learns and returns the source file of the weights, and a report.
///
/// # Errors
/// [`OpeningError`]
pub fn learn(plan: &Plan, done: &mut dyn FnMut()) -> Result<(String, String), OpeningError> {
    let policy = Policy::new(&plan.params);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(plan.seed);
    let mut choices: [Vec<Choice>; STAGES] = Default::default();
    plan.play(
        |position, _| {
            let mut playout = Playout::new(position);
            for _ in 0..BRANCHES {
                playout.restart(position, std::iter::empty());
                playout.run(&policy, rng.random_range(0..MOST_PLIES), &mut rng);
                let (turns, is_over) = (playout.turn(), playout.is_over());
                let Some(choices) = choices.get_mut(usize::from(turns / STAGE_TURNS)) else { continue };
                if usize::from(turns) < Color::ALL.len() || is_over {
                    continue;
                }
                let color = Color::of_turn(turns);
                let features = features(&mut playout.board().clone(), playout.in_play(), color);
                let result = |playout: &Playout| {
                    let mut end = playout.clone();
                    end.run(&policy, usize::MAX, &mut rng);
                    let of_one = plan.params.result(end.margin());
                    if color.team() == Team::One { of_one } else { 1.0 - of_one }
                };
                let mean = std::iter::repeat_n(&playout, PLAYOUTS).map(result).sum::<f32>() / PLAYOUTS as f32;
                choices.push(Choice::yes_or_no(mean, vector(&features, 1.0)));
            }
        },
        done,
    )?;
    let (mut source, mut report) = ("[\n".to_owned(), String::new());
    for (n, (choices, weights)) in choices.iter_mut().zip(&WEIGHTS).enumerate() {
        let mut weights = vector(&weights.colors, weights.constant);
        let held_out = choices.split_off(choices.len() - choices.len() / 10);
        let before = softmax::loss(&held_out, &weights);
        // A stage without games keeps its weights.
        if !choices.is_empty() {
            softmax::fit(choices, &mut weights, EPOCHS, &mut rng);
        }
        describe(&mut report, n, choices.len(), before, softmax::loss(&held_out, &weights));
        source += "    Weights {\n        colors: [\n";
        let (colors, constant) = weights.split_at(weights.len() - 1);
        for color in colors.chunks(FEATURES) {
            // Writing to a string cannot fail.
            let _ = writeln!(source, "            {},", list(color));
        }
        let _ = writeln!(source, "        ],\n        constant: {:?},\n    }},", constant[0]);
    }
    source += "]\n";
    Ok((source, report))
}

/// The numbers of all colours and one more.
fn vector(colors: &Features, last: f32) -> Vec<f32> {
    colors.iter().flatten().copied().chain([last]).collect()
}
