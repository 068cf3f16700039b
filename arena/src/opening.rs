//! How the games of a match begin.

use std::fmt;
use std::str::FromStr;

use game::{Move, Piece, PieceSet, Placement, Position, Refusal, Rules, SetupError};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use thiserror::Error;

/// How the first moves of a pair of games come about. They are the same in both games.
///
/// ```
/// use arena::opening::Opening;
/// use game::Rules;
///
/// let (start, moves) = Opening::Random(4).draw(Rules::Season2027, None, 7)?;
/// assert_eq!((start.turn(), moves.len()), (0, 4));
/// assert_eq!(Opening::Random(4).draw(Rules::Season2027, None, 7)?.1, moves);
/// # Ok::<(), arena::opening::OpeningError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Opening {
    /// `random:N`: the first N moves are drawn at random among all legal placements.
    Random(usize),
    /// `large:N`: the first N moves are drawn at random among the legal placements of the largest
    /// pieces, as people play.
    Large(usize),
    /// `moves:PLACEMENT;PLACEMENT;…`: these placements. Those that are not legal in the drawn
    /// start position are an error.
    Moves(Vec<Placement>),
}

/// Why a game cannot begin as it should.
///
/// ```
/// use arena::opening::{Opening, OpeningError};
/// use game::Rules;
///
/// let opening = Opening::Moves(vec!["MONO@5,5".parse()?]);
/// assert!(matches!(opening.draw(Rules::Classic, None, 1), Err(OpeningError::Illegal { number: 1, .. })));
/// # Ok::<(), game::NotationError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OpeningError {
    /// A forced placement is not legal.
    #[error("the opening's move {number}, {placement}, is not legal with start piece {start}: {refusal}")]
    Illegal {
        /// Its number, from 1.
        number: usize,
        /// The placement.
        placement: Placement,
        /// The start piece of the game, `-` for none.
        start: &'static str,
        /// Why.
        refusal: Refusal,
    },
    /// The start piece does not fit the rules.
    #[error(transparent)]
    Start(#[from] SetupError),
}

impl Opening {
    /// The start position and the first moves of a pair of games, the same whenever asked with the
    /// same seed. The start piece is drawn unless `start_piece` says which.
    ///
    /// # Errors
    /// [`OpeningError`]
    pub fn draw(
        &self,
        rules: Rules,
        start_piece: Option<Piece>,
        seed: u64,
    ) -> Result<(Position, Vec<Move>), OpeningError> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let start_pieces: Vec<Piece> = rules.start_pieces().iter().collect();
        let start = Position::new(rules, start_piece.or(start_pieces.choose(&mut rng).copied()))?;
        let mut position = start;
        let mut moves = Vec::new();
        match self {
            Self::Moves(placements) => {
                for (i, &placement) in placements.iter().enumerate() {
                    let mv = Move::Place(placement);
                    position.try_play(mv).map_err(|refusal| OpeningError::Illegal {
                        number: i + 1,
                        placement,
                        start: start.start_piece().map_or("-", Piece::name),
                        refusal,
                    })?;
                    moves.push(mv);
                }
            }
            Self::Random(count) | Self::Large(count) => {
                while moves.len() < *count && !position.is_over() {
                    let Some(placement) = self.draw_placement(&position, &mut rng) else { break };
                    position.play(Move::Place(placement));
                    moves.push(Move::Place(placement));
                }
            }
        }
        Ok((start, moves))
    }

    fn draw_placement(&self, position: &Position, rng: &mut impl Rng) -> Option<Placement> {
        let mut placements = Vec::new();
        position.board().list_placements(position.color(), &mut placements);
        if let Self::Large(_) = self {
            let pieces: PieceSet = placements.iter().map(|placement| placement.piece()).collect();
            let largest = pieces.iter().map(Piece::size).max()?;
            placements.retain(|placement| placement.piece().size() == largest);
        }
        placements.choose(rng).copied()
    }
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
            Self::Moves(placements) => {
                let placements: Vec<String> = placements.iter().map(Placement::to_string).collect();
                write!(f, "moves:{}", placements.join(";"))
            }
        }
    }
}

impl FromStr for Opening {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, argument) = text.split_once(':').unwrap_or((text, ""));
        let count = || argument.parse().map_err(|_| format!("`{text}`: expected a number of moves after the colon"));
        match name {
            "none" if argument.is_empty() => Ok(Self::Random(0)),
            "random" => Ok(Self::Random(count()?)),
            "large" => Ok(Self::Large(count()?)),
            "moves" => {
                let placements = argument.split(';').map(str::parse).collect::<Result<_, _>>();
                placements.map(Self::Moves).map_err(|error: game::NotationError| error.to_string())
            }
            _ => Err(format!("`{text}`: expected none, random:N, large:N or moves:PLACEMENT;PLACEMENT;…")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_decides() {
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
    fn forced_moves_are_checked() {
        let opening: Opening = "moves:MONO@0,0;DOMINO@18,0".parse().unwrap();
        assert_eq!(opening.to_string(), "moves:MONO@0,0;DOMINO@18,0");
        assert_eq!(opening.draw(Rules::Classic, None, 0).unwrap().1.len(), 2);
        let twice: Opening = "moves:MONO@0,0;MONO@0,0".parse().unwrap();
        assert!(matches!(
            twice.draw(Rules::Classic, None, 0),
            Err(OpeningError::Illegal { number: 2, refusal: Refusal::Obstructed, .. })
        ));
        for text in ["random", "random:x", "", "none:3", "moves:FOO@1,1", "moves:"] {
            assert!(text.parse::<Opening>().is_err(), "{text}");
        }
    }
}
