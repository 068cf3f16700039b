//! The prior: the probability of each move to be the best, without a search.
//!
//! The probability of a placement is a softmax of a sum of weights: for its piece, and for each cell that it covers,
//! each cell along its sides and each new corner, by their meaning to the colours. Pentobi's prior has the same kind of
//! features; here cells also count by the room around them and by the colours that reach them. The cells' weights do
//! not depend on the placement, so a [`PriorScorer`] computes them once per position, and a placement costs about 25
//! additions.
//!
//! The weights come from a softmax regression on the root visits of searches in self-play.

use bytemuck::{Pod, Zeroable};
use game::{BOARD_SIZE, Bitboard, Board, Cell, Color, Diamond, Piece, Placement};

use super::features::{Features, Field, features};
use super::reach::PIECE_REACH;
use super::weights_file::{Array, Origin, WeightsError, WeightsFile};
use crate::math::min;

/// Number of stages of the game, each with its own weights.
pub const STAGES: usize = 5;

features! {
    /// The weights of one stage of the game.
    ///
    /// *Own* refers to the colour that places the piece, *next* to the next opponent, *last* to the other one. The
    /// *reach* of a colour is the set of cells that its next piece may cover. The *room* around an anchor is the open
    /// part of the cells within four steps; at the left and right border, open cells at the other end of the next rows
    /// count too.
    pub struct PlacementWeights {
        /// Corners that become anchors.
        new_anchor: NewAnchorWeights,
        /// Own anchors and cells.
        own: OwnWeights,
        /// Each anchor of the partner that the piece covers.
        partner_anchor_covered: f32,
        /// Anchors and cells of the next opponent.
        next: OpponentWeights,
        /// Anchors and cells of the last opponent.
        last: OpponentWeights,
        /// Each cell of an opponent along the sides of the piece.
        opponent_beside: f32,
        /// Distance of the piece from the four centre cells, in king steps divided by ten.
        centre_distance: f32,
        /// Each piece.
        piece: PieceWeights,
    }

    /// Weights of corners that become anchors.
    pub struct NewAnchorWeights {
        /// Each new anchor.
        count: f32,
        /// Room around it.
        room: f32,
        /// Outside the own reach.
        beyond_reach: f32,
        /// Outside the cells that the next two own pieces may cover.
        far_away: f32,
    }

    /// Weights of the own anchors and cells.
    pub struct OwnWeights {
        /// Each anchor that the piece covers.
        anchor_covered: f32,
        /// Each anchor along the sides of the piece, which the piece closes.
        anchor_beside: f32,
        /// Each cell in reach along the sides of the piece, which the piece closes.
        reach_beside: f32,
    }

    /// Weights of the anchors and cells of one opponent.
    pub struct OpponentWeights {
        /// Each new anchor in its reach.
        new_anchor_in_reach: f32,
        /// Each of its anchors that the piece covers.
        anchor_covered: f32,
        /// Room around a covered anchor.
        room_covered: f32,
        /// Each of its anchors along the sides of the piece.
        anchor_beside: f32,
        /// Each cell in its reach that the piece covers.
        reach_covered: f32,
        /// Each cell in its reach along the sides of the piece.
        reach_beside: f32,
    }
}

/// A weight for each piece.
#[derive(Clone, Copy, PartialEq, Debug, Default, Pod, Zeroable)]
#[repr(transparent)]
pub struct PieceWeights(pub [f32; Piece::COUNT]);

impl Features for PieceWeights {
    const FIELDS: &'static [Field] = &{
        let mut fields = [Field { name: "", fields: &[] }; Piece::COUNT];
        let mut i = 0;
        while i < fields.len() {
            fields[i].name = Piece::ALL[i].name();
            i += 1;
        }
        fields
    };
}

/// The weights of all stages. By default all moves are equally likely.
///
/// ```
/// use game::{Position, Rules};
/// use player::model::Model;
///
/// let (position, model) = (Position::new(Rules::Classic, None)?, Model::built_in());
/// let scorer = model.prior.scorer(position.board(), position.color());
/// // Large pieces first.
/// assert!(scorer.score("PENTO_W@0,0".parse()?) > scorer.score("MONO@0,0".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Prior {
    /// Weights by [`stage`].
    pub stages: [PlacementWeights; STAGES],
}

impl Prior {
    /// Kind of its weights files.
    pub const KIND: &'static str = "prior";

    /// Creates the weights file: an array per feature with a weight per stage.
    pub fn to_file(&self, origin: Origin) -> WeightsFile {
        let array = |(number, name)| {
            let weights: Vec<f32> = self.stages.iter().map(|weights| weights.numbers()[number]).collect();
            Array::new(name, &[STAGES], weights)
        };
        let arrays = PlacementWeights::names().into_iter().enumerate().map(array).collect();
        WeightsFile { kind: Self::KIND.to_owned(), origin, arrays }
    }

    /// Reads the weights from a file.
    ///
    /// # Errors
    /// [`WeightsError`] if the file does not contain exactly these arrays.
    pub fn from_file(mut file: WeightsFile) -> Result<Self, WeightsError> {
        let mut stages = [PlacementWeights::default(); STAGES];
        for (number, name) in PlacementWeights::names().iter().enumerate() {
            for (weights, weight) in stages.iter_mut().zip(file.take(name, &[STAGES])?) {
                weights.numbers_mut()[number] = weight;
            }
        }
        file.finish()?;
        Ok(Self { stages })
    }

    /// Creates a scorer of the placements of `color` on `board`.
    pub fn scorer(&self, board: &Board, color: Color) -> PriorScorer<'_> {
        PriorScorer::new(board, color, &self.stages[stage(board, color)])
    }
}

/// Returns a number that is smaller for a better score, and of equal scores for the first placement.
#[inline]
pub(crate) fn rank(&(score, placement): &(f32, Placement)) -> u64 {
    let bits = score.to_bits();
    // The bits of negative numbers grow with their size.
    let descending = if bits >> 31 == 1 { bits } else { !bits & i32::MAX as u32 };
    u64::from(descending) << 32 | placement.index() as u64
}

/// Keeps the `max_items` items with the best scores, in their order. The order of the selection itself depends on the
/// library, and the search must not.
#[inline]
pub(crate) fn keep_likeliest<T>(items: &mut Vec<T>, max_items: usize, scored: impl Fn(&T) -> (f32, Placement)) {
    if items.len() > max_items {
        let mut ranks: Vec<u64> = items.iter().map(|item| rank(&scored(item))).collect();
        let (_, &mut best_dropped, _) = ranks.select_nth_unstable(max_items);
        items.retain(|item| rank(&scored(item)) < best_dropped);
    }
}

/// Returns the stage of the game for a colour. The first piece is a stage of its own.
pub fn stage(board: &Board, color: Color) -> usize {
    match board.remaining_pieces(color).len() {
        Piece::COUNT.. => 0,
        18.. => 1,
        14.. => 2,
        9.. => 3,
        _ => 4,
    }
}

/// A number for each bit of a placement's cells, sides or corners.
type ScoreTable = [f32; Bitboard::BITS];

/// Scores placements of one colour on one board.
pub struct PriorScorer<'a> {
    weights: &'a PlacementWeights,
    /// Scores of a covered cell, a cell along the sides, and a corner.
    covered: ScoreTable,
    beside: ScoreTable,
    corner: ScoreTable,
}

impl<'a> PriorScorer<'a> {
    /// Creates a scorer of the placements of `color` on `board`.
    pub fn new(board: &Board, color: Color, weights: &'a PlacementWeights) -> Self {
        const ZEROS: ScoreTable = [0.0; Bitboard::BITS];
        let mut scorer = Self { weights, covered: ZEROS, beside: ZEROS, corner: ZEROS };
        let (open, anchors) = (board.open(color), board.anchors(color));

        let own_reach = reach(board, color);
        // The cells of legal placements, their sides and corners.
        let near = own_reach.with_neighbours();
        let new_anchors = open.without(anchors) & near;
        let PlacementWeights { new_anchor, own, .. } = weights;
        add_room(&mut scorer.corner, board, color, new_anchors, new_anchor.count, new_anchor.room);
        add(&mut scorer.corner, new_anchors.without(own_reach), new_anchor.beyond_reach);
        add(&mut scorer.corner, new_anchors.without(own_reach.spread(open, PIECE_REACH)), new_anchor.far_away);
        add(&mut scorer.beside, own_reach, own.reach_beside);
        add(&mut scorer.covered, anchors, own.anchor_covered);
        add(&mut scorer.beside, anchors, own.anchor_beside);
        add(&mut scorer.covered, board.anchors(color.partner()) & near, weights.partner_anchor_covered);
        for (opponent, of) in color.opponents().into_iter().zip([&weights.next, &weights.last]) {
            let [reach, theirs, covered] =
                [reach(board, opponent), board.anchors(opponent), board.covered(opponent)].map(|cells| cells & near);
            add(&mut scorer.corner, new_anchors & reach, of.new_anchor_in_reach);
            add_room(&mut scorer.covered, board, opponent, theirs, of.anchor_covered, of.room_covered);
            add(&mut scorer.beside, theirs, of.anchor_beside);
            add(&mut scorer.covered, reach, of.reach_covered);
            add(&mut scorer.beside, reach, of.reach_beside);
            add(&mut scorer.beside, covered, weights.opponent_beside);
        }
        scorer
    }

    /// Returns the logarithm of a legal placement's probability, up to a constant.
    #[inline]
    pub fn score(&self, placement: Placement) -> f32 {
        let piece = placement.piece();
        let covered: f32 = placement.cell_bits().map(|bit| self.covered[bit]).iter().sum();
        let beside: f32 = placement.side_bits().map(|bit| self.beside[bit]).iter().sum();
        let corners: f32 = placement.corner_bits().map(|bit| self.corner[bit]).iter().sum();
        // Only the cell nearest to the centre counts.
        let distance = placement.cell_bits().map(|bit| CENTRE_DISTANCES[bit]).into_iter().fold(f32::MAX, min);
        let centre = self.weights.centre_distance * distance;
        self.weights.piece.0[piece as usize] + covered + beside + corners + centre
    }
}

/// Adds a weight to all cells of a set.
fn add(table: &mut ScoreTable, cells: Bitboard, weight: f32) {
    for cell in cells {
        table[cell.bit()] += weight;
    }
}

/// Adds a weight to all cells of a set, and another in proportion to the room of a colour around each.
fn add_room(table: &mut ScoreTable, board: &Board, color: Color, cells: Bitboard, weight: f32, room_weight: f32) {
    for cell in cells {
        let room = board.diamond(color, cell).len() as f32 / Diamond::CELLS as f32;
        table[cell.bit()] += weight + room_weight * room;
    }
}

/// King steps from each cell to the four centre cells, 0 to 9, divided by ten. Bits without a cell have the maximum.
static CENTRE_DISTANCES: ScoreTable = {
    const fn from_middle(at: usize) -> usize {
        if at < BOARD_SIZE / 2 { BOARD_SIZE / 2 - 1 - at } else { at - BOARD_SIZE / 2 }
    }
    let mut distances = [f32::MAX; Bitboard::BITS];
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

/// Returns the cells that the next piece of a colour may cover, as if it still had all pieces.
fn reach(board: &Board, color: Color) -> Bitboard {
    board.anchors(color).spread(board.open(color), PIECE_REACH)
}

#[cfg(test)]
mod tests {
    use super::super::Model;
    use super::*;

    fn boards() -> impl Iterator<Item = (Board, Color)> {
        let positions = crate::bench::positions();
        positions.into_iter().map(|position| (*position.board(), position.color()))
    }

    #[test]
    fn files_contain_all_weights() {
        let prior = &Model::built_in().prior;
        let file = || prior.to_file(Origin::default());
        assert_eq!(Prior::from_file(file()).as_ref(), Ok(prior));
        let mut large = file();
        large.arrays.push(Array::new("shape", &[1], vec![0.0]));
        assert_eq!(Prior::from_file(large), Err(WeightsError::UnknownArray("shape".to_owned())));
    }

    #[test]
    fn features_match_their_definitions() {
        for (board, color) in boards().filter(|(board, color)| !board.is_first(*color)) {
            let placements = board.placements(color);
            let [next, last] = color.opponents();
            let new_anchors = board.open(color).without(board.anchors(color));
            let anchors = |color| board.anchors(color);
            let next_piece = |color| anchors(color).spread(board.open(color), 4);
            let own_reach = next_piece(color);
            let far = own_reach.spread(board.open(color), 4);
            // The cells that count, by name and part of the placement.
            type Part = fn(Placement) -> Bitboard;
            let (covered, beside, corners): (Part, Part, Part) =
                (Placement::cells, Placement::sides, Placement::corners);
            let sets = [
                ("new_anchor.count", corners, new_anchors),
                ("new_anchor.beyond_reach", corners, new_anchors.without(own_reach)),
                ("new_anchor.far_away", corners, new_anchors.without(far)),
                ("own.anchor_covered", covered, anchors(color)),
                ("own.anchor_beside", beside, anchors(color)),
                ("own.reach_beside", beside, own_reach),
                ("partner_anchor_covered", covered, anchors(color.partner())),
                ("next.new_anchor_in_reach", corners, new_anchors & next_piece(next)),
                ("last.new_anchor_in_reach", corners, new_anchors & next_piece(last)),
                ("next.anchor_covered", covered, anchors(next)),
                ("last.anchor_covered", covered, anchors(last)),
                ("next.anchor_beside", beside, anchors(next)),
                ("last.anchor_beside", beside, anchors(last)),
                ("next.reach_covered", covered, next_piece(next)),
                ("last.reach_covered", covered, next_piece(last)),
                ("next.reach_beside", beside, next_piece(next)),
                ("last.reach_beside", beside, next_piece(last)),
                ("opponent_beside", beside, board.covered(next) | board.covered(last)),
            ];
            let room = |of: Color, cells: Bitboard| {
                let open = |cell: Cell| board.diamond(of, cell).len();
                cells.into_iter().map(open).sum::<usize>() as f32 / Diamond::CELLS as f32
            };
            let distance = |placement: Placement| {
                let of_cell = |cell: Cell| {
                    let [x, y] = [cell.x(), cell.y()].map(|at| (2 * at as i32 - 19).abs() / 2);
                    x.max(y)
                };
                placement.cells().into_iter().map(of_cell).min().expect("a cell") as f32 / 10.0
            };
            for (number, name) in PlacementWeights::names().into_iter().enumerate() {
                let mut weights = PlacementWeights::default();
                weights.numbers_mut()[number] = 1.0;
                let scorer = PriorScorer::new(&board, color, &weights);
                for &placement in &placements {
                    let expected = match (&*name, sets.iter().find(|(of, ..)| *of == name)) {
                        (_, Some((_, part, set))) => (part(placement) & *set).len() as f32,
                        ("new_anchor.room", _) => room(color, placement.corners() & new_anchors),
                        ("next.room_covered", _) => room(next, placement.cells() & anchors(next)),
                        ("last.room_covered", _) => room(last, placement.cells() & anchors(last)),
                        ("centre_distance", _) => distance(placement),
                        (name, _) => {
                            let piece =
                                name.strip_prefix("piece.").expect("a piece").parse::<Piece>().expect("a piece");
                            f32::from(piece == placement.piece())
                        }
                    };
                    assert!((scorer.score(placement) - expected).abs() < 1e-4, "{name}: {placement}");
                }
            }
        }
    }
}
