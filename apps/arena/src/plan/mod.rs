//! Plans: the settings of games between two or more contestants.
//!
//! A plan is a file (see [`file`](mod@file)) or comes from a command line. With node limits its games are the same on
//! every machine, because each depends only on the plan, the match and the pair. So a plan can be played in
//! [parts](Part) that are merged later.

mod entrant;
mod error;
pub mod file;
mod format;
mod key;
mod part;
pub mod standings;
mod swiss;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use game::{Piece, Rules};
use server::TimeLimits;

pub use entrant::Entrant;
pub use error::PlanError;
pub use part::{Missing, Part, missing};
use swiss::Schedule;

use crate::defaults::time_limits;
use crate::engines::Spec;
use crate::games::played::{GameId, Side};
use crate::openings::{Opening, OpeningError};
use crate::ratings::{ContestScore, Sprt, Tally};

/// Contestants and settings of matches.
///
/// Every two contestants play a match of `pairs` pairs of games, or those who are paired in a Swiss tournament.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// At least two; none in the settings of a league.
    pub contestants: Vec<Entrant>,
    /// The rules.
    pub rules: Rules,
    /// The start piece of all games; `None` to draw one for every pair.
    pub start_piece: Option<Piece>,
    /// The opening.
    pub opening: Opening,
    /// Maximum number of pairs of games in a match.
    pub pairs: u32,
    /// Number of rounds of a Swiss tournament, which pairs contestants with equal scores; `None` if all play against
    /// all.
    pub swiss_rounds: Option<u32>,
    /// Seed of everything that is drawn.
    pub seed: u64,
    /// An answer later than this loses the game; `None` for what [`time_limits`] finds appropriate.
    pub timeout: Option<Duration>,
    /// The test that ends a match of two contestants when it is decided.
    pub sprt: Option<Sprt>,
    /// `true` if a contestant that cannot start loses its game; otherwise it ends the match.
    pub is_tolerant: bool,
}

impl Plan {
    /// Default number of pairs of games.
    pub const DEFAULT_PAIRS: u32 = 50;

    /// Creates a plan with the default settings.
    pub fn new(contestants: Vec<Entrant>) -> Self {
        Self {
            contestants,
            rules: Rules::Season2027,
            start_piece: None,
            opening: Opening::default(),
            pairs: Self::DEFAULT_PAIRS,
            swiss_rounds: None,
            seed: 1,
            timeout: None,
            sprt: None,
            is_tolerant: false,
        }
    }

    /// Creates the plan of one match with the default settings.
    pub fn of_two(sides: [Spec; 2]) -> Self {
        Self::new(sides.map(Entrant::from).into()).match_plan(0)
    }

    /// Returns a side of a match, the only one of the plan.
    pub fn spec(&self, side: Side) -> &Spec {
        &self.contestants[side as usize].spec
    }

    /// Returns the time limits of an answer.
    pub fn time_limits(&self) -> TimeLimits {
        time_limits(self.timeout, self.contestants.iter().map(|entrant| entrant.spec.budget()))
    }

    /// Returns the number of matches: one for every two contestants.
    pub fn matches(&self) -> u32 {
        number_of(0, self.contestants.len() as u32)
    }

    /// Returns the numbers of the contestants in the list who play a match, A first.
    ///
    /// # Panics
    /// If there is no match of this number.
    pub fn sides(&self, number: u32) -> [usize; 2] {
        let b = (1..self.contestants.len() as u32).find(|&b| number < number_of(0, b + 1));
        let b = b.unwrap_or_else(|| panic!("there is no match {number}"));
        [number - number_of(0, b), b].map(|side| side as usize)
    }

    /// Returns the plan of one of the matches.
    ///
    /// # Panics
    /// If there is no match of this number.
    pub fn match_plan(&self, number: u32) -> Self {
        let contestants = self.sides(number).map(|side| self.contestants[side].clone()).into();
        let plan = Self { contestants, swiss_rounds: None, seed: self.seed_of(number), ..self.clone() };
        Self { timeout: Some(plan.time_limits().soft), ..plan }
    }

    /// Returns the seed of a match, or of an iteration of a tuning: the openings of two pairs with the same number are
    /// different ones.
    pub fn seed_of(&self, number: u32) -> u64 {
        self.seed.wrapping_add(u64::from(number) << 32)
    }

    /// Returns the number of the match between two contestants by their numbers in the list; `None` for one and the
    /// same.
    pub fn number_of_match(&self, one: usize, other: usize) -> Option<u32> {
        (one != other).then(|| number_of(one.min(other) as u32, one.max(other) as u32))
    }

    /// Returns the maximum number of games.
    pub fn games(&self) -> u64 {
        let in_round = self.contestants.len() as u64 / 2;
        let matches = self.swiss_rounds.map_or(u64::from(self.matches()), |rounds| u64::from(rounds) * in_round);
        2 * u64::from(self.pairs) * matches
    }

    /// Returns the known pairs of games in playing order; all matches advance at the same pace. `tallies` contains the
    /// results by match number; the next round of a Swiss tournament is known when all games of the round before are
    /// counted.
    pub fn jobs(&self, tallies: &BTreeMap<u32, Tally>) -> Vec<Job> {
        jobs(&self.numbers(tallies), self.pairs)
    }

    /// Returns the known matches that count. A database may contain others, from rounds that were paired
    /// with fewer games.
    pub fn scheduled_tallies(&self, tallies: &BTreeMap<u32, Tally>) -> BTreeMap<u32, Tally> {
        let numbers: BTreeSet<u32> = self.numbers(tallies).into_iter().collect();
        let counted = tallies.iter().filter(|(number, _)| numbers.contains(number));
        counted.map(|(&number, tally)| (number, tally.clone())).collect()
    }

    /// Returns the known match numbers.
    fn numbers(&self, tallies: &BTreeMap<u32, Tally>) -> Vec<u32> {
        self.schedule(tallies).matches.iter().map(|&[a, b]| number_of(a as u32, b as u32)).collect()
    }

    /// Returns the number of byes of each contestant in a Swiss tournament.
    pub fn byes(&self, tallies: &BTreeMap<u32, Tally>) -> Vec<u64> {
        self.schedule(tallies).byes
    }

    /// Returns the score of a bye: the wins of all games of a match.
    pub fn bye(&self) -> ContestScore {
        ContestScore::of_wins(2 * u64::from(self.pairs))
    }

    fn schedule(&self, tallies: &BTreeMap<u32, Tally>) -> Schedule {
        let contestants = self.contestants.len();
        let Some(rounds) = self.swiss_rounds else {
            let matches = (0..self.matches()).map(|number| self.sides(number)).collect();
            return Schedule { matches, byes: vec![0; contestants] };
        };
        let of_match = |[a, b]: [usize; 2]| {
            let tally = tallies.get(&number_of(a as u32, b as u32))?;
            (tally.pairs.count() >= self.pairs.into()).then(|| Side::ALL.map(|side| tally.contest_score(side)))
        };
        swiss::schedule(contestants, rounds as usize, self.bye(), of_match)
    }

    /// Returns the most threads that a contestant uses.
    pub fn threads(&self) -> usize {
        self.contestants.iter().map(|entrant| entrant.spec.threads()).max().unwrap_or(1)
    }

    /// Checks that games can begin with the opening.
    pub fn check_opening(&self) -> Result<(), OpeningError> {
        self.opening.check(self.rules, self.start_piece)
    }
}

/// A pair of games of one of several matches: the unit of work of a thread or a machine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Job {
    /// The number of the match.
    pub number: u32,
    /// The number of the pair in it.
    pub pair: u32,
}

impl Job {
    /// Returns both games of the pair.
    pub fn games(self) -> [GameId; 2] {
        [false, true].map(|is_swapped| GameId { pair: self.pair, is_swapped })
    }
}

/// Returns all pairs of the matches with these numbers.
fn jobs(numbers: &[u32], pairs: u32) -> Vec<Job> {
    (0..pairs).flat_map(|pair| numbers.iter().map(move |&number| Job { number, pair })).collect()
}

/// Returns the number of the match between two contestants by their places in the list, `a` before `b`. It does not
/// depend on who comes after them.
fn number_of(a: u32, b: u32) -> u32 {
    b * b.saturating_sub(1) / 2 + a
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn plan(contestants: usize) -> Plan {
        let entrant = Entrant::from("random:time=5".parse::<Spec>().unwrap());
        Plan { pairs: 3, seed: 7, ..Plan::new(vec![entrant; contestants]) }
    }

    #[test]
    fn every_pair_of_contestants_plays_one_match() {
        for count in 2..8 {
            let plan = plan(count);
            let sides: HashSet<[usize; 2]> = (0..plan.matches()).map(|number| plan.sides(number)).collect();
            let expected = (0..count).flat_map(|b| (0..b).map(move |a| [a, b])).collect();
            assert_eq!(sides, expected);
            let jobs: HashSet<Job> = plan.jobs(&BTreeMap::new()).into_iter().collect();
            assert_eq!((jobs.len(), plan.games()), (3 * sides.len(), 6 * sides.len() as u64));
            let seeds: HashSet<u64> = (0..plan.matches()).map(|number| plan.match_plan(number).seed).collect();
            assert_eq!((seeds.len(), plan.match_plan(0).seed), (sides.len(), 7));
        }
    }

    #[test]
    fn ignores_matches_outside_rounds() {
        let all = BTreeMap::from([0, 1, 2, 3, 4, 5].map(|number| (number, Tally::default())));
        assert_eq!(plan(4).scheduled_tallies(&all), all);
        let swiss = Plan { swiss_rounds: Some(2), ..plan(4) };
        let first: BTreeSet<u32> = swiss.numbers(&BTreeMap::new()).into_iter().collect();
        assert_eq!((first.len(), swiss.scheduled_tallies(&all).into_keys().collect()), (2, first));
    }
}
