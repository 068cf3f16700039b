//! Matches over a real queue server.

use std::collections::BTreeMap;
use std::fs;
use std::thread;
use std::time::Duration;

use crate::support::cluster::{Cluster, wait_until};
use crate::support::program;
use async_nats::jetstream;

const PLAN: &str = "
    games = 20
    nodes = 20
    [[contestant]]
    player = 'mcts:memory=1'
    [[contestant]]
    player = 'random'
";

/// Returns the number of messages in each stream of the queue.
fn messages(cluster: &Cluster) -> BTreeMap<String, u64> {
    ask(cluster, async |context| {
        let mut messages = BTreeMap::new();
        for name in ["arena-work", "arena-results"] {
            let info = context.get_stream(name).await.unwrap().cached_info().clone();
            messages.insert(name.to_owned(), info.state.messages);
        }
        messages
    })
}

fn ask<T>(cluster: &Cluster, question: impl AsyncFnOnce(jetstream::Context) -> T) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let client = async_nats::connect(cluster.server.address()).await.unwrap();
        question(jetstream::new(client)).await
    })
}

#[test]
#[ignore = "needs nats-server"]
fn workers_play_same_games() {
    let cluster = Cluster::start(PLAN, &[]);
    cluster.run("run plan.toml -q --database local.sqlite");
    let _workers = [cluster.worker("one", ""), cluster.worker("two", "")];
    let command = format!("run plan.toml -q --database queue.sqlite {}", cluster.queue());
    let output = cluster.run(&command);
    assert!(output.contains("Workers: ") && output.contains("of 20 games"), "{output}");
    assert_eq!(cluster.games("queue.sqlite"), cluster.games("local.sqlite"));
    for worker in ["one", "two"] {
        cluster.wait_for(worker, "ended");
    }
    assert!(messages(&cluster).values().all(|&count| count == 0), "{:?}", messages(&cluster));

    // Existing games are not played again; a larger run adds games to them.
    let again = cluster.run(&command);
    assert!(!again.contains("Workers: ") && again.contains("of 20 games"), "{again}");
    cluster.plan(&PLAN.replace("games = 20", "games = 26"));
    assert!(cluster.run(&command).contains("of 26 games"));
    cluster.run("run plan.toml -q --database local.sqlite");
    assert_eq!(cluster.games("queue.sqlite"), cluster.games("local.sqlite"));
}

#[test]
#[ignore = "needs nats-server"]
fn tournament_over_queue_gives_same_table() {
    let players = ["mcts:memory=1", "heuristic", "random", "mcts:memory=1,exploration=0.9"];
    let players: String = players.iter().map(|player| format!("[[contestant]]\nplayer = '{player}'\n")).collect();
    let cluster = Cluster::start("", &[]);
    let _workers = [cluster.worker("one", ""), cluster.worker("two", "")];
    for (form, rounds) in [("all", ""), ("swiss", "swiss_rounds = 2")] {
        cluster.plan(&format!("games = 2\nnodes = 10\n{rounds}\n{players}"));
        let table = |database: String, queue: &str| {
            let output = cluster.run(&format!("run plan.toml -q --database {database} {queue}"));
            let (_, table) = output.split_once("contestant").unwrap_or_else(|| panic!("{output}"));
            let (table, _) = table.split_once("This is match").unwrap_or_else(|| panic!("{output}"));
            table.to_owned()
        };
        assert_eq!(
            table(format!("{form}-queue.sqlite"), &cluster.queue()),
            table(format!("{form}-local.sqlite"), ""),
            "{form}"
        );
        let page = format!("--database {form}-queue.sqlite --output {form}.html --tournament");
        cluster.run(&format!("report 1 {page}"));
        assert!(fs::read_to_string(cluster.path(&format!("{form}.html"))).unwrap().contains("exploration=0.9"));
    }
}

/// Kills a worker after every six games, the coordinator after a quarter and three quarters of the games, and the server
/// after half of them.
#[test]
#[ignore = "needs nats-server"]
fn kills_neither_lose_nor_double_games() {
    const GAMES: u64 = 40;
    let mut cluster = Cluster::start(
        &PLAN.replace("games = 20", &format!("games = {GAMES}")).replace("nodes = 20", "nodes = 60"),
        &[],
    );
    cluster.run("run plan.toml -q --database local.sqlite");
    let coordinate = |cluster: &Cluster| {
        let command = format!("run plan.toml -q --patience 2 --database queue.sqlite {}", cluster.queue());
        cluster.spawn(&mut cluster.arena(&command), "coordinator")
    };
    let mut coordinator = coordinate(&cluster);
    let mut workers = ["one", "two"].map(|name| (name, cluster.worker(name, "")));
    let (mut workers_killed, mut kill_at) = (0, 6);
    let mut quarters = 1..=3;
    let mut quarter = quarters.next();
    while coordinator.0.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_millis(20));
        let games = cluster.count("queue.sqlite");
        if games >= kill_at {
            let (name, worker) = &mut workers[workers_killed % 2];
            worker.kill();
            *worker = cluster.worker(name, "");
            (workers_killed, kill_at) = (workers_killed + 1, games + 6);
        }
        match quarter.filter(|quarter| 4 * games >= quarter * GAMES) {
            None => continue,
            Some(2) => {
                cluster.server.kill();
                thread::sleep(Duration::from_secs(1));
                cluster.server.restart();
            }
            Some(_) => {
                coordinator.kill();
                coordinator = coordinate(&cluster);
            }
        }
        quarter = quarters.next();
    }
    assert!(quarter.is_none() && workers_killed > 2, "the games were over too soon");
    assert!(coordinator.0.wait().unwrap().success(), "{}", cluster.log("coordinator"));
    assert_eq!(cluster.games("queue.sqlite").len(), GAMES as usize);
    assert_eq!(cluster.games("queue.sqlite"), cluster.games("local.sqlite"));
}

#[test]
#[ignore = "needs nats-server"]
fn decided_sprt_withdraws_remaining_jobs() {
    let sprt =
        "[sprt]\nelo0 = -400\nelo1 = -300\n[[contestant]]\nplayer = 'heuristic'\n[[contestant]]\nplayer = 'random'";
    let cluster = Cluster::start(&format!("games = 2000\n{sprt}"), &[]);
    let _worker = cluster.worker("one", "");
    let output = cluster.run(&format!("run plan.toml -q --database queue.sqlite {}", cluster.queue()));
    assert!(output.contains("H1 accepted"), "{output}");
    assert!(cluster.count("queue.sqlite") < 200, "{output}");
    cluster.wait_for("one", "ended");
    assert!(messages(&cluster).values().all(|&count| count == 0), "{:?}", messages(&cluster));
}

#[test]
#[ignore = "needs nats-server"]
fn coordinator_resumes_and_withdraws() {
    let cluster = Cluster::start(PLAN, &[]);
    let command = format!("run plan.toml -q --database queue.sqlite {}", cluster.queue());
    let mut coordinator = cluster.spawn(&mut cluster.arena(&command), "coordinator");
    // The plan is offered, then the coordinator is gone, and a worker plays all of it.
    let is_offered = || {
        ask(&cluster, async |context| {
            let Ok(work) = context.get_stream("arena-work").await else { return false };
            work.cached_info().state.messages == 10
        })
    };
    wait_until(is_offered, || cluster.log("coordinator"));
    coordinator.kill();
    let worker = cluster.worker("one", "");
    wait_until(|| messages(&cluster)["arena-results"] >= 10, || cluster.log("one"));
    drop(worker);
    assert!(cluster.run(&command).contains("Workers: one 10 pairs"));
    assert!(messages(&cluster).values().all(|&count| count == 0));

    cluster.plan(&PLAN.replace("nodes = 20", "nodes = 21"));
    let mut coordinator = cluster.spawn(&mut cluster.arena(&command), "coordinator");
    wait_until(|| messages(&cluster)["arena-work"] >= 10, || cluster.log("coordinator"));
    coordinator.kill();
    assert!(cluster.run(&format!("{command} --withdraw")).contains("Withdrawn"));
    assert!(messages(&cluster).values().all(|&count| count == 0));
}

/// As if it had been offered by a program of another version.
#[test]
#[ignore = "needs nats-server"]
fn rejects_worker_with_other_fingerprint() {
    let cluster = Cluster::start(PLAN, &[]);
    let _worker = cluster.worker("other", "");
    let command = format!("run plan.toml -q --database queue.sqlite {}", cluster.queue());
    let mut coordinator = cluster.spawn(&mut cluster.arena(&command), "coordinator");
    cluster.wait_for("other", "playing");
    coordinator.kill();
    ask(&cluster, async |context| {
        let offers = context.get_key_value("arena-runs").await.unwrap();
        let key = "0123456789abcdef";
        let stream = context.get_stream("KV_arena-runs").await.unwrap();
        let message = stream.get_last_raw_message_by_subject("$KV.arena-runs.>").await.unwrap();
        let mut offer: serde_json::Value = serde_json::from_slice(&message.payload).unwrap();
        offer["key"] = "0".repeat(64).into();
        offer["fingerprint"] = key.into();
        offers.put(key, offer.to_string().into()).await.unwrap();
    });
    cluster.wait_for("other", "rejected: this program has the fingerprint");
    assert!(cluster.log("other").contains("the plan needs 0123456789abcdef"));
}

#[cfg(unix)]
#[test]
#[ignore = "needs nats-server"]
fn worker_starts_only_allowed_programs() {
    let plan = "
        games = 2
        nodes = 5
        [[contestant]]
        player = 'gtp:sh {program}'
        program = 'engine.sh'
        [[contestant]]
        player = 'random'
    ";
    let cluster = Cluster::start(plan, &[]);
    let client = program::path("client");
    fs::write(cluster.path("engine.sh"), format!("exec '{}' gtp --player heuristic", client.display())).unwrap();
    let output = cluster.run("run plan.toml --dry-run");
    let permit =
        output.split("--allow ").nth(1).and_then(|rest| rest.lines().next()).unwrap_or_else(|| panic!("{output}"));
    let refusing = cluster.worker("refusing", "");
    let command = format!("run plan.toml -q --database queue.sqlite {}", cluster.queue());
    let mut coordinator = cluster.spawn(&mut cluster.arena(&command), "coordinator");
    cluster.wait_for("refusing", &format!("allowed by `--allow {permit}`"));
    cluster.wait_for("coordinator", "the worker refusing rejects the run");
    drop(refusing);
    let _willing = cluster.worker("willing", &format!("--allow {permit}"));
    assert!(coordinator.0.wait().unwrap().success(), "{}", cluster.log("coordinator"));
    assert_eq!(cluster.games("queue.sqlite").len(), 2);
}
