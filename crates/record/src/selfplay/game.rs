//! A game of self-play and its bytes.

use game::{Move, Piece, Placement, Position, Rules, SetupError};
use thiserror::Error;

/// A game of self-play with the results of the searches. [`replay`](Self::replay) gives the positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SelfPlayGame {
    /// The number of the game for its seed.
    pub number: u32,
    /// The rules.
    pub rules: Rules,
    /// The start piece, if the rules have one.
    pub start_piece: Option<Piece>,
    /// The plies in order.
    pub plies: Vec<SelfPlayPly>,
}

/// A move of a [`SelfPlayGame`] with its search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SelfPlayPly {
    /// The move.
    pub mv: Move,
    /// The source of the move.
    pub source: Source,
    /// The evaluation of the position before the move, if there was a search.
    pub evaluation: Option<StoredEvaluation>,
    /// Visits of a full search at the root, most visited first, at most [`MAX_VISITED`]; empty after other searches.
    pub visits: Vec<(Placement, u16)>,
}

/// Maximum number of recorded placements per search.
pub const MAX_VISITED: usize = u8::MAX as usize;

/// The source of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Source {
    /// A random legal placement at the start of the game.
    Opening,
    /// An exploration move: a random placement among those that a search has visited.
    Exploration,
    /// A search: its best move or, early in the game, a move drawn by its visits.
    Search,
}

/// The evaluation by a search for the team to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StoredEvaluation {
    /// The win probability, in units of 1 / [`u16::MAX`].
    pub win: u16,
    /// The expected margin in tenths of a point.
    pub margin: i16,
}

impl StoredEvaluation {
    /// Creates it from a win probability, 0 to 1, and an expected margin in points.
    pub fn new(win: f32, margin: f32) -> Self {
        Self { win: (win * f32::from(u16::MAX)).round() as u16, margin: (10.0 * margin).round() as i16 }
    }
}

/// The reason why bytes are not a game, with the number of the ply, from 0.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct SelfPlayGameError(String);

impl From<SetupError> for SelfPlayGameError {
    fn from(error: SetupError) -> Self {
        Self(error.to_string())
    }
}

impl SelfPlayGame {
    /// Returns the start of the game.
    ///
    /// # Errors
    /// If the start piece does not fit the rules.
    pub fn start(&self) -> Result<Position, SetupError> {
        Position::new(self.rules, self.start_piece)
    }

    /// Returns the positions before each ply, and the final one.
    ///
    /// # Errors
    /// [`SelfPlayGameError`] if a move or a visited placement is not legal, or the game is not over at its end.
    pub fn replay(&self) -> Result<Vec<Position>, SelfPlayGameError> {
        let mut position = self.start()?;
        let mut positions = Vec::with_capacity(self.plies.len() + 1);
        for (number, ply) in self.plies.iter().enumerate() {
            let illegal =
                |mv: Move| move |reason| SelfPlayGameError(format!("in ply {number}, {mv} is not legal: {reason}"));
            for &(placement, _) in &ply.visits {
                let mv = Move::Place(placement);
                position.check(mv).map_err(illegal(mv))?;
            }
            positions.push(position);
            position.try_play(ply.mv).map_err(illegal(ply.mv))?;
        }
        if !position.is_over() {
            return Err(SelfPlayGameError(format!("the game is not over after its {} plies", self.plies.len())));
        }
        positions.push(position);
        Ok(positions)
    }

    /// Returns the first ply after the last random move. From there on the result of the game evaluates the positions.
    pub fn first_usable_ply(&self) -> usize {
        self.plies.iter().rposition(|ply| ply.source != Source::Search).map_or(0, |last| last + 1)
    }

    /// Appends the game to `bytes`: number, rules, start piece, and for each ply a mark, the move, and the evaluation
    /// and visits that the mark announces. All numbers are little-endian.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.number.to_le_bytes());
        bytes.push(self.rules as u8);
        bytes.push(self.start_piece.map_or(NO_PIECE, |piece| piece as u8));
        for ply in &self.plies {
            let has = |mark: u8, is: bool| if is { mark } else { 0 };
            bytes.push(
                ply.source as u8
                    | has(HAS_EVALUATION, ply.evaluation.is_some())
                    | has(HAS_VISITS, !ply.visits.is_empty()),
            );
            bytes.extend(ply.mv.placement().map_or(PASS, placement_number).to_le_bytes());
            if let Some(evaluation) = ply.evaluation {
                bytes.extend(evaluation.win.to_le_bytes());
                bytes.extend(evaluation.margin.to_le_bytes());
            }
            if !ply.visits.is_empty() {
                let visits = &ply.visits[..ply.visits.len().min(MAX_VISITED)];
                bytes.push(visits.len() as u8);
                for &(placement, count) in visits {
                    bytes.extend(placement_number(placement).to_le_bytes());
                    bytes.extend(count.to_le_bytes());
                }
            }
        }
    }

    /// Reads the bytes of [`write`](Self::write); returns the game and the positions of its [`replay`](Self::replay).
    ///
    /// # Errors
    /// [`SelfPlayGameError`] unless the bytes are a whole legal game.
    pub fn read(bytes: &[u8]) -> Result<(Self, Vec<Position>), SelfPlayGameError> {
        let mut reader = ByteReader { bytes, at: 0 };
        let number = u32::from_le_bytes(reader.take()?);
        let [rules, piece] = reader.take()?;
        let unknown = |what: &str, number: u8| SelfPlayGameError(format!("unknown {what} number {number}"));
        let rules = *Rules::ALL.iter().find(|&&known| known as u8 == rules).ok_or_else(|| unknown("rules", rules))?;
        let start_piece = match piece {
            NO_PIECE => None,
            _ => Some(
                Piece::ALL.into_iter().find(|&known| known as u8 == piece).ok_or_else(|| unknown("piece", piece))?,
            ),
        };
        let mut plies = Vec::new();
        while reader.at < bytes.len() {
            plies.push(reader.ply(plies.len())?);
        }
        let game = Self { number, rules, start_piece, plies };
        let positions = game.replay()?;
        Ok((game, positions))
    }
}

const NO_PIECE: u8 = u8::MAX;
const PASS: u16 = u16::MAX;
const HAS_EVALUATION: u8 = 0x10;
const HAS_VISITS: u8 = 0x20;

/// Returns the number of a placement in a file, below [`PASS`].
fn placement_number(placement: Placement) -> u16 {
    const { assert!(Placement::INDEX_END <= PASS as usize) };
    placement.index() as u16
}

/// Returns the placement with this number in a file.
fn placement(ply: usize, number: u16) -> Result<Placement, SelfPlayGameError> {
    let error = || SelfPlayGameError(format!("ply {ply} has the number {number}, which is not a placement"));
    Placement::from_index(number.into()).ok_or_else(error)
}

/// The unread bytes of a game.
struct ByteReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl ByteReader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], SelfPlayGameError> {
        let rest = self.bytes.get(self.at..).and_then(|rest| rest.first_chunk());
        let length = self.bytes.len();
        let cut = || SelfPlayGameError(format!("the game ends after {length} bytes, in the middle of a ply"));
        let taken = rest.ok_or_else(cut)?;
        self.at += N;
        Ok(*taken)
    }

    fn number(&mut self) -> Result<u16, SelfPlayGameError> {
        self.take().map(u16::from_le_bytes)
    }

    /// Returns the ply with this number.
    fn ply(&mut self, ply: usize) -> Result<SelfPlayPly, SelfPlayGameError> {
        let [mark] = self.take()?;
        let unknown = || SelfPlayGameError(format!("ply {ply} has the unknown mark {mark}"));
        let source = [Source::Opening, Source::Exploration, Source::Search]
            .into_iter()
            .find(|&source| source as u8 == mark & !(HAS_EVALUATION | HAS_VISITS))
            .ok_or_else(unknown)?;
        let mv = match self.number()? {
            PASS => Move::Pass,
            number => placement(ply, number)?.into(),
        };
        let evaluation = match mark & HAS_EVALUATION {
            0 => None,
            _ => Some(StoredEvaluation { win: self.number()?, margin: i16::from_le_bytes(self.take()?) }),
        };
        let mut visits = Vec::new();
        if mark & HAS_VISITS != 0 {
            let [count] = self.take()?;
            if count == 0 {
                return Err(unknown());
            }
            for _ in 0..count {
                visits.push((placement(ply, self.number()?)?, self.number()?));
            }
        }
        Ok(SelfPlayPly { mv, source, evaluation, visits })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Random games of all rules with all kinds of moves, evaluations and visits.
    pub fn games(count: u32) -> Vec<SelfPlayGame> {
        (0..count).map(game).collect()
    }

    fn game(number: u32) -> SelfPlayGame {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(number.into());
        let rules = Rules::ALL[number as usize % Rules::ALL.len()];
        let start_piece = rules.start_pieces().iter().next();
        let mut position = Position::new(rules, start_piece).unwrap();
        let mut plies = Vec::new();
        while !position.is_over() {
            let placements = position.placements();
            let source = match position.turn() {
                ..4 => Source::Opening,
                20 => Source::Exploration,
                _ => Source::Search,
            };
            let mv = placements.choose(&mut rng).map_or(Move::Pass, |&placement| placement.into());
            let evaluation =
                (source != Source::Opening).then(|| StoredEvaluation::new(rng.random(), rng.random_range(-50.0..50.0)));
            let visited = if rng.random_ratio(1, 4) { placements.len().min(12) } else { 0 };
            let visits = placements[..visited].iter().map(|&placement| (placement, rng.random())).collect();
            plies.push(SelfPlayPly { mv, source, evaluation, visits });
            position.play(mv);
        }
        SelfPlayGame { number, rules, start_piece, plies }
    }

    #[test]
    fn rejects_bad_bytes() {
        let game = games(1).remove(0);
        // The same without its last ply is a shorter game, which is not over.
        let cut = SelfPlayGame { plies: game.plies[..game.plies.len() - 1].to_vec(), ..game.clone() };
        let bytes = |game: &SelfPlayGame| {
            let mut bytes = Vec::new();
            game.write(&mut bytes);
            bytes
        };
        let unknown = (Placement::INDEX_END as u16).to_le_bytes();
        // Behind the number come rules and start piece, then the first ply, with its mark and move.
        let with = |at: usize, new: &[u8]| {
            let mut bytes = bytes(&game);
            bytes[at..at + new.len()].copy_from_slice(new);
            bytes
        };
        for (bytes, problem) in [
            (with(4, &[9]), "unknown rules number 9"),
            (with(5, &[77]), "unknown piece number 77"),
            (with(6, &[3]), "ply 0 has the unknown mark 3"),
            (with(7, &unknown), "ply 0 has the number 46592, which is not a placement"),
            (with(7, &PASS.to_le_bytes()), "in ply 0, PASS is not legal: the first move"),
            (bytes(&game)[..8].to_vec(), "the game ends after 8 bytes, in the middle of a ply"),
            ([bytes(&game), vec![Source::Search as u8]].concat(), "the game ends after"),
            (bytes(&cut), "the game is not over after its"),
        ] {
            let error = SelfPlayGame::read(&bytes).unwrap_err().to_string();
            assert!(error.starts_with(problem), "{error}");
        }
    }
}
