//! A plan, a queue server, and the processes that play the plan over it on this machine.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use arena::database::Store;
use game::{Move, Team};
use tempfile::TempDir;

use super::program;
use super::queue_server::QueueServer;

/// The moves of all games of a database, by the numbers of their matches and pairs and the team of A.
pub type Games = BTreeMap<(i64, u32, Team), Vec<Move>>;

/// A folder with a plan, and a queue server.
pub struct Cluster {
    pub server: QueueServer,
    folder: TempDir,
}

/// Timeout of a test that waits in vain.
const PATIENCE: Duration = Duration::from_secs(120);

/// Waits until a condition holds.
pub fn wait_until(mut condition: impl FnMut() -> bool, state: impl Fn() -> String) {
    let begun = Instant::now();
    while !condition() {
        assert!(begun.elapsed() < PATIENCE, "waited in vain: {}", state());
        thread::sleep(Duration::from_millis(20));
    }
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

impl Cluster {
    /// Starts a server with these arguments, with `plan` in its folder.
    pub fn start(plan: &str, arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let cluster = Self { server: QueueServer::start(arguments), folder };
        cluster.plan(plan);
        cluster
    }

    /// Replaces the plan.
    pub fn plan(&self, plan: &str) {
        fs::write(self.path("plan.toml"), plan).expect("the plan can be written");
    }

    /// Returns a file in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Returns the program `arena` in the folder.
    pub fn arena(&self, arguments: &str) -> Command {
        let mut command = program::command("arena");
        command.args(arguments.split_whitespace()).current_dir(self.folder.path()).env_remove("RUST_LOG");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Returns the option that names the queue.
    pub fn queue(&self) -> String {
        format!("--queue nats://{}", self.server.address())
    }

    /// Runs a command to its end and returns its output.
    pub fn run(&self, arguments: &str) -> String {
        let Output { status, stdout, stderr } = self.arena(arguments).output().expect("the program can be started");
        assert!(status.success(), "{arguments}: {}", String::from_utf8_lossy(&stderr));
        String::from_utf8(stdout).expect("it writes text")
    }

    /// Starts a worker for one game at a time; its output is appended to `NAME.log`.
    pub fn worker(&self, name: &str, more: &str) -> Killed {
        let mut command = self.arena(&format!("work {} --name {name} --concurrency 1 {more}", self.queue()));
        self.spawn(&mut command, name)
    }

    /// Starts a program; its output is appended to `NAME.log`.
    pub fn spawn(&self, command: &mut Command, name: &str) -> Killed {
        let log = || File::options().create(true).append(true).open(self.path(&format!("{name}.log")));
        let (out, errors) = (log().expect("there is room for a log"), log().expect("there is room for a log"));
        Killed(command.stdout(out).stderr(errors).spawn().expect("the program can be started"))
    }

    /// Returns the content of `NAME.log`.
    pub fn log(&self, name: &str) -> String {
        fs::read_to_string(self.path(&format!("{name}.log"))).unwrap_or_default()
    }

    /// Waits until `NAME.log` contains a text.
    pub fn wait_for(&self, name: &str, text: &str) {
        wait_until(|| self.log(name).contains(text), || format!("`{text}` is missing in {}", self.log(name)));
    }

    /// Returns the number of games in a database, 0 if there is none yet.
    pub fn count(&self, database: &str) -> u64 {
        // The coordinator may not have created it yet.
        let Ok(store) = Store::open_to_read(&self.path(database)) else { return 0 };
        store.matches().expect("the database can be read").iter().map(|stored| stored.games).sum()
    }

    /// Returns all games of a database.
    pub fn games(&self, database: &str) -> Games {
        let store = Store::open_to_read(&self.path(database)).expect("there is a database");
        let mut games = Games::new();
        for stored in store.matches().expect("the database can be read") {
            for game in store.games(stored.id).expect("the games can be read") {
                let moves = game.record.plies.iter().map(|ply| ply.mv).collect();
                let twice = games.insert((stored.id, game.record.pair, game.record.team_of_a), moves);
                assert_eq!(twice, None, "pair {} of match {} is there twice", game.record.pair, stored.id);
            }
        }
        games
    }
}
