//! Locks.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks content that no panic leaves half changed.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
