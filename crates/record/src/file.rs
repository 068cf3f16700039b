//! Files with games of all kinds.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::path::Path;
use std::vec;

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use game::excerpt;
use protocol::{Replay, ReplayError};
use thiserror::Error;

use crate::error::{ParseError, Problem};
use crate::limits::{MAX_BYTES, MAX_JSON_BYTES, MAX_LINE_BYTES};
use crate::tree::Game;
use crate::{json, replay, sgf};

/// The reason why a file is not a game.
///
/// ```
/// use record::file::{FileError, read};
///
/// let Err(error) = read(b"\x7fELF\x02\x01".as_slice()) else { panic!() };
/// assert!(matches!(error, FileError::Unknown(_)));
/// assert!(error.to_string().ends_with("it begins with `\\u{7f}ELF\\u{2}\\u{1}`"), "{error}");
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file cannot be read.
    #[error("cannot read the file: {0}")]
    Read(io::Error),
    /// The gzip data of the file is damaged.
    #[error("cannot unpack the file: {0}")]
    Unpack(io::Error),
    /// The file is too long.
    #[error("the unpacked file or one of its lines is longer than {} MiB", .limit >> 20)]
    TooLong {
        /// The maximum number of bytes.
        limit: u64,
    },
    /// The file is empty.
    #[error("the file is empty")]
    Empty,
    /// The file is a ZIP archive.
    #[error("this is a ZIP archive; unpack it first")]
    Archive,
    /// The kind of the file is unknown.
    #[error(
        "this is not a replay (.xml, .xml.gz), file of Pentobi (.blksgf) or line of JSON (.jsonl); it begins with `{0}`"
    )]
    Unknown(String),
    /// The file begins like a replay, but is unusable.
    #[error("the replay cannot be used: {0}")]
    Replay(ReplayError),
    /// The file begins like a game, but is not one.
    #[error(transparent)]
    Parse(#[from] ParseError),
}

impl From<ReplayError> for FileError {
    fn from(error: ReplayError) -> Self {
        Self::Replay(error)
    }
}

/// The reason why a game is not saved.
///
/// ```
/// use game::{Position, Rules};
/// use record::Game;
/// use record::file::{SaveError, text_of};
///
/// let classic = Game::new(Position::new(Rules::Classic, None)?);
/// assert!(matches!(text_of(&classic, "xml"), Err(SaveError::NoReplay)));
/// assert_eq!(text_of(&classic, "pdf").unwrap_err().to_string(), "expected blksgf, jsonl or xml, found `pdf`");
/// # Ok::<(), game::SetupError>(())
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SaveError {
    /// The kind of file is unknown.
    #[error("expected blksgf, jsonl or xml, found `{0}`")]
    Kind(String),
    /// The game has rules of no season.
    #[error("only games of seasons 2021 and 2027 can be replays; this game has other rules")]
    NoReplay,
    /// The file cannot be written.
    #[error("cannot write the file: {0}")]
    Write(io::Error),
}

/// Returns the games of a file, one after the other. Unpacks compressed files.
///
/// Collect them into a `Result<Vec<_>, _>` to get all games or none: in a file with lines of JSON a bad line gives an
/// error in its place, and the games around it can still be read.
///
/// # Errors
/// [`FileError`], also in place of single games
pub fn open(path: impl AsRef<Path>) -> Result<Games<'static>, FileError> {
    read(File::open(path).map_err(FileError::Read)?)
}

/// Returns the games in the bytes of a file, like [`open`]. The first bytes tell the kind of the file.
///
/// ```
/// use record::file;
///
/// let game = file::read("(;GM[Blokus Two-Player];1[a20,b20])".as_bytes())?.next().expect("there is one")?;
/// assert_eq!(game.moves().count(), 1);
/// # Ok::<(), record::file::FileError>(())
/// ```
///
/// # Errors
/// [`FileError`], also in place of single games
pub fn read<'a>(bytes: impl Read + Send + 'a) -> Result<Games<'a>, FileError> {
    read_at_most(bytes, u64::MAX)
}

/// Reads games like [`read`], but at most `max_bytes` bytes of the decompressed file.
///
/// # Errors
/// [`FileError`], also in place of single games
pub fn read_at_most<'a>(bytes: impl Read + Send + 'a, max_bytes: u64) -> Result<Games<'a>, FileError> {
    let mut input = Input { max_bytes, ..Input::of(bytes)? };
    let start = input.start()?;
    let trimmed = start.trim_ascii_start();
    Ok(match trimmed.first() {
        None if start.is_empty() => return Err(FileError::Empty),
        Some(b'<') => {
            let replay = input.replay()?;
            Games(GameSource::Whole(vec![replay::read(&replay)?].into_iter()))
        }
        Some(b'{') => Games(GameSource::Lines { input, line: 0, read: 0 }),
        _ if sgf::is_likely(start) => {
            Games(GameSource::Whole(sgf::read(&sgf::decode(&input.complete()?))?.into_iter()))
        }
        _ if start.starts_with(b"PK\x03\x04") => return Err(FileError::Archive),
        _ => return Err(FileError::Unknown(excerpt(start))),
    })
}

/// Returns the official replay in a file. Unpacks a compressed file, and reads the beginning of a truncated one.
///
/// # Errors
/// [`FileError`]
pub fn read_replay(path: impl AsRef<Path>) -> Result<Replay, FileError> {
    Input::of(File::open(path).map_err(FileError::Read)?)?.replay()
}

/// Writes a file, compressed if its name ends in `.gz`. If that fails, an existing file stays as it was, unless it
/// is a link or a special file, or the folder accepts no other file.
///
/// # Errors
/// If the file cannot be written.
pub fn write(path: impl AsRef<Path>, text: &str) -> io::Result<()> {
    let path = path.as_ref();
    let is_special = fs::symlink_metadata(path).is_ok_and(|known| !known.is_file());
    let mut name = path.to_owned().into_os_string();
    name.push(format!(".{}.new", std::process::id()));
    let draft = if is_special { None } else { File::create_new(&name).ok() };
    let Some(draft) = draft else { return write_to(File::create(path)?, path, text) };
    let written = write_to(draft, path, text).and_then(|()| fs::rename(&name, path));
    written.inspect_err(|_| _ = fs::remove_file(&name))
}

fn write_to(mut file: File, path: &Path, text: &str) -> io::Result<()> {
    if is_packed(path) {
        let mut packer = GzEncoder::new(file, Compression::default());
        packer.write_all(text.as_bytes())?;
        file = packer.finish()?;
    } else {
        file.write_all(text.as_bytes())?;
    }
    file.sync_all()
}

/// Returns a game as the text of a file with the extension `blksgf`, `jsonl` or `xml`. A replay has the main
/// line alone.
///
/// # Errors
/// [`SaveError`] if the extension is unknown or its files cannot hold the game.
pub fn text_of(game: &Game, extension: &str) -> Result<String, SaveError> {
    match extension {
        "blksgf" => Ok(sgf::write(game)),
        "jsonl" => Ok(json::write(game) + "\n"),
        "xml" => Ok(replay::write(game).ok_or(SaveError::NoReplay)?.to_xml()),
        _ => Err(SaveError::Kind(excerpt(extension))),
    }
}

/// Writes a game to a file of the kind of its extension, see [`text_of`]; compressed if the name ends in `.gz`.
///
/// ```
/// use game::{Position, Rules};
/// use record::{Game, file};
///
/// let game = Game::new(Position::new(Rules::Classic, None)?);
/// let path = std::env::temp_dir().join(format!("record-save-{}.blksgf.gz", std::process::id()));
/// file::save(&path, &game)?;
/// assert_eq!(file::open(&path)?.next().expect("there is one")?, game);
/// std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`SaveError`]
pub fn save(path: impl AsRef<Path>, game: &Game) -> Result<(), SaveError> {
    let path = path.as_ref();
    let unpacked = if is_packed(path) { path.with_extension("") } else { path.to_owned() };
    let extension = unpacked.extension().unwrap_or_default().to_string_lossy();
    write(path, &text_of(game, &extension)?).map_err(SaveError::Write)
}

/// Returns `true` if the name of a file has the extension of a compressed one.
fn is_packed(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "gz")
}

/// The games of a file, see [`open`].
pub struct Games<'a>(GameSource<'a>);

enum GameSource<'a> {
    Whole(vec::IntoIter<Game>),
    Lines {
        input: Input<'a>,
        /// The number of the last line.
        line: usize,
        /// The number of bytes read.
        read: u64,
    },
}

impl fmt::Debug for Games<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Games").finish_non_exhaustive()
    }
}

impl Iterator for Games<'_> {
    type Item = Result<Game, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.0 {
            GameSource::Whole(games) => games.next().map(Ok),
            GameSource::Lines { input, line, read } => loop {
                let bytes = match input.line() {
                    Ok(bytes) if bytes.is_empty() => return None,
                    Ok(bytes) => bytes,
                    Err(error) => return Some(Err(error)),
                };
                *line += 1;
                *read += bytes.len() as u64;
                let limit = input.max_bytes.min(MAX_JSON_BYTES);
                if *read > limit {
                    input.is_over = true;
                    return Some(Err(FileError::TooLong { limit }));
                }
                let bytes = unmarked(&bytes);
                if !bytes.trim_ascii().is_empty() {
                    return Some(json_game(bytes, *line));
                }
            },
        }
    }
}

fn json_game(bytes: &[u8], line: usize) -> Result<Game, FileError> {
    let text = str::from_utf8(bytes).map_err(|_| Problem::NoText(excerpt(bytes)).at(line))?;
    Ok(json::read_line(text, line)?)
}

/// Bytes without a byte order mark before them.
fn unmarked(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes)
}

/// The bytes of a file, decompressed.
struct Input<'a> {
    bytes: Box<dyn BufRead + Send + 'a>,
    is_packed: bool,
    /// `true` if reading has ended.
    is_over: bool,
    /// Maximum number of decompressed bytes.
    max_bytes: u64,
}

impl<'a> Input<'a> {
    fn of(bytes: impl Read + Send + 'a) -> Result<Self, FileError> {
        let mut bytes = BufReader::new(bytes);
        let is_packed = bytes.fill_buf().map_err(FileError::Read)?.starts_with(&[0x1f, 0x8b]);
        let bytes: Box<dyn BufRead + Send + 'a> =
            if is_packed { Box::new(BufReader::new(MultiGzDecoder::new(bytes))) } else { Box::new(bytes) };
        Ok(Self { bytes, is_packed, is_over: false, max_bytes: u64::MAX })
    }

    fn error(is_packed: bool, error: io::Error) -> FileError {
        if is_packed { FileError::Unpack(error) } else { FileError::Read(error) }
    }

    /// Returns the next bytes without a byte order mark, without consuming them.
    fn start(&mut self) -> Result<&[u8], FileError> {
        Ok(unmarked(self.bytes.fill_buf().map_err(|error| Self::error(self.is_packed, error))?))
    }

    /// Returns all readable bytes, and the error that ended reading, if any.
    fn all(mut self) -> Result<(Vec<u8>, Option<io::Error>), FileError> {
        let (mut all, limit) = (Vec::new(), self.max_bytes.min(MAX_BYTES as u64));
        let error = self.bytes.by_ref().take(limit + 1).read_to_end(&mut all).err();
        if all.len() as u64 > limit { Err(FileError::TooLong { limit }) } else { Ok((all, error)) }
    }

    /// Returns all bytes, or an error if some of them are unreadable.
    fn complete(self) -> Result<Vec<u8>, FileError> {
        let is_packed = self.is_packed;
        match self.all()? {
            (bytes, None) => Ok(bytes),
            (_, Some(error)) => Err(Self::error(is_packed, error)),
        }
    }

    fn replay(self) -> Result<Replay, FileError> {
        let is_packed = self.is_packed;
        let (bytes, error) = self.all()?;
        // A server that was killed leaves a useful part.
        if let Some(error) = error.filter(|error| error.kind() != ErrorKind::UnexpectedEof) {
            return Err(Self::error(is_packed, error));
        }
        Ok(Replay::parse(&bytes)?)
    }

    /// Returns the next line with its line break; empty at the end of the file or after an error.
    fn line(&mut self) -> Result<Vec<u8>, FileError> {
        let mut line = Vec::new();
        if self.is_over {
            return Ok(line);
        }
        let read = self.bytes.by_ref().take(MAX_LINE_BYTES as u64 + 1).read_until(b'\n', &mut line);
        self.is_over = read.is_err() || line.len() > MAX_LINE_BYTES;
        read.map_err(|error| Self::error(self.is_packed, error))?;
        if self.is_over { Err(FileError::TooLong { limit: MAX_LINE_BYTES as u64 }) } else { Ok(line) }
    }
}
