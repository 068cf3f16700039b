//! Files of self-play games: a header, and then one frame for each game, which is compressed and has a checksum.
//!
//! ```text
//! file   = "BLOKUSGM" version:u16 frame(header) frame(game)*
//! frame  = length:u32 checksum:u32 deflated-bytes
//! header = JSON: engine, seed, settings
//! ```
//!
//! All numbers are little endian; the checksum (CRC-32) is that of the deflated bytes. A frame is written at once when
//! its game has ended. So whoever ends the program at any moment loses no game that has ended, and the rest of a frame
//! at the end of the file is cut off when more is appended.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::{DeflateDecoder, DeflateEncoder};
use game::Position;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::game::{Game, GameError};
use super::settings::Settings;

const MAGIC: [u8; 8] = *b"BLOKUSGM";
const VERSION: u16 = 1;

/// How many bytes come before the first frame.
const START: usize = MAGIC.len() + size_of::<u16>();

/// No frame is longer: more than ten times as many bytes as the longest game has.
const MOST_BYTES: u32 = 1 << 20;

/// Who played the games of a file, and how.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The fingerprint of the engine's search as 16 hexadecimal digits.
    pub engine: String,
    /// The seed of the games.
    pub seed: u64,
    /// How they were played.
    pub settings: Settings,
}

/// Why a file of games cannot be read or written.
#[derive(Debug, Error)]
pub enum ShardError {
    /// The file cannot be opened, read or written.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        error: io::Error,
    },
    /// A folder has no files of games.
    #[error("{0} has no files of self-play games (*.{EXTENSION})")]
    None(PathBuf),
    /// It begins otherwise than such files do.
    #[error("{0} is not a file of self-play games")]
    Foreign(PathBuf),
    /// It was written by another version of this program.
    #[error("{path} has format version {found}, and this program knows version {VERSION}")]
    Version {
        /// The file.
        path: PathBuf,
        /// The version of its format.
        found: u16,
    },
    /// The file ends in the middle of a frame.
    #[error("{path} was cut: it ends in the middle of game {games} (appending to it mends that)")]
    Cut {
        /// The file.
        path: PathBuf,
        /// How many whole games come before.
        games: usize,
    },
    /// Bytes have changed since they were written.
    #[error("{path} is damaged: {what} of game {games} is wrong")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// How many whole games come before.
        games: usize,
        /// What shows that.
        what: &'static str,
    },
    /// A frame holds no game.
    #[error("{path}: game {games}: {error}")]
    Game {
        /// The file.
        path: PathBuf,
        /// How many games come before.
        games: usize,
        /// What is wrong with it.
        error: GameError,
    },
    /// The header cannot be understood.
    #[error("{path} has a header that cannot be understood: {error}")]
    Header {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: serde_json::Error,
    },
    /// The games to be appended are not played as those in the file.
    #[error("{path} has games of another engine, seed or other settings; choose another file or the same settings")]
    OtherHeader {
        /// The file.
        path: PathBuf,
    },
    /// Another process writes to the file.
    #[error("another process is writing to {0}")]
    Busy(PathBuf),
}

/// The extension of the files.
pub const EXTENSION: &str = "games";

/// The files of games in a folder, by name.
///
/// # Errors
/// [`ShardError`] if the folder cannot be read or has no such files.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>, ShardError> {
    let failed = |error| io_error(folder, error);
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>).map_err(failed)?;
    let is_shard = |path: &PathBuf| path.extension().is_some_and(|extension| extension == EXTENSION);
    let mut files: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).filter(is_shard).collect();
    if files.is_empty() {
        return Err(ShardError::None(folder.to_owned()));
    }
    files.sort();
    Ok(files)
}

/// Reads the games of a file one after the other.
pub struct Reader {
    frames: Frames,
    header: Header,
}

impl Reader {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    /// [`ShardError`] if it cannot be read or is not a file of games.
    pub fn open(path: &Path) -> Result<Self, ShardError> {
        Self::new(path, File::open(path).map_err(|error| io_error(path, error))?)
    }

    fn new(path: &Path, file: File) -> Result<Self, ShardError> {
        let mut frames = Frames { path: path.to_owned(), input: BufReader::new(file), games: 0, position: 0, end: 0 };
        let mut start = [0; START];
        let (magic, version) = match frames.fill(&mut start)? {
            START => start.split_at(MAGIC.len()),
            _ => return Err(ShardError::Foreign(path.to_owned())),
        };
        if magic != MAGIC {
            return Err(ShardError::Foreign(path.to_owned()));
        }
        if version != VERSION.to_le_bytes() {
            let found = u16::from_le_bytes([version[0], version[1]]);
            return Err(ShardError::Version { path: path.to_owned(), found });
        }
        let header = frames.next()?.ok_or_else(|| ShardError::Foreign(path.to_owned()))?;
        let header = serde_json::from_slice(&header);
        let header = header.map_err(|error| ShardError::Header { path: path.to_owned(), error })?;
        Ok(Self { frames, header })
    }

    /// Who played the games, and how.
    pub fn header(&self) -> &Header {
        &self.header
    }

    fn next_game(&mut self) -> Result<Option<(Game, Vec<Position>)>, ShardError> {
        let Some(bytes) = self.frames.next()? else { return Ok(None) };
        let (path, games) = (&self.frames.path, self.frames.games);
        let game = Game::read(&bytes).map_err(|error| ShardError::Game { path: path.clone(), games, error })?;
        self.frames.games += 1;
        Ok(Some(game))
    }
}

/// The games in order, each with the positions before its plies and the final one.
impl Iterator for Reader {
    type Item = Result<(Game, Vec<Position>), ShardError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_game().transpose()
    }
}

/// Reads the frames of a file one after the other.
struct Frames {
    path: PathBuf,
    input: BufReader<File>,
    /// How many games have been read.
    games: usize,
    /// How many bytes have been read, and where the last whole frame ended.
    position: u64,
    end: u64,
}

impl Frames {
    /// The inflated bytes of the next frame, or `None` at the end of the file.
    fn next(&mut self) -> Result<Option<Vec<u8>>, ShardError> {
        let [mut length, mut checksum] = [[0; 4]; 2];
        match self.fill(&mut length)? + self.fill(&mut checksum)? {
            0 => return Ok(None),
            8 => {}
            _ => return Err(ShardError::Cut { path: self.path.clone(), games: self.games }),
        }
        let length = u32::from_le_bytes(length);
        if length > MOST_BYTES {
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
        let inflated = DeflateDecoder::new(&deflated[..]).take(u64::from(MOST_BYTES)).read_to_end(&mut bytes);
        inflated.map_err(|_| self.damaged("the compression"))?;
        self.end = self.position;
        Ok(Some(bytes))
    }

    /// Fills the buffer but for what is missing at the end of the file; how many bytes were read.
    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, ShardError> {
        let mut read = 0;
        while read < buffer.len() {
            match self.input.read(&mut buffer[read..]) {
                Ok(0) => break,
                Ok(more) => read += more,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(io_error(&self.path, error)),
            }
        }
        self.position += read as u64;
        Ok(read)
    }

    fn damaged(&self, what: &'static str) -> ShardError {
        ShardError::Damaged { path: self.path.clone(), games: self.games, what }
    }
}

/// Appends games to a file.
pub struct Writer {
    path: PathBuf,
    file: File,
}

impl Writer {
    /// Opens a file to append games, which it makes if there is none, and tells how many games it has. What is left
    /// of a frame at its end is cut off.
    ///
    /// # Errors
    /// [`ShardError`] if it cannot be read and written, is damaged, has other games, or is being written to.
    pub fn append(path: &Path, header: &Header) -> Result<(Self, usize), ShardError> {
        let failed = |error| io_error(path, error);
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(ShardError::Busy(path.to_owned())),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let json = serde_json::to_vec(header).map_err(|error| ShardError::Header { path: path.to_owned(), error })?;
        let mut start = MAGIC.to_vec();
        start.extend(VERSION.to_le_bytes());
        start.extend(frame(&json).map_err(failed)?);
        let mut found = Vec::new();
        (&file).take(start.len() as u64).read_to_end(&mut found).map_err(failed)?;
        // A new file, or one of which not even this was written.
        if found.len() < start.len() && start.starts_with(&found) {
            file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(&start)).map_err(failed)?;
            return Ok((Self { path: path.to_owned(), file }, 0));
        }
        file.rewind().map_err(failed)?;
        let mut reader = Reader::new(path, file.try_clone().map_err(failed)?)?;
        if reader.header() != header {
            return Err(ShardError::OtherHeader { path: path.to_owned() });
        }
        loop {
            match reader.next_game() {
                Ok(Some(_)) => {}
                Ok(None) | Err(ShardError::Cut { .. }) => break,
                Err(error) => return Err(error),
            }
        }
        file.set_len(reader.frames.end).map_err(failed)?;
        file.seek(SeekFrom::Start(reader.frames.end)).map_err(failed)?;
        Ok((Self { path: path.to_owned(), file }, reader.frames.games))
    }

    /// Writes a game behind the others.
    ///
    /// # Errors
    /// [`ShardError::Io`]
    pub fn write(&mut self, game: &Game) -> Result<(), ShardError> {
        let mut bytes = Vec::new();
        game.write(&mut bytes);
        let written = frame(&bytes).and_then(|frame| self.file.write_all(&frame));
        written.map_err(|error| io_error(&self.path, error))
    }
}

/// Bytes as they stand in the file.
fn frame(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut deflated = Vec::new();
    DeflateEncoder::new(bytes, Compression::best()).read_to_end(&mut deflated)?;
    let mut frame = (deflated.len() as u32).to_le_bytes().to_vec();
    frame.extend(crc32fast::hash(&deflated).to_le_bytes());
    frame.extend(deflated);
    Ok(frame)
}

fn io_error(path: &Path, error: io::Error) -> ShardError {
    ShardError::Io { path: path.to_owned(), error }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::game::tests::games;
    use super::*;

    fn header(seed: u64) -> Header {
        Header { engine: "0123456789abcdef".to_owned(), seed, settings: Settings::default() }
    }

    /// A file with two games, and its bytes.
    fn file(folder: &tempfile::TempDir) -> (PathBuf, Vec<u8>) {
        let path = folder.path().join("1.games");
        let (mut writer, before) = Writer::append(&path, &header(1)).unwrap();
        assert_eq!(before, 0);
        games(2).iter().for_each(|game| writer.write(game).unwrap());
        (path.clone(), fs::read(&path).unwrap())
    }

    fn read(path: &Path) -> Result<Vec<Game>, ShardError> {
        Reader::open(path)?.map(|game| Ok(game?.0)).collect()
    }

    #[test]
    fn games_are_found_again_and_more_can_be_appended() {
        let folder = tempfile::tempdir().unwrap();
        let (path, _) = file(&folder);
        assert_eq!(Reader::open(&path).unwrap().header(), &header(1));
        let (mut writer, before) = Writer::append(&path, &header(1)).unwrap();
        assert_eq!(before, 2);
        writer.write(&games(3)[2]).unwrap();
        assert_eq!(read(&path).unwrap(), games(3));
        assert!(matches!(Writer::append(&path, &header(1)), Err(ShardError::Busy(_))), "one writer at a time");
        drop(writer);
        assert!(matches!(Writer::append(&path, &header(2)), Err(ShardError::OtherHeader { .. })));
    }

    #[test]
    fn a_file_that_was_cut_anywhere_loses_only_the_game_that_was_cut() {
        let folder = tempfile::tempdir().unwrap();
        let (path, bytes) = file(&folder);
        let mut reader = Reader::open(&path).unwrap();
        let start = reader.frames.end as usize;
        assert!(reader.next().is_some());
        let first_end = reader.frames.end as usize;
        let games = games(2);
        for length in 0..=start {
            fs::write(&path, &bytes[..length]).unwrap();
            let (mut writer, before) = Writer::append(&path, &header(1)).unwrap();
            assert_eq!(before, 0);
            games.iter().for_each(|game| writer.write(game).unwrap());
            drop(writer);
            assert_eq!(fs::read(&path).unwrap(), bytes);
        }
        for length in (start + 1..bytes.len()).step_by(5).chain([first_end, first_end + 1, first_end + 8]) {
            fs::write(&path, &bytes[..length]).unwrap();
            let whole = usize::from(length >= first_end);
            if length != first_end {
                let error = read(&path).unwrap_err().to_string();
                assert!(error.contains("1.games") && error.contains("was cut"), "{error}");
            }
            let (mut writer, before) = Writer::append(&path, &header(1)).unwrap();
            assert_eq!(before, whole);
            games[whole..].iter().for_each(|game| writer.write(game).unwrap());
            drop(writer);
            assert_eq!(fs::read(&path).unwrap(), bytes);
        }
    }

    #[test]
    fn other_and_damaged_files_are_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let (path, bytes) = file(&folder);
        let error = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            let reading = read(&path).unwrap_err().to_string();
            assert!(reading.contains("1.games"), "{reading}");
            reading
        };
        assert!(error(b"PK").contains("not a file of self-play games"));
        assert!(Writer::append(&path, &header(1)).is_err());
        assert!(error(b"<protocol><room/></protocol>").contains("not a file of self-play games"));
        let mut newer = bytes.clone();
        newer[MAGIC.len()] = 9;
        assert!(error(&newer).contains("version 9"));
        let mut damaged = bytes.clone();
        *damaged.last_mut().unwrap() ^= 1;
        assert!(error(&damaged).contains("damaged: the checksum of game 1"));
        assert!(matches!(Writer::append(&path, &header(1)), Err(ShardError::Damaged { games: 1, .. })));
        assert_eq!(fs::read(&path).unwrap(), damaged, "nothing is cut off a damaged file");
    }
}
