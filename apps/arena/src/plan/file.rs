//! Plans as files, in [TOML](https://toml.io).
//!
//! ```toml
//! games = 2000            # between every two contestants, an even number [100]
//! nodes = 1000            # per move; or
//! time = 100              # milliseconds per move [100 if there are no nodes either]
//! rules = "2027"          # or 2021 or classic ["2027"]
//! opening = "random:4"    # how the games begin, as in `arena match` ["random:4"]
//! start = "PENTO_W"       # the start piece of all games [drawn for every pair]
//! timeout = 2000          # an answer later than this loses the game, in milliseconds [as in `arena match`]
//! seed = 1                # of everything that is drawn [1]
//! reference_speed = 1e5   # of the machine for which times are meant, see `arena run --dry-run` [whichever plays]
//! swiss_rounds = 5        # of a Swiss tournament [everybody plays against everybody]
//!
//! [sprt]                  # ends a match of two when it is clear which hypothesis holds [all games are played]
//! elo0 = 0
//! elo1 = 10
//! alpha = 0.05            # [0.05]
//! beta = 0.05             # [0.05]
//!
//! [[contestant]]          # at least two of them
//! player = "mcts:exploration=0.7"
//! name = "wide"           # what tables call it [the player]
//! nodes = 1000            # or time, if they differ from the others'
//!
//! [[contestant]]
//! player = "gtp:{program} --level 3"
//! program = "engines/one" # the file that stands for {program}
//! ```

use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use game::Piece;
use serde::{Deserialize, Serialize};

use super::{Entrant, Plan, PlanError, swiss};
use crate::defaults;
use crate::engines::Budget;
use crate::files::read_text;
use crate::ratings::Sprt;

/// The file, as it is written.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlanFile {
    #[serde(default = "games")]
    pub(super) games: u32,
    time: Option<u64>,
    nodes: Option<u64>,
    #[serde(default = "rules")]
    rules: String,
    #[serde(default = "opening")]
    opening: String,
    start: Option<String>,
    timeout: Option<u64>,
    #[serde(default = "seed")]
    seed: u64,
    reference_speed: Option<f64>,
    swiss_rounds: Option<u32>,
    sprt: Option<SprtFile>,
    #[serde(default)]
    pub(super) contestant: Vec<ContestantFile>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SprtFile {
    elo0: f64,
    elo1: f64,
    #[serde(default = "error_rate")]
    alpha: f64,
    #[serde(default = "error_rate")]
    beta: f64,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ContestantFile {
    pub(super) name: Option<String>,
    pub(super) player: String,
    pub(super) program: Option<String>,
    time: Option<u64>,
    nodes: Option<u64>,
}

fn games() -> u32 {
    2 * Plan::DEFAULT_PAIRS
}

fn rules() -> String {
    "2027".to_owned()
}

fn opening() -> String {
    "random:4".to_owned()
}

fn seed() -> u64 {
    1
}

fn error_rate() -> f64 {
    Sprt::DEFAULT_ERROR
}

impl PlanFile {
    pub(super) fn read(text: &str) -> Result<Self, PlanError> {
        toml::from_str(text).map_err(|error| PlanError::syntax(text, &error))
    }

    fn check_that_it_names_no_other_file(&self) -> Result<(), PlanError> {
        const REASON: &str = "a plan from elsewhere may name no file of this machine";
        if self.opening.starts_with("file:") {
            return Err(PlanError::value("opening", &self.opening, REASON));
        }
        match self.contestant.iter().find(|contestant| contestant.player.contains("experience=")) {
            Some(contestant) => Err(PlanError::value("player", &contestant.player, REASON)),
            None => Ok(()),
        }
    }

    pub(super) fn to_text(&self) -> String {
        // Every field is a number, a text or a list of such.
        toml::to_string(self).unwrap_or_default()
    }
}

impl Plan {
    /// Parses a plan. Relative paths start at the current folder, as on a command line.
    ///
    /// # Errors
    /// [`PlanError`], which names the file.
    pub fn read(path: &Path) -> Result<Self, PlanError> {
        let text = read_text(path).map_err(|source| PlanError::Unreadable { path: path.to_owned(), source })?;
        text.parse().map_err(|source| PlanError::File { path: path.to_owned(), source: Box::new(source) })
    }

    /// Returns the plan as text, with the paths of weights and programs replaced by `of`.
    ///
    /// # Errors
    /// Fails as `of` does.
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

/// The files of weights and programs that the text of a plan names. They need not be there.
///
/// # Errors
/// [`PlanError`] if the text is not a plan.
pub fn files(text: &str) -> Result<Vec<String>, PlanError> {
    let mut found = Vec::new();
    let named = |name: &str| {
        found.push(name.to_owned());
        Ok::<_, PlanError>(name.to_owned())
    };
    PlanFile::read(text)?.map_files(named)?;
    Ok(found)
}

/// Returns the number of games between every two contestants of a plan's text. The contestants need not exist.
pub(crate) fn games_of_two(text: &str) -> Result<u32, PlanError> {
    PlanFile::read(text).map(|file| file.games)
}

/// Reads the text of a plan from elsewhere, whose files of weights and programs are where `of` says. No other file is
/// read for it: it must not name openings or experience of this machine.
///
/// # Errors
/// [`PlanError`] if the text is not such a plan, and errors of `of`.
pub fn read_with<E: From<PlanError>>(text: &str, of: impl FnMut(&str) -> Result<String, E>) -> Result<Plan, E> {
    let mut file = PlanFile::read(text)?;
    file.map_files(of)?;
    file.check_that_it_names_no_other_file().map_err(|error| error.on_line(text, 0))?;
    Ok(file.plan(text)?)
}

impl FromStr for Plan {
    type Err = PlanError;

    fn from_str(text: &str) -> Result<Self, PlanError> {
        PlanFile::read(text)?.plan(text)
    }
}

impl PlanFile {
    /// The plan of this `text`. Errors name the line.
    fn plan(self, text: &str) -> Result<Plan, PlanError> {
        let mut contestants = Vec::new();
        for (index, contestant) in self.contestant.iter().enumerate() {
            let entrant = self.entrant(contestant);
            contestants.push(entrant.map_err(|error| error.on_line(text, start_of_contestant(text, index)))?);
        }
        self.plan_between(contestants).map_err(|error| error.on_line(text, 0))
    }

    fn budget(&self) -> Result<Budget, PlanError> {
        Ok(defaults::budget(limit("time", self.time)?, limit("nodes", self.nodes)?))
    }

    fn entrant(
        &self,
        ContestantFile { name, player, program, time, nodes }: &ContestantFile,
    ) -> Result<Entrant, PlanError> {
        let time = limit("time", *time)?.map(Duration::from_millis);
        let own = Budget { time, nodes: limit("nodes", *nodes)? };
        // Errors in the common budget are reported below.
        let budget = own.or(self.budget().unwrap_or(Budget::UNLIMITED));
        let entrant = Entrant::new(player, program.as_deref().map(Path::new), name.as_deref(), budget)?;
        if entrant.spec.experience().is_some() {
            let reason = "the games of a plan are the same in any order, which those of a player that learns are not";
            return Err(PlanError::value("player", player, reason));
        }
        Ok(entrant)
    }

    fn plan_between(self, contestants: Vec<Entrant>) -> Result<Plan, PlanError> {
        let file = self;
        file.budget()?;
        if file.games == 0 || file.games % 2 == 1 {
            let reason = "games come in pairs with the sides swapped: expected an even number, at least 2";
            return Err(PlanError::value("games", file.games, reason));
        }
        if contestants.len() < 2 {
            return Err(PlanError::Alone(contestants.len()));
        }
        let rules = file.rules.parse().ok().filter(|rules: &game::Rules| rules.has_teams());
        let piece = |name: String| {
            name.parse::<Piece>().map_err(|_| PlanError::value("start", &name, "expected a piece, for example PENTO_W"))
        };
        let opening = file.opening.parse();
        let plan = Plan {
            contestants,
            rules: rules.ok_or_else(|| PlanError::value("rules", &file.rules, "expected 2021, 2027 or classic"))?,
            start_piece: file.start.map(piece).transpose()?,
            opening: opening.map_err(|reason: String| PlanError::value("opening", &file.opening, reason))?,
            pairs: file.games / 2,
            swiss_rounds: file.swiss_rounds,
            seed: file.seed,
            timeout: limit("timeout", file.timeout)?.map(Duration::from_millis),
            sprt: file.sprt.map(Sprt::try_from).transpose()?,
            reference_speed: file.reference_speed,
        };
        if let Some(speed) = plan.reference_speed.filter(|speed| !(speed.is_finite() && *speed > 0.0)) {
            return Err(PlanError::value("reference_speed", speed, "expected nodes per second"));
        }
        if plan.sprt.is_some() && plan.contestants.len() > 2 {
            let reason = "a test decides between two contestants";
            return Err(PlanError::value("sprt", format!("{} contestants", plan.contestants.len()), reason));
        }
        let most = swiss::most_rounds(plan.contestants.len());
        if let Some(rounds) = plan.swiss_rounds.filter(|&rounds| rounds == 0 || rounds as usize > most) {
            let reason = format!("expected 1 to {most}; without it, everybody plays against everybody");
            return Err(PlanError::value("swiss_rounds", rounds, reason));
        }
        plan.check_opening()?;
        Ok(plan)
    }
}

/// Where a contestant begins in the text of a plan.
fn start_of_contestant(text: &str, index: usize) -> usize {
    #[derive(Deserialize)]
    struct Contestants {
        contestant: Vec<toml::Spanned<toml::Table>>,
    }
    let starts = toml::from_str::<Contestants>(text).ok();
    starts.and_then(|starts| Some(starts.contestant.get(index)?.span().start)).unwrap_or_default()
}

/// A limit as `arena match` takes it too: to engines 0 means that there is none.
fn limit(key: &'static str, value: Option<u64>) -> Result<Option<u64>, PlanError> {
    match value {
        Some(0) => Err(PlanError::value(key, 0, "expected a whole number, at least 1")),
        value => Ok(value),
    }
}

impl TryFrom<SprtFile> for Sprt {
    type Error = PlanError;

    fn try_from(SprtFile { elo0, elo1, alpha, beta }: SprtFile) -> Result<Self, PlanError> {
        for (key, rate) in [("alpha", alpha), ("beta", beta)] {
            if !(0.0 < rate && rate < 0.5) {
                return Err(PlanError::value(key, rate, "expected a number between 0 and 0.5"));
            }
        }
        if !Self::are_hypotheses(elo0, elo1) {
            return Err(PlanError::value("elo1", elo1, format!("expected a number greater than elo0 = {elo0}")));
        }
        Ok(Self { elo0, elo1, alpha, beta })
    }
}

impl From<&Plan> for PlanFile {
    fn from(plan: &Plan) -> Self {
        let millis = |time: Duration| time.as_millis() as u64;
        let contestant = |entrant: &Entrant| {
            let Entrant { name, player, program, budget: Budget { time, nodes }, .. } = entrant;
            ContestantFile {
                name: Some(name).filter(|name| *name != player).cloned(),
                player: player.clone(),
                program: program.as_ref().map(|path| path.to_string_lossy().into_owned()),
                time: time.map(millis),
                nodes: *nodes,
            }
        };
        Self {
            games: 2 * plan.pairs,
            time: None,
            nodes: None,
            rules: plan.rules.name().to_owned(),
            opening: plan.opening.to_string(),
            start: plan.start_piece.map(|piece| piece.name().to_owned()),
            timeout: plan.timeout.map(millis),
            seed: plan.seed,
            reference_speed: plan.reference_speed,
            swiss_rounds: plan.swiss_rounds,
            sprt: plan.sprt.map(|Sprt { elo0, elo1, alpha, beta }| SprtFile { elo0, elo1, alpha, beta }),
            contestant: plan.contestants.iter().map(contestant).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use game::Rules;

    use super::*;
    use crate::openings::Opening;

    const TWO: &str = "[[contestant]]\nplayer = 'random'\n[[contestant]]\nplayer = 'heuristic'\n";

    #[test]
    fn parses_the_documented_example() {
        let lines = include_str!("file.rs").lines().map_while(|line| line.strip_prefix("//!"));
        let example: Vec<&str> = lines.skip_while(|line| *line != " ```toml").skip(1).collect();
        let PlanFile { swiss_rounds, sprt, contestant, .. } =
            PlanFile::read(&example[..example.len() - 1].join("\n")).unwrap();
        assert_eq!((swiss_rounds, sprt.map(|sprt| sprt.elo1), contestant.len()), (Some(5), Some(10.0), 2));
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
            assert!(error.contains(offending) && error.contains("elsewhere"), "{error}");
        }
    }

    #[test]
    fn defaults_equal_those_of_matches() {
        let plan: Plan = TWO.parse().unwrap();
        assert_eq!((plan.pairs, plan.seed, plan.rules, plan.sprt), (50, 1, Rules::Season2027, None));
        assert_eq!((plan.start_piece, &plan.opening, plan.timeout), (None, &Opening::default(), None));
        for entrant in &plan.contestants {
            assert_eq!(entrant.budget, Budget::time(Duration::from_millis(100)));
            assert_eq!(entrant.name, entrant.spec.to_string());
        }
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
            reference_speed = 120000.0
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
        assert_eq!(plan.contestants[0].budget, Budget::nodes(7));
        assert_eq!(plan.contestants[1].budget, Budget::time(Duration::from_millis(20)));
        assert_eq!(plan.sprt, Some(Sprt { elo0: -5.0, elo1: 2.5, alpha: 0.05, beta: 0.1 }));
        assert_eq!(plan.to_text().parse::<Plan>().unwrap(), plan);
    }

    #[test]
    fn errors_name_the_line() {
        for (text, line) in [
            ("# two\ngames = 3", 2),
            ("\n\nopening = 'moves:PENTO_W@5,5'", 3),
            ("opening = 'none'\n opening_ = 1", 2),
            ("start = 'PENTO_Q'", 1),
            ("[sprt]\nelo0 = 5\nelo1=0", 3),
            ("sprt = { elo0 = 5, elo1 = 8, alpha = 0.7 }", 1),
            ("\ntime = 0", 2),
            (
                "nodes = 5\n[[contestant]]\nplayer = 'random'\nnodes = 5\n[[contestant]]\nplayer = 'random'\nnodes = 0",
                7,
            ),
            ("[[contestant]]\nplayer = 'random'\n[[contestant]]\nname = 'x'\nplayer = 'nobody'", 5),
            ("[[contestant]]\nplayer = 'mcts:experience=none'", 2),
            ("swiss_rounds = 2", 1),
        ] {
            let error = format!("{text}\n{TWO}").parse::<Plan>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("line {line}")), "{text}: {error}");
        }
    }

    #[test]
    fn rejects_endless_plans() {
        if cfg!(unix) {
            let error = Plan::read("/dev/zero".as_ref()).unwrap_err();
            assert!(
                std::error::Error::source(&error).unwrap().to_string().contains("the file has more than"),
                "{error:?}"
            );
            let error = format!("opening = 'file:/dev/zero'\n{TWO}").parse::<Plan>().unwrap_err().to_string();
            assert!(error.contains("the file has more than"), "{error}");
            let program = "[[contestant]]\nplayer = 'gtp:{program}'\nprogram = '/dev/zero'\n";
            let error = format!("{program}{TWO}").parse::<Plan>().unwrap().key().unwrap_err();
            assert!(
                std::error::Error::source(&error).unwrap().to_string().contains("the file has more than"),
                "{error:?}"
            );
        }
    }

    #[test]
    fn errors_name_the_offending_text() {
        for (text, part) in [
            ("games = 3", "games = 3"),
            ("games = 0", "games = 0"),
            ("rules = '2020'", "rules = 2020"),
            ("opening = 'file:none.txt'", "none.txt"),
            ("opening = 'moves:PENTO_W@5,5'", "PENTO_W@5,5"),
            ("start = 'PENTO_Q'", "PENTO_Q"),
            ("sprt = { elo0 = 5, elo1 = 0 }", "elo1 = 0"),
            ("sprt = { elo0 = 5, elo1 = 8, alpha = 0.7 }", "alpha = 0.7"),
            ("swiss_rounds = 2", "swiss_rounds = 2"),
            ("reference_speed = 0.0", "reference_speed = 0"),
            ("[[contestant]]\nplayer = 'mcts:experience=none'", "player = mcts:experience=none: the games of a plan"),
            ("time = 0", "time = 0: expected a whole number, at least 1"),
            ("nodes = 0", "nodes = 0"),
            ("timeout = 0", "timeout = 0"),
            ("[[contestant]]\nplayer = 'random'\ntime = 0", "time = 0"),
            ("[[contestant]]\nplayer = 'random'\nnodes = 0", "nodes = 0"),
            ("node = 5", "unknown field `node`"),
            ("nodes = -5", "-5"),
            ("seed = 18446744073709551616", "seed"),
            ("games = ", "line 1"),
            ("\u{1b}[2J", "line 1"),
        ] {
            let error = format!("{text}\n{TWO}").parse::<Plan>().unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
        let nobody = "[[contestant]]\nplayer = 'nobody'\n".parse::<Plan>().unwrap_err().to_string();
        assert!(nobody.contains("`nobody`"), "{nobody}");
        let alone = "[[contestant]]\nplayer = 'random'\n".parse::<Plan>().unwrap_err().to_string();
        assert!(alone.contains("this has 1"), "{alone}");
        let three = format!("sprt = {{ elo0 = 0, elo1 = 5 }}\n{TWO}[[contestant]]\nplayer = 'mcts'");
        assert!(three.parse::<Plan>().unwrap_err().to_string().contains("3 contestants"));
        let missing = Plan::read("no/such/plan.toml".as_ref()).unwrap_err();
        assert!(missing.to_string().contains("no/such/plan.toml"));
    }
}
