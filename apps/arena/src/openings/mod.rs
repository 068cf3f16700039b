//! Openings of games, and opening books.

pub mod book;

use std::fmt;
use std::str::FromStr;

use game::{Move, NotationError, Piece, PieceSet, Placement, Position, Rules, SetupError};
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use thiserror::Error;

use crate::files::read_text;

/// Maximum number of moves drawn at random: about half of a game.
const MAX_DRAWN: usize = 40;

/// Source of the first moves, which both games of a pair share.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Opening {
    /// `random:N`: the first N moves are drawn at random among all legal placements.
    Random(usize),
    /// `large:N`: the first N moves are drawn at random among the legal placements of the largest pieces, as people
    /// play.
    Large(usize),
    /// `moves:PLACEMENT;PLACEMENT;…`, `list:PLACEMENT;…|PLACEMENT;…|…` or `file:PATH`: one of these openings. The first
    /// placement decides the start piece, unless it is given. In the file each opening is a line; empty lines and lines
    /// that begin with `#` are skipped.
    List(Vec<Vec<Placement>>),
}

/// Reads placements with semicolons between them.
pub(crate) fn placements(text: &str) -> Result<Vec<Placement>, NotationError> {
    text.split(';').map(str::parse).collect()
}

/// Writes placements with semicolons between them.
pub fn join(placements: &[Placement]) -> String {
    let texts: Vec<String> = placements.iter().map(Placement::to_string).collect();
    texts.join(";")
}

/// Reads a file with an opening on each line.
fn read_list(path: &str) -> Result<Opening, String> {
    let text = read_text(path.as_ref()).map_err(|error| format!("cannot read `{path}`: {error}"))?;
    let mut list = Vec::new();
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        if !line.is_empty() && !line.starts_with('#') {
            list.push(placements(line).map_err(|error| format!("`{path}`, line {number}: {error}"))?);
        }
    }
    if list.is_empty() { Err(format!("there are no openings in `{path}`")) } else { Ok(Opening::List(list)) }
}

/// Error of an opening: an illegal placement, or a start piece that does not fit the rules.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct OpeningError(String);

impl From<SetupError> for OpeningError {
    fn from(error: SetupError) -> Self {
        Self(error.to_string())
    }
}

impl Opening {
    /// Returns the start position and the opening moves of a pair of games; equal seeds give equal openings. The start
    /// piece is `start_piece`, or else the first listed placement's, or else drawn.
    pub fn draw(
        &self,
        rules: Rules,
        start_piece: Option<Piece>,
        seed: u64,
    ) -> Result<(Position, Vec<Move>), OpeningError> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let count = match self {
            Self::Random(count) | Self::Large(count) => *count,
            Self::List(list) => return forced(rules, start_piece, list.first().map_or(&[], Vec::as_slice)),
        };
        let start_pieces: Vec<Piece> = rules.start_pieces().iter().collect();
        let start = Position::new(rules, start_piece.or(start_pieces.choose(&mut rng).copied()))?;
        let mut position = start;
        let mut moves = Vec::new();
        while moves.len() < count && !position.is_over() {
            let Some(placement) = self.draw_placement(&position, &mut rng) else { break };
            position.play(Move::Place(placement));
            moves.push(Move::Place(placement));
        }
        Ok((start, moves))
    }

    /// Returns the opening of a pair of games: of a list one opening, each once, in an order that depends on
    /// the seed of the match, before the first comes again.
    pub fn of_pair(&self, seed: u64, pair: u32) -> Self {
        let Self::List(list) = self else { return self.clone() };
        let mut order: Vec<&Vec<Placement>> = list.iter().collect();
        order.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        Self::List(order.into_iter().nth(pair as usize % list.len().max(1)).cloned().into_iter().collect())
    }

    /// Returns the number of openings in a list.
    pub fn count(&self) -> Option<usize> {
        if let Self::List(list) = self { Some(list.len()) } else { None }
    }

    /// Checks that all given placements are legal.
    pub fn check(&self, rules: Rules, start_piece: Option<Piece>) -> Result<(), OpeningError> {
        let Self::List(list) = self else { return Ok(()) };
        list.iter().try_for_each(|placements| forced(rules, start_piece, placements).map(|_| ()))
    }

    fn draw_placement(&self, position: &Position, rng: &mut impl Rng) -> Option<Placement> {
        let mut placements = position.placements();
        if let Self::Large(_) = self {
            let pieces: PieceSet = placements.iter().map(|placement| placement.piece()).collect();
            let largest = pieces.iter().map(Piece::size).max()?;
            placements.retain(|placement| placement.piece().size() == largest);
        }
        placements.choose(rng).copied()
    }
}

/// Returns the start position of forced placements, and their moves.
fn forced(
    rules: Rules,
    start_piece: Option<Piece>,
    placements: &[Placement],
) -> Result<(Position, Vec<Move>), OpeningError> {
    let first = placements.first().map(|placement| placement.piece()).filter(|_| !rules.start_pieces().is_empty());
    let start = Position::new(rules, start_piece.or(first))
        .map_err(|error| OpeningError(format!("the opening {}: {error}", join(placements))))?;
    let mut position = start;
    for (number, &placement) in (1..).zip(placements) {
        position.try_play(Move::Place(placement)).map_err(|reason| {
            let start = start.start_piece().map_or("-", Piece::name);
            let opening = join(placements);
            let is_illegal = format!("{placement}, is not legal with start piece {start}: {reason}");
            OpeningError(format!("move {number} of the opening {opening}, {is_illegal}"))
        })?;
    }
    Ok((start, placements.iter().copied().map(Move::Place).collect()))
}

impl Default for Opening {
    fn default() -> Self {
        Self::Random(4)
    }
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random(count) => write!(f, "random:{count}"),
            Self::Large(count) => write!(f, "large:{count}"),
            Self::List(list) => {
                let name = if list.len() == 1 { "moves" } else { "list" };
                let list: Vec<String> = list.iter().map(|placements| join(placements)).collect();
                write!(f, "{name}:{}", list.join("|"))
            }
        }
    }
}

impl FromStr for Opening {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, argument) = text.split_once(':').unwrap_or((text, ""));
        let count = || match argument.parse() {
            Ok(count @ 0..=MAX_DRAWN) => Ok(count),
            _ => Err(format!("`{text}`: expected a number of moves from 0 to {MAX_DRAWN} after the colon")),
        };
        match name {
            "none" if argument.is_empty() => Ok(Self::Random(0)),
            "random" => Ok(Self::Random(count()?)),
            "large" => Ok(Self::Large(count()?)),
            "moves" | "list" => {
                let list = argument.split('|').map(placements).collect::<Result<_, _>>();
                list.map(Self::List).map_err(|error| error.to_string())
            }
            "file" => read_list(argument),
            _ => Err(format!("`{text}`: expected none, random:N, large:N, moves:PLACEMENT;PLACEMENT;… or file:PATH")),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn opening_depends_on_seed() {
        let draw = |seed| Opening::Random(6).draw(Rules::Season2027, None, seed).unwrap();
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1).1, draw(2).1);
        assert_eq!(draw(1).1.len(), 6);
        let (start, _) = Opening::default().draw(Rules::Season2021, Some(Piece::PentoU), 5).unwrap();
        assert_eq!(start.start_piece(), Some(Piece::PentoU));
        assert!(Opening::default().draw(Rules::Classic, Some(Piece::PentoU), 5).is_err());
    }

    #[test]
    fn large_openings_start_with_pentominoes() {
        for seed in 0..20 {
            let (_, moves) = Opening::Large(8).draw(Rules::Classic, None, seed).unwrap();
            assert!(moves.iter().all(|mv| mv.placement().unwrap().piece().size() == 5));
        }
    }

    #[test]
    fn forced_moves_are_legal_and_decide_start_piece() {
        let opening: Opening = "moves:MONO@0,0;DOMINO@18,0".parse().unwrap();
        assert_eq!(opening.to_string(), "moves:MONO@0,0;DOMINO@18,0");
        assert_eq!(opening.draw(Rules::Classic, None, 0).unwrap().1.len(), 2);
        let twice: Opening = "moves:MONO@0,0;MONO@0,0".parse().unwrap();
        let error = twice.draw(Rules::Classic, None, 0).unwrap_err().to_string();
        assert!(error.starts_with("move 2 of the opening MONO@0,0;MONO@0,0, MONO@0,0, is not legal"), "{error}");
        for text in ["random", "random:x", "random:41", "large:-1", "", "none:3", "moves:FOO@1,1", "moves:"] {
            assert!(text.parse::<Opening>().is_err(), "{text}");
        }
        let opening: Opening = "moves:PENTO_W@0,0;PENTO_W@17,17".parse().unwrap();
        let (start, moves) = opening.draw(Rules::Season2021, None, 3).unwrap();
        assert_eq!((start.start_piece(), moves.len()), (Some(Piece::PentoW), 2));
        let given = opening.draw(Rules::Season2021, Some(Piece::PentoU), 3).unwrap_err().to_string();
        assert!(given.contains("move 1") && given.contains("start piece PENTO_U"), "{given}");
        let mono: Opening = "moves:MONO@0,0".parse().unwrap();
        assert!(mono.draw(Rules::Season2021, None, 3).unwrap_err().to_string().contains("MONO"));
    }

    #[test]
    fn order_of_listed_openings_depends_on_seed() {
        let list: Opening = "list:MONO@0,0|DOMINO@0,0|TRIO_I@0,0;MONO@19,0".parse().unwrap();
        let order = |seed| [0, 1, 2].map(|pair| list.of_pair(seed, pair).to_string());
        assert_eq!((0..100).map(order).collect::<HashSet<_>>().len(), 6);
        let wrong: Opening = "list:MONO@0,0|MONO@0,0;DOMINO@5,5".parse().unwrap();
        let error = wrong.check(Rules::Classic, None).unwrap_err().to_string();
        assert!(error.contains("move 2 of the opening MONO@0,0;DOMINO@5,5, "), "{error}");
    }
}
