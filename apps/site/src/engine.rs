//! The engine at the job that it was given last.

use std::time::Duration;

use board::session::Insight;
use board::thinker::{Thinker, Thought};
use player::Level;

use crate::job::{Answer, Job, Order, Told, Work};

/// The memory of its search, in bytes: what a telephone can spare.
const MEMORY: usize = 64 << 20;

/// An engine that works in parts, for nobody could stop it otherwise.
pub struct Engine {
    thinker: Thinker,
    at: Option<At>,
}

/// What it is at.
struct At {
    job: Job,
    /// None until it begins, and for moves that are chosen at once.
    thought: Option<Thought>,
    insight: Option<Insight>,
}

impl Default for Engine {
    fn default() -> Self {
        Self { thinker: Thinker::new(MEMORY), at: None }
    }
}

impl Engine {
    /// Whether there is something to do.
    pub fn is_at_work(&self) -> bool {
        self.at.is_some()
    }

    /// Takes an order. How long it is to wait before it [goes on](Self::go_on), in milliseconds; none if it has nothing
    /// to do.
    pub fn take(&mut self, order: Order) -> Option<u64> {
        match order {
            Order::Begin(job) => {
                let delay = job.delay;
                self.at = Some(At { job: *job, thought: None, insight: None });
                return Some(delay);
            }
            Order::Finish => {
                if let Some(At { job: Job { work: Work::Think { time }, .. }, .. }) = &mut self.at {
                    *time = 0;
                }
            }
            Order::Stop => self.at = None,
        }
        self.at.as_ref().map(|_| 0)
    }

    /// Works for less than half a second, or as long as one of the lower levels needs for a move, and tells what came
    /// of it; nothing if there is nothing to do.
    pub fn go_on(&mut self) -> Option<Told> {
        let At { job, mut thought, insight } = self.at.take()?;
        let number = job.number;
        let time = match job.work {
            Work::Choose { level } => {
                let mv = self.thinker.move_of_level(Level::new(level)?, &job.position);
                return Some(Told { number, is_done: true, answer: Answer::Move(mv) });
            }
            Work::Think { time } | Work::Hint { time } => time,
        };
        if let (0, Some(insight)) = (time, &insight) {
            return Some(Told { number, is_done: true, answer: Answer::Insight(insight.clone()) });
        }
        let begun = thought.get_or_insert_with(|| match job.work {
            Work::Hint { .. } => self.thinker.begin_hint(&job.position, Duration::from_millis(time)),
            _ => self.thinker.begin(&job.position, Duration::from_millis(time)),
        });
        let mut insight = self.thinker.go_on(begun);
        let is_done = begun.is_done();
        if is_done {
            insight.time = time;
        } else {
            self.at = Some(At { job, thought, insight: Some(insight.clone()) });
        }
        Some(Told { number, is_done, answer: Answer::Insight(insight) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Position, Rules};

    fn job(work: Work) -> Job {
        Job { number: 7, delay: 3, position: Position::new(Rules::Classic, None).unwrap(), work }
    }

    fn insight(told: Option<Told>) -> (bool, Insight) {
        match told {
            Some(Told { number: 7, is_done, answer: Answer::Insight(insight) }) => (is_done, insight),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn it_thinks_in_parts_until_it_is_told_to_finish() {
        let mut engine = Engine::default();
        assert_eq!(engine.go_on(), None);
        assert_eq!(engine.take(Order::Begin(Box::new(job(Work::Think { time: 3_600_000 })))), Some(3));
        let (is_done, first) = insight(engine.go_on());
        assert!(!is_done);
        assert_eq!(engine.take(Order::Finish), Some(0));
        let (is_done, last) = insight(engine.go_on());
        assert!(is_done && last == first && last.time == 0);
        assert_eq!(engine.go_on(), None);
    }

    #[test]
    fn it_gives_up_what_it_is_at_for_something_else() {
        let mut engine = Engine::default();
        engine.take(Order::Begin(Box::new(job(Work::Hint { time: 3_600_000 }))));
        engine.go_on();
        engine.take(Order::Begin(Box::new(job(Work::Choose { level: 1 }))));
        assert!(matches!(engine.go_on(), Some(Told { is_done: true, answer: Answer::Move(_), .. })));
        engine.take(Order::Begin(Box::new(job(Work::Think { time: 20 }))));
        assert_eq!(engine.take(Order::Stop), None);
        assert_eq!(engine.go_on(), None);
    }

    #[test]
    fn a_thought_that_was_thought_to_its_end_says_how_long_it_took() {
        let mut engine = Engine::default();
        engine.take(Order::Begin(Box::new(job(Work::Hint { time: 50 }))));
        let last = std::iter::from_fn(|| engine.go_on()).last();
        let (is_done, insight) = insight(last);
        assert!(is_done && insight.time == 50 && insight.candidates.iter().all(|candidate| candidate.win.is_some()));
    }
}
