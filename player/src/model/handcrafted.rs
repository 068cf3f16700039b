//! The hand-crafted evaluation: what a position is worth, by features that a human player would name.

use game::{BOARD_SIZE, Bitboard, Color, Position, Team};

use super::reach::Reach;

/// One point at the end of the game in the unit of the values.
pub const POINT: i32 = 100;

/// How much each feature of a position counts, in hundredths of a point at the end of the game.
struct Weights {
    /// A point that is safe: a cell covered, or the bonus for placing everything.
    point: i32,
    /// An anchor of one of the own colours: a cell from which it may go on.
    anchor: i32,
    /// A cell that a colour reaches no later than any opponent.
    reach: i32,
    /// A cell of that kind which the other colour of the team reaches, too: only one can have it.
    shared: i32,
    /// The square root of the number of placements that a colour has.
    mobility: i32,
    /// In the opening, each step that the cell nearest to the centre is away from the border.
    centre: i32,
    /// The turn at which the opening is over and the centre counts no more.
    opening: i32,
}

/// The weights, found by matches between players that differed in one of them.
const WEIGHTS: Weights =
    Weights { point: POINT, anchor: 20, reach: 15, shared: -5, mobility: 120, centre: 10, opening: 32 };

/// The value of a position for a team in hundredths of a point: the weighted features of its
/// colours less those of the opponents, all but the [`mobility`]. The value for the other team is
/// the negative.
///
/// ```
/// # use game::{Piece, Position, Rules};
/// # let position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
/// use game::Team;
/// use player::model::handcrafted::{evaluate, mobility};
///
/// for value in [evaluate, mobility] {
///     let [one, two] = Team::ALL.map(|team| value(&position, team));
///     assert_eq!(one, -two);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn evaluate(position: &Position, team: Team) -> i32 {
    let reach = Reach::of(position.board(), position.in_play());
    let value = |team: Team| -> i32 {
        let [first, second] = team.colors();
        let shared = (reach.0[first] & reach.0[second]).len() as i32;
        let colors = [first, second].map(|color| evaluate_color(position, color, reach.0[color]));
        WEIGHTS.shared * shared + colors.iter().sum::<i32>()
    };
    value(team) - value(team.opponent())
}

/// The part of the value of a position that comes from the number of placements that each colour
/// would have, were it on turn. It tells more than any other feature, and counting takes several
/// times as long as all others together.
pub fn mobility(position: &Position, team: Team) -> i32 {
    let value = |team: Team| -> f32 {
        let colors = team.colors().into_iter().filter(|&color| position.in_play().contains(color));
        colors.map(|color| (position.board().count_placements(color) as f32).sqrt()).sum()
    };
    (WEIGHTS.mobility as f32 * (value(team) - value(team.opponent()))) as i32
}

fn evaluate_color(position: &Position, color: Color, reach: Bitboard) -> i32 {
    let mut value = WEIGHTS.point * position.points(color);
    if position.in_play().contains(color) {
        value += WEIGHTS.anchor * position.board().anchors(color).len() as i32 + WEIGHTS.reach * reach.len() as i32;
    }
    let opening_left = WEIGHTS.opening - i32::from(position.turn());
    if opening_left > 0 {
        value += WEIGHTS.centre * centrality(position.board().covered(color)) * opening_left / WEIGHTS.opening;
    }
    value
}

/// How far the cell of a set that is nearest to the centre is from the border: 0 at the border, 9
/// at the centre.
fn centrality(cells: Bitboard) -> i32 {
    const RINGS: [Bitboard; BOARD_SIZE / 2] = {
        let mut rings = [Bitboard::EMPTY; BOARD_SIZE / 2];
        let mut ring = 0;
        while ring < rings.len() {
            let mut rows = [0; BOARD_SIZE];
            let mut y = ring;
            while y < BOARD_SIZE - ring {
                rows[y] = (1 << (BOARD_SIZE - ring)) - (1 << ring);
                y += 1;
            }
            rings[ring] = Bitboard::from_rows(rows);
            ring += 1;
        }
        rings
    };
    RINGS.iter().rposition(|&inner| cells.intersects(inner)).unwrap_or(0) as i32
}
