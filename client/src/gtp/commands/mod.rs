//! The commands.

mod game;
mod player;

use ::game::Color;
use anyhow::{Context, Result, anyhow, ensure};
use cpu_time::ProcessTime;
use protocol::gtp::read_color;

use super::engine::Engine;
use super::request::{GtpRequest, UnreadArguments};

type GtpAnswer = Result<String>;

/// The colours, for messages.
const COLORS: &str = "a colour: 1 to 4, blue, yellow, red or green, or b, y, r or g";

/// A command.
struct GtpCommand {
    name: &'static str,
    /// Its arguments, for the help.
    arguments: &'static str,
    /// Its purpose, for the help.
    purpose: &'static str,
    run: fn(&mut Engine, UnreadArguments) -> GtpAnswer,
}

/// Creates a command in one line of the table.
const fn command(
    name: &'static str,
    arguments: &'static str,
    purpose: &'static str,
    run: fn(&mut Engine, UnreadArguments) -> GtpAnswer,
) -> GtpCommand {
    GtpCommand { name, arguments, purpose, run }
}

/// All commands by name; `docs/gtp.md` explains them.
const COMMANDS: &[GtpCommand] = &[
    command("all_legal", "COLOR", "list the placements of a colour", game::all_legal),
    command("clear_board", "", "start again with the same rules and start piece", game::clear_board),
    command("cputime", "", "processor time in seconds", cputime),
    command("evaluation", "", "the evaluation of the last search", player::evaluation),
    command("final_score", "", "the leader and its margin in points", game::final_score),
    command("g", "", "choose and play the next move", player::genmove_on_turn),
    command("genmove", "COLOR", "choose and play a move", player::genmove),
    command("get_place", "COLOR", "place of a colour by points, 1 is the best", game::place),
    command("get_value", "", "win probability by the last search, 0 to 1", player::value),
    command("help", "[COMMAND]", "explain a command, or all commands", help),
    command("known_command", "NAME", "print whether a command exists", known_command),
    command("level", "[1-9]", "print or set the level, 1 is the weakest", player::level),
    command("list_commands", "", "list the names of all commands", list_commands),
    command("loadsgf", "FILE [N]", "load a game from a file of Pentobi (.blksgf)", game::loadsgf),
    command("name", "", "name of the program and its player", name),
    command("nodes_per_move", "N", "set the nodes per move, 0 for no limit", player::nodes_per_move),
    command("p", "MOVE", "play a move for the colour to move", game::play_on_turn),
    command("param", "[NAME [VALUE]]", "print or set parameters of the player", player::param),
    command("param_base", "[NAME VALUE]", "illegal moves and resigning: always off", player::param_base),
    command("play", "COLOR MOVE", "play a move: cells as a1,a2,b2, or pass", game::play),
    command("position", "[TEXT]", "print or set the position on one line", game::position),
    command("principal_variation", "", "the moves that the last search expects", player::principal_variation),
    command("protocol_version", "", "the version of the Go Text Protocol", |_, _| Ok("2".to_owned())),
    command("quit", "", "end the program", quit),
    command("reg_genmove", "COLOR", "choose a move without playing it", player::reg_genmove),
    command("savesgf", "FILE", "save the game as a file of Pentobi (.blksgf)", game::savesgf),
    command("search_info", "", "nodes, depth and time of the last search", player::search_info),
    command("set_game", "NAME", "start a game: 2021, 2027, Blokus Two-Player, Blokus", game::set_game),
    command("set_random_seed", "N", "set the seed of the player and the start pieces", player::set_random_seed),
    command("showboard", "", "draw the board", game::showboard),
    command("start_piece", "[PIECE]", "print the start piece, or start with another", game::start_piece),
    command("time_per_move", "MS", "set the milliseconds per move, 0 for no limit", player::time_per_move),
    command("undo", "", "take back the last move", game::undo),
    command("version", "", "the version of the program", |_, _| Ok(env!("CARGO_PKG_VERSION").to_owned())),
];

impl GtpCommand {
    /// Returns the command with this name.
    fn named(name: &str) -> Result<&'static Self> {
        let command = COMMANDS.iter().find(|command| command.name == name);
        command.with_context(|| format!("unknown command `{name}`; `help` lists all"))
    }

    /// Its line in the help.
    fn help(&self) -> String {
        format!("{:<28} {}", format!("{} {}", self.name, self.arguments).trim_end(), self.purpose)
    }
}

/// Runs the command of a request.
///
/// # Errors
/// The text of the error is the answer.
pub fn execute(engine: &mut Engine, request: &GtpRequest) -> GtpAnswer {
    ensure!(!request.name.is_empty(), "the command is missing");
    let command = GtpCommand::named(&request.name)?;
    if command.arguments.is_empty() {
        request.arguments().end()?;
    }
    (command.run)(engine, request.arguments())
}

/// Returns the only argument: a colour.
fn only_color(arguments: UnreadArguments) -> Result<Color> {
    arguments.last(COLORS, read_color)
}

/// Returns the only argument: a number, 0 for no limit.
fn only_limit<T: std::str::FromStr + Default + PartialEq>(arguments: UnreadArguments) -> Result<Option<T>> {
    let number: T = arguments.last("a whole number, 0 for no limit", |text| text.parse().ok())?;
    Ok((number != T::default()).then_some(number))
}

/// Returns the error for a request for a move of a colour that is not to move.
fn not_to_move(engine: &Engine, color: Color) -> anyhow::Error {
    anyhow!("{color} is not to move, {} is", engine.game.position().color())
}

fn list_commands(_: &mut Engine, _: UnreadArguments) -> GtpAnswer {
    let names: Vec<&str> = COMMANDS.iter().map(|command| command.name).collect();
    Ok(names.join("\n"))
}

fn help(_: &mut Engine, arguments: UnreadArguments) -> GtpAnswer {
    if arguments.is_empty() {
        let lines: Vec<String> = COMMANDS.iter().map(GtpCommand::help).collect();
        return Ok(lines.join("\n"));
    }
    let name = arguments.last("the name of a command", |text| Some(text.to_owned()))?;
    Ok(GtpCommand::named(&name)?.help())
}

fn known_command(_: &mut Engine, arguments: UnreadArguments) -> GtpAnswer {
    let known = arguments.last("the name of a command", |text| Some(GtpCommand::named(text).is_ok()))?;
    Ok(known.to_string())
}

fn name(engine: &mut Engine, _: UnreadArguments) -> GtpAnswer {
    Ok(format!("{} {}", env!("CARGO_CRATE_NAME"), engine.player.name()))
}

fn quit(engine: &mut Engine, _: UnreadArguments) -> GtpAnswer {
    engine.has_quit = true;
    Ok(String::new())
}

fn cputime(_: &mut Engine, _: UnreadArguments) -> GtpAnswer {
    let time = ProcessTime::try_now().map_err(|error| anyhow!("cannot read the processor time: {error}"))?;
    Ok(format!("{:.6}", time.as_duration().as_secs_f64()))
}
