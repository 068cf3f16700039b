//! One game between two contestants.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use game::{Move, Position, Team};
use record::limits::MOST_PLIES;
use record::{Fault, FaultKind};
use server::Clock;

use crate::engines::{Answer, Contestant, GameEnd, GameStart, StartError};
use crate::games::played::{Choice, PlayedGame, Ply, Side};

/// Start of a game and the teams of the contestants.
#[derive(Clone, PartialEq, Debug)]
pub struct Pairing {
    /// The number of the pair.
    pub pair: u32,
    /// The team of [`Side::A`].
    pub team_of_a: Team,
    /// The start position.
    pub start: Position,
    /// The first moves.
    pub opening: Vec<Move>,
    /// Seeds of both sides.
    pub seeds: [u64; 2],
    /// Whether a side that cannot start loses the game instead of ending the match.
    pub is_tolerant: bool,
}

/// Plays a game and calls `on_move` after every move. Returns `None` if `stop` is set first. The rules allow a pass
/// with moves left, so a game could be endless: a side that exceeds the [maximum number of moves](MOST_PLIES) loses.
pub fn play_game(
    pairing: &Pairing,
    sides: &mut [Box<dyn Contestant>; 2],
    clock: Clock,
    stop: &AtomicBool,
    mut on_move: impl FnMut(&PlayedGame),
) -> Result<Option<PlayedGame>, StartError> {
    let Pairing { pair, team_of_a, start, .. } = *pairing;
    let mut record = PlayedGame { pair, team_of_a, start, plies: Vec::new(), fault: None };
    for team in Team::ALL {
        let side = record.side(team);
        let game = GameStart { position: start, team, seed: pairing.seeds[side as usize] };
        match sides[side as usize].begin(&game) {
            Err(error) if pairing.is_tolerant => {
                record.fault = Some((side, Fault::new(FaultKind::Left, error.reason)));
                break;
            }
            begun => begun?,
        }
    }
    let mut position = start;
    let mut opening = pairing.opening.iter();
    while !position.is_over() && record.fault.is_none() {
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let side = record.side(position.color().team());
        let (mv, choice) = match opening.next() {
            Some(&mv) => (mv, None),
            None if record.plies.len() >= MOST_PLIES => {
                let endless = format!("the game has not ended after {MOST_PLIES} moves");
                record.fault = Some((side, Fault::new(FaultKind::Illegal, endless)));
                break;
            }
            None => match choose(&mut *sides[side as usize], &position, clock) {
                Ok((mv, choice)) => (mv, Some(choice)),
                Err(fault) => {
                    record.fault = Some((side, fault));
                    break;
                }
            },
        };
        record.plies.push(Ply { mv, choice });
        on_move(&record);
        for listener in Side::ALL {
            let own = choice.is_some() && listener == side;
            if let Err(fault) = sides[listener as usize].note(&position, mv, own) {
                record.fault = record.fault.or(Some((listener, fault)));
            }
        }
        position.play(mv);
    }
    let fault = record.fault.as_ref().map(|(side, fault)| (record.team(*side), fault));
    for contestant in sides {
        contestant.end(&GameEnd { position: &position, fault });
    }
    Ok(Some(record))
}

/// Asks for a move, checks it and measures the time unless the contestant knows better.
pub(crate) fn choose(
    contestant: &mut dyn Contestant,
    position: &Position,
    clock: Clock,
) -> Result<(Move, Choice), Fault> {
    let asked = Instant::now();
    let Answer { mv, time, evaluation, nodes, depth } = contestant.choose(position, clock.hard)?;
    let time = time.unwrap_or_else(|| asked.elapsed());
    if time > clock.soft && contestant.is_timed() {
        let (took, allowed) = (time.as_millis(), clock.soft.as_millis());
        return Err(Fault::new(FaultKind::Late, format!("{mv} came after {took} ms, {allowed} ms are allowed")));
    }
    let illegal = |refusal| Fault::new(FaultKind::Illegal, format!("{mv}: {refusal}; position {position}"));
    position.check(mv).map_err(illegal)?;
    Ok((mv, Choice { time, evaluation, nodes, depth }))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use game::Rules;

    use super::*;
    use crate::engines::Budget;
    use crate::games::played::Wdl;

    const NO_BUDGET: Budget = Budget::UNLIMITED;

    /// A random player with another way to choose; `choose` gets the number of its move, from 1.
    struct Double<F>(Box<dyn Contestant>, usize, F);

    impl<F: FnMut(&mut dyn Contestant, usize, &Position) -> Result<Answer, Fault> + Send> Contestant for Double<F> {
        fn begin(&mut self, game: &GameStart) -> Result<(), StartError> {
            self.0.begin(game)
        }

        fn note(&mut self, before: &Position, mv: Move, own: bool) -> Result<(), Fault> {
            self.0.note(before, mv, own)
        }

        fn choose(&mut self, position: &Position, _: Duration) -> Result<Answer, Fault> {
            self.1 += 1;
            self.2(&mut *self.0, self.1, position)
        }
    }

    fn random() -> Box<dyn Contestant> {
        "random".parse::<crate::engines::Spec>().unwrap().contestant(NO_BUDGET)
    }

    fn pairing(team_of_a: Team) -> Pairing {
        let start = Position::new(Rules::Classic, None).unwrap();
        Pairing { pair: 0, team_of_a, start, opening: Vec::new(), seeds: [1, 2], is_tolerant: false }
    }

    #[test]
    fn endless_passing_loses() {
        let passer = Double(random(), 0, |inner: &mut dyn Contestant, _, position: &Position| {
            if position.may_pass() { Ok(Answer::bare(Move::Pass)) } else { inner.choose(position, Duration::MAX) }
        });
        let mut sides: [Box<dyn Contestant>; 2] = [Box::new(passer), random()];
        let stop = AtomicBool::new(false);
        let record = play_game(&pairing(Team::Two), &mut sides, Clock::default(), &stop, |_| ()).unwrap().unwrap();
        let (side, fault) = record.fault.as_ref().expect("it would not end");
        assert_eq!((*side, fault.kind, record.plies.len()), (Side::A, FaultKind::Illegal, MOST_PLIES));
    }

    #[test]
    fn node_limited_players_are_never_late() {
        let clock = Clock { soft: Duration::ZERO, ..Clock::default() };
        let side = |budget| "heuristic".parse::<crate::engines::Spec>().unwrap().contestant(budget);
        let timed = Budget { time: Some(Duration::from_secs(1)), nodes: None };
        for (budget, late) in
            [(NO_BUDGET, None), (Budget { nodes: Some(1), ..NO_BUDGET }, None), (timed, Some(FaultKind::Late))]
        {
            let mut sides = [side(budget), side(budget)];
            let game = play_game(&pairing(Team::One), &mut sides, clock, &AtomicBool::new(false), |_| ());
            assert_eq!(game.unwrap().unwrap().fault.map(|(_, fault)| fault.kind), late, "{budget:?}");
        }
    }

    #[test]
    fn faults_lose() {
        let clock = Clock { soft: Duration::from_millis(100), ..Clock::default() };
        let pass = Ok(Answer::bare(Move::Pass));
        let mono = Ok(Answer::bare("MONO@10,10".parse().unwrap()));
        let resigned = Err(Fault::new(FaultKind::Resigned, "test"));
        for (answer, delay, kind) in [
            (mono, 0, Some(FaultKind::Illegal)),
            (resigned, 0, Some(FaultKind::Resigned)),
            (pass.clone(), 120, Some(FaultKind::Late)),
            // Time after the move does not count.
            (pass.clone().map(|answer| Answer { time: Some(Duration::from_millis(1)), ..answer }), 120, None),
            (pass, 0, None),
        ] {
            for (i, side) in Side::ALL.into_iter().enumerate() {
                let mut sides = [random(), random()];
                let answer = answer.clone();
                sides[i] =
                    Box::new(Double(random(), 0, move |inner: &mut dyn Contestant, number, position: &Position| {
                        if number != 3 {
                            return inner.choose(position, Duration::MAX);
                        }
                        std::thread::sleep(Duration::from_millis(delay));
                        answer.clone()
                    }));
                let record = play_game(&pairing(Team::Two), &mut sides, clock, &AtomicBool::new(false), |_| ());
                let record = record.unwrap().unwrap();
                let fault = record.fault.as_ref().map(|(guilty, fault)| (*guilty, fault.kind));
                assert_eq!(fault, kind.map(|kind| (side, kind)));
                if kind.is_some() {
                    assert_eq!(record.outcome(side), Some(Wdl::Loss));
                    assert_eq!(record.outcome(side.opponent()), Some(Wdl::Win));
                }
            }
        }
    }
}
