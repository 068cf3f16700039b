//! The folder of recorded material next to the repository, which is not part of it.

use std::fmt;
use std::path::{Path, PathBuf};

use protocol::Season;

/// Recorded material. In a clone without it, tests skip the comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Material {
    /// Games with the legal moves, scores and results that the official implementation of the rules gives.
    Games(Season),
    /// Sessions of clients with the official server, and a replay that it wrote.
    Sessions(Season),
}

impl Material {
    /// All kinds of material.
    pub fn all() -> impl Iterator<Item = Self> {
        Season::ALL.into_iter().flat_map(|season| [Self::Games(season), Self::Sessions(season)])
    }

    /// The file or folder, if it is there.
    pub fn path(self) -> Option<PathBuf> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(self.location());
        path.exists().then_some(path)
    }

    /// Path relative to the folder that contains the repository.
    fn location(self) -> String {
        match self {
            Self::Games(season) => format!("shared/oracle/rules-{season}.jsonl.gz"),
            Self::Sessions(season) => format!("shared/protocol/transcripts/{season}"),
        }
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self {
            Self::Games(_) => "official games",
            Self::Sessions(_) => "official sessions",
        };
        write!(f, "{what} (../{})", self.location())
    }
}
