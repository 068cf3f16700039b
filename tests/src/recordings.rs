//! The recorded sessions of the official servers.

use std::fs::{self, File};
use std::io::Read;

use flate2::read::GzDecoder;
use protocol::Season;
use serde_json::Value;

use crate::shared;

/// The bytes of one direction of a recorded connection.
pub struct Recording {
    /// The season of the server.
    pub season: Season,
    /// For example `rule-violation-obstructed-player-one`.
    pub name: String,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// What servers sent; empty where there are no recordings.
pub fn of_servers() -> Vec<Recording> {
    all().into_iter().filter(|recording| !recording.name.contains('.') && recording.name != "replay").collect()
}

/// Replays written by servers; empty where there are none.
pub fn replays() -> Vec<Recording> {
    all().into_iter().filter(|recording| recording.name == "replay").collect()
}

/// What clients sent; empty where there are no recordings.
pub fn of_clients() -> Vec<Recording> {
    let strip = |recording: Recording| {
        let name = recording.name.strip_suffix(".out")?.to_owned();
        Some(Recording { name, ..recording })
    };
    all().into_iter().filter_map(strip).collect()
}

impl Recording {
    /// The sizes of the pieces in which the bytes of a server arrived, if they were recorded.
    pub fn chunks(&self) -> Option<Vec<usize>> {
        let path = shared::path(&folder(self.season))?.join(format!("{}.chunks.json", self.name));
        let text = fs::read_to_string(path).ok()?;
        let chunks: Vec<(f64, String, Value)> = serde_json::from_str(&text).expect("chunks are time, direction, size");
        let from_server = chunks.into_iter().filter(|(_, direction, _)| direction == "s>c");
        // The last size is the text `EOF`.
        Some(from_server.filter_map(|(_, _, size)| size.as_u64()).map(|size| size as usize).collect())
    }
}

fn folder(season: Season) -> String {
    format!("protocol/transcripts/{season}")
}

fn all() -> Vec<Recording> {
    let mut recordings = Vec::new();
    for season in Season::ALL {
        let Some(folder) = shared::path(&folder(season)) else { continue };
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
    recordings
}
