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
    /// A weight for each of the features that [`Scorer::new`] names.
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
        // `new` is for corners that are no anchors yet, `covered` for cells of the piece, `beside` for cells along its
        // sides. `next` is the opponent whose turn comes next, `last` the other one. `room` is the part of the 41 cells
        // around an anchor that is open to its colour; in `reach` is what a colour may cover with its next piece, and
        // `far_away` what it may not cover with its next two. `centre` is how far the piece is from the four cells in
        // the middle, in a king's steps divided by ten.
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
        let [next, last] = color.opponents();
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

/// The most steps over sides between two cells of a piece.
const PIECE_REACH: usize = 4;

/// The cells that a colour can cover with its next piece, and some that it could only with pieces that it has placed
/// already.
fn reach(board: &Board, color: Color) -> Bitboard {
    board.anchors(color).spread(board.open(color), PIECE_REACH)
}

/// Makes the likeliest `most` of a colour's placements into children, in no order. What was in
/// `placements` and `children` is dropped; they are taken only to save allocations.
pub(super) fn children(
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
        // The exponential of the crate libm is the same on every machine, that of the system need not be.
        child.prior = libm::expf((child.prior - largest) / temperature);
        sum += child.prior;
    }
    for child in &mut *children {
        child.prior /= sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_WEIGHTS: Weights = Weights { features: [0.0; FEATURES], pieces: [0.0; Piece::COUNT] };

    fn boards() -> impl Iterator<Item = (Board, Color)> {
        let positions = crate::bench::positions().expect("a list");
        positions.into_iter().map(|position| (*position.board(), position.color()))
    }

    fn children_of(board: &Board, color: Color, most: usize, temperature: f32) -> Vec<Child> {
        let mut list = Vec::new();
        children(board, color, most, temperature, &mut Vec::new(), &mut list);
        list.sort_by(|a, b| b.prior.total_cmp(&a.prior).then(a.placement.cmp(&b.placement)));
        list
    }

    #[test]
    fn priors_are_probabilities_of_the_likeliest() {
        for (board, color) in boards() {
            let all = children_of(&board, color, usize::MAX, 1.0);
            assert_eq!(all.len(), board.count_placements(color));
            let few = children_of(&board, color, 10, 1.0);
            assert!(few.iter().map(|child| child.placement).eq(all.iter().map(|child| child.placement).take(10)));
            for children in [&all, &few] {
                assert!((children.iter().map(|child| child.prior).sum::<f32>() - 1.0).abs() < 1e-4);
                assert!(children.iter().all(|child| child.prior >= 0.0 && child.bonus == 0.0));
            }
            let cold = children_of(&board, color, usize::MAX, 0.5);
            assert!(cold.first().zip(all.first()).is_some_and(|(cold, warm)| cold.prior > warm.prior));
        }
    }

    #[test]
    fn features_count_what_their_names_say() {
        for (board, color) in boards().filter(|(board, color)| !board.is_first(*color)) {
            let mut placements = Vec::new();
            board.list_placements(color, &mut placements);
            let [next, last] = color.opponents();
            let new_anchors = board.open(color).without(board.anchors(color));
            // The value of each feature by sets.
            type Value<'a> = Box<dyn Fn(Placement) -> usize + 'a>;
            let anchors = |color| board.anchors(color);
            let features: [(usize, &str, Value); 7] = [
                (0, "new_anchor", Box::new(move |placement| (placement.corners() & new_anchors).len())),
                (5, "own_anchor_covered", Box::new(move |placement| (placement.cells() & anchors(color)).len())),
                (6, "own_anchor_beside", Box::new(move |placement| (placement.sides() & anchors(color)).len())),
                (7, "next_anchor_covered", Box::new(move |placement| (placement.cells() & anchors(next)).len())),
                (9, "last_anchor_covered", Box::new(move |placement| (placement.cells() & anchors(last)).len())),
                (11, "next_anchor_beside", Box::new(move |placement| (placement.sides() & anchors(next)).len())),
                (
                    17,
                    "partner_anchor_covered",
                    Box::new(move |placement| (placement.cells() & anchors(color.partner())).len()),
                ),
            ];
            for (number, name, value) in features {
                let mut weights = NO_WEIGHTS;
                weights.features[number] = 1.0;
                let scorer = Scorer::new(&board, color, &weights);
                for &placement in &placements {
                    assert_eq!(scorer.score(placement), value(placement) as f32, "{name}: {placement}");
                }
            }
            let mut weights = NO_WEIGHTS;
            weights.pieces[Piece::PentoX as usize] = 2.0;
            let scorer = Scorer::new(&board, color, &weights);
            for &placement in &placements {
                assert_eq!(scorer.score(placement), if placement.piece() == Piece::PentoX { 2.0 } else { 0.0 });
            }
        }
    }
}
