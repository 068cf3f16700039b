//! Positions drawn from games.

use std::collections::HashSet;

use game::{Placement, Position, Rules};
use rand::SeedableRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_xoshiro::Xoshiro256PlusPlus;
use record::Game;

use super::STAGES;
use crate::openings::book::OpeningLine;

/// The rules of all positions.
const RULES: Rules = Rules::Season2027;

/// Returns the line of placements on the empty board, unless the game is over after them.
pub(super) fn line(placements: Vec<Placement>) -> Result<OpeningLine, String> {
    let first = placements.first().map(|placement| placement.piece());
    let start = Position::new(RULES, first).map_err(|error| error.to_string())?;
    let line = placements.into_iter().try_fold(OpeningLine::of(start), |line, placement| line.and(placement));
    let line = line.map_err(|reason| reason.to_string())?;
    if line.position().is_over() { Err("the game is over".to_owned()) } else { Ok(line) }
}

/// Draws one position of each stage from every game, in random order and without duplicates. Ignores games by other
/// rules, set-up positions and moves after a voluntary pass.
pub fn draw(games: &[Game], seed: u64) -> [Vec<OpeningLine>; STAGES.len()] {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut found = HashSet::new();
    STAGES.map(|plies| {
        let plies: Vec<u16> = plies.collect();
        let mut lines: Vec<OpeningLine> =
            games.iter().filter_map(|game| after(game, *plies.choose(&mut rng).expect("some plies"))).collect();
        lines.retain(|line| found.insert(line.position().zobrist_hash()));
        lines.shuffle(&mut rng);
        lines
    })
}

/// Returns the first placements of a game, up to the position of a turn.
fn after(game: &Game, turn: u16) -> Option<OpeningLine> {
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
