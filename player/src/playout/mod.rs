//! Playouts: games completed by a fast randomised policy.
//!
//! A move is drawn at a random anchor of the colour: the placements that cover it are one set of bits
//! ([`Fits`](game::Fits)). Anchors that no piece can cover are dropped for the rest of the playout; those without an
//! open side all at once, and those that were dead at the root when the playout leaves the tree. So a colour is retired
//! exactly when it cannot move, and no list of all moves is made, except of first pieces, once per search.
//!
//! Moves that answer the opponents come first: those that cover most of the corners opened by the opponents' latest
//! pieces, and of the cells next to them (Pentobi's playout policy, here at one anchor at a time). Then come the
//! largest pieces.
//!
//! Playouts follow the official rules without voluntary passes. The moves of the tree are played on the same board,
//! which keeps no hash and does not check after every move whether the next colour can move.

mod policy;

use game::{Bitboard, Board, ByColor, Color, ColorSet, Piece, Placement, Position, Progress, Team};

use crate::model::value_net::{PositionFeatures, ValueNet, evaluated_turn};

pub use self::policy::PlayoutPolicy;

/// Repeated games from one position: given moves first, then moves of the policy to the end.
#[derive(Clone, Debug)]
pub struct Playout {
    start: PlayoutState,
    state: PlayoutState,
    /// Colours in play after the first move.
    in_play: ColorSet,
    /// Anchors that no piece could cover at the start.
    dead_anchors: ByColor<Bitboard>,
    /// Legal first pieces at the start, of the colours that have none.
    first_pieces: ByColor<Vec<Placement>>,
    /// Threats of the latest piece of each colour: the corners that it opened, and the open cells next to them.
    threats: ByColor<Bitboard>,
    placements: Vec<(Color, Placement)>,
}

/// The state of a game.
#[derive(Clone, Copy, Debug)]
struct PlayoutState {
    board: Board,
    progress: Progress,
}

impl Playout {
    /// Creates a playout from a position.
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
        // A colour to move can be set up as out of play; it may still move once.
        progress.in_play.insert(position.color());
        let start = PlayoutState { board, progress };
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

    /// Returns to the start.
    pub fn restart(&mut self) {
        self.state = self.start;
        self.threats = ByColor::default();
        self.placements.clear();
    }

    /// Returns the colour to move, and skips retired colours. It may be unable to move. Returns `None` if the game is
    /// known to be over.
    #[inline(always)]
    pub fn color(&mut self) -> Option<Color> {
        let progress = &mut self.state.progress;
        progress.skip_removed_colors();
        (!progress.is_over()).then(|| progress.color())
    }

    /// Plays a legal move of the next colour that can move, and returns the colour. Colours before it cannot move and
    /// are retired. Returns `None` if the move is illegal for all.
    #[inline(always)]
    pub(crate) fn follow(&mut self, placement: Placement) -> Option<Color> {
        let color = self.turn_to(placement)?;
        self.play(color, placement);
        Some(color)
    }

    /// Returns the colour that a legal move belongs to, and retires the colours before it.
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

    /// Retires a colour that cannot move.
    #[inline(always)]
    pub(crate) fn retire(&mut self, color: Color) {
        self.state.progress.in_play.remove(color);
        self.threats[color] = Bitboard::EMPTY;
    }

    /// Prepares for the policy after the given moves: sets the threats of the last three moves, and drops the anchors
    /// that were dead at the start.
    pub(crate) fn leave_tree(&mut self) {
        for color in Color::ALL {
            self.state.board.drop_anchors(color, self.dead_anchors[color]);
        }
        for n in self.placements.len().saturating_sub(3)..self.placements.len() {
            let (color, placement) = self.placements[n];
            if self.state.progress.in_play.contains(color) {
                self.set_threats(color, placement);
            }
        }
    }

    /// Evaluates the position for team one, if the game is not over and the turn is evaluated. The rest of the game
    /// ignores the dead anchors found on the way. With `late`, turns after the last evaluated one count [as earlier
    /// ones](evaluated_turn).
    pub fn evaluate(&mut self, value_net: &ValueNet, late: bool) -> Option<f32> {
        self.color()?;
        let PlayoutState { board, progress: Progress { turn, in_play, .. } } = &mut self.state;
        let features = PositionFeatures::of(board, *in_play, if late { evaluated_turn(*turn) } else { *turn })?;
        for color in Color::ALL {
            board.drop_anchors(color, features.dead_anchors[color]);
        }
        // Without anchors no colour can move, even if none has been retired for it.
        let is_over = in_play.iter().all(|color| board.anchors(color).is_empty());
        (!is_over).then(|| value_net.evaluate(&features))
    }

    /// Returns the board.
    pub fn board(&self) -> &Board {
        &self.state.board
    }

    /// Returns the colours that are not retired.
    pub fn in_play(&self) -> ColorSet {
        self.state.progress.in_play
    }

    /// Returns the turn. Turns of retired colours count when [`color`](Self::color) skips them.
    pub fn turn(&self) -> u16 {
        self.state.progress.turn
    }

    /// Returns the placements since the start with their colours, in order.
    pub fn placements(&self) -> &[(Color, Placement)] {
        &self.placements
    }

    /// Returns the points of team one minus those of team two.
    pub fn margin(&self) -> i32 {
        self.state.progress.margin(&self.state.board, Team::One)
    }

    #[inline(always)]
    fn play(&mut self, color: Color, placement: Placement) {
        let PlayoutState { board, progress } = &mut self.state;
        board.place(color, placement);
        progress.note_placement(placement.piece(), board.remaining_pieces(color));
        progress.in_play = progress.in_play.intersection(self.in_play);
        progress.end_turn();
        self.placements.push((color, placement));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;
    use game::{Move, Rules};
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    pub fn policy() -> PlayoutPolicy {
        PlayoutPolicy::new(true, 0.8)
    }

    /// Plays the given moves and then by the policy, and replays the game by the rules: every move is legal, and
    /// passes, removals and the result are the official ones, although dead anchors are dropped.
    fn check(
        playout: &mut Playout,
        start: &Position,
        given: &[(Color, Placement)],
        policy: &PlayoutPolicy,
        rng: &mut Xoshiro256PlusPlus,
    ) {
        playout.restart();
        for &(color, placement) in given {
            assert_eq!(playout.follow(placement), Some(color));
        }
        playout.leave_tree();
        // To the first evaluated turn.
        playout.run(policy, 8, rng);
        assert!(playout.placements().len() == given.len() + 8 || playout.state.progress.is_over());
        playout.evaluate(&Model::built_in().value_net, false);
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
    fn playouts_follow_the_rules() {
        let mut skipped = 0;
        for (rules, answers) in Rules::TWO_PLAYERS.iter().flat_map(|&rules| [(rules, false), (rules, true)]) {
            let policy = PlayoutPolicy { answers, ..policy() };
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
            for piece in rules.start_pieces().iter().map(Some).chain(rules.start_pieces().is_empty().then_some(None)) {
                let start = Position::new(rules, piece).unwrap();
                let mut playout = Playout::new(&start);
                for _ in 0..20 {
                    check(&mut playout, &start, &[], &policy, &mut rng);
                    // From the middle of this game, and from there with given first moves.
                    let mut middle = start;
                    let moves = playout.placements().to_vec();
                    moves[..30].iter().for_each(|&(_, placement)| middle.play(Move::Place(placement)));
                    let mut from_middle = Playout::new(&middle);
                    check(&mut from_middle, &middle, &[], &policy, &mut rng);
                    // Few colours make the last moves, so others are retired among the given ones.
                    let mut given = from_middle.placements().to_vec();
                    given.truncate(given.len() - 3);
                    check(&mut from_middle, &middle, &given, &policy, &mut rng);
                    skipped += given.windows(2).filter(|pair| pair[1].0 != pair[0].0.next()).count();
                }
            }
        }
        assert!(skipped > 0, "no colour was retired");
    }
}
