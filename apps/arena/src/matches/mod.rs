//! Matches: many games between the same two engines.

pub mod records;

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use game::{Piece, Rules, Team};
use rand::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;
use record::FaultKind;
use server::Clock;
use thiserror::Error;

use crate::database::StoreError;
use crate::engines::{Budget, Contestant, Spec, StartError};
use crate::games::contest::{Pairing, play_game};
use crate::games::live::Live;
use crate::games::pause;
use crate::games::played::{GameId, PlayedGame, Side};
use crate::openings::{Opening, OpeningError};
use crate::plan::PlanError;
use crate::ratings::{Sprt, Tally};

/// Settings of a match. They decide every game.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchPlan {
    /// The contestants, A first.
    pub sides: [Spec; 2],
    /// Limits per move, unless a specification has its own.
    pub budgets: [Budget; 2],
    /// When a contestant loses for being slow.
    pub clock: Clock,
    /// The rules.
    pub rules: Rules,
    /// The start piece of all games; `None` to draw one for every pair.
    pub start_piece: Option<Piece>,
    /// The opening.
    pub opening: Opening,
    /// Maximum number of pairs of games.
    pub pairs: u32,
    /// Seed of everything that is drawn.
    pub seed: u64,
    /// The test that ends the match when it is decided.
    pub sprt: Option<Sprt>,
}

/// Reason why a match cannot continue.
#[derive(Debug, Error)]
pub enum MatchError {
    /// A contestant cannot play at all.
    #[error(transparent)]
    Start(#[from] StartError),
    /// Games cannot begin as they should.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// Games cannot be read or stored.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The plan cannot be identified.
    #[error(transparent)]
    Plan(#[from] PlanError),
}

impl MatchPlan {
    /// Returns the pairing of a game.
    pub fn pairing(&self, (pair, swapped): GameId) -> Result<Pairing, OpeningError> {
        let opening = self.opening.of_pair(self.seed, pair);
        let (start, opening) = opening.draw(self.rules, self.start_piece, mix([self.seed, pair.into()]))?;
        let seeds = Side::ALL.map(|side| {
            let seed = self.sides[side as usize].seed().unwrap_or(self.seed);
            mix([seed, pair.into(), swapped.into(), side as u64])
        });
        let team_of_a = if swapped { Team::Two } else { Team::One };
        let tolerant = self.sides.each_ref().map(Spec::is_tolerant);
        Ok(Pairing { pair, team_of_a, start, opening, seeds, tolerant })
    }

    /// Plays all games that are not in `finished` and calls `on_game` with each as soon as it ends,
    /// in no particular order.
    ///
    /// `concurrency` games are played at the same time. The match ends early when `stop` is set,
    /// games in progress are lost then; or when the sequential test is decided. `tally` holds the
    /// games that were played before.
    ///
    /// # Errors
    /// [`MatchError`]; no game is started after one, but those that were finished have been
    /// reported.
    pub fn play(
        &self,
        finished: &HashSet<GameId>,
        tally: &mut Tally,
        concurrency: usize,
        stop: &AtomicBool,
        mut on_game: impl FnMut(&PlayedGame, &Tally),
    ) -> Result<(), MatchError> {
        let is_decided = |tally: &Tally| self.sprt.is_some_and(|sprt| sprt.is_decided(&tally.pairs));
        if is_decided(tally) {
            return Ok(());
        }
        let jobs: Vec<Job> = (0..self.pairs).map(|pair| Job { number: 0, pair }).collect();
        let is_finished = |_, id| finished.contains(&id);
        play_jobs(&|_| self.clone(), &jobs, &is_finished, None, concurrency, stop, |_, game| {
            tally.add(&game);
            on_game(&game, tally);
            Ok(if is_decided(tally) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })
    }

    /// Returns `false` if a pause decided a game: of this program, or of a player limited by nodes, whose moves depend
    /// on nothing but the plan. Such a player is late in all attempts if it hangs.
    fn is_counted(&self, game: &PlayedGame, was_paused: bool, attempts: usize) -> bool {
        let Some((side, fault)) = &game.fault else { return true };
        let spec = &self.sides[*side as usize];
        let by_nodes = matches!(spec.budget(self.budgets[*side as usize]), Budget { time: None, nodes: Some(_) });
        match fault.kind {
            FaultKind::Late => !was_paused && (!by_nodes || spec.is_tolerant() || attempts == ATTEMPTS),
            FaultKind::Left => !was_paused,
            _ => true,
        }
    }

    fn contestants(&self) -> [Box<dyn Contestant>; 2] {
        Side::ALL.map(|side| self.sides[side as usize].contestant(self.budgets[side as usize]))
    }
}

/// A pair of games of one of several matches: what one thread, or one machine, plays at a time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Job {
    /// The number of the match.
    pub number: u32,
    /// The number of the pair in it.
    pub pair: u32,
}

/// Plays the games of `jobs` that `is_finished` does not report, in order. `plan_of` returns the match for a number.
/// Calls `on_game` with the number and the game as soon as a game ends.
///
/// `concurrency` games are played at the same time, and can be looked at in `live`. It ends early when `stop` is set or
/// `on_game` breaks; games in progress are lost then.
///
/// # Errors
/// [`MatchError`], also of `on_game`; no game is started after one, but those that were finished have been reported.
pub fn play_jobs(
    plan_of: &(impl Fn(u32) -> MatchPlan + Sync),
    jobs: &[Job],
    is_finished: &(impl Fn(u32, GameId) -> bool + Sync),
    live: Option<&Live>,
    concurrency: usize,
    stop: &AtomicBool,
    mut on_game: impl FnMut(u32, PlayedGame) -> Result<ControlFlow<()>, MatchError>,
) -> Result<(), MatchError> {
    let next = AtomicUsize::new(0);
    // Set when nothing more is to be played, for whatever reason.
    let over = AtomicBool::new(false);
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        // More threads would have nothing to do, and a system has not any number of them.
        for _ in 0..concurrency.clamp(1, jobs.len().max(1)) {
            let (sender, next, over) = (sender.clone(), &next, &over);
            scope.spawn(move || {
                let mut table = Table::of(live);
                while !over.load(Ordering::Relaxed)
                    && let Some(&job) = jobs.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let is_wanted = |id| !is_finished(job.number, id);
                    // The receiver outlives this thread.
                    let played = table.play(plan_of, job, &is_wanted, over, |game| {
                        let _ = sender.send(Ok((job.number, game)));
                    });
                    if let Err(error) = played {
                        let _ = sender.send(Err(error));
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut error = None;
        // After a failed write, later games are lost too.
        let mut is_lost = false;
        loop {
            if stop.load(Ordering::Relaxed) {
                over.store(true, Ordering::Relaxed);
            }
            let reported = match results.recv_timeout(POLL) {
                Ok(Ok(_)) if is_lost => continue,
                Ok(Ok((number, game))) => on_game(number, game).inspect_err(|_| is_lost = true),
                Ok(Err(reason)) => Err(reason),
                Err(mpsc::RecvTimeoutError::Timeout) => continue,
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            };
            match reported {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => over.store(true, Ordering::Relaxed),
                Err(reason) => {
                    over.store(true, Ordering::Relaxed);
                    error.get_or_insert(reason);
                }
            }
        }
        error.map_or(Ok(()), Err)
    })
}

/// Table of two contestants that play one pair of games after the other.
#[derive(Default)]
pub struct Table<'a> {
    /// They stay from pair to pair.
    seated: Option<Seated>,
    /// Running games for viewers.
    live: Option<&'a Live>,
}

/// The contestants of a match.
struct Seated {
    number: u32,
    plan: MatchPlan,
    sides: [Box<dyn Contestant>; 2],
}

impl<'a> Table<'a> {
    fn of(live: Option<&'a Live>) -> Self {
        Self { seated: None, live }
    }

    /// Plays those games of a pair that are wanted and calls `on_game` with each as soon as it ends, unless `stop` is
    /// set before.
    pub fn play(
        &mut self,
        plan_of: impl Fn(u32) -> MatchPlan,
        Job { number, pair }: Job,
        is_wanted: &impl Fn(GameId) -> bool,
        stop: &AtomicBool,
        mut on_game: impl FnMut(PlayedGame),
    ) -> Result<(), MatchError> {
        let seated = self.seated.take().filter(|seated| seated.number == number);
        let Seated { plan, sides, .. } = self.seated.insert(seated.unwrap_or_else(|| {
            let plan = plan_of(number);
            Seated { number, sides: plan.contestants(), plan }
        }));
        for id in [(pair, false), (pair, true)].into_iter().filter(|&id| is_wanted(id)) {
            let show = |game: &PlayedGame| {
                if let Some(live) = self.live {
                    live.note(number, &plan.sides, game);
                }
            };
            let pairing = plan.pairing(id)?;
            let mut attempts = 0;
            let game = loop {
                attempts += 1;
                let pauses = pause::count();
                let played = play_game(&pairing, sides, plan.clock, stop, show);
                let was_paused = pauses != pause::count();
                let reason = match played {
                    Err(error) if was_paused => error.to_string(),
                    played => match played? {
                        None => return Ok(()),
                        Some(game) if plan.is_counted(&game, was_paused, attempts) => break game,
                        Some(game) => game.verdict(),
                    },
                };
                log::warn!("a game of pair {pair} is played again, because a program was paused: {reason}");
            };
            // Its end may be no move.
            show(&game);
            on_game(game);
        }
        Ok(())
    }
}

/// Number of times that a player limited by nodes plays a game in which it is late.
const ATTEMPTS: usize = 3;

/// Interval at which the match checks for cancellation.
const POLL: std::time::Duration = std::time::Duration::from_millis(50);

/// A seed that depends on all numbers.
fn mix<const N: usize>(numbers: [u64; N]) -> u64 {
    numbers.into_iter().fold(0, |seed, number| SplitMix64::seed_from_u64(seed ^ number).next_u64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Plan;
    use crate::ratings::Verdict;

    fn plan() -> MatchPlan {
        let plan = "games = 12\nnodes = 1\nseed = 5\n[[contestant]]\nplayer = 'random'\n[[contestant]]\n\
                    player = 'random:seed=9'";
        plan.parse::<Plan>().unwrap().match_plan(0)
    }

    fn play(plan: &MatchPlan, finished: &HashSet<GameId>, concurrency: usize) -> (Tally, Vec<PlayedGame>) {
        let (mut tally, mut games) = (Tally::default(), Vec::new());
        let stop = AtomicBool::new(false);
        plan.play(finished, &mut tally, concurrency, &stop, |game, _| games.push(game.clone())).unwrap();
        games.sort_by_key(|game| (game.pair, game.team_of_a));
        (tally, games)
    }

    /// A game without the times, which are never the same.
    fn moves(games: &[PlayedGame]) -> Vec<(u32, Team, Vec<game::Move>)> {
        games.iter().map(|game| (game.pair, game.team_of_a, game.plies.iter().map(|ply| ply.mv).collect())).collect()
    }

    #[test]
    fn games_depend_on_seed_not_concurrency() {
        let (tally, games) = play(&plan(), &HashSet::new(), 1);
        assert_eq!((games.len(), tally.pairs.count()), (12, 6));
        assert_eq!(moves(&games), moves(&play(&plan(), &HashSet::new(), 3).1));
        assert_ne!(moves(&games), moves(&play(&MatchPlan { seed: 6, ..plan() }, &HashSet::new(), 1).1));
    }

    #[test]
    fn games_of_a_pair_share_opening() {
        let (_, games) = play(&plan(), &HashSet::new(), 2);
        for pair in games.chunks(2) {
            let [first, second] = pair else { panic!() };
            assert_eq!((first.pair, first.start, first.team_of_a), (second.pair, second.start, Team::One));
            assert_eq!(second.team_of_a, Team::Two);
            let opening = |game: &PlayedGame| game.plies[..4].to_vec();
            assert_eq!(opening(first), opening(second));
            assert!(first.plies[3].choice.is_none() && first.plies[4].choice.is_some());
            assert_ne!(first.plies, second.plies);
        }
        assert_ne!(games[0].plies[..4], games[2].plies[..4]);
    }

    #[test]
    fn decided_test_ends_match() {
        let sprt = Sprt { elo0: -400.0, elo1: -300.0, alpha: 0.05, beta: 0.05 };
        let sides = ["heuristic", "random"].map(|text| text.parse().unwrap());
        let (tally, _) = play(&MatchPlan { sprt: Some(sprt), pairs: 1000, sides, ..plan() }, &HashSet::new(), 1);
        assert_eq!(sprt.verdict(&tally.pairs), Verdict::H1);
        assert!(tally.count() < 200, "{} games", tally.count());
    }
}
