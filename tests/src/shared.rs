//! The folder of recorded material next to the repository, which is not part of it. In a clone without it, tests skip
//! the comparison.

use std::path::{Path, PathBuf};

use protocol::Season;

/// Returns the file of games with the legal moves, scores and results that the official implementation of the rules
/// gives, if it is there.
pub fn games(season: Season) -> Option<PathBuf> {
    find(format!("oracle/rules-{season}.jsonl.gz"))
}

/// Returns the folder with sessions of clients with the official server, and a replay that it wrote, if it is there.
pub fn sessions(season: Season) -> Option<PathBuf> {
    find(format!("protocol/transcripts/{season}"))
}

fn find(location: String) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared").join(location);
    path.exists().then_some(path)
}
