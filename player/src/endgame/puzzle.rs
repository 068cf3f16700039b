//! What is left to play for: every placement that can still be made by anyone.

use game::{Bitboard, ByColor, Color, Move, Piece, Placement, Position};

use super::cells::{Cells, Numbering};
use super::side::Side;
use super::state::State;
use crate::table::Key;

/// A placement that may become legal.
pub struct Candidate {
    /// The cells it covers.
    pub cells: Cells,
    /// The cells along its sides, which its colour may not cover then.
    pub sides: Cells,
    /// The cells at its corners, from which its colour may go on.
    pub corners: Cells,
    pub piece: Piece,
    /// A number that no other candidate is likely to have.
    pub signature: u64,
    pub placement: Placement,
}

/// All placements that may become legal for any colour, with their cells numbered anew.
pub struct Puzzle {
    pub candidates: Vec<Candidate>,
    /// The turn at which the game is over.
    pub turn_limit: Option<u16>,
}

/// Indices of candidates.
pub type List = Vec<u16>;

impl Puzzle {
    /// The puzzle of a position, its first state, and a list of the candidates of each colour; or
    /// `None` if there are too many cells or candidates, or a colour has yet to make its first
    /// placement, which follows rules of its own.
    pub fn of(position: &Position) -> Option<(Self, State, ByColor<List>)> {
        let board = position.board();
        if position.in_play().iter().any(|color| board.is_first(color)) {
            return None;
        }
        let placements = ByColor::from_fn(|color| {
            if position.in_play().contains(color) { all_placements(position, color) } else { Vec::new() }
        });
        let part = placements.0.iter().flatten().fold(Bitboard::EMPTY, |part, placement| part | placement.cells());
        let numbering = Numbering::of(part)?;
        let mut candidates = Vec::new();
        let lists = ByColor::from_fn(|color| {
            let first = candidates.len();
            candidates.extend(placements[color].iter().map(|&placement| Candidate {
                cells: numbering.cells(placement.cells()),
                sides: numbering.cells(placement.sides()),
                corners: numbering.cells(placement.corners()),
                piece: placement.piece(),
                signature: Key::of_words([color as u64, placement.index() as u64].into_iter()).check,
                placement,
            }));
            (first..candidates.len()).map(|index| index as u16).collect()
        });
        if candidates.len() > usize::from(u16::MAX) {
            return None;
        }
        let sides = ByColor::from_fn(|color| {
            let (open, anchors) = (numbering.cells(board.open(color)), numbering.cells(board.anchors(color)));
            Side::new(open, anchors, board.left(color), turns_left(position, color))
        });
        let puzzle = Self { candidates, turn_limit: position.rules().turn_limit() };
        let state = State::new(sides, position.turn(), position.in_play());
        Some((puzzle, state, lists))
    }

    pub fn mv(&self, index: u16) -> Move {
        Move::Place(self.candidates[usize::from(index)].placement)
    }
}

/// How many more turns a colour has before the turn limit, if there is one.
fn turns_left(position: &Position, color: Color) -> usize {
    position.rules().turn_limit().map_or(usize::MAX, |limit| {
        let next = position.turn().saturating_add((color as u16 + 4 - position.turn() % 4) % 4);
        usize::from(limit.saturating_sub(next).div_ceil(4))
    })
}

/// All placements that can become legal for a colour if nobody hinders it: the legal ones, those
/// that cover a corner of one of them, and so on. That a piece can be placed but once, and that
/// cells of one piece forbid others, is not asked.
fn all_placements(position: &Position, color: Color) -> Vec<Placement> {
    let board = position.board();
    let (mut anchors, mut placements) = (board.anchors(color), Vec::new());
    loop {
        let before = placements.len();
        placements.clear();
        board.list_fitting(color, anchors, board.left(color), &mut placements);
        if placements.len() == before {
            return placements;
        }
        for placement in &placements {
            anchors |= placement.corners() & board.open(color);
        }
    }
}
