//! The gate that new weights have to pass: matches against the weights that are kept, in each of the three rule sets.
//!
//! Both sides search with the same number of simulations, because weights of one shape take the same time. An arena
//! database stores the games, so an interrupted gate resumes. The seed of a match depends on both files and on the
//! engine, so games of other weights or builds are never counted.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use arena::engines::{Budget, Spec};
use arena::openings::Opening;
use arena::plan::Plan;
use arena::ratings::{Sprt, Tally, Verdict};
use game::Rules;
use player::model::{ModelError, Origin, WeightsFile};

/// Required strength in each rule set: stronger in the current season, and not much weaker in the others. In Elo, each
/// at an error rate of 5 %.
pub const TESTS: [(Rules, Sprt); 3] = [
    (Rules::Season2027, Sprt { elo0: 0.0, elo1: 20.0, alpha: 0.05, beta: 0.05 }),
    (Rules::Season2021, Sprt { elo0: -20.0, elo1: 0.0, alpha: 0.05, beta: 0.05 }),
    (Rules::Classic, Sprt { elo0: -20.0, elo1: 0.0, alpha: 0.05, beta: 0.05 }),
];

/// Maximum size of a weights file in bytes.
const MOST_BYTES: usize = 64 << 20;

/// Weights in a file.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights {
    /// Path of the file.
    pub path: PathBuf,
    /// The checksum (CRC-32) of the file.
    pub checksum: u32,
    /// The part of the model that they are.
    pub kind: String,
    /// Origin of the weights.
    pub origin: Origin,
}

impl Weights {
    /// Reads a file.
    ///
    /// # Errors
    /// [`ModelError`] if it cannot be read or has no weights.
    pub fn read(path: &Path) -> Result<Self, ModelError> {
        let bytes = cli::read_file(path, MOST_BYTES)
            .map_err(|source| ModelError::Unreadable { path: path.to_owned(), source })?;
        let file = WeightsFile::from_bytes(&bytes);
        let file = file.map_err(|source| ModelError::Unusable { path: path.to_owned(), source })?;
        Ok(Self { path: path.to_owned(), checksum: crc32fast::hash(&bytes), kind: file.kind, origin: file.origin })
    }

    /// The option of a contestant that plays with them.
    fn option(&self) -> Result<String> {
        let path = self.path.to_str().filter(|path| !path.contains(','));
        path.map(|path| format!("weights={path}")).with_context(|| {
            format!("{}: the path of weights in a match must be UTF-8 without commas", self.path.display())
        })
    }
}

/// Matches of new weights against the current ones.
#[derive(Clone, PartialEq, Debug)]
pub struct Gate {
    /// The new weights.
    pub candidate: Weights,
    /// The current weights; `None` for the built-in ones.
    pub kept: Option<Weights>,
    /// Simulations per move of each side.
    pub nodes: u64,
    /// The most pairs of games in each rule set.
    pub pairs: u32,
    /// Openings for rule sets whose games do not begin with four random pieces.
    pub openings: Vec<(Rules, Opening)>,
    /// Parameters of both players that are not at their defaults, by name.
    pub params: BTreeMap<String, String>,
    /// Fingerprint of the search with the built-in weights, see
    /// [`fingerprint_of_search`](player::bench::fingerprint_of_search).
    pub engine: String,
    /// Seed of openings and players.
    pub seed: u64,
}

impl Gate {
    /// The match in a rule set, from the point of view of the new weights.
    ///
    /// # Errors
    /// If the weights do not fit the Monte Carlo player, the path of a file cannot be an option, or the rule set has
    /// several openings.
    pub fn plan(&self, rules: Rules, sprt: Sprt) -> Result<Plan> {
        let spec = |weights: Option<&Weights>| -> Result<Spec> {
            let weights = weights.map(Weights::option).transpose()?;
            let params = self.params.iter().map(|(name, value)| format!("{name}={value}"));
            let options: Vec<String> = weights.into_iter().chain(params).collect();
            let options = if options.is_empty() { String::new() } else { format!(":{}", options.join(",")) };
            Ok(format!("mcts{options}").parse()?)
        };
        let checksum = |weights: Option<&Weights>| u64::from(weights.map_or(0, |file| file.checksum));
        let engine = u64::from(crc32fast::hash(self.engine.as_bytes())).rotate_left(16);
        let mut openings = self.openings.iter().filter(|(of, _)| *of == rules).map(|(_, opening)| opening.clone());
        let opening = openings.next();
        if let (Some(first), Some(second)) = (&opening, openings.next()) {
            bail!("the games of {rules} cannot begin with both {first} and {second}");
        }
        let sides = [spec(Some(&self.candidate))?, spec(self.kept.as_ref())?];
        Ok(Plan {
            rules,
            opening: opening.unwrap_or_default(),
            pairs: self.pairs,
            seed: self.seed ^ checksum(Some(&self.candidate)) ^ checksum(self.kept.as_ref()) << 32 ^ engine,
            sprt: Some(sprt),
            ..Plan::of_two(sides.map(|spec| spec.or_budget(Budget::nodes(self.nodes))))
        })
    }
}

/// Decision about new weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// The weights passed in every rule set.
    Accepted,
    /// The weights failed in one rule set.
    Refused,
    /// There were too few games to tell.
    Undecided,
}

impl Decision {
    /// Decides by the verdicts so far, one for each of the [`TESTS`].
    pub fn of(verdicts: &[Verdict]) -> Self {
        if verdicts.contains(&Verdict::H0) {
            Self::Refused
        } else if verdicts.len() == TESTS.len() && verdicts.iter().all(|&verdict| verdict == Verdict::H1) {
            Self::Accepted
        } else {
            Self::Undecided
        }
    }

    /// A word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Refused => "refused",
            Self::Undecided => "undecided",
        }
    }
}

/// A line about a match: the games, the difference in Elo with its 95 % interval, and the verdict.
pub fn line(plan: &Plan, tally: &Tally) -> String {
    let [won, drawn, lost] = tally.games;
    let elo = tally.pairs.elo_interval().map_or_else(String::new, |interval| format!(", Elo {interval}"));
    let verdict = plan.sprt.map_or_else(String::new, |sprt| {
        format!(", H0 {:+}, H1 {:+}: {}", sprt.elo0, sprt.elo1, sprt.verdict(&tally.pairs))
    });
    format!("{}: +{won} ={drawn} -{lost} of {}{elo}{verdict}", plan.rules, tally.count())
}

/// Returns the gate's entry in the list of weights: a section of Markdown.
pub fn entry(gate: &Gate, decision: Decision, lines: &[String], command: &str) -> String {
    let Weights { checksum, kind, origin: Origin { command: made, data, engine }, .. } = &gate.candidate;
    let kept = gate.kept.as_ref().map_or_else(|| "built in".to_owned(), |kept| format!("{:08x}", kept.checksum));
    let mut text = format!("\n## {kind} {checksum:08x}: {}\n\n", decision.name());
    text += &format!("Made by `{made}` (engine {engine}) from {data}\n\n");
    text += &format!("Against those kept ({kept}), {} simulations a move:\n\n", gate.nodes);
    lines.iter().for_each(|line| text += &format!("* {line}\n"));
    text + &format!("\n    {command}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_failure_refuses_and_all_must_succeed() {
        use Verdict::{H0, H1, Open};
        for (verdicts, decision) in [
            (&[][..], Decision::Undecided),
            (&[H1, H1], Decision::Undecided),
            (&[H1, Open, H1], Decision::Undecided),
            (&[H0], Decision::Refused),
            (&[H1, H1, H0], Decision::Refused),
            (&[H1, H1, H1], Decision::Accepted),
        ] {
            assert_eq!(Decision::of(verdicts), decision, "{verdicts:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn endless_weights_are_refused() {
        let error = Weights::read("/dev/zero".as_ref()).unwrap_err();
        assert!(matches!(error, ModelError::Unreadable { .. }), "{error}");
    }

    #[test]
    fn seed_depends_on_weights_and_build() {
        let built_in = || player::model::Model::built_in().prior.to_file(Origin::default());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new.weights");
        let gate = |command: &str, engine: &str| {
            let origin = Origin { command: command.to_owned(), ..Origin::default() };
            std::fs::write(&path, WeightsFile { origin, ..built_in() }.to_bytes()).unwrap();
            let candidate = Weights::read(&path).unwrap();
            let params = BTreeMap::from([("policy_visits".to_owned(), "5".to_owned())]);
            let (openings, engine) = (Vec::new(), engine.to_owned());
            Gate { candidate, kept: None, nodes: 10, pairs: 1, openings, params, engine, seed: 1 }
        };
        let [(rules, sprt), ..] = TESTS;
        let seed = |command: &str, engine: &str| gate(command, engine).plan(rules, sprt).unwrap().seed;
        let seeds = [seed("one", "a"), seed("other", "a"), seed("one", "b")];
        assert_eq!(seed("one", "a"), seeds[0]);
        assert!(seeds[0] != seeds[1] && seeds[0] != seeds[2] && seeds[1] != seeds[2], "{seeds:?}");
    }
}
