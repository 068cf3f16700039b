//! Zip files.

use std::io::{Cursor, Write};

use zip::ZipWriter;
use zip::result::ZipResult;
use zip::write::SimpleFileOptions;

use crate::licences::Text;

/// What the contest system calls, with the arguments that say where to play. The program's name is to be put in.
const START: &str = include_str!("../texts/start.sh");

/// What stands in the start script for the name of the program.
const PROGRAM: &str = "PROGRAM";

/// A file in an archive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// Its path there.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
    /// Whether it can be started.
    pub is_program: bool,
}

impl File {
    /// A file to read.
    pub fn to_read(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self { name: name.into(), bytes: bytes.into(), is_program: false }
    }

    /// A file to start.
    pub fn program(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self { name: name.into(), bytes: bytes.into(), is_program: true }
    }
}

/// How hard files are packed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// As usual.
    Usual,
    /// By the format's best program, Zopfli, which saves 4 % and takes seconds.
    Best,
}

impl Effort {
    /// What `zip` calls it.
    fn level(self) -> i64 {
        match self {
            Self::Usual => 9,
            Self::Best => 24,
        }
    }
}

/// Makes an archive of files, in their order. The same files give the same bytes, because no time is stored.
///
/// # Errors
/// If the archive cannot be made.
pub fn zip(files: &[File], effort: Effort) -> ZipResult<Vec<u8>> {
    let options = SimpleFileOptions::default().compression_level(Some(effort.level()));
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for File { name, bytes, is_program } in files {
        zip.start_file(name.as_str(), options.unix_permissions(if *is_program { 0o755 } else { 0o644 }))?;
        zip.write_all(bytes)?;
    }
    Ok(zip.finish()?.into_inner())
}

/// What goes into the file that is uploaded, besides the start script.
pub struct Contents<'a> {
    /// The name of the executable.
    pub name: &'a str,
    /// The executable.
    pub program: &'a [u8],
    /// Texts for whoever unpacks it.
    pub licences: &'a [Text],
}

/// Packs the file that is uploaded.
///
/// # Errors
/// If the archive cannot be made.
pub fn pack(contents: &Contents) -> ZipResult<Vec<u8>> {
    let start = START.replace(PROGRAM, contents.name);
    let mut files = vec![File::program("start.sh", start), File::program(contents.name, contents.program)];
    let licence = |text: &Text| File::to_read(format!("licences/{}", text.name), text.text.as_bytes());
    files.extend(contents.licences.iter().map(licence));
    zip(&files, Effort::Best)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;
    use std::process::Command;

    /// Unpacks with the permissions in the archive.
    fn unpacked(program: &str) -> tempfile::TempDir {
        let licences = [Text { name: "a.txt", text: "Do as you like.\n".to_owned() }];
        let contents = Contents { name: "own-client", program: program.as_bytes(), licences: &licences };
        let bytes = pack(&contents).unwrap();
        let folder = tempfile::tempdir().unwrap();
        zip::ZipArchive::new(Cursor::new(bytes)).unwrap().extract(folder.path()).unwrap();
        folder
    }

    /// Prints its arguments, each in brackets.
    const ECHO: &str = "#!/bin/sh\nprintf '[%s]' \"$@\"\nexit 5\n";

    #[test]
    fn the_start_script_passes_everything_on_from_any_folder() {
        let folder = unpacked(ECHO);
        let absolute = folder.path().join("start.sh");
        for (script, cwd) in
            [(absolute.as_path(), Path::new("/")), (Path::new("./start.sh"), folder.path()), (&absolute, folder.path())]
        {
            let arguments = ["-r", "a code", "", "--host=gameserver", "*"];
            let output = Command::new(script).args(arguments).current_dir(cwd).output().unwrap();
            assert_eq!(String::from_utf8_lossy(&output.stdout), "[-r][a code][][--host=gameserver][*]");
            assert_eq!(output.status.code(), Some(5));
        }
        let output = Command::new("/bin/sh").args(["start.sh", "1"]).current_dir(folder.path()).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "[1]");
    }

    #[test]
    fn a_program_without_its_permission_is_started_all_the_same() {
        let folder = unpacked(ECHO);
        let program = folder.path().join("own-client");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o644)).unwrap();
        let output = Command::new(folder.path().join("start.sh")).arg("1").output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "[1]");
    }

    #[test]
    fn the_start_script_is_as_the_contest_demands() {
        assert!(START.starts_with("#!/bin/sh\n") && START.ends_with('\n'));
        assert!(!START.contains('\r'));
        let script = fs::read_to_string(unpacked(ECHO).path().join("start.sh")).unwrap();
        assert!(script.contains("$folder/own-client") && !script.contains(PROGRAM));
        let mode = |name| fs::metadata(unpacked(ECHO).path().join(name)).unwrap().permissions().mode() & 0o777;
        assert_eq!([mode("start.sh"), mode("own-client"), mode("licences/a.txt")], [0o755, 0o755, 0o644]);
    }
}
