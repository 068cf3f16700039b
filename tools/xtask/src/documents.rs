//! What the programs write of themselves for shells and for the manual.

use std::env::consts::EXE_SUFFIX;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};
use pack::File;

use crate::workspace::{PROGRAMS, Workspace};

/// Shells, and how a file with completions of a program is called for each.
const SHELLS: [(&str, &str, &str); 4] =
    [("bash", "", ".bash"), ("fish", "", ".fish"), ("powershell", "_", ".ps1"), ("zsh", "_", "")];

/// Completions and pages of the manual for all programs, written by them as they are built for this machine.
///
/// # Errors
/// If a program cannot be built or does not do that.
pub fn of_programs(workspace: &Workspace) -> anyhow::Result<Vec<File>> {
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--release"]).args(PROGRAMS.iter().flat_map(|(package, _)| ["--package", package]));
    let status = cargo.current_dir(&workspace.root).status().context("cannot run cargo")?;
    ensure!(status.success(), "the programs cannot be built; the reason stands above");

    let folder = workspace.folder("archives")?.join("manual");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    let mut files = Vec::new();
    for (_, program) in PROGRAMS {
        let path = workspace.target.join("release").join(format!("{program}{EXE_SUFFIX}"));
        for (shell, before, after) in SHELLS {
            let script = run(&path, ["completions", shell])?;
            files.push(File::to_read(format!("completions/{before}{program}{after}"), script));
        }
        run(&path, [OsStr::new("manual"), folder.as_os_str()])?;
    }
    let entries = fs::read_dir(&folder).with_context(|| format!("cannot read the folder {}", folder.display()))?;
    let mut pages = entries.map(|entry| Ok(entry?.path())).collect::<anyhow::Result<Vec<_>>>()?;
    pages.sort();
    for path in pages {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let page = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        files.push(File::to_read(format!("manual/{name}"), page));
    }
    Ok(files)
}

/// What a program writes, without the defaults that the user of this machine has.
fn run<const N: usize>(program: &Path, arguments: [impl AsRef<OsStr>; N]) -> anyhow::Result<Vec<u8>> {
    let name = program.display();
    let output = Command::new(program).args(arguments).env("BLOKUS_CONFIG", "").output();
    let output = output.with_context(|| format!("cannot run {name}"))?;
    ensure!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(output.stdout)
}
