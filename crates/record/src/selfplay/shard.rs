//! Shards: files with a header and one frame per game.
//!
//! ```text
//! file   = "BLOKUSGM" version:u16 frame(header) frame(game)*
//! frame  = length:u32 checksum:u32 deflated-bytes
//! header = JSON: engine, seed, settings
//! ```
//!
//! All numbers are little-endian; the checksum is the CRC-32 of the deflated bytes. Each frame is written as soon as
//! its game is over, so that a killed program loses no finished game. Appending cuts off an incomplete frame.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use game::Position;
use serde::{Deserialize, Serialize};

use super::error::ShardError;
use super::frames::{Frames, frame};
use super::game::SelfPlayGame;

const MAGIC: [u8; 8] = *b"BLOKUSGM";
const VERSION: u16 = 1;

/// Number of bytes before the first frame.
const START: usize = MAGIC.len() + size_of::<u16>();

/// The header of a shard: engine and settings of the games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The fingerprint of the engine's search as 16 hexadecimal digits.
    pub engine: String,
    /// The seed of the games.
    pub seed: u64,
    /// The settings of the games.
    pub settings: SelfPlaySettings,
}

/// The settings of self-play.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SelfPlaySettings {
    /// Ratio of games with the rules of season 2021, season 2027 and Blokus Two-Player.
    pub rules: [u32; 3],
    /// Simulations of a fast search, which only chooses a move.
    pub fast_nodes: u64,
    /// Simulations of a full search, which also records its visits.
    pub full_nodes: u64,
    /// Mean number of searches per full search, drawn at random (playout cap randomisation: D. J. Wu, Accelerating
    /// Self-Play Learning in Go, 2019).
    pub full_interval: u32,
    /// Share of games that begin with four random placements.
    pub random_openings: f64,
    /// Maximum win probability of a team after random placements, by a fast search. Others are drawn again, a few
    /// times.
    pub balanced_win: f32,
    /// Turn from which the best move is played. Earlier moves are drawn in proportion to their visits.
    pub sampled_turns: u16,
    /// Share of games with one series of exploration moves: random visited placements.
    pub exploration_games: f64,
    /// Parameters of the player other than the defaults, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub params: BTreeMap<String, String>,
}

impl Default for SelfPlaySettings {
    fn default() -> Self {
        Self {
            rules: [1, 4, 1],
            fast_nodes: 100,
            full_nodes: 800,
            full_interval: 6,
            random_openings: 0.6,
            balanced_win: 0.8,
            sampled_turns: 16,
            exploration_games: 0.4,
            params: BTreeMap::new(),
        }
    }
}

/// The extension of the files.
pub const EXTENSION: &str = "games";

/// Returns the shards in a folder, by name.
///
/// # Errors
/// [`ShardError`] if the folder cannot be read or has no such files.
pub fn files(folder: impl AsRef<Path>) -> Result<Vec<PathBuf>, ShardError> {
    let folder = folder.as_ref();
    let failed = |error| ShardError::io(folder, error);
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>).map_err(failed)?;
    let is_shard = |path: &PathBuf| path.extension().is_some_and(|extension| extension == EXTENSION);
    let mut files: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).filter(is_shard).collect();
    if files.is_empty() {
        return Err(ShardError::unusable(folder, format!("has no files of self-play games (*.{EXTENSION})")));
    }
    files.sort();
    Ok(files)
}

/// Reads the games of a file one after the other.
pub struct ShardReader {
    frames: Frames,
    /// The header.
    pub header: Header,
}

impl ShardReader {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    /// [`ShardError`] if it cannot be read or is not a shard.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ShardError> {
        let path = path.as_ref();
        Self::new(path, File::open(path).map_err(|error| ShardError::io(path, error))?)
    }

    fn new(path: &Path, file: File) -> Result<Self, ShardError> {
        let mut frames = Frames::new(path, file);
        let mut start = [0; START];
        let foreign = || ShardError::unusable(path, "is not a file of self-play games");
        let length = frames.fill(&mut start)?;
        let version = start.strip_prefix(&MAGIC).filter(|_| length == START).ok_or_else(foreign)?;
        if version != VERSION.to_le_bytes() {
            let found = u16::from_le_bytes([version[0], version[1]]);
            let problem = format!("has format version {found}, which this program cannot read");
            return Err(ShardError::unusable(path, problem));
        }
        let header = serde_json::from_slice(&frames.next()?.ok_or_else(foreign)?);
        let unreadable = |error| ShardError::unusable(path, format!("has an unreadable header: {error}"));
        Ok(Self { frames, header: header.map_err(unreadable)? })
    }

    fn next_game(&mut self) -> Result<Option<(SelfPlayGame, Vec<Position>)>, ShardError> {
        let Some(bytes) = self.frames.next()? else { return Ok(None) };
        let (path, games) = (&self.frames.path, self.frames.games);
        let impossible = |error| ShardError::unusable(path, format!("has an invalid game {games}: {error}"));
        let game = SelfPlayGame::read(&bytes).map_err(impossible)?;
        self.frames.games += 1;
        Ok(Some(game))
    }
}

/// The games in order, each with the positions before its plies and the final one.
impl Iterator for ShardReader {
    type Item = Result<(SelfPlayGame, Vec<Position>), ShardError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_game().transpose()
    }
}

/// Appends games to a file.
#[derive(Debug)]
pub struct ShardWriter {
    path: PathBuf,
    file: File,
}

impl ShardWriter {
    /// Opens a file to append games, or creates it; returns the number of games in it. Cuts off an incomplete frame.
    ///
    /// # Errors
    /// [`ShardError`] if it cannot be read and written, is damaged, has another header, or is being written to.
    pub fn append(path: impl AsRef<Path>, header: &Header) -> Result<(Self, usize), ShardError> {
        let path = path.as_ref();
        let failed = |error| ShardError::io(path, error);
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(ShardError::unusable(path, "is open in another process")),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let json = serde_json::to_vec(header).map_err(|error| failed(error.into()))?;
        let mut start = MAGIC.to_vec();
        start.extend(VERSION.to_le_bytes());
        start.extend(frame(&json).map_err(failed)?);
        let mut found = Vec::new();
        (&file).take(start.len() as u64).read_to_end(&mut found).map_err(failed)?;
        // A new file, or one with an incomplete start.
        if found.len() < start.len() && start.starts_with(&found) {
            file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(&start)).map_err(failed)?;
            return Ok((Self { path: path.to_owned(), file }, 0));
        }
        file.rewind().map_err(failed)?;
        let mut reader = ShardReader::new(path, file.try_clone().map_err(failed)?)?;
        if reader.header != *header {
            let problem =
                "has games of another engine, seed or other settings; choose another file or the same settings";
            return Err(ShardError::unusable(path, problem));
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

    /// Appends a game.
    ///
    /// # Errors
    /// [`ShardError::Io`]
    pub fn write(&mut self, game: &SelfPlayGame) -> Result<(), ShardError> {
        let mut bytes = Vec::new();
        game.write(&mut bytes);
        let written = frame(&bytes).and_then(|frame| self.file.write_all(&frame));
        written.map_err(|error| ShardError::io(&self.path, error))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::game::tests::games;
    use super::*;

    fn header(seed: u64) -> Header {
        Header { engine: "0123456789abcdef".to_owned(), seed, settings: SelfPlaySettings::default() }
    }

    /// Returns a file with two games, and its bytes.
    fn file(folder: &tempfile::TempDir) -> (PathBuf, Vec<u8>) {
        let path = folder.path().join("1.games");
        let (mut writer, before) = ShardWriter::append(&path, &header(1)).unwrap();
        assert_eq!(before, 0);
        games(2).iter().for_each(|game| writer.write(game).unwrap());
        (path.clone(), fs::read(&path).unwrap())
    }

    fn read(path: &Path) -> Result<Vec<SelfPlayGame>, ShardError> {
        ShardReader::open(path)?.map(|game| Ok(game?.0)).collect()
    }

    #[test]
    fn appends_to_shard() {
        let folder = tempfile::tempdir().unwrap();
        let (path, _) = file(&folder);
        assert_eq!(ShardReader::open(&path).unwrap().header, header(1));
        let (mut writer, before) = ShardWriter::append(&path, &header(1)).unwrap();
        assert_eq!(before, 2);
        games(4)[2..].iter().for_each(|game| writer.write(game).unwrap());
        assert_eq!(read(&path).unwrap(), games(4));
        let error = |seed| ShardWriter::append(&path, &header(seed)).map(|_| ()).unwrap_err().to_string();
        assert!(error(1).ends_with("1.games is open in another process"), "{}", error(1));
        drop(writer);
        assert!(error(2).contains("1.games has games of another engine, seed"), "{}", error(2));
    }

    #[test]
    fn cut_shard_loses_one_game() {
        let folder = tempfile::tempdir().unwrap();
        let (path, bytes) = file(&folder);
        let mut reader = ShardReader::open(&path).unwrap();
        let start = reader.frames.end as usize;
        assert!(reader.next().is_some());
        let first_end = reader.frames.end as usize;
        let games = games(2);
        for length in 0..=start {
            fs::write(&path, &bytes[..length]).unwrap();
            let (mut writer, before) = ShardWriter::append(&path, &header(1)).unwrap();
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
                assert!(error.contains("1.games") && error.contains("is truncated"), "{error}");
            }
            let (mut writer, before) = ShardWriter::append(&path, &header(1)).unwrap();
            assert_eq!(before, whole);
            games[whole..].iter().for_each(|game| writer.write(game).unwrap());
            drop(writer);
            assert_eq!(fs::read(&path).unwrap(), bytes);
        }
    }

    #[test]
    fn rejects_other_and_damaged_files() {
        let folder = tempfile::tempdir().unwrap();
        let (path, bytes) = file(&folder);
        let error = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            let reading = read(&path).unwrap_err().to_string();
            assert!(reading.contains("1.games"), "{reading}");
            reading
        };
        assert!(error(b"PK").contains("not a file of self-play games"));
        assert!(ShardWriter::append(&path, &header(1)).is_err());
        assert!(error(b"<protocol><room/></protocol>").contains("not a file of self-play games"));
        let mut newer = bytes.clone();
        newer[MAGIC.len()] = 9;
        assert!(error(&newer).contains("version 9"));
        let mut damaged = bytes.clone();
        *damaged.last_mut().unwrap() ^= 1;
        assert!(error(&damaged).contains("damaged: the checksum of game 1"));
        assert!(ShardWriter::append(&path, &header(1)).is_err());
        assert_eq!(fs::read(&path).unwrap(), damaged, "nothing is cut off a damaged file");
    }
}
