//! The commands.

use std::fmt::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use cpu_time::ProcessTime;
use game::{Color, Move, Piece, Position, Team};
use picture::{Labels, Picture};
use player::{Budget, Level};
use protocol::gtp::{read_color, read_game, read_move, write_color, write_move};
use record::{file, sgf};

use super::board;
use super::engine::{Engine, GAMES};
use super::failure::{COLORS, Failure};
use super::game::Game;
use super::request::{Request, Words};

type Answer = Result<String, Failure>;

/// A command.
struct Command {
    name: &'static str,
    /// What may stand behind the name, for people.
    arguments: &'static str,
    /// What it is for, for people.
    purpose: &'static str,
    run: fn(&mut Engine, Words) -> Answer,
}

/// A command in one line of the table.
const fn command(
    name: &'static str,
    arguments: &'static str,
    purpose: &'static str,
    run: fn(&mut Engine, Words) -> Answer,
) -> Command {
    Command { name, arguments, purpose, run }
}

/// Every command, by name. Most are of the Go Text Protocol; `docs/gtp.md` says more of each.
const COMMANDS: &[Command] = &[
    command("all_legal", "COLOR", "list the placements of a colour", all_legal),
    command("clear_board", "", "begin again with the same rules and start piece", clear_board),
    command("cputime", "", "processor time in seconds", cputime),
    command("evaluation", "", "what the last search expects", evaluation),
    command("final_score", "", "who leads, and by how many points", final_score),
    command("g", "", "choose and make a move for the colour on turn", genmove_on_turn),
    command("genmove", "COLOR", "choose and make a move", genmove),
    command("get_place", "COLOR", "place of a colour by points, 1 the best", place),
    command("get_value", "", "win probability by the last search, 0 to 1", value),
    command("help", "[COMMAND]", "explain a command, or all", help),
    command("known_command", "NAME", "whether there is such a command", known_command),
    command("level", "[1-9]", "tell or set the level, 1 the weakest", level),
    command("list_commands", "", "list the names of all commands", list_commands),
    command("loadsgf", "FILE [N]", "go on with a file of Pentobi (.blksgf)", loadsgf),
    command("name", "", "the program and its player", name),
    command("nodes_per_move", "N", "set the nodes for a move, 0 for no limit", nodes_per_move),
    command("p", "MOVE", "make a move of the colour on turn", play_on_turn),
    command("param", "[NAME [VALUE]]", "tell or set parameters of the player", param),
    command("param_base", "[NAME VALUE]", "illegal moves and resigning: always off", param_base),
    command("play", "COLOR MOVE", "make a move: cells as a1,a2,b2, or pass", play),
    command("position", "[TEXT]", "tell or set the position on one line", position),
    command("principal_variation", "", "the moves that the last search expects", principal_variation),
    command("protocol_version", "", "the version of the Go Text Protocol", protocol_version),
    command("quit", "", "end the program", quit),
    command("reg_genmove", "COLOR", "choose a move and do not make it", reg_genmove),
    command("savesgf", "FILE", "write the game as a file of Pentobi (.blksgf)", savesgf),
    command("search_info", "", "nodes, depth and time of the last search", search_info),
    command("set_game", "NAME", "begin a game: 2021, 2027, Blokus Two-Player, Blokus", set_game),
    command("set_random_seed", "N", "restart the random numbers of the player", set_random_seed),
    command("showboard", "[picture]", "draw the board as Pentobi does, or larger", showboard),
    command("start_piece", "[PIECE]", "tell the start piece, or begin with another", start_piece),
    command("time_per_move", "MS", "set the milliseconds for a move, 0 for no limit", time_per_move),
    command("undo", "", "take the last move back", undo),
    command("version", "", "the version of the program", version),
];

impl Command {
    /// The command of a name.
    fn named(name: &str) -> Result<&'static Self, Failure> {
        COMMANDS.iter().find(|command| command.name == name).ok_or_else(|| Failure::UnknownCommand(name.to_owned()))
    }

    /// Its line in the help.
    fn help(&self) -> String {
        format!("{:<28} {}", format!("{} {}", self.name, self.arguments).trim_end(), self.purpose)
    }
}

/// Does what a request asks for.
///
/// # Errors
/// [`Failure`], whose text is the answer.
pub fn execute(engine: &mut Engine, request: &Request) -> Answer {
    if request.name.is_empty() {
        return Err(Failure::NoCommand);
    }
    (Command::named(&request.name)?.run)(engine, request.arguments())
}

fn color(arguments: &mut Words) -> Result<Color, Failure> {
    let word = arguments.next(COLORS, |text| Some(text.to_owned()))?;
    match read_color(&word) {
        Some(color) => Ok(color),
        None if GO_COLORS.iter().any(|name| word.eq_ignore_ascii_case(name)) => Err(Failure::GoColor(word)),
        None => Err(Failure::Argument { text: word, expected: COLORS }),
    }
}

/// What programs for the game of Go call colours, but for `b`, which is blue here.
const GO_COLORS: [&str; 3] = ["w", "white", "black"];

/// The only argument: a colour.
fn only_color(mut arguments: Words) -> Result<Color, Failure> {
    let color = color(&mut arguments)?;
    arguments.end()?;
    Ok(color)
}

/// The only argument: a number, 0 meaning none.
fn only_limit<T: std::str::FromStr + Default + PartialEq>(mut arguments: Words) -> Result<Option<T>, Failure> {
    let number: T = arguments.next("a number, 0 for no limit", |text| text.parse().ok())?;
    arguments.end()?;
    Ok((number != T::default()).then_some(number))
}

// The engine.

fn list_commands(_: &mut Engine, arguments: Words) -> Answer {
    arguments.end()?;
    let names: Vec<&str> = COMMANDS.iter().map(|command| command.name).collect();
    Ok(names.join("\n"))
}

fn help(_: &mut Engine, mut arguments: Words) -> Answer {
    if arguments.is_empty() {
        let lines: Vec<String> = COMMANDS.iter().map(Command::help).collect();
        return Ok(lines.join("\n"));
    }
    let name = arguments.next("the name of a command", |text| Some(text.to_owned()))?;
    arguments.end()?;
    Ok(Command::named(&name)?.help())
}

fn known_command(_: &mut Engine, mut arguments: Words) -> Answer {
    let known = arguments.next("the name of a command", |text| Some(Command::named(text).is_ok()))?;
    arguments.end()?;
    Ok(known.to_string())
}

fn name(engine: &mut Engine, arguments: Words) -> Answer {
    arguments.end()?;
    Ok(format!("{} {}", env!("CARGO_CRATE_NAME"), engine.player().name()))
}

fn version(_: &mut Engine, arguments: Words) -> Answer {
    arguments.end()?;
    Ok(env!("CARGO_PKG_VERSION").to_owned())
}

fn protocol_version(_: &mut Engine, arguments: Words) -> Answer {
    arguments.end()?;
    Ok("2".to_owned())
}

fn quit(engine: &mut Engine, arguments: Words) -> Answer {
    arguments.end()?;
    engine.quit();
    Ok(String::new())
}

fn cputime(_: &mut Engine, arguments: Words) -> Answer {
    arguments.end()?;
    let time = ProcessTime::try_now()?.as_duration();
    Ok(format!("{:.6}", time.as_secs_f64()))
}

// The game.

fn set_game(engine: &mut Engine, arguments: Words) -> Answer {
    let rules = arguments.rest(GAMES, read_game)?;
    engine.set_rules(rules)?;
    Ok(String::new())
}

fn clear_board(engine: &mut Engine, arguments: Words) -> Answer {
    arguments.end()?;
    let position = engine.game().position();
    let game = Game::new(position.rules(), position.start_piece())?;
    engine.set_game(game);
    Ok(String::new())
}

fn start_piece(engine: &mut Engine, mut arguments: Words) -> Answer {
    let position = engine.game().position();
    if arguments.is_empty() {
        return Ok(position.start_piece().map_or("-", Piece::name).to_owned());
    }
    let rules = position.rules();
    let piece = arguments.next("a piece, for example PENTO_W", |name| name.parse().ok())?;
    arguments.end()?;
    // The same commands should start a game by any rules.
    if rules.start_pieces().is_empty() {
        return Ok(format!("{piece} has no effect, any piece may be first"));
    }
    engine.set_game(Game::new(rules, Some(piece))?);
    Ok(String::new())
}

fn position(engine: &mut Engine, arguments: Words) -> Answer {
    if arguments.is_empty() {
        return Ok(engine.game().position().to_string());
    }
    let position: Position = arguments.rest("a position", |text| Some(text.parse()))??;
    engine.set_game(Game::at(position));
    Ok(String::new())
}

fn play(engine: &mut Engine, mut arguments: Words) -> Answer {
    let color = color(&mut arguments)?;
    play_for(engine, color, arguments)
}

fn play_on_turn(engine: &mut Engine, arguments: Words) -> Answer {
    let color = engine.game().position().color();
    play_for(engine, color, arguments)
}

fn play_for(engine: &mut Engine, color: Color, arguments: Words) -> Answer {
    let mv = arguments.rest("pass or the points of a piece, for example a1,a2,b2", read_move)?;
    engine.game_mut().play(color, mv)?;
    Ok(String::new())
}

fn undo(engine: &mut Engine, arguments: Words) -> Answer {
    arguments.end()?;
    engine.game_mut().undo()?;
    Ok(String::new())
}

fn all_legal(engine: &mut Engine, arguments: Words) -> Answer {
    let color = only_color(arguments)?;
    let position = engine.game().position();
    let may_move = !position.is_over() && position.in_play().contains(color);
    let placements = if may_move { position.board().placements(color) } else { Vec::new() };
    let moves: Vec<String> = placements.into_iter().map(|placement| write_move(placement.into())).collect();
    Ok(moves.join("\n"))
}

fn loadsgf(engine: &mut Engine, mut arguments: Words) -> Answer {
    let path = file_name(&mut arguments)?;
    // The number of the move before which the game stands then, from 1.
    let stop: Option<NonZeroUsize> = match arguments.is_empty() {
        true => None,
        false => Some(arguments.next("the number of a move", |text| text.parse().ok())?),
    };
    arguments.end()?;
    let moves = stop.map(|number| number.get() - 1);
    let game = file::open_main_line(&path, moves).map_err(|error| Failure::Read { file: path, error })?;
    engine.set_game(Game::of_record(&game));
    Ok(String::new())
}

fn savesgf(engine: &mut Engine, mut arguments: Words) -> Answer {
    let path = file_name(&mut arguments)?;
    arguments.end()?;
    let text = sgf::write(&engine.game().record()?);
    file::write(&path, &text).map_err(|error| Failure::Write { file: path, error })?;
    Ok(String::new())
}

fn file_name(arguments: &mut Words) -> Result<PathBuf, Failure> {
    arguments.next("the name of a file", |text| (!text.is_empty()).then(|| text.into()))
}

fn final_score(engine: &mut Engine, arguments: Words) -> Answer {
    arguments.end()?;
    let position = engine.game().position();
    if !position.rules().has_teams() {
        return Ok(Color::ALL.map(|color| position.points(color).to_string()).join(" "));
    }
    Ok(match position.margin(Team::One) {
        0 => "0".to_owned(),
        lead @ 1.. => format!("B+{lead}"),
        lead => format!("W+{}", -lead),
    })
}

fn place(engine: &mut Engine, arguments: Words) -> Answer {
    let color = only_color(arguments)?;
    let position = engine.game().position();
    let points = Color::ALL.map(|color| position.points(color));
    let own = position.points(color);
    let place = 1 + points.iter().filter(|&&points| points > own).count();
    let is_shared = points.iter().filter(|&&points| points == own).count() > 1;
    Ok(format!("{place}{}", if is_shared { " shared" } else { "" }))
}

fn showboard(engine: &mut Engine, mut arguments: Words) -> Answer {
    let game = engine.game();
    if arguments.is_empty() {
        return Ok(format!("\n{}", board::draw(game)));
    }
    arguments.next("picture, or nothing", |text| (text == "picture").then_some(()))?;
    arguments.end()?;
    Ok(format!("\n{}", Picture { last: game.last_move(), labels: Labels::Points, ..Picture::new(game.position()) }))
}

// The player.

fn genmove(engine: &mut Engine, arguments: Words) -> Answer {
    let color = only_color(arguments)?;
    genmove_for(engine, color)
}

fn genmove_on_turn(engine: &mut Engine, arguments: Words) -> Answer {
    arguments.end()?;
    let color = engine.game().position().color();
    genmove_for(engine, color)
}

fn genmove_for(engine: &mut Engine, color: Color) -> Answer {
    let Some(mv) = engine.choose(color)? else { return Ok(write_move(Move::Pass)) };
    engine.game_mut().play(color, mv)?;
    Ok(write_move(mv))
}

fn reg_genmove(engine: &mut Engine, arguments: Words) -> Answer {
    let mv = engine.choose(only_color(arguments)?)?;
    Ok(write_move(mv.unwrap_or(Move::Pass)))
}

fn time_per_move(engine: &mut Engine, arguments: Words) -> Answer {
    let time = only_limit(arguments)?.map(|ms: u32| Duration::from_millis(ms.into()));
    engine.set_budget(Budget { time, ..engine.budget() });
    Ok(String::new())
}

fn level(engine: &mut Engine, mut arguments: Words) -> Answer {
    if arguments.is_empty() {
        return Ok(engine.level().map_or("-".to_owned(), |level| level.number().to_string()));
    }
    let level = arguments.next("a level from 1 to 9", |text| Level::new(text.parse().ok()?))?;
    arguments.end()?;
    engine.set_level(level);
    Ok(String::new())
}

fn nodes_per_move(engine: &mut Engine, arguments: Words) -> Answer {
    let nodes = only_limit(arguments)?;
    engine.set_budget(Budget { nodes, ..engine.budget() });
    Ok(String::new())
}

fn param(engine: &mut Engine, mut arguments: Words) -> Answer {
    let params = engine.player().params();
    if arguments.is_empty() {
        let lines: Vec<String> = params.iter().map(|param| format!("{} {}", param.name, param.value)).collect();
        return Ok(lines.join("\n"));
    }
    // Pentobi calls our parameter `book` so.
    let our_name = |text: &str| Some(if text == "use_book" { "book" } else { text }.to_owned());
    let name = arguments.next("the name of a parameter", our_name)?;
    if arguments.is_empty() {
        let param = params.into_iter().find(|param| param.name == name);
        return Ok(param.ok_or(player::ParamError::Unknown(name))?.value.to_string());
    }
    let value = arguments.next("a value", |text| Some(text.to_owned()))?;
    arguments.end()?;
    engine.set_param(&name, &value)?;
    Ok(String::new())
}

fn param_base(_: &mut Engine, mut arguments: Words) -> Answer {
    if arguments.is_empty() {
        return Ok("accept_illegal 0\nresign 0".to_owned());
    }
    let expected = arguments.next("accept_illegal or resign", |name| match name {
        "accept_illegal" => Some("0, because illegal moves are never accepted"),
        "resign" => Some("0, because this engine never resigns"),
        _ => None,
    })?;
    arguments.next(expected, |value| (value == "0").then_some(()))?;
    arguments.end()?;
    Ok(String::new())
}

fn set_random_seed(engine: &mut Engine, mut arguments: Words) -> Answer {
    let seed = arguments.next("a seed, a whole number from 0", |text| text.parse().ok())?;
    arguments.end()?;
    engine.set_seed(seed)?;
    Ok(String::new())
}

fn value(engine: &mut Engine, arguments: Words) -> Answer {
    arguments.end()?;
    let evaluation = engine.last_search()?.report.evaluation.ok_or(Failure::NoEvaluation)?;
    Ok(format!("{:.4}", evaluation.win))
}

fn evaluation(engine: &mut Engine, arguments: Words) -> Answer {
    arguments.end()?;
    let evaluation = engine.last_search()?.report.evaluation.ok_or(Failure::NoEvaluation)?;
    Ok(format!("win {:.4}\nmargin {:.2}", evaluation.win, evaluation.margin))
}

fn principal_variation(engine: &mut Engine, arguments: Words) -> Answer {
    arguments.end()?;
    let search = engine.last_search()?;
    let mut position = search.position;
    let mut text = String::new();
    for &mv in &search.report.line {
        let color = position.color();
        if position.try_play(mv).is_err() {
            break;
        }
        // Writing to a string cannot fail.
        _ = writeln!(text, "{} {}", write_color(color), write_move(mv));
    }
    Ok(text)
}

fn search_info(engine: &mut Engine, arguments: Words) -> Answer {
    arguments.end()?;
    let search = engine.last_search()?;
    let (nodes, depth, ms) = (search.report.nodes, search.report.depth, search.time.as_millis());
    Ok(format!("nodes {nodes}\ndepth {depth}\nms {ms}"))
}
