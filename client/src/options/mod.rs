//! The options of the program.
//!
//! Only `main` knows of these and of what they are for: the engine, the benchmark and the session know no option.

mod player;
mod values;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use ::player::{Budget, Level};
use clap::builder::{PossibleValuesParser, RangedU64ValueParser};
use clap::{ArgAction, Args, Parser, Subcommand};
use cli::{DefaultsArguments, Documents};
use game::Rules;
use protocol::Season;

pub use self::player::PlayerArguments;
use crate::build::Build;
use crate::demo::{self, Output, Show};
use crate::exit::Exit;
use crate::pace::DEFAULT_TIME;
use crate::session::{Entry, PARTING, Settings};

/// The first line of the help.
const ABOUT: &str = "Plays Blokus on a game server of the Software-Challenge Germany";

/// The same with more lines.
const LONG_ABOUT: &str = "Plays Blokus on a game server of the Software-Challenge Germany.\n\n\
    Without any argument it does what `client demo` does: it shows a game, the built-in player against another one on \
    a server of its own. With arguments but no command, even with -v alone, it joins a game on a server.";

/// The options of the program.
///
/// ```
/// use clap::Parser;
/// use client::options::Cli;
///
/// let cli = Cli::try_parse_from(["client", "-h", "gameserver", "-p", "13051", "-r", "code"])?;
/// assert_eq!((cli.host.as_str(), cli.port, cli.time), ("gameserver", 13051, 1900));
/// # Ok::<(), clap::Error>(())
/// ```
#[derive(Clone, Debug, Parser)]
#[command(name = "client", version, about = ABOUT, long_about = LONG_ABOUT)]
#[command(disable_help_flag = true, disable_help_subcommand = true)]
#[command(args_conflicts_with_subcommands = true, after_help = Exit::help())]
pub struct Cli {
    /// What to do instead of joining a game on a server.
    #[command(subcommand)]
    pub command: Option<Command>,

    /// Host of the server
    #[arg(short, long, default_value = "localhost")]
    pub host: String,

    /// Port of the server
    #[arg(short, long, default_value_t = 13050)]
    pub port: u16,

    /// Code of the reserved place to take; without one, or if it is empty, any game that waits for a player is joined
    #[arg(short, long, value_name = "CODE")]
    pub reservation: Option<String>,

    /// Room of a prepared game to join at a place that is not reserved (season 2027)
    #[arg(long, value_name = "ID", conflicts_with = "reservation")]
    pub room: Option<String>,

    /// Season of the game to join; what the server then sends decides
    #[arg(short, long, default_value_t = Season::default(), value_parser = values::season)]
    pub season: Season,

    /// Milliseconds for a move, from the arrival of the request to the sent answer
    #[arg(long, value_name = "MS", default_value_t = DEFAULT_TIME.as_millis() as u64, value_parser = at_least_one())]
    pub time: u64,

    /// Nodes for a move at most: positions of a tree search, simulations of a Monte Carlo search
    #[arg(long, value_name = "N", value_parser = at_least_one())]
    pub nodes: Option<u64>,

    /// Think in the opponent's time, too
    #[arg(long)]
    pub ponder: bool,

    /// Give up when the server has said nothing for so long; opponents may think for ten seconds [default: wait without
    /// end, because a prepared game starts whenever it starts]
    #[arg(long, value_name = "SECONDS", value_parser = at_least_one())]
    pub patience: Option<u64>,

    /// Who plays.
    #[command(flatten)]
    pub player: PlayerArguments,

    /// What is logged.
    #[command(flatten)]
    pub log: LogArguments,

    /// Machine code to use [default: the fastest in this program that the processor can run]
    #[arg(long, value_name = "BUILD", global = true)]
    pub cpu: Option<Build>,

    /// Defaults are read from a file that is named and from no other, so that the client does the same on every
    /// machine.
    #[command(flatten)]
    pub defaults: DefaultsArguments,

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
    /// Show a game between two players on this machine
    Demo(DemoArguments),
    /// Run as a GTP engine on standard input and output
    #[command(version, mut_arg("seed", |seed| seed.short('r')))]
    Gtp(GtpArguments),
    /// Search fixed positions and tell the speed and a fingerprint of the search
    Bench(BenchArguments),
    /// What shells and people are told.
    #[command(flatten)]
    Documents(Documents),
}

/// The options of `client demo`.
#[derive(Clone, Debug, Args)]
pub struct DemoArguments {
    /// Milliseconds that either player may think about a move
    #[arg(long, value_name = "MS", default_value_t = demo::DEFAULT_TIME.as_millis() as u64)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=LONGEST_MS))]
    pub time: u64,

    /// Milliseconds that a terminal shows each position at least [default: half of --time]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(..=LONGEST_MS))]
    pub delay: Option<u64>,

    /// Player on the other side
    #[arg(long, value_name = "NAME", default_value = demo::DEFAULT_OPPONENT)]
    #[arg(value_parser = PossibleValuesParser::new(::player::PLAYER_NAMES))]
    pub opponent: String,

    /// Season whose rules and protocol are used
    #[arg(long, default_value_t = Season::default(), value_parser = values::season)]
    pub season: Season,

    /// Write the letters of the colours on the board where colours would do, too
    #[arg(long)]
    pub letters: bool,

    /// Who plays.
    #[command(flatten)]
    pub player: PlayerArguments,

    /// What is logged.
    #[command(flatten)]
    pub log: LogArguments,
}

/// An hour, the longest time for a move in a game to watch.
const LONGEST_MS: u64 = 3_600_000;

impl DemoArguments {
    /// How to show the game.
    pub fn show(&self, seed: u64) -> Show {
        Show {
            time: Duration::from_millis(self.time),
            delay: Duration::from_millis(self.delay.unwrap_or(self.time / 2)),
            opponent: self.opponent.clone(),
            season: self.season,
            seed,
            letters: self.letters,
            stop: Arc::default(),
            output: if self.is_logged() { Output::rounds_on_stdout() } else { Output::of_stdout() },
        }
    }

    /// Whether a log is wanted. Its lines would stand in a picture that is drawn in place.
    fn is_logged(&self) -> bool {
        self.log.verbose > 0 || self.log.log_file.is_some()
    }
}

/// The options of `client gtp`.
#[derive(Clone, Debug, Args)]
pub struct GtpArguments {
    /// Game at the start: 2021, 2027, classic_2 (Blokus Two-Player) or classic (four players)
    #[arg(short = 's', visible_short_alias = 'g', long, visible_alias = "season", value_name = "NAME")]
    #[arg(default_value = "2027", value_parser = values::game)]
    pub game: Rules,

    /// Level of the player from 1 to 9, the same as the command `level` [default: the full engine]
    #[arg(short, long, value_name = "N", value_parser = values::level, conflicts_with_all = ["player", "param"])]
    pub level: Option<Level>,

    /// Play without opening book
    #[arg(long)]
    pub nobook: bool,

    /// No effect, for programs that drive Pentobi: this engine never resigns
    #[arg(long)]
    pub noresign: bool,

    /// Print no warnings on standard error
    #[arg(short, long, conflicts_with_all = ["verbose", "log_file"])]
    pub quiet: bool,

    /// Milliseconds for a move [default: 1900, without limit if --nodes is given]
    #[arg(long, value_name = "MS", value_parser = at_least_one())]
    pub time: Option<u64>,

    /// Nodes for a move: positions of a tree search, simulations of a Monte Carlo search
    #[arg(long, value_name = "N", value_parser = at_least_one())]
    pub nodes: Option<u64>,

    /// Who plays.
    #[command(flatten)]
    pub player: PlayerArguments,

    /// What is logged.
    #[command(flatten)]
    pub log: LogArguments,

    /// The same as --help. In the client itself `-h` is the host.
    #[arg(short = 'h', action = ArgAction::Help, hide = true)]
    short_help: Option<bool>,
}

impl GtpArguments {
    /// What a move may cost.
    pub fn budget(&self) -> Budget {
        Budget { time: self.time.map(Duration::from_millis), nodes: self.nodes }
    }
}

/// The options of `client bench`.
#[derive(Clone, Debug, Args)]
pub struct BenchArguments {
    /// Nodes per position
    #[arg(short, long, value_name = "N", default_value_t = ::player::bench::NODES, value_parser = at_least_one())]
    pub nodes: u64,

    /// Who plays.
    #[command(flatten)]
    pub player: PlayerArguments,

    /// What is logged.
    #[command(flatten)]
    pub log: LogArguments,
}

fn at_least_one() -> RangedU64ValueParser {
    RangedU64ValueParser::new().range(1..)
}

/// What is logged.
#[derive(Clone, Debug, Args)]
pub struct LogArguments {
    /// File that gets a log of the game
    #[arg(long, value_name = "FILE")]
    pub log_file: Option<PathBuf>,

    /// Say more: the moves (-v), odd messages (-vv), everything that is sent (-vvv)
    #[arg(short, long, action = ArgAction::Count)]
    pub verbose: u8,
}

impl Cli {
    /// What the session needs to know.
    pub fn settings(&self) -> Settings {
        // Programs that start clients give an empty code if they have none.
        let given = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        let entry = match (given(&self.reservation), given(&self.room)) {
            (Some(code), _) => Entry::Reservation(code),
            (None, Some(room)) => Entry::Room(room),
            (None, None) => Entry::Any,
        };
        let budget = Budget { time: Some(Duration::from_millis(self.time)), nodes: self.nodes };
        Settings {
            season: self.season,
            entry,
            budget,
            ponder: self.ponder,
            patience: self.patience.map(Duration::from_secs),
            parting: PARTING,
        }
    }

    /// What is logged; `None` if nothing is, because it would stand in a picture.
    pub fn log(&self) -> Option<&LogArguments> {
        match &self.command {
            Some(Command::Demo(args)) => args.is_logged().then_some(&args.log),
            Some(Command::Gtp(args)) => (!args.quiet).then_some(&args.log),
            Some(Command::Bench(args)) => Some(&args.log),
            Some(Command::Documents(_)) => None,
            None => Some(&self.log),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use clap::error::ErrorKind;

    fn parse(arguments: &str) -> Result<Cli, clap::Error> {
        Cli::try_parse_from(["client"].into_iter().chain(arguments.split_whitespace()))
    }

    #[test]
    fn it_thinks_in_its_own_time_only_unless_told() {
        assert!(!parse("").unwrap().settings().ponder && parse("--ponder").unwrap().settings().ponder);
        assert_eq!(parse("").unwrap().settings().budget, Budget::time(Duration::from_millis(1900)));
    }

    #[test]
    fn arguments_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_season_is_named_alike_in_all_commands() {
        for season in ["-s 2021", "--season 2021", "--season=2021"] {
            assert_eq!(parse(season).unwrap().settings().season, Season::Season2021);
            let Some(Command::Gtp(args)) = parse(&format!("gtp {season}")).unwrap().command else { panic!("{season}") };
            assert_eq!(args.game, Rules::Season2021);
        }
    }

    #[test]
    fn gtp_understands_options_of_pentobi() {
        let gtp = |arguments: &str| match parse(&format!("gtp {arguments}")).unwrap().command {
            Some(Command::Gtp(args)) => args,
            command => panic!("{command:?}"),
        };
        for arguments in ["-g classic_2 -l 5 -r 7 -q --nobook", "--game c2 --level 5 --seed 7 --quiet --nobook"] {
            let args = gtp(arguments);
            assert_eq!((args.game, args.level, args.player.seed), (Rules::Classic, Level::new(5), Some(7)));
            assert!(args.nobook && args.quiet, "{arguments}");
        }
        let args = gtp("--noresign --threads 2");
        assert_eq!((args.game, args.level, args.player.threads), (Rules::Season2027, None, 2));
        assert!(!args.nobook && !args.quiet);
    }

    #[test]
    fn gtp_names_refused_options() {
        for (arguments, part) in [
            ("-g duo", "'duo'"),
            ("-g duo", "classic_2"),
            ("--game duo", "'duo'"),
            ("--level 10", "'10'"),
            ("--book book.blksgf", "'--book'"),
            ("--showboard", "'--showboard'"),
        ] {
            let error = parse(&format!("gtp {arguments}")).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    /// Descriptions come from the documentation, whose examples are not for users.
    #[test]
    fn the_help_is_for_users() {
        let help = parse("--help").unwrap_err().to_string();
        assert!(help.starts_with(LONG_ABOUT) && !help.contains("```"), "{help}");
        for subcommand in Cli::command().get_subcommands_mut() {
            let plays = subcommand.get_name() != "completions";
            let help = subcommand.render_long_help().to_string();
            assert!(help.contains("--seed") == plays && !help.contains("```"), "{help}");
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
            ("--reservation= --port 1", "localhost", 1, Entry::Any),
            ("--room= --port 1", "localhost", 1, Entry::Any),
            ("-hhost -p1", "host", 1, Entry::Any),
        ] {
            let options = parse(arguments).unwrap();
            assert_eq!((options.host.as_str(), options.port), (host, port), "{arguments}");
            assert_eq!(options.settings().entry, entry, "{arguments}");
            assert_eq!(options.settings().season, Season::Season2027);
            assert_eq!(options.settings().budget, Budget::time(Duration::from_millis(1900)));
        }
        let official = Cli::try_parse_from(["client", "-h", "server", "-p", "1", "-r", ""]).unwrap();
        assert_eq!(official.settings().entry, Entry::Any);
    }

    #[test]
    fn a_demo_is_as_fast_as_it_is_told() {
        let show = |arguments: &str| match parse(arguments).unwrap().command {
            Some(Command::Demo(args)) => args.show(7),
            command => panic!("{command:?}"),
        };
        let ms = Duration::from_millis;
        let (demo, usual) = (show("demo"), Show::on_stdout());
        assert_eq!((demo.time, demo.delay, demo.opponent), (usual.time, usual.delay, usual.opponent));
        assert_eq!((demo.seed, demo.output), (7, usual.output));
        assert_eq!([show("demo --time 1000").time, show("demo --time 1000").delay], [ms(1000), ms(500)]);
        assert_eq!(show("demo --delay 0").delay, ms(0));
        assert!(matches!(show("demo -v").output, Output::Rounds(_)));
    }

    #[test]
    fn mistakes_are_named() {
        for (arguments, kind) in [
            ("-h", ErrorKind::InvalidValue),
            ("--help", ErrorKind::DisplayHelp),
            ("--version", ErrorKind::DisplayVersion),
            ("--port 65536", ErrorKind::ValueValidation),
            ("--season 2020", ErrorKind::ValueValidation),
            ("--time 0", ErrorKind::ValueValidation),
            ("--nodes 0", ErrorKind::ValueValidation),
            ("--patience 0", ErrorKind::ValueValidation),
            ("gtp --time 0", ErrorKind::ValueValidation),
            ("bench --nodes 0", ErrorKind::ValueValidation),
            ("--threads 0", ErrorKind::ValueValidation),
            ("--threads 1025", ErrorKind::ValueValidation),
            ("--cpu sse", ErrorKind::InvalidValue),
            ("--player nobody", ErrorKind::InvalidValue),
            ("--reservation a --room b", ErrorKind::ArgumentConflict),
            ("--memory 0", ErrorKind::ValueValidation),
            ("--param exploration", ErrorKind::ValueValidation),
            ("extra", ErrorKind::InvalidSubcommand),
            ("demo --time 0", ErrorKind::ValueValidation),
            ("demo --delay 3600001", ErrorKind::ValueValidation),
            ("demo --opponent nobody", ErrorKind::InvalidValue),
            ("demo --season 2022", ErrorKind::ValueValidation),
            ("gtp --game chess", ErrorKind::ValueValidation),
            ("gtp --game duo", ErrorKind::ValueValidation),
            ("gtp -g duo", ErrorKind::ValueValidation),
            ("gtp --level 0", ErrorKind::ValueValidation),
            ("gtp --level 1 --player random", ErrorKind::ArgumentConflict),
            ("gtp --quiet -v", ErrorKind::ArgumentConflict),
            ("gtp --book file", ErrorKind::UnknownArgument),
            ("gtp --showboard", ErrorKind::UnknownArgument),
            ("gtp --color", ErrorKind::UnknownArgument),
            ("gtp commands.gtp", ErrorKind::UnknownArgument),
            ("gtp --help", ErrorKind::DisplayHelp),
            ("gtp -h", ErrorKind::DisplayHelp),
            ("gtp --version", ErrorKind::DisplayVersion),
            ("gtp --port 1", ErrorKind::UnknownArgument),
            // It would have no effect.
            ("bench --ponder", ErrorKind::UnknownArgument),
            ("--port 1 gtp", ErrorKind::ArgumentConflict),
        ] {
            assert_eq!(parse(arguments).map(|_| ()).map_err(|error| error.kind()), Err(kind), "{arguments}");
        }
    }
}
