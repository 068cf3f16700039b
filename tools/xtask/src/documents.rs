//! Shell completions of the programs, and the notes of a release.

use std::env::consts::EXE_SUFFIX;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};
use pack::File;

use crate::workspace::{PROGRAMS, Workspace};

/// Shells, with the prefix and suffix of their completion files.
const SHELLS: [(&str, &str, &str); 4] =
    [("bash", "", ".bash"), ("fish", "", ".fish"), ("powershell", "_", ".ps1"), ("zsh", "_", "")];

/// Builds the programs for this machine and returns their completions.
///
/// # Errors
/// If a program cannot be built or run.
pub fn of_programs(workspace: &Workspace) -> anyhow::Result<Vec<File>> {
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--release"]).args(PROGRAMS.iter().flat_map(|(package, _)| ["--package", package]));
    let status = cargo.current_dir(&workspace.root).status().context("cannot run cargo")?;
    ensure!(status.success(), "cannot build the programs: see the messages of Cargo above");

    let mut files = Vec::new();
    for (_, program) in PROGRAMS {
        let path = workspace.target.join("release").join(format!("{program}{EXE_SUFFIX}"));
        for (shell, before, after) in SHELLS {
            let script = run(&path, ["completions", shell])?;
            files.push(File::to_read(format!("completions/{before}{program}{after}"), script));
        }
    }
    Ok(files)
}

/// Returns the output of a program.
fn run<const N: usize>(program: &Path, arguments: [impl AsRef<OsStr>; N]) -> anyhow::Result<Vec<u8>> {
    let name = program.display();
    let output = Command::new(program).args(arguments).output();
    let output = output.with_context(|| format!("cannot run {name}"))?;
    ensure!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(output.stdout)
}

/// Returns the entries of a version in `CHANGELOG.md`; `version` may begin with `v`.
///
/// # Errors
/// If the workspace has another version, or the version has no entries.
pub fn changes(workspace: &Workspace, version: &str) -> anyhow::Result<String> {
    let version = version.trim_start_matches('v');
    ensure!(version == workspace.version, "the workspace has version {}, not {version}", workspace.version);
    let path = workspace.root.join("CHANGELOG.md");
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    section(&text, version).with_context(|| format!("CHANGELOG.md has no entries for {version}"))
}

/// Returns the text below the heading of a version.
fn section(changelog: &str, version: &str) -> Option<String> {
    let heading = changelog.split("\n## ").skip(1).find(|part| part.split_whitespace().next() == Some(version))?;
    let entries = heading.split_once('\n')?.1.trim();
    (!entries.is_empty()).then(|| format!("{entries}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn section_ends_at_the_next_version() {
        let text = "# Changes\n\n## 1.1.0 (unreleased)\n\n## 1.0.0\n\n* one\n\n## 0.9.0\n* zero\n";
        assert_eq!(section(text, "1.0.0").unwrap(), "* one\n");
        assert_eq!(section(text, "1.1.0"), None);
        assert_eq!(section(text, "1.0"), None);
    }
}
