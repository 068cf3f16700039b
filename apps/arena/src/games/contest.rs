//! One game between two contestants.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use game::{Move, Position, Team};
use player::Report;
use record::limits::MAX_PLIES;
use record::{Fault, FaultKind};
use server::TimeLimits;

use crate::engines::{Contestant, GameStart, StartError};
use crate::games::played::{Choice, PlayedGame, Ply, Side};

/// Start of a game and the teams of the contestants.
#[derive(Clone, PartialEq, Debug)]
pub struct Pairing {
    /// Index of the pair in the match, from 0.
    pub pair: u32,
    /// The team of [`Side::A`].
    pub team_of_a: Team,
    /// The start position.
    pub start: Position,
    /// The first moves.
    pub opening: Vec<Move>,
    /// Seeds of both sides.
    pub seeds: [u64; 2],
    /// `true` if a side that fails to start loses the game; otherwise the match ends.
    pub is_tolerant: bool,
}

/// Plays a game and calls `on_move` after every move. Returns `None` if `stop` is set first. The side to move after
/// [`MAX_PLIES`] moves loses, because passes could make a game endless.
pub fn play_game(
    pairing: &Pairing,
    sides: &mut [Box<dyn Contestant>; 2],
    time_limits: TimeLimits,
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
            None if record.plies.len() >= MAX_PLIES => {
                let endless = format!("the game has not ended after {MAX_PLIES} moves");
                record.fault = Some((side, Fault::new(FaultKind::Illegal, endless)));
                break;
            }
            None => match choose(&mut *sides[side as usize], &position, time_limits) {
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
        contestant.end(&position, fault);
    }
    Ok(Some(record))
}

/// Asks for a move and checks it. Uses the time that the contestant reports, or else measures it.
pub(crate) fn choose(
    contestant: &mut dyn Contestant,
    position: &Position,
    time_limits: TimeLimits,
) -> Result<(Move, Choice), Fault> {
    let asked = Instant::now();
    let (Report { mv, evaluation, nodes, depth, .. }, time) = contestant.choose(position, time_limits.hard)?;
    let time = time.unwrap_or_else(|| asked.elapsed());
    if time > time_limits.soft && contestant.is_timed() {
        let (took, allowed) = (time.as_millis(), time_limits.soft.as_millis());
        return Err(Fault::new(FaultKind::Late, format!("{mv} came after {took} ms, {allowed} ms are allowed")));
    }
    let illegal = |reason| Fault::new(FaultKind::Illegal, format!("{mv}: {reason}; position {position}"));
    position.check(mv).map_err(illegal)?;
    Ok((mv, Choice { time, evaluation, nodes, depth }))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use game::Rules;

    use super::*;
    use crate::engines::Budget;

    /// A random player with a move that it chooses instead wherever it can: a pass, or an illegal one at once.
    struct Stubborn(Box<dyn Contestant>, Move);

    impl Contestant for Stubborn {
        fn begin(&mut self, game: &GameStart) -> Result<(), StartError> {
            self.0.begin(game)
        }

        fn note(&mut self, before: &Position, mv: Move, own: bool) -> Result<(), Fault> {
            self.0.note(before, mv, own)
        }

        fn choose(&mut self, position: &Position, timeout: Duration) -> Result<(Report, Option<Duration>), Fault> {
            match self.1 {
                Move::Pass if !position.may_pass() => self.0.choose(position, timeout),
                mv => Ok((Report::without_search(mv), None)),
            }
        }
    }

    fn player(name: &str, budget: Budget) -> Box<dyn Contestant> {
        name.parse::<crate::engines::Spec>().unwrap().contestant(budget)
    }

    fn play(mut sides: [Box<dyn Contestant>; 2], time_limits: TimeLimits) -> PlayedGame {
        let start = Position::new(Rules::Classic, None).unwrap();
        let team_of_a = Team::Two;
        let pairing = Pairing { pair: 0, team_of_a, start, opening: Vec::new(), seeds: [1, 2], is_tolerant: false };
        play_game(&pairing, &mut sides, time_limits, &AtomicBool::new(false), |_| ()).unwrap().unwrap()
    }

    #[test]
    fn illegal_moves_and_endless_passing_lose() {
        for (mv, turns) in [("MONO@10,10", [1, 0]), ("PASS", [MAX_PLIES, MAX_PLIES])] {
            for (side, moves) in Side::ALL.into_iter().zip(turns) {
                let mut sides = [(); 2].map(|()| player("random", Budget::UNLIMITED));
                let inner = player("random", Budget::UNLIMITED);
                sides[side as usize] = Box::new(Stubborn(inner, mv.parse().unwrap()));
                let game = play(sides, TimeLimits::default());
                let fault = game.fault.as_ref().map(|(guilty, fault)| (*guilty, fault.kind));
                assert_eq!((fault, game.plies.len()), (Some((side, FaultKind::Illegal)), moves), "{mv}");
                assert_eq!([side, side.opponent()].map(|side| game.half_points(side)), [Some(0), Some(2)]);
                let result = format!("{} wins ({} illegal)", side.opponent().name(), side.name());
                assert_eq!(game.result(), result);
                assert!(game.verdict().starts_with(&format!("{result}: `")), "{}", game.verdict());
            }
        }
    }

    #[test]
    fn node_limited_players_are_never_late() {
        let time_limits = TimeLimits { soft: Duration::ZERO, ..TimeLimits::default() };
        let timed = Budget::time(Duration::from_secs(1));
        for (budget, late) in [(Budget::UNLIMITED, None), (Budget::nodes(1), None), (timed, Some(FaultKind::Late))] {
            let game = play([(); 2].map(|()| player("heuristic", budget)), time_limits);
            assert_eq!(game.fault.map(|(_, fault)| fault.kind), late, "{budget:?}");
        }
    }
}
