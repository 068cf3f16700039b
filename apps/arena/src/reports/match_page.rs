//! Data of a match page.

use record::FaultKind;
use serde::Serialize;

use super::game::{GameReport, ends, millis};
use crate::database::{StoredGame, StoredMatch};
use crate::games::played::Side;
use crate::ratings::{Interval, Tally};

/// The curve of the estimate has about this many points.
const CURVE_POINTS: usize = 200;

/// Everything about a match.
#[derive(Serialize)]
pub(super) struct MatchReport<'a> {
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

impl<'a> MatchReport<'a> {
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
                let Interval { low, estimate, high } = interval;
                curve.push((pairs, [low, estimate, high].map(|elo| elo.is_finite().then_some(elo))));
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
            elo: tally.pairs.elo_interval().as_ref().map(ends),
            mean_margin: tally.mean_margin(),
            sides: Side::ALL.map(|side| SideReport::new(&tally, side)),
            curve,
            times: times(games),
            games: games.iter().map(|game| GameReport::new(game.id, None, &game.record)).collect(),
        }
    }
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
