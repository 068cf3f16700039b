//! Licences of all packages in the extension.

use std::collections::BTreeMap;

use pyo3::prelude::*;

/// The texts, gathered by `build.rs`, with the names of their files.
const TEXTS: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/licences.rs"));

/// Returns the licences of all packages in the extension by file name. Copies of the extension must include them.
#[pyfunction]
pub fn licences() -> BTreeMap<&'static str, &'static str> {
    TEXTS.iter().copied().collect()
}
