//! Playouts: a game played to its end by a fast, random, but not stupid policy.
//!
//! A colour's move is found at one of its anchors, taken at random: all placements that cover it are
//! one set of bits ([`Fits`]), from which a move is chosen. An anchor that no piece can cover any more
//! is dropped for the rest of the playout, those without any room all at once, and one that none can
//! cover at the start of the search for all playouts. So a colour is retired exactly when it cannot move,
//! and no list of all moves is ever made, but one of first pieces, once per search.
//!
//! Moves that answer the opponents come first: those that cover most of the corners that the
//! opponents' latest pieces have opened, and of the cells beside them (the playout policy of Pentobi,
//! here at one anchor near them at a time). Then come the largest pieces.
//!
//! The rules are those of the official server but for voluntary passes, which do not occur in
//! playouts.

use game::{Bitboard, Board, ByColor, Color, ColorSet, Diamond, Fits, Piece, Placement, Position, Team};
use rand::Rng;

use super::evaluation::evaluate;
use super::params::Params;

/// How moves are chosen: the playout parameters in the form that the hot path wants.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    answers: bool,
    /// The probability of a move of a largest piece, in parts of 2^32.
    largest: u32,
}

impl Policy {
    /// The policy of some parameters.
    pub fn new(params: &Params) -> Self {
        Self { answers: params.playout_answers >= 0.5, largest: (params.playout_largest * u32::MAX as f32) as u32 }
    }
}

/// How often a first placement is drawn before the legal ones are counted.
const FIRST_PIECE_DRAWS: usize = 16;

/// A game on its way from a position to its end.
#[derive(Clone, Debug)]
pub struct Playout {
    board: Board,
    /// Anchors that no piece could cover at the start of the search.
    dead_anchors: ByColor<Bitboard>,
    /// The first pieces that the colours without any could place at the start of the search.
    first_pieces: ByColor<Vec<Placement>>,
    turn: u16,
    turn_limit: u16,
    in_play: ColorSet,
    mono_last: ColorSet,
    /// What the latest piece of each colour threatens: the corners that it opened, and the open cells
    /// beside them.
    threats: ByColor<Bitboard>,
    /// The cells at most two rows and two columns from a threat, but not two of both. To look for answers
    /// from farther away took more time and won no more games (docs/measurements.md, "What was tried").
    contested: ByColor<Bitboard>,
    placements: Vec<(Color, Placement)>,
}

impl Playout {
    /// A playout that is to start from `position`.
    pub fn new(position: &Position) -> Self {
        let board = position.board();
        let first_pieces = |color| {
            let mut placements = Vec::new();
            if board.is_first(color) {
                board.list_placements(color, &mut placements);
            }
            placements
        };
        let mut playout = Self {
            board: *board,
            dead_anchors: ByColor::from_fn(|color| board.dead_anchors(color)),
            first_pieces: ByColor::from_fn(first_pieces),
            turn: position.turn(),
            turn_limit: position.rules().turn_limit().unwrap_or(u16::MAX),
            in_play: position.in_play(),
            mono_last: position.mono_last(),
            threats: ByColor::default(),
            contested: ByColor::default(),
            placements: Vec::with_capacity(4 * Piece::COUNT),
        };
        playout.restart(position, std::iter::empty());
        playout
    }

    /// Starts afresh from `position`, that of [`new`](Self::new) or one that follows from it, to which
    /// `latest` led.
    pub fn restart(&mut self, position: &Position, latest: impl Iterator<Item = (Color, Placement)>) {
        self.board = *position.board();
        for color in Color::ALL {
            self.board.drop_anchors(color, self.dead_anchors[color]);
        }
        self.turn = position.turn();
        self.in_play = position.in_play();
        self.mono_last = position.mono_last();
        self.placements.clear();
        self.threats = ByColor::default();
        self.contested = ByColor::default();
        for (color, placement) in latest {
            self.threaten(color, placement);
        }
    }

    /// Plays at most so many pieces, and so to the end if `most` is large.
    pub fn run(&mut self, policy: &Policy, most: usize, rng: &mut impl Rng) {
        while !self.is_over() && self.placements.len() < most {
            let color = Color::of_turn(self.turn);
            self.turn += 1;
            if self.in_play.contains(color) {
                match self.choose(color, policy, rng) {
                    Some(placement) => {
                        self.place(color, placement);
                        if policy.answers {
                            self.threaten(color, placement);
                        }
                    }
                    None => self.retire(color),
                }
            }
        }
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.in_play.is_empty() || self.turn >= self.turn_limit
    }

    /// The expected result for team one if the game is not over, see [`evaluate`]. Drops the anchors that no
    /// piece can cover, so that the rest of this playout need not look at them.
    pub fn evaluate(&mut self) -> Option<f32> {
        if self.is_over() { None } else { evaluate(&mut self.board, self.in_play, self.turn) }
    }

    /// What lies on the board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The colours that can still move, or have not tried since they cannot.
    pub fn in_play(&self) -> ColorSet {
        self.in_play
    }

    /// Turns taken since the start of the game, those of retired colours included.
    pub fn turn(&self) -> u16 {
        self.turn
    }

    /// The placements since the start of the playout with their colours, in order.
    pub fn placements(&self) -> &[(Color, Placement)] {
        &self.placements
    }

    /// The points of team one less those of team two.
    pub fn margin(&self) -> i32 {
        let points = |color| game::points(self.board.left(color), self.mono_last.contains(color));
        let team = |team: Team| team.colors().map(points).into_iter().sum::<i32>();
        team(Team::One) - team(Team::Two)
    }

    fn place(&mut self, color: Color, placement: Placement) {
        self.board.place(color, placement);
        self.placements.push((color, placement));
        if placement.piece() == Piece::Mono && self.board.left(color).is_empty() {
            self.mono_last.insert(color);
        }
    }

    fn retire(&mut self, color: Color) {
        self.in_play.remove(color);
        self.threats[color] = Bitboard::EMPTY;
        self.contested[color] = Bitboard::EMPTY;
    }

    fn threaten(&mut self, color: Color, placement: Placement) {
        let open = self.board.open(color);
        let corners = placement.corners() & open;
        let threats = corners.spread(open, 1);
        self.threats[color] = threats;
        self.contested[color] = (threats.with_neighbours() & Bitboard::BOARD).spread(Bitboard::BOARD, 1);
    }

    /// A move at a random anchor: an answer to the latest threats of the opponents if there is one;
    /// none if the colour cannot move.
    #[inline]
    fn choose(&mut self, color: Color, policy: &Policy, rng: &mut impl Rng) -> Option<Placement> {
        if self.board.is_first(color) {
            return self.first_piece(color, rng);
        }
        // Three of four anchors that no piece covers any more are found so (docs/measurements.md, "Simulations
        // per second").
        self.board.drop_isolated_anchors(color);
        if policy.answers {
            let answers = self.answers(color, rng);
            if let Some(answers) = answers.filter(|answers| !answers.is_empty()) {
                return random(answers.largest(), rng);
            }
        }
        let mut count = self.board.anchors(color).len();
        loop {
            let anchor = self.board.anchors(color).nth(below(count, rng.next_u64()))?;
            let fits = self.board.fits(color, anchor);
            if fits.is_empty() {
                self.board.drop_anchor(color, anchor);
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
        match drawn.find(|&&placement| self.board.is_open(color, placement)) {
            Some(&placement) => Some(placement),
            None => self.board.random_placement(color, rng),
        }
    }

    /// The placements that cover most of the opponents' latest threats, at a random anchor from which
    /// threats are near.
    #[inline]
    fn answers(&mut self, color: Color, rng: &mut impl Rng) -> Option<Fits> {
        let (next, last) = (color.next(), color.next().partner());
        let anchors = self.board.anchors(color);
        let candidates = anchors & (self.contested[next] | self.contested[last]);
        let anchor = candidates.nth(below(candidates.len(), rng.next_u64()))?;
        let fits = self.board.fits(color, anchor);
        if fits.is_empty() {
            self.board.drop_anchor(color, anchor);
            return None;
        }
        let threats = self.threats[next] | self.threats[last];
        // A threatened cell that is an own anchor counts twice.
        let (once, twice) = (Diamond::of(&threats, anchor), Diamond::of(&(threats & anchors), anchor));
        Some(fits.covering_most(once, twice))
    }
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
    use game::{Cell, Move, Rules};
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Replays a playout from `start` by the rules: every placement is legal, passes and removals happen
    /// exactly where the rules have them, and the result is the official one. To forget dead anchors, as
    /// playouts do at the start and `evaluate` does, changes none of that.
    fn check(playout: &mut Playout, start: &Position, policy: &Policy, rng: &mut Xoshiro256PlusPlus) {
        playout.restart(start, std::iter::empty());
        // Until there is something to evaluate.
        playout.run(policy, 8, rng);
        playout.evaluate();
        playout.run(policy, usize::MAX, rng);
        let mut position = *start;
        for &(color, placement) in playout.placements() {
            assert_eq!(position.color(), color);
            position.try_play(Move::Place(placement)).unwrap();
        }
        assert!(position.is_over());
        assert_eq!(playout.margin(), position.team_points(Team::One) - position.team_points(Team::Two));
    }

    #[test]
    fn contested_cells_are_near_threats_and_on_the_same_side_of_the_board() {
        let mut start = Position::new(Rules::Season2027, Some(Piece::PentoI)).unwrap();
        // At the left edge, at the right one, and in the lower right corner.
        let moves = ["PENTO_I@0,3", "PENTO_I@19,9", "PENTO_I-RIGHT@15,19"].map(|text| text.parse().unwrap());
        let mut latest = Vec::new();
        for mv in moves {
            let color = start.color();
            start.try_play(mv).unwrap();
            latest.extend(mv.placement().map(|placement| (color, placement)));
        }
        let mut playout = Playout::new(&start);
        playout.restart(&start, latest.iter().copied());
        for (color, _) in latest {
            let threats = playout.threats[color];
            let is_near = |cell: Cell| {
                threats.into_iter().any(|threat| {
                    let (x, y) = (cell.x().abs_diff(threat.x()), cell.y().abs_diff(threat.y()));
                    x <= 2 && y <= 2 && x + y < 4
                })
            };
            assert!(!threats.is_empty());
            assert_eq!(
                playout.contested[color] & Bitboard::BOARD,
                Bitboard::BOARD.into_iter().filter(|&cell| is_near(cell)).collect()
            );
        }
    }

    #[test]
    fn playouts_follow_the_rules() {
        for (rules, answers) in Rules::ALL.into_iter().flat_map(|rules| [(rules, 0.0), (rules, 1.0)]) {
            let policy = Policy::new(&Params { playout_answers: answers, ..Params::default() });
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
            for piece in rules.start_pieces().iter().map(Some).chain(rules.start_pieces().is_empty().then_some(None)) {
                let start = Position::new(rules, piece).unwrap();
                let mut playout = Playout::new(&start);
                for _ in 0..20 {
                    check(&mut playout, &start, &policy, &mut rng);
                    // From the middle of this game, and from a position that follows from that.
                    let mut middle = start;
                    let moves = playout.placements().to_vec();
                    moves[..30].iter().for_each(|&(_, placement)| middle.play(Move::Place(placement)));
                    let mut from_middle = Playout::new(&middle);
                    check(&mut from_middle, &middle, &policy, &mut rng);
                    middle.play(Move::Place(from_middle.placements()[0].1));
                    check(&mut from_middle, &middle, &policy, &mut rng);
                }
            }
        }
    }
}
