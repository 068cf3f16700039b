//! Trains the priors of moves on the shares of a search's visits.

use std::collections::HashSet;
use std::fmt::Write;
use std::path::PathBuf;

use game::{Placement, Position};
use player::model::prior::{PlacementWeights, Prior, PriorScorer, STAGES, stage};
use player::model::{Features, Model};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use record::selfplay::{ShardError, ShardReader};

use crate::softmax::{self, ChoiceSample};
use crate::{EPOCHS, shown};

/// Number of most visited moves used as samples; the same number of other moves is drawn at random.
const MAX_VISITED: usize = 40;

/// Trains the model's prior on the full searches in the first `plies` plies of the games of files, and returns it and a
/// report of its loss; `None` without a position to train on. Stages that the games do not reach keep their weights.
/// `done` is called after each game.
///
/// # Errors
/// [`ShardError`] of the first file that cannot be read.
pub fn train(
    files: &[PathBuf],
    plies: u16,
    model: &Model,
    seed: u64,
    done: &mut dyn FnMut(),
) -> Result<Option<(Prior, String)>, ShardError> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut choices: [Vec<ChoiceSample>; STAGES] = Default::default();
    for path in files {
        for game in ShardReader::open(path)? {
            let (game, positions) = game?;
            for (ply, position) in game.plies.iter().zip(&positions) {
                if !ply.visits.is_empty() && position.turn() < plies {
                    let stage = stage(position.board(), position.color());
                    choices[stage].push(sample(position, &ply.visits, &mut rng));
                }
            }
            done();
        }
    }
    if choices.iter().all(Vec::is_empty) {
        return Ok(None);
    }
    let (mut prior, mut report) = (model.prior.clone(), String::new());
    for (n, (choices, weights)) in choices.iter_mut().zip(&mut prior.stages).enumerate() {
        let weights = weights.numbers_mut();
        let held_out = choices.split_off(choices.len() - choices.len() / 10);
        let before = shown(softmax::loss(&held_out, weights));
        if !choices.is_empty() {
            softmax::fit(choices, weights, EPOCHS, &mut rng);
        }
        let (samples, after) = (choices.len(), shown(softmax::loss(&held_out, weights)));
        // Writing to a string cannot fail.
        let _ = writeln!(report, "stage {n}: {samples} samples, loss held out {before} before, {after} after");
    }
    Ok(Some((prior, report)))
}

/// Returns a sample: the visited moves of a search and other legal ones.
fn sample(position: &Position, visits: &[(Placement, u16)], rng: &mut impl Rng) -> ChoiceSample {
    let visited: HashSet<Placement> = visits.iter().map(|&(placement, _)| placement).collect();
    let legal = position.placements().into_iter();
    let others = legal.filter(|placement| !visited.contains(placement)).map(|placement| (placement, 0));
    let mut candidates: Vec<(Placement, u16)> = visits.iter().copied().chain(others).collect();
    if candidates.len() > MAX_VISITED {
        candidates[MAX_VISITED..].shuffle(rng);
        candidates.truncate(2 * MAX_VISITED);
    }
    let total: f32 = candidates.iter().map(|&(_, visits)| f32::from(visits)).sum();
    // The score with a single weight of one is the feature of that weight.
    let units: Vec<PlacementWeights> = (0..PlacementWeights::COUNT).map(unit).collect();
    let scorers: Vec<PriorScorer> =
        units.iter().map(|unit| PriorScorer::new(position.board(), position.color(), unit)).collect();
    let mut sample = ChoiceSample::default();
    for (placement, visits) in candidates {
        sample.targets.push(f32::from(visits) / total);
        sample.features.extend(scorers.iter().map(|scorer| scorer.score(placement)));
    }
    debug_assert_eq!(sample.features.len(), sample.targets.len() * PlacementWeights::COUNT);
    sample
}

/// Returns a weight of one for one feature.
fn unit(feature: usize) -> PlacementWeights {
    let mut weights = PlacementWeights::default();
    weights.numbers_mut()[feature] = 1.0;
    weights
}
