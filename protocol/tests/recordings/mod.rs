//! The recorded sessions of the official servers, which lie beside the repository.

use std::io::Read;
use std::path::PathBuf;

use flate2::read::GzDecoder;
use protocol::Season;

/// The bytes of one direction of a recorded connection.
pub struct Recording {
    /// The season of the server.
    pub season: Season,
    /// For example `rule-violation-obstructed-player-one`.
    pub name: String,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// What servers sent, sorted by season and name; empty, with a note, where there are no recordings.
pub fn of_servers() -> Vec<Recording> {
    all().into_iter().filter(|recording| !recording.name.contains('.') && recording.name != "replay").collect()
}

/// What clients sent, sorted by season and name; empty, with a note, where there are no recordings.
#[allow(dead_code, reason = "not every test needs both directions")]
pub fn of_clients() -> Vec<Recording> {
    let strip = |recording: Recording| {
        let name = recording.name.strip_suffix(".out")?.to_owned();
        Some(Recording { name, ..recording })
    };
    all().into_iter().filter_map(strip).collect()
}

/// Where the recordings of a season lie.
pub fn directory(season: Season) -> PathBuf {
    let shared = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/protocol/transcripts"));
    shared.join(season.name())
}

fn all() -> Vec<Recording> {
    let mut recordings = Vec::new();
    for season in Season::ALL {
        let Ok(files) = std::fs::read_dir(directory(season)) else {
            assert!(std::env::var_os("CI").is_none(), "no recordings at {}", directory(season).display());
            eprintln!("left out: there are no recordings at {}", directory(season).display());
            return Vec::new();
        };
        for file in files {
            let path = file.expect("directory can be read").path();
            let file_name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if let Some(name) = file_name.strip_suffix(".xml.gz") {
                let compressed = std::fs::File::open(&path).expect("recording can be opened");
                let mut bytes = Vec::new();
                GzDecoder::new(compressed).read_to_end(&mut bytes).expect("recording can be unpacked");
                recordings.push(Recording { season, name: name.to_owned(), bytes });
            }
        }
    }
    recordings.sort_by_key(|recording| (recording.season.name(), recording.name.clone()));
    recordings
}
