//! Log messages of other parts of the program, for the line of messages.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Keeps log messages until they are shown.
#[derive(Clone, Default)]
pub struct Notices(Arc<Mutex<Vec<u8>>>);

/// Maximum number of kept bytes.
const MAX_BYTES: usize = 1 << 16;

impl Notices {
    /// Takes the last logged line.
    pub(super) fn take(&self) -> Option<String> {
        let bytes = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        let text = String::from_utf8_lossy(&bytes);
        text.lines().rfind(|line| !line.trim().is_empty()).map(str::to_owned)
    }
}

impl Write for Notices {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() + bytes.len() <= MAX_BYTES {
            kept.extend(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
