//! The playout policy: answers to threats first, then the largest pieces.

use game::{Bitboard, Color, Diamond, Fits, Placement};
use rand::Rng;

use super::Playout;
use crate::random::random_placement;

/// The parameters of playouts in the form of the hot path.
#[derive(Clone, Copy, Debug)]
pub struct PlayoutPolicy {
    pub(super) answers: bool,
    /// Probability of a largest piece, times 2^32.
    pub(super) largest: u32,
}

impl PlayoutPolicy {
    /// Creates a policy that answers threats first if `answers`, and otherwise places a largest fitting piece with
    /// probability `largest`, or any piece that fits.
    pub fn new(answers: bool, largest: f32) -> Self {
        Self { answers, largest: (largest * u32::MAX as f32) as u32 }
    }
}

/// Maximum number of random draws of a first placement before the legal ones are counted.
const MAX_FIRST_PIECE_DRAWS: usize = 16;

impl Playout {
    /// Plays at most `max_pieces` more pieces by the policy.
    pub fn run(&mut self, policy: &PlayoutPolicy, max_pieces: usize, rng: &mut impl Rng) {
        let end = self.placements.len().saturating_add(max_pieces);
        while self.placements.len() < end {
            let Some(color) = self.color() else { break };
            match self.choose(color, policy, rng) {
                Some(placement) => {
                    self.play(color, placement);
                    if policy.answers {
                        self.set_threats(color, placement);
                    }
                }
                None => self.retire(color),
            }
        }
    }

    /// Chooses a move at a random anchor, with preference for answers to the latest threats. Returns `None` if the
    /// colour cannot move.
    #[inline]
    fn choose(&mut self, color: Color, policy: &PlayoutPolicy, rng: &mut impl Rng) -> Option<Placement> {
        if self.state.board.is_first(color) {
            return self.first_piece(color, rng);
        }
        // Three of four dead anchors are found this way.
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

    /// Draws a legal first placement uniformly. Returns `None` if the colour cannot move.
    fn first_piece(&self, color: Color, rng: &mut impl Rng) -> Option<Placement> {
        // Most first pieces stay legal during a search (a quarter at worst, in season 2021), so draws beat counting.
        let all = &self.first_pieces[color];
        let mut drawn = (0..MAX_FIRST_PIECE_DRAWS).filter_map(|_| all.get(below(all.len(), rng.next_u64())));
        match drawn.find(|&&placement| self.state.board.is_open(color, placement)) {
            Some(&placement) => Some(placement),
            None => random_placement(&self.state.board, color, rng),
        }
    }

    /// Returns the placements that cover most of the opponents' latest threats, at a random anchor near threats.
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

    /// Sets the threats of a placement.
    pub(super) fn set_threats(&mut self, color: Color, placement: Placement) {
        let open = self.state.board.open(color);
        let corners = placement.corners() & open;
        self.threats[color] = corners.spread(open, 1);
    }
}

/// Returns the cells at most two rows and two columns from a threat, but not two of both. A larger distance took more
/// time and won no more games.
///
/// Computed for both opponents together when a colour looks for answers. Computing it per placed piece made simulations
/// 4 to 5 % slower.
#[inline(always)]
fn contested(threats: Bitboard) -> Bitboard {
    (threats.with_neighbours() & Bitboard::BOARD).spread(Bitboard::BOARD, 1)
}

/// Draws a placement uniformly.
#[inline(always)]
fn random(fits: Fits, rng: &mut impl Rng) -> Option<Placement> {
    fits.nth(below(fits.len(), rng.next_u64()))
}

/// Maps 64 random bits to a number below `end`, which is so small that the bias does not matter.
#[inline(always)]
fn below(end: usize, random: u64) -> usize {
    (((random >> 32) * end as u64) >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::super::tests::policy;
    use super::*;
    use game::{Board, Cell, Piece, Position, Rules};
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn contested_cells_are_near_threats() {
        let start = Position::new(Rules::Season2027, Some(Piece::PentoI)).unwrap();
        let mut playout = Playout::new(&start);
        // At the left edge, at the right edge, and in the lower right corner.
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

    /// Counts moves after the first twelve that cover an opponent's latest threats, and all such moves.
    fn answers_given(policy: &PlayoutPolicy) -> (usize, usize) {
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
                let &(color, placement) = playout.placements().last().expect("a move");
                let [next, last] = color.opponents().map(|opponent| threats[opponent as usize]);
                answers += usize::from(placement.intersects(&(next | last)));
                moves += 1;
            }
        }
        (answers, moves)
    }

    #[test]
    fn policy_answers_threats() {
        let policy = policy();
        let (answers, moves) = answers_given(&policy);
        let (by_chance, _) = answers_given(&PlayoutPolicy { answers: false, ..policy });
        assert!(answers > 2 * by_chance, "{answers} and {by_chance} of {moves}");
    }
}
