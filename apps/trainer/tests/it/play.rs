//! `trainer play` as a program.

use super::fail;

#[test]
fn rejects_seeds_without_successors() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games");
    for (arguments, reason) in [
        ("--seed 18446744073709551615", "--seed 18446744073709551615 --jobs 1"),
        ("--seed 18446744073709551614 --jobs 2", "--seed 18446744073709551614 --jobs 2"),
    ] {
        let error = fail("play", &games, arguments);
        assert!(error.contains(reason) && !games.exists(), "{arguments}: {error}");
    }
}

#[cfg(unix)]
#[test]
fn interrupted_play_fails_and_keeps_games() {
    use std::process::{Command, Stdio};
    use std::{fs, thread, time};

    let folder = tempfile::tempdir().unwrap();
    let mut play = super::trainer("play", folder.path(), "--games 1000000 --fast 1 --full 1");
    let child = play.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let file = folder.path().join("1.games");
    let deadline = time::Instant::now() + time::Duration::from_secs(60);
    // Longer than the header.
    while fs::metadata(&file).map_or(0, |file| file.len()) < 1500 {
        assert!(time::Instant::now() < deadline, "no games are played");
        thread::sleep(time::Duration::from_millis(10));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let (printed, error) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(output.status.code() == Some(1) && error.contains("interrupted; the same command resumes"), "{error}");
    let games = record::selfplay::ShardReader::open(&file).unwrap().map(Result::unwrap).count();
    assert!(printed.starts_with(&format!("{games} games, ")), "{games} games in the file, but {printed}");

    let again = super::trainer("play", folder.path(), &format!("--games {games} --fast 1 --full 1")).output().unwrap();
    assert_eq!(String::from_utf8(again.stdout).unwrap(), format!("0 games (and {games} from before), 0 positions\n"));
}
