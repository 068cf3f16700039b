//! The options of the program.

mod demo;
mod player;
#[cfg(test)]
mod tests;
mod values;

use std::path::PathBuf;
use std::time::Duration;

use ::player::{Budget, Level};
use clap::{ArgAction, Args, Parser, Subcommand};
use game::Rules;
use protocol::Season;

pub use self::demo::{BoardOutput, DemoArguments};
pub use self::player::PlayerArguments;
use crate::build::Build;
use crate::exit::Exit;
use crate::pace::DEFAULT_TIME;
use crate::settings::{JoinMode, LINGER, Settings};

/// The first line of the help.
const ABOUT: &str = "Plays Blokus on a game server of the Software-Challenge Germany";

/// The same with more lines.
const LONG_ABOUT: &str = "Plays Blokus on a game server of the Software-Challenge Germany.\n\n\
    Without arguments it runs `client demo`: the default player plays another player on a local server. With arguments \
    but no command, even only -v, it joins a game on a server.";

/// The options of the program.
#[derive(Clone, Debug, Parser)]
#[command(name = "client", version, about = ABOUT, long_about = LONG_ABOUT)]
#[command(disable_help_flag = true, disable_help_subcommand = true)]
#[command(args_conflicts_with_subcommands = true, after_help = Exit::help())]
pub struct Cli {
    /// The command, if any.
    #[command(subcommand)]
    pub command: Option<Command>,

    /// Host of the server
    #[arg(short, long, default_value = "localhost", value_parser = values::host)]
    pub host: String,

    /// Port of the server
    #[arg(short, long, default_value_t = 13050, value_parser = cli::number(1..=u16::MAX))]
    pub port: u16,

    /// Code of the reserved place [default: join any game that waits for a player]
    #[arg(short, long, value_name = "CODE")]
    pub reservation: Option<String>,

    /// Room of a prepared game with a free place (season 2027)
    #[arg(long, value_name = "ID", conflicts_with = "reservation")]
    pub room: Option<String>,

    /// Season of the game to join; the messages of the server then decide
    #[arg(short, long, default_value_t = Season::default(), value_parser = values::season)]
    pub season: Season,

    /// Maximum time per move in milliseconds, from the arrival of the request to the sent answer
    #[arg(long, value_name = "MS", default_value_t = DEFAULT_TIME.as_millis() as u64, value_parser = cli::number(1u64..))]
    pub time: u64,

    /// Maximum nodes per move: positions of a tree search, simulations of a Monte Carlo search
    #[arg(long, value_name = "N", value_parser = cli::number(1u64..))]
    pub nodes: Option<u64>,

    /// Also think in the opponent's time
    #[arg(long)]
    pub ponder: bool,

    /// Exit if the server is silent for this many seconds; opponents may think for ten [default: no limit, because a
    /// prepared game may start at any time]
    #[arg(long, value_name = "SECONDS", value_parser = cli::number(1..=MAX_PATIENCE))]
    pub patience: Option<u64>,

    /// The player.
    #[command(flatten)]
    pub player: PlayerArguments,

    /// The log.
    #[command(flatten)]
    pub log: LogArguments,

    /// Machine code to use [default: the fastest in this program that the processor can run]
    #[arg(long, value_name = "BUILD", global = true)]
    pub cpu: Option<Build>,

    /// Check that the program starts, and exit
    #[arg(long)]
    pub verify: bool,

    /// Print help
    #[arg(long, action = ArgAction::Help, global = true)]
    help: Option<bool>,
}

/// A command instead of joining a game on a server.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Show a game between two players on this machine
    Demo(DemoArguments),
    /// Run as a GTP engine on stdin/stdout
    #[command(version, mut_arg("seed", |seed| seed.short('r')))]
    Gtp(GtpArguments),
    /// Search fixed positions; print the speed and a fingerprint of the search
    Bench(BenchArguments),
}

/// The options of `client gtp`.
#[derive(Clone, Debug, Args)]
pub struct GtpArguments {
    /// Game at the start: 2021, 2027, classic_2 (Blokus Two-Player) or classic (four players)
    #[arg(short = 's', visible_short_alias = 'g', long, visible_alias = "season", value_name = "NAME")]
    #[arg(default_value = "2027", value_parser = values::game)]
    pub game: Rules,

    /// Level of the player from 1 to 9, like the command `level` [default: the full engine]
    #[arg(short, long, value_name = "N", value_parser = values::level, conflicts_with_all = ["player", "param"])]
    pub level: Option<Level>,

    /// Play without opening book
    #[arg(long)]
    pub nobook: bool,

    /// No effect (this engine never resigns); for programs that drive Pentobi
    #[arg(long)]
    pub noresign: bool,

    /// Print no warnings on standard error
    #[arg(short, long, conflicts_with_all = ["verbose", "log_file"])]
    pub quiet: bool,

    /// Time per move in milliseconds [default: 1900, no limit if --nodes is given]
    #[arg(long, value_name = "MS", value_parser = cli::number(1u64..))]
    pub time: Option<u64>,

    /// Nodes per move: positions of a tree search, simulations of a Monte Carlo search
    #[arg(long, value_name = "N", value_parser = cli::number(1u64..))]
    pub nodes: Option<u64>,

    /// The player.
    #[command(flatten)]
    pub player: PlayerArguments,

    /// The log.
    #[command(flatten)]
    pub log: LogArguments,

    /// Like --help. Without a command `-h` is the host.
    #[arg(short = 'h', action = ArgAction::Help, hide = true)]
    short_help: Option<bool>,
}

impl GtpArguments {
    /// Returns the budget of a move.
    pub fn budget(&self) -> Budget {
        Budget { time: self.time.map(Duration::from_millis), nodes: self.nodes }
    }
}

/// The options of `client bench`.
#[derive(Clone, Debug, Args)]
pub struct BenchArguments {
    /// Nodes per position
    #[arg(short, long, value_name = "N", default_value_t = ::player::bench::NODES, value_parser = cli::number(1u64..))]
    pub nodes: u64,

    /// The player.
    #[command(flatten)]
    pub player: PlayerArguments,

    /// The log.
    #[command(flatten)]
    pub log: LogArguments,
}

/// Maximum of `--patience`: a year.
const MAX_PATIENCE: u64 = 365 * 24 * 3600;

/// The log.
#[derive(Clone, Debug, Args)]
pub struct LogArguments {
    /// Write a log of the game to this file
    #[arg(long, value_name = "FILE")]
    pub log_file: Option<PathBuf>,

    /// Log more: the moves (-v), unexpected messages (-vv), all traffic (-vvv)
    #[arg(short, long, action = ArgAction::Count)]
    pub verbose: u8,
}

impl Cli {
    /// Returns the settings of the session.
    pub fn settings(&self) -> Settings {
        // Some programs pass an empty code if they have none.
        let given = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        let join_mode = match (given(&self.reservation), given(&self.room)) {
            (Some(code), _) => JoinMode::Reservation(code),
            (None, Some(room)) => JoinMode::Room(room),
            (None, None) => JoinMode::Any,
        };
        let budget = Budget { time: Some(Duration::from_millis(self.time)), nodes: self.nodes };
        Settings {
            season: self.season,
            join_mode,
            budget,
            ponder: self.ponder,
            patience: self.patience.map(Duration::from_secs),
            linger: LINGER,
        }
    }

    /// Returns the log; `None` where its lines would disturb a picture.
    pub fn log(&self) -> Option<&LogArguments> {
        match &self.command {
            Some(Command::Demo(args)) => args.is_logged().then_some(&args.log),
            Some(Command::Gtp(args)) => (!args.quiet).then_some(&args.log),
            Some(Command::Bench(args)) => Some(&args.log),
            None => Some(&self.log),
        }
    }

    /// Returns the files that the command reads.
    pub fn inputs(&self) -> Vec<PathBuf> {
        let player = match &self.command {
            Some(Command::Demo(args)) => &args.player,
            Some(Command::Gtp(args)) => &args.player,
            Some(Command::Bench(args)) => &args.player,
            None => &self.player,
        };
        player.weights.iter().chain(&player.experience).cloned().collect()
    }
}
