//! Trains the priors of moves on the shares of a search's visits.

use std::fmt::Write;

use game::{Placement, Position};
use player::MctsPlayer;
use player::model::Features;
use player::model::prior::{PlacementWeights, Prior, PriorScorer, STAGES, stage};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::games::Plan;
use crate::softmax::{self, Choice};
use crate::{EPOCHS, shown};
use arena::openings::OpeningError;

/// Number of most visited moves used as samples; the same number of other moves is drawn at random.
const MOST_VISITED: usize = 40;

/// Plays the first `plies` plies of games, trains, and returns the weights and a report; `None` without a position
/// to train on. Stages that the games do not reach keep the plan's weights.
///
/// # Errors
/// [`OpeningError`]
pub fn train(plan: &Plan, plies: usize, done: &mut dyn FnMut()) -> Result<Option<(Prior, String)>, OpeningError> {
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
    if choices.iter().all(Vec::is_empty) {
        return Ok(None);
    }
    let (mut prior, mut report) = (plan.model.prior.clone(), String::new());
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
    let units: Vec<PlacementWeights> = (0..PlacementWeights::COUNT).map(unit).collect();
    let scorers: Vec<PriorScorer> =
        units.iter().map(|unit| PriorScorer::new(position.board(), position.color(), unit)).collect();
    let mut choice = Choice::default();
    for (placement, visits) in candidates {
        choice.targets.push(visits as f32 / total as f32);
        choice.features.extend(scorers.iter().map(|scorer| scorer.score(placement)));
    }
    debug_assert_eq!(choice.features.len(), choice.targets.len() * PlacementWeights::COUNT);
    choice
}

/// A weight of one for one feature.
fn unit(feature: usize) -> PlacementWeights {
    let mut weights = PlacementWeights::default();
    weights.numbers_mut()[feature] = 1.0;
    weights
}

#[cfg(test)]
mod tests {
    use player::mcts::Params;
    use player::model::Model;

    use super::*;

    #[test]
    fn training_depends_only_on_the_plan() {
        let model = Model::built_in();
        let plan = |games| Plan { games, nodes: 20, params: Params::default(), seed: 5, model: model.clone() };
        assert_eq!(train(&plan(0), 16, &mut || ()).unwrap(), None);
        let mut played = 0;
        let (prior, report) = train(&plan(3), 16, &mut || played += 1).unwrap().unwrap();
        assert_eq!((played, train(&plan(3), 16, &mut || ()).unwrap()), (3, Some((prior.clone(), report.clone()))));
        assert!(report.contains("stage 4: 0 samples, loss held out - before, - after"), "{report}");
        // Stages that the games did not reach keep their weights.
        let changed = prior.stages.iter().zip(&model.prior.stages).map(|(new, old)| new != old);
        assert_eq!(changed.collect::<Vec<_>>(), [true, true, false, false, false]);
    }
}
