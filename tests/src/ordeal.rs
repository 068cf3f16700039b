//! A plan that is played over a queue while everything that takes part in it is killed again and again.

use std::time::{Duration, Instant};
use std::{fmt, thread};

use crate::cluster::{Cluster, Killed};

/// Poll interval of the progress.
const POLL: Duration = Duration::from_millis(20);

/// Duration of the server's outage.
const AWAY: Duration = Duration::from_secs(1);

/// Games to play and processes to kill meanwhile.
#[derive(Clone, Copy, Debug)]
pub struct Ordeal {
    /// Games, an even number.
    pub games: u32,
    /// Nodes per move.
    pub nodes: u64,
    /// Number of workers, each with one game at a time.
    pub workers: usize,
    /// One worker after the other is killed and started again every so often.
    pub kill_worker_every: Duration,
}

/// What else is killed and started again: after a quarter, half and three quarters of the games.
const KILLED: [Role; 3] = [Role::Coordinator, Role::Server, Role::Coordinator];

#[derive(Clone, Copy)]
enum Role {
    Coordinator,
    Server,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Workers that were killed.
    pub workers_killed: u32,
    /// Duration of the run.
    pub time: Duration,
    /// Duration of the same games without a queue, one at a time.
    pub local: Duration,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { workers_killed, time, local } = self;
        write!(f, "{workers_killed} workers killed, {time:.1?}; one at a time without a queue {local:.1?}")
    }
}

impl Ordeal {
    /// The plan.
    pub fn plan(&self) -> String {
        let Self { games, nodes, .. } = self;
        format!(
            "games = {games}\nnodes = {nodes}\n[[contestant]]\nplayer = 'mcts:memory=16'\n[[contestant]]\nplayer = 'heuristic'"
        )
    }

    /// Plays the plan.
    ///
    /// # Panics
    /// If a game is missing, there twice, or another one than it would have been without a queue.
    pub fn run(&self) -> Outcome {
        let mut cluster = Cluster::start(&self.plan(), &[]);
        let begun = Instant::now();
        cluster.run("run plan.toml --quiet --concurrency 1 --database local.sqlite");
        let local = begun.elapsed();

        let name = |worker: usize| format!("worker-{worker}");
        let coordinate = |cluster: &Cluster| {
            let command = format!("run plan.toml --quiet --patience 2 --database queue.sqlite {}", cluster.queue());
            cluster.spawn(&mut cluster.arena(&command), "coordinator")
        };
        let begun = Instant::now();
        let mut coordinator = coordinate(&cluster);
        let mut workers: Vec<Killed> = (0..self.workers).map(|n| cluster.worker(&name(n), "")).collect();
        let (mut workers_killed, mut killed_at) = (0, Instant::now());
        let mut roles = (1..).zip(KILLED).peekable();
        while coordinator.0.try_wait().expect("the coordinator can be looked at").is_none() {
            thread::sleep(POLL);
            if killed_at.elapsed() >= self.kill_worker_every {
                let n = workers_killed as usize % self.workers;
                workers[n].kill();
                workers[n] = cluster.worker(&name(n), "");
                (workers_killed, killed_at) = (workers_killed + 1, Instant::now());
            }
            let played = cluster.count("queue.sqlite") as usize;
            let is_due = |&(n, _): &(usize, Role)| played * (KILLED.len() + 1) >= self.games as usize * n;
            match roles.next_if(is_due) {
                Some((_, Role::Coordinator)) => {
                    coordinator.kill();
                    coordinator = coordinate(&cluster);
                }
                Some((_, Role::Server)) => {
                    cluster.server.kill();
                    thread::sleep(AWAY);
                    cluster.server.restart();
                }
                None => {}
            }
        }
        assert!(roles.next().is_none(), "all games were over before everything was killed");
        let time = begun.elapsed();
        drop(workers);
        let status = coordinator.0.wait().expect("the coordinator has ended");
        assert!(status.success(), "the coordinator has failed: {}", cluster.log("coordinator"));
        let played = cluster.games("queue.sqlite");
        assert_eq!(played.len(), self.games as usize, "games are missing");
        assert!(played == cluster.games("local.sqlite"), "other games were played than without a queue");
        Outcome { workers_killed, time, local }
    }
}
