//! Where the file of defaults is.

use std::env;
use std::path::PathBuf;

use etcetera::BaseStrategy;

/// The variable of the environment that names another file than the user's own; if it is empty, none is read.
pub const VARIABLE: &str = "BLOKUS_CONFIG";

/// Where a program finds its defaults if no option names a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// Nowhere: it must do the same on every machine.
    Named,
    /// In `blokus/config.toml` in the user's folder of settings (`~/.config`, on Windows `%APPDATA%`), if that is
    /// there; or in the file that the variable [`VARIABLE`] names.
    User,
}

impl Source {
    /// The file, and whether it may be missing.
    pub(crate) fn file(self) -> Option<(PathBuf, bool)> {
        match (self, env::var_os(VARIABLE)) {
            (Self::Named, _) => None,
            (Self::User, Some(path)) => (!path.is_empty()).then(|| (path.into(), false)),
            (Self::User, None) => {
                // Who has no home has no settings.
                let folder = etcetera::choose_base_strategy().ok()?.config_dir();
                Some((folder.join("blokus").join("config.toml"), true))
            }
        }
    }
}
