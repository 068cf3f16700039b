//! Workers and coordinators behind an interrupted or slow connection to a real queue server.

use std::thread;
use std::time::Duration;

use tests::cluster::{Cluster, Killed, wait_until};
use tests::relay::Relay;

/// A pair of games takes some hundredths of a second or more.
const PLAN: &str = "
    games = 20
    nodes = 100
    [[contestant]]
    player = 'mcts:memory=1'
    [[contestant]]
    player = 'random'
";

/// Duration of the interruption: longer than a worker may be silent.
const INTERRUPTION: Duration = Duration::from_secs(3);

/// Starts a worker for one game at a time on the other side of a relay.
fn worker(cluster: &Cluster, relay: &Relay) -> Killed {
    let work = format!("work --queue nats://{} --name remote --concurrency 1", relay.address());
    cluster.spawn(&mut cluster.arena(&work), "remote")
}

fn coordinator(cluster: &Cluster, address: &str) -> Killed {
    let run = format!("run plan.toml -q --patience 1 --database queue.sqlite --queue nats://{address}");
    cluster.spawn(&mut cluster.arena(&run), "coordinator")
}

/// Waits for the end, checks that every pair was played once, and returns the coordinator's output.
fn finish(cluster: &Cluster, coordinator: &mut Killed) -> String {
    assert!(coordinator.0.wait().unwrap().success(), "{}", cluster.log("coordinator"));
    cluster.run("run plan.toml -q --database local.sqlite");
    assert_eq!(cluster.games("queue.sqlite").len(), 20);
    assert_eq!(cluster.games("queue.sqlite"), cluster.games("local.sqlite"));
    cluster.log("coordinator")
}

fn wait_for_games(cluster: &Cluster, games: u64) {
    wait_until(|| cluster.count("queue.sqlite") >= games, || cluster.log("coordinator"));
}

#[test]
#[ignore = "needs nats-server"]
fn another_worker_plays_pair_of_disconnected_worker() {
    let cluster = Cluster::start(PLAN, &[]);
    let relay = Relay::to(cluster.server.address(), Duration::ZERO);
    let mut coordinator = coordinator(&cluster, &cluster.server.address());
    let _remote = worker(&cluster, &relay);
    wait_for_games(&cluster, 2);
    relay.cut(true);
    let before = cluster.count("queue.sqlite");
    let _other = cluster.worker("other", "");
    // The first worker's pair is played by another, and its late result is ignored.
    wait_for_games(&cluster, before + 6);
    thread::sleep(INTERRUPTION);
    relay.cut(false);
    let output = finish(&cluster, &mut coordinator);
    assert!(output.contains("other") && output.contains("remote"), "{output}");
}

#[test]
#[ignore = "needs nats-server"]
fn slow_worker_keeps_its_pairs() {
    let cluster = Cluster::start(PLAN, &[]);
    let relay = Relay::to(cluster.server.address(), Duration::from_millis(100));
    let mut coordinator = coordinator(&cluster, &cluster.server.address());
    let _remote = worker(&cluster, &relay);
    assert!(finish(&cluster, &mut coordinator).contains("Workers: remote 10 pairs"));
}

#[test]
#[ignore = "needs nats-server"]
fn disconnected_coordinator_gets_all_results() {
    let cluster = Cluster::start(PLAN, &[]);
    let relay = Relay::to(cluster.server.address(), Duration::ZERO);
    let mut coordinator = coordinator(&cluster, relay.address());
    let _worker = cluster.worker("one", "");
    wait_for_games(&cluster, 2);
    relay.cut(true);
    thread::sleep(INTERRUPTION);
    relay.cut(false);
    let output = finish(&cluster, &mut coordinator);
    assert!(output.contains("Workers: one 10 pairs"), "{output}");
}
