//! Endless input files.

use super::folder::Folder;

#[test]
fn commands_reject_endless_files() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("searches")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", folder.path("searches/endless.json")).unwrap();
    let endless = "[[contestant]]\nplayer = 'gtp:{program}'\nprogram = '/dev/zero'\n";
    folder.write("program.toml", format!("{endless}{endless}"));
    for arguments in [
        "suite run /dev/zero random heuristic --nodes 1",
        "tune mcts --param exploration=0.1..1 --nodes 1 --iterations 1 --history /dev/zero",
        "book write searches book.weights",
        "work --queue tls://127.0.0.1:1 --queue-authority /dev/zero",
        "run /dev/zero",
        "run program.toml",
        "match random heuristic --games 2 --opening file:/dev/zero",
    ] {
        let error = folder.fail(arguments);
        assert!(error.contains("the file has more than"), "{arguments}: {error}");
    }
}
