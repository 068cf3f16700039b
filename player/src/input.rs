//! Reading of weights and experience files, with a maximum size.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Maximum size of a file of weights or experience in bytes.
const MAX_BYTES: usize = 64 << 20;

/// Reads a file of weights or experience.
///
/// # Errors
/// If the file cannot be read or is too large.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MAX_BYTES {
        return Err(io::Error::new(ErrorKind::FileTooLarge, format!("the file has more than {MAX_BYTES} bytes")));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn rejects_endless_file() {
        let error = read_file("/dev/zero".as_ref()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::FileTooLarge);
    }
}
