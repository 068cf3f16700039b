//! Playouts: games played to their ends by a fast, random, but not stupid policy.
//!
//! A colour's move is found at one of its anchors, taken at random: all placements that cover it are
//! one set of bits ([`Fits`]), from which a move is chosen. An anchor that no piece can cover any more
//! is dropped for the rest of the playout, those without any open side all at once, and those that none could
//! cover at the root when the playout leaves the tree. So a colour is retired exactly when it cannot move,
//! and no list of all moves is ever made, but one of first pieces, once per search. (Lists of all placements that can
//! still become legal, made once per search and filtered, would have thousands of entries until late in the game.)
//!
//! Moves that answer the opponents come first: those that cover most of the corners that the
//! opponents' latest pieces have opened, and of the cells beside them (the playout policy of Pentobi,
//! here at one anchor near them at a time). Then come the largest pieces.
//!
//! The rules are those of the official server but for voluntary passes, which do not occur in
//! playouts. The moves of the tree that lead to the leaf are played on the same board, which keeps no hash
//! and does not ask after every move whether the next colour can go on.

use game::{Bitboard, Board, ByColor, Color, ColorSet, Diamond, Fits, Piece, Placement, Position, Progress, Team};
use rand::Rng;

use crate::model::evaluation::evaluated_turn;
use crate::model::{Evaluator, View};

/// How moves are chosen: the playout parameters in the form that the hot path wants.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    answers: bool,
    /// The probability of a move of a largest piece, in parts of 2^32.
    largest: u32,
}

impl Policy {
    /// A policy that answers threats first or does not, and otherwise places one of the largest pieces that fit with
    /// this probability, else any that fits.
    pub fn new(answers: bool, largest: f32) -> Self {
        Self { answers, largest: (largest * u32::MAX as f32) as u32 }
    }
}

/// How often a first placement is drawn before the legal ones are counted.
const FIRST_PIECE_DRAWS: usize = 16;

/// Games that start from one position, one after the other: first moves that are given, then those of the
/// policy to the end.
#[derive(Clone, Debug)]
pub struct Playout {
    start: State,
    state: State,
    /// The colours that may move again after the first move.
    in_play: ColorSet,
    /// Anchors that no piece could cover at the start.
    dead_anchors: ByColor<Bitboard>,
    /// The first pieces that the colours without any could place at the start.
    first_pieces: ByColor<Vec<Placement>>,
    /// What the latest piece of each colour threatens: the corners that it opened, and the open cells
    /// beside them.
    threats: ByColor<Bitboard>,
    placements: Vec<(Color, Placement)>,
}

/// Where a game has come to.
#[derive(Clone, Copy, Debug)]
struct State {
    board: Board,
    progress: Progress,
}

impl Playout {
    /// A game from `position` that has not begun.
    pub fn new(position: &Position) -> Self {
        let board = *position.board();
        let first_pieces = |color| {
            let mut placements = Vec::new();
            if board.is_first(color) {
                board.list_placements(color, &mut placements);
            }
            placements
        };
        let mut progress = position.progress();
        // A position may be set up with a colour on turn that is out of play. It may move all the same, but once.
        progress.in_play.insert(position.color());
        let start = State { board, progress };
        Self {
            start,
            state: start,
            in_play: position.in_play(),
            dead_anchors: ByColor::from_fn(|color| board.dead_anchors(color)),
            first_pieces: ByColor::from_fn(first_pieces),
            threats: ByColor::default(),
            placements: Vec::with_capacity(4 * Piece::COUNT),
        }
    }

    /// Starts afresh.
    pub fn restart(&mut self) {
        self.state = self.start;
        self.threats = ByColor::default();
        self.placements.clear();
    }

    /// The colour on turn, which has not been retired but need not be able to move; none if the game is known to
    /// be over. Passes the turns of colours that have been retired.
    #[inline(always)]
    pub fn color(&mut self) -> Option<Color> {
        let progress = &mut self.state.progress;
        progress.skip_removed_colors();
        (!progress.is_over()).then(|| progress.color())
    }

    /// Plays a legal move of the next colour that can move, and says which one that is. Those that are on turn
    /// before it cannot move, or the move would be theirs; they are retired. None if it is legal for nobody.
    #[inline(always)]
    pub(crate) fn follow(&mut self, placement: Placement) -> Option<Color> {
        let color = self.turn_to(placement)?;
        self.play(color, placement);
        Some(color)
    }

    /// The next colour that can move, of whose legal moves this is one; those before it are retired.
    #[inline(always)]
    pub(crate) fn turn_to(&mut self, placement: Placement) -> Option<Color> {
        loop {
            let color = self.color()?;
            if self.state.board.allows(color, placement) {
                return Some(color);
            }
            self.retire(color);
        }
    }

    /// Takes a colour that cannot move out of the game.
    #[inline(always)]
    pub(crate) fn retire(&mut self, color: Color) {
        self.state.progress.in_play.remove(color);
        self.threats[color] = Bitboard::EMPTY;
    }

    /// Makes ready for the policy after the last given move: it may answer the moves of the three colours before
    /// the next one, and need not look at anchors that were dead at the start.
    pub(crate) fn leave_tree(&mut self) {
        for color in Color::ALL {
            self.state.board.drop_anchors(color, self.dead_anchors[color]);
        }
        for n in self.placements.len().saturating_sub(3)..self.placements.len() {
            let (color, placement) = self.placements[n];
            if self.state.progress.in_play.contains(color) {
                self.threaten(color, placement);
            }
        }
    }

    /// Lets the policy play at most `most` more pieces, and so to the end if that is large.
    pub fn run(&mut self, policy: &Policy, most: usize, rng: &mut impl Rng) {
        let end = self.placements.len().saturating_add(most);
        while self.placements.len() < end {
            let Some(color) = self.color() else { break };
            match self.choose(color, policy, rng) {
                Some(placement) => {
                    self.play(color, placement);
                    if policy.answers {
                        self.threaten(color, placement);
                    }
                }
                None => self.retire(color),
            }
        }
    }

    /// The expected result for team one, if the game is not over and there is a [`View`] of it. What that shows of dead
    /// anchors is made use of: the rest of this game does not look at them. A board after the last turn that is
    /// evaluated is so only if `late`, [as an earlier one](evaluated_turn).
    pub fn evaluate(&mut self, evaluator: &Evaluator, late: bool) -> Option<f32> {
        self.color()?;
        let State { board, progress: Progress { turn, in_play, .. } } = &mut self.state;
        let view = View::of(board, *in_play, if late { evaluated_turn(*turn) } else { *turn })?;
        for color in Color::ALL {
            board.drop_anchors(color, view.dead_anchors[color]);
        }
        // If no anchor is left nobody can move any more, though nobody has been retired for that yet.
        let is_over = in_play.iter().all(|color| board.anchors(color).is_empty());
        (!is_over).then(|| evaluator.evaluate(&view))
    }

    /// What lies on the board.
    pub fn board(&self) -> &Board {
        &self.state.board
    }

    /// The colours that can still move, or have not tried since they cannot.
    pub fn in_play(&self) -> ColorSet {
        self.state.progress.in_play
    }

    /// Turns taken since the start of the game, those of retired colours included as far as
    /// [`color`](Self::color) has passed them.
    pub fn turn(&self) -> u16 {
        self.state.progress.turn
    }

    /// The placements since the last start with their colours, in order.
    pub fn placements(&self) -> &[(Color, Placement)] {
        &self.placements
    }

    /// The points of team one less those of team two.
    pub fn margin(&self) -> i32 {
        self.state.progress.margin(&self.state.board, Team::One)
    }

    #[inline(always)]
    fn play(&mut self, color: Color, placement: Placement) {
        let State { board, progress } = &mut self.state;
        board.place(color, placement);
        progress.note_placement(placement.piece(), board.left(color));
        progress.in_play = progress.in_play.intersection(self.in_play);
        progress.end_turn();
        self.placements.push((color, placement));
    }

    fn threaten(&mut self, color: Color, placement: Placement) {
        let open = self.state.board.open(color);
        let corners = placement.corners() & open;
        self.threats[color] = corners.spread(open, 1);
    }

    /// A move at a random anchor: an answer to the latest threats of the opponents if there is one;
    /// none if the colour cannot move.
    #[inline]
    fn choose(&mut self, color: Color, policy: &Policy, rng: &mut impl Rng) -> Option<Placement> {
        if self.state.board.is_first(color) {
            return self.first_piece(color, rng);
        }
        // Three of four anchors that no piece covers any more are found so.
        self.state.board.drop_isolated_anchors(color);
        if policy.answers {
            let answers = self.answers(color, rng);
            if let Some(answers) = answers.filter(|answers| !answers.is_empty()) {
                return random(answers.largest(), rng);
            }
        }
        let mut count = self.state.board.anchors(color).len();
        loop {
            let anchor = self.state.board.anchors(color).nth(below(count, rng.next_u64()))?;
            let fits = self.state.board.fits(color, anchor);
            if fits.is_empty() {
                self.state.board.drop_anchor(color, anchor);
                count -= 1;
            } else if rng.next_u32() < policy.largest {
                return random(fits.largest(), rng);
            } else {
                return random(fits, rng);
            }
        }
    }

    /// A legal first placement, each as likely as any other; none if the colour cannot move.
    fn first_piece(&self, color: Color, rng: &mut impl Rng) -> Option<Placement> {
        // In most games few have become illegal since the start of the search, and in season 2021 a
        // quarter is left at worst: to draw until one is legal beats counting them.
        let all = &self.first_pieces[color];
        let mut drawn = (0..FIRST_PIECE_DRAWS).filter_map(|_| all.get(below(all.len(), rng.next_u64())));
        match drawn.find(|&&placement| self.state.board.is_open(color, placement)) {
            Some(&placement) => Some(placement),
            None => self.state.board.random_placement(color, rng),
        }
    }

    /// The placements that cover most of the opponents' latest threats, at a random anchor from which
    /// threats are near.
    #[inline]
    fn answers(&mut self, color: Color, rng: &mut impl Rng) -> Option<Fits> {
        let [next, last] = color.opponents();
        let threats = self.threats[next] | self.threats[last];
        let anchors = self.state.board.anchors(color);
        let candidates = anchors & contested(threats);
        let anchor = candidates.nth(below(candidates.len(), rng.next_u64()))?;
        let fits = self.state.board.fits(color, anchor);
        if fits.is_empty() {
            self.state.board.drop_anchor(color, anchor);
            return None;
        }
        // A threatened cell that is an own anchor counts twice.
        let (once, twice) = (Diamond::of(&threats, anchor), Diamond::of(&(threats & anchors), anchor));
        Some(fits.covering_most(once, twice))
    }
}

/// The cells at most two rows and two columns from a threat, but not two of both. To look for answers
/// from farther away took more time and won no more games.
///
/// Worked out for the threats of both opponents at once when a colour looks for answers: when that was done for
/// each piece as it was placed, and kept, simulations took 4 to 5 % longer.
#[inline(always)]
fn contested(threats: Bitboard) -> Bitboard {
    (threats.with_neighbours() & Bitboard::BOARD).spread(Bitboard::BOARD, 1)
}

/// One of some placements, each as likely as any other.
#[inline(always)]
fn random(fits: Fits, rng: &mut impl Rng) -> Option<Placement> {
    fits.nth(below(fits.len(), rng.next_u64()))
}

/// A number below `end` from 64 random bits; `end` is so small that the bias does not matter.
#[inline(always)]
fn below(end: usize, random: u64) -> usize {
    (((random >> 32) * end as u64) >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;
    use game::{Cell, Move, Rules};
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn policy() -> Policy {
        Policy::new(true, 0.8)
    }

    /// Plays some moves and then by the policy, and replays it all from `start` by the rules: every placement is
    /// legal, passes and removals happen exactly where the rules have them, and the result is the official one.
    /// To forget dead anchors, as games do at the start and `evaluate` does, changes none of that.
    fn check(
        playout: &mut Playout,
        start: &Position,
        given: &[(Color, Placement)],
        policy: &Policy,
        rng: &mut Xoshiro256PlusPlus,
    ) {
        playout.restart();
        for &(color, placement) in given {
            assert_eq!(playout.follow(placement), Some(color));
        }
        playout.leave_tree();
        // Until there is something to evaluate.
        playout.run(policy, 8, rng);
        assert!(playout.placements().len() == given.len() + 8 || playout.state.progress.is_over());
        playout.evaluate(&Model::built_in().evaluation, false);
        playout.run(policy, usize::MAX, rng);
        assert!(playout.placements().starts_with(given));
        let mut position = *start;
        for &(color, placement) in playout.placements() {
            assert_eq!(position.color(), color);
            position.try_play(Move::Place(placement)).unwrap();
        }
        assert!(position.is_over());
        assert_eq!(playout.margin(), position.margin(Team::One));
    }

    #[test]
    fn contested_cells_are_near_threats_and_on_the_same_side_of_the_board() {
        let start = Position::new(Rules::Season2027, Some(Piece::PentoI)).unwrap();
        let mut playout = Playout::new(&start);
        // At the left edge, at the right one, and in the lower right corner.
        for (color, text) in Color::ALL.into_iter().zip(["PENTO_I@0,3", "PENTO_I@19,9", "PENTO_I-RIGHT@15,19"]) {
            assert_eq!(playout.follow(text.parse().unwrap()), Some(color));
        }
        playout.leave_tree();
        for &(color, _) in playout.placements() {
            let threats = playout.threats[color];
            let is_near = |cell: Cell| {
                threats.into_iter().any(|threat| {
                    let (x, y) = (cell.x().abs_diff(threat.x()), cell.y().abs_diff(threat.y()));
                    x <= 2 && y <= 2 && x + y < 4
                })
            };
            assert!(!threats.is_empty());
            assert_eq!(contested(threats), Bitboard::BOARD.into_iter().filter(|&cell| is_near(cell)).collect());
        }
    }

    #[test]
    fn playouts_follow_the_rules() {
        let mut skipped = 0;
        for (rules, answers) in Rules::ALL.into_iter().flat_map(|rules| [(rules, false), (rules, true)]) {
            let policy = Policy { answers, ..policy() };
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
            for piece in rules.start_pieces().iter().map(Some).chain(rules.start_pieces().is_empty().then_some(None)) {
                let start = Position::new(rules, piece).unwrap();
                let mut playout = Playout::new(&start);
                for _ in 0..20 {
                    check(&mut playout, &start, &[], &policy, &mut rng);
                    // From the middle of this game, and from there with the first moves given.
                    let mut middle = start;
                    let moves = playout.placements().to_vec();
                    moves[..30].iter().for_each(|&(_, placement)| middle.play(Move::Place(placement)));
                    let mut from_middle = Playout::new(&middle);
                    check(&mut from_middle, &middle, &[], &policy, &mut rng);
                    // The last moves are those of few colours, so that others are retired among the given ones.
                    let mut given = from_middle.placements().to_vec();
                    given.truncate(given.len() - 3);
                    check(&mut from_middle, &middle, &given, &policy, &mut rng);
                    skipped += given.windows(2).filter(|pair| pair[1].0 != pair[0].0.next()).count();
                }
            }
        }
        assert!(skipped > 0, "nobody had to be retired");
    }

    /// How many of the moves after the first twelve, in some games, cover a corner that an opponent's latest piece has
    /// opened, or a cell beside one, and how many there are.
    fn answers_given(policy: &Policy) -> (usize, usize) {
        let start = Position::new(Rules::Season2027, Some(Piece::PentoW)).expect("a start piece");
        let (mut playout, mut rng) = (Playout::new(&start), Xoshiro256PlusPlus::seed_from_u64(1));
        let (mut answers, mut moves) = (0, 0);
        for _ in 0..50 {
            playout.restart();
            playout.run(policy, 12, &mut rng);
            for _ in 0..8 {
                let threats = |board: &Board, opponent| {
                    let latest = playout.placements().iter().rev().find(|&&(color, _)| color == opponent);
                    let corners = latest.map_or(Bitboard::EMPTY, |&(_, latest)| latest.corners());
                    (corners & board.open(opponent)).with_neighbours() & board.open(opponent)
                };
                let threats = Color::ALL.map(|color| threats(playout.board(), color));
                playout.run(policy, 1, &mut rng);
                let &(color, placement) = playout.placements().last().expect("has been played");
                let [next, last] = color.opponents().map(|opponent| threats[opponent as usize]);
                answers += usize::from(placement.touches(&(next | last)));
                moves += 1;
            }
        }
        (answers, moves)
    }

    #[test]
    fn threats_are_answered_if_the_policy_says_so() {
        let policy = policy();
        let (answers, moves) = answers_given(&policy);
        let (by_chance, _) = answers_given(&Policy { answers: false, ..policy });
        assert!(answers > 2 * by_chance, "{answers} and {by_chance} of {moves}");
    }

    /// The position after some plies of a playout.
    fn position(policy: &Policy, plies: usize, rng: &mut Xoshiro256PlusPlus) -> Position {
        let mut position = Position::new(Rules::Season2027, Some(Piece::PentoY)).expect("a start piece");
        let mut playout = Playout::new(&position);
        playout.run(policy, plies, rng);
        playout.placements().iter().for_each(|&(_, placement)| position.play(Move::Place(placement)));
        position
    }

    #[test]
    fn evaluations_predict_who_wins() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        let (policy, model) = (policy(), Model::built_in());
        let (mut called_won, mut called_lost) = (Vec::new(), Vec::new());
        for n in 0..300 {
            let mut playout = Playout::new(&position(&policy, 12 + n % 36, &mut rng));
            let Some(expected) = playout.evaluate(&model.evaluation, false) else { continue };
            playout.run(&policy, usize::MAX, &mut rng);
            let called = if expected > 0.5 { &mut called_won } else { &mut called_lost };
            called.push(f32::from(playout.margin() > 0));
        }
        let mean = |results: &[f32]| results.iter().sum::<f32>() / results.len() as f32;
        assert!(called_won.len() > 50 && called_lost.len() > 50);
        assert!(mean(&called_won) > mean(&called_lost) + 0.3);
    }
}
