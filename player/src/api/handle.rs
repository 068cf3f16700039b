//! Control of a running search from another thread.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use game::{Move, Placement};

/// Stops a search from another thread and reads its best move so far, without locks. Use a new handle for each search.
///
/// ```
/// use std::sync::Arc;
/// use player::{SearchHandle, SearchLimits};
///
/// let handle = Arc::new(SearchHandle::default());
/// let limits = SearchLimits::UNLIMITED.with_handle(handle.clone());
/// limits.publish("MONO@0,0".parse()?);
/// assert_eq!(handle.best_move(), Some("MONO@0,0".parse()?));
/// handle.stop();
/// assert!(limits.is_reached(0));
/// # Ok::<(), game::NotationError>(())
/// ```
#[derive(Debug, Default)]
pub struct SearchHandle {
    is_stopped: AtomicBool,
    /// Index of the placement plus one; 0 for none.
    best: AtomicU32,
}

impl SearchHandle {
    /// Ends the search as if it had reached its limits.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Returns the best move so far, if the search has published one.
    pub fn best_move(&self) -> Option<Move> {
        let index = self.best.load(Ordering::Relaxed).checked_sub(1)?;
        Placement::from_index(index as usize).map(Move::Place)
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    pub(crate) fn publish(&self, best: Placement) {
        self.best.store(best.index() as u32 + 1, Ordering::Relaxed);
    }
}

/// Compares identity.
impl PartialEq for SearchHandle {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for SearchHandle {}
