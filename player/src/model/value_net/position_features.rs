//! Extraction of the value network's inputs from a board.

use game::{Bitboard, Board, ByColor, Color, ColorSet, MAX_PIECE_SIZE, PieceSet};

use super::TURNS;
use super::inputs::{ColorFeatures, INPUTS, ProgressFeatures, ValueInputs};
use crate::model::reach::{PIECE_REACH, Reach};

/// A position as inputs of the value network, with the dead anchors found on the way.
///
/// ```
/// use player::model::Model;
/// use player::model::value_net::PositionFeatures;
///
/// let position = player::bench::positions().swap_remove(1);
/// let features = PositionFeatures::of(position.board(), position.in_play(), position.turn()).expect("an evaluated turn");
/// assert!((0.0..=1.0).contains(&Model::built_in().value_net.evaluate(&features)));
/// ```
#[derive(Clone, Debug)]
pub struct PositionFeatures {
    /// The inputs of the network.
    pub inputs: ValueInputs,
    /// Anchors of each colour in play that none of its pieces can cover. A playout can drop them.
    pub dead_anchors: ByColor<Bitboard>,
    /// The colour to move.
    pub on_turn: Color,
}

impl PositionFeatures {
    /// Extracts the features of a board after `turns` turns. Returns `None` outside of [`TURNS`], and if a colour in
    /// play has not placed its first piece, as in positions that were set up.
    pub fn of(board: &Board, in_play: ColorSet, turns: u16) -> Option<Self> {
        if !TURNS.contains(&turns) || in_play.iter().any(|color| board.is_first(color)) {
            return None;
        }
        let remaining = ByColor::from_fn(|color| RemainingPieces::of(board, in_play, color));
        let live_anchors = ByColor::from_fn(|color| {
            if in_play.contains(color) {
                board.anchors(color).without(remaining[color].dead_anchors)
            } else {
                Bitboard::EMPTY
            }
        });
        let on_turn = Color::from_turn(turns);
        let [own, next, partner, last] = color_features(board, &remaining, &live_anchors, on_turn);
        Some(Self {
            inputs: ValueInputs { own, next, partner, last, progress: ProgressFeatures::at(turns) },
            dead_anchors: ByColor::from_fn(|color| remaining[color].dead_anchors),
            on_turn,
        })
    }

    /// Returns the inputs as a list.
    pub fn inputs(&self) -> &[f32; INPUTS] {
        bytemuck::cast_ref(&self.inputs)
    }
}

impl ProgressFeatures {
    fn at(turns: u16) -> Self {
        let passed = f32::from(turns) / f32::from(TURNS.end);
        let since = |fifths: u8| (passed - f32::from(fifths) / 5.0).max(0.0);
        Self {
            passed: since(0),
            since_1st_fifth: since(1),
            since_2nd_fifth: since(2),
            since_3rd_fifth: since(3),
            since_4th_fifth: since(4),
        }
    }
}

/// Extracts the features of the four colours, beginning with the colour to move. Every colour in play has placed a
/// piece.
fn color_features(
    board: &Board,
    remaining: &ByColor<RemainingPieces>,
    live_anchors: &ByColor<Bitboard>,
    on_turn: Color,
) -> [ColorFeatures; 4] {
    let reached_first = Reach::from_anchors(board, live_anchors);
    let near = grown(board, live_anchors, PIECE_REACH);
    let far = grown(board, &near, PIECE_REACH);
    on_turn.turn_order().map(|color| {
        let remaining_pieces = &remaining[color];
        let ([next, last], partner) = (color.opponents(), color.partner());
        let alone = |of: &ByColor<Bitboard>| of[color].without(of[next] | of[last]).len();
        let shared = |of: &ByColor<Bitboard>| (of[color] & of[partner]).len();
        let cells = |count: usize| count as f32 / 50.0;
        let anchors = |size: usize| remaining_pieces.anchors[size - 1..].iter().sum::<usize>() as f32 / 20.0;
        ColorFeatures {
            covered: cells(board.covered(color).len()),
            pentominoes: remaining_pieces.pentominoes as f32 / 10.0,
            tetrominoes: remaining_pieces.tetrominoes as f32 / 5.0,
            anchors: anchors(1),
            anchors_for_2: anchors(2),
            anchors_for_3: anchors(3),
            anchors_for_4: anchors(4),
            anchors_for_5: anchors(5),
            mobility: (remaining_pieces.placements as f32).sqrt() / 20.0,
            placeable: cells(remaining_pieces.placeable_cells),
            reached_first: cells(reached_first.0[color].len()),
            near: cells(near[color].len()),
            far: cells(far[color].len()),
            near_alone: cells(alone(&near)),
            far_alone: cells(alone(&far)),
            near_shared: cells(shared(&near)),
            far_shared: cells(shared(&far)),
        }
    })
}

/// The remaining pieces of a colour and the places for them.
#[derive(Default)]
struct RemainingPieces {
    pentominoes: usize,
    tetrominoes: usize,
    /// Anchors by the size of the largest fitting piece, from 1.
    anchors: [usize; MAX_PIECE_SIZE],
    /// Anchors that no piece can cover.
    dead_anchors: Bitboard,
    /// Pairs of a placement and a covered anchor.
    placements: usize,
    /// Cells of the pieces that fit anywhere.
    placeable_cells: usize,
}

impl RemainingPieces {
    fn of(board: &Board, in_play: ColorSet, color: Color) -> Self {
        let remaining = board.remaining_pieces(color);
        let [pentominoes, large] = [remaining.larger_than(4), remaining.larger_than(3)].map(PieceSet::len);
        let mut remaining_pieces = Self { pentominoes, tetrominoes: large - pentominoes, ..Self::default() };
        if !in_play.contains(color) {
            return remaining_pieces;
        }
        let mut not_placeable = remaining;
        for (anchor, fits) in board.all_fits(color) {
            if fits.is_empty() {
                remaining_pieces.dead_anchors.insert(anchor);
                continue;
            }
            let largest = fits.largest_size();
            remaining_pieces.anchors[largest - 1] += 1;
            remaining_pieces.placements += fits.len();
            let candidates = not_placeable.without(not_placeable.larger_than(largest));
            not_placeable = not_placeable.without(fits.pieces_among(candidates));
        }
        remaining_pieces.placeable_cells = remaining.without(not_placeable).cells();
        remaining_pieces
    }
}

/// Extends each set of cells by some steps over the colour's open cells.
fn grown(board: &Board, sets: &ByColor<Bitboard>, steps: usize) -> ByColor<Bitboard> {
    ByColor::from_fn(|color| sets[color].spread(board.open(color), steps))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Features;
    use crate::random::random_placement;
    use game::{Move, Piece, Position, Rules};
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Returns the position after some random placements.
    fn position(plies: usize) -> Position {
        let mut position = Position::new(Rules::Season2027, Some(Piece::PentoY)).unwrap();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        for _ in 0..plies {
            let placement = random_placement(position.board(), position.color(), &mut rng).unwrap();
            position.play(Move::Place(placement));
        }
        position
    }

    fn view(position: &Position) -> PositionFeatures {
        PositionFeatures::of(position.board(), position.in_play(), position.turn()).unwrap()
    }

    #[test]
    fn features_match_their_definitions() {
        for plies in [4, 17, 30, 45] {
            let position = position(plies);
            let (board, view) = (position.board(), view(&position));
            let ValueInputs { own, next, partner, last, .. } = view.inputs;
            let mut color = position.color();
            for features in [own, next, partner, last] {
                let remaining = board.remaining_pieces(color);
                let of_size = |size| remaining.iter().filter(|piece| piece.size() == size).count();
                let is_count =
                    |feature: f32, unit: f32, count: usize| assert_eq!((unit * feature).round() as usize, count);
                is_count(features.covered, 50.0, 89 - remaining.iter().map(Piece::size).sum::<usize>());
                is_count(features.pentominoes, 10.0, of_size(5));
                is_count(features.tetrominoes, 5.0, of_size(4));
                let is_in_play = position.in_play().contains(color);
                let placements = if is_in_play { board.placements(color) } else { Vec::new() };
                let ColorFeatures { anchors, anchors_for_2, anchors_for_3, anchors_for_4, anchors_for_5, .. } =
                    features;
                let by_size = [anchors, anchors_for_2, anchors_for_3, anchors_for_4, anchors_for_5];
                for (size, feature) in (1..).zip(by_size) {
                    let large = || placements.iter().filter(|placement| placement.piece().size() >= size);
                    let is_live = |anchor| large().any(|placement| placement.intersects(&Bitboard::only(anchor)));
                    is_count(feature, 20.0, board.anchors(color).iter().filter(|&anchor| is_live(anchor)).count());
                }
                let fitting = remaining.iter().filter(|&piece| placements.iter().any(|it| it.piece() == piece));
                is_count(features.placeable, 50.0, fitting.map(Piece::size).sum());
                let live = board.anchors(color).without(board.dead_anchors(color));
                let is_in_play = position.in_play().contains(color);
                let near = if is_in_play { live.spread(board.open(color), 4) } else { Bitboard::EMPTY };
                is_count(features.near, 50.0, near.len());
                is_count(features.far, 50.0, near.spread(board.open(color), 4).len());
                if is_in_play {
                    assert_eq!(view.dead_anchors[color], board.dead_anchors(color));
                }
                color = color.next();
            }
        }
    }

    #[test]
    fn inputs_begin_with_colour_on_turn() {
        let board = *position(20).board();
        let [now, next] = [30, 31].map(|turns| PositionFeatures::of(&board, ColorSet::ALL, turns).unwrap().inputs);
        assert_ne!(now.own, next.own);
        assert_eq!([now.next, now.partner, now.last, now.own], [next.own, next.next, next.partner, next.last]);
        for (input, passed) in now.progress.numbers().iter().zip([0.5, 0.3, 0.1, 0.0, 0.0]) {
            assert!((input - passed).abs() < 1e-6, "{now:?}");
        }
    }

    #[test]
    fn first_and_last_turns_have_no_features() {
        let board = *position(8).board();
        let is_evaluated = |turns| PositionFeatures::of(&board, ColorSet::ALL, turns).is_some();
        assert!(!is_evaluated(3) && is_evaluated(4) && is_evaluated(59) && !is_evaluated(60));
    }
}
