//! Game data of a report page.

use std::time::Duration;

use ::game::{Cell, Color, Team};
use serde::Serialize;

use crate::games::played::{PlayedGame, Side, Wdl};
use crate::ratings::Interval;

#[derive(Serialize)]
pub(super) struct GameReport {
    id: i64,
    /// The numbers of A and B among the contestants of a tournament.
    #[serde(skip_serializing_if = "Option::is_none")]
    sides: Option<[usize; 2]>,
    pair: u32,
    a_is: &'static str,
    /// Points of A and B at the end.
    points: [i32; 2],
    /// 0 lost, 1 drawn, 2 won, as seen by A; none if the game did not end.
    outcome: Option<usize>,
    verdict: String,
    start_piece: &'static str,
    /// Cells of the four colours before the first move; a cell is x + 20 y.
    start: [Vec<usize>; 4],
    plies: Vec<PlyReport>,
}

#[derive(Serialize)]
struct PlyReport {
    turn: u16,
    color: usize,
    text: String,
    cells: Vec<usize>,
    /// Points of the colour after the move.
    points: i32,
    ms: Option<f64>,
    /// Expected win probability and margin of A, reported by the player that moved.
    win_of_a: Option<f32>,
    margin_of_a: Option<f32>,
    nodes: u64,
}

impl GameReport {
    pub(super) fn new(id: i64, sides: Option<[usize; 2]>, game: &PlayedGame) -> Self {
        let end = game.end();
        let after = game.positions().skip(1);
        let plies = game.positions().zip(after).zip(&game.plies).map(|((before, after), ply)| {
            let color = before.color();
            let evaluation = ply.choice.and_then(|choice| choice.evaluation);
            let is_a = game.side(color.team()) == Side::A;
            PlyReport {
                turn: before.turn(),
                color: color as usize,
                text: ply.mv.to_string(),
                cells: ply.mv.placement().map(|placement| numbers(placement.cells())).unwrap_or_default(),
                points: after.points(color),
                ms: ply.choice.map(|choice| millis(choice.time)),
                win_of_a: evaluation.map(|told| if is_a { told.win } else { 1.0 - told.win }),
                margin_of_a: evaluation.map(|told| if is_a { told.margin } else { -told.margin }),
                nodes: ply.choice.map_or(0, |choice| choice.nodes),
            }
        });
        Self {
            id,
            sides,
            pair: game.pair,
            a_is: match game.team(Side::A) {
                Team::One => "ONE",
                Team::Two => "TWO",
            },
            points: Side::ALL.map(|side| end.team_points(game.team(side))),
            outcome: game.outcome(Side::A).map(Wdl::half_points),
            verdict: game.verdict(),
            start_piece: game.start.start_piece().map_or("", |piece| piece.name()),
            start: Color::ALL.map(|color| numbers(game.start.board().covered(color))),
            plies: plies.collect(),
        }
    }
}

fn numbers(cells: impl IntoIterator<Item = Cell>) -> Vec<usize> {
    cells.into_iter().map(|cell| cell.x() + 20 * cell.y()).collect()
}

/// Milliseconds, to a hundredth.
pub(super) fn millis(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e5).round() / 100.0
}

/// The ends of an interval and the estimate between them; a large number stands for infinity, which JSON does not have.
pub(super) fn ends(interval: &Interval) -> [f64; 3] {
    [interval.low, interval.estimate, interval.high].map(|elo| elo.clamp(-9999.0, 9999.0))
}
