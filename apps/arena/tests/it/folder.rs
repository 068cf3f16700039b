//! The program in a folder of its own.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use arena::database::Store;
use arena::games::played::PlayedGame;
use game::Move;

const ARENA: &str = env!("CARGO_BIN_EXE_arena");

/// A folder of its own, removed at the end.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("arena-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.0.join(name), content).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap()
    }

    /// The paths of all files in a folder.
    pub fn files(&self, name: &str) -> Vec<String> {
        let entries = fs::read_dir(self.0.join(name)).unwrap();
        entries.map(|entry| entry.unwrap().path().to_str().unwrap().to_owned()).collect()
    }

    pub fn arena(&self, arguments: &str) -> Command {
        let mut command = Command::new(ARENA);
        command.args(arguments.split_whitespace()).env(cli::VARIABLE, "");
        command.current_dir(&self.0).stdout(Stdio::piped());
        command
    }

    /// Runs the program to its end.
    pub fn run(&self, arguments: &str) -> String {
        let Output { status, stdout, stderr } = self.arena(arguments).stderr(Stdio::piped()).output().unwrap();
        assert!(status.success(), "{arguments}: {}", String::from_utf8_lossy(&stderr));
        String::from_utf8(stdout).unwrap()
    }

    /// Runs a command that must fail and returns its error message.
    pub fn fail(&self, arguments: &str) -> String {
        let Output { status, stderr, .. } = self.arena(arguments).stderr(Stdio::piped()).output().unwrap();
        assert!(!status.success(), "{arguments}");
        String::from_utf8(stderr).unwrap()
    }

    /// All games of a match.
    pub fn stored(&self, id: i64) -> Vec<PlayedGame> {
        let games = Store::open(&self.database()).unwrap().games(id).unwrap();
        games.into_iter().map(|game| game.record).collect()
    }

    pub fn database(&self) -> PathBuf {
        self.0.join("arena.sqlite")
    }

    /// The moves of all games of a match.
    pub fn games(&self, id: i64) -> Vec<(u32, game::Team, Vec<Move>)> {
        self.stored(id).iter().map(|game| (game.pair, game.team_of_a, moves(game))).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed stays in the folder for temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The moves of a game.
pub fn moves(game: &PlayedGame) -> Vec<Move> {
    game.plies.iter().map(|ply| ply.mv).collect()
}
