//! How long a plan takes.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use player::SearchLimits;

use super::{Entrant, Plan};
use crate::contestant::{Budget, Spec};
use crate::matches::{MatchError, MatchPlan};
use crate::played::PlayedGame;
use crate::statistics::Tally;

/// How much a plan is.
#[derive(Clone, PartialEq, Debug)]
pub struct Estimate {
    /// All games, if none is saved by a test.
    pub games: u64,
    /// How many moves the contestants choose in a game.
    pub moves: usize,
    /// How long all games take if one is played after the other and every move takes the time that it may. Moves of
    /// which it is not known how long they take count as nothing.
    pub time: Duration,
    /// The names of those contestants of whom it is not known how long they take: programs whose nodes are limited, but
    /// not their time.
    pub unknown: Vec<String>,
}

/// Which player plays the game that is looked at. It needs no time and places about as many pieces as the others.
const TYPICAL: &str = "heuristic";

/// Every so many moves of that game it is measured how long a contestant takes.
const SAMPLED: usize = 8;

/// The most nodes with which that is done.
const MOST_NODES: u64 = 2_000;

/// Estimates how long a plan takes: plays one quick game of it, and measures on some of its positions how fast those
/// built-in players are whose nodes are limited, but not their time.
///
/// # Errors
/// [`MatchError`] if games cannot begin as they should.
pub fn estimate(plan: &Plan) -> Result<Estimate, MatchError> {
    let game = typical_game(plan)?;
    let moves = game.plies.iter().filter(|ply| ply.choice.is_some()).count();
    let mut time = Duration::ZERO;
    let mut unknown = Vec::new();
    for entrant in &plan.contestants {
        match time_per_move(entrant, &game) {
            Some(per_move) => time += per_move,
            None => unknown.push(entrant.name.clone()),
        }
    }
    let games = plan.games();
    // Every contestant makes the same share of all moves.
    let shares = plan.contestants.len() as f64;
    let time = Duration::try_from_secs_f64(time.as_secs_f64() * moves as f64 * games as f64 / shares);
    Ok(Estimate { games, moves, time: time.unwrap_or(Duration::MAX), unknown })
}

fn typical_game(plan: &Plan) -> Result<PlayedGame, MatchError> {
    let typical = || TYPICAL.parse::<Spec>();
    let (Ok(a), Ok(b)) = (typical(), typical()) else { unreachable!("`{TYPICAL}` is a built-in player") };
    let quick =
        MatchPlan { sides: [a, b], budgets: [Budget::UNLIMITED; 2], pairs: 1, sprt: None, ..plan.match_plan(0) };
    let (mut game, stop) = (None, AtomicBool::new(false));
    let second = HashSet::from([(0, true)]);
    quick.play(&second, &mut Tally::default(), 1, &stop, |played, _| game = Some(played.clone()))?;
    Ok(game.unwrap_or_else(|| unreachable!("nobody has stopped the game")))
}

/// The time for a move, and for what is thought ahead after it. `None` if that is not known.
fn time_per_move(entrant: &Entrant, game: &PlayedGame) -> Option<Duration> {
    let Budget { time, nodes } = entrant.budget;
    let own = match time {
        Some(time) => time,
        None => time_of_nodes(entrant, nodes?, game)?,
    };
    match entrant.spec.ponder() {
        0 => Some(own),
        ahead => Some(own + time_of_nodes(entrant, ahead, game)?),
    }
}

/// The time of a search of so many nodes, if the player is a built-in one.
fn time_of_nodes(entrant: &Entrant, nodes: u64, game: &PlayedGame) -> Option<Duration> {
    let mut player = entrant.spec.player(entrant.spec.threads())?;
    let measured = nodes.clamp(1, MOST_NODES);
    let thought = game.positions().zip(&game.plies).filter(|(_, ply)| ply.choice.is_some());
    let (mut time, mut count) = (Duration::ZERO, 0);
    for (position, _) in thought.step_by(SAMPLED) {
        let begun = Instant::now();
        player.choose(&position, &SearchLimits::nodes(measured));
        time += begun.elapsed();
        count += 1;
    }
    Some(time.checked_div(count)?.mul_f64(nodes.max(1) as f64 / measured as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimated(text: &str) -> Estimate {
        estimate(&text.parse().unwrap()).unwrap()
    }

    #[test]
    fn times_add_up() {
        let two = "games = 10\ntime = 200\n[[contestant]]\nplayer = 'mcts'\n[[contestant]]\nplayer = 'mcts:time=400'\n";
        let Estimate { games, moves, time, unknown } = estimated(two);
        assert_eq!((games, unknown), (10, Vec::new()));
        assert!((60..90).contains(&moves), "{moves} moves");
        let expected = 10.0 * moves as f64 * 0.3;
        assert!((time.as_secs_f64() - expected).abs() < 1e-6, "{time:?}");
        let three = format!("{two}[[contestant]]\nplayer = 'exec:false'");
        assert_eq!(estimated(&three).games, 30);
    }

    #[test]
    fn what_is_thought_ahead_takes_time() {
        let time = |ponder: &str| {
            let text = format!(
                "games = 10\ntime = 1\n[[contestant]]\nplayer = 'mcts:memory=1{ponder}'\n[[contestant]]\nplayer = 'random'"
            );
            estimated(&text).time
        };
        // Twenty thousand simulations take more than a millisecond on any machine.
        assert!(time(",ponder=20000") > 2 * time(""));
    }

    #[test]
    fn nodes_are_measured() {
        let time = |nodes: u64| {
            let text = format!(
                "nodes = {nodes}\n[[contestant]]\nplayer = 'mcts:memory=1'\n[[contestant]]\nplayer = 'mcts:memory=1'"
            );
            estimated(&text).time
        };
        // A thousand times as many, so that no other program on this machine can change which is more.
        let (few, many) = (time(MOST_NODES), time(1000 * MOST_NODES));
        assert!(few > Duration::ZERO && many > few, "{few:?}, {many:?}");
        let unknown = estimated("nodes = 5\n[[contestant]]\nplayer = 'gtp:engine'\n[[contestant]]\nplayer = 'random'");
        assert_eq!(unknown.unknown, ["gtp:engine"]);
    }
}
