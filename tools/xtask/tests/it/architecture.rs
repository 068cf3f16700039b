//! The arrows between the crates.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use cargo_metadata::MetadataCommand;

/// Prefix of published package names; the short names are taken.
const PREFIX: &str = "blokus-";

/// The name of a package without what all published ones begin with.
fn short(package: &str) -> &str {
    package.strip_prefix(PREFIX).unwrap_or(package)
}

/// What each crate knows of the others, in tests and examples, too. It names crates above it alone, so that
/// there is no cycle.
const KNOWS: [(&str, &[&str]); 17] = [
    ("game", &[]),
    ("pack", &[]),
    ("cli", &["game"]),
    ("protocol", &["game"]),
    ("picture", &["game"]),
    ("player", &["game"]),
    ("record", &["game", "protocol"]),
    ("server", &["game", "protocol"]),
    ("arena", &["cli", "game", "picture", "player", "protocol", "record", "server"]),
    ("trainer", &["arena", "cli", "game", "player", "record"]),
    ("board", &["arena", "cli", "game", "picture", "player", "protocol", "record"]),
    ("site", &["board", "game", "player"]),
    ("client", &["cli", "game", "pack", "picture", "player", "protocol", "record", "server"]),
    ("perft", &["cli", "game"]),
    ("tour", &["game", "picture", "player", "protocol"]),
    ("tests", &["arena", "cli", "client", "game", "perft", "picture", "player", "protocol", "record", "server"]),
    ("xtask", &["board", "pack"]),
];

fn manifest() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.toml")
}

#[test]
fn crates_know_those_of_the_table_and_no_others() {
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
    let table = KNOWS.map(|(name, known)| (name, known.iter().copied().collect()));
    assert_eq!(arrows, BTreeMap::from(table), "the crates and the table of this test must agree");
}

#[test]
fn no_arrow_of_the_table_points_upwards() {
    for (n, (name, known)) in KNOWS.iter().enumerate() {
        for other in *known {
            assert!(KNOWS[..n].iter().any(|(above, _)| above == other), "{name} knows {other}, which stands below it");
        }
    }
}

/// The client must build with Rust alone.
#[test]
fn the_client_needs_no_compiler_of_c() {
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
