//! The programs of the players: copies of their files, and the commands that start them.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use super::folder::{Entry, FileType};
use super::sandbox;
use crate::engines::package::unpack_into;
use crate::engines::process::word;
use crate::engines::{Spec, SpecError};

/// Maximum size of an unpacked package in bytes.
const MOST_UNPACKED: u128 = 1 << 30;

/// File of a program in the folder of its version.
const PROGRAM: &str = "program";

/// Isolation of the players' programs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Isolation {
    /// In a sandbox; the path of the program `arena`, which relays the connections.
    Sandbox(PathBuf),
    /// Like any program of the user.
    Trust,
}

impl Isolation {
    /// Returns the contestant that plays for a version. A broken version only loses its own game.
    pub(super) fn contestant(&self, copies: &Path, entry: &Entry, seat: usize) -> Spec {
        let text = self.specification(copies, entry, seat);
        let spec = text.and_then(|text| text.parse().map_err(|error: SpecError| error.reason));
        spec.unwrap_or_else(|reason| cannot_play(&reason))
    }

    /// Returns the specification of a version as `arena match` accepts it.
    fn specification(&self, copies: &Path, entry: &Entry, seat: usize) -> Result<String, String> {
        let Self::Sandbox(relay) = self else {
            if let FileType::Text(text) = &entry.file_type {
                return Ok(text.clone());
            }
            let copy = copy_of(copies, entry)?;
            let folder = word(&copy.to_string_lossy());
            return Ok(format!("exec:cd {folder} && exec {}", start(entry)));
        };
        let cpu = seat % thread::available_parallelism().map_or(1, usize::from);
        if let FileType::Text(text) = &entry.file_type {
            return Ok(match text.split_once(':') {
                Some(("gtp", rest)) => {
                    let (lines, command) = rest
                        .rsplit_once('!')
                        .map_or((String::new(), rest), |(lines, command)| (format!("{lines}!"), command));
                    format!("gtp:{lines}{}", sandbox::pipe_command(relay, command, cpu))
                }
                Some(("exec", command)) => format!("exec:{}", sandbox::client_command(relay, None, command, cpu)),
                _ => text.clone(),
            });
        }
        let copy = copy_of(copies, entry)?;
        let copy = copy.canonicalize().map_err(|error| error.to_string())?;
        Ok(format!("exec:{}", sandbox::client_command(relay, Some(&copy), &start(entry), cpu)))
    }
}

/// A client that fails with this message.
fn cannot_play(reason: &str) -> Spec {
    let command = format!("exec:printf '%s\\n' {} >&2; exit 1 #", word(reason));
    command.parse().unwrap_or_else(|error| unreachable!("a command is a contestant: {error}"))
}

/// The command that starts a version in its folder.
fn start(entry: &Entry) -> String {
    match entry.file_type {
        FileType::Package => "sh ./start.sh".to_owned(),
        FileType::Jar => format!("java -jar -mx{}m ./{PROGRAM}.jar", sandbox::MEMORY),
        FileType::Program | FileType::Text(_) => format!("./{PROGRAM}"),
    }
}

/// Returns the folder with the copy of a version; creates it if necessary. The copy plays even if the file changes
/// during a game.
fn copy_of(copies: &Path, entry: &Entry) -> Result<PathBuf, String> {
    let text = |error: std::io::Error| format!("cannot copy {}: {error}", entry.path.display());
    let target = copies.join(&entry.hash[..16]);
    if target.is_dir() {
        return Ok(target);
    }
    fs::create_dir_all(copies).map_err(text)?;
    let new = tempfile::Builder::new().prefix("new-").tempdir_in(copies).map_err(text)?;
    match entry.file_type {
        FileType::Package => unpack_into(&entry.path.to_string_lossy(), new.path(), MOST_UNPACKED)?,
        FileType::Jar => _ = fs::copy(&entry.path, new.path().join(format!("{PROGRAM}.jar"))).map_err(text)?,
        _ => _ = fs::copy(&entry.path, new.path().join(PROGRAM)).map_err(text)?,
    }
    // Another thread may have made the same copy.
    match fs::rename(new.path(), &target) {
        Err(error) if !target.is_dir() => Err(text(error)),
        _ => Ok(target),
    }
}
