//! What a position is worth, by features that a human player would name.

use game::{BOARD_SIZE, Bitboard, Color, Position, Team};

use super::reach::Reach;
use super::weights::Weights;

/// The value of a position for a team in hundredths of a point: the weighted features of its
/// colours less those of the opponents, all but the [`mobility`]. The value for the other team is
/// the negative.
///
/// ```
/// # use game::{Piece, Position, Rules};
/// # let position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
/// use game::Team;
/// use player::heuristic::{Weights, evaluate, mobility};
///
/// for value in [evaluate, mobility] {
///     let [one, two] = Team::ALL.map(|team| value(&position, team, &Weights::DEFAULT));
///     assert_eq!(one, -two);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn evaluate(position: &Position, team: Team, weights: &Weights) -> i32 {
    let reach = Reach::of(position.board(), position.in_play());
    let value = |team: Team| -> i32 {
        let [first, second] = team.colors();
        let shared = (reach.0[first] & reach.0[second]).len() as i32;
        let colors = [first, second].map(|color| evaluate_color(position, color, reach.0[color], weights));
        weights.shared * shared + colors.iter().sum::<i32>()
    };
    value(team) - value(team.opponent())
}

/// The part of the value of a position that comes from the number of placements that each colour
/// would have, were it on turn. It tells more than any other feature, and counting takes several
/// times as long as all others together.
pub fn mobility(position: &Position, team: Team, weights: &Weights) -> i32 {
    let value = |team: Team| -> f32 {
        let colors = team.colors().into_iter().filter(|&color| position.in_play().contains(color));
        colors.map(|color| (position.board().count_placements(color) as f32).sqrt()).sum()
    };
    (weights.mobility as f32 * (value(team) - value(team.opponent()))) as i32
}

fn evaluate_color(position: &Position, color: Color, reach: Bitboard, weights: &Weights) -> i32 {
    let mut value = weights.point * position.points(color);
    if position.in_play().contains(color) {
        value += weights.anchor * position.board().anchors(color).len() as i32 + weights.reach * reach.len() as i32;
    }
    let opening_left = weights.opening - i32::from(position.turn());
    if opening_left > 0 {
        value += weights.centre * centrality(position.board().covered(color)) * opening_left / weights.opening;
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
