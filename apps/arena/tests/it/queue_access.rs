//! Access to a real queue server; no secret is shown.

use std::path::Path;

use super::credentials::Authority;
use super::folder::{Folder, wait_until};
use super::queue_server::QueueServer;

/// Two games that are soon over.
const PLAN: &str = "games = 2\n[[contestant]]\nplayer = 'random'\n[[contestant]]\nplayer = 'heuristic'";

/// Plays the plan with a coordinator and a worker that use these options and secrets. Checks that their output contains
/// no secret.
///
/// # Errors
/// The reason of the refusal, in lower case.
fn play(server: &QueueServer, scheme: &str, options: &str, login: &[(&str, &str)]) -> Result<(), String> {
    let folder = Folder::new();
    folder.write("plan.toml", PLAN);
    let start = |command: &str, name: &str| {
        let mut arena = folder.arena(&format!("-vv {command} --queue {scheme}://{} {options}", server.address()));
        folder.spawn(arena.envs(login.iter().copied()), name)
    };
    let _worker = start("work --name one --concurrency 1", "one");
    let mut coordinator = start("run plan.toml -q", "coordinator");
    let mut status = None;
    wait_until(|| {
        status = coordinator.0.try_wait().unwrap();
        status.is_some()
    });
    let is_played = status.is_some_and(|status| status.success());
    folder.wait_for("one", "\n");
    let output = folder.log("coordinator") + &folder.log("one");
    let secrets = login.iter().filter(|(name, _)| *name != "ARENA_QUEUE_USER").map(|(_, secret)| *secret);
    for secret in secrets.chain(["PRIVATE KEY"]) {
        // Also no secret that is cut.
        assert!(!output.contains(&secret[..5]), "{output}");
    }
    if is_played {
        // `-vv` logs the connection.
        assert!(output.contains("of 2 games") && output.contains("connected to the queue at 127.0.0.1"), "{output}");
        return Ok(());
    }
    let reason = output.lines().find(|line| line.starts_with("arena: ")).unwrap_or_else(|| panic!("{output}"));
    Err(reason.to_lowercase())
}

fn text(path: &Path) -> &str {
    path.to_str().expect("temporary folders have plain names")
}

#[test]
#[ignore = "needs nats-server"]
fn rejects_user_without_password() {
    let server = QueueServer::start(&["--user", "me", "--pass", "s3cret"]);
    let user = |password| play(&server, "nats", "", &[("ARENA_QUEUE_USER", "me"), ("ARENA_QUEUE_PASSWORD", password)]);
    assert_eq!(user("s3cret"), Ok(()));
    for refused in [user("wr0ng"), play(&server, "nats", "", &[])] {
        assert!(refused.as_ref().is_err_and(|reason| reason.contains("authorization")), "{refused:?}");
    }
}

#[test]
#[ignore = "needs nats-server"]
fn rejects_wrong_token() {
    let server = QueueServer::start(&["--auth", "t0ken-of-the-server"]);
    let token = |token| play(&server, "nats", "", &[("ARENA_QUEUE_TOKEN", token)]);
    assert_eq!(token("t0ken-of-the-server"), Ok(()));
    let refused = token("an0ther");
    assert!(refused.as_ref().is_err_and(|reason| reason.contains("authorization")), "{refused:?}");
}

#[test]
#[ignore = "needs nats-server"]
fn rejects_certificate_of_unknown_authority() {
    let folder = tempfile::tempdir().unwrap();
    let [ours, others] = ["ours", "others"].map(|name| Authority::new(&folder.path().join(name)));
    let server = QueueServer::start(&["--tls", "--tlscert", text(&ours.certificate), "--tlskey", text(&ours.key)]);
    let [ours, others] = [ours, others].map(|authority| format!("--queue-authority {}", text(&authority.authority)));
    assert_eq!(play(&server, "tls", &ours, &[]), Ok(()));
    // The connection is encrypted even if the address does not ask for it.
    assert_eq!(play(&server, "nats", &ours, &[]), Ok(()));
    for refused in [play(&server, "nats", &others, &[]), play(&server, "tls", "", &[])] {
        assert!(refused.as_ref().is_err_and(|reason| reason.contains("certificate")), "{refused:?}");
    }
}

#[test]
#[ignore = "needs nats-server"]
fn rejects_tls_address_of_plain_server() {
    let refused = play(&QueueServer::start(&[]), "tls", "", &[]);
    assert!(refused.as_ref().is_err_and(|reason| reason.contains("cannot connect")), "{refused:?}");
}
