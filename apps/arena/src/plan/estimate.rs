//! Estimated duration of a plan.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use player::SearchLimits;

use super::{Entrant, Plan};
use crate::engines::{Budget, Spec};
use crate::games::contest::play_game;
use crate::games::played::PlayedGame;
use crate::matches::MatchError;

/// Size and duration of a plan.
#[derive(Clone, PartialEq, Debug)]
pub struct Estimate {
    /// All games, if none is saved by a test.
    pub games: u64,
    /// Number of moves that the contestants choose in a game.
    pub moves: usize,
    /// Duration of all games if they are played one after another and every move takes its full time. Moves of unknown
    /// duration count as zero.
    pub time: Duration,
    /// Contestants of unknown speed: programs that are limited by nodes but not by time.
    pub unknown: Vec<String>,
}

/// Player of the sample game: fast, with a typical number of pieces.
const TYPICAL: &str = "heuristic";

/// Number of moves between two measurements.
const SAMPLED: usize = 8;

/// Maximum number of nodes of a measurement.
const MOST_NODES: u64 = 2_000;

/// Estimates the duration of a plan: plays one quick game and measures built-in players without a time limit on some of
/// its positions.
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
    let spec: Spec = TYPICAL.parse().unwrap_or_else(|error| unreachable!("the player is built in: {error}"));
    let quick = Plan { contestants: vec![spec.clone().into(), spec.into()], ..plan.match_plan(0) };
    let (pairing, stop) = (quick.pairing((0, false))?, AtomicBool::new(false));
    let game = play_game(&pairing, &mut quick.contestants(), quick.clock(), &stop, |_| ())?;
    Ok(game.unwrap_or_else(|| unreachable!("the game is not stopped")))
}

/// Returns the time for a move and the search in the opponent's time; `None` if unknown.
fn time_per_move(entrant: &Entrant, game: &PlayedGame) -> Option<Duration> {
    let Budget { time, nodes } = entrant.spec.budget();
    let own = match time {
        Some(time) => time,
        None => time_of_nodes(entrant, nodes?, game)?,
    };
    match entrant.spec.built_in().map_or(0, |player| player.ponder) {
        0 => Some(own),
        ahead => Some(own + time_of_nodes(entrant, ahead, game)?),
    }
}

/// Measures a search of `nodes` nodes, if the player is built in.
fn time_of_nodes(entrant: &Entrant, nodes: u64, game: &PlayedGame) -> Option<Duration> {
    let mut player = entrant.spec.built_in()?.player(0, entrant.spec.threads()).ok()?;
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

    fn estimated(settings: &str, players: [&str; 2]) -> Estimate {
        let players = players.map(|player| format!("\n[[contestant]]\nplayer = '{player}'"));
        estimate(&(settings.to_owned() + &players.concat()).parse().unwrap()).unwrap()
    }

    #[test]
    fn times_add_up() {
        let players = ["mcts", "mcts:time=400"];
        let Estimate { games, moves, time, unknown } = estimated("games = 10\ntime = 200", players);
        assert_eq!((games, unknown), (10, Vec::new()));
        assert!((60..90).contains(&moves), "{moves} moves");
        let expected = 10.0 * moves as f64 * 0.3;
        assert!((time.as_secs_f64() - expected).abs() < 1e-6, "{time:?}");
        let three = "games = 10\n[[contestant]]\nplayer = 'exec:false'";
        assert_eq!(estimated(three, players).games, 30);
    }

    #[test]
    fn nodes_and_pondering_take_time() {
        let time = |settings: &str, player| estimated(settings, [player, "heuristic"]).time;
        // Two million evaluations take more than a millisecond on any machine.
        assert!(time("time = 1", "heuristic:ponder=2000000") > 2 * time("time = 1", "heuristic"));
        // A factor of 1,000, so that other programs on this machine cannot reverse the order.
        let [few, many] = [1, 1000].map(|factor| time(&format!("nodes = {}", factor * MOST_NODES), "heuristic"));
        assert!(few > Duration::ZERO && many > few, "{few:?}, {many:?}");
        assert_eq!(estimated("nodes = 5", ["gtp:engine", "random"]).unknown, ["gtp:engine"]);
    }
}
