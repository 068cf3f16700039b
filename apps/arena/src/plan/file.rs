//! Plans as files, in [TOML](https://toml.io).
//!
//! ```toml
//! games = 2000            # between every two contestants, an even number [100]
//! nodes = 1000            # per move; or
//! time = 100              # milliseconds per move [100 if there are no nodes either]
//! rules = "2027"          # or 2021 or classic ["2027"]
//! opening = "random:4"    # how the games begin, as in `arena match` ["random:4"]
//! start = "PENTO_W"       # the start piece of all games [drawn for every pair]
//! timeout = 2000          # milliseconds; a later answer loses the game [as in `arena match`]
//! seed = 1                # random seed [1]
//! swiss_rounds = 5        # rounds of a Swiss tournament [round robin]
//!
//! [sprt]                  # ends a match of two as soon as one hypothesis holds [all games are played]
//! elo0 = 0
//! elo1 = 10
//! alpha = 0.05            # [0.05]
//! beta = 0.05             # [0.05]
//!
//! [[contestant]]          # at least two of them
//! player = "mcts:exploration=0.7"
//! name = "wide"           # name in tables [the player]
//! nodes = 1000            # or time; overrides the limits above
//!
//! [[contestant]]
//! player = "gtp:{program} --level 3"
//! program = "engines/one" # file that replaces {program}
//! ```

use std::num::{NonZeroU32, NonZeroU64};
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use toml::Spanned;

use super::format::{ContestantFile, PlanFile, unplaced};
use super::{Entrant, Plan, PlanError, swiss};
use crate::defaults;
use crate::engines::Budget;
use crate::files::read_text;
use crate::ratings::Sprt;

impl PlanFile {
    pub(super) fn read(text: &str) -> Result<Self, PlanError> {
        toml::from_str(text).map_err(|error| PlanError::line(text, error.span(), error.message()))
    }

    fn reject_local_files(&self, text: &str) -> Result<(), PlanError> {
        let is_named =
            |value: &&Spanned<String>| value.get_ref().starts_with("file:") || value.get_ref().contains("experience=");
        let values = self.contestant.iter().map(|contestant| &contestant.player).chain([&self.opening]);
        match values.into_iter().find(is_named) {
            Some(value) => {
                Err(PlanError::line(text, Some(value.span()), "a plan from another machine must not name local files"))
            }
            None => Ok(()),
        }
    }

    pub(super) fn to_text(&self) -> String {
        // Numbers, texts and lists of them can always be written.
        toml::to_string(self).unwrap_or_default()
    }
}

impl Plan {
    /// Parses a plan. Relative paths start at the current folder, as on a command line.
    pub fn read(path: &Path) -> Result<Self, PlanError> {
        let text = read_text(path).map_err(|error| PlanError::unreadable(path, error))?;
        let in_file = |error: PlanError| PlanError(format!("{}: {error}", path.display()));
        let file = PlanFile::read(&text).map_err(in_file)?;
        let lines: Vec<_> = file.contestant.iter().map(|contestant| contestant.player.span()).collect();
        file.check_names(&text).map_err(in_file)?;
        let plan = file.plan(&text).map_err(in_file)?;
        let has_experience =
            |entrant: &Entrant| entrant.spec.built_in().is_some_and(|it| it.options.experience.is_some());
        match plan.contestants.iter().position(has_experience) {
            None => Ok(plan),
            Some(i) => {
                let reason = "a plan cannot use a player with experience: its games would depend on their order";
                Err(in_file(PlanError::line(&text, Some(lines[i].clone()), reason)))
            }
        }
    }

    /// Returns the plan as text, with the paths of weights and programs replaced by `of`.
    pub fn to_text_with<E>(&self, of: impl FnMut(&str) -> Result<String, E>) -> Result<String, E> {
        let mut file = PlanFile::from(self);
        file.map_files(of)?;
        Ok(file.to_text())
    }

    /// Returns the plan as text that can be parsed again, with all openings of a list.
    pub fn to_text(&self) -> String {
        PlanFile::from(self).to_text()
    }
}

/// Returns the weights and program files named in a plan's text. They need not exist.
pub fn files(text: &str) -> Result<Vec<String>, PlanError> {
    let mut found = Vec::new();
    let named = |name: &str| {
        found.push(name.to_owned());
        Ok::<_, PlanError>(name.to_owned())
    };
    PlanFile::read(text)?.map_files(named)?;
    Ok(found)
}

/// Returns a plan's text with another number of games between every two contestants.
pub(crate) fn with_games(text: &str, games: u32) -> Result<String, PlanError> {
    Ok(PlanFile { games, ..PlanFile::read(text)? }.to_text())
}

/// Returns the number of games between every two contestants of a plan's text. The contestants need not exist.
pub(crate) fn games_of_two(text: &str) -> Result<u32, PlanError> {
    PlanFile::read(text).map(|file| file.games)
}

/// Reads the text of a plan from another machine; `of` returns the local path of each file of weights or program. The
/// plan must not name other files of this machine.
///
/// # Errors
/// [`PlanError`] if the text is not such a plan, and errors of `of`.
pub fn read_with<E: From<PlanError>>(text: &str, of: impl FnMut(&str) -> Result<String, E>) -> Result<Plan, E> {
    let mut file = PlanFile::read(text)?;
    file.map_files(of)?;
    file.reject_local_files(text)?;
    Ok(file.plan(text)?)
}

impl FromStr for Plan {
    type Err = PlanError;

    fn from_str(text: &str) -> Result<Self, PlanError> {
        PlanFile::read(text)?.plan(text)
    }
}

impl PlanFile {
    /// Creates the plan. Errors name the line in `text`.
    fn plan(self, text: &str) -> Result<Plan, PlanError> {
        let contestants = self.contestant.iter().map(|contestant| self.entrant(contestant, text));
        let contestants = contestants.collect::<Result<Vec<_>, _>>()?;
        if contestants.len() < 2 {
            return Err(PlanError(format!(
                "expected at least two `[[contestant]]` sections, found {}",
                contestants.len()
            )));
        }
        let max = swiss::max_rounds(contestants.len());
        if let Some(rounds) = self.swiss_rounds.as_ref().filter(|rounds| rounds.get_ref().get() as usize > max) {
            let reason = format!("expected 1 to {max}; omit it for a round robin");
            return Err(PlanError::line(text, Some(rounds.span()), reason));
        }
        if let Some(sprt) = &self.sprt {
            let at_test = |reason| Err(PlanError::line(text, Some(sprt.span()), reason));
            let (count, Sprt { elo0, elo1, alpha, beta }) = (contestants.len(), sprt.get_ref());
            if count > 2 {
                return at_test(format!("a test decides between two contestants, and this plan has {count}"));
            }
            let rates = [("alpha", alpha), ("beta", beta)];
            if let Some((key, rate)) = rates.into_iter().find(|(_, rate)| !Sprt::is_error_rate(**rate)) {
                return at_test(format!("{key} = {rate}: expected a number between 0 and 0.5"));
            }
            if !Sprt::are_hypotheses(*elo0, *elo1) {
                return at_test(format!("elo1 = {elo1}: expected a number greater than elo0 = {elo0}"));
            }
        }
        let at_opening = |reason: String| PlanError::line(text, Some(self.opening.span()), reason);
        let plan = Plan {
            rules: self.rules,
            start_piece: self.start,
            opening: self.opening.get_ref().parse().map_err(at_opening)?,
            pairs: self.games / 2,
            swiss_rounds: self.swiss_rounds.map(|rounds| rounds.into_inner().get()),
            seed: self.seed,
            timeout: millis(self.timeout),
            sprt: self.sprt.map(Spanned::into_inner),
            ..Plan::new(contestants)
        };
        plan.check_opening().map_err(|error| at_opening(error.to_string()))?;
        Ok(plan)
    }

    /// Checks that each given name can be told from the others in tables. Two contestants without names may be equal.
    fn check_names(&self, text: &str) -> Result<(), PlanError> {
        for (n, ContestantFile { name, .. }) in self.contestant.iter().enumerate() {
            let Some(name) = name else { continue };
            let at_name = |reason| Err(PlanError::line(text, Some(name.span()), reason));
            if name.get_ref().trim().is_empty() {
                return at_name("a name needs a visible character");
            }
            let is_other = |&(other, _): &(usize, _)| other != n;
            let mut others = self.contestant.iter().enumerate().filter(is_other).map(|(_, other)| other);
            if others.any(|other| other.name.as_ref().unwrap_or(&other.player).get_ref() == name.get_ref()) {
                return at_name("another contestant has this name");
            }
        }
        Ok(())
    }

    fn entrant(&self, contestant: &ContestantFile, text: &str) -> Result<Entrant, PlanError> {
        let ContestantFile { name, player, program, time, nodes } = contestant;
        let own = Budget { time: millis(*time), nodes: nodes.map(NonZeroU64::get) };
        let budget = own.or(defaults::budget(self.time.map(NonZeroU64::get), self.nodes.map(NonZeroU64::get)));
        let program = program.as_deref().map(Path::new);
        let entrant =
            Entrant::new(player.get_ref(), program, name.as_ref().map(|name| name.get_ref().as_str()), budget);
        entrant.map_err(|error| PlanError::line(text, Some(player.span()), error.to_string()))
    }
}

fn millis(time: Option<NonZeroU64>) -> Option<Duration> {
    time.map(|time| Duration::from_millis(time.get()))
}

impl From<&Plan> for PlanFile {
    fn from(plan: &Plan) -> Self {
        let millis = |time: Duration| NonZeroU64::new(time.as_millis() as u64);
        let contestant = |entrant: &Entrant| {
            let Entrant { name, player, program, spec } = entrant;
            let Budget { time, nodes } = spec.budget();
            ContestantFile {
                name: Some(name).filter(|name| *name != player).cloned().map(unplaced),
                player: unplaced(player.clone()),
                program: program.as_ref().map(|path| path.to_string_lossy().into_owned()),
                time: time.and_then(millis),
                nodes: nodes.and_then(NonZeroU64::new),
            }
        };
        Self {
            games: 2 * plan.pairs,
            time: None,
            nodes: None,
            rules: plan.rules,
            opening: unplaced(plan.opening.to_string()),
            start: plan.start_piece,
            timeout: plan.timeout.and_then(millis),
            seed: plan.seed,
            swiss_rounds: plan.swiss_rounds.and_then(NonZeroU32::new).map(unplaced),
            sprt: plan.sprt.map(unplaced),
            contestant: plan.contestants.iter().map(contestant).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "[[contestant]]\nplayer = 'random'\n[[contestant]]\nplayer = 'heuristic'\n";

    #[test]
    fn parses_the_documented_example() {
        let lines = include_str!("file.rs").lines().map_while(|line| line.strip_prefix("//!"));
        let example: Vec<&str> = lines.skip_while(|line| *line != " ```toml").skip(1).collect();
        let file = PlanFile::read(&example[..example.len() - 1].join("\n")).unwrap();
        assert_eq!((file.seed, file.sprt.unwrap().get_ref().elo1, file.contestant.len()), (1, 10.0, 2));
    }

    #[test]
    fn received_plans_read_no_local_files() {
        let read = |text: &str| read_with(text, |path: &str| Ok::<_, PlanError>(path.to_owned()));
        assert!(read(TWO).is_ok());
        for (text, offending) in [
            (format!("opening = 'file:/etc/passwd'\n{TWO}"), "file:/etc/passwd"),
            (TWO.replace("random", "mcts:experience=/etc/passwd"), "mcts:experience=/etc/passwd"),
        ] {
            let error = read(&text).unwrap_err().to_string();
            assert!(error.contains(offending) && error.contains("another machine"), "{error}");
        }
    }

    #[test]
    fn defaults_equal_those_of_matches() {
        let budget = Budget::time(Duration::from_millis(100));
        let entrants = ["random", "heuristic"].map(|player| Entrant::new(player, None, None, budget).unwrap());
        assert_eq!(TWO.parse::<Plan>().unwrap(), Plan::new(entrants.into()));
        let slow: Plan = format!("time = 5000\n{TWO}").parse().unwrap();
        assert_eq!(slow.time_limits().soft, Duration::from_secs(10));
    }

    #[test]
    fn plans_round_trip() {
        let text = "
            games = 8
            time = 20
            rules = 'classic'
            opening = 'list:MONO@0,0|DOMINO@0,0'
            timeout = 900
            seed = 12
            swiss_rounds = 1
            sprt = { elo0 = -5, elo1 = 2.5, beta = 0.1 }
            [[contestant]]
            name = 'one'
            player = 'random:seed=3'
            nodes = 7
            [[contestant]]
            player = 'heuristic'
        ";
        let plan: Plan = text.parse().unwrap();
        assert_eq!(plan.contestants[0].spec.budget(), Budget::nodes(7));
        assert_eq!(plan.contestants[1].spec.budget(), Budget::time(Duration::from_millis(20)));
        assert_eq!(plan.sprt, Some(Sprt { elo0: -5.0, elo1: 2.5, alpha: 0.05, beta: 0.1 }));
        assert_eq!(plan.to_text().parse::<Plan>().unwrap(), plan);
        let largest = Plan { seed: u64::MAX, ..plan };
        assert_eq!(largest.to_text().parse::<Plan>().unwrap(), largest);
    }

    #[test]
    fn errors_name_line_and_reason() {
        for (text, line, reason) in [
            ("# two\ngames = 3", 2, "`games = 3`: games come in pairs"),
            ("games = 0", 1, "at least 2"),
            ("rules = '2020'", 1, "`rules = '2020'`: expected 2021, 2027 or classic"),
            ("opening = 'file:none.txt'", 1, "none.txt"),
            ("\n\nopening = 'moves:PENTO_W@5,5'", 3, "PENTO_W@5,5, is not legal"),
            ("opening = 'none'\n opening_ = 1", 2, "unknown field `opening_`"),
            ("start = 'PENTO_Q'", 1, "PENTO_Q"),
            ("[sprt]\nelo0 = 5\nelo1=0", 1, "greater than elo0 = 5"),
            ("sprt = { elo0 = 5, elo1 = 8, alpha = 0.7 }", 1, "alpha = 0.7: expected"),
            ("sprt = { elo0 = 5, elo1 = 8, beta = 0.7 }", 1, "beta = 0.7: expected"),
            ("swiss_rounds = 2", 1, "expected 1 to 1"),
            ("\ntime = 0", 2, "expected a nonzero u64"),
            ("nodes = 0", 1, "nonzero"),
            ("timeout = 0", 1, "nonzero"),
            (
                "[[contestant]]\nplayer = 'random'\nnodes = 5\n[[contestant]]\nplayer = 'random'\nnodes = 0",
                6,
                "nonzero",
            ),
            ("[[contestant]]\nplayer = 'random'\n[[contestant]]\nname = 'x'\nplayer = 'nobody'", 5, "nobody"),
            ("nodes = -5", 1, "-5"),
            ("seed = 18446744073709551616", 1, "seed"),
            ("games = ", 1, ""),
            ("\u{1b}[2J", 1, ""),
            ("[[contestant]]\nplayer = 'mcts'\n[sprt]\nelo0 = 0\nelo1 = 5", 3, "this plan has 3"),
        ] {
            let error = format!("{text}\n{TWO}").parse::<Plan>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("line {line}, `")) && error.contains(reason), "{text}: {error}");
        }
        for text in ["[contestant]\nplayer = 'random'", "contestant = 'random'"] {
            let error = text.parse::<Plan>().unwrap_err().to_string();
            assert!(error.contains("expected sections that begin with `[[contestant]]`"), "{error}");
        }
        let alone = "[[contestant]]\nplayer = 'random'\n".parse::<Plan>().unwrap_err().to_string();
        assert!(alone.contains("found 1"), "{alone}");
        let missing = Plan::read("no/such/plan.toml".as_ref()).unwrap_err();
        assert!(missing.to_string().contains("no/such/plan.toml"));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("plan.toml");
        for (first, reason) in [
            (
                "player = 'mcts:experience=none'",
                "line 2, `player = 'mcts:experience=none'`: a plan cannot use a player with experience",
            ),
            ("name = ' '\nplayer = 'mcts'", "line 2, `name = ' '`: a name needs a visible character"),
            ("name = 'x'\nplayer = 'mcts'", "line 2, `name = 'x'`: another contestant has this name"),
            ("name = 'random'\nplayer = 'mcts'", "line 2, `name = 'random'`: another contestant has this name"),
        ] {
            let third = "[[contestant]]\nplayer = 'heuristic'\nname = 'x'";
            let text = format!("[[contestant]]\n{first}\n[[contestant]]\nplayer = 'random'\n{third}\n");
            std::fs::write(&path, text).unwrap();
            let refusal = Plan::read(&path).unwrap_err().to_string();
            assert!(refusal.contains(reason), "{refusal}");
        }
    }
}
