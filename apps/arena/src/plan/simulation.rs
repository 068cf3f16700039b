//! Simulates how long a number of machines takes, and what limits them.
//!
//! Every core asks the queue server for a pair of games, plays it, and hands it in; the coordinator takes the results.
//! Server and coordinator do one thing at a time. Pairs come in batches, such as the rounds of a Swiss tournament or
//! the iterations of a tuning: the next batch is offered when all results of the one before are there.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::fmt;
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Work to simulate.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Workload {
    /// Number of batches, played one after another.
    pub batches: u64,
    /// The pairs of games in a batch.
    pub pairs: u64,
    /// Mean duration of a pair.
    pub pair: Duration,
}

/// Overhead of a pair.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Costs {
    /// The time of the server for everything that it does with a pair.
    pub server: Duration,
    /// The time of the coordinator for offering a pair.
    pub offer: Duration,
    /// The time of the coordinator for checking and keeping the games.
    pub take: Duration,
    /// The time of the worker for asking and handing in.
    pub worker: Duration,
    /// Latency of a message.
    pub latency: Duration,
}

/// The processor times of everybody who takes part in it, measured with 600 pairs between random players (nats-server
/// 2.9.10, a core of a virtual AMD EPYC); the latency is typical of a home network.
impl Default for Costs {
    fn default() -> Self {
        let micros = Duration::from_micros;
        Self { server: micros(400), offer: micros(100), take: micros(500), worker: micros(300), latency: micros(500) }
    }
}

/// Result of a simulation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Simulated {
    /// From the first offer to the last result.
    pub time: Duration,
    /// The part of the time that a core plays, on average.
    pub playing: f64,
    /// The part of the time that the server is busy.
    pub server: f64,
    /// The part of the time that the coordinator is busy.
    pub coordinator: f64,
    /// What limits.
    pub limit: Limit,
}

/// Why it does not take less time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// The cores play nearly all the time.
    Cores,
    /// The server is busy nearly all the time.
    Server,
    /// The coordinator is busy nearly all the time.
    Coordinator,
    /// Cores wait for the last pairs of a batch, or there are fewer pairs in it than cores.
    Batches,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Cores => "the players' time",
            Self::Server => "the queue server",
            Self::Coordinator => "the coordinator",
            Self::Batches => "cores wait for the last pairs",
        })
    }
}

/// Pairs take so much more or less time than they do on average.
const SPREAD: f64 = 0.2;

/// Utilisation above which a machine counts as the bottleneck.
const BUSY: f64 = 0.9;

/// Event types, in the order of handling at equal times.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Event {
    /// A result has reached the coordinator.
    Arrival,
    /// The coordinator can offer another pair.
    Offer,
    /// A pair can be taken.
    Offered,
    /// The server hears that a core has played a pair.
    Played,
    /// The server hears that a core asks for a pair.
    Question,
}

/// Nanoseconds since the beginning.
type Moment = u64;

struct Simulation {
    costs: [u64; 5],
    rng: Xoshiro256PlusPlus,
    pair: f64,
    events: BinaryHeap<Reverse<(Moment, Event)>>,
    /// Time at which server and coordinator are free again.
    server_free: Moment,
    coordinator_free: Moment,
    server_busy: u64,
    coordinator_busy: u64,
    played: u64,
    /// Cores that wait for a pair.
    waiting: u64,
    /// When pairs that nobody has taken were offered.
    offered: VecDeque<Moment>,
}

/// Simulates `machines` with `cores` each. The same arguments give the same.
///
/// ```
/// use std::time::Duration;
/// use arena::plan::{Costs, Limit, Workload, simulate};
///
/// let work = Workload { batches: 1, pairs: 10_000, pair: Duration::from_secs(10) };
/// let simulated = simulate(&work, 10, 8, &Costs::default());
/// assert_eq!((simulated.limit, simulated.time.as_secs() / 60), (Limit::Cores, 20));
/// ```
pub fn simulate(work: &Workload, machines: u32, cores: u32, costs: &Costs) -> Simulated {
    let Costs { server, offer, take, worker, latency } = *costs;
    let all_cores = u64::from(machines) * u64::from(cores);
    let mut simulation = Simulation {
        costs: [server, offer, take, worker, latency].map(|cost| cost.as_nanos() as u64),
        rng: Xoshiro256PlusPlus::seed_from_u64(1),
        pair: work.pair.as_nanos() as f64,
        events: BinaryHeap::new(),
        server_free: 0,
        coordinator_free: 0,
        server_busy: 0,
        coordinator_busy: 0,
        played: 0,
        waiting: all_cores,
        offered: VecDeque::new(),
    };
    for _ in 0..work.batches {
        simulation.batch(work.pairs);
    }
    let time = simulation.coordinator_free;
    let part = |busy: u64| busy as f64 / time.max(1) as f64;
    let playing = part(simulation.played) / all_cores.max(1) as f64;
    let [server, coordinator] = [simulation.server_busy, simulation.coordinator_busy].map(part);
    let limit = match () {
        () if playing > BUSY => Limit::Cores,
        () if coordinator > BUSY && coordinator >= server => Limit::Coordinator,
        () if server > BUSY => Limit::Server,
        () => Limit::Batches,
    };
    Simulated { time: Duration::from_nanos(time), playing, server, coordinator, limit }
}

impl Simulation {
    /// Offers a batch when all results of the one before are there.
    fn batch(&mut self, pairs: u64) {
        let [server, offer, take, worker, latency] = self.costs;
        let (mut to_offer, mut to_come) = (pairs, pairs);
        self.at(self.coordinator_free, Event::Offer);
        while to_come > 0
            && let Some(Reverse((now, event))) = self.events.pop()
        {
            match event {
                Event::Offer if to_offer > 0 => {
                    to_offer -= 1;
                    let done = self.coordinate(now, offer);
                    self.at(done + latency, Event::Offered);
                    self.at(done, Event::Offer);
                }
                Event::Offer => {}
                Event::Offered => {
                    let done = self.serve(now, server / 3);
                    self.offered.push_back(done);
                    self.give();
                }
                Event::Question => {
                    self.waiting += 1;
                    self.give();
                }
                Event::Played => {
                    let done = self.serve(now, server / 3);
                    self.at(done + latency, Event::Arrival);
                    self.at(done + 2 * latency + worker, Event::Question);
                }
                Event::Arrival => {
                    self.coordinate(now, take);
                    to_come -= 1;
                }
            }
        }
    }

    /// Gives pairs to cores that wait for them.
    fn give(&mut self) {
        let [server, _, _, _, latency] = self.costs;
        while self.waiting > 0
            && let Some(offered) = self.offered.pop_front()
        {
            self.waiting -= 1;
            let begun = self.serve(offered, server / 3) + latency;
            let time = (self.pair * self.rng.random_range(1.0 - SPREAD..1.0 + SPREAD)) as u64;
            self.played += time;
            self.at(begun + time + latency, Event::Played);
        }
    }

    fn at(&mut self, moment: Moment, event: Event) {
        self.events.push(Reverse((moment, event)));
    }

    /// The server does something as soon as it can; when that is done.
    fn serve(&mut self, from: Moment, time: u64) -> Moment {
        self.server_busy += time;
        self.server_free = self.server_free.max(from) + time;
        self.server_free
    }

    fn coordinate(&mut self, from: Moment, time: u64) -> Moment {
        self.coordinator_busy += time;
        self.coordinator_free = self.coordinator_free.max(from) + time;
        self.coordinator_free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn simulated(batches: u64, pairs: u64, machines: u32) -> Simulated {
        simulate(&Workload { batches, pairs, pair: SECOND }, machines, 8, &Costs::default())
    }

    #[test]
    fn twice_the_machines_need_half_the_time_until_something_else_limits() {
        let [one, two] = [1, 2].map(|machines| simulated(1, 10_000, machines));
        assert_eq!((one.limit, two.limit), (Limit::Cores, Limit::Cores));
        let ratio = one.time.as_secs_f64() / two.time.as_secs_f64();
        assert!((1.95..2.0).contains(&ratio), "{one:?} {two:?}");
        // All pairs one after the other, at 8 cores.
        let least = 10_000.0 / 8.0;
        assert!((least..1.02 * least).contains(&one.time.as_secs_f64()), "{one:?}");
        let many = simulated(1, 100_000, 1000);
        assert_eq!(many.limit, Limit::Coordinator);
        let slow = Costs { server: SECOND / 100, ..Costs::default() };
        let served = simulate(&Workload { batches: 1, pairs: 20_000, pair: SECOND }, 1000, 8, &slow);
        assert_eq!(served.limit, Limit::Server);
        assert!((200.0..204.0).contains(&served.time.as_secs_f64()), "{served:?}");
    }

    #[test]
    fn small_batches_leave_cores_without_work() {
        // With as many iterations as pairs, one core plays at a time.
        let alone = simulated(100, 1, 10);
        assert_eq!(alone.limit, Limit::Batches);
        assert!((99.0..103.0).contains(&alone.time.as_secs_f64()), "{alone:?}");
        let [small, large] = [(20, 40), (1, 800)].map(|(batches, pairs)| simulated(batches, pairs, 10));
        assert!(small.playing < 0.6 && large.time < small.time, "{small:?} {large:?}");
    }
}
