//! The programs of the players: copies of their files, and the commands that start them.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use super::folder::{FileType, FolderPlayer};
use super::sandbox;
use super::upload::MAX_UNPACKED;
use crate::engines::package::unpack_into;
use crate::engines::process::shell_quote;
use crate::engines::{Spec, SpecError};
use crate::files::{self, sha256};

/// File of a program in the folder of its version.
const PROGRAM: &str = "program";

/// Beginning of the names of incomplete copies.
const INCOMPLETE_PREFIX: &str = "new-";

/// Isolation of the players' programs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Isolation {
    /// In a sandbox; the path of the program `arena`, which relays the connections.
    Sandbox(PathBuf),
    /// No isolation: the user's rights.
    Trust,
}

impl Isolation {
    /// Returns the contestant that plays for a version. A version that cannot start loses only its own game.
    pub(super) fn contestant(&self, copies: &Path, player: &FolderPlayer, thread: usize) -> Spec {
        let text = self.specification(copies, player, thread);
        let spec = text.and_then(|text| text.parse().map_err(|error: SpecError| error.reason));
        spec.unwrap_or_else(|reason| cannot_play(&reason))
    }

    /// Returns the specification of a version as `arena match` accepts it.
    fn specification(&self, copies: &Path, player: &FolderPlayer, thread: usize) -> Result<String, String> {
        let cpu = thread % thread::available_parallelism().map_or(1, usize::from);
        Ok(match (&player.file_type, self) {
            (FileType::Text(text), Self::Trust) => text.clone(),
            (FileType::Text(text), Self::Sandbox(relay)) => match text.split_once(':') {
                Some(("gtp", rest)) => {
                    let (lines, command) = rest.split_at(rest.rfind('!').map_or(0, |end| end + 1));
                    format!("gtp:{lines}{}", sandbox::pipe_command(relay, command, cpu))
                }
                Some(("exec", command)) => format!("exec:{}", sandbox::client_command(relay, None, command, cpu)),
                _ => text.clone(),
            },
            (_, Self::Trust) => {
                let folder = copy_of(copies, player)?;
                format!("exec:cd {} && exec {}", shell_quote(&folder.to_string_lossy()), start_command(player))
            }
            (_, Self::Sandbox(relay)) => {
                let folder = copy_of(copies, player)?.canonicalize().map_err(|error| error.to_string())?;
                format!("exec:{}", sandbox::client_command(relay, Some(&folder), &start_command(player), cpu))
            }
        })
    }
}

/// Returns a client that fails with this message.
fn cannot_play(reason: &str) -> Spec {
    let command = format!("exec:printf '%s\\n' {} >&2; exit 1 #", shell_quote(reason));
    command.parse().unwrap_or_else(|error| unreachable!("a command is a contestant: {error}"))
}

/// Returns the command that starts a version in its folder.
fn start_command(player: &FolderPlayer) -> String {
    match player.file_type {
        FileType::Package => "sh ./start.sh".to_owned(),
        FileType::Jar => format!("java -jar -mx{}m ./{PROGRAM}.jar", sandbox::MEMORY),
        FileType::Program | FileType::Text(_) => format!("./{PROGRAM}"),
    }
}

/// Returns the folder with the copy of a version; creates it if necessary. The copy plays even if the file changes
/// during a game.
fn copy_of(copies: &Path, player: &FolderPlayer) -> Result<PathBuf, String> {
    let copy_error = |error: std::io::Error| format!("cannot copy {}: {error}", player.path.display());
    let target = copies.join(name_of_copy(&player.hash));
    if target.is_dir() {
        return Ok(target);
    }
    fs::create_dir_all(copies).map_err(copy_error)?;
    let new = tempfile::Builder::new().prefix(INCOMPLETE_PREFIX).tempdir_in(copies).map_err(copy_error)?;
    let file = match player.file_type {
        FileType::Package => new.path().with_extension("zip"),
        FileType::Jar => new.path().join(format!("{PROGRAM}.jar")),
        _ => new.path().join(PROGRAM),
    };
    fs::copy(&player.path, &file).map_err(copy_error)?;
    let is_same = sha256(files::read(&file).map_err(copy_error)?) == player.hash;
    if player.file_type == FileType::Package {
        let unpacked = if is_same { unpack_into(&file, new.path(), MAX_UNPACKED.into()) } else { Ok(()) };
        fs::remove_file(&file).map_err(copy_error)?;
        unpacked.map_err(|reason| format!("cannot unpack {}.zip: {reason}", player.name))?;
    }
    if !is_same {
        return Err(format!("{} has changed", player.path.display()));
    }
    // Another thread may have made the same copy.
    match fs::rename(new.path(), &target) {
        Err(error) if !target.is_dir() => Err(copy_error(error)),
        _ => Ok(target),
    }
}

fn name_of_copy(hash: &str) -> &str {
    &hash[..16]
}

/// Deletes the copies of all versions whose hash is not in `used`; if `is_idle` (no thread is copying), also incomplete
/// copies.
pub(super) fn delete_copies(copies: &Path, used: &HashSet<&str>, is_idle: bool) {
    let used: HashSet<&str> = used.iter().map(|hash| name_of_copy(hash)).collect();
    for copy in fs::read_dir(copies).into_iter().flatten().flatten() {
        let is_kept = |name: &str| used.contains(name) || name.starts_with(INCOMPLETE_PREFIX) && !is_idle;
        if copy.file_name().to_str().is_some_and(is_kept) {
            continue;
        }
        let path = copy.path();
        let deleted = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        deleted.unwrap_or_else(|error| log::warn!("cannot delete {}: {error}", path.display()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(path: &Path, text: &str) -> FolderPlayer {
        let file_type = FileType::Program;
        FolderPlayer { name: "a".to_owned(), path: path.to_owned(), hash: sha256(text), file_type }
    }

    #[test]
    fn copies_contain_their_version_until_it_is_gone() {
        let place = tempfile::tempdir().unwrap();
        let (path, copies) = (place.path().join("a"), place.path().join("copies"));
        fs::write(&path, "one").unwrap();
        let one = player(&path, "one");
        let copy = copy_of(&copies, &one).unwrap();
        assert_eq!(fs::read(copy.join(PROGRAM)).unwrap(), b"one");
        // The file has changed since the folder was read.
        assert!(copy_of(&copies, &player(&path, "two")).unwrap_err().contains("has changed"));
        assert_eq!(fs::read_dir(&copies).unwrap().count(), 1);

        fs::create_dir(copies.join("new-1")).unwrap();
        delete_copies(&copies, &HashSet::from([one.hash.as_str()]), false);
        assert_eq!(fs::read_dir(&copies).unwrap().count(), 2);
        delete_copies(&copies, &HashSet::from([one.hash.as_str()]), true);
        assert_eq!(fs::read_dir(&copies).unwrap().count(), 1);
        delete_copies(&copies, &HashSet::new(), false);
        assert_eq!(fs::read_dir(&copies).unwrap().count(), 0);
    }
}
