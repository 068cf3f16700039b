//! Reading files with size limits, and hashes.

use std::io;
use std::path::Path;

use cli::read_limited;
use sha2::{Digest, Sha256};

/// Maximum size of a program, weights or a certificate, in bytes.
pub(crate) const MAX_BYTES: usize = 256 << 20;

/// Maximum size of a text such as a plan or a list of openings, in bytes.
const MAX_TEXT_BYTES: usize = 16 << 20;

/// Reads a program, weights or a certificate.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_limited(path, MAX_BYTES)
}

/// Reads a text such as a plan or a list of openings.
pub(crate) fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read_limited(path, MAX_TEXT_BYTES)?)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Reads a text that this program writes; `None` if the file does not exist.
pub(crate) fn find_text(path: &Path) -> io::Result<Option<String>> {
    match read_text(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        read => read.map(Some),
    }
}

/// Returns the SHA-256 of some bytes, as 64 hexadecimal digits.
pub(crate) fn sha256(bytes: impl AsRef<[u8]>) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
