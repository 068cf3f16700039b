//! Better parameters by playing: simultaneous perturbation stochastic approximation.
//!
//! Each iteration moves all parameters at once, each up or down at random. The player with the moved parameters plays
//! the one with the opposite moves, and the parameters take a small step towards the winner. On average the step
//! follows the gradient of playing strength, with two players per step for any number of parameters (J. C. Spall,
//! Multivariate stochastic approximation using a simultaneous perturbation gradient approximation, 1992). The gains
//! decay as he recommends (Implementation of the simultaneous perturbation algorithm, 1998).
//!
//! Optimisation crates need the value of a function; a game only compares two players, which is all this method needs.

mod history;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

pub use history::History;

use crate::engines::{Spec, SpecError};
use crate::plan::{Entrant, Plan};

/// A parameter that is tuned.
#[derive(Clone, PartialEq, Debug)]
pub struct Axis {
    /// Name of the parameter.
    pub name: String,
    /// Minimum.
    pub low: f64,
    /// Maximum.
    pub high: f64,
    /// First value.
    pub start: f64,
    /// Number of decimals in the options of a player.
    pub decimals: usize,
}

/// Distance of both players from the current values in the last iteration, as a share of each range; larger before.
pub const SPREAD: f64 = 0.1;

/// Step of the values in the last iteration if one player wins all games, as a share of each range; larger before.
const STEP: f64 = 0.005;

/// Decay of the spread, Spall's gamma.
const SPREAD_DECAY: f64 = 0.101;

/// Decay of the gain, Spall's alpha.
const GAIN_DECAY: f64 = 0.602;

/// Spall's A as part of the iterations: keeps the first steps from being too large.
const STABILITY: f64 = 0.1;

/// The state of a tuning. The same seed and the same scores give the same values.
#[derive(Clone, Debug)]
pub struct Spsa {
    axes: Vec<Axis>,
    iterations: u32,
    rng: Xoshiro256PlusPlus,
    /// The current values, 0 to 1 in their ranges.
    place: Vec<f64>,
    /// Current iteration, from 1.
    iteration: u32,
    /// Direction of each parameter in this iteration: up (1) or down (-1).
    direction: Vec<f64>,
}

impl Spsa {
    /// Begins the first iteration.
    pub fn new(axes: Vec<Axis>, iterations: u32, seed: u64) -> Self {
        let place = axes.iter().map(|axis| (axis.start - axis.low) / (axis.high - axis.low)).collect();
        let rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut spsa = Self { axes, iterations, rng, place, iteration: 0, direction: Vec::new() };
        spsa.begin_iteration();
        spsa
    }

    fn begin_iteration(&mut self) {
        self.iteration += 1;
        self.direction = self.place.iter().map(|_| if self.rng.random() { 1.0 } else { -1.0 }).collect();
    }

    /// Returns the current iteration, from 1.
    pub fn iteration(&self) -> u32 {
        self.iteration
    }

    /// Returns `true` if all iterations are done.
    pub fn is_done(&self) -> bool {
        self.iteration > self.iterations
    }

    /// Returns the players' distance from the current values. Uses libm, so that a tuning can resume on any machine.
    fn spread(&self) -> f64 {
        SPREAD * libm::pow(f64::from(self.iterations) / f64::from(self.iteration), SPREAD_DECAY)
    }

    /// Returns the step for a score of 1. With gain a and spread c it is a / 2c.
    fn step(&self) -> f64 {
        let stability = STABILITY * f64::from(self.iterations);
        let gain = (stability + f64::from(self.iterations)) / (stability + f64::from(self.iteration));
        STEP * libm::pow(gain, GAIN_DECAY) * SPREAD / self.spread()
    }

    /// Returns the current values.
    pub fn values(&self) -> Vec<f64> {
        self.values_at(0.0)
    }

    /// Formats values as options of a contestant.
    pub fn options(&self, values: &[f64]) -> String {
        let option = |(axis, value): (&Axis, &f64)| format!("{}={value:.*}", axis.name, axis.decimals);
        self.axes.iter().zip(values).map(option).collect::<Vec<_>>().join(",")
    }

    /// Returns the values of the two players to compare.
    pub fn candidates(&self) -> [Vec<f64>; 2] {
        let spread = self.spread();
        [spread, -spread].map(|distance| self.values_at(distance))
    }

    fn values_at(&self, distance: f64) -> Vec<f64> {
        let places = self.place.iter().zip(&self.direction).map(|(place, up)| (place + distance * up).clamp(0.0, 1.0));
        self.axes.iter().zip(places).map(|(axis, place)| axis.low + place * (axis.high - axis.low)).collect()
    }

    /// Ends the iteration with the score of the first candidate: 1 if it has won all games, -1 if it has lost all.
    pub fn update(&mut self, score: f64) {
        let step = self.step() * score;
        for (place, up) in self.place.iter_mut().zip(&self.direction) {
            *place = (*place + step * up).clamp(0.0, 1.0);
        }
        self.begin_iteration();
    }
}

/// Returns the match of an iteration: the first match of `plan` with openings of its own and these parameters of the
/// players, each as `NAME=VALUE,…`.
pub fn match_plan(plan: &Plan, candidates: &[String; 2], iteration: u32) -> Result<Plan, SpecError> {
    let entrant = |(entrant, values): (&Entrant, &String)| {
        let spec: Spec = with_values(&entrant.spec.to_string(), values).parse()?;
        Ok(spec.with_budget(entrant.spec.budget()).into())
    };
    let contestants = plan.contestants.iter().zip(candidates).map(entrant).collect::<Result<_, _>>()?;
    Ok(Plan { contestants, seed: plan.seed_of(iteration), ..plan.match_plan(0) })
}

/// Returns the text of a player with these parameters; they replace its own values.
pub fn with_values(player: &str, values: &str) -> String {
    let (name, options) = player.split_once(':').unwrap_or((player, ""));
    let key = |pair: &str| pair.split_once('=').map_or(pair, |(key, _)| key).to_owned();
    let changed: Vec<String> = values.split(',').map(key).collect();
    let kept = options.split(',').filter(|pair| !pair.is_empty() && !changed.contains(&key(pair)));
    let options: Vec<&str> = kept.chain([values]).collect();
    format!("{name}:{}", options.join(","))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn axis(name: &str, low: f64, high: f64, start: f64) -> Axis {
        Axis { name: name.to_owned(), low, high, start, decimals: 4 }
    }

    fn axes() -> Vec<Axis> {
        vec![axis("a", 0.0, 1.0, 0.1), axis("b", -50.0, 50.0, 40.0), axis("irrelevant", 0.0, 2.0, 1.0)]
    }

    #[test]
    fn values_stay_in_range_and_follow_winner() {
        let (mut spsa, mut directions) = (Spsa::new(axes(), 10, 1), HashSet::new());
        while !spsa.is_done() {
            let before = spsa.values();
            let [one, two] = spsa.candidates();
            directions.insert([0, 1, 2].map(|i| one[i] > two[i]));
            spsa.update(1.0);
            for (i, axis) in axes().iter().enumerate() {
                let after = spsa.values()[i];
                assert!([one[i], two[i], after].iter().all(|value| (axis.low..=axis.high).contains(value)));
                assert!((after - before[i]) * (one[i] - two[i]) >= 0.0);
            }
        }
        assert!(directions.len() > 2, "{directions:?}");
    }

    #[test]
    fn gains_reach_target_and_draws_change_nothing() {
        let mut spsa = Spsa::new(axes(), 2000, 1);
        let before = spsa.values();
        assert!(spsa.spread() > 2.0 * SPREAD && spsa.step() > STEP);
        (1..2000).for_each(|_| spsa.update(0.0));
        assert_eq!((spsa.values(), spsa.iteration()), (before, 2000));
        assert_eq!((spsa.spread(), spsa.step()), (SPREAD, STEP));
    }

    #[test]
    fn tuned_values_replace_those_of_the_player() {
        assert_eq!(with_values("mcts", "a=1"), "mcts:a=1");
        assert_eq!(with_values("mcts:a=2,seed=3", "a=1,b=0"), "mcts:seed=3,a=1,b=0");
    }
}
