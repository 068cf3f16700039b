//! Trains the evaluation of positions on the results of games of self-play.
//!
//! The values of searches are more accurate than the result of one game, but searches use the evaluation themselves, so
//! their values would repeat its mistakes.
//!
//! A search also evaluates leaves where the next colour cannot move. Games skip such positions, so the samples
//! contain none.

use std::path::PathBuf;

use game::{Position, Rules, Team};
use player::mcts::Params;
use player::model::Model;
use player::model::value_net::{INPUTS, Mlp, PositionFeatures, ValueNet};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use record::selfplay::{ShardError, ShardReader};

use crate::value_net::{self, RATE, Sample};
use crate::{EPOCHS, shown};

/// Trains a network on the games of files, and returns it and a report of its error on the held-out last tenth of the
/// positions; `None` without positions. With `further`, the model's network is trained further at a lower rate. `done`
/// is called after each game.
///
/// # Errors
/// [`ShardError`] of the first file that cannot be read.
pub fn train(
    files: &[PathBuf],
    params: &Params,
    model: &Model,
    further: bool,
    seed: u64,
    done: &mut dyn FnMut(),
) -> Result<Option<(ValueNet, String)>, ShardError> {
    // Positions of one game are adjacent.
    let (mut samples, mut rules): (Vec<Sample<INPUTS>>, Vec<Rules>) = Default::default();
    for path in files {
        for game in ShardReader::open(path)? {
            let (game, positions) = game?;
            if let [usable @ .., end] = &positions[game.first_usable_ply()..] {
                let margin = end.margin(Team::One);
                samples.extend(usable.iter().filter_map(|position| sample(params, position, margin)));
                rules.resize(samples.len(), end.rules());
            }
            done();
        }
    }
    let count = samples.len();
    if count == 0 {
        return Ok(None);
    }
    // Splits between games, because positions of one game have the same result.
    let held_out = samples.split_off(count - count / 10);
    let rules = &rules[samples.len()..];
    let before = &model.value_net.network;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (first, rate) = if further { (before.clone(), RATE / 3.0) } else { (value_net::untrained(&mut rng), RATE) };
    let network = value_net::train(first, &mut samples, EPOCHS, rate, &mut rng);
    let errors = |network: &Mlp<INPUTS>| {
        let of = |wanted: &dyn Fn(Rules) -> bool| {
            let wanted = held_out.iter().zip(rules).filter(|(_, of)| wanted(**of));
            shown(value_net::error(wanted.map(|(sample, _)| sample), network))
        };
        let of_rules = Rules::TWO_PLAYERS.iter().map(|&rules| format!("{rules} {}", of(&|of| of == rules)));
        format!("{} ({})", of(&|_| true), of_rules.collect::<Vec<_>>().join(", "))
    };
    let report = format!("{count} samples, error held out {} before, {} after\n", errors(before), errors(&network));
    Ok(Some((ValueNet { network }, report)))
}

/// Returns a position of a game that ended with this margin of team one, in points. The target is the result for the
/// team to move, as a search from there counts it. `None` for a position that is not evaluated.
fn sample(params: &Params, position: &Position, margin: i32) -> Option<Sample<INPUTS>> {
    let turn = position.turn();
    let view = PositionFeatures::of(position.board(), position.in_play(), turn)?;
    let of_one = params.at(turn).result(margin);
    let target = if view.on_turn.team() == Team::One { of_one } else { 1.0 - of_one };
    Some(Sample { inputs: *view.inputs(), target })
}

#[cfg(test)]
mod tests {
    use player::model::value_net::TURNS;
    use record::selfplay::SelfPlaySettings;

    use super::*;

    #[test]
    fn target_is_result_of_team_to_move() {
        let settings = SelfPlaySettings { fast_nodes: 1, full_nodes: 1, ..SelfPlaySettings::default() };
        let positions = crate::selfplay::play(&settings, 2, 0).unwrap().replay().unwrap();
        let mut teams = [0; 2];
        for position in positions.iter().filter(|position| TURNS.contains(&position.turn()) && !position.is_over()) {
            let target = |margin: i32| sample(&Params::default(), position, margin).unwrap().target;
            let team = position.color().team();
            teams[team as usize] += 1;
            let sign = if team == Team::One { 1 } else { -1 };
            assert!(target(9 * sign) > 0.75 && target(-9 * sign) < 0.25 && target(0) == 0.5);
            assert!(target(10 * sign) > target(9 * sign));
        }
        assert!(teams.into_iter().all(|count| count > 9), "{teams:?}");
    }
}
