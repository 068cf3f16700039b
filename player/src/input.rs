//! Files to read.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Reads a file of at most `max_bytes` bytes.
///
/// # Errors
/// If the file cannot be read, and [`ErrorKind::FileTooLarge`] for a longer one.
pub fn read_limited(path: &Path, max_bytes: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(max_bytes as u64 + 1).read_to_end(&mut bytes)?;
    let too_large = || io::Error::new(ErrorKind::FileTooLarge, format!("the file has more than {max_bytes} bytes"));
    if bytes.len() > max_bytes { Err(too_large()) } else { Ok(bytes) }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn rejects_endless_file() {
        let error = read_limited("/dev/zero".as_ref(), 1 << 20).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::FileTooLarge);
    }
}
