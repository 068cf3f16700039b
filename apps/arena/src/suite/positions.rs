//! Positions drawn from games.

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use game::{Move, Placement, Position, Rules};
use rand::SeedableRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_xoshiro::Xoshiro256PlusPlus;
use record::Game;

use super::STAGES;
use crate::openings::{Opening, join, placements};

/// The rules of all positions.
const RULES: Rules = Rules::Season2027;

/// The placements that lead from the empty board to a position, as in a file of openings.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    start: Position,
    placements: Vec<Placement>,
    position: Position,
}

impl Line {
    fn new(placements: Vec<Placement>) -> Result<Self, String> {
        let drawn = Opening::Moves(placements.clone()).draw(RULES, None, 0);
        let (start, moves) = drawn.map_err(|error| error.to_string())?;
        let position = moves.iter().fold(start, |position, &mv| position.after(mv));
        if position.is_over() { Err("the game is over".to_owned()) } else { Ok(Self { start, placements, position }) }
    }

    /// The empty board.
    pub fn start(&self) -> Position {
        self.start
    }

    /// The moves from there.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.placements.iter().map(|&placement| Move::Place(placement))
    }

    /// The position after them.
    pub fn position(&self) -> Position {
        self.position
    }
}

impl FromStr for Line {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::new(placements(text).map_err(|error| error.to_string())?)
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&join(&self.placements))
    }
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
        lines.retain(|line| found.insert(line.position.hash()));
        lines.shuffle(&mut rng);
        lines
    })
}

/// The first placements of a game, up to the position of a turn.
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
    Line::new(placements).ok().filter(|_| position.turn() == turn)
}

#[cfg(test)]
mod tests {
    use player::{FromOptions, HeuristicPlayer, Options, Player, SearchLimits};
    use record::NodeId;

    use super::*;

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
            assert!(lines.iter().all(|line| line.to_string().parse() == Ok(line.clone())));
        }
        assert_eq!(draw(&games, 3), drawn);
        assert_ne!(draw(&games, 4), drawn);
    }
}
