//! Paths and version of the workspace.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use cargo_metadata::MetadataCommand;
use pack::Client;

/// Packages whose programs are released, with the names of the programs.
pub const PROGRAMS: [(&str, &str); 3] = [("blokus-client", "client"), ("arena", "arena"), ("board", "board")];

/// The workspace that `xtask` was built in.
pub struct Workspace {
    /// Root folder.
    pub root: PathBuf,
    /// The root `Cargo.toml`.
    pub manifest: PathBuf,
    /// Cargo's target folder.
    pub target: PathBuf,
    /// Version of all packages.
    pub version: String,
}

impl Workspace {
    /// Finds the workspace by `cargo metadata`.
    ///
    /// # Errors
    /// If `cargo metadata` fails.
    pub fn find() -> anyhow::Result<Self> {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        let metadata = MetadataCommand::new().manifest_path(manifest).no_deps().exec();
        let metadata = metadata.context("cannot ask Cargo for the packages of the workspace")?;
        let package = metadata.packages.iter().find(|package| package.name == "blokus-client");
        let version = package.context("the workspace has a client")?.version.to_string();
        let root = metadata.workspace_root.into_std_path_buf();
        let manifest = root.join("Cargo.toml");
        Ok(Self { root, manifest, target: metadata.target_directory.into_std_path_buf(), version })
    }

    /// Returns the contest client.
    pub fn client(&self) -> Client<'_> {
        let (package, program) = PROGRAMS[0];
        Client { manifest: &self.manifest, package, program }
    }

    /// Creates the folder `name` in the target folder and returns its path.
    ///
    /// # Errors
    /// If the folder cannot be created.
    pub fn folder(&self, name: &str) -> anyhow::Result<PathBuf> {
        let folder = self.target.join(name);
        fs::create_dir_all(&folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
        Ok(folder)
    }
}
