//! What the page knows.

use std::time::Duration;

use game::{Cell, Color, Team};
use record::FaultKind;
use serde::Serialize;

use crate::played::{PlayedGame, Side, Wdl};
use crate::statistics::{Interval, Tally};
use crate::store::{StoredGame, StoredMatch};

/// The curve of the estimate has about this many points.
const CURVE_POINTS: usize = 200;

/// Everything about a match.
#[derive(Serialize)]
pub(super) struct Report<'a> {
    id: i64,
    created: &'a str,
    names: [&'a str; 2],
    rules: &'static str,
    /// Games that A won, that were drawn, and that B won.
    games_of_a: [u64; 3],
    unfinished: u64,
    points: f64,
    pairs: [u64; 5],
    elo: Option<[f64; 3]>,
    mean_margin: Option<f64>,
    sides: [SideReport; 2],
    /// Number of pairs, low end, estimate and high end of the Elo difference. Infinite ends are
    /// left out as `null`.
    curve: Vec<(u64, [Option<f64>; 3])>,
    /// Mean time per move in milliseconds of both sides in every round.
    times: Vec<[Option<f64>; 2]>,
    games: Vec<GameReport>,
}

#[derive(Serialize)]
struct SideReport {
    /// None if no times are known.
    mean_ms: Option<f64>,
    slowest_ms: Option<f64>,
    moves: u64,
    illegal: u64,
    late: u64,
    left: u64,
    resigned: u64,
}

#[derive(Serialize)]
struct GameReport {
    id: i64,
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
    /// Chance to win and margin that A expects, told by whoever moved.
    win_of_a: Option<f32>,
    margin_of_a: Option<f32>,
    nodes: u64,
}

impl<'a> Report<'a> {
    pub(super) fn new(stored: &'a StoredMatch, games: &[StoredGame]) -> Self {
        let mut tally = Tally::default();
        let mut curve: Vec<(u64, [Option<f64>; 3])> = Vec::new();
        let step = (games.len() / 2).div_ceil(CURVE_POINTS).max(1) as u64;
        for game in games {
            let before = tally.pairs.count();
            tally.add(&game.record);
            let pairs = tally.pairs.count();
            if pairs > before
                && (pairs.is_multiple_of(step) || pairs == games.len() as u64 / 2)
                && let Some(interval) = tally.pairs.elo_interval()
            {
                curve.push((pairs, ends(&interval).map(|elo| elo.is_finite().then_some(elo))));
            }
        }
        Self {
            id: stored.id,
            created: &stored.created,
            names: stored.names.each_ref().map(String::as_str),
            rules: stored.rules.name(),
            games_of_a: tally.games,
            unfinished: tally.unfinished,
            points: tally.points(),
            pairs: tally.pairs.0,
            // JSON has no infinity; a large number stands for it.
            elo: tally.pairs.elo_interval().map(|interval| ends(&interval).map(|elo| elo.clamp(-9999.0, 9999.0))),
            mean_margin: tally.mean_margin(),
            sides: Side::ALL.map(|side| SideReport::new(&tally, side)),
            curve,
            times: times(games),
            games: games.iter().map(|game| GameReport::new(game.id, &game.record)).collect(),
        }
    }
}

fn ends(interval: &Interval) -> [f64; 3] {
    [interval.low, interval.estimate, interval.high]
}

impl SideReport {
    fn new(tally: &Tally, side: Side) -> Self {
        let own = &tally.sides[side as usize];
        Self {
            mean_ms: (!own.times.is_empty()).then(|| millis(own.mean_time())),
            slowest_ms: own.times.iter().max().copied().map(millis),
            moves: own.moves,
            illegal: own.faults(FaultKind::Illegal),
            late: own.faults(FaultKind::Late),
            left: own.faults(FaultKind::Left),
            resigned: own.faults(FaultKind::Resigned),
        }
    }
}

impl GameReport {
    fn new(id: i64, game: &PlayedGame) -> Self {
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

/// The mean times in the rounds of all games.
fn times(games: &[StoredGame]) -> Vec<[Option<f64>; 2]> {
    let mut sums: Vec<[(f64, u32); 2]> = Vec::new();
    for StoredGame { record: game, .. } in games {
        for (position, ply) in game.positions().zip(&game.plies) {
            let Some(choice) = ply.choice else { continue };
            let round = usize::from(position.round());
            sums.resize(sums.len().max(round), [(0.0, 0); 2]);
            let (sum, count) = &mut sums[round - 1][game.side(position.color().team()) as usize];
            *sum += millis(choice.time);
            *count += 1;
        }
    }
    sums.into_iter().map(|sides| sides.map(|(sum, count)| (count > 0).then(|| sum / f64::from(count)))).collect()
}

/// Milliseconds, to a hundredth.
fn millis(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e5).round() / 100.0
}
