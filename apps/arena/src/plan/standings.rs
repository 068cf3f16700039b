//! The table of a plan with several contestants.

use std::collections::BTreeMap;

use super::Plan;
use crate::games::played::Side;
use crate::ratings::{ContestScore, Interval, Pairs, Tally, WinDrawLoss, ratings};

/// A line of the table.
#[derive(Clone, PartialEq, Debug)]
pub struct PlanStanding {
    /// The number of the contestant in the plan, from 0.
    pub contestant: usize,
    /// Games that were won, drawn and lost.
    pub games: WinDrawLoss,
    /// Number of byes in a Swiss tournament; each counts as winning a match.
    pub byes: u64,
    /// Score that decides the place, byes included.
    pub score: ContestScore,
    /// Its rating relative to the mean of all, from all pairs of games at once.
    pub elo: Interval,
}

/// Returns the table by [`ContestScore`], as in the contest. The best comes first.
pub fn standings(plan: &Plan, tallies: &BTreeMap<u32, Tally>) -> Vec<PlanStanding> {
    let result = |(&number, tally): (&u32, &Tally)| {
        let [a, b] = plan.sides(number);
        (a, b, tally.pairs)
    };
    let results: Vec<(usize, usize, Pairs)> = tallies.iter().map(result).collect();
    let (byes, elo) = (plan.byes(tallies), ratings(plan.contestants.len(), &results));
    let line = |(contestant, (byes, elo))| {
        let mut score = ContestScore::default();
        (0..byes).for_each(|_| score += plan.bye());
        PlanStanding { contestant, games: WinDrawLoss::default(), byes, score, elo }
    };
    let mut table: Vec<PlanStanding> = byes.into_iter().zip(elo).enumerate().map(line).collect();
    for (&number, tally) in tallies {
        for (side, contestant) in Side::ALL.into_iter().zip(plan.sides(number)) {
            let line = &mut table[contestant];
            line.games += tally.games_of(side);
            line.score += tally.contest_score(side);
        }
    }
    table.sort_by(|a, b| b.score.compare(&a.score).then(a.contestant.cmp(&b.contestant)));
    table
}

/// Returns the score of a contestant against another: won, drawn and lost games. `None` if they have not met.
pub fn against(plan: &Plan, tallies: &BTreeMap<u32, Tally>, one: usize, other: usize) -> Option<WinDrawLoss> {
    let number = plan.number_of_match(one, other)?;
    let side = if plan.sides(number)[0] == one { Side::A } else { Side::B };
    tallies.get(&number).map(|tally| tally.games_of(side))
}
