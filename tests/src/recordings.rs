//! The recorded sessions of the official servers.
//!
//! File names decide only the roles: the folder is named after the season, `X.xml.gz` is the server's output on a
//! connection, `X.out.xml.gz` the client's, and the optional `X.chunks.json` lists the sizes of the received pieces.
//! The servers ran without options.

use std::fs::{self, File};
use std::io::Read;

use flate2::read::GzDecoder;
use protocol::{Element, Frame, FrameError, Framer, Season};
use serde_json::Value;

use crate::shared::Material;

/// A file of messages.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The season of the server.
    pub season: Season,
    /// For example `rule-violation-obstructed-player-one`; for messages only.
    pub name: String,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// A connection with both directions recorded.
#[derive(Clone, Debug)]
pub struct Connection {
    /// Output of the client.
    pub client: Recording,
    /// Output of the server.
    pub server: Recording,
}

/// What servers sent; empty where there are no recordings.
pub fn of_servers() -> Vec<Recording> {
    all().into_iter().filter(|recording| !recording.name.ends_with(OUT) && !recording.is_replay()).collect()
}

/// Replays written by servers; empty where there are none.
pub fn replays() -> Vec<Recording> {
    all().into_iter().filter(|recording| !recording.name.ends_with(OUT) && recording.is_replay()).collect()
}

/// What clients sent; empty where there are no recordings.
pub fn of_clients() -> Vec<Recording> {
    let strip = |recording: Recording| {
        let name = recording.name.strip_suffix(OUT)?.to_owned();
        Some(Recording { name, ..recording })
    };
    all().into_iter().filter_map(strip).collect()
}

/// Returns the connections with both directions recorded; empty if the recordings are missing.
pub fn connections() -> Vec<Connection> {
    let clients = of_clients();
    let of = |server: &Recording| {
        let is_same = |client: &&Recording| (client.season, &client.name) == (server.season, &server.name);
        clients.iter().find(is_same).cloned()
    };
    of_servers().into_iter().filter_map(|server| Some(Connection { client: of(&server)?, server })).collect()
}

/// Suffix of the client's recordings.
const OUT: &str = ".out";

impl Recording {
    /// The elements up to the end of the document or the first error.
    pub fn elements(&self) -> (Vec<Element>, Option<FrameError>) {
        let mut framer = Framer::new(Framer::DEFAULT_LIMIT);
        framer.push(&self.bytes);
        let mut elements = Vec::new();
        loop {
            match framer.next_frame() {
                Ok(Some(Frame::Element(element))) => elements.push(element),
                Ok(Some(Frame::End) | None) => return (elements, None),
                Err(error) => return (elements, Some(error)),
            }
        }
    }

    /// Replays are not indented, connections are.
    fn is_replay(&self) -> bool {
        self.bytes.windows(6).any(|window| window == b"\n<room")
    }

    /// Returns the sizes of the pieces in which the server's bytes arrived, if recorded.
    pub fn chunks(&self) -> Option<Vec<usize>> {
        let path = Material::Sessions(self.season).path()?.join(format!("{}.chunks.json", self.name));
        let text = fs::read_to_string(path).ok()?;
        let chunks: Vec<(f64, String, Value)> = serde_json::from_str(&text).expect("chunks are time, direction, size");
        let from_server = chunks.into_iter().filter(|(_, direction, _)| direction == "s>c");
        // The last size is the text `EOF`.
        Some(from_server.filter_map(|(_, _, size)| size.as_u64()).map(|size| size as usize).collect())
    }
}

fn all() -> Vec<Recording> {
    let mut recordings = Vec::new();
    for season in Season::ALL {
        let Some(folder) = Material::Sessions(season).path() else { continue };
        for file in fs::read_dir(folder).expect("folder can be read") {
            let path = file.expect("folder can be read").path();
            let file_name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if let Some(name) = file_name.strip_suffix(".xml.gz") {
                let mut bytes = Vec::new();
                let file = File::open(&path).expect("recording can be opened");
                GzDecoder::new(file).read_to_end(&mut bytes).expect("recording can be unpacked");
                recordings.push(Recording { season, name: name.to_owned(), bytes });
            }
        }
    }
    recordings.sort_by(|one, other| (one.season.name(), &one.name).cmp(&(other.season.name(), &other.name)));
    recordings
}
