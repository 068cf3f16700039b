//! An engine on a suite.

use std::collections::HashMap;

use game::Move;
use server::Clock;

use super::file::Sample;
use super::judge::value;
use super::{STAGES, stage};
use crate::engines::{Contestant, GameEnd, GameStart, StartError};
use crate::games::contest;
use crate::ratings::Sum;

/// Asks engines for moves in the positions of a suite and measures their regret.
pub struct Trial {
    clock: Clock,
    /// Values of moves that the suite has not judged, by position and move.
    judged: HashMap<(u64, Move), f64>,
}

impl Trial {
    /// A trial in which answers are late as in a match with this clock.
    pub fn new(clock: Clock) -> Self {
        Self { clock, judged: HashMap::new() }
    }

    /// Returns the move of an engine and its regret: the win probability that it loses against the best judged move. A
    /// fault loses all. A move without a value is judged now.
    ///
    /// # Errors
    /// [`StartError`] if the engine cannot play at all.
    pub fn regret(
        &mut self,
        engine: &mut dyn Contestant,
        sample: &Sample,
        seed: u64,
    ) -> Result<(Option<Move>, f64), StartError> {
        let position = sample.line.position();
        let best = sample.values[0].1;
        let mut before = sample.line.start();
        engine.begin(&GameStart { position: before, team: position.color().team(), seed })?;
        let mut chosen = Ok(());
        for mv in sample.line.moves() {
            chosen = chosen.and_then(|()| engine.note(&before, mv, false));
            before.play(mv);
        }
        let chosen = chosen.and_then(|()| contest::choose(engine, &position, self.clock));
        engine.end(&GameEnd { position: &position, fault: None });
        match chosen {
            Ok((mv, _)) => Ok((Some(mv), best - self.value(sample, mv))),
            Err(fault) => {
                log::warn!("after {}: {fault}", sample.line);
                Ok((None, best))
            }
        }
    }

    fn value(&mut self, sample: &Sample, mv: Move) -> f64 {
        let position = sample.line.position();
        let listed = sample.values.iter().find(|(judged, _)| *judged == mv);
        listed.map(|&(_, win)| win).unwrap_or_else(|| {
            *self.judged.entry((position.hash(), mv)).or_insert_with(|| value(&position, mv, sample.effort.reply))
        })
    }
}

/// Undecided moves of a team in each stage of a game, the mean of 160 games of `mcts` against itself.
const MOVES: [f64; STAGES.len()] = [7.0, 6.9, 5.6, 3.2];

/// The regrets of one or two engines.
#[derive(Clone, Copy, Default, Debug)]
pub struct Comparison {
    stages: [[Sum; 3]; STAGES.len()],
    all: [Sum; 3],
}

impl Comparison {
    /// Adds the regrets of A and B in a position after `turn` plies.
    pub fn add(&mut self, turn: u16, [a, b]: [f64; 2]) {
        let stage = stage(turn).map(|stage| &mut self.stages[stage]);
        for sums in stage.into_iter().chain([&mut self.all]) {
            sums.iter_mut().zip([a, b, a - b]).for_each(|(sum, regret)| sum.add(regret));
        }
    }

    /// The share of the points that A would score against B if the regrets of a game add up, and its standard error.
    pub fn predicted_score(&self) -> Option<(f64, f64)> {
        let [mut score, mut variance] = [0.5, 0.0];
        for ([.., difference], moves) in self.stages.iter().zip(MOVES) {
            score -= moves * difference.mean()?;
            variance += (moves * difference.standard_error()?).powi(2);
        }
        Some((score, variance.sqrt()))
    }

    /// The regrets of A and B and their difference, of a stage or of all positions.
    pub fn sums(&self, stage: Option<usize>) -> [Sum; 3] {
        stage.map_or(self.all, |stage| self.stages[stage])
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use game::Position;
    use record::{Fault, FaultKind};

    use super::*;
    use crate::engines::Answer;

    /// Answers with one move after the moves that it was shown.
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

        fn choose(&mut self, _: &Position, _: Duration) -> Result<Answer, Fault> {
            self.answer.clone().map(Answer::bare)
        }
    }

    const SAMPLE: &str =
        r#"{"line":"PENTO_X@8,0","values":[["PENTO_X@8,17",0.75],["PENTO_X@0,8",0.5]],"root":9,"reply":20}"#;

    #[test]
    fn regret_is_the_distance_to_the_best_value() {
        let sample: Sample = serde_json::from_str(SAMPLE).unwrap();
        let mut trial = Trial::new(Clock::default());
        let mut regret = |answer| {
            let mut stub = Stub { shown: Vec::new(), answer };
            let regret = trial.regret(&mut stub, &sample, 1).unwrap().1;
            assert_eq!(stub.shown, ["PENTO_X@8,0".parse().unwrap()]);
            regret
        };
        for (mv, expected) in [("PENTO_X@8,17", 0.0), ("PENTO_X@0,8", 0.25), ("PENTO_X@8,8", 0.75)] {
            assert_eq!(regret(Ok(mv.parse().unwrap())), expected, "{mv}");
        }
        assert_eq!(regret(Err(Fault::new(FaultKind::Left, "gone"))), 0.75);
        let unlisted = "PENTO_X@17,8".parse().unwrap();
        assert_eq!(regret(Ok(unlisted)), 0.75 - value(&sample.line.position(), unlisted, 20));
    }

    #[test]
    fn comparisons_pair_engines_by_stage() {
        let mut comparison = Comparison::default();
        for (turn, regrets) in [(4, [0.5, 0.25]), (17, [0.25, 0.0]), (60, [0.0, 0.5])] {
            comparison.add(turn, regrets);
        }
        assert_eq!(comparison.sums(Some(0)).map(|sum| sum.mean()), [Some(0.375), Some(0.125), Some(0.25)]);
        assert_eq!(comparison.sums(Some(0))[2].standard_error(), Some(0.0));
        assert_eq!(comparison.predicted_score(), None);
        assert_eq!(comparison.sums(None).map(|sum| sum.mean()), [Some(0.25), Some(0.25), Some(0.0)]);
    }

    #[test]
    fn regrets_predict_the_score_of_a_match() {
        let mut comparison = Comparison::default();
        let turns = STAGES.iter().flat_map(|plies| [*plies.start(), *plies.end()]);
        turns.for_each(|turn| comparison.add(turn, [0.0, 0.01]));
        let (score, error) = comparison.predicted_score().unwrap();
        assert!((score - 0.727).abs() < 1e-9 && error < 1e-9, "{score} {error}");
    }
}
