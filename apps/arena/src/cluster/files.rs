//! Files that workers need, in the queue by their hashes.

use std::fs;
use std::io;
use std::path::Path;

use async_nats::jetstream::object_store::{GetErrorKind, InfoErrorKind};
use time::OffsetDateTime;
use tokio::io::AsyncReadExt;

use super::QueueError;
use super::server::{FILE_LIFETIME, Queue};
use crate::files::{MAX_BYTES, sha256};

fn too_large(size: usize) -> String {
    format!("{size} bytes, at most {MAX_BYTES} are possible")
}

/// Number of digits of a hash.
const HASH_LENGTH: usize = 64;

/// Returns the name of a file in the queue: its hash, and its extension because some programs are known by it.
pub(super) fn name(path: &str, bytes: &[u8]) -> String {
    let hash = sha256(bytes);
    match Path::new(path).extension().and_then(|extension| extension.to_str()).filter(|text| is_extension(text)) {
        Some(extension) => format!("{hash}.{extension}"),
        None => hash,
    }
}

fn is_extension(text: &str) -> bool {
    (1..=10).contains(&text.len()) && text.chars().all(|letter| letter.is_ascii_alphanumeric())
}

/// Returns the hash that a name of [`name`] begins with; an error for any other text, which could be a path to
/// anything.
pub(super) fn hash_of_name(name: &str) -> Result<&str, QueueError> {
    let (hash, extension) = name.split_once('.').map_or((name, None), |(hash, extension)| (hash, Some(extension)));
    let is_digit = |letter: char| letter.is_ascii_digit() || ('a'..='f').contains(&letter);
    let is_name = hash.len() == HASH_LENGTH && hash.chars().all(is_digit) && extension.is_none_or(is_extension);
    is_name.then_some(hash).ok_or_else(|| QueueError::unusable("the name of a file", name))
}

/// Returns `true` if a file of this time remains in the queue for half of [`FILE_LIFETIME`] at least.
fn lasts(modified: Option<OffsetDateTime>, now: OffsetDateTime) -> bool {
    modified.is_some_and(|modified| now < modified + FILE_LIFETIME / 2)
}

impl Queue {
    /// Puts a file into the queue unless it is there for half of [`FILE_LIFETIME`] at least.
    pub(super) async fn put_file(&self, name: &str, bytes: &[u8]) -> Result<(), QueueError> {
        match self.files.info(name).await {
            // The server also lists deleted files.
            Ok(info) if !info.deleted && lasts(info.modified, OffsetDateTime::now_utc()) => return Ok(()),
            Err(error) if error.kind() != InfoErrorKind::NotFound => {
                return Err(self.server_error("look for a file")(error));
            }
            _ => {}
        }
        if bytes.len() > MAX_BYTES {
            return Err(QueueError::invalid(name, too_large(bytes.len())));
        }
        let mut reader = bytes;
        self.files.put(name, &mut reader).await.map_err(self.server_error("store a file"))?;
        Ok(())
    }

    /// Returns a file of the queue and checks its hash.
    pub(super) async fn file(&self, name: &str) -> Result<Vec<u8>, QueueError> {
        let hash = hash_of_name(name)?;
        let object = self.files.get(name).await.map_err(|error| match error.kind() {
            // Files expire before the runs that need them.
            GetErrorKind::NotFound => QueueError::unusable("a run", format_args!("its file {name} is missing")),
            _ => self.server_error("find a file")(error),
        })?;
        let mut bytes = Vec::new();
        // The size that the server reports may be wrong.
        let size = object.info().size;
        if size > MAX_BYTES {
            return Err(QueueError::unusable("a file", too_large(size)));
        }
        object.take(MAX_BYTES as u64).read_to_end(&mut bytes).await.map_err(self.server_error("send a file"))?;
        if sha256(&bytes) != hash {
            return Err(QueueError::unusable("a file", "its hash differs from its name"));
        }
        Ok(bytes)
    }
}

/// Writes a file that may be started as a program.
pub(super) fn write_program(path: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::write(path, bytes)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_file_is_uploaded_again() {
        let now = OffsetDateTime::now_utc();
        let lasts = |age| lasts(Some(now - FILE_LIFETIME * age / 8), now);
        assert_eq!([0, 3, 5, 7].map(lasts), [true, true, false, false]);
        assert!(!super::lasts(None, now));
    }

    #[test]
    fn accepts_only_hashes_as_names() {
        let plain = name("a/b", b"abc");
        let jar = name("c d.jar", b"abc");
        assert_eq!((hash_of_name(&plain).unwrap(), &*jar), (&*plain, &*format!("{plain}.jar")));
        assert_eq!((hash_of_name(&jar).unwrap(), name("x.../", b"abc")), (&*plain, plain.clone()));
        for other in
            ["", "../../etc/passwd", &plain[1..], &format!("{plain}.a/b"), &format!("{plain}."), &plain.to_uppercase()]
        {
            assert!(hash_of_name(other).is_err(), "{other}");
        }
    }
}
