//! Learns the priors of moves: the targets are the shares of a search's visits.

use std::fmt::Write;

use game::{Piece, Placement, Position};
use player::MctsPlayer;
use player::mcts::prior::{FEATURES, STAGES, Scorer, WEIGHTS, Weights, stage};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::games::Plan;
use super::softmax::{self, Choice};
use super::{EPOCHS, list};
use crate::opening::OpeningError;

/// Features of a placement, one for each piece among them.
const WIDTH: usize = FEATURES + Piece::COUNT;

/// The moves with the most visits are learnt from, and as many others drawn at random.
const MOST_VISITED: usize = 40;

/// Plays the first `plies` plies of games, learns and returns the source file of the weights, and a report.
///
/// # Errors
/// [`OpeningError`]
pub fn learn(plan: &Plan, plies: usize, done: &mut dyn FnMut()) -> Result<(String, String), OpeningError> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(plan.seed);
    let mut choices: [Vec<Choice>; STAGES] = Default::default();
    plan.play(
        plies,
        |position, player| {
            let stage = stage(position.board(), position.color());
            choices[stage].push(choice(position, player, &mut rng));
        },
        done,
    )?;
    let (mut source, mut report) = ("[\n".to_owned(), String::new());
    for (n, (choices, weights)) in choices.iter_mut().zip(&WEIGHTS).enumerate() {
        let mut vector = [&weights.features[..], &weights.pieces].concat();
        let held_out = choices.split_off(choices.len() - choices.len() / 10);
        let before = softmax::loss(&held_out, &vector);
        // A stage without games keeps its weights.
        if !choices.is_empty() {
            softmax::fit(choices, &mut vector, EPOCHS, &mut rng);
        }
        let (samples, after) = (choices.len(), softmax::loss(&held_out, &vector));
        // Writing to a string cannot fail.
        let _ = writeln!(report, "stage {n}: {samples} samples, loss held out {before:.4} before, {after:.4} after");
        let (features, pieces) = vector.split_at(FEATURES);
        let _ = writeln!(
            source,
            "    Weights {{\n        features: {},\n        pieces: {},\n    }},",
            list(features),
            list(pieces)
        );
    }
    source += "]\n";
    Ok((source, report))
}

/// The moves of the search that a player has just made.
fn choice(position: &Position, player: &MctsPlayer, rng: &mut impl Rng) -> Choice {
    let mut candidates: Vec<(Placement, u32)> = player.candidates().collect();
    candidates.sort_unstable_by_key(|&(placement, visits)| (std::cmp::Reverse(visits), placement));
    if candidates.len() > MOST_VISITED {
        candidates[MOST_VISITED..].shuffle(rng);
        candidates.truncate(2 * MOST_VISITED);
    }
    let total: u32 = candidates.iter().map(|&(_, visits)| visits).sum();
    // The score with a single weight of one is the feature of that weight.
    let units: Vec<Weights> = (0..FEATURES).map(unit).collect();
    let scorers: Vec<Scorer> = units.iter().map(|unit| Scorer::new(position.board(), position.color(), unit)).collect();
    let mut choice = Choice::default();
    for (placement, visits) in candidates {
        choice.targets.push(visits as f32 / total as f32);
        choice.features.extend(scorers.iter().map(|scorer| scorer.score(placement)));
        choice.features.extend(Piece::ALL.map(|piece| f32::from(piece == placement.piece())));
    }
    debug_assert_eq!(choice.features.len(), choice.targets.len() * WIDTH);
    choice
}

/// A weight of one for one feature.
fn unit(feature: usize) -> Weights {
    let mut weights = Weights { features: [0.0; FEATURES], pieces: [0.0; Piece::COUNT] };
    weights.features[feature] = 1.0;
    weights
}
