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
