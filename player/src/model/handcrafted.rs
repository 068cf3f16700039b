//! The hand-crafted evaluation: a weighted sum of features that a human player would name.

use game::{BOARD_SIZE, Bitboard, Color, Position, Team};

use super::reach::Reach;
use crate::api::Evaluation;
use crate::math::logistic;

/// One point at the end of the game, in units of the values.
pub const POINT: i32 = 100;

/// Weights of the features in hundredths of a point.
struct Weights {
    /// A point already won: a covered cell, or a bonus.
    point: i32,
    /// An anchor of an own colour.
    anchor: i32,
    /// A cell that a colour reaches no later than any opponent.
    reach: i32,
    /// Such a cell that both colours of the team reach; only one can have it.
    shared: i32,
    /// The square root of a colour's number of placements.
    mobility: i32,
    /// In the opening: each step from the border to the own cell nearest to the centre.
    centre: i32,
    /// The turn at which the opening is over.
    opening: i32,
}

/// The weights, tuned one at a time by matches.
const WEIGHTS: Weights =
    Weights { point: POINT, anchor: 20, reach: 15, shared: -5, mobility: 120, centre: 10, opening: 32 };

/// Evaluates a position for a team in hundredths of a point: its colours' features minus the opponents',
/// without [`mobility`]. The other team gets the negated value.
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

/// Evaluates the numbers of placements of the colours. It is the best single feature, and the slowest.
pub fn mobility(position: &Position, team: Team) -> i32 {
    let value = |team: Team| -> f32 {
        let colors = team.colors().into_iter().filter(|&color| position.in_play().contains(color));
        colors.map(|color| (position.board().count_placements(color) as f32).sqrt()).sum()
    };
    (WEIGHTS.mobility as f32 * (value(team) - value(team.opponent()))) as i32
}

/// Converts an expected margin to an evaluation. A lead of 22 points wins nine of ten games.
pub fn evaluation_of_margin(margin: f32) -> Evaluation {
    Evaluation { win: logistic(margin / 10.0), margin }
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

/// Returns the distance from the border to the cell of a set that is nearest to the centre: 0 at the border, 9 at the
/// centre.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn teams_get_negated_values() {
        for position in crate::bench::positions().into_iter().filter(|position| position.turn() >= 20) {
            for value in [evaluate, mobility] {
                let [one, two] = Team::ALL.map(|team| value(&position, team));
                assert!(one == -two && one != 0, "{position}");
            }
        }
    }

    #[test]
    fn lead_of_22_points_wins_nine_of_ten_games() {
        assert!((evaluation_of_margin(22.0).win - 0.9).abs() < 0.01);
    }
}
