//! Data of match and tournament pages, and of their games.

use std::collections::BTreeMap;
use std::time::Duration;

use game::{Cell, Color};
use record::FaultKind;
use serde_json::{Value, json};

use crate::database::{StoredGame, StoredMatch};
use crate::games::played::{PlayedGame, Side};
use crate::plan::Plan;
use crate::plan::standings::{PlanStanding, against, standings};
use crate::ratings::{Interval, SideTally, Sum, Tally, WinDrawLoss};

/// The curve of the estimate has about this many points.
const CURVE_POINTS: usize = 200;

/// Returns the data of a match.
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
        "points": tally.score_of_a(),
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

/// Returns the data of a tournament; contestants are numbered by their places.
pub(super) fn tournament_report(plan: &Plan, matches: &[(u32, StoredMatch, Vec<StoredGame>)]) -> Value {
    let mut tallies: BTreeMap<u32, Tally> = BTreeMap::new();
    for (number, _, games) in matches {
        let tally = tallies.entry(*number).or_default();
        games.iter().for_each(|game| tally.add(&game.record));
    }
    let tallies = plan.scheduled_tallies(&tallies);
    let table = standings(plan, &tallies);
    let mut places = vec![0; table.len()];
    table.iter().enumerate().for_each(|(place, line)| places[line.contestant] = place);
    let mut games = Vec::new();
    for (number, _, stored) in matches.iter().filter(|(number, ..)| tallies.contains_key(number)) {
        let sides = Some(plan.sides(*number).map(|side| places[side]));
        games.extend(stored.iter().map(|game| game_report(game.id, sides, &game.record)));
    }
    let row = |one: usize| table.iter().map(|line| against(plan, &tallies, one, line.contestant)).collect();
    let cross: Vec<Vec<Option<WinDrawLoss>>> = table.iter().map(|line| row(line.contestant)).collect();
    let line = |line: &PlanStanding| {
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

/// Returns the mean times in the rounds of all games.
fn times(games: &[StoredGame]) -> Vec<[Option<f64>; 2]> {
    let mut sums: Vec<[Sum; 2]> = Vec::new();
    for StoredGame { record: game, .. } in games {
        for (position, ply) in game.positions().zip(&game.plies) {
            let Some(choice) = ply.choice else { continue };
            let round = usize::from(position.round());
            sums.resize(sums.len().max(round), Default::default());
            sums[round - 1][game.side(position.color().team()) as usize].add(millis(choice.time));
        }
    }
    sums.into_iter().map(|sides| sides.map(|sum| sum.mean())).collect()
}

/// Returns a game with all moves. `sides` are the numbers of A and B among the contestants of a tournament. A cell is
/// x + 20 y; `outcome` is 0 (lost), 1 (drawn) or 2 (won) for A; win probabilities and margins are for A, as reported
/// by the player that moved.
fn game_report(id: i64, sides: Option<[usize; 2]>, game: &PlayedGame) -> Value {
    let end = game.end();
    let after = game.positions().skip(1);
    let plies = game.positions().zip(after).zip(&game.plies).map(|((before, after), ply)| {
        let color = before.color();
        let evaluation = ply.choice.and_then(|choice| choice.evaluation);
        let evaluation =
            evaluation.map(|own| if game.side(color.team()) == Side::A { own } else { own.of_opponents() });
        json!({
            "turn": before.turn(),
            "color": color as usize,
            "text": ply.mv.to_string(),
            "cells": ply.mv.placement().map(|placement| numbers(placement.cells())).unwrap_or_default(),
            "points": after.points(color),
            "ms": ply.choice.map(|choice| millis(choice.time)),
            "win_of_a": evaluation.map(|own| rounded(own.win, 1e4)),
            "margin_of_a": evaluation.map(|own| rounded(own.margin, 1e2)),
            "nodes": ply.choice.map_or(0, |choice| choice.nodes),
        })
    });
    json!({
        "id": id,
        "sides": sides,
        "pair": game.pair,
        "a_is": game.team(Side::A).name(),
        "points": Side::ALL.map(|side| end.team_points(game.team(side))),
        "outcome": game.half_points(Side::A),
        "verdict": game.verdict(),
        "start_piece": game.start.start_piece().map_or("", |piece| piece.name()),
        "start": Color::ALL.map(|color| numbers(game.start.board().covered(color))),
        "plies": plies.collect::<Vec<_>>(),
    })
}

fn numbers(cells: impl IntoIterator<Item = Cell>) -> Vec<usize> {
    cells.into_iter().map(|cell| cell.x() + 20 * cell.y()).collect()
}

/// Rounds a number to `1 / steps`.
fn rounded(number: f32, steps: f64) -> f64 {
    (f64::from(number) * steps).round() / steps
}

/// Returns milliseconds, rounded to a hundredth.
fn millis(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e5).round() / 100.0
}

/// Returns the ends of an interval and the estimate between them; a large number stands for infinity, which JSON lacks.
fn ends(interval: &Interval) -> [f64; 3] {
    [interval.low, interval.estimate, interval.high].map(|elo| elo.clamp(-9999.0, 9999.0))
}
