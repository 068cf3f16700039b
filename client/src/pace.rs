//! How long the player may think so that its answers are on time.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use player::{Budget, Limit};

/// The time for a move where nothing else is asked for: the servers' two seconds, less what the way there and back may
/// take.
pub const DEFAULT_TIME: Duration = Duration::from_millis(1900);

/// The thinking time per move, less on a busy machine and when answers turn out to be late.
///
/// Between the end of the player's thinking time and the moment when the answer has been sent some
/// time passes. The player and this program need less than a millisecond of it; the rest is the
/// system's, which may just then let other programs run. So part of the time for a move is reserved:
///
/// * at least [`LEAST_RESERVE`](Self::LEAST_RESERVE),
/// * the more, the more of the last moves the thread that thinks had to wait for a processor: up to
///   [`BUSY_RESERVE`](Self::BUSY_RESERVE). So the client knows that a machine is busy before an answer is late,
/// * or one and a half times the longest of the last delays, if that is more,
/// * and at most three quarters of the time.
///
/// There is no clock in here: whoever has one says how long answers took.
#[derive(Debug)]
pub struct Pace {
    budget: Budget,
    /// By how much the last answers came after the end of the thinking time.
    delays: VecDeque<Duration>,
    /// For which part of the last moves the thread had to wait for a processor, 0 to 1.
    waits: VecDeque<f64>,
}

impl Pace {
    /// How many answers are remembered: a delay must not cost the whole game when the machine was
    /// busy only once.
    const MEMORY: usize = 8;

    /// What is reserved when nothing is known; less if the time is shorter than 0.4 s.
    pub const LEAST_RESERVE: Duration = Duration::from_millis(20);

    /// What is reserved in addition for a thread that hardly ever gets a processor; less if the time is shorter than
    /// 0.4 s. Linux hands out shares of a processor by periods of this length where a container has a quota, and so
    /// leaves a thread with the share s waiting for (1 - s) of it; where programs compete, waits of this length were
    /// seen with nine of them per processor.
    pub const BUSY_RESERVE: Duration = Duration::from_millis(100);

    /// For answers that have to be sent within this budget.
    pub fn new(budget: Budget) -> Self {
        Self { budget, delays: VecDeque::with_capacity(Self::MEMORY), waits: VecDeque::with_capacity(Self::MEMORY) }
    }

    /// Changes the budget. What is known of the machine stays.
    pub fn set_budget(&mut self, budget: Budget) {
        self.budget = budget;
    }

    /// How long the player may think about the next move, if its time is limited.
    pub fn thinking_time(&self) -> Option<Duration> {
        self.budget.time.map(|time| time - self.reserve(time))
    }

    /// The limit of the next move, which was asked for at `asked`.
    pub fn limit(&self, asked: Instant) -> Limit {
        Budget { time: self.thinking_time(), ..self.budget }.starting(asked)
    }

    /// Takes into account that an answer was sent so long after its request, and that the thread that thought had to
    /// wait for a processor for part of that. Whether it was late.
    pub fn note_answer(&mut self, time: Duration, waited: Duration) -> bool {
        let Some(thinking_time) = self.thinking_time() else { return false };
        // A short wait in a short move is not much.
        let whole = time.max(Self::BUSY_RESERVE).as_secs_f64();
        remember(&mut self.waits, (waited.as_secs_f64() / whole).min(1.0));
        // An answer before the end of the thinking time tells nothing about delays.
        if let Some(delay) = time.checked_sub(thinking_time) {
            remember(&mut self.delays, delay);
        }
        self.budget.time.is_some_and(|most| time > most)
    }

    fn reserve(&self, time: Duration) -> Duration {
        let longest_delay = self.delays.iter().max().copied().unwrap_or_default();
        let longest_wait = self.waits.iter().copied().fold(0.0, f64::max);
        let least = Self::LEAST_RESERVE.min(time / 20);
        let busy = Self::BUSY_RESERVE.min(time / 4).mul_f64(longest_wait);
        (longest_delay * 3 / 2).max(least + busy).min(time * 3 / 4)
    }
}

/// Adds the latest of as many things as are remembered.
fn remember<T>(memory: &mut VecDeque<T>, latest: T) {
    if memory.len() == Pace::MEMORY {
        memory.pop_front();
    }
    memory.push_back(latest);
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

    /// How long after their requests the answers are sent on a machine that needs these delays
    /// beside the thinking time, in milliseconds.
    fn answers(time: Duration, delays: impl IntoIterator<Item = u64>) -> Vec<u128> {
        let mut pace = Pace::new(Budget::time(time));
        let answer = |delay| {
            let answer = thinking_time(&pace) + ms(delay);
            assert_eq!(pace.note_answer(answer, Duration::ZERO), answer > time);
            answer.as_millis()
        };
        delays.into_iter().map(answer).collect()
    }

    #[test]
    fn a_quick_machine_uses_nearly_all_of_the_time() {
        assert_eq!(answers(TIME, [0, 1, 2, 10]), [1880, 1881, 1882, 1890]);
        assert_eq!(answers(ms(40), [0, 1]), [38, 39]);
    }

    #[test]
    fn a_slow_machine_is_late_once() {
        assert_eq!(answers(TIME, [100, 100, 120, 100]), [1980, 1850, 1870, 1820]);
    }

    #[test]
    fn a_machine_that_gets_slower_and_slower_is_late_once() {
        let answers = answers(TIME, [10, 14, 20, 29, 42, 62, 92, 137, 204, 305]);
        assert!(answers.iter().all(|&answer| answer <= 1900), "{answers:?}");
    }

    #[test]
    fn a_single_delay_is_forgotten() {
        let answers = answers(TIME, [400, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(answers[0], 2280);
        assert!(answers[1..=8].iter().all(|&answer| answer == 1300), "{answers:?}");
        assert_eq!(answers[9], 1880);
    }

    #[test]
    fn some_time_is_always_left() {
        assert_eq!(answers(TIME, [10_000, 0, 10_000, 0]), [11_880, 475, 10_475, 475]);
        assert_eq!(answers(Duration::ZERO, [1, 1]), [1, 1]);
    }

    #[test]
    fn early_answers_change_nothing() {
        let mut pace = Pace::new(Budget::time(TIME));
        assert!(pace.note_answer(ms(1980), Duration::ZERO));
        for _ in 0..100 {
            assert!(!pace.note_answer(ms(3), Duration::ZERO));
            assert_eq!(thinking_time(&pace), ms(1750));
        }
    }

    #[test]
    fn a_busy_machine_is_noticed_before_an_answer_is_late() {
        let mut pace = Pace::new(Budget::time(TIME));
        // Half of the processor, then a quarter.
        assert!(!pace.note_answer(ms(1880), ms(940)));
        assert_eq!(thinking_time(&pace), ms(1830));
        assert!(!pace.note_answer(ms(1840), ms(1380)));
        assert_eq!(thinking_time(&pace), ms(1805));
        // A forced move of a millisecond, for which it had to wait, says little.
        let mut quick = Pace::new(Budget::time(TIME));
        quick.note_answer(ms(2), ms(1));
        assert_eq!(thinking_time(&quick), ms(1879));
        // It is forgotten, too.
        for _ in 0..Pace::MEMORY {
            pace.note_answer(ms(100), ms(0));
        }
        assert_eq!(thinking_time(&pace), ms(1880));
        // A player that only sleeps.
        let mut idle = Pace::new(Budget::time(ms(200)));
        idle.note_answer(ms(150), ms(150));
        assert_eq!(thinking_time(&idle), ms(140));
    }

    #[test]
    fn other_limits_stay_as_they_are() {
        let asked = Instant::now();
        let mut pace = Pace::new(Budget::nodes(7));
        assert!(!pace.note_answer(ms(1_000_000), Duration::ZERO));
        assert_eq!(pace.limit(asked), Limit::nodes(7));
        pace.set_budget(Budget { nodes: Some(7), ..Budget::time(ms(1000)) });
        let limit = pace.limit(asked);
        assert_eq!((limit.deadline, limit.nodes), (Some(asked + ms(980)), Some(7)));
    }
}
