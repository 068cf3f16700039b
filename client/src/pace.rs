//! How long the player may think so that its answers are on time.

use std::collections::VecDeque;
use std::time::Duration;

/// The thinking time per move, less when answers turn out to be late.
///
/// Between the end of the player's thinking time and the moment when the answer has been sent some
/// time passes: more on a slow or busy machine than on others, most in the first move, when memory
/// is used for the first time. So part of the time for a move is reserved: one and a half times the
/// longest of the last delays, at least [`LEAST_RESERVE`](Self::LEAST_RESERVE) and at most three
/// quarters of the time.
///
/// There is no clock in here: times are told.
#[derive(Debug)]
pub struct Pace {
    time: Duration,
    /// By how much the last answers came after the end of the thinking time.
    delays: VecDeque<Duration>,
}

impl Pace {
    /// For so many answers a delay is remembered: it must not cost the whole game when the machine was
    /// busy only once.
    const MEMORY: usize = 8;

    /// What is reserved when nothing is known; less if the time is shorter than 0.4 s.
    pub const LEAST_RESERVE: Duration = Duration::from_millis(20);

    /// For answers that have to be sent within this time.
    pub fn new(time: Duration) -> Self {
        Self { time, delays: VecDeque::with_capacity(Self::MEMORY) }
    }

    /// How long the player may think about the next move.
    pub fn thinking_time(&self) -> Duration {
        self.time - self.reserve()
    }

    /// Takes into account that an answer was sent so long after its request. Whether it was late.
    pub fn note_answer(&mut self, time: Duration) -> bool {
        // An answer before the end of the thinking time tells nothing about the machine.
        if let Some(delay) = time.checked_sub(self.thinking_time()) {
            if self.delays.len() == Self::MEMORY {
                self.delays.pop_front();
            }
            self.delays.push_back(delay);
        }
        time > self.time
    }

    fn reserve(&self) -> Duration {
        let longest_delay = self.delays.iter().max().copied().unwrap_or_default();
        let least = Self::LEAST_RESERVE.min(self.time / 20);
        (longest_delay * 3 / 2).clamp(least, self.time * 3 / 4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    const TIME: Duration = ms(1900);

    /// How long after their requests the answers are sent on a machine that needs these delays
    /// beside the thinking time, in milliseconds.
    fn answers(time: Duration, delays: impl IntoIterator<Item = u64>) -> Vec<u128> {
        let mut pace = Pace::new(time);
        let answer = |delay| {
            let answer = pace.thinking_time() + ms(delay);
            assert_eq!(pace.note_answer(answer), answer > time);
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
        let mut pace = Pace::new(TIME);
        assert!(pace.note_answer(ms(1980)));
        for _ in 0..100 {
            assert!(!pace.note_answer(ms(3)));
            assert_eq!(pace.thinking_time(), ms(1750));
        }
    }
}
