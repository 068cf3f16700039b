//! What other parts of the program log, for the line of messages: the screen belongs to the board.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Keeps log messages until they are shown.
///
/// ```
/// use std::io::Write;
///
/// let mut notices = board::terminal::Notices::default();
/// assert!(writeln!(notices, "the disk is full").is_ok());
/// ```
#[derive(Clone, Default)]
pub struct Notices(Arc<Mutex<Vec<u8>>>);

/// The most bytes that are kept.
const MOST: usize = 1 << 16;

impl Notices {
    /// The last line that was logged since the last time.
    pub(super) fn take(&self) -> Option<String> {
        let bytes = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        let text = String::from_utf8_lossy(&bytes);
        text.lines().rfind(|line| !line.trim().is_empty()).map(str::to_owned)
    }
}

impl Write for Notices {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() + bytes.len() <= MOST {
            kept.extend(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
