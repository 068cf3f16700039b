//! `trainer gate` as a program.

use std::fs;

use std::ffi::OsStr;

use super::{fail, output, trainer, write_prior};

#[test]
fn gate_decides_and_resumes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("same.weights");
    write_prior(&file);
    // Files may have any name.
    #[cfg(target_os = "linux")]
    let list: &OsStr = std::os::unix::ffi::OsStrExt::from_bytes(b"\xff.md");
    #[cfg(not(target_os = "linux"))]
    let list = OsStr::new("list.md");
    let list = folder.path().join(list);
    let gate = |games: u32| {
        let options = format!("--games {games} --nodes 2 --quiet --opening classic=none --list");
        output(trainer("gate", &file, &options).arg(&list))
    };
    let printed = gate(2);
    let lines: Vec<&str> = printed.lines().collect();
    assert!(lines.len() == 4 && lines[0].starts_with("2027: ") && lines[0].contains("of 2"), "{printed}");
    assert!(lines[2].starts_with("classic: ") && lines[3] == "undecided", "{printed}");
    let section = fs::read_to_string(&list).unwrap();
    let parts = ["## prior ", ": undecided", "`test`"];
    assert!(lines[..3].iter().chain(&parts).all(|part| section.contains(part)), "{section}");

    let games = || {
        let store = arena::database::Store::open(&folder.path().join("same.gate.sqlite")).unwrap();
        store.matches().unwrap().iter().map(|stored| stored.games).collect::<Vec<_>>()
    };
    assert_eq!(games(), [2, 2, 2]);
    assert!(gate(4).starts_with("2027: "));
    assert_eq!(games(), [4, 4, 4]);

    let comma = folder.path().join("a,b.weights");
    fs::copy(&file, &comma).unwrap();
    for (arguments, reason) in [
        (&*format!("--against {}", comma.display()), "a,b.weights: the path of weights"),
        (
            "--opening 2021=random:6 --opening 2027=none --opening 2021=random:2",
            "2021 cannot begin with both random:6 and random:2",
        ),
        ("--games 3", "--games 3"),
        ("--opening 2027", "expected RULES=OPENING"),
        ("--opening 1999=none", "`1999`"),
        ("--against missing.weights", "missing.weights"),
    ] {
        let error = fail("gate", &file, arguments);
        assert!(error.contains(reason), "{arguments}: {error}");
    }
}
