//! An engine on a suite.

use std::collections::HashMap;

use game::Move;
use server::TimeLimits;

use super::file::JudgedPosition;
use super::judge::value;
use super::{STAGES, stage};
use crate::engines::{Contestant, GameStart, StartError};
use crate::games::contest;
use crate::openings::join;
use crate::ratings::Sum;

/// Limit of the regret in one position; otherwise a few lost positions would dominate the mean.
const MAX_REGRET: f64 = 0.1;

/// Asks engines for moves in the positions of a suite and measures their regret.
pub struct Trial {
    time_limits: TimeLimits,
    /// Values of moves that the suite has not judged, by position and move.
    judged: HashMap<(u64, Move), f64>,
}

impl Trial {
    /// Creates a trial with the time limits of a match.
    pub fn new(time_limits: TimeLimits) -> Self {
        Self { time_limits, judged: HashMap::new() }
    }

    /// Returns the move of an engine and its regret: the win probability that it loses against the best judged move,
    /// 10 % at most and after a fault. A move without a value is judged now.
    pub fn regret(
        &mut self,
        engine: &mut dyn Contestant,
        judged: &JudgedPosition,
        seed: u64,
    ) -> Result<(Option<Move>, f64), StartError> {
        let position = judged.line.position();
        let best = judged.values[0].1;
        let mut before = *judged.line.start();
        engine.begin(&GameStart { position: before, team: position.color().team(), seed })?;
        let mut chosen = Ok(());
        for &placement in judged.line.placements() {
            let mv = placement.into();
            chosen = chosen.and_then(|()| engine.note(&before, mv, false));
            before.play(mv);
        }
        let chosen = chosen.and_then(|()| contest::choose(engine, &position, self.time_limits));
        engine.end(&position, None);
        match chosen {
            Ok((mv, _)) => Ok((Some(mv), (best - self.value(judged, mv)).clamp(-MAX_REGRET, MAX_REGRET))),
            Err(fault) => {
                log::warn!("after {}: {fault}", join(judged.line.placements()));
                Ok((None, MAX_REGRET))
            }
        }
    }

    fn value(&mut self, judged: &JudgedPosition, mv: Move) -> f64 {
        let position = judged.line.position();
        let listed = judged.values.iter().find(|(known, _)| *known == mv);
        listed.map(|&(_, win)| win).unwrap_or_else(|| {
            *self
                .judged
                .entry((position.zobrist_hash(), mv))
                .or_insert_with(|| value(&position, mv, judged.effort.reply))
        })
    }
}

/// The regrets of one or two engines.
#[derive(Clone, Copy, Default, Debug)]
pub struct Comparison {
    /// The sums of each stage, and of all positions at the end.
    stages: [[Sum; 3]; STAGES.len() + 1],
}

impl Comparison {
    /// Adds the regrets of A and B in a position after `turn` plies.
    pub fn add(&mut self, turn: u16, [a, b]: [f64; 2]) {
        for stage in stage(turn).into_iter().chain([STAGES.len()]) {
            self.stages[stage].iter_mut().zip([a, b, a - b]).for_each(|(sum, regret)| sum.add(regret));
        }
    }

    /// Returns the regrets of A and B and their difference, of a stage or of all positions.
    pub fn sums(&self, stage: Option<usize>) -> [Sum; 3] {
        self.stages[stage.unwrap_or(STAGES.len())]
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use game::Position;
    use player::Report;
    use record::{Fault, FaultKind};

    use super::*;

    /// Records the moves of a game and gives a fixed answer.
    struct Stub {
        shown: Vec<Move>,
        answer: Result<Move, Fault>,
    }

    impl Contestant for Stub {
        fn begin(&mut self, _: &GameStart) -> Result<(), StartError> {
            self.shown.clear();
            Ok(())
        }

        fn note(&mut self, _: &Position, mv: Move, _: bool) -> Result<(), Fault> {
            self.shown.push(mv);
            Ok(())
        }

        fn choose(&mut self, _: &Position, _: Duration) -> Result<(Report, Option<Duration>), Fault> {
            self.answer.clone().map(|mv| (Report::without_search(mv), None))
        }
    }

    const SAMPLE: &str = r#"{"line":"PENTO_X@8,0","values":[["PENTO_X@8,17",0.5625],["PENTO_X@0,8",0.5],["PENTO_X@17,9",0.25]],"root":9,"reply":20}"#;

    #[test]
    fn regret_is_distance_to_best_value() {
        let judged: JudgedPosition = serde_json::from_str(SAMPLE).unwrap();
        let mut trial = Trial::new(TimeLimits::default());
        let mut regret = |answer| {
            let mut stub = Stub { shown: Vec::new(), answer };
            let regret = trial.regret(&mut stub, &judged, 1).unwrap().1;
            assert_eq!(stub.shown, ["PENTO_X@8,0".parse().unwrap()]);
            regret
        };
        for (mv, expected) in
            [("PENTO_X@8,17", 0.0), ("PENTO_X@0,8", 0.0625), ("PENTO_X@17,9", 0.1), ("PENTO_X@8,8", 0.1)]
        {
            assert_eq!(regret(Ok(mv.parse().unwrap())), expected, "{mv}");
        }
        assert_eq!(regret(Err(Fault::new(FaultKind::Left, "gone"))), 0.1);
        let unlisted = "PENTO_X@17,8".parse().unwrap();
        let expected = 0.5625 - value(&judged.line.position(), unlisted, 20);
        assert_eq!(regret(Ok(unlisted)), expected.clamp(-0.1, 0.1));
    }

    #[test]
    fn comparisons_pair_engines_by_stage() {
        let mut comparison = Comparison::default();
        for (turn, regrets) in [(4, [0.5, 0.25]), (17, [0.25, 0.0]), (60, [0.0, 0.5])] {
            comparison.add(turn, regrets);
        }
        assert_eq!(comparison.sums(Some(0)).map(|sum| sum.mean()), [Some(0.375), Some(0.125), Some(0.25)]);
        assert_eq!(comparison.sums(Some(0))[2].standard_error(), Some(0.0));
        assert_eq!(comparison.sums(None).map(|sum| sum.mean()), [Some(0.25), Some(0.25), Some(0.0)]);
    }
}
