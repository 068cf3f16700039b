//! A disk that is soon full.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What the disk holds, as the option of a file system in memory.
const SIZE: &str = "size=400k";

/// A command that starts a program with a small disk in the place of a folder. Nobody but this program sees it, and it
/// is gone when the program has ended.
pub fn command(folder: &Path, program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new("unshare");
    let start = format!("mount -t tmpfs -o {SIZE} tmpfs \"$1\" && shift && exec \"$@\"");
    command.args(["--map-root-user", "--mount", "sh", "-c", &start, "sh"]).arg(folder).arg(program);
    command
}

/// Whether this system lets whoever runs the tests have such disks.
pub fn can_be_made() -> bool {
    let Ok(folder) = tempfile::tempdir() else { return false };
    let status = command(folder.path(), "true").stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// What fills the small disk of a process.
#[derive(Debug)]
pub struct Filling(PathBuf);

impl Filling {
    /// Fills the disk that a process has in the place of a folder to its last byte.
    ///
    /// # Panics
    /// If something other than the lack of room stops it.
    pub fn of(process: u32, folder: &Path) -> Self {
        let inside = folder.strip_prefix("/").expect("an absolute path");
        let path = Path::new("/proc").join(process.to_string()).join("root").join(inside).join("filling");
        let mut file = File::create(&path).expect("a file needs no room yet");
        for size in [4096, 1] {
            let error = loop {
                if let Err(error) = file.write_all(&vec![0; size]) {
                    break error;
                }
            };
            assert_eq!(error.kind(), ErrorKind::StorageFull, "{error}");
        }
        Self(path)
    }

    /// Makes room again.
    ///
    /// # Panics
    /// If the process or its disk is gone.
    pub fn remove(self) {
        fs::remove_file(&self.0).expect("the disk is there");
    }
}
