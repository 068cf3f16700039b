//! Data of match and tournament pages.

use std::collections::BTreeMap;

use record::FaultKind;
use serde_json::{Value, json};

use super::game::{ends, game_report, millis};
use crate::database::{StoredGame, StoredMatch};
use crate::plan::Plan;
use crate::ratings::standings::{Standing, against, standings};
use crate::ratings::{Interval, SideTally, Tally};

/// The curve of the estimate has about this many points.
const CURVE_POINTS: usize = 200;

/// The data of a match.
pub(super) fn match_report(stored: &StoredMatch, games: &[StoredGame]) -> Value {
    let mut tally = Tally::default();
    // Number of pairs, low end, estimate and high end of the Elo difference. Infinite ends are `null`.
    let mut curve: Vec<(u64, [f64; 3])> = Vec::new();
    let step = (games.len() / 2).div_ceil(CURVE_POINTS).max(1) as u64;
    for game in games {
        let before = tally.pairs.count();
        tally.add(&game.record);
        let pairs = tally.pairs.count();
        if pairs > before
            && (pairs.is_multiple_of(step) || pairs == games.len() as u64 / 2)
            && let Some(Interval { low, estimate, high }) = tally.pairs.elo_interval()
        {
            curve.push((pairs, [low, estimate, high]));
        }
    }
    json!({
        "id": stored.id,
        "created": stored.created,
        "names": stored.names,
        "rules": stored.rules.name(),
        "games_of_a": tally.games,
        "unfinished": tally.unfinished,
        "points": tally.points(),
        "pairs": tally.pairs.0,
        "elo": tally.pairs.elo_interval().as_ref().map(ends),
        "mean_margin": tally.mean_margin(),
        "sides": tally.sides.each_ref().map(side),
        "curve": curve,
        "times": times(games),
        "games": games.iter().map(|game| game_report(game.id, None, &game.record)).collect::<Vec<_>>(),
    })
}

fn side(own: &SideTally) -> Value {
    json!({
        "mean_ms": (!own.times.is_empty()).then(|| millis(own.mean_time())),
        "slowest_ms": own.times.iter().max().copied().map(millis),
        "moves": own.moves,
        "illegal": own.faults(FaultKind::Illegal),
        "late": own.faults(FaultKind::Late),
        "left": own.faults(FaultKind::Left),
        "resigned": own.faults(FaultKind::Resigned),
    })
}

/// The data of a tournament; contestants are numbered by their places.
pub(super) fn tournament_report(plan: &Plan, matches: &[(u32, StoredMatch, Vec<StoredGame>)]) -> Value {
    let mut tallies: BTreeMap<u32, Tally> = BTreeMap::new();
    for (number, _, games) in matches {
        let tally = tallies.entry(*number).or_default();
        games.iter().for_each(|game| tally.add(&game.record));
    }
    let tallies = plan.counted(&tallies);
    let table = standings(plan, &tallies);
    let mut places = vec![0; table.len()];
    table.iter().enumerate().for_each(|(place, line)| places[line.contestant] = place);
    let mut games = Vec::new();
    for (number, _, stored) in matches.iter().filter(|(number, ..)| tallies.contains_key(number)) {
        let sides = Some(plan.sides(*number).map(|side| places[side]));
        games.extend(stored.iter().map(|game| game_report(game.id, sides, &game.record)));
    }
    let row = |one: usize| table.iter().map(|line| against(plan, &tallies, one, line.contestant)).collect();
    let cross: Vec<Vec<Option<[u64; 3]>>> = table.iter().map(|line| row(line.contestant)).collect();
    let line = |line: &Standing| {
        json!({
            "games": line.games,
            "byes": line.byes,
            "win_points": line.score.win_points,
            "average_points": line.score.average_points(),
            "elo": ends(&line.elo),
        })
    };
    json!({
        "created": matches.iter().map(|(_, stored, _)| &*stored.created).min().unwrap_or_default(),
        "rules": plan.rules.name(),
        "swiss_rounds": plan.swiss_rounds,
        "games_of_two": 2 * plan.pairs,
        "names": table.iter().map(|line| &*plan.contestants[line.contestant].name).collect::<Vec<_>>(),
        "cross": cross,
        "table": table.iter().map(line).collect::<Vec<_>>(),
        "games": games,
    })
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
