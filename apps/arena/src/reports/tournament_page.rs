//! Data of a tournament page.

use std::collections::BTreeMap;

use serde::Serialize;

use super::game::{GameReport, ends};
use crate::database::{StoredGame, StoredMatch};
use crate::plan::Plan;
use crate::ratings::Tally;
use crate::ratings::standings::{against, standings};

/// Everything about a tournament.
#[derive(Serialize)]
pub(super) struct TournamentReport<'a> {
    created: &'a str,
    rules: &'static str,
    swiss_rounds: Option<u32>,
    games_of_two: u32,
    /// The contestants by their places in the table.
    names: Vec<&'a str>,
    table: Vec<LineReport>,
    /// Games won, drawn and lost by the row against the column, both by places.
    cross: Vec<Vec<Option<[u64; 3]>>>,
    games: Vec<GameReport>,
}

#[derive(Serialize)]
struct LineReport {
    /// Won, drawn and lost.
    games: [u64; 3],
    byes: u64,
    /// For wins and draws.
    win_points: u64,
    average_points: f64,
    /// Low end, estimate and high end.
    elo: [f64; 3],
}

impl<'a> TournamentReport<'a> {
    pub(super) fn new(plan: &'a Plan, matches: &'a [(u32, StoredMatch, Vec<StoredGame>)]) -> Self {
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
            games.extend(stored.iter().map(|game| GameReport::new(game.id, sides, &game.record)));
        }
        let row = |one: usize| table.iter().map(|line| against(plan, &tallies, one, line.contestant)).collect();
        Self {
            created: matches.iter().map(|(_, stored, _)| &*stored.created).min().unwrap_or_default(),
            rules: plan.rules.name(),
            swiss_rounds: plan.swiss_rounds,
            games_of_two: 2 * plan.pairs,
            names: table.iter().map(|line| &*plan.contestants[line.contestant].name).collect(),
            cross: table.iter().map(|line| row(line.contestant)).collect(),
            table: table
                .iter()
                .map(|line| LineReport {
                    games: line.games,
                    byes: line.byes,
                    win_points: line.score.win_points,
                    average_points: line.score.average_points(),
                    elo: ends(&line.elo),
                })
                .collect(),
            games,
        }
    }
}
