//! The location of the file of defaults.

use std::env;
use std::path::PathBuf;

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
            (Self::User, None) => Some((config_folder()?.join("blokus").join("config.toml"), true)),
        }
    }
}

/// The user's folder of settings; `None` without a home.
fn config_folder() -> Option<PathBuf> {
    let absolute = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    if cfg!(windows) {
        return absolute("APPDATA");
    }
    absolute("XDG_CONFIG_HOME").or_else(|| Some(env::home_dir()?.join(".config")))
}
