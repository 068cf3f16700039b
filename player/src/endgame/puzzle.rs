//! What is left to play for in a position.

use game::{Bitboard, ByColor, Color, Placement, Position};

use super::candidate::{Candidate, Candidates, Id, List};
use super::cells::Numbering;
use super::side::Side;
use super::state::EndgameState;
use crate::transposition_table::Key;

/// Every placement that can still be made by anyone, with its cells renumbered, and the state of the game.
pub struct Puzzle {
    pub candidates: Candidates,
    /// The candidates of each colour.
    pub lists: ByColor<List>,
    /// The state of the position, in which nobody has [looked ahead](EndgameState::look_ahead) yet.
    pub state: EndgameState,
}

impl Puzzle {
    /// What is left to play for in a position, or `None` if there are too many cells or candidates, or
    /// a colour has yet to make its first placement, which follows rules of its own.
    pub fn of(position: &Position) -> Option<Self> {
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
            (first..candidates.len()).map(|id| id as Id).collect()
        });
        let sides = ByColor::from_fn(|color| {
            let (open, anchors) = (numbering.cells(board.open(color)), numbering.cells(board.anchors(color)));
            Side::new(open, anchors, board.left(color), turns_left(position, color))
        });
        let candidates = Candidates::new(candidates)?;
        Some(Self { candidates, lists, state: EndgameState::new(sides, position.progress()) })
    }
}

/// How many more turns a colour has before the turn limit, if there is one.
fn turns_left(position: &Position, color: Color) -> usize {
    position.rules().turn_limit().map_or(usize::MAX, |limit| {
        let colors = Color::COUNT as u16;
        let next = position.turn().saturating_add((color as u16 + colors - position.color() as u16) % colors);
        usize::from(limit.saturating_sub(next).div_ceil(colors))
    })
}

/// All placements that can become legal for a colour if nobody hinders it: the legal ones, those
/// that cover a corner of one of them, and so on. That each piece can be placed only once, and that
/// one placement forbids others, is ignored.
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
