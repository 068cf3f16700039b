//! Positions drawn from games.

use std::collections::HashSet;

use game::{Placement, Position, Rules};
use rand::SeedableRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_xoshiro::Xoshiro256PlusPlus;
use record::Game;

use super::STAGES;
use crate::openings::book::Line;

/// The rules of all positions.
const RULES: Rules = Rules::Season2027;

/// Returns the line of placements on the empty board, unless the game is over after them.
pub(super) fn line(placements: Vec<Placement>) -> Result<Line, String> {
    let first = placements.first().map(|placement| placement.piece());
    let start = Position::new(RULES, first).map_err(|error| error.to_string())?;
    let line = placements.into_iter().try_fold(Line::of(start), |line, placement| line.and(placement));
    let line = line.map_err(|reason| reason.to_string())?;
    if line.position().is_over() { Err("the game is over".to_owned()) } else { Ok(line) }
}

/// Draws one position of each stage from every game, in random order and without duplicates. Ignores games by other
/// rules, set-up positions and moves after a voluntary pass.
pub fn draw(games: &[Game], seed: u64) -> [Vec<Line>; STAGES.len()] {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut found = HashSet::new();
    STAGES.map(|plies| {
        let plies: Vec<u16> = plies.collect();
        let mut lines: Vec<Line> =
            games.iter().filter_map(|game| after(game, *plies.choose(&mut rng).expect("some plies"))).collect();
        lines.retain(|line| found.insert(line.position().zobrist_hash()));
        lines.shuffle(&mut rng);
        lines
    })
}

/// Returns the first placements of a game, up to the position of a turn.
fn after(game: &Game, turn: u16) -> Option<Line> {
    let mut position = *game.start();
    if Position::new(RULES, position.start_piece()).as_ref() != Ok(&position) {
        return None;
    }
    let mut placements = Vec::new();
    for mv in game.moves() {
        if position.turn() >= turn {
            break;
        }
        placements.push(mv.placement()?);
        position.play(mv);
    }
    line(placements).ok().filter(|_| position.turn() == turn)
}

#[cfg(test)]
mod tests {
    use player::{FromOptions, HeuristicPlayer, Options, Player, SearchLimits};
    use record::NodeId;

    use super::*;
    use crate::openings::Opening;

    fn game(seed: u64) -> Game {
        let (start, moves) = Opening::Random(8).draw(RULES, None, seed).unwrap();
        let mut player = HeuristicPlayer::new(&Options::default());
        let (mut game, mut node) = (Game::new(start), NodeId::START);
        for mv in moves {
            node = game.play(node, mv).unwrap();
        }
        while !game.position(node).is_over() {
            let mv = player.choose(&game.position(node), &SearchLimits::nodes(1)).mv;
            node = game.play(node, mv).unwrap();
        }
        game
    }

    #[test]
    fn each_stage_gets_its_plies_once_per_game() {
        let games = [game(1), game(2), game(2)];
        let drawn = draw(&games, 3);
        for (lines, plies) in drawn.iter().zip(STAGES) {
            assert!((1..=3).contains(&lines.len()) && lines.iter().all(|line| plies.contains(&line.position().turn())));
        }
        assert_eq!(draw(&games, 3), drawn);
        assert_ne!(draw(&games, 4), drawn);
    }
}
