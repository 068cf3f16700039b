//! What a position is worth without playing it out.
//!
//! The expected result is the logistic function of a weighted sum over features of the four colours:
//! what is in hand, what can be placed, and which cells are in reach, alone or shared. One evaluation
//! costs a sixth to a quarter of a playout from the opening and tells as much as the mean of several
//! (docs/measurements.md); what it does not see are the details that playouts find. So the search mixes
//! both, as AlphaGo did (D. Silver et al., Mastering the game of Go with deep neural networks and tree
//! search, 2016).
//!
//! The weights are logistic regressions, one for each stage of the game, on the mean results of
//! playouts.

use game::{Bitboard, Board, ByColor, Color, ColorSet, Team};

use crate::heuristic::Reach;

/// How many features a colour has.
pub const FEATURES: usize = 14;

/// The features of the four colours, beginning with the one on turn.
pub type Features = [[f32; FEATURES]; 4];

/// Turns of a stage of the game.
pub const STAGE_TURNS: u16 = 12;

/// How many stages have weights of their own. In later turns playouts are short and tell more.
pub const STAGES: usize = 5;

/// The weights of one stage.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weights {
    /// The weights of the features of the four colours, beginning with the one on turn.
    pub colors: Features,
    /// The weight of being on turn.
    pub constant: f32,
}

/// The learnt weights of each stage.
pub static WEIGHTS: [Weights; STAGES] = include!("evaluation_weights.rs");

/// The expected result for team one, 0 to 1, of a game in which `turns` turns have been taken. None
/// in the first turns, before every colour has placed a piece, and after the last stage. Anchors that no
/// piece can cover are dropped from the board.
pub fn evaluate(board: &mut Board, in_play: ColorSet, turns: u16) -> Option<f32> {
    if usize::from(turns) < Color::ALL.len() {
        return None;
    }
    let weights = WEIGHTS.get(usize::from(turns / STAGE_TURNS))?;
    let color = Color::of_turn(turns);
    let features = features(board, in_play, color);
    let products =
        weights.colors.iter().flatten().zip(features.iter().flatten()).map(|(weight, feature)| weight * feature);
    let sum = products.sum::<f32>() + weights.constant;
    // The exponential of this crate is the same on every machine, that of the system need not be.
    let result = 1.0 / (1.0 + libm::expf(-sum));
    Some(if color.team() == Team::One { result } else { 1.0 - result })
}

/// The features of a board on which every colour has placed its first piece and `color` is on turn.
/// Anchors that no piece can cover are dropped from the board.
pub fn features(board: &mut Board, in_play: ColorSet, color: Color) -> Features {
    let hands = ByColor::from_fn(|color| Hand::of(board, in_play, color));
    let near = Reach::of(board, in_play);
    let start = ByColor::from_fn(|color| if in_play.contains(color) { board.anchors(color) } else { Bitboard::EMPTY });
    let reach = grown(board, &start, 4);
    let far = grown(board, &reach, 4);
    let mut colors = Color::ALL;
    colors.rotate_left(color as usize);
    colors.map(|color| {
        let hand = &hands[color];
        let (next, last, partner) = (color.next(), color.next().partner(), color.partner());
        let alone = |of: &ByColor<Bitboard>| of[color].without(of[next] | of[last]).len();
        let with_partner = |of: &ByColor<Bitboard>| (of[color] & of[partner]).len();
        let cells = |count: usize| count as f32 / 50.0;
        [
            cells(board.covered(color).len()),
            hand.pentominoes as f32 / 10.0,
            hand.tetrominoes as f32 / 5.0,
            hand.anchors as f32 / 20.0,
            (hand.placements as f32).sqrt() / 20.0,
            hand.pentomino_anchors as f32 / 10.0,
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
    /// Anchors that some piece can cover, and those that a pentomino can.
    anchors: usize,
    pentomino_anchors: usize,
    /// Pairs of a placement and an anchor that it covers.
    placements: usize,
    /// Cells of the pieces that can be placed anywhere.
    placeable_cells: usize,
}

impl Hand {
    /// Counts, and drops the anchors that no piece can cover.
    fn of(board: &mut Board, in_play: ColorSet, color: Color) -> Self {
        let left = board.left(color);
        let of_size = |size| left.iter().filter(|piece| piece.size() == size).count();
        let mut hand = Self { pentominoes: of_size(5), tetrominoes: of_size(4), ..Self::default() };
        if !in_play.contains(color) {
            return hand;
        }
        let mut not_placeable = left;
        for anchor in board.anchors(color) {
            let fits = board.fits(color, anchor);
            if fits.is_empty() {
                board.drop_anchor(color, anchor);
                continue;
            }
            hand.anchors += 1;
            hand.placements += fits.len();
            hand.pentomino_anchors += usize::from(fits.has_size(5));
            for piece in not_placeable.iter().filter(|&piece| fits.has_piece(piece)) {
                not_placeable.remove(piece);
                hand.placeable_cells += piece.size();
            }
        }
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
                let [covered, pentominoes, tetrominoes, anchors, _, _, placeable, ..] = of_color;
                let left = board.left(color);
                let of_size = |size| left.iter().filter(|piece| piece.size() == size).count();
                assert_eq!((50.0 * covered).round() as usize, 89 - left.iter().map(Piece::size).sum::<usize>());
                assert_eq!((10.0 * pentominoes).round() as usize, of_size(5));
                assert_eq!((5.0 * tetrominoes).round() as usize, of_size(4));
                let mut placements = Vec::new();
                if position.in_play().contains(color) {
                    board.list_placements(color, &mut placements);
                }
                let is_live = |anchor| placements.iter().any(|placement| placement.touches(&Bitboard::only(anchor)));
                let live = board.anchors(color).iter().filter(|&anchor| is_live(anchor)).count();
                assert_eq!((20.0 * anchors).round() as usize, live);
                let fitting = left.iter().filter(|&piece| placements.iter().any(|it| it.piece() == piece));
                assert_eq!((50.0 * placeable).round() as usize, fitting.map(Piece::size).sum::<usize>());
                color = color.next();
            }
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
        assert!(!is_evaluated(3) && is_evaluated(4));
        assert!(is_evaluated(STAGE_TURNS * STAGES as u16 - 1) && !is_evaluated(STAGE_TURNS * STAGES as u16));
    }
}
