//! Log messages of other parts of the program, for the line of messages.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use arena::lock::lock;

/// Keeps log messages until they are shown.
#[derive(Clone, Default)]
pub struct Notices(Arc<Mutex<Vec<u8>>>);

/// Maximum number of kept bytes. More replace the older ones.
const MAX_BYTES: usize = 1 << 16;

impl Notices {
    /// Takes the last logged line.
    pub(super) fn take(&self) -> Option<String> {
        let bytes = std::mem::take(&mut *lock(&self.0));
        let text = String::from_utf8_lossy(&bytes);
        text.lines().rfind(|line| !line.trim().is_empty()).map(str::to_owned)
    }
}

impl Write for Notices {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut kept = lock(&self.0);
        if kept.len() + bytes.len() > MAX_BYTES {
            kept.clear();
        }
        kept.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_last_line_of_many() {
        let mut notices = Notices::default();
        for n in 0..MAX_BYTES {
            notices.write_all(format!("line {n}\n").as_bytes()).unwrap();
        }
        assert_eq!(notices.take().unwrap(), format!("line {}", MAX_BYTES - 1));
        assert_eq!(notices.take(), None);
    }
}
