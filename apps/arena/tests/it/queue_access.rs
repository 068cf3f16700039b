//! Access to a real queue server; no secret is shown.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitStatus};

use super::credentials::Authority;
use super::folder::wait_until;
use super::queue_server::Cluster;

/// Two games that are soon over.
const PLAN: &str = "games = 2\n[[contestant]]\nplayer = 'random'\n[[contestant]]\nplayer = 'heuristic'";

/// Credentials of a client of the queue.
#[derive(Default)]
struct Visitor {
    options: String,
    environment: Vec<(&'static str, String)>,
    /// `true` if the client requests encryption.
    tls: bool,
}

impl Visitor {
    fn with(environment: &[(&'static str, &str)]) -> Self {
        Self {
            environment: environment.iter().map(|&(name, value)| (name, value.to_owned())).collect(),
            ..Self::default()
        }
    }

    fn options(options: String) -> Self {
        Self { options, ..Self::default() }
    }

    fn command(&self, cluster: &Cluster, command: &str) -> Command {
        let scheme = if self.tls { "tls" } else { "nats" };
        let queue = format!("--queue {scheme}://{} {}", cluster.server.address(), self.options);
        let mut command = cluster.folder.arena(&format!("-vv {command} {queue}"));
        command.envs(self.environment.iter().cloned());
        command
    }

    /// Plays the plan by a worker with the same rights; what all have written, without any of the secrets.
    fn play(&self, cluster: &Cluster, secrets: &[&str]) {
        let mut work = self.command(cluster, "work --name one --concurrency 1");
        let _worker = cluster.folder.spawn(&mut work, "one");
        let (status, output) = run(cluster, self.command(cluster, "run plan.toml -q"));
        let output = output + &cluster.folder.log("one");
        assert!(status.success() && output.contains("of 2 games"), "{output}");
        // Everything was said that can be said.
        assert!(output.contains("connected to the queue at 127.0.0.1"), "{output}");
        for secret in secrets {
            assert!(!output.contains(secret), "{output}");
        }
        fs::remove_file(cluster.folder.database()).unwrap();
    }

    /// Fails to get in. Returns the reason in lower case, which contains no secret.
    fn refused(&self, cluster: &Cluster, secrets: &[&str]) -> String {
        let (status, output) = run(cluster, self.command(cluster, "run plan.toml -q"));
        assert!(!status.success(), "{output}");
        for secret in secrets {
            assert!(!output.contains(secret), "{output}");
        }
        let reason = output.lines().find(|line| line.starts_with("arena: ")).unwrap_or_else(|| panic!("{output}"));
        reason.to_lowercase()
    }
}

/// Waits for the coordinator to end and returns its output.
fn run(cluster: &Cluster, mut command: Command) -> (ExitStatus, String) {
    // Starts a new log.
    let _ = fs::remove_file(cluster.folder.path("coordinator.log"));
    let mut coordinator = cluster.folder.spawn(&mut command, "coordinator");
    let mut status = None;
    wait_until(|| {
        status = coordinator.0.try_wait().unwrap();
        status.is_some()
    });
    (status.expect("it has ended"), cluster.folder.log("coordinator"))
}

fn text(path: &Path) -> &str {
    path.to_str().expect("temporary folders have plain names")
}

#[test]
#[ignore = "needs nats-server"]
fn rejects_user_without_password() {
    let cluster = Cluster::start(PLAN, &["--user", "me", "--pass", "s3cret"]);
    let user = |password| Visitor::with(&[("ARENA_QUEUE_USER", "me"), ("ARENA_QUEUE_PASSWORD", password)]);
    user("s3cret").play(&cluster, &["s3cret"]);
    assert!(user("wr0ng").refused(&cluster, &["wr0ng"]).contains("authorization"));
    assert!(Visitor::default().refused(&cluster, &[]).contains("authorization"));
}

#[test]
#[ignore = "needs nats-server"]
fn rejects_wrong_token() {
    let cluster = Cluster::start(PLAN, &["--auth", "t0ken-of-the-server"]);
    Visitor::with(&[("ARENA_QUEUE_TOKEN", "t0ken-of-the-server")]).play(&cluster, &["t0ken"]);
    let wrong = Visitor::with(&[("ARENA_QUEUE_TOKEN", "an0ther")]);
    assert!(wrong.refused(&cluster, &["an0ther"]).contains("authorization"));
}

#[test]
#[ignore = "needs nats-server"]
fn rejects_certificate_of_unknown_authority() {
    let folder = tempfile::tempdir().unwrap();
    let [ours, others] = ["ours", "others"].map(|name| Authority::new(&folder.path().join(name)));
    let arguments = ["--tls", "--tlscert", text(&ours.certificate), "--tlskey", text(&ours.key)];
    let cluster = Cluster::start(PLAN, &arguments);
    let knowing = |authority: &Path| Visitor::options(format!("--queue-authority {}", text(authority)));
    Visitor { tls: true, ..knowing(&ours.authority) }.play(&cluster, &["PRIVATE KEY"]);
    // The connection is encrypted even if the address does not ask for it.
    knowing(&ours.authority).play(&cluster, &["PRIVATE KEY"]);
    for stranger in [knowing(&others.authority), Visitor { tls: true, ..Visitor::default() }] {
        let reason = stranger.refused(&cluster, &[]);
        assert!(reason.contains("certificate"), "{reason}");
    }
}

#[test]
#[ignore = "needs nats-server"]
fn rejects_tls_address_of_plain_server() {
    let cluster = Cluster::start(PLAN, &[]);
    let reason = Visitor { tls: true, ..Visitor::default() }.refused(&cluster, &[]);
    assert!(reason.contains("cannot connect"), "{reason}");
}
