//! Where things are.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use cargo_metadata::MetadataCommand;

/// The packages whose programs go into archives, and what these are called.
pub const PROGRAMS: [(&str, &str); 3] = [("blokus-client", "client"), ("arena", "arena"), ("board", "board")];

/// The workspace that this program belongs to.
pub struct Workspace {
    /// Its folder.
    pub root: PathBuf,
    /// The target folder of Cargo.
    pub target: PathBuf,
    /// The version of its packages.
    pub version: String,
}

impl Workspace {
    /// Asks Cargo for it.
    ///
    /// # Errors
    /// If Cargo does not answer.
    pub fn find() -> anyhow::Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("the workspace has a folder")?.to_owned();
        let metadata = MetadataCommand::new().manifest_path(root.join("Cargo.toml")).no_deps().exec();
        let metadata = metadata.context("cannot ask Cargo for the packages of the workspace")?;
        let package = metadata.packages.iter().find(|package| package.name == "blokus-client");
        let version = package.context("the workspace has a client")?.version.to_string();
        Ok(Self { root, target: metadata.target_directory.into_std_path_buf(), version })
    }

    /// Its manifest.
    pub fn manifest(&self) -> PathBuf {
        self.root.join("Cargo.toml")
    }

    /// A folder for what is made, among what Cargo makes.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn folder(&self, name: &str) -> anyhow::Result<PathBuf> {
        let folder = self.target.join(name);
        fs::create_dir_all(&folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        Ok(folder)
    }
}
