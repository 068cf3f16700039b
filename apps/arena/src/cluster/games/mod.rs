//! Pairs of games: matches, tournaments, and the iterations of a tuning.

mod wire;

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::QueueError;
use super::coordinator::Coordinator;
use super::files::name as file_name;
use super::run::{RunInfo, RunRequest};
use crate::files::{self, sha256};
use crate::games::played::{GameId, PlayedGame};
use crate::matches::PairRunner;
use crate::plan::{Entrant, Job, Plan, PlanError, file};
use crate::tuning::Candidates;
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

    /// The same for a tuning with this title, whose iterations are matches between variants of the contestants.
    pub fn for_tuning(self, title: &str) -> Self {
        Self { key: sha256(format!("{title}\n{}", self.key)), ..self }
    }
}

/// Other machines receive programs only as files, whose hashes their owners can allow.
fn check_programs(plan: &Plan) -> Result<(), QueueError> {
    let is_foreign = |entrant: &&Entrant| entrant.spec.built_in().is_none() && entrant.program.is_none();
    plan.contestants.iter().find(is_foreign).map_or(Ok(()), |entrant| {
        let expected = "on other machines only built-in players can play, and commands that begin with `{program}` and \
                        name the file as `program`";
        Err(QueueError::access(format_args!("contestant `{}`", entrant.player), expected))
    })
}

/// Returns the candidates as a payload.
fn payload_of(candidates: &Candidates) -> Vec<u8> {
    // Texts can always be written.
    serde_json::to_vec(candidates).unwrap_or_default()
}

fn candidates_of(payload: &[u8]) -> Result<Candidates, String> {
    let candidates: Candidates = serde_json::from_slice(payload).map_err(|error| error.to_string())?;
    // Nothing but parameters: a worker reads no files and starts no programs for them.
    let is_value = |pair: &str| pair.split_once('=').is_some_and(|(_, value)| value.parse::<f64>().is_ok());
    match candidates.0.iter().flat_map(|values| values.split(',')).find(|pair| !is_value(pair)) {
        Some(pair) => Err(format!("`{}` is not a parameter with its value", game::excerpt(pair))),
        None => Ok(candidates),
    }
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

/// The fault of a built-in player, which is one of the machine or the program: other workers do not have it.
fn fault_of_built_in<'a>(game: &'a PlayedGame, plan: &Plan) -> Option<&'a Fault> {
    let fault = game.fault.as_ref().filter(|(side, _)| plan.spec(*side).built_in().is_some());
    fault.map(|(_, fault)| fault)
}

/// Lets workers play `jobs` of the matches that `plan_of` returns for their numbers, or of the iteration of a tuning
/// with these `candidates`. Calls `on_game` with the number of the match and each game, in any order, until all are
/// played, `on_game` breaks or `stop` is set.
pub fn gather_games<E: From<QueueError>>(
    coordinator: &mut Coordinator,
    jobs: &[Job],
    candidates: Option<&Candidates>,
    plan_of: impl Fn(u32) -> Plan,
    stop: &AtomicBool,
    on_game: &mut dyn FnMut(u32, PlayedGame) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let payload = candidates.map(payload_of).unwrap_or_default();
    coordinator.gather(jobs, &payload, stop, |Job { number, pair }, result| {
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
    plan: Plan,
    /// Description for people.
    pub(super) description: String,
}

impl PreparedPlan {
    /// Prepares a plan with this text. `folder` contains its files; `allowed` are the permits of programs.
    ///
    /// # Errors
    /// The reason why this worker refuses the plan: it plays other games, or the plan has a program without a permit.
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

    /// Returns the number of threads of a game.
    pub(super) fn threads(&self) -> usize {
        self.plan.threads()
    }

    /// Plays a pair of games and returns the result; `None` if it was stopped before the end.
    ///
    /// # Errors
    /// The reason why this machine cannot play the pair, now or later.
    pub(super) fn play(
        &self,
        runner: &mut PairRunner,
        job: Job,
        payload: &[u8],
        stop: &AtomicBool,
    ) -> Result<Option<Vec<u8>>, String> {
        let plan = match_plan(&self.plan, job.number, payload)?;
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

/// Returns the match of a job.
fn match_plan(plan: &Plan, number: u32, payload: &[u8]) -> Result<Plan, String> {
    if !payload.is_empty() {
        return candidates_of(payload)?.match_plan(plan, number).map_err(|error| error.to_string());
    }
    if number >= plan.matches() {
        return Err(format!("the plan has no match {number}"));
    }
    Ok(plan.match_plan(number))
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

    #[test]
    fn candidates_contain_only_parameters() {
        let candidates = Candidates(["exploration=0.5,rave_weight=1", "exploration=0.25"].map(str::to_owned));
        assert_eq!(candidates_of(&payload_of(&candidates)).unwrap(), candidates);
        for other in ["weights=/etc/passwd", "exploration", "exploration=0.5,weights=x", ""] {
            let payload = payload_of(&Candidates([other, "exploration=1"].map(str::to_owned)));
            assert!(candidates_of(&payload).unwrap_err().contains("is not a parameter"), "{other}");
        }
    }
}
