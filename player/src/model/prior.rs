//! Priors: how likely each move is to be the best, before any search.
//!
//! The probability of a placement is a softmax over a sum of weights: one for its piece, and one for
//! what each cell that it covers, each cell beside it and each corner that it wins is to the colours.
//! The kind of features is that of Pentobi's prior knowledge; here cells also count by how much room
//! there is around them and by who can reach them. Because a sum over cells is a sum of numbers that
//! do not depend on the placement, a [`Scorer`] works them out once per position, and a placement
//! costs some 25 additions.
//!
//! The weights were learnt from the search itself: its visits at the root of positions from its
//! own games are the target of a softmax regression.

use std::cmp::Ordering;

use bytemuck::{Pod, Zeroable};
use game::{BOARD_SIZE, Bitboard, Board, Cell, Color, Diamond, Piece, Placement};

use super::features::{Features, Field, features};
use super::reach::PIECE_REACH;
use super::weights_file::{Array, Origin, WeightsError, WeightsFile};

/// How many stages of the game have weights of their own.
pub const STAGES: usize = 5;

features! {
    /// The weights of one stage: what the cells that a placement covers, the cells beside it, and the corners that it
    /// wins are to the colours, and which piece it is.
    ///
    /// An *own* anchor or cell is one of the colour that places the piece; *next* is the opponent whose turn comes
    /// next, *last* the other one. The *reach* of a colour is what it may cover with its next piece, and the *room*
    /// around an anchor is the part of the cells within four steps that is open to its colour; at the left and right
    /// border, open cells at the other end of the next rows count, too.
    pub struct PlacementWeights {
        /// For corners that are not anchors yet.
        new_anchor: NewAnchorWeights,
        /// For what is of the own colour.
        own: OwnWeights,
        /// For each cell that is an anchor of the other colour of the team and that the piece covers.
        partner_anchor_covered: f32,
        /// For what is of the opponent whose turn comes next.
        next: OpponentWeights,
        /// For what is of the opponent whose turn comes last.
        last: OpponentWeights,
        /// For each cell of an opponent beside the piece.
        opponent_beside: f32,
        /// For the distance of the piece from the four cells in the middle, in a king's steps divided by ten.
        centre_distance: f32,
        /// For each piece.
        piece: PieceWeights,
    }

    /// The weights of corners of a placement that become anchors.
    pub struct NewAnchorWeights {
        /// For each of them.
        count: f32,
        /// For the room around it.
        room: f32,
        /// If it lies beyond the own reach.
        beyond_reach: f32,
        /// If it lies beyond what the colour may cover with its next two pieces.
        far_away: f32,
    }

    /// The weights of the own anchors and cells.
    pub struct OwnWeights {
        /// For each anchor that the piece covers.
        anchor_covered: f32,
        /// For each anchor beside the piece, which is closed by it.
        anchor_beside: f32,
        /// For each cell in reach beside the piece, which is closed by it.
        reach_beside: f32,
    }

    /// The weights of the anchors and cells of one opponent.
    pub struct OpponentWeights {
        /// For each new anchor in its reach.
        new_anchor_in_reach: f32,
        /// For each of its anchors that the piece covers.
        anchor_covered: f32,
        /// For the room around such an anchor.
        room_covered: f32,
        /// For each of its anchors beside the piece.
        anchor_beside: f32,
        /// For each cell in its reach that the piece covers.
        reach_covered: f32,
        /// For each cell in its reach beside the piece.
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

/// The weights of all stages of the game; by default 0, which makes all moves equally likely.
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
    /// The weights of each [`stage`].
    pub stages: [PlacementWeights; STAGES],
}

impl Prior {
    /// The kind of its files.
    pub const KIND: &'static str = "prior";

    /// The file of these weights: an array for each feature, which has a weight for each stage.
    pub fn to_file(&self, origin: Origin) -> WeightsFile {
        let array = |(number, name)| {
            let weights: Vec<f32> = self.stages.iter().map(|weights| weights.numbers()[number]).collect();
            Array::new(name, &[STAGES], weights)
        };
        let arrays = PlacementWeights::names().into_iter().enumerate().map(array).collect();
        WeightsFile { kind: Self::KIND.to_owned(), origin, arrays }
    }

    /// The weights of a file.
    ///
    /// # Errors
    /// [`WeightsError`] if it does not hold exactly a weight of each feature for each stage.
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

    /// Prepares for the placements of `color` on `board`.
    pub fn scorer(&self, board: &Board, color: Color) -> Scorer<'_> {
        Scorer::new(board, color, &self.stages[stage(board, color)])
    }
}

/// The order of placements with scores, the best first.
pub(crate) fn likelier(a: &(f32, Placement), b: &(f32, Placement)) -> Ordering {
    b.0.total_cmp(&a.0).then(a.1.cmp(&b.1))
}

/// Drops all but the `most` items with the best scores; `scored` tells those of an item's placement. The others keep
/// their order: that in which they are selected is up to the library, and the search must not depend on it.
#[inline]
pub(crate) fn keep_likeliest<T>(items: &mut Vec<T>, most: usize, scored: impl Fn(&T) -> (f32, Placement)) {
    if items.len() > most {
        let mut scores: Vec<(f32, Placement)> = items.iter().map(&scored).collect();
        let (_, &mut best_dropped, _) = scores.select_nth_unstable_by(most, likelier);
        items.retain(|item| likelier(&scored(item), &best_dropped).is_lt());
    }
}

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
    weights: &'a PlacementWeights,
    /// What a covered cell, a cell beside the piece, and a corner add to the score.
    covered: Table,
    beside: Table,
    corner: Table,
}

impl<'a> Scorer<'a> {
    /// Prepares for the placements of `color` on `board`.
    pub fn new(board: &Board, color: Color, weights: &'a PlacementWeights) -> Self {
        const ZEROS: Table = [0.0; Placement::BITS_END];
        let mut scorer = Self { weights, covered: ZEROS, beside: ZEROS, corner: ZEROS };
        let (open, anchors) = (board.open(color), board.anchors(color));

        let new_anchors = open.without(anchors);
        let PlacementWeights { new_anchor, own, .. } = weights;
        add_room(&mut scorer.corner, board, color, new_anchors, new_anchor.count, new_anchor.room);
        let own_reach = reach(board, color);
        add(&mut scorer.corner, new_anchors.without(own_reach), new_anchor.beyond_reach);
        add(&mut scorer.corner, new_anchors.without(own_reach.spread(open, PIECE_REACH)), new_anchor.far_away);
        add(&mut scorer.beside, own_reach, own.reach_beside);
        add(&mut scorer.covered, anchors, own.anchor_covered);
        add(&mut scorer.beside, anchors, own.anchor_beside);
        add(&mut scorer.covered, board.anchors(color.partner()), weights.partner_anchor_covered);
        for (opponent, of) in color.opponents().into_iter().zip([&weights.next, &weights.last]) {
            let (reach, theirs) = (reach(board, opponent), board.anchors(opponent));
            add(&mut scorer.corner, new_anchors & reach, of.new_anchor_in_reach);
            add_room(&mut scorer.covered, board, opponent, theirs, of.anchor_covered, of.room_covered);
            add(&mut scorer.beside, theirs, of.anchor_beside);
            add(&mut scorer.covered, reach, of.reach_covered);
            add(&mut scorer.beside, reach, of.reach_beside);
            add(&mut scorer.beside, board.covered(opponent), weights.opponent_beside);
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
        let centre = self.weights.centre_distance * distance;
        self.weights.piece.0[piece as usize] + covered + beside + corners + centre
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
        let room = board.diamond(color, cell).len() as f32 / Diamond::CELLS as f32;
        table[cell.bit()] += weight + room_weight * room;
    }
}

/// Steps of a king from each cell to the four cells in the middle of the board, 0 to 9, in tenths; more for
/// bits that are not cells.
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

/// The cells that a colour can cover with its next piece, and some that it could only with pieces that it has placed
/// already.
fn reach(board: &Board, color: Color) -> Bitboard {
    board.anchors(color).spread(board.open(color), PIECE_REACH)
}

#[cfg(test)]
mod tests {
    use super::super::Model;
    use super::*;

    fn boards() -> impl Iterator<Item = (Board, Color)> {
        let positions = crate::bench::positions().expect("a list");
        positions.into_iter().map(|position| (*position.board(), position.color()))
    }

    #[test]
    fn files_hold_all_weights() {
        let prior = &Model::built_in().prior;
        let file = || prior.to_file(Origin::default());
        assert_eq!(Prior::from_file(file()).as_ref(), Ok(prior));
        let mut small = file();
        let name = "own.anchor_beside";
        small.take(name, &[STAGES]).expect("a feature");
        assert_eq!(Prior::from_file(small.clone()), Err(WeightsError::MissingArray(name.to_owned())));
        small.arrays.push(Array::new(name, &[4], vec![0.0; 4]));
        assert!(matches!(Prior::from_file(small), Err(WeightsError::Shape { name: wrong, .. }) if wrong == name));
        let mut large = file();
        large.arrays.push(Array::new("shape", &[1], vec![0.0]));
        assert_eq!(Prior::from_file(large), Err(WeightsError::UnknownArray("shape".to_owned())));
    }

    #[test]
    fn features_count_what_their_names_say() {
        for (board, color) in boards().filter(|(board, color)| !board.is_first(*color)) {
            let placements = board.placements(color);
            let [next, last] = color.opponents();
            let new_anchors = board.open(color).without(board.anchors(color));
            let anchors = |color| board.anchors(color);
            let next_piece = |color| anchors(color).spread(board.open(color), 4);
            let own_reach = next_piece(color);
            let far = own_reach.spread(board.open(color), 4);
            // Which cells count, by name and by what the placement does with them.
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
                let scorer = Scorer::new(&board, color, &weights);
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
