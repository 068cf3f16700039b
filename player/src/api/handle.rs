//! A running search as another thread sees it.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use game::Placement;

/// Stops a search from another thread and reads its best move so far. Nobody ever waits for a lock.
///
/// ```
/// use std::sync::Arc;
/// use player::{Limit, SearchHandle};
///
/// let handle = Arc::new(SearchHandle::default());
/// let limit = Limit::UNLIMITED.with_handle(handle.clone());
/// limit.publish("MONO@0,0".parse()?);
/// assert_eq!(handle.best_move().map(|mv| mv.to_string()).as_deref(), Some("MONO@0,0"));
/// handle.stop();
/// assert!(limit.is_reached(0));
/// # Ok::<(), game::NotationError>(())
/// ```
#[derive(Debug, Default)]
pub struct SearchHandle {
    is_stopped: AtomicBool,
    /// The index of the placement plus one, or zero for none.
    best: AtomicU32,
}

impl SearchHandle {
    /// Ends the search soon, as if its limit was reached.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// The best move so far, if the search has published one.
    pub fn best_move(&self) -> Option<Placement> {
        Placement::from_index(self.best.load(Ordering::Relaxed).checked_sub(1)? as usize)
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    pub(crate) fn publish(&self, best: Placement) {
        self.best.store(best.index() as u32 + 1, Ordering::Relaxed);
    }
}

/// Two handles are equal if they are the same one.
impl PartialEq for SearchHandle {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for SearchHandle {}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{Limit, Options, bench, by_name};
    use game::Move;

    #[test]
    fn stopped_searches_return_and_publish_legal_moves() {
        let options = Options { memory: 16 << 20, ..Options::default() };
        let positions = bench::positions().unwrap();
        for position in positions.iter().filter(|position| position.turn() == 20) {
            for name in ["mcts", "neural", "minimax"] {
                let handle = Arc::new(SearchHandle::default());
                handle.stop();
                let limit = Limit::UNLIMITED.with_handle(handle.clone());
                let report = by_name(name, &options).unwrap().choose(position, &limit);
                let best = Move::from(handle.best_move().unwrap());
                assert_eq!((position.check(report.mv), position.check(best)), (Ok(()), Ok(())), "{name}");
                assert!(best == report.mv || name == "minimax", "{best} {report:?}");
            }
        }
    }
}
