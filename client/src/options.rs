//! The arguments of the program.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{ArgAction, Args, Parser, Subcommand};
use player::Player;
use protocol::Season;

use crate::algorithm;
use crate::build::Build;
use crate::exit::Exit;
use crate::memory::{self, TooLittleMemory};
use crate::session::{Entry, Settings};
use crate::{bench, gtp};

/// The first line of the help.
const ABOUT: &str = "Plays Blokus on a game server of the Software-Challenge Germany";

/// The same with more lines.
const LONG_ABOUT: &str = "Plays Blokus on a game server of the Software-Challenge Germany.\n\n\
    Without any argument it shows a game: a server of its own on this machine, the built-in player against another \
    one, the board after each round. With any argument it joins a game on a server.";

/// The arguments of the program.
///
/// ```
/// use clap::Parser;
/// use client::options::Options;
///
/// let options = Options::try_parse_from(["client", "-h", "gameserver", "-p", "13051", "-r", "code"])?;
/// assert_eq!((options.host.as_str(), options.port, options.time), ("gameserver", 13051, 1900));
/// # Ok::<(), clap::Error>(())
/// ```
#[derive(Clone, Debug, Parser)]
#[command(version, about = ABOUT, long_about = LONG_ABOUT)]
#[command(disable_help_flag = true, disable_help_subcommand = true)]
#[command(args_conflicts_with_subcommands = true, after_help = Exit::help())]
pub struct Options {
    /// What to do instead of joining a game on a server.
    #[command(subcommand)]
    pub command: Option<Command>,

    /// Host of the server
    #[arg(short, long, default_value = "localhost")]
    pub host: String,

    /// Port of the server
    #[arg(short, long, default_value_t = 13050)]
    pub port: u16,

    /// Code of the reserved place to take; without one, any game that waits for a player is joined
    #[arg(short, long, value_name = "CODE")]
    pub reservation: Option<String>,

    /// Room of a prepared game to join at a place that is not reserved (season 2027)
    #[arg(long, value_name = "ID", conflicts_with = "reservation")]
    pub room: Option<String>,

    /// Season of the game to join; what the server then sends decides
    #[arg(long, default_value_t = Season::default(), value_parser = parse_season)]
    pub season: Season,

    /// Milliseconds for a move, from the arrival of the request to the sent answer
    #[arg(long, value_name = "MS", default_value_t = 1900)]
    pub time: u64,

    /// Nodes for a move at most: positions of a tree search, playouts of a Monte Carlo search
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,

    /// Think in the opponent's time, too
    #[arg(long)]
    pub ponder: bool,

    /// Who plays.
    #[command(flatten)]
    pub player: PlayerArguments,

    /// What is said besides.
    #[command(flatten)]
    pub log: LogArguments,

    /// Machine code to use [default: the fastest in this program that the processor can run]
    #[arg(long, value_name = "BUILD", global = true)]
    pub cpu: Option<Build>,

    /// Only check that the program starts
    #[arg(long)]
    pub verify: bool,

    /// Print help
    #[arg(long, action = ArgAction::Help, global = true)]
    help: Option<bool>,
}

/// What to do instead of joining a game on a server.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Be an engine that speaks the Go Text Protocol on standard input and output
    Gtp(gtp::Arguments),
    /// Search fixed positions and tell the speed and a fingerprint of the search
    Bench(bench::Arguments),
}

/// Who plays, and with what.
#[derive(Clone, Debug, Args)]
pub struct PlayerArguments {
    /// Player instead of the one that is built in
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(player::NAMES))]
    pub player: Option<String>,

    /// Seed of the player's randomness; without one, each run has another
    #[arg(long)]
    pub seed: Option<u64>,

    /// Threads that the player may use
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_threads)]
    pub threads: usize,

    /// MiB that the player's tree or table may take
    #[arg(long, value_name = "MIB", default_value_t = default_memory(), value_parser = clap::value_parser!(u16).range(1..))]
    pub memory: u16,

    /// Place the first pieces in the own half of the board, in case a server asks for that
    #[arg(long)]
    pub cautious_start: bool,

    /// Parameter of the player; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_param)]
    pub param: Vec<(String, f32)>,
}

impl Default for PlayerArguments {
    fn default() -> Self {
        Self {
            player: None,
            seed: None,
            threads: 1,
            memory: default_memory(),
            cautious_start: false,
            param: Vec::new(),
        }
    }
}

fn default_memory() -> u16 {
    u16::try_from(player::Options::default().memory >> 20).unwrap_or(u16::MAX)
}

/// What is said on standard error and in files.
#[derive(Clone, Debug, Args)]
pub struct LogArguments {
    /// File that gets a log of the game
    #[arg(long, value_name = "FILE")]
    pub log_file: Option<PathBuf>,

    /// Say more: the moves (-v), odd messages (-vv), everything that is sent (-vvv)
    #[arg(short, long, action = ArgAction::Count)]
    pub verbose: u8,
}

impl PlayerArguments {
    /// What the player needs to know.
    ///
    /// # Errors
    /// [`TooLittleMemory`] if no player could work.
    pub fn options(&self) -> Result<player::Options, TooLittleMemory> {
        let seed = self.seed.unwrap_or_else(random_seed);
        let memory = memory::obtainable(usize::from(self.memory) << 20, self.threads)?;
        let cautious_start = self.cautious_start;
        Ok(player::Options { seed, threads: self.threads, memory, cautious_start })
    }

    /// The player.
    ///
    /// # Errors
    /// [`UnknownPlayer`](player::UnknownPlayer) if there is no player of that name, [`ParamError`](player::ParamError)
    /// if it has no such parameter.
    ///
    /// ```
    /// use client::options::PlayerArguments;
    ///
    /// let arguments = PlayerArguments { player: Some("random".to_owned()), memory: 1, ..PlayerArguments::default() };
    /// assert_eq!(arguments.make(&arguments.options()?)?.name(), "random");
    /// # Ok::<(), anyhow::Error>(())
    /// ```
    pub fn make(&self, options: &player::Options) -> anyhow::Result<Box<dyn Player>> {
        let mut player = algorithm::make(self.player.as_deref(), options)?;
        for (name, value) in &self.param {
            player.set_param(name, *value)?;
        }
        Ok(player)
    }
}

impl Options {
    /// What the session needs to know. Programs that start clients may pass empty codes.
    pub fn settings(&self) -> Settings {
        let given = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        let entry = match (given(&self.reservation), given(&self.room)) {
            (Some(code), _) => Entry::Reservation(code),
            (None, Some(room)) => Entry::Room(room),
            (None, None) => Entry::Any,
        };
        let time = Duration::from_millis(self.time);
        Settings { season: self.season, entry, time, nodes: self.nodes, ponder: self.ponder }
    }

    /// What is said besides.
    pub fn log(&self) -> &LogArguments {
        match &self.command {
            Some(Command::Gtp(arguments)) => &arguments.log,
            Some(Command::Bench(arguments)) => &arguments.log,
            None => &self.log,
        }
    }
}

/// A number that differs from run to run.
///
/// ```
/// use client::options::random_seed;
///
/// assert_ne!(random_seed(), random_seed());
/// ```
pub fn random_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(0)
}

fn parse_season(name: &str) -> Result<Season, String> {
    let names = || Season::ALL.map(Season::name).join(" or ");
    Season::from_name(name).ok_or_else(|| format!("expected {}", names()))
}

fn parse_param(text: &str) -> Result<(String, f32), String> {
    let parsed = text.split_once('=').and_then(|(name, value)| Some((name.to_owned(), value.parse().ok()?)));
    parsed.ok_or_else(|| "expected NAME=VALUE, for example exploration=0.5".to_owned())
}

/// No machine has so many processors that this is too few.
const MOST_THREADS: usize = 1024;

fn parse_threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads @ 1..=MOST_THREADS) => Ok(threads),
        _ => Err(format!("expected a number from 1 to {MOST_THREADS}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use clap::error::ErrorKind;

    fn parse(arguments: &str) -> Result<Options, clap::Error> {
        Options::try_parse_from(["client"].into_iter().chain(arguments.split_whitespace()))
    }

    #[test]
    fn it_thinks_in_its_own_time_only_unless_told() {
        assert!(!parse("").unwrap().settings().ponder && parse("--ponder").unwrap().settings().ponder);
        assert_eq!(parse("").unwrap().settings().time, Duration::from_millis(1900));
    }

    #[test]
    fn arguments_are_consistent() {
        Options::command().debug_assert();
    }

    /// Descriptions come from the documentation, whose examples are not for users.
    #[test]
    fn the_help_is_for_users() {
        let help = parse("--help").unwrap_err().to_string();
        assert!(help.starts_with(LONG_ABOUT) && !help.contains("```"), "{help}");
        for subcommand in Options::command().get_subcommands_mut() {
            let help = subcommand.render_long_help().to_string();
            assert!(help.contains("--seed") && !help.contains("```"), "{help}");
        }
    }

    #[test]
    fn all_who_start_clients_are_understood() {
        let code = || Entry::Reservation("c-0-d-e".to_owned());
        for (arguments, host, port, entry) in [
            ("-r c-0-d-e -h gameserver -p 13051", "gameserver", 13051, code()),
            ("-h gameserver -p 13051 -r c-0-d-e", "gameserver", 13051, code()),
            ("--reservation c-0-d-e --host 10.0.0.1 --port 1", "10.0.0.1", 1, code()),
            ("--host=::1 --port=65535 --reservation=c-0-d-e", "::1", 65535, code()),
            ("--port 13050 --room 1-2", "localhost", 13050, Entry::Room("1-2".to_owned())),
            ("-v", "localhost", 13050, Entry::Any),
            ("-hhost -p1 --reservation=", "host", 1, Entry::Any),
        ] {
            let options = parse(arguments).unwrap();
            assert_eq!((options.host.as_str(), options.port), (host, port), "{arguments}");
            assert_eq!(options.settings().entry, entry, "{arguments}");
            assert_eq!(options.settings().season, Season::Season2027);
            assert_eq!(options.settings().time, Duration::from_millis(1900));
        }
    }

    #[test]
    fn mistakes_are_named() {
        for (arguments, kind) in [
            ("-h", ErrorKind::InvalidValue),
            ("--help", ErrorKind::DisplayHelp),
            ("--version", ErrorKind::DisplayVersion),
            ("--port 65536", ErrorKind::ValueValidation),
            ("--season 2020", ErrorKind::ValueValidation),
            ("--threads 0", ErrorKind::ValueValidation),
            ("--threads 1025", ErrorKind::ValueValidation),
            ("--cpu sse", ErrorKind::InvalidValue),
            ("--player nobody", ErrorKind::InvalidValue),
            ("--reservation a --room b", ErrorKind::ArgumentConflict),
            ("--memory 0", ErrorKind::ValueValidation),
            ("--param exploration", ErrorKind::ValueValidation),
            ("--param exploration=much", ErrorKind::ValueValidation),
            ("extra", ErrorKind::InvalidSubcommand),
            ("gtp --game chess", ErrorKind::ValueValidation),
            ("gtp --help", ErrorKind::DisplayHelp),
            ("gtp --port 1", ErrorKind::UnknownArgument),
            ("--port 1 gtp", ErrorKind::ArgumentConflict),
        ] {
            assert_eq!(parse(arguments).map(|_| ()).unwrap_err().kind(), kind, "{arguments}");
        }
    }
}
