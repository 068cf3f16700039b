//! Priors: how likely each move is to be the best, before any search.
//!
//! The probability of a placement is a softmax over a weighted sum of features that look at the
//! cells around it only. The kind of features (size, corners won, kept and taken) is that of Pentobi
//! and of the heuristic players before it; here a corner also counts by the room around it.

use game::{Bitboard, Board, Cell, Color, Placement};

use super::tree::Child;

/// How many features a placement has.
pub const FEATURES: usize = 41;

/// How many stages of the game have weights of their own.
pub const STAGES: usize = 4;

/// The features of a placement, each roughly from 0 to 1.
pub type Features = [f32; FEATURES];

/// The weights: for each stage one per feature.
pub type Weights = [[f32; FEATURES]; STAGES];

/// Computes the features of the placements of one colour on one board.
pub struct Extractor<'a> {
    board: &'a Board,
    color: Color,
    anchors: Bitboard,
    next: Opponent,
    last: Opponent,
    partner_anchors: Bitboard,
    opposing_cells: Bitboard,
    /// The cells that the own colour can cover with its next piece.
    reach: Bitboard,
    /// Room around cells for the own colour, once computed.
    room: [u8; 512],
}

/// What the features need of a colour of the other team.
struct Opponent {
    anchors: Bitboard,
    /// Room around its anchors.
    room: [u8; 512],
    /// The cells that it can cover with its next piece.
    reach: Bitboard,
}

const UNKNOWN: u8 = u8::MAX;

impl Opponent {
    fn new(board: &Board, color: Color) -> Self {
        let anchors = board.anchors(color);
        let mut room = [0; 512];
        for cell in anchors {
            room[cell.bit() % 512] = board.diamond(color, cell).len() as u8;
        }
        Self { anchors, room, reach: reach(board, color) }
    }

    /// How many anchors lie in a set, and the room around them.
    fn taken(&self, cells: Bitboard) -> (f32, f32) {
        let taken = cells & self.anchors;
        let room: u32 = taken.iter().map(|cell| u32::from(self.room[cell.bit() % 512])).sum();
        (taken.len() as f32, room as f32 / 41.0)
    }
}

impl<'a> Extractor<'a> {
    /// Prepares for the placements of `color` on `board`.
    pub fn new(board: &'a Board, color: Color) -> Self {
        let next = color.next();
        let last = next.partner();
        Self {
            board,
            color,
            anchors: board.anchors(color),
            next: Opponent::new(board, next),
            last: Opponent::new(board, last),
            partner_anchors: board.anchors(color.partner()),
            opposing_cells: board.covered(next) | board.covered(last),
            reach: reach(board, color),
            room: [UNKNOWN; 512],
        }
    }

    /// The stage of the game for the colour.
    pub fn stage(&self) -> usize {
        match self.board.left(self.color).len() {
            18.. => 0,
            14.. => 1,
            9.. => 2,
            _ => 3,
        }
    }

    /// The features of a legal placement.
    pub fn features(&mut self, placement: Placement) -> Features {
        let cells = placement.cells();
        let sides = placement.sides();
        let new_anchors = (placement.corners() & self.board.open(self.color)).without(self.anchors);
        let room: u32 = new_anchors.iter().map(|cell| u32::from(self.room_at(cell))).sum();
        let (next_taken, next_room) = self.next.taken(cells);
        let (last_taken, last_room) = self.last.taken(cells);
        let (next_beside, _) = self.next.taken(sides);
        let (last_beside, _) = self.last.taken(sides);
        let count = |set: Bitboard| set.len() as f32;
        let mut features = [0.0; FEATURES];
        let general = [
            count(new_anchors) / 5.0,
            room as f32 / 41.0 / 5.0,
            count(new_anchors.without(self.reach)) / 5.0,
            count(new_anchors & self.next.reach) / 5.0,
            count(new_anchors & self.last.reach) / 5.0,
            count(cells & self.anchors) / 3.0,
            count(sides & self.anchors) / 3.0,
            next_taken / 3.0,
            next_room / 3.0,
            last_taken / 3.0,
            last_room / 3.0,
            next_beside / 3.0,
            last_beside / 3.0,
            count(cells & self.next.reach) / 5.0,
            count(cells & self.last.reach) / 5.0,
            count(sides & self.next.reach) / 5.0,
            count(sides & self.last.reach) / 5.0,
            count(cells & self.partner_anchors) / 3.0,
            count(sides & self.opposing_cells) / 5.0,
            cells.iter().map(centre_distance).min().unwrap_or(0) as f32 / 10.0,
        ];
        features[..general.len()].copy_from_slice(&general);
        features[general.len() + placement.piece() as usize] = 1.0;
        features
    }

    /// The open cells around a cell.
    fn room_at(&mut self, cell: Cell) -> u8 {
        let known = &mut self.room[cell.bit() % 512];
        if *known == UNKNOWN {
            *known = self.board.diamond(self.color, cell).len() as u8;
        }
        *known
    }
}

/// Steps of a king from a cell to the four cells in the middle of the board.
fn centre_distance(cell: Cell) -> usize {
    let from_middle = |at: usize| if at < 10 { 9 - at } else { at - 10 };
    from_middle(cell.x()).max(from_middle(cell.y()))
}

/// Puts the priors of `placements` into `children`, the likeliest first.
pub fn priors(
    board: &Board,
    color: Color,
    placements: &[Placement],
    weights: &Weights,
    temperature: f32,
    children: &mut Vec<Child>,
) {
    let mut extractor = Extractor::new(board, color);
    let weights = &weights[extractor.stage()];
    children.clear();
    children.extend(placements.iter().map(|&placement| {
        let logit = dot(&extractor.features(placement), weights);
        Child { placement, prior: logit / temperature }
    }));
    let largest = children.iter().map(|child| child.prior).fold(f32::MIN, f32::max);
    let mut sum = 0.0;
    for child in &mut *children {
        // The exponential of the crate is the same on every machine, that of the system need not be.
        child.prior = libm::expf(child.prior - largest);
        sum += child.prior;
    }
    for child in &mut *children {
        child.prior /= sum;
    }
    children.sort_by(|a, b| b.prior.total_cmp(&a.prior));
}

fn dot(features: &Features, weights: &Features) -> f32 {
    features.iter().zip(weights).map(|(feature, weight)| feature * weight).sum()
}

/// The cells that a colour can cover with its next piece: those within four steps over open cells
/// of an anchor (a little too many, since a piece has only five cells).
fn reach(board: &Board, color: Color) -> Bitboard {
    let open = board.open(color);
    let mut reach = board.anchors(color);
    for _ in 0..4 {
        reach |= reach.sides() & open;
    }
    reach
}

/// The weights of the features.
pub static WEIGHTS: Weights = include!("weights.rs");
