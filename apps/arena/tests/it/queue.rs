//! Matches over a real queue server.

use std::thread;
use std::time::Duration;

use arena::database::Store;
use async_nats::jetstream;

use super::folder::{Folder, wait_until};
use super::queue_server::Cluster;

const PLAN: &str = "
    games = 20
    nodes = 20
    [[contestant]]
    player = 'mcts:memory=1'
    [[contestant]]
    player = 'random'
";

/// Returns the number of messages in the streams of jobs and results.
fn messages(cluster: &Cluster) -> [u64; 2] {
    ask(cluster, async |context| {
        let count = async |name: &str| match context.get_stream(name).await {
            Ok(stream) => stream.cached_info().state.messages,
            Err(_) => 0,
        };
        [count("arena-work").await, count("arena-results").await]
    })
}

/// Plays this plan without a queue and returns its folder.
fn play_locally(plan: &str) -> Folder {
    let folder = Folder::new();
    folder.write("plan.toml", plan);
    folder.run("run plan.toml -q");
    folder
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
    let local = play_locally(PLAN);
    let _workers = [cluster.worker("one", ""), cluster.worker("two", "")];
    let command = cluster.arguments();
    let output = cluster.folder.run(&command);
    assert!(output.contains("Workers: ") && output.contains("of 20 games"), "{output}");
    assert_eq!(cluster.folder.games(1), local.games(1));
    for worker in ["one", "two"] {
        cluster.folder.wait_for(worker, "ended");
    }
    assert_eq!(messages(&cluster), [0, 0]);

    // Existing games are not played again; a larger run adds games to them.
    let again = cluster.folder.run(&command);
    assert!(!again.contains("Workers: ") && again.contains("of 20 games"), "{again}");
    let larger = PLAN.replace("games = 20", "games = 26");
    cluster.folder.write("plan.toml", &larger);
    assert!(cluster.folder.run(&command).contains("of 26 games"));
    assert_eq!(cluster.folder.games(1), play_locally(&larger).games(1));
}

#[test]
#[ignore = "needs nats-server"]
fn tournament_over_queue_gives_same_table() {
    let players = ["mcts:memory=1", "heuristic", "random", "mcts:memory=1,exploration=0.9"];
    let players: String = players.iter().map(|player| format!("[[contestant]]\nplayer = '{player}'\n")).collect();
    let cluster = Cluster::start("", &[]);
    let folder = &cluster.folder;
    let _workers = [cluster.worker("one", ""), cluster.worker("two", "")];
    for (form, rounds) in [("all", ""), ("swiss", "swiss_rounds = 2")] {
        folder.write("plan.toml", format!("games = 2\nnodes = 10\n{rounds}\n{players}"));
        let table = |command: &str, database: &str| {
            let output = folder.run(&format!("{command} --database {database}"));
            let (_, table) = output.split_once("contestant").unwrap_or_else(|| panic!("{output}"));
            let (table, _) = table.split_once("These are matches").unwrap_or_else(|| panic!("{output}"));
            table.to_owned()
        };
        let local = table("run plan.toml -q", "local.sqlite");
        assert_eq!(table(&cluster.arguments(), &format!("{form}.sqlite")), local, "{form}");
        folder.run(&format!("report 1 --database {form}.sqlite --output {form}.html --tournament"));
        assert!(folder.read(&format!("{form}.html")).contains("exploration=0.9"));
    }
}

/// Kills a worker after every six games, the coordinator after a quarter and three quarters of the games, and the
/// server after half of them.
#[test]
#[ignore = "needs nats-server"]
fn kills_neither_lose_nor_double_games() {
    const GAMES: usize = 40;
    let plan = PLAN.replace("games = 20", &format!("games = {GAMES}")).replace("nodes = 20", "nodes = 60");
    let mut cluster = Cluster::start(&plan, &[]);
    let local = play_locally(&plan);
    let mut coordinator = cluster.coordinator("--patience 2");
    let mut workers = ["one", "two"].map(|name| (name, cluster.worker(name, "")));
    let (mut workers_killed, mut kill_at) = (0, 6);
    let mut quarters = 1..=3;
    let mut quarter = quarters.next();
    while coordinator.0.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_millis(20));
        // The coordinator may not have created the database yet.
        let store = Store::open_to_read(&cluster.folder.database());
        let games = store.map_or(0, |store| store.game_ids(1).unwrap().len());
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
                coordinator = cluster.coordinator("--patience 2");
            }
        }
        quarter = quarters.next();
    }
    assert!(quarter.is_none() && workers_killed > 2, "the games were over too soon");
    assert!(coordinator.0.wait().unwrap().success(), "{}", cluster.folder.log("coordinator"));
    assert_eq!(cluster.folder.games(1).len(), GAMES);
    assert_eq!(cluster.folder.games(1), local.games(1));
}

#[test]
#[ignore = "needs nats-server"]
fn decided_sprt_withdraws_remaining_jobs() {
    let sprt =
        "[sprt]\nelo0 = -400\nelo1 = -300\n[[contestant]]\nplayer = 'heuristic'\n[[contestant]]\nplayer = 'random'";
    let cluster = Cluster::start(&format!("games = 2000\n{sprt}"), &[]);
    let _worker = cluster.worker("one", "");
    let output = cluster.folder.run(&cluster.arguments());
    assert!(output.contains("H1 accepted"), "{output}");
    assert!(cluster.folder.games(1).len() < 200, "{output}");
    cluster.folder.wait_for("one", "ended");
    assert_eq!(messages(&cluster), [0, 0]);
}

#[test]
#[ignore = "needs nats-server"]
fn coordinator_resumes_and_withdraws() {
    let cluster = Cluster::start(PLAN, &[]);
    // The plan is published, then the coordinator is gone, and a worker plays all of it.
    let mut coordinator = cluster.coordinator("");
    wait_until(|| messages(&cluster) == [10, 0]);
    coordinator.kill();
    let worker = cluster.worker("one", "");
    wait_until(|| messages(&cluster)[1] >= 10);
    drop(worker);
    assert!(cluster.folder.run(&cluster.arguments()).contains("Workers: one 10 pairs"));
    assert_eq!(messages(&cluster), [0, 0]);

    cluster.folder.write("plan.toml", PLAN.replace("nodes = 20", "nodes = 21"));
    let mut coordinator = cluster.coordinator("");
    wait_until(|| messages(&cluster) == [10, 0]);
    coordinator.kill();
    assert!(cluster.folder.run(&format!("{} --withdraw", cluster.arguments())).contains("Withdrawn"));
    assert_eq!(messages(&cluster), [0, 0]);
}

/// As if it had been published by a program of another version.
#[test]
#[ignore = "needs nats-server"]
fn rejects_worker_with_other_fingerprint() {
    let cluster = Cluster::start(PLAN, &[]);
    let _worker = cluster.worker("other", "");
    let mut coordinator = cluster.coordinator("");
    cluster.folder.wait_for("other", "playing");
    coordinator.kill();
    ask(&cluster, async |context| {
        let runs = context.get_key_value("arena-runs").await.unwrap();
        let key = "0123456789abcdef";
        let stream = context.get_stream("KV_arena-runs").await.unwrap();
        let message = stream.get_last_raw_message_by_subject("$KV.arena-runs.>").await.unwrap();
        let mut run: serde_json::Value = serde_json::from_slice(&message.payload).unwrap();
        run["key"] = "0".repeat(64).into();
        run["fingerprint"] = key.into();
        runs.put(key, run.to_string().into()).await.unwrap();
    });
    cluster.folder.wait_for("other", "rejected: this program has the fingerprint");
    assert!(cluster.folder.log("other").contains("the plan needs 0123456789abcdef"));
}

#[cfg(unix)]
#[test]
#[ignore = "needs nats-server"]
fn worker_starts_only_allowed_programs() {
    let plan = "
        games = 2
        [[contestant]]
        player = 'gtp:sh {program}'
        program = 'engine.sh'
        [[contestant]]
        player = 'random'
    ";
    let cluster = Cluster::start(plan, &[]);
    let folder = &cluster.folder;
    let engine = "while read -r word rest; do case $word in genmove) echo = resign;; *) echo =;; esac; echo; done";
    folder.write("engine.sh", engine);
    let output = folder.run("run plan.toml --dry-run");
    let permit =
        output.split("--allow ").nth(1).and_then(|rest| rest.lines().next()).unwrap_or_else(|| panic!("{output}"));
    let refusing = cluster.worker("refusing", "");
    let mut coordinator = cluster.coordinator("");
    folder.wait_for("refusing", &format!("allowed by `--allow {permit}`"));
    folder.wait_for("coordinator", "the worker refusing rejects the run");
    drop(refusing);
    let _willing = cluster.worker("willing", &format!("--allow {permit}"));
    assert!(coordinator.0.wait().unwrap().success(), "{}", folder.log("coordinator"));
    assert_eq!(folder.games(1).len(), 2);
}
