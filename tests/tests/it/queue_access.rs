//! Who is let in by a real queue server, and what is shown of secrets: nothing. Without such a server, these tests
//! pass, and the test program `left_out` says so.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use nkeys::KeyPair;
use tests::cluster::{Cluster, Killed};
use tests::credentials::{Authority, Operator};

/// Two games that are soon over.
const PLAN: &str = "games = 2\n[[contestant]]\nplayer = 'random'\n[[contestant]]\nplayer = 'heuristic'";

/// What a test waits for comes much sooner; without it, the test ends, too.
const PATIENCE: Duration = Duration::from_secs(120);

/// What somebody has who wants to be let in.
#[derive(Default)]
struct Visitor {
    options: String,
    environment: Vec<(&'static str, String)>,
    /// Whether the connection is asked to be encrypted.
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
        let mut command = cluster.arena(&format!("-vv {command} {queue}"));
        command.envs(self.environment.iter().cloned());
        command
    }

    /// Plays the plan by a worker with the same rights; what all have written, without any of the secrets.
    fn play(&self, cluster: &Cluster, secrets: &[&str]) {
        let mut work = self.command(cluster, "work --name one --concurrency 1 --idle 60");
        let _worker: Killed = cluster.spawn(&mut work, "one");
        let (status, told) = run(cluster, self.command(cluster, "run plan.toml -q --database queue.sqlite"));
        let told = told + &cluster.log("one");
        assert!(status.success() && told.contains("of 2 games"), "{told}");
        // Everything was said that can be said.
        assert!(told.contains("connected to the queue at 127.0.0.1"), "{told}");
        for secret in secrets {
            assert!(!told.contains(secret), "{told}");
        }
        fs::remove_file(cluster.path("queue.sqlite")).unwrap();
    }

    /// Is not let in; the reason that is told, without any of the secrets, in small letters.
    fn refused(&self, cluster: &Cluster, secrets: &[&str]) -> String {
        let (status, told) = run(cluster, self.command(cluster, "run plan.toml -q"));
        assert!(!status.success(), "{told}");
        for secret in secrets {
            assert!(!told.contains(secret), "{told}");
        }
        let reason = told.lines().find(|line| line.starts_with("arena: ")).unwrap_or_else(|| panic!("{told}"));
        reason.to_lowercase()
    }
}

/// Lets a coordinator come to its end; what it has written.
fn run(cluster: &Cluster, mut command: Command) -> (ExitStatus, String) {
    // Its log begins anew.
    let _ = fs::remove_file(cluster.path("coordinator.log"));
    let (mut coordinator, begun) = (cluster.spawn(&mut command, "coordinator"), Instant::now());
    loop {
        match coordinator.0.try_wait().unwrap() {
            Some(status) => return (status, cluster.log("coordinator")),
            None => {
                let logs = ["coordinator", "one"].map(|name| cluster.log(name));
                assert!(begun.elapsed() < PATIENCE, "no end: {}", logs.join("\n"));
            }
        }
        thread::sleep(Duration::from_millis(20));
    }
}

fn text(path: &Path) -> &str {
    path.to_str().expect("temporary folders have plain names")
}

#[test]
fn a_user_needs_the_password() {
    let Some(cluster) = Cluster::start(PLAN, &["--user", "me", "--pass", "s3cret"]) else { return };
    let user = |password| Visitor::with(&[("ARENA_QUEUE_USER", "me"), ("ARENA_QUEUE_PASSWORD", password)]);
    user("s3cret").play(&cluster, &["s3cret"]);
    assert!(user("wr0ng").refused(&cluster, &["wr0ng"]).contains("authorization"));
    assert!(Visitor::default().refused(&cluster, &[]).contains("authorization"));
}

#[test]
fn a_token_has_to_be_the_right_one() {
    let Some(cluster) = Cluster::start(PLAN, &["--auth", "t0ken-of-the-server"]) else { return };
    Visitor::with(&[("ARENA_QUEUE_TOKEN", "t0ken-of-the-server")]).play(&cluster, &["t0ken"]);
    let wrong = Visitor::with(&[("ARENA_QUEUE_TOKEN", "an0ther")]);
    assert!(wrong.refused(&cluster, &["an0ther"]).contains("authorization"));
}

#[test]
fn a_server_has_to_show_the_certificate_of_a_known_authority() {
    let folder = tempfile::tempdir().unwrap();
    let (ours, others) = (Authority::default(), Authority::default());
    let [own, other] = ["own.pem", "other.pem"].map(|name| folder.path().join(name));
    ours.write(&own);
    others.write(&other);
    let server = ours.vouch("127.0.0.1", folder.path());
    let arguments = ["--tls", "--tlscert", text(&server.certificate), "--tlskey", text(&server.key)];
    let Some(cluster) = Cluster::start(PLAN, &arguments) else { return };
    let knowing = |authority: &Path| Visitor::options(format!("--queue-authority {}", text(authority)));
    Visitor { tls: true, ..knowing(&own) }.play(&cluster, &["PRIVATE KEY"]);
    // It is encrypted as well if the address does not ask for it.
    knowing(&own).play(&cluster, &["PRIVATE KEY"]);
    for stranger in [knowing(&other), Visitor { tls: true, ..Visitor::default() }] {
        let reason = stranger.refused(&cluster, &[]);
        assert!(reason.contains("certificate"), "{reason}");
    }
}

#[test]
fn a_server_without_encryption_is_not_believed_to_have_it() {
    let Some(cluster) = Cluster::start(PLAN, &[]) else { return };
    let reason = Visitor { tls: true, ..Visitor::default() }.refused(&cluster, &[]);
    assert!(reason.contains("cannot connect"), "{reason}");
}

#[test]
fn a_server_can_ask_for_a_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let (ours, others) = (Authority::default(), Authority::default());
    let authority = folder.path().join("authority.pem");
    ours.write(&authority);
    let server = ours.vouch("127.0.0.1", folder.path());
    let [certificate, key, authority] = [&server.certificate, &server.key, &authority].map(|path| text(path));
    let arguments = ["--tlsverify", "--tlscert", certificate, "--tlskey", key, "--tlscacert", authority];
    let Some(cluster) = Cluster::start(PLAN, &arguments) else { return };
    let showing = |own: &tests::credentials::Certificate| {
        let (certificate, key) = (text(&own.certificate), text(&own.key));
        Visitor::options(format!("--queue-authority {authority} --queue-certificate {certificate} --queue-key {key}"))
    };
    let own = showing(&ours.vouch("worker", folder.path()));
    let key = fs::read_to_string(folder.path().join("worker-key.pem")).unwrap();
    let secret = key.lines().nth(1).unwrap();
    own.play(&cluster, &[secret, "PRIVATE KEY"]);
    for stranger in
        [showing(&others.vouch("stranger", folder.path())), Visitor::options(format!("--queue-authority {authority}"))]
    {
        let reason = stranger.refused(&cluster, &["PRIVATE KEY"]);
        assert!(reason.contains("certificate") || reason.contains("tls") || reason.contains("io error"), "{reason}");
    }
}

#[test]
fn a_key_has_to_be_the_one_of_a_user() {
    let (known, other) = (KeyPair::new_user(), KeyPair::new_user());
    let folder = tempfile::tempdir().unwrap();
    let settings = folder.path().join("server.conf");
    fs::write(&settings, format!("authorization {{ users: [ {{ nkey: {} }} ] }}", known.public_key())).unwrap();
    let Some(cluster) = Cluster::start(PLAN, &["--config", text(&settings)]) else { return };
    let [known, other] = [known, other].map(|key| key.seed().unwrap());
    Visitor::with(&[("ARENA_QUEUE_SEED", &known)]).play(&cluster, &[&known]);
    let reason = Visitor::with(&[("ARENA_QUEUE_SEED", &other)]).refused(&cluster, &[&other]);
    assert!(reason.contains("authorization"), "{reason}");
    let damaged = &known[..known.len() - 3];
    Visitor::with(&[("ARENA_QUEUE_SEED", damaged)]).refused(&cluster, &[damaged]);
}

#[test]
fn credentials_are_those_of_a_user_of_the_account() {
    let (ours, others) = (Operator::default(), Operator::default());
    let folder = tempfile::tempdir().unwrap();
    let settings = folder.path().join("server.conf");
    fs::write(&settings, ours.settings()).unwrap();
    let Some(cluster) = Cluster::start(PLAN, &["--config", text(&settings)]) else { return };
    let visitor = |name: &str, contents: &str| {
        let path = folder.path().join(name);
        fs::write(&path, contents).unwrap();
        Visitor::options(format!("--queue-credentials {}", text(&path)))
    };
    let ((known, secret), (other, other_secret)) = (ours.credentials(), others.credentials());
    visitor("known.creds", &known).play(&cluster, &[&secret]);
    let reason = visitor("other.creds", &other).refused(&cluster, &[&other_secret]);
    assert!(reason.contains("authorization"), "{reason}");
    let reason = visitor("damaged.creds", &known[..known.len() / 2]).refused(&cluster, &[&secret]);
    assert!(reason.contains("damaged.creds") && reason.contains("cannot parse"), "{reason}");
    let missing = Visitor::options("--queue-credentials nowhere.creds".to_owned());
    assert!(missing.refused(&cluster, &[]).contains("nowhere.creds"));
}
