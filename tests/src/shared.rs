//! The folder of recorded material beside the repository.

use std::env;
use std::path::{Path, PathBuf};

/// `path` inside the folder `shared` next to the repository, or `None` in a clone that stands
/// alone; the test then says what it leaves out.
///
/// # Panics
/// If it is missing although the variable `CI` is set, so that no build passes by skipping tests.
pub fn path(path: &str) -> Option<PathBuf> {
    let full = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared").join(path);
    if full.exists() {
        return Some(full);
    }
    assert!(env::var_os("CI").is_none(), "{} is missing, and CI must not skip it", full.display());
    eprintln!("left out: {} is missing", full.display());
    None
}
