//! The recorded sessions of the official servers.
//!
//! File names decide only the roles: the folder is named after the season, `X.xml.gz` is the server's output on a
//! connection, `X.out.xml.gz` the client's. The servers ran without options.

use std::fs::{self, File};
use std::io::Read;
use std::sync::LazyLock;

use flate2::read::GzDecoder;
use protocol::{Element, Frame, FrameError, Framer, Season};

use crate::shared;

/// A file of messages.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The season of the server.
    pub season: Season,
    /// For example `rule-violation-obstructed-player-one`; for error messages only.
    pub name: String,
    /// The bytes.
    pub bytes: Vec<u8>,
    source: Source,
}

/// The writer of a recording.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Source {
    Client,
    Server,
    /// A server that wrote a replay.
    Replay,
}

/// Returns the output of servers; empty if the recordings are missing.
pub fn of_servers() -> Vec<&'static Recording> {
    of(Source::Server)
}

/// Returns the replays; empty if the recordings are missing.
pub fn replays() -> Vec<&'static Recording> {
    of(Source::Replay)
}

/// Returns the output of clients; empty if the recordings are missing.
pub fn of_clients() -> Vec<&'static Recording> {
    of(Source::Client)
}

impl Recording {
    /// Returns the elements up to the end of the document or the first error.
    pub fn elements(&self) -> (Vec<Element>, Option<FrameError>) {
        elements(&self.bytes, usize::MAX)
    }
}

/// Returns the elements of a stream that arrives in pieces of `size` bytes, up to its end or the first error.
pub fn elements(bytes: &[u8], size: usize) -> (Vec<Element>, Option<FrameError>) {
    let mut framer = Framer::default();
    let mut elements = Vec::new();
    for piece in bytes.chunks(size) {
        framer.push(piece);
        loop {
            match framer.next_frame() {
                Ok(Some(Frame::Element(element))) => elements.push(element),
                Ok(Some(Frame::End)) => return (elements, None),
                Ok(None) => break,
                Err(error) => return (elements, Some(error)),
            }
        }
    }
    (elements, None)
}

/// All recordings in the order of their seasons and names, read once.
static ALL: LazyLock<Vec<Recording>> = LazyLock::new(|| {
    let mut recordings = Vec::new();
    for &season in Season::ALL {
        let Some(folder) = shared::sessions(season) else { continue };
        for file in fs::read_dir(folder).expect("folder can be read") {
            let path = file.expect("folder can be read").path();
            let file_name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let Some(name) = file_name.strip_suffix(".xml.gz") else { continue };
            let mut bytes = Vec::new();
            let file = File::open(&path).expect("recording can be opened");
            GzDecoder::new(file).read_to_end(&mut bytes).expect("recording can be unpacked");
            // Replays are not indented, connections are.
            let is_replay = bytes.windows(6).any(|window| window == b"\n<room");
            let (name, source) = match name.strip_suffix(".out") {
                Some(name) => (name, Source::Client),
                None => (name, if is_replay { Source::Replay } else { Source::Server }),
            };
            recordings.push(Recording { season, name: name.to_owned(), bytes, source });
        }
    }
    recordings.sort_by(|one, other| (one.season.name(), &one.name).cmp(&(other.season.name(), &other.name)));
    recordings
});

fn of(source: Source) -> Vec<&'static Recording> {
    ALL.iter().filter(|recording| recording.source == source).collect()
}
