//! Trains the weights of the Monte Carlo player on its own games.
//!
//! [`prior`] fits a softmax regression ([`softmax`]) that predicts which moves a search will visit. [`evaluation`]
//! trains a neural [`value_net`] that predicts the result. Both use the optimiser [`adam`] and positions of [`games`],
//! and write a file of weights ([`WeightsFile`](player::model::WeightsFile)). [`selfplay`] plays games of long searches
//! into [files](record::selfplay); workers of a queue play them in [`batches`]. [`measure`] reports the prediction
//! errors of weights on such games, and [`gate`] tests new weights in matches.

pub mod adam;
pub mod batches;
pub mod evaluation;
pub mod games;
pub mod gate;
pub mod measure;
pub mod prior;
pub mod selfplay;
pub mod softmax;
pub mod value_net;

/// Passes over the samples.
const EPOCHS: usize = 15;

/// A mean over samples as reports have it.
fn shown(mean: Option<f32>) -> String {
    mean.map_or_else(|| "-".to_owned(), |mean| format!("{mean:.4}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::openings::OpeningError;
    use games::Plan;
    use player::mcts::Params;
    use player::model::{Model, Origin, WeightsFile};

    type Learn = fn(&Plan, &mut dyn FnMut()) -> Result<Option<(WeightsFile, String)>, OpeningError>;

    const LEARNERS: [Learn; 2] = [
        |plan, done| {
            let learnt = prior::learn(plan, 16, done)?;
            Ok(learnt.map(|(learnt, report)| (learnt.to_file(Origin::default()), report)))
        },
        |plan, done| {
            let learnt = evaluation::learn(plan, done)?;
            Ok(learnt.map(|(learnt, report)| (learnt.to_file(Origin::default()), report)))
        },
    ];

    fn plan(games: u32) -> Plan {
        Plan { games, nodes: 30, params: Params::default(), seed: 5, model: Model::built_in() }
    }

    #[test]
    fn without_games_nothing_is_learnt() {
        for learn in LEARNERS {
            assert_eq!(learn(&plan(0), &mut || ()).unwrap(), None);
        }
    }

    #[test]
    fn the_same_plan_learns_the_same() {
        let plan = plan(3);
        let learnt = LEARNERS.map(|learn| {
            let mut played = 0;
            let learnt = learn(&plan, &mut || played += 1).unwrap().unwrap();
            assert_eq!(played, plan.games);
            assert_eq!(learnt, learn(&plan, &mut || ()).unwrap().unwrap());
            learnt
        });
        let [(prior, stages), (evaluation, samples)] = learnt;
        assert!(stages.contains("stage 4: 0 samples, loss held out - before, - after"), "{stages}");
        let count = samples.split(' ').next().and_then(|count| count.parse::<usize>().ok());
        assert!(count.is_some_and(|count| count > 30), "{samples}");

        let mut model = Model::clone(&plan.model);
        [prior, evaluation].into_iter().for_each(|file| model.replace(file).unwrap());
        assert_ne!(model.value_net, plan.model.value_net);
        // Stages that the games did not reach keep their weights.
        let changed = model.prior.stages.iter().zip(&plan.model.prior.stages).map(|(new, old)| new != old);
        assert_eq!(changed.collect::<Vec<_>>(), [true, true, false, false, false]);
    }
}
