//! Pairings of a Swiss tournament: in every round, neighbours in the table who have not met.

use std::collections::HashSet;

use crate::ratings::ContestScore;

/// Known matches.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Schedule {
    /// The contestants of each, the one who comes first in the list first.
    pub(super) matches: Vec<[usize; 2]>,
    /// Number of byes of each contestant; a bye counts as winning a match.
    pub(super) byes: Vec<u64>,
}

/// Returns the maximum number of rounds for which a pairing always exists: all can be paired while each contestant has
/// not met at least half of the others (Dirac 1952).
pub(super) const fn max_rounds(contestants: usize) -> usize {
    contestants.div_ceil(2)
}

/// Returns the finished rounds and the next one. `of_match` returns the scores of a finished match; `bye` is the score
/// of a bye.
pub(super) fn schedule(
    contestants: usize,
    rounds: usize,
    bye: ContestScore,
    of_match: impl Fn([usize; 2]) -> Option<[ContestScore; 2]>,
) -> Schedule {
    let mut schedule = Schedule { matches: Vec::new(), byes: vec![0; contestants] };
    let mut reached = vec![ContestScore::default(); contestants];
    let mut met: HashSet<[usize; 2]> = HashSet::new();
    for _ in 0..rounds {
        let mut table: Vec<usize> = (0..contestants).collect();
        table.sort_by(|&a, &b| reached[b].compare(&reached[a]).then(a.cmp(&b)));
        if contestants % 2 == 1 {
            // Stands for a bye; last in the table.
            table.push(contestants);
        }
        let Some(pairs) = pairing(&table, &met) else { break };
        let mut is_over = true;
        for sides in pairs {
            met.insert(sides);
            let [a, b] = sides;
            if b == contestants {
                schedule.byes[a] += 1;
                reached[a] += bye;
                continue;
            }
            schedule.matches.push(sides);
            match of_match(sides) {
                Some(of_sides) => sides.into_iter().zip(of_sides).for_each(|(side, new)| reached[side] += new),
                None => is_over = false,
            }
        }
        if !is_over {
            break;
        }
    }
    schedule
}

/// Pairs each contestant with the next one in the table whom it has not met. Two contestants that are left over have
/// met each other; they take the places of a pair that can be divided between them, the lowest in the table. Such a
/// pair exists while each contestant has not met at least half of the others, because then there are at least three
/// possible meetings between the two and the two of some pair (the proof of Ore 1960). `None` if there is no pairing.
fn pairing(table: &[usize], met: &HashSet<[usize; 2]>) -> Option<Vec<[usize; 2]>> {
    let sides = |one: usize, other: usize| [one.min(other), one.max(other)];
    let can_meet = |one: usize, other: usize| !met.contains(&sides(one, other));
    let (mut waiting, mut left_over) = (table.to_vec(), Vec::new());
    let mut pairs = Vec::new();
    while !waiting.is_empty() {
        let first = waiting.remove(0);
        match waiting.iter().position(|&other| can_meet(first, other)) {
            Some(n) => pairs.push([first, waiting.remove(n)]),
            None => left_over.push(first),
        }
    }
    for two in left_over.chunks(2) {
        let &[one, other] = two else { return None };
        let (n, [first, second]) = pairs.iter().enumerate().rev().find_map(|(n, &[a, b])| {
            let divided = [[a, b], [b, a]];
            divided.into_iter().find(|&[a, b]| can_meet(one, a) && can_meet(other, b)).map(|pair| (n, pair))
        })?;
        pairs[n] = [first, one];
        pairs.insert(n + 1, [second, other]);
    }
    Some(pairs.into_iter().map(|[a, b]| sides(a, b)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ratings::WinDrawLoss;

    /// Returns the score of a won match.
    fn win() -> ContestScore {
        ContestScore::of_wins(2)
    }

    fn games(won: u64, lost: u64) -> WinDrawLoss {
        WinDrawLoss { won, drawn: 0, lost }
    }

    /// The contestant listed first wins with fewer points than the loser; contestants listed later score more.
    fn strongest(sides: [usize; 2]) -> Option<[ContestScore; 2]> {
        Some([ContestScore::of(games(2, 0), 100 + sides[0] as u64), ContestScore::of(games(0, 2), 200)])
    }

    /// All are equally strong.
    fn equal(_: [usize; 2]) -> Option<[ContestScore; 2]> {
        Some([ContestScore::of(games(1, 1), 150); 2])
    }

    #[test]
    fn pairs_nobody_twice() {
        // Trying all pairings of the largest would take years.
        for contestants in (2..14).chain([40, 41, 100]) {
            for of_match in [strongest, equal] {
                let rounds = max_rounds(contestants);
                let Schedule { matches, byes } = schedule(contestants, rounds, win(), of_match);
                assert_eq!(matches.len(), rounds * (contestants / 2));
                let different: HashSet<[usize; 2]> = matches.iter().copied().collect();
                assert!(different.len() == matches.len() && matches.iter().all(|[a, b]| a < b), "{matches:?}");
                assert!(byes.iter().all(|&byes| byes <= 1));
                assert_eq!(byes.iter().sum::<u64>(), (rounds * (contestants % 2)) as u64);
            }
        }
    }

    #[test]
    fn winners_meet_winners() {
        let Schedule { matches, .. } = schedule(8, 2, win(), strongest);
        assert_eq!(matches[..4], [[0, 1], [2, 3], [4, 5], [6, 7]]);
        assert_eq!(matches[4..], [[4, 6], [0, 2], [1, 3], [5, 7]]);
    }

    #[test]
    fn round_waits_for_the_previous_one() {
        let first = |sides: [usize; 2]| if sides == [2, 3] { None } else { strongest(sides) };
        assert_eq!(schedule(4, 2, win(), first).matches, [[0, 1], [2, 3]]);
        assert_eq!(
            schedule(5, 3, win(), |_| None),
            Schedule { matches: vec![[0, 1], [2, 3]], byes: vec![0, 0, 0, 0, 1] }
        );
    }
}
