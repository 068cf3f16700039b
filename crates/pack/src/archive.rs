//! Zip files.

use std::io::{Cursor, Write};

use zip::ZipWriter;
use zip::result::ZipResult;
use zip::write::SimpleFileOptions;

use crate::licences::LicenceText;

/// Start script: the contest system calls it with the arguments of the client.
const START: &str = include_str!("../texts/start.sh");

/// Placeholder for the name of the program in the start script.
const PROGRAM: &str = "PROGRAM";

/// A file in an archive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// Path in the archive.
    pub name: String,
    /// Contents.
    pub bytes: Vec<u8>,
    /// `true` if the file is executable.
    pub is_program: bool,
}

impl File {
    /// Creates a plain file.
    pub fn to_read(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self { name: name.into(), bytes: bytes.into(), is_program: false }
    }

    /// Creates an executable file.
    pub fn program(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self { name: name.into(), bytes: bytes.into(), is_program: true }
    }
}

/// Packs files in the given order. The same files give the same bytes, because no time is stored.
///
/// # Errors
/// If the archive cannot be written.
pub fn zip(files: &[File]) -> ZipResult<Vec<u8>> {
    let options = SimpleFileOptions::default().compression_level(Some(9));
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for File { name, bytes, is_program } in files {
        zip.start_file(name.as_str(), options.unix_permissions(if *is_program { 0o755 } else { 0o644 }))?;
        zip.write_all(bytes)?;
    }
    Ok(zip.finish()?.into_inner())
}

/// Packs the contest file: a program with its name, the start script, and licences.
///
/// # Errors
/// If the archive cannot be written.
pub fn pack(name: &str, program: Vec<u8>, licences: Vec<LicenceText>) -> ZipResult<Vec<u8>> {
    let mut files = vec![File::program("start.sh", START.replace(PROGRAM, name)), File::program(name, program)];
    files.extend(licences.into_iter().map(|licence| File::to_read(format!("licences/{}", licence.name), licence.text)));
    zip(&files)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;
    use std::process::Command;

    /// Packs a program and unpacks the archive with its permissions.
    fn unpacked(program: &str) -> tempfile::TempDir {
        let licences = vec![LicenceText { name: "a.txt", text: "Do as you like.\n".to_owned() }];
        let bytes = pack("own-client", program.into(), licences).unwrap();
        let folder = tempfile::tempdir().unwrap();
        zip::ZipArchive::new(Cursor::new(bytes)).unwrap().extract(folder.path()).unwrap();
        folder
    }

    /// Prints its arguments, each in brackets.
    const ECHO: &str = "#!/bin/sh\nprintf '[%s]' \"$@\"\nexit 5\n";

    #[test]
    fn start_script_passes_arguments_from_any_folder() {
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
    fn start_script_restores_a_lost_permission() {
        let folder = unpacked(ECHO);
        let program = folder.path().join("own-client");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o644)).unwrap();
        let output = Command::new(folder.path().join("start.sh")).arg("1").output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "[1]");
    }

    #[test]
    fn start_script_is_executable_and_names_the_program() {
        assert!(START.starts_with("#!/bin/sh\n") && START.ends_with('\n'));
        assert!(!START.contains('\r'));
        let script = fs::read_to_string(unpacked(ECHO).path().join("start.sh")).unwrap();
        assert!(script.contains("$folder/own-client") && !script.contains(PROGRAM));
        let mode = |name| fs::metadata(unpacked(ECHO).path().join(name)).unwrap().permissions().mode() & 0o777;
        assert_eq!([mode("start.sh"), mode("own-client"), mode("licences/a.txt")], [0o755, 0o755, 0o644]);
    }
}
