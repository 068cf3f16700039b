//! Comparable times on machines of different speed.

use std::time::Duration;
use std::{panic, thread};

use player::{FromOptions, MctsPlayer, Options, bench};

use super::{Entrant, Plan};
use crate::engines::Budget;
use crate::games::played::{Choice, PlayedGame, Ply};

/// Nodes per position of the benchmark: less than a second in all.
const NODES: u64 = 2_000;

/// Measures the speed of this machine: nodes per second of the Monte Carlo player in the positions of the
/// [benchmark](mod@bench), while `concurrency` games are played at the same time.
pub fn measure_speed(concurrency: usize) -> f64 {
    let measure = || {
        let mut player = MctsPlayer::new(&Options { seed: 1, ..Options::default() });
        let samples = bench::samples(&mut player, NODES).unwrap_or_default();
        let nodes: u64 = samples.iter().map(|sample| sample.nodes).sum();
        let time: Duration = samples.iter().map(|sample| sample.time).sum();
        nodes as f64 / time.as_secs_f64().max(1e-9)
    };
    let concurrency = concurrency.max(1);
    let speeds: Vec<f64> = thread::scope(|scope| {
        let threads: Vec<_> = (0..concurrency).map(|_| scope.spawn(measure)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(|error| panic::resume_unwind(error))).collect()
    });
    speeds.iter().sum::<f64>() / concurrency as f64
}

/// Ratio of this machine's times to the reference machine's.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Scale(f64);

impl Scale {
    /// On the machine itself.
    pub const NONE: Self = Self(1.0);

    /// On a machine with speed `own`, for times that are meant for one with speed `reference`.
    pub fn new(reference: f64, own: f64) -> Self {
        Self(reference / own)
    }

    /// On this machine while `concurrency` games are played at the same time: [`NONE`](Self::NONE) if the plan has no
    /// time limits or no reference machine.
    pub fn here(plan: &Plan, concurrency: usize) -> Self {
        let reference = plan.reference_speed.filter(|_| plan.is_timed());
        reference.map_or(Self::NONE, |reference| Self::new(reference, measure_speed(concurrency)))
    }

    /// Returns the ratio.
    pub const fn factor(self) -> f64 {
        self.0
    }

    /// Scales the time limits of a plan to this machine.
    pub fn plan(self, plan: &Plan) -> Plan {
        if self == Self::NONE {
            return plan.clone();
        }
        let budget = |Budget { time, nodes }| Budget { time: time.map(|time| scaled(time, self.0)), nodes };
        let scale = |entrant: &Entrant| {
            let spec = entrant.spec.clone().with_budget(budget(entrant.spec.budget()));
            Entrant { spec, ..entrant.clone() }
        };
        Plan {
            contestants: plan.contestants.iter().map(scale).collect(),
            timeout: plan.timeout.map(|timeout| scaled(timeout, self.0)),
            ..plan.clone()
        }
    }

    /// Scales the times of a game played here to the reference machine.
    pub fn game(self, mut game: PlayedGame) -> PlayedGame {
        if self != Self::NONE {
            for Choice { time, .. } in game.plies.iter_mut().filter_map(|Ply { choice, .. }| choice.as_mut()) {
                *time = scaled(*time, 1.0 / self.0);
            }
        }
        game
    }
}

fn scaled(time: Duration, factor: f64) -> Duration {
    Duration::try_from_secs_f64(time.as_secs_f64() * factor).unwrap_or(Duration::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::played::Side;

    #[test]
    fn scales_times_only() {
        let text = "
            time = 100
            timeout = 900
            [[contestant]]
            player = 'mcts:memory=1,time=300'
            [[contestant]]
            player = 'mcts:memory=1,nodes=50'
        ";
        let plan: Plan = text.parse().unwrap();
        let scaled = Scale::new(1000.0, 3000.0).plan(&plan);
        let budgets = |plan: &Plan| Side::ALL.map(|side| plan.spec(side).budget());
        assert_eq!(budgets(&plan), [Budget::time(Duration::from_millis(300)), Budget::nodes(50)]);
        assert_eq!(budgets(&scaled), [Budget::time(Duration::from_millis(100)), Budget::nodes(50)]);
        assert_eq!((scaled.timeout, scaled.seed), (Some(Duration::from_millis(300)), plan.seed));
        assert_eq!(Scale::NONE.plan(&plan), plan);
    }
}
