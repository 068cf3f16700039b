//! Identity of plans.

use std::path::Path;

use player::bench;

use super::format::PlanFile;
use super::{Plan, PlanError};
use crate::engines::map_weights;
use crate::files::{self, sha256};

/// Nodes for each position of the benchmark: enough that nearly every change of a player shows, in less than a second.
const NODES: u64 = 500;

impl Plan {
    /// Returns 64 hexadecimal digits that are the same for two plans if the same pair of the same match is the same
    /// games in both.
    ///
    /// The key depends on the contents of weights and programs and on the built-in players (see [`Plan::fingerprint`]),
    /// but not on names or the number of games: a plan with more games resumes the shorter one.
    pub fn key(&self) -> Result<String, PlanError> {
        let same_for_all = Self { pairs: 1, swiss_rounds: None, sprt: None, ..self.clone() };
        let mut file = PlanFile::from(&same_for_all);
        file.map_files(|path| hash_of_file(path))?;
        file.contestant.iter_mut().for_each(|contestant| contestant.name = None);
        Ok(sha256(file.to_text() + &self.fingerprint()?))
    }

    /// Returns 16 hexadecimal digits that are equal for two builds that play the same games: a hash of the built-in
    /// contestants' choices in the [benchmark](mod@bench) positions, searched with one thread, and of the first
    /// openings. External programs are ignored.
    pub fn fingerprint(&self) -> Result<String, PlanError> {
        let mut text = String::new();
        for entrant in &self.contestants {
            if let Some(Ok(mut player)) = entrant.spec.built_in().map(|player| player.player(0, 1)) {
                text += &format!("{:016x} ", bench::fingerprint(&bench::searches(&mut *player, NODES)));
            }
        }
        let (start, moves) = self.opening.of_pair(self.seed, 0).draw(self.rules, self.start_piece, self.seed)?;
        text += &start.to_string();
        text.extend(moves.iter().map(|mv| format!(" {mv}")));
        Ok(sha256(text)[..16].to_owned())
    }
}

impl PlanFile {
    /// Replaces the files of weights and programs by what `of` makes of them.
    pub(super) fn map_files<E>(&mut self, mut of: impl FnMut(&str) -> Result<String, E>) -> Result<(), E> {
        for contestant in &mut self.contestant {
            let player = contestant.player.get_mut();
            *player = map_weights(player, &mut of)?;
            contestant.program = contestant.program.as_deref().map(&mut of).transpose()?;
        }
        Ok(())
    }
}

/// Returns the hash of a file.
pub(super) fn hash_of_file(path: impl AsRef<Path>) -> Result<String, PlanError> {
    let path = path.as_ref();
    files::read(path).map(sha256).map_err(|error| PlanError::unreadable(path, error))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn key_and_fingerprint_depend_on_games() {
        let hashes = |settings: &str, player: &str| {
            let plan = format!("{settings}\n[[contestant]]\nplayer = '{player}'\n[[contestant]]\nplayer = 'random'");
            let plan: Plan = plan.parse().unwrap();
            (plan.key().unwrap(), plan.fingerprint().unwrap())
        };
        let heuristic = hashes("games = 10\nnodes = 5", "heuristic");
        assert_eq!((heuristic.0.len(), heuristic.1.len()), (64, 16));
        let mcts = hashes("games = 10\nnodes = 5", "mcts:memory=1");
        let sprt = "nodes = 5\nrules = '2027'\nseed = 1\n[sprt]\nelo0 = 0\nelo1 = 5";
        for (other, settings, player, same) in [
            (&heuristic, "games = 20\nnodes = 5", "heuristic'\nname = 'other", [true, true]),
            (&heuristic, sprt, "heuristic", [true, true]),
            (&heuristic, "nodes = 6", "heuristic", [false, true]),
            (&heuristic, "nodes = 5\nseed = 2", "heuristic", [false, false]),
            (&heuristic, "nodes = 5\nrules = 'classic'", "heuristic", [false, false]),
            (&mcts, "nodes = 5", "heuristic", [false, false]),
            (&mcts, "nodes = 5", "mcts:memory=1,threads=3", [false, true]),
            (&mcts, "nodes = 5", "mcts:memory=1,exploration=0.9", [false, false]),
        ] {
            let found = hashes(settings, player);
            assert_eq!([found.0 == other.0, found.1 == other.1], same, "{settings}, {player}");
        }
    }

    #[test]
    fn key_depends_on_weights() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new.weights");
        let built_in = concat!(env!("CARGO_MANIFEST_DIR"), "/../../player/src/model/weights/prior.weights");
        let bytes = fs::read(built_in).unwrap();
        fs::write(&path, &bytes).unwrap();
        let text = format!(
            "nodes = 5\n[[contestant]]\nplayer = 'random'\n[[contestant]]\nplayer = 'mcts:memory=1,weights={}'",
            path.display()
        );
        let plan: Plan = text.parse().unwrap();
        let key = plan.key().unwrap();
        let elsewhere = folder.path().join("copy.weights");
        fs::copy(&path, &elsewhere).unwrap();
        let moved = text.replace("new.weights", "copy.weights").parse::<Plan>().unwrap();
        assert_eq!(moved.key().unwrap(), key);
        fs::write(&path, [&bytes[..], b"\n"].concat()).unwrap();
        assert_ne!(plan.key().unwrap(), key);
        fs::remove_file(&path).unwrap();
        assert!(plan.key().unwrap_err().to_string().contains("new.weights"));
    }
}
