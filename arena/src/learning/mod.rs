//! Weights of the Monte Carlo player, learnt from its own games.
//!
//! Both of its models are the same kind of regression ([`softmax`]): [`prior`] learns which moves a
//! search will visit, [`evaluation`] how playouts end. [`games`] are the games whose positions they
//! learn from. What is learnt is written as the source file that the player includes.

pub mod evaluation;
pub mod games;
pub mod prior;
pub mod softmax;

use std::fmt::Write;

/// Passes over the samples.
const EPOCHS: usize = 15;

/// A list of weights as source code, with so many decimals as games can tell apart.
fn list(weights: &[f32]) -> String {
    let weights: Vec<String> = weights.iter().map(|weight| format!("{:?}", (weight * 1e3).round() / 1e3)).collect();
    format!("[{}]", weights.join(", "))
}

/// What a stage's learning came to: samples, and the loss before and after on those held out.
fn describe(report: &mut String, stage: usize, samples: usize, before: f32, after: f32) {
    // Writing to a string cannot fail.
    let _ = writeln!(report, "stage {stage}: {samples} samples, loss held out {before:.4} before, {after:.4} after");
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Plan;
    use player::mcts::params::Params;

    #[test]
    fn the_same_plan_learns_the_same_weights() {
        let plan = Plan { games: 3, nodes: 30, plies: 16, params: Params::default(), seed: 5 };
        for learn in [prior::learn, evaluation::learn] {
            let mut played = 0;
            let learnt = learn(&plan, &mut || played += 1).unwrap();
            assert_eq!(played, plan.games);
            assert_eq!(learnt, learn(&plan, &mut || ()).unwrap());
            let (source, report) = learnt;
            // Stages that the games did not reach keep their weights and are there, too.
            assert_eq!(source.matches("Weights {").count(), 5);
            assert!(report.contains("stage 4: 0 samples"), "{report}");
        }
    }
}
