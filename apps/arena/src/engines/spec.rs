//! Contestants as text.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use player::Options;
use player::experience::Experience;
use player::model::Model;
use thiserror::Error;

use super::builtin::{Builtin, BuiltinSpec};
use super::{Budget, Contestant, ExternalClient, GtpEngine};

/// Specification of a contestant:
///
/// * `NAME` or `NAME:KEY=VALUE,…` is a built-in player. The keys `seed`, `threads`, `memory` (in
///   MiB), `time` (ms per move), `nodes` (per move),
///   `ponder` (nodes searched in the opponent's time), `weights` (a file; may be repeated) and `experience`
///   (a file that the player reads and writes) are common to all players, others are parameters of the player.
/// * `gtp:COMMAND` is an engine that speaks the Go Text Protocol, started by the shell.
///   `gtp:LINE|LINE|…!COMMAND` sends it further lines at the start of every game.
/// * `exec:COMMAND` is a client program of the contest, started by the shell for every game with
///   the arguments of the contest added. `exec:FILE.jar` is started by Java, and `exec:FILE.zip`
///   is a package as it is uploaded there.
///
/// In lines and in the commands of client programs `{game}`, `{season}`, `{start}`, `{ms}`, `{nodes}` and `{seed}` are
/// replaced.
#[derive(Clone, PartialEq, Debug)]
pub struct Spec {
    text: String,
    kind: SpecKind,
    /// Limits per move: those in the text, or else the match's.
    budget: Budget,
}

#[derive(Clone, PartialEq, Debug)]
enum SpecKind {
    Builtin(BuiltinSpec),
    Gtp { lines: Vec<String>, command: String },
    External { command: String },
}

/// Error in the text of a contestant.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("contestant `{text}`: {reason}")]
pub struct SpecError {
    /// The text.
    pub text: String,
    /// The reason.
    pub reason: String,
}

impl Spec {
    /// Creates the contestant. Its budget is `budget` unless the text has another.
    pub fn contestant(&self, budget: Budget) -> Box<dyn Contestant> {
        let budget = self.budget.or(budget);
        match &self.kind {
            SpecKind::Builtin(spec) => Box::new(Builtin::new(spec.clone(), budget)),
            SpecKind::Gtp { lines, command } => Box::new(GtpEngine::new(&self.text, command, lines.clone(), budget)),
            SpecKind::External { command } => Box::new(ExternalClient::new(&self.text, command, budget)),
        }
    }

    /// Returns the limits per move.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// Returns the built-in player, if it is one.
    pub fn built_in(&self) -> Option<&BuiltinSpec> {
        if let SpecKind::Builtin(spec) = &self.kind { Some(spec) } else { None }
    }

    /// Limits a contestant whose text has no limits.
    pub fn or_budget(self, default: Budget) -> Self {
        Self { budget: self.budget.or(default), ..self }
    }

    /// Replaces the limits, also those in the text.
    pub fn with_budget(self, budget: Budget) -> Self {
        Self { budget, ..self }
    }

    /// Replaces the text, which names the contestant in messages.
    pub fn with_text(self, text: &str) -> Self {
        Self { text: text.to_owned(), ..self }
    }

    /// Returns the number of threads the contestant uses; 1 if unknown.
    pub fn threads(&self) -> usize {
        self.built_in().map_or(1, |spec| spec.options.threads)
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let unlimited = |kind| (kind, Budget::UNLIMITED);
        let parsed = match text.split_once(':') {
            Some(("gtp", rest)) => {
                let (lines, command) = rest.rsplit_once('!').unwrap_or(("", rest));
                let lines =
                    lines.split('|').map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect();
                given(command).map(|command| unlimited(SpecKind::Gtp { lines, command }))
            }
            Some(("exec", command)) => given(command).map(|command| unlimited(SpecKind::External { command })),
            Some((name, options)) => builtin(name, options),
            None => builtin(text, ""),
        };
        let (kind, budget) = parsed.map_err(|reason| SpecError { text: text.to_owned(), reason })?;
        Ok(Self { text: text.to_owned(), kind, budget })
    }
}

/// Parses a built-in player.
fn builtin(name: &str, text: &str) -> Result<(SpecKind, Budget), String> {
    let (mut budget, mut seed) = (Budget::UNLIMITED, None);
    let mut options = Options::default();
    let (mut weights, mut params, mut ponder) = (Vec::new(), Vec::new(), 0);
    let mut keys = Vec::new();
    for pair in text.split(',').filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').ok_or_else(|| format!("`{pair}` is not KEY=VALUE"))?;
        if key != "weights" && keys.contains(&key) {
            return Err(format!("`{pair}`: `{key}` is given twice"));
        }
        keys.push(key);
        match key {
            "seed" => seed = Some(number(pair, value, 0..=u64::MAX)?),
            "threads" => options.threads = number(pair, value, 1..=MAX_THREADS)? as usize,
            "memory" => options.memory = (number(pair, value, 1..=MAX_MEMORY)? as usize) << 20,
            "ponder" => ponder = number(pair, value, 0..=u64::MAX)?,
            "weights" => weights.push(value.to_owned()),
            "experience" => {
                let opened = Experience::open(value).map_err(|error| error.to_string())?;
                options.experience = Some(opened);
            }
            "time" => budget.time = Some(Duration::from_millis(number(pair, value, 1..=u64::MAX)?)),
            "nodes" => budget.nodes = Some(number(pair, value, 1..=u64::MAX)?),
            _ => params.push((key.to_owned(), value.to_owned())),
        }
    }
    if !weights.is_empty() {
        options.model = Model::with_files(&weights).map_err(|error| error.to_string())?.into();
    }
    let spec = BuiltinSpec { name: name.to_owned(), seed, options, params, ponder };
    // Making the player once finds wrong names and values before the match begins.
    spec.player(0, spec.options.threads)?;
    Ok((SpecKind::Builtin(spec), budget))
}

/// Replaces each file of weights in the text of a contestant by the result of `of`.
pub fn map_weights<E>(text: &str, mut of: impl FnMut(&str) -> Result<String, E>) -> Result<String, E> {
    let Some((name, options)) = text.split_once(':').filter(|(name, _)| !["gtp", "exec"].contains(name)) else {
        return Ok(text.to_owned());
    };
    let option = |pair: &str| match pair.strip_prefix("weights=") {
        Some(path) => Ok(format!("weights={}", of(path)?)),
        None => Ok(pair.to_owned()),
    };
    let options = options.split(',').map(option).collect::<Result<Vec<_>, E>>()?;
    Ok(format!("{name}:{}", options.join(",")))
}

const MAX_THREADS: u64 = Options::MAX_THREADS as u64;

/// In MiB.
const MAX_MEMORY: u64 = u16::MAX as u64;

fn given(command: &str) -> Result<String, String> {
    if command.trim().is_empty() { Err("the command is missing".to_owned()) } else { Ok(command.to_owned()) }
}

fn number(pair: &str, value: &str, range: RangeInclusive<u64>) -> Result<u64, String> {
    let expected = || format!("`{pair}`: expected a whole number from {} to {}", range.start(), range.end());
    value.parse().ok().filter(|number| range.contains(number)).ok_or_else(expected)
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use game::{Piece, Position, Rules, Team};

    use super::super::GameStart;
    use super::*;

    #[test]
    fn parses_options_lines_and_commands() {
        let spec: Spec = "random:seed=3,threads=2,memory=5,nodes=7".parse().unwrap();
        assert_eq!((spec.built_in().unwrap().seed, spec.threads(), spec.budget), (Some(3), 2, Budget::nodes(7)));
        assert_eq!(spec.to_string(), "random:seed=3,threads=2,memory=5,nodes=7");
        let spec: Spec = "gtp:set_game {game}| level 3 !engine --say 'a:b'".parse().unwrap();
        let lines = ["set_game {game}", "level 3"].map(str::to_owned).to_vec();
        assert_eq!(spec.kind, SpecKind::Gtp { lines, command: "engine --say 'a:b'".to_owned() });
    }

    #[test]
    fn maps_weights_of_built_in_players_only() {
        for (text, mapped) in [
            ("mcts:weights=a,seed=3,weights=b", "mcts:weights=other/a,seed=3,weights=other/b"),
            ("gtp:engine -x a,weights=b", "gtp:engine -x a,weights=b"),
        ] {
            assert_eq!(map_weights(text, |path| Ok::<_, ()>(format!("other/{path}"))).unwrap(), mapped);
        }
    }

    #[test]
    fn ponder_respects_its_limit() {
        let start = Position::new(Rules::Season2027, Some(Piece::PentoW)).unwrap();
        let second_answer = |text: &str| {
            let mut sides =
                [text, "mcts:book=0"].map(|text| text.parse::<Spec>().unwrap().contestant(Budget::nodes(100)));
            for (side, team) in sides.iter_mut().zip([Team::One, Team::Two]) {
                side.begin(&GameStart { position: start, team, seed: 1 }).unwrap();
            }
            let mut position = start;
            for on_turn in [0, 1] {
                let mv = sides[on_turn].choose(&position, Duration::MAX).unwrap().0.mv;
                sides[0].note(&position, mv, on_turn == 0).unwrap();
                position.play(mv);
            }
            sides[0].choose(&position, Duration::MAX).unwrap().0
        };
        let patient = second_answer("mcts:ponder=3000,book=0");
        assert_eq!(patient, second_answer("mcts:ponder=3000,book=0"));
        // Only nodes of its own time count.
        assert!(patient.nodes <= 100 && patient.depth > 0);
        assert_ne!(patient.evaluation, second_answer("mcts:book=0").evaluation);
    }

    #[test]
    fn errors_name_the_offending_text() {
        for (text, part) in [
            ("nobody", "`nobody`"),
            ("random:seed", "`seed`"),
            ("random:seed=x", "`seed=x`"),
            ("random:depth=1", "`depth`"),
            ("random:threads=0", "`threads=0`"),
            ("random:threads=1025", "from 1 to 1024"),
            ("random:memory=65536", "`memory=65536`: expected a whole number from 1 to 65535"),
            ("random:nodes=0", "`nodes=0`"),
            ("random:time=0", "`time=0`"),
            ("mcts:exploration=0.3,endgame=0,exploration=0.4", "`exploration=0.4`: `exploration` is given twice"),
            ("gtp:", "command"),
            ("exec: ", "command"),
            ("mcts:ponder=all", "`ponder=all`"),
            ("mcts:weights=no/such/file", "no/such/file"),
            ("mcts:experience=Cargo.toml", "Cargo.toml is not an experience file: it begins with `[package]`"),
        ] {
            let error = text.parse::<Spec>().unwrap_err().to_string();
            assert!(error.contains(part) && error.contains(text), "{error}");
        }
    }
}
