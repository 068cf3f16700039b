//! The time at which an answer has to be sent.
//!
//! A busy machine wakes a thread later than the thread asked for. While the player thinks, the session wakes every
//! [`TICK`](Pace::TICK) and measures these delays. [`Pace`] reserves time for them: 20 ms (at most a twentieth of the
//! time), and twice the expected delay, once for the request and once for the answer, but at most three quarters of the
//! time. The expected delay is the longest of
//!
//! * the delays in this move, because a busy machine stays busy for some seconds,
//! * the second longest delay of the last nine moves: a delay that recurs belongs to the machine,
//! * half of the longest delay in the move before, a quarter of the one before that, and so on: a single delay, for
//!   example of a disk, rarely recurs. After one of 400 ms the next moves lose 400, 200, 100 ms, not eight moves 800
//!   ms.
//!
//! Until ten delays are measured, [`due`](Pace::due) assumes 50 ms: a container with a tenth of a processor stands
//! still for up to 90 ms at a time. A quiet machine yields ten measurements in 0.2 s, long before the assumption could
//! end a search.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use player::{Budget, SearchLimits};

/// The default time for a move: the servers' two seconds, less a reserve for the network.
pub const DEFAULT_TIME: Duration = Duration::from_millis(1900);

/// The thinking time per move, less on a busy machine. Reads no clock: the caller passes the times.
#[derive(Debug)]
pub struct Pace {
    budget: Budget,
    /// The longest delay in each of the last moves, the latest first.
    delays: VecDeque<Duration>,
    /// The longest delay since the last answer.
    delay: Duration,
    /// The number of measured delays.
    measured: u32,
}

impl Pace {
    /// Number of moves after which a delay is forgotten.
    const MEMORY: usize = 8;

    /// Interval at which a thread that waits for the player checks how late it is woken.
    pub const TICK: Duration = Duration::from_millis(20);

    /// Reserve on a quiet machine; less if the time is shorter than 0.4 s.
    pub const MIN_RESERVE: Duration = Duration::from_millis(20);

    /// The delay that an unknown machine may have; less if the time is shorter than 1 s.
    const ASSUMED_DELAY: Duration = Duration::from_millis(50);

    /// Number of measured delays after which the machine is known.
    const KNOWN_AFTER: u32 = 10;

    /// Keeps answers within this budget.
    pub fn new(budget: Budget) -> Self {
        let delays = VecDeque::with_capacity(Self::MEMORY + 1);
        Self { budget, delays, delay: Duration::ZERO, measured: 0 }
    }

    /// Changes the budget and keeps the measured delays.
    pub fn set_budget(&mut self, budget: Budget) {
        self.budget = budget;
    }

    /// Returns the time from the request to the end of the search, if the time is limited.
    pub fn thinking_time(&self) -> Option<Duration> {
        self.budget.time.map(|time| time - reserve(time, self.expected_delay()))
    }

    /// Returns the limit of a search that was asked for at `asked`.
    pub fn limit(&self, asked: Instant) -> SearchLimits {
        Budget { time: self.thinking_time(), ..self.budget }.starting(asked)
    }

    /// Returns the latest moment to send an answer, with or without the player: soon after the end of the search, or
    /// earlier while the machine is unknown.
    pub fn due(&self, asked: Instant) -> Option<Instant> {
        let time = self.budget.time?;
        let is_known = self.measured >= Self::KNOWN_AFTER;
        let assumed = if is_known { Duration::ZERO } else { Self::ASSUMED_DELAY.min(time / 20) };
        let reserve = reserve(time, self.expected_delay().max(assumed));
        asked.checked_add(time - reserve + least_reserve(time) / 4)
    }

    /// Returns the moment at which a thread that waits for the player should wake: when the answer is due, or after a
    /// tick.
    pub fn next_wake(&self, asked: Instant, now: Instant) -> Instant {
        let tick = now + Self::TICK;
        self.due(asked).map_or(tick, |due| due.min(tick))
    }

    /// Notes when a thread woke that wanted to wake at `wanted`.
    pub fn note_wake(&mut self, wanted: Instant, woken: Instant) {
        self.measured = self.measured.saturating_add(1);
        self.note_delay(woken.saturating_duration_since(wanted));
    }

    /// Notes that an answer was this late.
    pub fn note_delay(&mut self, delay: Duration) {
        self.delay = self.delay.max(delay);
    }

    /// Notes the time from a request to the sent answer. Returns `true` if the answer was late.
    pub fn note_answer(&mut self, time: Duration) -> bool {
        self.delays.push_front(std::mem::take(&mut self.delay));
        self.delays.truncate(Self::MEMORY);
        self.budget.time.is_some_and(|most| time > most)
    }

    /// Returns the delay to expect from those that were measured, see the [module](self).
    fn expected_delay(&self) -> Duration {
        let mut longest = [Duration::ZERO; 2];
        for &delay in self.delays.iter().chain([&self.delay]) {
            longest = if delay > longest[0] { [delay, longest[0]] } else { [longest[0], delay.max(longest[1])] };
        }
        let faded = (1..).zip(&self.delays).map(|(moves, &delay)| delay / 2_u32.pow(moves)).max();
        self.delay.max(longest[1]).max(faded.unwrap_or_default())
    }
}

fn reserve(time: Duration, expected_delay: Duration) -> Duration {
    (least_reserve(time) + 2 * expected_delay).min(time * 3 / 4)
}

fn least_reserve(time: Duration) -> Duration {
    Pace::MIN_RESERVE.min(time / 20)
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

    /// Returns the times of the answers in milliseconds if nothing but these delays of the answers is measured.
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

    /// Returns the time from a request to its answer if the player does not answer. A thread that wants to run at a
    /// moment runs at `runs_at` of it. Both count from `start`.
    fn cut_answer(
        pace: &mut Pace,
        start: Instant,
        request: Duration,
        runs_at: impl Fn(Duration) -> Duration,
    ) -> Duration {
        let runs_at = |wanted: Instant| start + runs_at(wanted - start);
        let asked = runs_at(start + request);
        let mut now = asked;
        while pace.due(asked).is_some_and(|due| now < due) {
            let wake = pace.next_wake(asked, now);
            now = runs_at(wake);
            pace.note_wake(wake, now);
        }
        pace.note_answer(now - asked);
        now - (start + request)
    }

    /// Wakes threads at the moment at which they want to.
    fn promptly(wanted: Duration) -> Duration {
        wanted
    }

    #[test]
    fn quiet_machine_uses_nearly_all_time() {
        assert_eq!(answers(TIME, [0, 1, 2, 3]), [1880, 1881, 1881, 1881]);
        assert_eq!(answers(ms(40), [0, 0]), [38, 38]);
        let (mut pace, start) = (Pace::new(Budget::time(TIME)), Instant::now());
        for _ in 0..3 {
            assert_eq!(cut_answer(&mut pace, start, ms(0), promptly), ms(1885));
        }
    }

    #[test]
    fn unknown_machine_gets_a_larger_reserve() {
        let asked = Instant::now();
        let mut pace = Pace::new(Budget::time(TIME));
        assert_eq!((pace.limit(asked).deadline, pace.due(asked)), (Some(asked + ms(1880)), Some(asked + ms(1785))));
        for _ in 0..Pace::KNOWN_AFTER {
            assert!(pace.due(asked) < Some(asked + ms(1800)));
            pace.note_wake(asked, asked);
        }
        assert_eq!(pace.due(asked), Some(asked + ms(1885)));
    }

    /// A control group with a tenth of a processor runs for 10 ms in each 100 ms.
    #[test]
    fn starved_processor_answers_in_time_from_start() {
        let runs_at = |wanted: Duration| {
            let phase = wanted.as_millis() as u64 % 100;
            if phase < 10 { wanted } else { wanted + ms(100 - phase) }
        };
        for phase in 0..100 {
            let (mut pace, start) = (Pace::new(Budget::time(TIME)), Instant::now());
            for turn in 0..20 {
                let answer = cut_answer(&mut pace, start, ms(phase + 2_003 * turn), runs_at);
                assert!((ms(1500)..=ms(1900)).contains(&answer), "phase {phase}, turn {turn}: {answer:?}");
            }
        }
    }

    #[test]
    fn slow_machine_is_late_once() {
        assert_eq!(answers(TIME, [100, 100, 120, 100]), [1980, 1880, 1800, 1780]);
    }

    #[test]
    fn single_delay_fades() {
        let fading = [1480, 1680, 1780, 1830, 1855];
        assert_eq!(answers(TIME, [400, 0, 0, 0, 0, 0])[1..], fading);
        let (mut pace, start) = (Pace::new(Budget::time(TIME)), Instant::now());
        let hiccup = |wanted: Duration| if (ms(500)..ms(900)).contains(&wanted) { ms(900) } else { wanted };
        let first = cut_answer(&mut pace, start, ms(0), hiccup);
        assert!(first > ms(1000), "{first:?}");
        let later = [(); 5].map(|()| cut_answer(&mut pace, start, ms(1000), promptly));
        assert!(later.iter().zip(fading).all(|(&answer, least)| answer.as_millis() >= least), "{later:?}");
    }

    #[test]
    fn recurring_delay_is_remembered() {
        let answers = answers(TIME, [0, 400, 0, 0, 400, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(answers[5..10], [1080; 5]);
        assert!(answers[10] > 1800 && answers[13] > 1870, "{answers:?}");
    }

    #[test]
    fn some_time_is_always_left() {
        assert_eq!(answers(TIME, [10_000, 0, 10_000, 0]), [11_880, 475, 10_475, 475]);
        assert_eq!(answers(Duration::ZERO, [1, 1]), [1, 1]);
    }

    #[test]
    fn delay_shortens_its_own_move() {
        let (mut pace, asked) = (Pace::new(Budget::time(TIME)), Instant::now());
        pace.note_delay(ms(90));
        pace.note_delay(ms(10));
        assert_eq!((pace.limit(asked).deadline, pace.due(asked)), (Some(asked + ms(1700)), Some(asked + ms(1705))));
        assert!(!pace.note_answer(ms(3)), "a forced move");
        assert_eq!(thinking_time(&pace), ms(1790));
    }

    #[test]
    fn keeps_other_limits() {
        let asked = Instant::now();
        let mut pace = Pace::new(Budget::nodes(7));
        assert!(!pace.note_answer(ms(1_000_000)));
        assert_eq!((pace.limit(asked), pace.due(asked)), (SearchLimits::nodes(7), None));
        pace.set_budget(Budget { nodes: Some(7), ..Budget::time(ms(1000)) });
        let limit = pace.limit(asked);
        assert_eq!((limit.deadline, limit.nodes), (Some(asked + ms(980)), Some(7)));
    }
}
