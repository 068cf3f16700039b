//! What a position is worth without playing it out.
//!
//! The expected result is the logistic function of the output of a small neural network. Its inputs are
//! features of the four colours: what is in hand, what can be placed and where, and which cells are in
//! reach, alone or shared. One evaluation tells as much as the mean of several playouts; what it does not see are the
//! details that playouts find. So the search evaluates each leaf once and mixes
//! that with the playouts from there, as AlphaGo did (D. Silver et al., Mastering the game of Go with deep
//! neural networks and tree search, 2016).
//!
//! The network was trained on the results of games of short searches, in which the margin counted as much as it does in
//! the search at that turn: if the search changes that, retrain the network. An earlier network, trained on the values
//! of searches that used a network themselves, overrated the team on turn and gave results too near to a half.

use std::ops::Range;

use game::{Bitboard, Board, ByColor, Color, ColorSet, MAX_PIECE_SIZE, PieceSet, Team};

use super::features::{Features, features};
use super::reach::{PIECE_REACH, Reach};
use super::value_net::{HIDDEN, ValueNet};
use super::weights_file::{Array, Origin, WeightsError, WeightsFile};
use crate::math::logistic;

features! {
    /// What the network sees of a board.
    pub struct Inputs {
        /// The colour on turn.
        own: ColorFeatures,
        /// The opponent whose turn comes next.
        next: ColorFeatures,
        /// The other colour of the team on turn.
        partner: ColorFeatures,
        /// The opponent whose turn comes last.
        last: ColorFeatures,
        /// How far the game is.
        progress: ProgressFeatures,
    }

    /// What the network sees of one colour, scaled so that most numbers are between 0 and 1. What is said of anchors is
    /// said of those that a piece can cover.
    pub struct ColorFeatures {
        /// Cells that it covers, in fiftieths.
        covered: f32,
        /// Pieces of five cells in hand, in tenths.
        pentominoes: f32,
        /// Pieces of four cells in hand, in fifths.
        tetrominoes: f32,
        /// Anchors, in twentieths.
        anchors: f32,
        /// Anchors that a piece of at least two cells can cover, in twentieths.
        anchors_for_2: f32,
        /// Anchors that a piece of at least three cells can cover, in twentieths.
        anchors_for_3: f32,
        /// Anchors that a piece of at least four cells can cover, in twentieths.
        anchors_for_4: f32,
        /// Anchors that a piece of five cells can cover, in twentieths.
        anchors_for_5: f32,
        /// The square root of the number of pairs of a placement and an anchor that it covers, in twentieths.
        mobility: f32,
        /// Cells of the pieces in hand that can be placed anywhere, in fiftieths.
        placeable: f32,
        /// Cells that it reaches no later than any opponent, see [`Reach`], in fiftieths.
        reached_first: f32,
        /// Cells within four steps of an anchor, in fiftieths.
        near: f32,
        /// Cells within eight steps of an anchor, in fiftieths.
        far: f32,
        /// Those of the near cells that are near no opponent's anchor.
        near_alone: f32,
        /// Those of the far cells that are far cells of no opponent.
        far_alone: f32,
        /// Those of the near cells that are also near the partner's anchors.
        near_shared: f32,
        /// Those of the far cells that are also far cells of the partner.
        far_shared: f32,
    }

    /// The turn divided by the end of [`TURNS`], and by how much that is more than one, two, three and four fifths, so
    /// that each of these phases can have values of its own.
    pub struct ProgressFeatures {
        /// The part of the game that has passed.
        passed: f32,
        /// The part that has passed since the first fifth.
        since_1st_fifth: f32,
        /// The part that has passed since the second fifth.
        since_2nd_fifth: f32,
        /// The part that has passed since the third fifth.
        since_3rd_fifth: f32,
        /// The part that has passed since the fourth fifth.
        since_4th_fifth: f32,
    }
}

/// How many inputs the network has.
pub const INPUTS: usize = Inputs::COUNT;

/// The turns in which positions are evaluated: not before every colour has placed a piece; and when they
/// end, playouts are short and tell more.
pub const TURNS: Range<u16> = Color::ALL.len() as u16..60;

/// A board as the evaluation sees it: the inputs of the network, and what was found on the way to them.
///
/// ```
/// use game::{Position, Rules};
/// use player::model::{Model, View};
/// use player::{FromOptions, Limit, Options, Player, RandomPlayer};
///
/// let mut position = Position::new(Rules::Classic, None)?;
/// assert!(View::of(position.board(), position.in_play(), position.turn()).is_none(), "nobody has begun");
/// let mut random = RandomPlayer::new(&Options::default());
/// (0..4).for_each(|_| position.play(random.choose(&position, &Limit::nodes(1)).mv));
/// let view = View::of(position.board(), position.in_play(), position.turn()).expect("everybody has begun");
/// assert!((0.0..=1.0).contains(&Model::built_in().evaluation.evaluate(&view)));
/// # Ok::<(), game::SetupError>(())
/// ```
#[derive(Clone, Debug)]
pub struct View {
    /// The inputs of the network.
    pub inputs: Inputs,
    /// The anchors of each colour in play that none of its pieces can cover. Who plays on from the board need not look
    /// at them again.
    pub dead_anchors: ByColor<Bitboard>,
    /// The colour on turn.
    pub on_turn: Color,
}

/// The last turn of [`TURNS`] in which the colour of this turn moves, if the turn comes after them: as which later ones
/// can be evaluated.
pub fn evaluated_turn(turn: u16) -> u16 {
    const ROUND: u16 = Color::ALL.len() as u16;
    if turn < TURNS.end { turn } else { TURNS.end - ROUND + (turn - TURNS.end) % ROUND }
}

/// The margin that goes with a probability to win: a curve through what 1,509,000 searches of self-play expected,
/// 20.4 points for log-odds of one in turns 0 to 9 and 2.1 in turns 50 to 59.
pub fn likely_margin(win: f32, turn: u16) -> f32 {
    // Whatever is certain is so by some hundred points.
    let win = win.clamp(1e-6, 1.0 - 1e-6);
    margin_scale(turn) * libm::logf(win / (1.0 - win))
}

/// The probability to win that goes with a margin, by the same curve.
///
/// ```
/// use player::model::evaluation::{likely_margin, likely_win};
///
/// assert!((likely_win(likely_margin(0.7, 30), 30) - 0.7).abs() < 1e-5);
/// assert_eq!(likely_win(0.0, u16::MAX), 0.5);
/// ```
pub fn likely_win(margin: f32, turn: u16) -> f32 {
    logistic(margin / margin_scale(turn))
}

/// The points that go with log-odds of 1.
fn margin_scale(turn: u16) -> f32 {
    // Not 0 in the latest turns of positions that were set up, where no margin would have a probability.
    (24.0 * libm::expf(f32::from(turn) / -22.5)).max(f32::MIN_POSITIVE)
}

impl View {
    /// The view of a board after this many turns; none outside of [`TURNS`], and where a colour in play has not placed
    /// its first piece, which only positions that were set up have then.
    pub fn of(board: &Board, in_play: ColorSet, turns: u16) -> Option<Self> {
        if !TURNS.contains(&turns) || in_play.iter().any(|color| board.is_first(color)) {
            return None;
        }
        let hands = ByColor::from_fn(|color| Hand::of(board, in_play, color));
        let live_anchors = ByColor::from_fn(|color| {
            if in_play.contains(color) {
                board.anchors(color).without(hands[color].dead_anchors)
            } else {
                Bitboard::EMPTY
            }
        });
        let on_turn = Color::of_turn(turns);
        let [own, next, partner, last] = color_features(board, &hands, &live_anchors, on_turn);
        Some(Self {
            inputs: Inputs { own, next, partner, last, progress: ProgressFeatures::at(turns) },
            dead_anchors: ByColor::from_fn(|color| hands[color].dead_anchors),
            on_turn,
        })
    }

    /// The inputs of the network as a list.
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

/// The evaluation: a network that expects the result for the team on turn.
#[derive(Clone, PartialEq, Debug)]
pub struct Evaluator {
    /// The network.
    pub network: ValueNet<INPUTS>,
}

impl Evaluator {
    /// The kind of its files.
    pub const KIND: &'static str = "evaluation";

    /// The file of this network: an array for each input, which has its weight for each hidden unit, and those of the
    /// [other weights](ValueNet).
    pub fn to_file(&self, origin: Origin) -> WeightsFile {
        let ValueNet { hidden_weights, hidden_biases, output_weights, output_bias } = &self.network;
        let inputs = input_arrays().zip(hidden_weights);
        let mut arrays: Vec<Array> =
            inputs.map(|(name, weights)| Array::new(name, &[HIDDEN], weights.to_vec())).collect();
        arrays.push(Array::new("hidden_biases", &[HIDDEN], hidden_biases.to_vec()));
        arrays.push(Array::new("output_weights", &[HIDDEN], output_weights.to_vec()));
        arrays.push(Array::new("output_bias", &[1], vec![*output_bias]));
        WeightsFile { kind: Self::KIND.to_owned(), origin, arrays }
    }

    /// The network of a file.
    ///
    /// # Errors
    /// [`WeightsError`] if it does not hold exactly the weights of this network.
    pub fn from_file(mut file: WeightsFile) -> Result<Self, WeightsError> {
        let mut network = ValueNet::ZERO;
        let mut fill = |name: &str, row: &mut [f32]| {
            row.copy_from_slice(&file.take(name, &[row.len()])?);
            Ok(())
        };
        for (name, weights) in input_arrays().zip(&mut network.hidden_weights) {
            fill(&name, weights)?;
        }
        fill("hidden_biases", &mut network.hidden_biases)?;
        fill("output_weights", &mut network.output_weights)?;
        fill("output_bias", std::slice::from_mut(&mut network.output_bias))?;
        file.finish()?;
        Ok(Self { network })
    }

    /// The expected result for team one, 0 to 1.
    pub fn evaluate(&self, view: &View) -> f32 {
        let result = logistic(self.network.output(&self.network.hidden(view.inputs())));
        if view.on_turn.team() == Team::One { result } else { 1.0 - result }
    }
}

/// The names of the arrays of the inputs' weights.
fn input_arrays() -> impl Iterator<Item = String> {
    Inputs::names().into_iter().map(|name| format!("hidden.{name}"))
}

/// The features of the four colours of a board on which every colour in play has placed its first piece, beginning with
/// the colour on turn.
fn color_features(
    board: &Board,
    hands: &ByColor<Hand>,
    live_anchors: &ByColor<Bitboard>,
    on_turn: Color,
) -> [ColorFeatures; 4] {
    let reached_first = Reach::from_anchors(board, live_anchors);
    let near = grown(board, live_anchors, PIECE_REACH);
    let far = grown(board, &near, PIECE_REACH);
    on_turn.turn_order().map(|color| {
        let hand = &hands[color];
        let ([next, last], partner) = (color.opponents(), color.partner());
        let alone = |of: &ByColor<Bitboard>| of[color].without(of[next] | of[last]).len();
        let shared = |of: &ByColor<Bitboard>| (of[color] & of[partner]).len();
        let cells = |count: usize| count as f32 / 50.0;
        let anchors = |size: usize| hand.anchors[size - 1..].iter().sum::<usize>() as f32 / 20.0;
        ColorFeatures {
            covered: cells(board.covered(color).len()),
            pentominoes: hand.pentominoes as f32 / 10.0,
            tetrominoes: hand.tetrominoes as f32 / 5.0,
            anchors: anchors(1),
            anchors_for_2: anchors(2),
            anchors_for_3: anchors(3),
            anchors_for_4: anchors(4),
            anchors_for_5: anchors(5),
            mobility: (hand.placements as f32).sqrt() / 20.0,
            placeable: cells(hand.placeable_cells),
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

/// What a colour has in hand and can do with it.
#[derive(Default)]
struct Hand {
    pentominoes: usize,
    tetrominoes: usize,
    /// Anchors whose largest fitting piece has 1, 2, … cells.
    anchors: [usize; MAX_PIECE_SIZE],
    /// Anchors that no piece can cover.
    dead_anchors: Bitboard,
    /// Pairs of a placement and an anchor that it covers.
    placements: usize,
    /// Cells of the pieces that can be placed anywhere.
    placeable_cells: usize,
}

impl Hand {
    fn of(board: &Board, in_play: ColorSet, color: Color) -> Self {
        let left = board.left(color);
        let [pentominoes, large] = [left.larger_than(4), left.larger_than(3)].map(PieceSet::len);
        let mut hand = Self { pentominoes, tetrominoes: large - pentominoes, ..Self::default() };
        if !in_play.contains(color) {
            return hand;
        }
        let mut not_placeable = left;
        for (anchor, fits) in board.all_fits(color) {
            if fits.is_empty() {
                hand.dead_anchors.insert(anchor);
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
    use game::{Move, Piece, Position, Rules};
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// The position after some random placements.
    fn position(plies: usize) -> Position {
        let mut position = Position::new(Rules::Season2027, Some(Piece::PentoY)).unwrap();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        for _ in 0..plies {
            let placement = position.board().random_placement(position.color(), &mut rng).unwrap();
            position.play(Move::Place(placement));
        }
        position
    }

    #[test]
    fn files_hold_the_whole_network() {
        let evaluator = &super::super::Model::built_in().evaluation;
        let file = || evaluator.to_file(Origin::default());
        assert_eq!(Evaluator::from_file(file()).as_ref(), Ok(evaluator));
        for name in file().arrays.iter().map(Array::name) {
            let mut without = file();
            without.arrays.retain(|array| array.name() != name);
            assert_eq!(Evaluator::from_file(without), Err(WeightsError::MissingArray(name.to_owned())));
        }
    }

    fn view(position: &Position) -> View {
        View::of(position.board(), position.in_play(), position.turn()).unwrap()
    }

    #[test]
    fn features_count_what_their_names_say() {
        for plies in [4, 17, 30, 45] {
            let position = position(plies);
            let (board, view) = (position.board(), view(&position));
            let Inputs { own, next, partner, last, .. } = view.inputs;
            let mut color = position.color();
            for features in [own, next, partner, last] {
                let left = board.left(color);
                let of_size = |size| left.iter().filter(|piece| piece.size() == size).count();
                let is_count =
                    |feature: f32, unit: f32, count: usize| assert_eq!((unit * feature).round() as usize, count);
                is_count(features.covered, 50.0, 89 - left.iter().map(Piece::size).sum::<usize>());
                is_count(features.pentominoes, 10.0, of_size(5));
                is_count(features.tetrominoes, 5.0, of_size(4));
                let is_in_play = position.in_play().contains(color);
                let placements = if is_in_play { board.placements(color) } else { Vec::new() };
                let ColorFeatures { anchors, anchors_for_2, anchors_for_3, anchors_for_4, anchors_for_5, .. } =
                    features;
                let by_size = [anchors, anchors_for_2, anchors_for_3, anchors_for_4, anchors_for_5];
                for (size, feature) in (1..).zip(by_size) {
                    let large = || placements.iter().filter(|placement| placement.piece().size() >= size);
                    let is_live = |anchor| large().any(|placement| placement.touches(&Bitboard::only(anchor)));
                    is_count(feature, 20.0, board.anchors(color).iter().filter(|&anchor| is_live(anchor)).count());
                }
                let fitting = left.iter().filter(|&piece| placements.iter().any(|it| it.piece() == piece));
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
    fn inputs_begin_with_the_colour_on_turn_and_end_with_the_progress() {
        let board = *position(20).board();
        let [now, next] = [30, 31].map(|turns| View::of(&board, ColorSet::ALL, turns).unwrap().inputs);
        assert_ne!(now.own, next.own);
        assert_eq!([now.next, now.partner, now.last, now.own], [next.own, next.next, next.partner, next.last]);
        for (input, passed) in now.progress.numbers().iter().zip([0.5, 0.3, 0.1, 0.0, 0.0]) {
            assert!((input - passed).abs() < 1e-6, "{now:?}");
        }
    }

    #[test]
    fn says_nothing_of_the_first_turns_and_of_the_last() {
        let board = *position(8).board();
        let is_evaluated = |turns| View::of(&board, ColorSet::ALL, turns).is_some();
        assert!(!is_evaluated(3) && is_evaluated(4) && is_evaluated(59) && !is_evaluated(60));
    }

    #[test]
    fn dead_anchors_change_nothing() {
        for plies in [20, 30, 40, 50] {
            let position = position(plies);
            let before = view(&position);
            let mut board = *position.board();
            Color::ALL.into_iter().for_each(|color| board.drop_anchors(color, before.dead_anchors[color]));
            let after = View::of(&board, position.in_play(), position.turn()).unwrap();
            assert_eq!(after.inputs, before.inputs);
            assert!(plies < 40 || before.dead_anchors.0.iter().any(|anchors| !anchors.is_empty()));
        }
    }
}
