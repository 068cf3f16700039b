//! Pairs of games: matches and tournaments.

mod wire;

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::QueueError;
use super::run::RunInfo;
use crate::games::played::{GameId, PlayedGame};
use crate::matches::PairRunner;
use crate::plan::{Entrant, Job, Plan, PlanError, file};
use record::Fault;

/// Number of attempts for a pair if a built-in player commits a fault, such as a late move.
const ATTEMPTS: usize = 3;

/// Other machines receive programs only as files, whose hashes their owners can allow.
pub(super) fn check_programs(plan: &Plan) -> Result<(), QueueError> {
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
pub(super) fn games_of(result: &[u8], pair: u32, plan: &Plan) -> Result<[PlayedGame; 2], String> {
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

/// Prepares a plan with this text. `folder` contains its files; `allowed` are the permits of programs.
///
/// # Errors
/// The reason why this worker rejects the plan: it plays other games, or the plan has a program without a permit.
pub(super) fn prepare(info: &RunInfo, text: &str, folder: &Path, allowed: &HashSet<String>) -> Result<Plan, String> {
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
    Ok(plan)
}

/// Plays a pair of games and returns the result; `None` if it was stopped before the end.
///
/// # Errors
/// The reason why this machine cannot play the pair, now or later.
pub(super) fn play(
    plan: &Plan,
    runner: &mut PairRunner,
    job: Job,
    stop: &AtomicBool,
) -> Result<Option<Vec<u8>>, String> {
    if job.number >= plan.matches() {
        return Err(format!("the plan has no match {}", job.number));
    }
    let plan = plan.match_plan(job.number);
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
