//! The time at which an answer has to be sent.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use player::{Budget, SearchLimits};

/// The default time for a move: the servers' two seconds, less a reserve for the network.
pub const DEFAULT_TIME: Duration = Duration::from_millis(1900);

/// The thinking time per move, less on a busy machine.
///
/// A busy machine wakes a thread later than the thread asked for. The [`PlayerThread`](crate::player_thread) measures
/// these delays while the player thinks, and `Pace` reserves time for them:
///
/// * [`LEAST_RESERVE`](Self::LEAST_RESERVE),
/// * and twice the longest delay in this move and the moves before it: once for the request and once for the answer,
/// * but at most three quarters of the time.
///
/// It reads no clock: the caller passes the times.
#[derive(Debug)]
pub struct Pace {
    budget: Budget,
    /// The longest delay in each of the last moves.
    delays: VecDeque<Duration>,
    /// The longest delay since the last answer.
    delay: Duration,
}

impl Pace {
    /// Number of moves after which a delay is forgotten.
    const MEMORY: usize = 8;

    /// Reserve on a quiet machine; less if the time is shorter than 0.4 s.
    pub const LEAST_RESERVE: Duration = Duration::from_millis(20);

    /// Keeps answers within this budget.
    pub fn new(budget: Budget) -> Self {
        Self { budget, delays: VecDeque::with_capacity(Self::MEMORY), delay: Duration::ZERO }
    }

    /// Changes the budget and keeps the measured delays.
    pub fn set_budget(&mut self, budget: Budget) {
        self.budget = budget;
    }

    /// The time from the request to the end of the search, if the time is limited.
    pub fn thinking_time(&self) -> Option<Duration> {
        self.budget.time.map(|time| time - self.reserve(time))
    }

    /// The limit of a search that was asked for at `asked`.
    pub fn limit(&self, asked: Instant) -> SearchLimits {
        Budget { time: self.thinking_time(), ..self.budget }.starting(asked)
    }

    /// The latest moment to send an answer, with or without the player: soon after the end of the search.
    pub fn due(&self, asked: Instant) -> Option<Instant> {
        let grace = least_reserve(self.budget.time?) / 4;
        asked.checked_add(self.thinking_time()? + grace)
    }

    /// Notes that a thread was woken this much later than it asked for, or that an answer was this late.
    pub fn note_delay(&mut self, delay: Duration) {
        self.delay = self.delay.max(delay);
    }

    /// Notes the time from a request to the sent answer. Returns `true` if the answer was late.
    pub fn note_answer(&mut self, time: Duration) -> bool {
        if self.delays.len() == Self::MEMORY {
            self.delays.pop_front();
        }
        self.delays.push_back(std::mem::take(&mut self.delay));
        self.budget.time.is_some_and(|most| time > most)
    }

    fn reserve(&self, time: Duration) -> Duration {
        let longest = self.delays.iter().copied().fold(self.delay, Duration::max);
        (least_reserve(time) + 2 * longest).min(time * 3 / 4)
    }
}

fn least_reserve(time: Duration) -> Duration {
    Pace::LEAST_RESERVE.min(time / 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    const TIME: Duration = ms(1900);

    fn thinking_time(pace: &Pace) -> Duration {
        pace.thinking_time().expect("the time is limited")
    }

    /// The times of the answers, in milliseconds, on a machine that sends them with these delays.
    fn answers(time: Duration, delays: impl IntoIterator<Item = u64>) -> Vec<u128> {
        let mut pace = Pace::new(Budget::time(time));
        let answer = |delay| {
            let answer = thinking_time(&pace) + ms(delay);
            pace.note_delay(ms(delay));
            assert_eq!(pace.note_answer(answer), answer > time);
            answer.as_millis()
        };
        delays.into_iter().map(answer).collect()
    }

    #[test]
    fn quiet_machine_uses_nearly_all_time() {
        assert_eq!(answers(TIME, [0, 1, 2, 3]), [1880, 1881, 1880, 1879]);
        assert_eq!(answers(ms(40), [0, 0]), [38, 38]);
    }

    #[test]
    fn slow_machine_is_late_once() {
        assert_eq!(answers(TIME, [100, 100, 120, 100]), [1980, 1780, 1800, 1740]);
    }

    #[test]
    fn slower_and_slower_machine_is_never_late() {
        let answers = answers(TIME, [10, 14, 20, 29, 42, 62, 92, 137, 204, 305]);
        assert!(answers.iter().all(|&answer| answer <= 1900), "{answers:?}");
    }

    #[test]
    fn single_delay_is_forgotten() {
        let answers = answers(TIME, [400, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(answers[0], 2280);
        assert!(answers[1..=8].iter().all(|&answer| answer == 1080), "{answers:?}");
        assert_eq!(answers[9], 1880);
    }

    #[test]
    fn some_time_is_always_left() {
        assert_eq!(answers(TIME, [10_000, 0, 10_000, 0]), [11_880, 475, 10_475, 475]);
        assert_eq!(answers(Duration::ZERO, [1, 1]), [1, 1]);
    }

    #[test]
    fn delay_shortens_the_move_it_is_measured_in() {
        let (mut pace, asked) = (Pace::new(Budget::time(TIME)), Instant::now());
        assert_eq!(pace.due(asked), Some(asked + ms(1885)));
        pace.note_delay(ms(90));
        pace.note_delay(ms(10));
        assert_eq!((pace.limit(asked).deadline, pace.due(asked)), (Some(asked + ms(1700)), Some(asked + ms(1705))));
        assert!(!pace.note_answer(ms(3)), "a forced move");
        assert_eq!(thinking_time(&pace), ms(1700));
    }

    #[test]
    fn other_limits_stay_as_they_are() {
        let asked = Instant::now();
        let mut pace = Pace::new(Budget::nodes(7));
        assert!(!pace.note_answer(ms(1_000_000)));
        assert_eq!((pace.limit(asked), pace.due(asked)), (SearchLimits::nodes(7), None));
        pace.set_budget(Budget { nodes: Some(7), ..Budget::time(ms(1000)) });
        let limit = pace.limit(asked);
        assert_eq!((limit.deadline, limit.nodes), (Some(asked + ms(980)), Some(7)));
    }
}
