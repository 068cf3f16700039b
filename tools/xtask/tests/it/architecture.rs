//! Dependencies between the crates.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use cargo_metadata::MetadataCommand;

/// Prefix of published packages, whose short names are taken.
const PREFIX: &str = "blokus-";

/// Returns the name of a package without the prefix.
fn short(package: &str) -> &str {
    package.strip_prefix(PREFIX).unwrap_or(package)
}

/// Allowed dependencies, also in tests and examples. A crate depends only on crates above it.
const DEPENDENCIES: [(&str, &[&str]); 17] = [
    ("game", &[]),
    ("pack", &[]),
    ("cli", &["game"]),
    ("protocol", &["game"]),
    ("picture", &["game"]),
    ("player", &["game"]),
    ("record", &["game", "protocol"]),
    ("server", &["game", "protocol"]),
    ("arena", &["cli", "game", "picture", "player", "protocol", "record", "server"]),
    ("trainer", &["cli", "game", "player", "record"]),
    ("board", &["arena", "cli", "game", "picture", "player", "protocol", "record"]),
    ("site", &["board", "game", "player"]),
    ("client", &["cli", "game", "pack", "picture", "player", "protocol", "record", "server"]),
    ("python", &["board", "cli", "client", "game", "pack", "picture", "player", "record"]),
    ("perft", &["cli", "game"]),
    ("tests", &["arena", "client", "game", "perft", "picture", "player", "protocol", "record", "server"]),
    ("xtask", &["board", "pack"]),
];

fn manifest() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.toml")
}

#[test]
fn dependencies_match_the_table() {
    let metadata = MetadataCommand::new().manifest_path(manifest()).no_deps().exec().unwrap();
    let own: BTreeSet<&str> = metadata.packages.iter().map(|package| short(&package.name)).collect();
    let arrows: BTreeMap<&str, BTreeSet<&str>> = metadata
        .packages
        .iter()
        .map(|package| {
            let known = package.dependencies.iter().map(|dependency| short(&dependency.name));
            (short(&package.name), known.filter(|name| own.contains(name)).collect())
        })
        .collect();
    let table = DEPENDENCIES.map(|(name, known)| (name, known.iter().copied().collect()));
    assert_eq!(arrows, BTreeMap::from(table), "the crates and the table of this test must agree");
}

#[test]
fn dependencies_stand_above_their_users() {
    for (n, (name, known)) in DEPENDENCIES.iter().enumerate() {
        for other in *known {
            assert!(
                DEPENDENCIES[..n].iter().any(|(above, _)| above == other),
                "{name} depends on {other}, which stands below it"
            );
        }
    }
}

#[test]
fn client_builds_without_a_c_compiler() {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--package", "blokus-client", "--edges", "normal,build", "--prefix", "none"])
        .arg("--manifest-path")
        .arg(manifest())
        .output()
        .unwrap();
    let tree = String::from_utf8(output.stdout).unwrap();
    let names: BTreeSet<&str> = tree.lines().filter_map(|line| line.split(' ').next()).map(short).collect();
    assert!(output.status.success() && names.contains("player"), "{}", String::from_utf8_lossy(&output.stderr));
    for compiler in ["cc", "cmake", "pkg-config"] {
        assert!(!names.contains(compiler), "the client builds with the crate {compiler}");
    }
}
