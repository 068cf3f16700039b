//! Weights of the Monte Carlo player, learnt from its own games.
//!
//! [`prior`] learns which moves a search will visit, by regression ([`softmax`]); [`evaluation`] learns how games
//! that go on from a position end, by a neural [`network`]. Both use the same optimiser ([`adam`]).
//! [`games`] are the games whose positions they learn from. What is learnt is written as the source file
//! that the player includes.

pub mod adam;
pub mod evaluation;
pub mod games;
pub mod network;
pub mod prior;
pub mod softmax;

/// Passes over the samples.
const EPOCHS: usize = 15;

/// A weight with so many decimals as games can tell apart.
fn rounded(weight: f32) -> f32 {
    (weight * 1e3).round() / 1e3
}

/// A list of weights as source code.
fn list(weights: &[f32]) -> String {
    let weights: Vec<String> = weights.iter().map(|&weight| format!("{:?}", rounded(weight))).collect();
    format!("[{}]", weights.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opening::OpeningError;
    use games::Plan;
    use player::mcts::evaluation::INPUTS;
    use player::mcts::params::Params;

    type Learn = fn(&Plan, &mut dyn FnMut()) -> Result<(String, String), OpeningError>;

    #[test]
    fn the_same_plan_learns_the_same() {
        let plan = Plan { games: 3, nodes: 30, params: Params::default(), seed: 5 };
        let learners: [Learn; 2] = [|plan, done| prior::learn(plan, 16, done), evaluation::learn];
        let learnt = learners.map(|learn| {
            let mut played = 0;
            let learnt = learn(&plan, &mut || played += 1).unwrap();
            assert_eq!(played, plan.games);
            assert_eq!(learnt, learn(&plan, &mut || ()).unwrap());
            learnt
        });
        let [(prior, stages), (evaluation, samples)] = learnt;
        // Stages that the games did not reach keep their weights and are there, too.
        assert_eq!(prior.matches("Weights {").count(), 5);
        assert!(stages.contains("stage 4: 0 samples"), "{stages}");
        assert_eq!(evaluation.lines().filter(|line| line.starts_with("        [")).count(), INPUTS);
        let count = samples.split(' ').next().and_then(|count| count.parse::<usize>().ok());
        assert!(count.is_some_and(|count| count > 30), "{samples}");
    }
}
