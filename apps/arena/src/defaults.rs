//! Default limits of matches.

use std::time::Duration;

use server::TimeLimits;

use crate::engines::Budget;

/// Default time per move without limits of time and nodes.
const TIME: Duration = Duration::from_millis(100);

/// Maximum time per move of a player that is limited by nodes alone, so that a busy machine does not decide games.
const NODE_LIMITED_TIMEOUT: Duration = Duration::from_secs(60);

/// Returns the budget of a move by milliseconds and nodes: 100 ms if neither is limited.
pub fn budget(time: Option<u64>, nodes: Option<u64>) -> Budget {
    Budget { time: time.map(Duration::from_millis), nodes }.or(Budget::time(TIME))
}

/// Returns the time limits of games between players with these budgets: at least the official ones, unless a timeout is
/// wanted.
pub fn time_limits(timeout: Option<Duration>, budgets: impl IntoIterator<Item = Budget>) -> TimeLimits {
    let official = TimeLimits::default();
    let timeout_of = |budget: Budget| budget.time.map_or(NODE_LIMITED_TIMEOUT, |time| 2 * time);
    let soft = timeout.unwrap_or_else(|| budgets.into_iter().map(timeout_of).fold(official.soft, Duration::max));
    TimeLimits { soft, hard: official.hard.max(2 * soft) }
}

/// Returns the number of simultaneous games for players with this number of threads.
pub fn concurrency(wanted: Option<u16>, threads: usize) -> usize {
    wanted.map_or((num_cpus::get_physical() / threads).max(1), usize::from)
}
