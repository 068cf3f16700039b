//! The board as a static site: the page, and the crate `site` as WebAssembly.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use pack::ensure_target_is_installed;

use crate::workspace::Workspace;

const TARGET: &str = "wasm32-unknown-unknown";

/// Compiler options: bitboards and networks use vectors of 128 bits, as all browsers since 2023 do.
const OPTIONS: &str = "-Ctarget-feature=+simd128";

/// Folder of the program that generates the JavaScript, a separate workspace.
const WASM_TO_JS: &str = "tools/wasm-to-js";

/// Builds the site into `folder`, by default `target/site`.
///
/// # Errors
/// If the target is missing, the build fails, or the folder cannot be written.
pub fn build(folder: Option<PathBuf>) -> anyhow::Result<()> {
    ensure_target_is_installed(TARGET)?;
    let Workspace { root, target, .. } = Workspace::find()?;
    let folder = folder.unwrap_or_else(|| target.join("site"));
    let status = Command::new("cargo")
        .args(["build", "--release", "--package", "site", "--lib", "--target", TARGET])
        .env("CARGO_ENCODED_RUSTFLAGS", OPTIONS)
        .current_dir(&root)
        .status()
        .context("cannot run cargo")?;
    ensure!(status.success(), "cannot build the site: see the messages of Cargo above");

    let name = |path: &Path| format!("cannot write {}", path.display());
    fs::create_dir_all(&folder).with_context(|| name(&folder))?;
    let status = Command::new("cargo")
        .args(["run", "--quiet", "--locked", "--manifest-path"])
        .arg(root.join(WASM_TO_JS).join("Cargo.toml"))
        .arg("--target-dir")
        .arg(&target)
        .arg("--")
        .arg(target.join(TARGET).join("release/site.wasm"))
        .arg(&folder)
        .status()
        .context("cannot run cargo")?;
    ensure!(status.success(), "cannot generate the JavaScript of the site: see the messages above");
    for (file, text) in board::page::alone() {
        let path = folder.join(file);
        fs::write(&path, text).with_context(|| name(&path))?;
    }
    println!("{}", folder.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_workspaces_use_one_version_of_wasm_bindgen() {
        let root = Workspace::find().unwrap().root;
        let version = |folder: &Path, package: &str| {
            let text = fs::read_to_string(folder.join("Cargo.lock")).unwrap();
            let mut lines = text.lines().skip_while(|line| *line != format!("name = \"{package}\""));
            lines.nth(1).unwrap_or_else(|| panic!("no {package} in {}", folder.display())).to_owned()
        };
        let linked = version(&root, "wasm-bindgen");
        let generator = version(&root.join(WASM_TO_JS), "wasm-bindgen-cli-support");
        assert_eq!(linked, generator, "update the other version in the lock file of {WASM_TO_JS}");
        assert!(linked.starts_with("version = "), "{linked}");
    }
}
