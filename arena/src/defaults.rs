//! What matches do where nothing else is said.

use std::time::Duration;

use server::Clock;

use crate::contestant::Budget;

/// The budget of a move by milliseconds and nodes: 100 ms if neither is limited.
///
/// ```
/// use arena::defaults::{budget, clock};
///
/// let budget = budget(None, Some(1000));
/// assert_eq!((budget.time, budget.nodes), (None, Some(1000)));
/// assert_eq!(clock(None, &[budget]).soft.as_secs(), 60);
/// ```
pub fn budget(time: Option<u64>, nodes: Option<u64>) -> Budget {
    Budget { time: time.map(Duration::from_millis), nodes }.or(Budget::time(Duration::from_millis(100)))
}

/// How long a player may take whose nodes are limited and whose time is not, so that a busy machine
/// does not decide games.
const PATIENCE: Duration = Duration::from_secs(60);

/// The time limits of games between players with these budgets: at least the official ones.
pub fn clock(timeout: Option<u64>, budgets: &[Budget]) -> Clock {
    let official = Clock::default();
    let patience = |budget: &Budget| budget.time.map_or(PATIENCE, |time| 2 * time);
    let default = || budgets.iter().map(patience).fold(official.soft, Duration::max);
    let soft = timeout.map_or_else(default, Duration::from_millis);
    Clock { soft, hard: official.hard.max(2 * soft) }
}

/// How many games to play at the same time if each player has this many threads.
pub fn concurrency(wanted: Option<u16>, threads: usize) -> usize {
    wanted.map_or((num_cpus::get_physical() / threads).max(1), usize::from)
}
