//! Frames: compressed bytes with a checksum.

use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::{DeflateDecoder, DeflateEncoder};

use super::error::ShardError;

/// Maximum length of a frame, more than ten times the longest game.
const MAX_BYTES: u32 = 1 << 20;

/// Reads the frames of a file one after the other.
pub(super) struct Frames {
    pub(super) path: PathBuf,
    input: BufReader<File>,
    /// The number of games before, for errors.
    pub(super) games: usize,
    /// The number of bytes before.
    position: u64,
    /// The end of the last whole frame.
    pub(super) end: u64,
}

impl Frames {
    pub(super) fn new(path: &Path, file: File) -> Self {
        Self { path: path.to_owned(), input: BufReader::new(file), games: 0, position: 0, end: 0 }
    }

    /// Returns the unpacked bytes of the next frame, or `None` at the end of the file.
    pub(super) fn next(&mut self) -> Result<Option<Vec<u8>>, ShardError> {
        let [mut length, mut checksum] = [[0; 4]; 2];
        match self.fill(&mut length)? + self.fill(&mut checksum)? {
            0 => return Ok(None),
            8 => {}
            _ => return Err(ShardError::Cut { path: self.path.clone(), games: self.games }),
        }
        let length = u32::from_le_bytes(length);
        if length > MAX_BYTES {
            return Err(self.damaged("the length"));
        }
        let mut deflated = vec![0; length as usize];
        if self.fill(&mut deflated)? < deflated.len() {
            return Err(ShardError::Cut { path: self.path.clone(), games: self.games });
        }
        if crc32fast::hash(&deflated) != u32::from_le_bytes(checksum) {
            return Err(self.damaged("the checksum"));
        }
        let mut bytes = Vec::new();
        let inflated = DeflateDecoder::new(&deflated[..]).take(u64::from(MAX_BYTES)).read_to_end(&mut bytes);
        inflated.map_err(|_| self.damaged("the compression"))?;
        self.end = self.position;
        Ok(Some(bytes))
    }

    /// Fills the buffer, or reads the rest of the file; returns the number of bytes.
    pub(super) fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, ShardError> {
        let mut read = 0;
        while read < buffer.len() {
            match self.input.read(&mut buffer[read..]) {
                Ok(0) => break,
                Ok(more) => read += more,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(ShardError::io(&self.path, error)),
            }
        }
        self.position += read as u64;
        Ok(read)
    }

    fn damaged(&self, what: &str) -> ShardError {
        ShardError::unusable(&self.path, format!("is damaged: {what} of game {} is wrong", self.games))
    }
}

/// Compresses bytes into a frame.
pub(super) fn frame(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut deflated = Vec::new();
    DeflateEncoder::new(bytes, Compression::best()).read_to_end(&mut deflated)?;
    let mut frame = (deflated.len() as u32).to_le_bytes().to_vec();
    frame.extend(crc32fast::hash(&deflated).to_le_bytes());
    frame.extend(deflated);
    Ok(frame)
}
