//! The table of a plan with several contestants.

use std::collections::BTreeMap;

use crate::games::played::Side;
use crate::plan::Plan;
use crate::ratings::{Interval, Pairs, Score, Tally, ratings};

/// A line of the table.
#[derive(Clone, PartialEq, Debug)]
pub struct Standing {
    /// The number of the contestant in the plan, from 0.
    pub contestant: usize,
    /// Games that were won, drawn and lost.
    pub games: [u64; 3],
    /// Number of byes in a Swiss tournament; each counts as winning a match.
    pub byes: u64,
    /// Score that decides the place, byes included.
    pub score: Score,
    /// Its rating relative to the mean of all, from all pairs of games at once.
    pub elo: Interval,
}

/// The table by [`Score`], as in the contest. The best comes first.
pub fn standings(plan: &Plan, tallies: &BTreeMap<u32, Tally>) -> Vec<Standing> {
    let count = plan.contestants.len();
    let results: Vec<(usize, usize, Pairs)> = tallies
        .iter()
        .map(|(&number, tally)| {
            let [a, b] = plan.sides(number);
            (a, b, tally.pairs)
        })
        .collect();
    let byes = plan.byes(tallies);
    let elo = ratings(count, &results);
    let mut table: Vec<Standing> = (0..count)
        .map(|contestant| {
            let (mut games, mut score) = ([0; 3], Score::default());
            for (&number, tally) in tallies {
                let sides = plan.sides(number);
                let Some(side) = Side::ALL.into_iter().find(|&side| sides[side as usize] == contestant) else {
                    continue;
                };
                let [won, drawn, lost] = tally.games_of(side);
                games = [games[0] + won, games[1] + drawn, games[2] + lost];
                score += tally.score(side);
            }
            let byes = byes[contestant];
            (0..byes).for_each(|_| score += plan.bye());
            Standing { contestant, games, byes, score, elo: elo[contestant] }
        })
        .collect();
    table.sort_by(|a, b| b.score.compare(&a.score).then(a.contestant.cmp(&b.contestant)));
    table
}

/// Returns the score of a contestant against another: won, drawn and lost games. `None` if they have not met.
pub fn against(plan: &Plan, tallies: &BTreeMap<u32, Tally>, one: usize, other: usize) -> Option<[u64; 3]> {
    let number = plan.number_of_match(one, other)?;
    let side = if plan.sides(number)[0] == one { Side::A } else { Side::B };
    tallies.get(&number).map(|tally| tally.games_of(side))
}
