//! Prediction errors of weights on self-play games.

use std::array::from_fn;
use std::iter::Sum;
use std::ops::Range;

use game::{Placement, Position};
use player::model::value_net::{PositionFeatures, TURNS};
use player::model::{Model, logistic};
use record::selfplay::{Game, Ply};

/// The stages of the game in turns.
pub const STAGES: [Range<u16>; 4] = [TURNS.start..16, 16..28, 28..40, 40..TURNS.end];

/// Columns of the report. The first four are root mean squared errors of the expected result of the team to move, 0 to
/// 1: by the evaluation, by the convolutional network, by the mean of their log-odds, and by the search. The others are
/// cross entropies with the visits of the search, in nats: of the prior, of the policy network, and of the visits
/// themselves, which is the minimum.
pub const COLUMNS: [&str; 7] = ["evaluation", "network", "both", "search", "features", "policy", "visits"];

/// Number of columns with root mean squared errors.
const ROOTS: usize = 4;

/// Prediction errors on the fully searched positions of games.
///
/// ```
/// use player::model::Model;
/// use record::selfplay::Settings;
/// use trainer::measure::{Errors, STAGES};
///
/// let settings = Settings { fast_nodes: 5, full_nodes: 30, ..Settings::default() };
/// let game = trainer::selfplay::play(&settings, 1, 0)?;
/// let mut stages = [Errors::default(); STAGES.len()];
/// Errors::add(&mut stages, &game, &game.replay()?, &Model::built_in());
/// let all: Errors = stages.iter().sum();
/// let [evaluation, .., features, policy, visits] = all.means().expect("there are positions");
/// assert!(all.positions > 0 && evaluation < 1.0 && visits < features.min(policy));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Default, Debug)]
pub struct Errors {
    /// Number of positions.
    pub positions: u32,
    sums: [f64; COLUMNS.len()],
}

impl Errors {
    /// Adds the usable positions of a game, each to its stage of [`STAGES`].
    pub fn add(stages: &mut [Self; STAGES.len()], game: &Game, positions: &[Position], model: &Model) {
        let Some(end) = positions.last() else { return };
        // Positions before an exploration move do not predict the result.
        for (ply, position) in game.plies.iter().zip(positions).skip(game.first_usable_ply()) {
            let stage = STAGES.iter().position(|turns| turns.contains(&position.turn()));
            let result = 0.5 + 0.5 * f64::from(end.margin(position.color().team()).signum());
            if let Some(stage) = stage
                && let Some(found) = measured(position, ply, result, model)
            {
                stages[stage] = [stages[stage], found].iter().sum();
            }
        }
    }

    /// Returns the mean of each column; `None` without positions.
    pub fn means(&self) -> Option<[f64; COLUMNS.len()]> {
        let means = from_fn(|column| {
            let mean = self.sums[column] / f64::from(self.positions);
            if column < ROOTS { mean.sqrt() } else { mean }
        });
        (self.positions > 0).then_some(means)
    }
}

impl<'a> Sum<&'a Self> for Errors {
    fn sum<I: Iterator<Item = &'a Self>>(errors: I) -> Self {
        errors.fold(Self::default(), |a, b| Self {
            positions: a.positions + b.positions,
            sums: from_fn(|column| a.sums[column] + b.sums[column]),
        })
    }
}

/// Returns the errors in one position; `None` without a full search or an evaluation.
fn measured(position: &Position, ply: &Ply, result: f64, model: &Model) -> Option<Errors> {
    let searched = ply.evaluation.filter(|_| !ply.visits.is_empty())?;
    let (board, in_play, color, turn) = (position.board(), position.in_play(), position.color(), position.turn());
    let features = PositionFeatures::of(board, in_play, turn)?;
    let (policy, prior) = (model.policy_scorer(board, in_play, color, turn), model.prior_scorer(board, color));
    let network = &model.value_net.network;
    let [evaluation, policy_value] =
        [network.output(&network.hidden(features.inputs())), policy.policy_output()?.log_odds()];
    let wins = [
        logistic(evaluation),
        logistic(policy_value),
        logistic((evaluation + policy_value) / 2.0),
        f32::from(searched.win) / f32::from(u16::MAX),
    ];
    let [evaluation, network, both, search] = wins.map(|win| (f64::from(win) - result).powi(2));

    let placements = board.placements(color);
    let simulations: f64 = ply.visits.iter().map(|&(_, visits)| f64::from(visits)).sum();
    let shares = || ply.visits.iter().map(|&(placement, visits)| (placement, f64::from(visits) / simulations));
    let cross_entropy = |score: &dyn Fn(Placement) -> f32| {
        let partition: f64 = placements.iter().map(|&placement| f64::from(score(placement)).exp()).sum();
        shares().map(|(placement, share)| share * (partition.ln() - f64::from(score(placement)))).sum::<f64>()
    };
    let features = cross_entropy(&|placement| prior.score(placement));
    let policy = cross_entropy(&|placement| policy.score(placement));
    let visits = shares().map(|(_, share)| -share * share.ln()).sum();
    Some(Errors { positions: 1, sums: [evaluation, network, both, search, features, policy, visits] })
}
