//! The program in a folder of its own.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use arena::database::Store;
use arena::games::played::PlayedGame;
use game::Move;
use tempfile::TempDir;

/// A folder of its own, removed at the end.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Returns the paths of all files in a folder.
    pub fn files(&self, name: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(name)).unwrap();
        entries.map(|entry| entry.unwrap().path().to_str().unwrap().to_owned()).collect()
    }

    pub fn arena(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
        command.args(arguments.split_whitespace());
        command.current_dir(self.0.path()).env_remove("RUST_LOG");
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs the program to its end.
    pub fn run(&self, arguments: &str) -> String {
        let (code, told, errors) = end(&mut self.arena(arguments));
        assert_eq!(code, Some(0), "{arguments}: {errors}");
        told
    }

    /// Runs a command that must fail and returns its error message.
    pub fn fail(&self, arguments: &str) -> String {
        let (code, _, errors) = end(&mut self.arena(arguments));
        assert_ne!(code, Some(0), "{arguments}");
        errors
    }

    /// Returns all games of a match.
    pub fn stored(&self, id: i64) -> Vec<PlayedGame> {
        let games = Store::open(&self.database()).unwrap().games(id).unwrap();
        games.into_iter().map(|game| game.record).collect()
    }

    pub fn database(&self) -> PathBuf {
        self.path("arena.sqlite")
    }

    /// Returns the moves of all games of a match.
    pub fn games(&self, id: i64) -> Vec<(u32, game::Team, Vec<Move>)> {
        self.stored(id).iter().map(|game| (game.pair, game.team_of_a, moves(game))).collect()
    }

    /// Starts a program that is killed at the end of a test; its output is appended to `NAME.log`.
    pub fn spawn(&self, command: &mut Command, name: &str) -> Killed {
        let log = || File::options().create(true).append(true).open(self.path(&format!("{name}.log"))).unwrap();
        Killed(command.stdin(Stdio::null()).stdout(log()).stderr(log()).spawn().unwrap())
    }

    /// Returns the content of `NAME.log`.
    pub fn log(&self, name: &str) -> String {
        fs::read_to_string(self.path(&format!("{name}.log"))).unwrap_or_default()
    }

    /// Waits until `NAME.log` contains a text.
    #[track_caller]
    pub fn wait_for(&self, name: &str, text: &str) {
        let deadline = Instant::now() + TIMEOUT;
        while !self.log(name).contains(text) {
            assert!(Instant::now() < deadline, "{name}.log has no {text:?}: {}", self.log(name));
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Runs a command to its end. Returns its exit code, its output and its messages.
pub fn end(command: &mut Command) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = command.output().unwrap();
    (status.code(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

/// Returns the moves of a game.
pub fn moves(game: &PlayedGame) -> Vec<Move> {
    game.plies.iter().map(|ply| ply.mv).collect()
}

/// A process that is killed at the end of a test.
pub struct Killed(pub Child);

impl Killed {
    /// Kills the process unless it has ended.
    pub fn kill(&mut self) {
        // Fails if it has ended meanwhile.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Killed {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Maximum time that a test waits for an event.
const TIMEOUT: Duration = Duration::from_secs(120);

#[track_caller]
pub fn wait_until(mut is_done: impl FnMut() -> bool) {
    let deadline = Instant::now() + TIMEOUT;
    while !is_done() {
        assert!(Instant::now() < deadline, "timed out after {TIMEOUT:?}");
        thread::sleep(Duration::from_millis(5));
    }
}
