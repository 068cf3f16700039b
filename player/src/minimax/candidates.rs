//! Which moves are looked at.

use game::{Move, Placement, Position};

/// How many moves the search looks at in a position.
///
/// A colour has hundreds of placements in the middle of the game, most of them senseless. Looking
/// at all of them is looking two plies ahead in the time of a move; a few well chosen ones allow six
/// or more. So at every position only the candidates are looked at, those that score best by what
/// can be seen of a placement without playing it. They depend on nothing but the position, so that
/// a search has a well-defined result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Width {
    /// How many placements are candidates in the position that is asked about.
    pub root: usize,
    /// How many in the positions after it.
    pub inner: usize,
}

impl Width {
    /// All legal moves everywhere.
    pub const FULL: Self = Self { root: usize::MAX, inner: usize::MAX };
}

/// With more placements than this, passing is no candidate: to wait, one of them will do as well.
const PLACEMENTS_TO_PASS: usize = 6;

/// The candidate moves of the colour on turn, at most `width` placements, the best first. There is
/// always at least one.
pub fn candidates(position: &Position, width: usize) -> Vec<Move> {
    let color = position.color();
    let board = position.board();
    let mut placements = Vec::with_capacity(256);
    board.list_placements(color, &mut placements);
    let few = placements.len() <= PLACEMENTS_TO_PASS;
    let mut scored: Vec<(i32, Placement)> = {
        let score = Score::new(position);
        placements.into_iter().map(|placement| (-score.of(placement), placement)).collect()
    };
    if scored.len() > width {
        scored.select_nth_unstable(width);
        scored.truncate(width);
    }
    scored.sort_unstable();
    let mut moves: Vec<Move> = scored.into_iter().map(|(_, placement)| Move::Place(placement)).collect();
    if few && position.may_pass() || moves.is_empty() {
        moves.push(Move::Pass);
    }
    moves
}

/// Scores placements of one position.
struct Score {
    own_open: game::Bitboard,
    own_anchors: game::Bitboard,
    their_anchors: game::Bitboard,
    partner_anchors: game::Bitboard,
    opening: bool,
}

impl Score {
    fn new(position: &Position) -> Self {
        let board = position.board();
        let color = position.color();
        let anchors = |color| {
            if position.in_play().contains(color) { board.anchors(color) } else { game::Bitboard::EMPTY }
        };
        let [first, second] = color.team().opponent().colors();
        Self {
            own_open: board.open(color),
            own_anchors: board.anchors(color),
            their_anchors: anchors(first) | anchors(second),
            partner_anchors: anchors(color.partner()),
            opening: position.turn() < 24,
        }
    }

    /// Counts cells covered, own anchors won less lost, anchors taken from opponents and partner,
    /// and in the opening steps towards the centre.
    fn of(&self, placement: Placement) -> i32 {
        let (cells, sides) = (placement.cells(), placement.sides());
        let won = (placement.corners() & self.own_open).without(self.own_anchors).len() as i32;
        let lost = (self.own_anchors & (cells | sides)).len() as i32;
        let blocked = (self.their_anchors & cells).len() as i32;
        let partner = (self.partner_anchors & cells).len() as i32;
        let mut score = 20 * cells.len() as i32 + 6 * (won - lost) + 12 * blocked - 6 * partner;
        if self.opening {
            let root = placement.root();
            let off_centre = |c: usize| (2 * c as i32 - 19).abs();
            score -= (off_centre(root.x()) + off_centre(root.y())) / 2;
        }
        score
    }
}
