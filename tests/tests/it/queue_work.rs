//! Tunings and self-play over a real queue server.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use tests::cluster::{Cluster, wait_until};
use tests::program;

/// The program `trainer` in the folder of a cluster.
fn trainer(cluster: &Cluster, arguments: &str) -> Command {
    let mut command = program::command("trainer");
    command.args(arguments.split_whitespace()).current_dir(cluster.path("")).env_remove("RUST_LOG");
    command
}

fn run(cluster: &Cluster, arguments: &str) -> String {
    let output = trainer(cluster, arguments).output().unwrap();
    assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the files of a folder with their contents.
fn files(cluster: &Cluster, folder: &str) -> BTreeMap<String, Vec<u8>> {
    let Ok(entries) = fs::read_dir(cluster.path(folder)) else { return BTreeMap::new() };
    let file = |entry: fs::DirEntry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap());
    entries.map(|entry| file(entry.unwrap())).collect()
}

/// Waits until one of the workers has ended the run; the other may have come too late to do anything.
fn wait_for_end(cluster: &Cluster) {
    let log = || ["one", "two"].map(|worker| cluster.log(worker)).concat();
    wait_until(|| log().contains("ended"), log);
}

#[test]
#[ignore = "needs nats-server"]
fn tuning_over_queue_gives_same_values() {
    let cluster = Cluster::start("", &[]);
    let tune = "tune mcts:memory=1 --param exploration=0.1..1 --param rave_weight=0.2..1.5 --nodes 20 --pairs 3 \
                --iterations 8 --seed 4 -q";
    let local = cluster.run(&format!("{tune} --history local.tsv"));
    let command = format!("{tune} --history queue.tsv {}", cluster.queue());
    let lines = |name: &str| fs::read_to_string(cluster.path(name)).unwrap_or_default().lines().count();

    // Killing it loses at most an iteration, which can be gathered again.
    let mut first = cluster.spawn(&mut cluster.arena(&command), "tune");
    let _workers = [cluster.worker("one", ""), cluster.worker("two", "")];
    wait_until(|| lines("queue.tsv") > 3, || cluster.log("tune"));
    first.kill();
    let output = cluster.run(&command);
    let tuned = |text: &str| text.lines().find(|line| line.starts_with("tuned: ")).map(str::to_owned);
    assert!(tuned(&output).is_some() && tuned(&output) == tuned(&local), "{output}\n{local}");
    assert_eq!(fs::read(cluster.path("queue.tsv")).unwrap(), fs::read(cluster.path("local.tsv")).unwrap());
    wait_for_end(&cluster);
}

#[test]
#[ignore = "needs nats-server"]
fn self_play_over_queue_writes_same_files() {
    let cluster = Cluster::start("", &[]);
    let play = |folder: &str, games: u32| format!("play {folder} --games {games} --jobs 4 --seed 7 --fast 4 --full 8");
    run(&cluster, &play("local", 3));
    let work = format!("work {} --concurrency 1", cluster.queue());
    let _workers =
        ["one", "two"].map(|name| cluster.spawn(&mut trainer(&cluster, &format!("{work} --name {name}")), name));
    let command = format!("{} {}", play("queue", 3), cluster.queue());
    let output = run(&cluster, &command);
    assert!(output.starts_with("12 games, "), "{output}");
    let local = files(&cluster, "local");
    assert_eq!((local.len(), files(&cluster, "queue")), (4, local.clone()));
    // Files that were gathered and removed from the queue come again if they are played again.
    assert!(run(&cluster, &format!("{} {}", play("again", 3), cluster.queue())).starts_with("12 games, "));
    assert_eq!(files(&cluster, "again"), local);
    wait_for_end(&cluster);

    // Existing games are not played again, and incomplete files are completed.
    assert!(run(&cluster, &command).starts_with("0 games"));
    run(&cluster, &play("queue", 2));
    run(&cluster, &format!("{} {}", play("queue", 5), cluster.queue()));
    run(&cluster, &play("local", 5));
    assert_eq!(files(&cluster, "queue"), files(&cluster, "local"));
}

#[test]
#[ignore = "needs nats-server"]
fn worker_skips_unsupported_jobs() {
    let cluster = Cluster::start("", &[]);
    let command = format!("play games --games 2 --fast 4 --full 8 {}", cluster.queue());
    let mut player = cluster.spawn(&mut trainer(&cluster, &command), "player");
    let _arena = cluster.worker("arena", "");
    cluster.wait_for("arena", "job type `selfplay`; this program knows games");
    cluster.wait_for("player", "the worker arena refuses the run");
    player.kill();
    assert_eq!(run(&cluster, &format!("{command} --withdraw")), "Withdrawn.\n");
    cluster.wait_for("arena", "refused");
}
