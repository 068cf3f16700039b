//! The file that is uploaded.

use std::io::{Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::licences::Text;

/// What the contest system calls, with the arguments that say where to play. The program's name is to be put in.
const START: &str = include_str!("../texts/start.sh");

/// What stands in the start script for the name of the program.
const PROGRAM: &str = "PROGRAM";

/// What goes into the file besides the start script.
pub struct Contents<'a> {
    /// The name of the executable.
    pub name: &'a str,
    /// The executable.
    pub program: &'a [u8],
    /// Texts for whoever unpacks it.
    pub licences: &'a [Text],
}

/// How hard it is packed: beyond 9, `zip` uses the format's best program, Zopfli, which saves 4 % and takes seconds.
const COMPRESSION: i64 = 24;

/// Packs everything. The same contents give the same bytes, because no time is stored.
///
/// # Errors
/// If the archive cannot be written.
pub fn pack(contents: &Contents) -> zip::result::ZipResult<Vec<u8>> {
    let options = SimpleFileOptions::default().compression_level(Some(COMPRESSION));
    let (executable, readable) = (options.unix_permissions(0o755), options.unix_permissions(0o644));
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file("start.sh", executable)?;
    zip.write_all(START.replace(PROGRAM, contents.name).as_bytes())?;
    zip.start_file(contents.name, executable)?;
    zip.write_all(contents.program)?;
    for licence in contents.licences {
        zip.start_file(format!("licences/{}", licence.name), readable)?;
        zip.write_all(licence.text.as_bytes())?;
    }
    Ok(zip.finish()?.into_inner())
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
