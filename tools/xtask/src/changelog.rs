//! The notes of a release.

use std::fs;

use anyhow::{Context, ensure};

use crate::workspace::Workspace;

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
