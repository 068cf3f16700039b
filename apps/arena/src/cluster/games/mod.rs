//! Pairs of games: matches and tournaments.

mod wire;

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::QueueError;
use super::coordinator::Coordinator;
use super::files::name as file_name;
use super::run::{RunInfo, RunRequest};
use crate::files;
use crate::games::played::{GameId, PlayedGame};
use crate::matches::PairRunner;
use crate::plan::{Entrant, Job, Plan, PlanError, file};
use record::Fault;

/// Number of attempts for a pair if a built-in player commits a fault, such as a late move.
const ATTEMPTS: usize = 3;

impl RunRequest {
    /// Creates the run of all games of a plan.
    ///
    /// # Errors
    /// [`QueueError`] if a file is missing, games cannot begin, or a contestant can only play on this machine.
    pub fn of_plan(plan: &Plan) -> Result<Self, QueueError> {
        check_programs(plan)?;
        let mut files = Vec::new();
        let text = plan.to_text_with(|path| {
            let bytes = files::read(path.as_ref()).map_err(|error| PlanError::unreadable(path, error))?;
            let name = file_name(path, &bytes);
            files.push((name.clone(), bytes));
            Ok::<_, PlanError>(name)
        })?;
        let mut run = Self::new(text, plan.key()?, plan.fingerprint()?);
        run.files.append(&mut files);
        Ok(run)
    }
}

/// Other machines receive programs only as files, whose hashes their owners can allow.
fn check_programs(plan: &Plan) -> Result<(), QueueError> {
    let is_foreign = |entrant: &&Entrant| entrant.spec.built_in().is_none() && entrant.program.is_none();
    plan.contestants.iter().find(is_foreign).map_or(Ok(()), |entrant| {
        let expected = "on other machines only built-in players can play, and commands that begin with `{program}` and \
                        name the file as `program`";
        Err(QueueError::invalid(format_args!("contestant `{}`", entrant.player), expected))
    })
}

/// Reads the games of a result and checks that they begin like those of the plan.
///
/// # Errors
/// The reason why the games must be played again.
fn games_of(result: &[u8], pair: u32, plan: &Plan) -> Result<[PlayedGame; 2], String> {
    let games =
        wire::read(result, |is_swapped| plan.pairing(GameId { pair, is_swapped }).map_err(|error| error.to_string()))?;
    match games.iter().find_map(|game| fault_of_built_in(game, plan)) {
        Some(fault) => Err(format!("a built-in player commits no faults: {fault}")),
        None => Ok(games),
    }
}

/// Returns the fault of a built-in player, which is one of the machine or the program: other workers do not have it.
fn fault_of_built_in<'a>(game: &'a PlayedGame, plan: &Plan) -> Option<&'a Fault> {
    let fault = game.fault.as_ref().filter(|(side, _)| plan.spec(*side).built_in().is_some());
    fault.map(|(_, fault)| fault)
}

/// Lets workers play `jobs` of the matches that `plan_of` returns for their numbers. Calls `on_game` with the number of
/// the match and each game, in any order, until all are played, `on_game` breaks or `stop` is set.
pub fn gather_games<E: From<QueueError>>(
    coordinator: &mut Coordinator,
    jobs: &[Job],
    plan_of: impl Fn(u32) -> Plan,
    stop: &AtomicBool,
    on_game: &mut dyn FnMut(u32, PlayedGame) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    coordinator.gather(jobs, stop, |Job { number, pair }, result| {
        let [first, second] = match games_of(result, pair, &plan_of(number)) {
            Ok(games) => games,
            Err(reason) => return Ok(Err(reason)),
        };
        let flows = [on_game(number, first)?, on_game(number, second)?];
        Ok(Ok(flows.into_iter().find(ControlFlow::is_break).unwrap_or(ControlFlow::Continue(()))))
    })
}

/// A plan that this worker plays.
pub(super) struct PreparedPlan {
    pub(super) plan: Plan,
    /// Description for people.
    pub(super) description: String,
}

impl PreparedPlan {
    /// Prepares a plan with this text. `folder` contains its files; `allowed` are the permits of programs.
    ///
    /// # Errors
    /// The reason why this worker rejects the plan: it plays other games, or the plan has a program without a permit.
    pub(super) fn new(info: &RunInfo, text: &str, folder: &Path, allowed: &HashSet<String>) -> Result<Self, String> {
        // This program chose the name of the folder, which is UTF-8.
        let path = |name: &str| Ok::<_, PlanError>(folder.join(name).to_string_lossy().into_owned());
        let plan = file::read_with(text, path).map_err(|error| error.to_string())?;
        for entrant in &plan.contestants {
            let permit = entrant.permit().map_err(|error| error.to_string())?;
            if let Some(permit) = permit.filter(|permit| !allowed.contains(permit)) {
                let (name, player) = (game::excerpt(&entrant.name), game::excerpt(&entrant.player));
                return Err(format!("{name} is a program, `{player}`, which is allowed by `--allow {permit}`"));
            }
        }
        let own = || Ok::<_, PlanError>((plan.key()?, plan.fingerprint()?));
        let (key, fingerprint) = own().map_err(|error| error.to_string())?;
        info.check(&key, &fingerprint)?;
        let names: Vec<&str> = plan.contestants.iter().map(|entrant| &*entrant.name).collect();
        let description = format!("playing {}", names.join(" - "));
        Ok(Self { plan, description })
    }

    /// Plays a pair of games and returns the result; `None` if it was stopped before the end.
    ///
    /// # Errors
    /// The reason why this machine cannot play the pair, now or later.
    pub(super) fn play(&self, runner: &mut PairRunner, job: Job, stop: &AtomicBool) -> Result<Option<Vec<u8>>, String> {
        if job.number >= self.plan.matches() {
            return Err(format!("the plan has no match {}", job.number));
        }
        let plan = self.plan.match_plan(job.number);
        let mut fault = String::new();
        for _ in 0..ATTEMPTS {
            let mut games = Vec::new();
            let played = runner.play(|_| plan.clone(), job, &|_| true, stop, |game| games.push(game));
            played.map_err(|error| error.to_string())?;
            if games.len() < 2 {
                // Stopped games are not sent.
                return Ok(None);
            }
            match games.iter().find_map(|game| fault_of_built_in(game, &plan)) {
                None => return Ok(Some(wire::write(&games))),
                Some(found) => fault = found.to_string(),
            }
        }
        Err(format!("a built-in player commits faults here: {fault}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(player: &str) -> Plan {
        format!("nodes = 4\n[[contestant]]\nplayer = '{player}'\n[[contestant]]\nplayer = 'random'").parse().unwrap()
    }

    #[test]
    fn rejects_programs_without_file() {
        assert!(check_programs(&plan("mcts:memory=1")).is_ok());
        for player in ["exec:./start.sh", "gtp:pentobi-gtp"] {
            assert!(check_programs(&plan(player)).unwrap_err().to_string().contains(player));
        }
    }
}
