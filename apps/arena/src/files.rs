//! Reading files with size limits, and hashes.

use std::error::Error;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read};
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

/// Reads a text such as a plan or a list of openings, without a byte order mark. A redirection in Windows PowerShell
/// writes UTF-16.
pub(crate) fn read_text(path: &Path) -> io::Result<String> {
    decode(read_limited(path, MAX_TEXT_BYTES)?).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

fn decode(bytes: Vec<u8>) -> Result<String, Box<dyn Error + Send + Sync>> {
    if let Some(bytes) = bytes.strip_prefix(b"\xff\xfe") {
        let (units, []) = bytes.as_chunks() else { return Err("the last letter is cut off".into()) };
        return Ok(char::decode_utf16(units.iter().copied().map(u16::from_le_bytes)).collect::<Result<_, _>>()?);
    }
    let text = String::from_utf8(bytes)?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// Opens or creates a text that this program continues, and locks it for this process. Returns its content.
pub(crate) fn open_to_continue(path: &Path) -> io::Result<(String, File)> {
    // Windows does not shorten a file that is open for appending.
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(io::Error::other("the file is open in another process")),
        Err(TryLockError::Error(error)) => return Err(error),
    }
    let mut text = String::new();
    if (&file).take(MAX_TEXT_BYTES as u64 + 1).read_to_string(&mut text)? > MAX_TEXT_BYTES {
        return Err(io::Error::other(format!("the file has more than {MAX_TEXT_BYTES} bytes")));
    }
    Ok((text, file))
}

/// Reads a text that this program writes; `None` if the file does not exist.
pub(crate) fn find_text(path: &Path) -> io::Result<Option<String>> {
    match read_text(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        read => read.map(Some),
    }
}

/// Returns the SHA-256 of some bytes, as 64 hexadecimal digits.
pub fn sha256(bytes: impl AsRef<[u8]>) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_texts_of_windows() {
        let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        for bytes in ["Käse\r\n".into(), "\u{feff}Käse\r\n".into(), utf16("\u{feff}Käse\r\n")] {
            assert_eq!(decode(bytes).unwrap(), "Käse\r\n");
        }
        assert!(decode(utf16("\u{feff}K")[..3].to_vec()).is_err());
        assert!(decode(b"\xff\xfe\x00\xd8".to_vec()).is_err(), "half of a surrogate pair");
        assert!(decode(b"K\xe4se".to_vec()).is_err());
    }
}
