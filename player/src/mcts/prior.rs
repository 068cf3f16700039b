//! Priors: how likely each move is to be the best, before any search.
//!
//! The probability of a placement is a softmax over a sum of weights: one for its piece, and one for
//! what each cell that it covers, each cell beside it and each corner that it wins is to the colours.
//! The kind of features is that of Pentobi's prior knowledge; here cells also count by how much room
//! there is around them and by who can reach them. Because a sum over cells is a sum of numbers that
//! do not depend on the placement, a [`Scorer`] works them out once per position, and a placement
//! costs some 25 additions.
//!
//! The weights have been learnt from the search itself: its visits at the root of positions from its
//! own games are the target of a softmax regression (see docs/measurements.md).

use game::{BOARD_SIZE, Bitboard, Board, Cell, Color, Piece, Placement};

use super::tree::Child;

/// How many features there are beside the pieces.
pub const FEATURES: usize = 22;

/// How many stages of the game have weights of their own.
pub const STAGES: usize = 5;

/// The weights of one stage.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weights {
    /// A weight for each of the features that [`Scorer`] lists.
    pub features: [f32; FEATURES],
    /// A weight for each piece.
    pub pieces: [f32; Piece::COUNT],
}

/// The learnt weights of each stage.
pub static WEIGHTS: [Weights; STAGES] = include!("prior_weights.rs");

/// The stage of the game for a colour; its first piece is a stage of its own.
pub fn stage(board: &Board, color: Color) -> usize {
    match board.left(color).len() {
        Piece::COUNT.. => 0,
        18.. => 1,
        14.. => 2,
        9.. => 3,
        _ => 4,
    }
}

/// A number for each bit of a placement's cells, sides or corners.
type Table = [f32; Placement::BITS_END];

/// Sums up the weights of placements of one colour on one board.
pub struct Scorer<'a> {
    weights: &'a Weights,
    /// What a covered cell, a cell beside the piece, and a corner add to the score.
    covered: Table,
    beside: Table,
    corner: Table,
}

impl<'a> Scorer<'a> {
    /// Prepares for the placements of `color` on `board`.
    pub fn new(board: &Board, color: Color, weights: &'a Weights) -> Self {
        let [
            new_anchor,
            new_room,
            new_beyond_reach,
            new_in_next_reach,
            new_in_last_reach,
            own_anchor_covered,
            own_anchor_beside,
            next_anchor_covered,
            next_room_covered,
            last_anchor_covered,
            last_room_covered,
            next_anchor_beside,
            last_anchor_beside,
            next_reach_covered,
            last_reach_covered,
            next_reach_beside,
            last_reach_beside,
            partner_anchor_covered,
            opponent_beside,
            new_far_away,
            own_reach_beside,
            _centre,
        ] = weights.features;
        const ZEROS: Table = [0.0; Placement::BITS_END];
        let mut scorer = Self { weights, covered: ZEROS, beside: ZEROS, corner: ZEROS };
        let (next, last) = (color.next(), color.next().partner());
        let (open, anchors) = (board.open(color), board.anchors(color));

        let new_anchors = open.without(anchors);
        add_room(&mut scorer.corner, board, color, new_anchors, new_anchor, new_room);
        let own_reach = reach(board, color);
        add(&mut scorer.corner, new_anchors.without(own_reach), new_beyond_reach);
        add(&mut scorer.corner, new_anchors.without(own_reach.spread(open, PIECE_REACH)), new_far_away);
        add(&mut scorer.beside, own_reach, own_reach_beside);
        add(&mut scorer.covered, anchors, own_anchor_covered);
        add(&mut scorer.beside, anchors, own_anchor_beside);
        add(&mut scorer.covered, board.anchors(color.partner()), partner_anchor_covered);
        let opponents = [
            (
                next,
                new_in_next_reach,
                next_anchor_covered,
                next_room_covered,
                next_anchor_beside,
                next_reach_covered,
                next_reach_beside,
            ),
            (
                last,
                new_in_last_reach,
                last_anchor_covered,
                last_room_covered,
                last_anchor_beside,
                last_reach_covered,
                last_reach_beside,
            ),
        ];
        for (opponent, new_in_reach, anchor_covered, room_covered, anchor_beside, reach_covered, reach_beside) in
            opponents
        {
            let (reach, theirs) = (reach(board, opponent), board.anchors(opponent));
            add(&mut scorer.corner, new_anchors & reach, new_in_reach);
            add_room(&mut scorer.covered, board, opponent, theirs, anchor_covered, room_covered);
            add(&mut scorer.beside, theirs, anchor_beside);
            add(&mut scorer.covered, reach, reach_covered);
            add(&mut scorer.beside, reach, reach_beside);
            add(&mut scorer.beside, board.covered(opponent), opponent_beside);
        }
        scorer
    }

    /// The score of a legal placement: the logarithm of its probability but for a constant.
    #[inline]
    pub fn score(&self, placement: Placement) -> f32 {
        let piece = placement.piece();
        let covered: f32 = placement.cell_bits().map(|bit| self.covered[bit]).iter().sum();
        let beside: f32 = placement.side_bits().map(|bit| self.beside[bit]).iter().sum();
        let corners: f32 = placement.corner_bits().map(|bit| self.corner[bit]).iter().sum();
        // Only the cell nearest to the centre counts.
        let distance = placement.cell_bits().map(|bit| CENTRE_DISTANCES[bit]).into_iter().fold(f32::MAX, f32::min);
        let centre = self.weights.features[FEATURES - 1] * distance;
        self.weights.pieces[piece as usize] + covered + beside + corners + centre
    }
}

/// Adds a weight to the numbers of all cells of a set.
fn add(table: &mut Table, cells: Bitboard, weight: f32) {
    for cell in cells {
        table[cell.bit()] += weight;
    }
}

/// Adds a weight to the numbers of all cells of a set, and another in proportion to the room that a
/// colour has around each.
fn add_room(table: &mut Table, board: &Board, color: Color, cells: Bitboard, weight: f32, room_weight: f32) {
    for cell in cells {
        let room = board.diamond(color, cell).len() as f32 / 41.0;
        table[cell.bit()] += weight + room_weight * room;
    }
}

/// Steps of a king from each cell to the four cells in the middle of the board, 0 to 9, in tenths; more for
/// bits that are no cells.
static CENTRE_DISTANCES: Table = {
    const fn from_middle(at: usize) -> usize {
        if at < BOARD_SIZE / 2 { BOARD_SIZE / 2 - 1 - at } else { at - BOARD_SIZE / 2 }
    }
    let mut distances = [f32::MAX; Placement::BITS_END];
    let mut i = 0;
    while i < BOARD_SIZE * BOARD_SIZE {
        let (x, y) = (i % BOARD_SIZE, i / BOARD_SIZE);
        let (dx, dy) = (from_middle(x), from_middle(y));
        let cell = Cell::new(x as i32, y as i32).expect("a cell of the board");
        distances[cell.bit()] = if dx > dy { dx } else { dy } as f32 / 10.0;
        i += 1;
    }
    distances
};

/// Steps over sides within which all cells of a piece lie that covers a cell.
const PIECE_REACH: usize = 4;

/// The cells that a colour can cover with its next piece (a little too many, since a piece has only
/// five cells).
fn reach(board: &Board, color: Color) -> Bitboard {
    board.anchors(color).spread(board.open(color), PIECE_REACH)
}

/// Makes the likeliest `most` of a colour's placements into children, in no order. What was in
/// `placements` and `children` is dropped; they are taken only to save allocations.
pub fn children(
    board: &Board,
    color: Color,
    most: usize,
    temperature: f32,
    placements: &mut Vec<Placement>,
    children: &mut Vec<Child>,
) {
    placements.clear();
    board.list_placements(color, placements);
    children.clear();
    if placements.is_empty() {
        return;
    }
    let scorer = Scorer::new(board, color, &WEIGHTS[stage(board, color)]);
    children.extend(placements.iter().map(|&placement| Child::new(placement, scorer.score(placement))));
    let order = |a: &Child, b: &Child| b.prior.total_cmp(&a.prior).then(a.placement.cmp(&b.placement));
    if children.len() > most {
        children.select_nth_unstable_by(most, order);
        children.truncate(most);
    }
    let largest = children.iter().map(|child| child.prior).fold(f32::MIN, f32::max);
    let mut sum = 0.0;
    for child in &mut *children {
        // The exponential of this crate is the same on every machine, that of the system need not be.
        child.prior = libm::expf((child.prior - largest) / temperature);
        sum += child.prior;
    }
    for child in &mut *children {
        child.prior /= sum;
    }
}
