//! What a position is worth without playing it out.
//!
//! The expected result is the logistic function of the output of a small neural network. Its inputs are
//! features of the four colours: what is in hand, what can be placed and where, and which cells are in
//! reach, alone or shared. One evaluation tells as much as the mean of several playouts (docs/measurements.md);
//! what it does not see are the details that playouts find. So the search evaluates each leaf once and mixes
//! that with the playouts from there, as AlphaGo did (D. Silver et al., Mastering the game of Go with deep
//! neural networks and tree search, 2016).
//!
//! The network has been learnt from the results of games of short searches, with the margin share of the turn
//! ([`Params::at`](super::params::Params::at)); whoever changes that had better learn it again. An earlier network,
//! learnt from the values of searches that used the network themselves, expected too much for the team on turn, and
//! results too near to a half (docs/measurements.md, "Learning from results").

use std::ops::Range;

use game::{Bitboard, Board, ByColor, Color, ColorSet, MAX_PIECE_SIZE, PieceSet, Team};

use super::network::{Network, logistic};
use crate::heuristic::Reach;

/// How many features a colour has.
const FEATURES: usize = 17;

/// The features of the four colours, beginning with the one on turn.
type Features = [[f32; FEATURES]; 4];

/// How many inputs tell how far the game is: the turn divided by the end of [`TURNS`], and by how much it is more than
/// one, two, three and four fifths, so that each of these phases can have values of its own.
const PROGRESS: usize = 5;

/// How many inputs the network has.
pub const INPUTS: usize = 4 * FEATURES + PROGRESS;

/// The turns in which positions are evaluated: not before every colour has placed a piece; and when they
/// end, playouts are short and tell more.
pub const TURNS: Range<u16> = Color::ALL.len() as u16..60;

/// The network that has been learnt.
#[allow(clippy::approx_constant, reason = "that a weight looks like a constant of mathematics is chance")]
pub static NETWORK: Network<INPUTS> = include!("evaluation_network.rs");

/// The expected result for team one, 0 to 1, of a game in which `turns` turns have been taken; None outside of
/// [`TURNS`], and where a colour in play has not placed its first piece, which only positions that were set up have
/// then. Anchors that no piece can cover are dropped from the board.
pub(super) fn evaluate(board: &mut Board, in_play: ColorSet, turns: u16) -> Option<f32> {
    if !TURNS.contains(&turns) || in_play.iter().any(|color| board.is_first(color)) {
        return None;
    }
    let inputs = inputs(board, in_play, turns);
    let result = logistic(NETWORK.output(&NETWORK.hidden(&inputs)));
    Some(if Color::of_turn(turns).team() == Team::One { result } else { 1.0 - result })
}

/// The inputs of the network, which expects the result for the team on turn, in one of the [`TURNS`]. Anchors
/// that no piece can cover are dropped from the board.
pub fn inputs(board: &mut Board, in_play: ColorSet, turns: u16) -> [f32; INPUTS] {
    let mut inputs = [0.0; INPUTS];
    let (colors, progress) = inputs.split_at_mut(INPUTS - PROGRESS);
    colors.copy_from_slice(features(board, in_play, Color::of_turn(turns)).as_flattened());
    let passed = f32::from(turns) / f32::from(TURNS.end);
    for (part, input) in progress.iter_mut().enumerate() {
        *input = (passed - part as f32 / PROGRESS as f32).max(0.0);
    }
    inputs
}

/// The features of a board on which every colour has placed its first piece and `color` is on turn.
/// Anchors that no piece can cover are dropped from the board.
fn features(board: &mut Board, in_play: ColorSet, color: Color) -> Features {
    let hands = ByColor::from_fn(|color| Hand::of(board, in_play, color));
    let near = Reach::of(board, in_play);
    let start = ByColor::from_fn(|color| if in_play.contains(color) { board.anchors(color) } else { Bitboard::EMPTY });
    let reach = grown(board, &start, 4);
    let far = grown(board, &reach, 4);
    let mut colors = Color::ALL;
    colors.rotate_left(color as usize);
    colors.map(|color| {
        let hand = &hands[color];
        let ([next, last], partner) = (color.opponents(), color.partner());
        let alone = |of: &ByColor<Bitboard>| of[color].without(of[next] | of[last]).len();
        let with_partner = |of: &ByColor<Bitboard>| (of[color] & of[partner]).len();
        let cells = |count: usize| count as f32 / 50.0;
        let anchors = |size: usize| hand.anchors[size - 1..].iter().sum::<usize>() as f32 / 20.0;
        [
            cells(board.covered(color).len()),
            hand.pentominoes as f32 / 10.0,
            hand.tetrominoes as f32 / 5.0,
            anchors(1),
            anchors(2),
            anchors(3),
            anchors(4),
            anchors(5),
            (hand.placements as f32).sqrt() / 20.0,
            cells(hand.placeable_cells),
            cells(near.0[color].len()),
            cells(reach[color].len()),
            cells(far[color].len()),
            cells(alone(&reach)),
            cells(alone(&far)),
            cells(with_partner(&reach)),
            cells(with_partner(&far)),
        ]
    })
}

/// What a colour has in hand and can do with it.
#[derive(Default)]
struct Hand {
    pentominoes: usize,
    tetrominoes: usize,
    /// Anchors whose largest fitting piece has 1, 2, … cells.
    anchors: [usize; MAX_PIECE_SIZE],
    /// Pairs of a placement and an anchor that it covers.
    placements: usize,
    /// Cells of the pieces that can be placed anywhere.
    placeable_cells: usize,
}

impl Hand {
    /// Counts, and drops the anchors that no piece can cover.
    fn of(board: &mut Board, in_play: ColorSet, color: Color) -> Self {
        let left = board.left(color);
        let [pentominoes, large] = [left.larger_than(4), left.larger_than(3)].map(PieceSet::len);
        let mut hand = Self { pentominoes, tetrominoes: large - pentominoes, ..Self::default() };
        if !in_play.contains(color) {
            return hand;
        }
        let mut not_placeable = left;
        for (anchor, fits) in board.all_fits(color) {
            if fits.is_empty() {
                board.drop_anchor(color, anchor);
                continue;
            }
            let largest = fits.largest_size();
            hand.anchors[largest - 1] += 1;
            hand.placements += fits.len();
            let candidates = not_placeable.without(not_placeable.larger_than(largest));
            not_placeable = not_placeable.without(fits.pieces_among(candidates));
        }
        hand.placeable_cells = left.without(not_placeable).cells();
        hand
    }
}

/// Each set of cells and what lies within some steps of it over the colour's open cells.
fn grown(board: &Board, sets: &ByColor<Bitboard>, steps: usize) -> ByColor<Bitboard> {
    ByColor::from_fn(|color| sets[color].spread(board.open(color), steps))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcts::params::Params;
    use crate::mcts::playout::{Playout, Policy};
    use game::{Move, Piece, Position, Rules};
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// The position after some plies of a playout.
    fn position(rng: &mut Xoshiro256PlusPlus, plies: usize) -> Position {
        let mut position = Position::new(Rules::Season2027, Some(Piece::PentoY)).unwrap();
        let mut playout = Playout::new(&position);
        playout.run(&Policy::new(&Params::default()), plies, rng);
        playout.placements().iter().for_each(|&(_, placement)| position.play(Move::Place(placement)));
        position
    }

    #[test]
    fn features_count_what_they_say() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        for plies in [4, 17, 30, 45] {
            let position = position(&mut rng, plies);
            let board = position.board();
            let mut color = position.color();
            for of_color in features(&mut board.clone(), position.in_play(), color) {
                let [covered, pentominoes, tetrominoes, anchors @ .., _, placeable, _, _, _, _, _, _, _] = of_color;
                let left = board.left(color);
                let of_size = |size| left.iter().filter(|piece| piece.size() == size).count();
                assert_eq!((50.0 * covered).round() as usize, 89 - left.iter().map(Piece::size).sum::<usize>());
                assert_eq!((10.0 * pentominoes).round() as usize, of_size(5));
                assert_eq!((5.0 * tetrominoes).round() as usize, of_size(4));
                let mut placements = Vec::new();
                if position.in_play().contains(color) {
                    board.list_placements(color, &mut placements);
                }
                for (size, &count) in (1..).zip(anchors.iter()) {
                    let large = || placements.iter().filter(|placement| placement.piece().size() >= size);
                    let is_live = |anchor| large().any(|placement| placement.touches(&Bitboard::only(anchor)));
                    let live = board.anchors(color).iter().filter(|&anchor| is_live(anchor)).count();
                    assert_eq!((20.0 * count).round() as usize, live, "{size}");
                }
                let fitting = left.iter().filter(|&piece| placements.iter().any(|it| it.piece() == piece));
                assert_eq!((50.0 * placeable).round() as usize, fitting.map(Piece::size).sum::<usize>());
                color = color.next();
            }
        }
    }

    #[test]
    fn inputs_begin_with_the_colour_on_turn_and_end_with_the_progress() {
        let mut board = *position(&mut Xoshiro256PlusPlus::seed_from_u64(2), 20).board();
        let [now, next] = [30, 31].map(|turns| inputs(&mut board, ColorSet::ALL, turns));
        assert_ne!(now[..FEATURES], next[..FEATURES]);
        assert_eq!(now[FEATURES..4 * FEATURES], next[..3 * FEATURES]);
        assert_eq!(now[..FEATURES], next[3 * FEATURES..4 * FEATURES]);
        for (input, passed) in now[4 * FEATURES..].iter().zip([0.5, 0.3, 0.1, 0.0, 0.0]) {
            assert!((input - passed).abs() < 1e-6, "{now:?}");
        }
    }

    #[test]
    fn foretells_who_wins_playouts() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        let policy = Policy::new(&Params::default());
        let (mut called_won, mut called_lost) = (Vec::new(), Vec::new());
        for n in 0..300 {
            let mut playout = Playout::new(&position(&mut rng, 12 + n % 36));
            let Some(expected) = playout.evaluate() else { continue };
            playout.run(&policy, usize::MAX, &mut rng);
            let called = if expected > 0.5 { &mut called_won } else { &mut called_lost };
            called.push(f32::from(playout.margin() > 0));
        }
        let mean = |results: &[f32]| results.iter().sum::<f32>() / results.len() as f32;
        assert!(called_won.len() > 50 && called_lost.len() > 50);
        assert!(mean(&called_won) > mean(&called_lost) + 0.3);
    }

    #[test]
    fn says_nothing_of_the_first_turns_and_of_the_last() {
        let mut board = *position(&mut Xoshiro256PlusPlus::seed_from_u64(1), 8).board();
        let mut is_evaluated = |turns| evaluate(&mut board, ColorSet::ALL, turns).is_some();
        assert!(!is_evaluated(3) && is_evaluated(4) && is_evaluated(59) && !is_evaluated(60));
    }
}
