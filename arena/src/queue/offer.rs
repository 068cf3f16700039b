//! A plan on offer: what the coordinator tells the workers about it.

use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::QueueError;
use super::files::{self, write_program};
use super::server::{Queue, RunName};
use crate::contestant::SpecError;
use crate::plan::{Plan, PlanError, file};

/// The version of what coordinators and workers tell each other.
const VERSION: u32 = 1;

/// A plan that workers may play.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Offer {
    version: u32,
    /// See [`Plan::key`].
    key: String,
    /// See [`Plan::fingerprint`].
    fingerprint: String,
    /// The name of the file in the queue with the plan, in which other files are named as they are in the queue.
    plan: String,
    /// The speed of the machine for which times are meant; `None` if there are no times.
    reference_speed: Option<f64>,
    /// How long a worker may say nothing.
    patience_ms: u64,
}

impl Offer {
    /// Puts a plan and all its files into the queue. `speed` is asked how fast this machine is if times are meant for it.
    pub(super) async fn make(
        plan: &Plan,
        patience: Duration,
        speed: impl FnOnce() -> f64,
        queue: &Queue,
    ) -> Result<(RunName, Self), QueueError> {
        check_programs(plan)?;
        let key = plan.key()?;
        let run = RunName::of_key(&key);
        let mut contents = Vec::new();
        let text = plan.to_text_with(|path| {
            let bytes = std::fs::read(path).map_err(|source| PlanError::Unreadable { path: path.into(), source })?;
            let name = files::name(path, &bytes);
            contents.push((name.clone(), bytes));
            Ok::<_, PlanError>(name)
        })?;
        let plan_name = files::name("plan.toml", text.as_bytes());
        contents.push((plan_name.clone(), text.into_bytes()));
        for (name, bytes) in contents {
            queue.put_file(&name, &bytes).await?;
        }
        // Whoever has offered the plan before has measured the speed that counts.
        let before = Self::find(queue, &run).await?.and_then(|offer| offer.reference_speed);
        let reference_speed = plan.is_timed().then(|| plan.reference_speed.or(before).unwrap_or_else(speed));
        let fingerprint = plan.fingerprint()?;
        let patience_ms = patience.as_millis() as u64;
        Ok((run, Self { version: VERSION, key, fingerprint, plan: plan_name, reference_speed, patience_ms }))
    }

    /// The offer of a run; `None` if there is none, or one of another version.
    pub(super) async fn find(queue: &Queue, run: &RunName) -> Result<Option<Self>, QueueError> {
        let found = queue.offers.get(run.as_str()).await.map_err(queue.failed("show offers"))?;
        Ok(found.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
    }

    /// Offers the plan from now on, unless that is so already.
    pub(super) async fn publish(&self, queue: &Queue, run: &RunName) -> Result<(), QueueError> {
        if Self::find(queue, run).await?.as_ref() != Some(self) {
            // All of it are numbers and texts.
            let bytes = serde_json::to_vec(self).unwrap_or_default();
            queue.offers.put(run.as_str(), bytes.into()).await.map_err(queue.failed("take an offer"))?;
        }
        Ok(())
    }

    pub(super) fn read(bytes: &[u8]) -> Result<Self, QueueError> {
        #[derive(Deserialize)]
        struct Version {
            version: u32,
        }
        let version =
            serde_json::from_slice::<Version>(bytes).map_err(|error| QueueError::unusable("an offer", error))?;
        if version.version != VERSION {
            let reason = format!("it is of version {}, this program knows version {VERSION}", version.version);
            return Err(QueueError::unusable("an offer", reason));
        }
        serde_json::from_slice(bytes).map_err(|error| QueueError::unusable("an offer", error))
    }

    /// Fetches the plan and its files, which are written into `folder`.
    pub(super) async fn plan(&self, queue: &Queue, folder: &Path) -> Result<Plan, QueueError> {
        let unusable = |error: &dyn std::fmt::Display| QueueError::unusable("a plan", error);
        let text = queue.file(&self.plan).await?;
        let text = String::from_utf8(text).map_err(|error| unusable(&error))?;
        for name in file::files(&text).map_err(|error| unusable(&error))? {
            let bytes = queue.file(&name).await?;
            write_program(&folder.join(&name), &bytes).map_err(QueueError::machine("keep a file of the plan"))?;
        }
        let path = |name: &str| folder.join(name).to_str().map(str::to_owned).ok_or("the folder is not UTF-8");
        let plan = file::read_with(&text, |name| path(name).map_err(|reason| unusable(&reason)));
        Ok(Plan { reference_speed: self.reference_speed, ..plan? })
    }

    /// The fingerprint that this program has, if it plays other games than the plan wants.
    ///
    /// # Errors
    /// [`QueueError::Plan`] if games cannot begin as they should.
    pub(super) fn other_fingerprint(&self, plan: &Plan) -> Result<Option<String>, QueueError> {
        let own = plan.fingerprint()?;
        Ok((plan.key()? != self.key).then_some(own))
    }

    pub(super) fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    pub(super) fn patience(&self) -> Duration {
        Duration::from_millis(self.patience_ms)
    }
}

/// Others get a program only as a file, by which it can be allowed.
fn check_programs(plan: &Plan) -> Result<(), SpecError> {
    match plan.contestants.iter().find(|entrant| !entrant.spec.is_built_in() && entrant.program.is_none()) {
        None => Ok(()),
        Some(entrant) => Err(SpecError {
            text: entrant.player.clone(),
            reason: "on other machines only built-in players can play, and commands that begin with `{program}` and \
                     name the file as `program`"
                .to_owned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(player: &str) -> Plan {
        format!("nodes = 4\n[[contestant]]\nplayer = '{player}'\n[[contestant]]\nplayer = 'random'").parse().unwrap()
    }

    fn offer(plan: &Plan) -> Offer {
        Offer {
            version: VERSION,
            key: plan.key().unwrap(),
            fingerprint: plan.fingerprint().unwrap(),
            plan: String::new(),
            reference_speed: None,
            patience_ms: 5,
        }
    }

    #[test]
    fn another_program_is_found_out() {
        let plan = plan("mcts:memory=1");
        let offer = offer(&plan);
        assert_eq!(offer.other_fingerprint(&plan).unwrap(), None);
        // What a program of another version says of the same plan.
        let other = Offer { key: "0".repeat(64), fingerprint: "0".repeat(16), ..offer };
        assert_eq!(other.other_fingerprint(&plan).unwrap(), Some(plan.fingerprint().unwrap()));
    }

    #[test]
    fn offers_are_read_as_they_are_written() {
        let offer = offer(&plan("heuristic"));
        let text = serde_json::to_string(&offer).unwrap();
        assert_eq!(Offer::read(text.as_bytes()).unwrap(), offer);
        let newer = Offer::read(text.replace("\"version\":1", "\"version\":2").as_bytes()).unwrap_err().to_string();
        assert!(newer.contains("version 2"), "{newer}");
        assert!(Offer::read(b"\x1b[2J").unwrap_err().to_string().contains("an offer"));
    }

    #[test]
    fn programs_have_to_be_files() {
        assert!(check_programs(&plan("mcts:memory=1")).is_ok());
        for player in ["exec:./start.sh", "gtp:pentobi-gtp", "process:mcts"] {
            assert!(check_programs(&plan(player)).unwrap_err().to_string().contains(player));
        }
    }
}
