//! Who plays whom in a Swiss tournament: in every round, neighbours in the table who have not met.

use std::cmp::Ordering;
use std::collections::HashSet;

/// What a contestant has reached.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(super) struct Reached {
    /// Points for wins: 2 for each, 1 for a draw.
    pub(super) win_points: u64,
    /// Points of all games.
    pub(super) points: u64,
}

/// The matches that are known so far.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Schedule {
    /// The contestants of each, the one who comes first in the list first.
    pub(super) matches: Vec<[usize; 2]>,
    /// How often each contestant had nobody to play against, which counts as winning a match.
    pub(super) byes: Vec<u64>,
}

/// The most rounds for which there are always enough who have not met: with half of the others left to everybody, all can
/// be paired (Dirac 1952).
pub(super) const fn most_rounds(contestants: usize) -> usize {
    contestants.div_ceil(2)
}

/// The rounds that are over and the next one. `of_match` tells what both contestants have reached in a match, if it is
/// over; `bye` is what somebody reaches who has nobody to play against.
pub(super) fn schedule(
    contestants: usize,
    rounds: usize,
    bye: Reached,
    of_match: impl Fn([usize; 2]) -> Option<[Reached; 2]>,
) -> Schedule {
    let mut schedule = Schedule { matches: Vec::new(), byes: vec![0; contestants] };
    let mut reached = vec![Reached::default(); contestants];
    let mut met: HashSet<[usize; 2]> = HashSet::new();
    for _ in 0..rounds {
        let mut table: Vec<usize> = (0..contestants).collect();
        table.sort_by(|&a, &b| order(&reached[b], &reached[a]).then(a.cmp(&b)));
        if contestants % 2 == 1 {
            // Who is paired with nobody, the last one in the table.
            table.push(contestants);
        }
        let Some(pairs) = pairing(&table, &met) else { break };
        let mut is_over = true;
        for sides in pairs {
            met.insert(sides);
            let [a, b] = sides;
            if b == contestants {
                schedule.byes[a] += 1;
                reached[a].win_points += bye.win_points;
                continue;
            }
            schedule.matches.push(sides);
            match of_match(sides) {
                Some(of_sides) => {
                    for (side, new) in sides.into_iter().zip(of_sides) {
                        reached[side].win_points += new.win_points;
                        reached[side].points += new.points;
                    }
                }
                None => is_over = false,
            }
        }
        if !is_over {
            break;
        }
    }
    schedule
}

fn order(a: &Reached, b: &Reached) -> Ordering {
    (a.win_points, a.points).cmp(&(b.win_points, b.points))
}

/// Pairs everybody with somebody whom he has not met, from the top of the table, with the next one if possible.
fn pairing(table: &[usize], met: &HashSet<[usize; 2]>) -> Option<Vec<[usize; 2]>> {
    let Some((&first, others)) = table.split_first() else { return Some(Vec::new()) };
    (0..others.len()).find_map(|n| {
        let sides = [first.min(others[n]), first.max(others[n])];
        if met.contains(&sides) {
            return None;
        }
        let rest: Vec<usize> = [&others[..n], &others[n + 1..]].concat();
        let mut pairs = pairing(&rest, met)?;
        pairs.insert(0, sides);
        Some(pairs)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYE: Reached = Reached { win_points: 4, points: 0 };

    /// Whoever comes first in the list wins.
    fn strongest(sides: [usize; 2]) -> Option<[Reached; 2]> {
        Some([Reached { win_points: 4, points: 100 - sides[0] as u64 }, Reached { win_points: 0, points: 50 }])
    }

    #[test]
    fn nobody_meets_twice_or_pauses_twice() {
        for contestants in 2..12 {
            let rounds = most_rounds(contestants);
            let Schedule { matches, byes } = schedule(contestants, rounds, BYE, strongest);
            assert_eq!(matches.len(), rounds * (contestants / 2));
            let different: HashSet<[usize; 2]> = matches.iter().copied().collect();
            assert!(different.len() == matches.len() && matches.iter().all(|[a, b]| a < b), "{matches:?}");
            assert!(byes.iter().all(|&byes| byes <= 1));
            assert_eq!(byes.iter().sum::<u64>(), (rounds * (contestants % 2)) as u64);
        }
    }

    #[test]
    fn winners_meet_winners() {
        let Schedule { matches, .. } = schedule(8, 2, BYE, strongest);
        assert_eq!(matches[..4], [[0, 1], [2, 3], [4, 5], [6, 7]]);
        assert_eq!(matches[4..], [[0, 2], [4, 6], [1, 3], [5, 7]]);
    }

    #[test]
    fn a_round_begins_when_the_one_before_is_over() {
        let first = |sides: [usize; 2]| if sides == [2, 3] { None } else { strongest(sides) };
        assert_eq!(schedule(4, 2, BYE, first).matches, [[0, 1], [2, 3]]);
        assert_eq!(
            schedule(5, 3, BYE, |_| None),
            Schedule { matches: vec![[0, 1], [2, 3]], byes: vec![0, 0, 0, 0, 1] }
        );
    }
}
