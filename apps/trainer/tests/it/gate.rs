//! `trainer gate` as a program.

use std::fs;

use super::{fail, output, run, trainer, write_prior};

#[cfg(target_os = "linux")]
#[test]
fn accepts_any_file_name() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let (file, list) = (folder.path().join("same.weights"), std::ffi::OsStr::from_bytes(b"\xff.md"));
    write_prior(&file);
    let list = folder.path().join(list);
    output(trainer("gate", &file, "--games 2 --nodes 2 --quiet").arg("--list").arg(&list));
    assert!(fs::read_to_string(&list).unwrap().contains("\u{fffd}.md"));
}

#[test]
fn gate_decides_and_resumes() {
    let folder = tempfile::tempdir().unwrap();
    let (file, list) = (folder.path().join("same.weights"), folder.path().join("list.md"));
    write_prior(&file);
    let listed = format!("--games 2 --nodes 2 --quiet --opening classic=none --list {}", list.display());
    let printed = run("gate", &file, &listed);
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
    assert_eq!(run("gate", &file, &listed), printed);
    assert_eq!(games(), [2, 2, 2]);
    run("gate", &file, &listed.replace("--games 2", "--games 4"));
    assert_eq!(games(), [4, 4, 4]);

    let comma = folder.path().join("a,b.weights");
    fs::copy(&file, &comma).unwrap();
    for (arguments, reason) in [
        (&*format!("--against {}", comma.display()), "a,b.weights: a comma"),
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
