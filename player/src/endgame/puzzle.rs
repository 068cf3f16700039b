//! The candidates of a position and its initial state.

use game::{Bitboard, ByColor, Color, Placement, Position};

use super::candidate::{Candidate, CandidateId, CandidateList, Candidates};
use super::cells::Numbering;
use super::color_state::ColorState;
use super::state::EndgameState;
use crate::transposition_table::Key;

/// All placements that may still become legal, with renumbered cells, and the initial state.
pub struct Puzzle {
    pub candidates: Candidates,
    /// Candidates of each colour.
    pub lists: ByColor<CandidateList>,
    /// Initial state, before [`list_candidates`](EndgameState::list_candidates).
    pub state: EndgameState,
}

impl Puzzle {
    /// Creates the puzzle of a position. Returns `None` if there are too many cells or candidates, or if a colour has
    /// not placed its first piece, which follows other rules.
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
                hash: Key::of_words([color as u64, placement.index() as u64].into_iter()).check,
                placement,
            }));
            (first..candidates.len()).map(|id| id as CandidateId).collect()
        });
        let colors = ByColor::from_fn(|color| {
            let (open, anchors) = (numbering.cells(board.open(color)), numbering.cells(board.anchors(color)));
            ColorState::new(open, anchors, board.remaining_pieces(color), turns_left(position, color))
        });
        let candidates = Candidates::new(candidates)?;
        Some(Self { candidates, lists, state: EndgameState::new(colors, position.progress()) })
    }
}

/// Returns the number of remaining turns of a colour before the turn limit.
fn turns_left(position: &Position, color: Color) -> usize {
    position.rules().turn_limit().map_or(usize::MAX, |limit| {
        let colors = Color::COUNT as u16;
        let next = position.turn().saturating_add((color as u16 + colors - position.color() as u16) % colors);
        usize::from(limit.saturating_sub(next).div_ceil(colors))
    })
}

/// Lists all placements that may become legal for a colour: the legal ones, those that cover a corner of these, and so
/// on. Ignores that a piece can be placed only once, and that placements exclude each other.
fn all_placements(position: &Position, color: Color) -> Vec<Placement> {
    let board = position.board();
    let (mut anchors, mut placements) = (board.anchors(color), Vec::new());
    loop {
        let before = placements.len();
        placements.clear();
        board.list_fitting(color, anchors, board.remaining_pieces(color), &mut placements);
        if placements.len() == before {
            return placements;
        }
        for placement in &placements {
            anchors |= placement.corners() & board.open(color);
        }
    }
}
