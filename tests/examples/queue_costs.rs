//! What a pair of games costs over a queue beside the players' time, measured on this machine with a real queue server:
//!
//!     cargo run --release -p tests --example queue_costs
//!
//! The processor time of everybody who takes part in it tells what each of them would need on a machine of its own.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use arena::plan::{Part, Plan, Scale};
use arena::queue::{Access, Coordinator, Done, Games, Item, Kind, Offer, Order, Seat, Task, Worker, gather_games};
use arena::records::Records;
use arena::store::Store;
use clap::Parser;
use cpu_time::{ProcessTime, ThreadTime};
use tests::queue_server::QueueServer;

#[derive(Parser)]
struct Arguments {
    /// Items without work, with as much to send as a pair of games has.
    #[arg(long, default_value_t = 20_000)]
    items: u64,
    /// Games, an even number.
    #[arg(long, default_value_t = 2_000)]
    games: u32,
}

/// As much as the games of a pair are.
const RESULT: usize = 12_000;

/// A worker gives its pair back sooner.
const PATIENCE: Duration = Duration::from_secs(30);

/// Nothing is done, and much is sent.
struct Nothing;

impl Kind for Nothing {
    fn name(&self) -> &'static str {
        "nothing"
    }

    fn files(&self, _: &str) -> Result<Vec<String>, String> {
        Ok(Vec::new())
    }

    fn prepare(&self, _: &Offer, _: &str, _: &Path, _: usize) -> Result<Arc<dyn Task>, String> {
        Ok(Arc::new(Self))
    }
}

impl Task for Nothing {
    fn description(&self) -> String {
        "nothing".to_owned()
    }

    fn seat(self: Arc<Self>) -> Box<dyn Seat> {
        Box::new(Self)
    }
}

impl Seat for Nothing {
    fn perform(&mut self, _: Item, _: &[u8], _: &AtomicBool) -> Result<Option<Done>, String> {
        Ok(Some(Done { result: vec![b'x'; RESULT], file: None }))
    }
}

/// How much processor time everybody has needed.
struct Spent {
    wall: Duration,
    server: Duration,
    coordinator: Duration,
    worker: Duration,
}

impl Spent {
    /// Lets a worker with so many places work while something is gathered in this thread.
    fn on(
        server: &QueueServer,
        kinds: Vec<Arc<dyn Kind>>,
        cores: usize,
        gather: impl FnOnce() -> anyhow::Result<()>,
    ) -> anyhow::Result<Self> {
        let worker = Worker { access: access(server), name: "one".to_owned(), cores, kinds, idle: None };
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            let working = scope.spawn(|| worker.work(&stop, |_| {}));
            let (wall, process, own) = (Instant::now(), ProcessTime::now(), ThreadTime::now());
            let before = server.processor_time().context("the system does not tell")?;
            let gathered = gather();
            let server = server.processor_time().context("the system does not tell")?.saturating_sub(before);
            let (wall, process, coordinator) = (wall.elapsed(), process.elapsed(), own.elapsed());
            stop.store(true, Ordering::Relaxed);
            let worked = working.join().unwrap_or_else(|error| std::panic::resume_unwind(error));
            gathered?;
            worked?;
            Ok(Self { wall, server, coordinator, worker: process.saturating_sub(coordinator) })
        })
    }

    fn tell(&self, what: &str, count: u64) {
        let micros = |time: Duration| time.as_secs_f64() * 1e6 / count as f64;
        println!(
            "{count} {what}: {:.1?}, {:.0} a second; processor time of each: server {:.0} µs, coordinator {:.0} µs, worker {:.0} µs",
            self.wall,
            count as f64 / self.wall.as_secs_f64(),
            micros(self.server),
            micros(self.coordinator),
            micros(self.worker),
        );
    }
}

fn access(server: &QueueServer) -> Access {
    Access { url: format!("nats://{}", server.address()), ..Access::default() }
}

fn main() -> anyhow::Result<()> {
    let Arguments { items, games } = Arguments::parse();
    let server = QueueServer::start(&[]).context("this machine has no nats-server")?;
    let stop = AtomicBool::new(false);
    let order = Order::new("nothing", String::new(), "", String::new());
    let mut coordinator = Coordinator::open(&access(&server), "costs", &order, PATIENCE)?;
    let all: Vec<(Item, Vec<u8>)> = (0..items).map(|number| (Item { group: 0, number }, Vec::new())).collect();
    for cores in [1, 32] {
        let spent = Spent::on(&server, vec![Arc::new(Nothing)], cores, || {
            coordinator.gather(&all, &stop, &mut |_, _| Ok(ControlFlow::Continue(())))?;
            Ok(coordinator.forget(0, &stop)?)
        })?;
        spent.tell(&format!("items without work, {cores} at a time"), items);
    }
    coordinator.close(&stop)?;

    let text = "nodes = 100\n[[contestant]]\nplayer = 'mcts:memory=1'\n[[contestant]]\nplayer = 'heuristic'";
    let plan: Plan = format!("games = {games}\n{text}").parse()?;
    let folder = tempfile::tempdir()?;
    let (begun, process) = (Instant::now(), ProcessTime::now());
    let mut local = Records::of_plan(plan.clone(), Part::WHOLE, Store::open(&folder.path().join("local.sqlite"))?)?;
    local.play(Scale::NONE, 1, &stop, |_| {})?;
    let (wall, spent) = (begun.elapsed(), process.elapsed());
    let pairs = u64::from(games) / 2;
    let micros = |time: Duration| time.as_secs_f64() * 1e6 / pairs as f64;
    println!(
        "{pairs} pairs of games without a queue: {:.0} µs each, processor time {:.0} µs",
        micros(wall),
        micros(spent)
    );

    let store = Store::open(&folder.path().join("queue.sqlite"))?;
    let mut records = Records::of_plan(plan.clone(), Part::WHOLE, store)?;
    let mut coordinator = Coordinator::open(&access(&server), "costs", &Order::of_plan(&plan, 1)?, PATIENCE)?;
    let left = records.left();
    let spent = Spent::on(&server, vec![Arc::new(Games::default())], 1, || {
        let mut failed = None;
        gather_games(&mut coordinator, &plan, &left, &stop, &mut |number, game| {
            records.take(number, &game).unwrap_or_else(|error| {
                failed = Some(error);
                ControlFlow::Break(())
            })
        })?;
        coordinator.close(&stop)?;
        failed.map_or(Ok(()), |error| Err(error.into()))
    })?;
    spent.tell("pairs of games, one at a time", pairs);
    let more = spent.wall.as_secs_f64() - wall.as_secs_f64();
    println!("a game takes {:+.2} ms longer than without a queue", more * 1e3 / f64::from(games));
    Ok(())
}
