//! The folder of a league: each file is a player.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::LeagueError;
use crate::engines::Spec;
use crate::files::{self, sha256};

/// Minimum age of a file: younger ones may still be copied.
const MIN_AGE: Duration = Duration::from_secs(1);

/// Extensions that are not part of a player's name.
pub(super) const EXTENSIONS: [&str; 5] = ["zip", "jar", "player", "sh", "py"];

/// Type of a player's file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileType {
    /// A contest package.
    Package,
    /// A Java program.
    Jar,
    /// An executable.
    Program,
    /// A player specification.
    Text(String),
}

/// A player of the folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FolderPlayer {
    /// Name of the file without its ending.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// Hash of its content.
    pub hash: String,
    /// Its type.
    pub file_type: FileType,
}

impl FolderPlayer {
    /// Returns the name and the hash. A change of either makes another version.
    pub(super) fn version(&self) -> (&str, &str) {
        (&self.name, &self.hash)
    }
}

/// Reads a folder repeatedly. The file of a player is read again only if its size or time changed.
#[derive(Debug)]
pub struct PlayerFolder {
    path: PathBuf,
    known: HashMap<PathBuf, (u64, SystemTime, FolderPlayer)>,
}

impl PlayerFolder {
    /// Creates a reader of a folder. Reads nothing yet.
    pub fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), known: HashMap::new() }
    }

    /// Returns the players sorted by name, and remarks about files that cannot play.
    pub fn read(&mut self) -> Result<(Vec<FolderPlayer>, Vec<String>), LeagueError> {
        let error = |source| LeagueError::Folder { path: self.path.clone(), source };
        let mut paths = Vec::new();
        for entry in fs::read_dir(&self.path).map_err(error)? {
            paths.push(entry.map_err(error)?.path());
        }
        paths.sort();
        let (mut players, mut remarks) = (BTreeMap::new(), Vec::new());
        for path in paths {
            match self.player_of(&path) {
                Ok(Some(player)) => match players.get(&player.name) {
                    None => _ = players.insert(player.name.clone(), player),
                    Some(first) => {
                        let (path, first) = (path.display(), first.path.display());
                        remarks.push(format!("{path} is ignored: {first} has the same player name"));
                    }
                },
                Ok(None) => {}
                Err(reason) => remarks.push(format!("{} is ignored: {reason}", path.display())),
            }
        }
        Ok((players.into_values().collect(), remarks))
    }

    /// Returns the player of a file; `None` if it is none, or changes at the moment.
    fn player_of(&mut self, path: &Path) -> Result<Option<FolderPlayer>, String> {
        let file_name = path.file_name().and_then(|name| name.to_str()).ok_or("its name is not UTF-8")?;
        let Ok(metadata) = fs::metadata(path) else { return Ok(None) };
        if file_name.starts_with('.') || file_name.starts_with(super::DATABASE) || !metadata.is_file() {
            return Ok(None);
        }
        let modified = metadata.modified().map_err(|error| error.to_string())?;
        if let Some((size, time, player)) = self.known.get(path)
            && (*size, *time) == (metadata.len(), modified)
        {
            return Ok(Some(player.clone()));
        }
        if modified.elapsed().is_ok_and(|age| age < MIN_AGE) {
            // The old version plays until the new one is complete.
            return Ok(self.known.get(path).map(|(_, _, player)| player.clone()));
        }
        let (stem, ending) = match file_name.rsplit_once('.') {
            Some((stem, ending)) if !stem.is_empty() => (stem, ending.to_ascii_lowercase()),
            _ => (file_name, String::new()),
        };
        let (stem, ending) = if EXTENSIONS.contains(&&*ending) { (stem, &*ending) } else { (file_name, "") };
        let file_type = match ending {
            "zip" => FileType::Package,
            "jar" => FileType::Jar,
            "player" => {
                let text = files::read_text(path).map_err(|error| error.to_string())?.trim().to_owned();
                if text.is_empty() || text.contains('\n') {
                    return Err("expected one line with a player specification".to_owned());
                }
                text.parse::<Spec>().map_err(|error| error.reason)?;
                FileType::Text(text)
            }
            _ if is_executable(&metadata) => FileType::Program,
            _ => return Err("it is not executable".to_owned()),
        };
        let hash = match &file_type {
            FileType::Text(text) => sha256(text),
            _ => sha256(files::read(path).map_err(|error| error.to_string())?),
        };
        let player = FolderPlayer { name: stem.to_owned(), path: path.to_owned(), hash, file_type };
        self.known.insert(path.to_owned(), (metadata.len(), modified, player.clone()));
        Ok(Some(player))
    }
}

#[cfg(unix)]
fn is_executable(metadata: &fs::Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &fs::Metadata) -> bool {
    true
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn write(path: &Path, text: &str, age: u64) {
        fs::write(path, text).unwrap();
        let file = fs::File::options().write(true).open(path).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
    }

    #[test]
    fn finds_players_and_ignores_other_files() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        // As saved by Windows.
        write(&path("a.player"), "\u{feff}random\r\n", 9);
        write(&path("a.zip"), "", 9);
        write(&path("b-1.5.sh"), "exit", 9);
        fs::set_permissions(path("b-1.5.sh"), fs::Permissions::from_mode(0o755)).unwrap();
        write(&path("c.ZIP"), "", 9);
        write(&path("notes.txt"), "", 9);
        write(&path("typo.player"), "rondom", 9);
        write(&path(super::super::DATABASE), "", 9);
        let (players, remarks) = PlayerFolder::new(place.path()).read().unwrap();
        let found: Vec<_> = players.iter().map(|player| (player.name.as_str(), &player.file_type)).collect();
        assert_eq!(
            found,
            [("a", &FileType::Text("random".to_owned())), ("b-1.5", &FileType::Program), ("c", &FileType::Package)]
        );
        assert_eq!(remarks.len(), 3, "{remarks:?}");
        assert!(remarks[0].ends_with("a.player has the same player name") && remarks[2].contains("`rondom`"));
    }

    #[test]
    fn new_content_replaces_old_when_complete() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a.player");
        let mut folder = PlayerFolder::new(place.path());
        let mut hash = || folder.read().unwrap().0.pop().map(|player| player.hash);
        write(&path, "random", 0);
        assert_eq!(hash(), None);
        write(&path, "random", 9);
        let first = hash();
        assert!(first.is_some());
        write(&path, "heuristic", 0);
        assert_eq!(hash(), first);
        write(&path, "heuristic", 8);
        assert_ne!(hash(), first);
        write(&path, "random\n", 7);
        assert_eq!(hash(), first);
    }
}
