//! The licences of everything that is linked into the extension.

use std::collections::BTreeMap;

use pyo3::prelude::*;

/// The texts, gathered by `build.rs`, with the names of their files.
const TEXTS: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/licences.rs"));

/// The licences of everything that is linked into the extension, by the names of their files; whoever gives it away
/// gives them away, too.
#[pyfunction]
pub fn licences() -> BTreeMap<&'static str, &'static str> {
    TEXTS.iter().copied().collect()
}
