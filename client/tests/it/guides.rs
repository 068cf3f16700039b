//! The guides for users name every line that the client writes into its log.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The source files below a folder, without those of the engine, which has a guide of its own.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("gtp") {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// The format strings of the log lines in a source file.
fn formats(source: &str) -> impl Iterator<Item = &str> {
    let calls = ["error", "warn", "info", "debug", "trace"].into_iter().flat_map(move |level| {
        source.split("log::").filter_map(move |rest| rest.strip_prefix(level)?.strip_prefix("!("))
    });
    calls.filter_map(|call| call.trim_start_matches("target: \"summary\", ").split('"').nth(1))
}

/// What stands between the placeholders of a format string.
fn fixed_parts(format: &str) -> impl Iterator<Item = &str> {
    format.split('{').filter_map(|part| part.rsplit('}').next()).map(str::trim).filter(|part| !part.is_empty())
}

#[test]
fn every_log_line_is_explained_in_both_languages() {
    let guides = ["docs/contest.md", "docs/wettbewerb.md"]
        .map(|name| (name, read(&root().join(name)).split_whitespace().collect::<Vec<_>>().join(" ")));
    let mut lines = 0;
    for file in ["client/src", "player/src"].iter().flat_map(|folder| sources(&root().join(folder))) {
        let source = read(&file);
        for format in formats(&source) {
            lines += 1;
            for (name, guide) in &guides {
                let missing = fixed_parts(format).find(|part| !guide.contains(part));
                assert_eq!(missing, None, "{name} lacks a part of `{format}` in {}", file.display());
            }
        }
    }
    assert!(lines > 25, "only {lines} lines found");
}
