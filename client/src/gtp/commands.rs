//! The commands.

use std::fmt::Write;
use std::time::Duration;

use cpu_time::ProcessTime;
use game::{Color, Labels, Move, Picture, Piece, Position, Team};
use protocol::gtp::{read_color, read_game, read_move, write_color, write_move};

use super::engine::{Engine, GAMES};
use super::failure::Failure;
use super::game::Game;
use super::request::{Arguments, Request};

type Answer = Result<String, Failure>;
type Command = fn(&mut Engine, Arguments) -> Answer;

/// Every command, by name. Most are of the Go Text Protocol; those that are not are explained in
/// `docs/gtp.md`.
const COMMANDS: &[(&str, Command)] = &[
    ("all_legal", all_legal),
    ("clear_board", clear_board),
    ("cputime", cputime),
    ("evaluation", evaluation),
    ("final_score", final_score),
    ("genmove", genmove),
    ("known_command", known_command),
    ("list_commands", list_commands),
    ("name", name),
    ("nodes_per_move", nodes_per_move),
    ("param", param),
    ("play", play),
    ("position", position),
    ("principal_variation", principal_variation),
    ("protocol_version", protocol_version),
    ("quit", quit),
    ("reg_genmove", reg_genmove),
    ("search_info", search_info),
    ("set_game", set_game),
    ("showboard", showboard),
    ("start_piece", start_piece),
    ("time_per_move", time_per_move),
    ("undo", undo),
    ("version", version),
];

/// Does what a request asks for.
///
/// # Errors
/// [`Failure`], whose text is the answer.
pub fn execute(engine: &mut Engine, request: &Request) -> Answer {
    if request.name.is_empty() {
        return Err(Failure::NoCommand);
    }
    let command = COMMANDS.iter().find(|(name, _)| *name == request.name);
    let (_, command) = command.ok_or_else(|| Failure::UnknownCommand(request.name.clone()))?;
    command(engine, request.arguments())
}

fn color(arguments: &mut Arguments) -> Result<Color, Failure> {
    arguments.next("a colour: 1 to 4, blue, yellow, red or green", read_color)
}

/// The only argument: a colour.
fn only_color(mut arguments: Arguments) -> Result<Color, Failure> {
    let color = color(&mut arguments)?;
    arguments.end()?;
    Ok(color)
}

/// The only argument: a number, 0 meaning none.
fn only_limit<T: std::str::FromStr + Default + PartialEq>(mut arguments: Arguments) -> Result<Option<T>, Failure> {
    let number: T = arguments.next("a number, 0 for no limit", |text| text.parse().ok())?;
    arguments.end()?;
    Ok((number != T::default()).then_some(number))
}

// The engine.

fn list_commands(_: &mut Engine, arguments: Arguments) -> Answer {
    arguments.end()?;
    let names: Vec<&str> = COMMANDS.iter().map(|(name, _)| *name).collect();
    Ok(names.join("\n"))
}

fn known_command(_: &mut Engine, mut arguments: Arguments) -> Answer {
    let is_known = |text: &str| COMMANDS.iter().any(|(name, _)| *name == text);
    let known = arguments.next("the name of a command", |text| Some(is_known(text)))?;
    arguments.end()?;
    Ok(known.to_string())
}

fn name(engine: &mut Engine, arguments: Arguments) -> Answer {
    arguments.end()?;
    Ok(format!("{} {}", env!("CARGO_PKG_NAME"), engine.player().name()))
}

fn version(_: &mut Engine, arguments: Arguments) -> Answer {
    arguments.end()?;
    Ok(env!("CARGO_PKG_VERSION").to_owned())
}

fn protocol_version(_: &mut Engine, arguments: Arguments) -> Answer {
    arguments.end()?;
    Ok("2".to_owned())
}

fn quit(engine: &mut Engine, arguments: Arguments) -> Answer {
    arguments.end()?;
    engine.quit();
    Ok(String::new())
}

fn cputime(_: &mut Engine, arguments: Arguments) -> Answer {
    arguments.end()?;
    let time = ProcessTime::try_now()?.as_duration();
    Ok(format!("{:.6}", time.as_secs_f64()))
}

// The game.

fn set_game(engine: &mut Engine, arguments: Arguments) -> Answer {
    let rules = arguments.rest(GAMES, read_game)?;
    engine.set_rules(rules)?;
    Ok(String::new())
}

fn clear_board(engine: &mut Engine, arguments: Arguments) -> Answer {
    arguments.end()?;
    let position = engine.game().position();
    let game = Game::new(position.rules(), position.start_piece())?;
    engine.set_game(game);
    Ok(String::new())
}

fn start_piece(engine: &mut Engine, mut arguments: Arguments) -> Answer {
    let position = engine.game().position();
    if arguments.is_empty() {
        return Ok(position.start_piece().map_or("-", Piece::name).to_owned());
    }
    let rules = position.rules();
    let piece = arguments.next("a piece, for example PENTO_W", Piece::from_name)?;
    arguments.end()?;
    // The same commands should start a game by any rules.
    if rules.start_pieces().is_empty() {
        return Ok(format!("{piece} has no effect, any piece may be first"));
    }
    engine.set_game(Game::new(rules, Some(piece))?);
    Ok(String::new())
}

fn position(engine: &mut Engine, arguments: Arguments) -> Answer {
    if arguments.is_empty() {
        return Ok(engine.game().position().to_string());
    }
    let position: Position = arguments.rest("a position", |text| Some(text.parse()))??;
    engine.set_game(Game::at(position));
    Ok(String::new())
}

fn play(engine: &mut Engine, mut arguments: Arguments) -> Answer {
    let color = color(&mut arguments)?;
    let mv = arguments.rest("pass or the points of a piece, for example a1,a2,b2", read_move)?;
    engine.game_mut().play(color, mv)?;
    Ok(String::new())
}

fn undo(engine: &mut Engine, arguments: Arguments) -> Answer {
    arguments.end()?;
    engine.game_mut().undo()?;
    Ok(String::new())
}

fn all_legal(engine: &mut Engine, arguments: Arguments) -> Answer {
    let color = only_color(arguments)?;
    let position = engine.game().position();
    let mut placements = Vec::new();
    if !position.is_over() && position.in_play().contains(color) {
        position.board().list_placements(color, &mut placements);
    }
    let moves: Vec<String> = placements.into_iter().map(|placement| write_move(placement.into())).collect();
    Ok(moves.join("\n"))
}

fn final_score(engine: &mut Engine, arguments: Arguments) -> Answer {
    arguments.end()?;
    let position = engine.game().position();
    Ok(match position.margin(Team::One) {
        0 => "0".to_owned(),
        lead @ 1.. => format!("B+{lead}"),
        lead => format!("W+{}", -lead),
    })
}

fn showboard(engine: &mut Engine, arguments: Arguments) -> Answer {
    arguments.end()?;
    Ok(format!("\n{}", Picture { position: engine.game().position(), ansi: false, labels: Labels::Points }))
}

// The player.

fn genmove(engine: &mut Engine, arguments: Arguments) -> Answer {
    let color = only_color(arguments)?;
    let Some(mv) = engine.choose(color)? else { return Ok(write_move(Move::Pass)) };
    engine.game_mut().play(color, mv)?;
    Ok(write_move(mv))
}

fn reg_genmove(engine: &mut Engine, arguments: Arguments) -> Answer {
    let mv = engine.choose(only_color(arguments)?)?;
    Ok(write_move(mv.unwrap_or(Move::Pass)))
}

fn time_per_move(engine: &mut Engine, arguments: Arguments) -> Answer {
    engine.limits.time = only_limit(arguments)?.map(|ms: u32| Duration::from_millis(ms.into()));
    Ok(String::new())
}

fn nodes_per_move(engine: &mut Engine, arguments: Arguments) -> Answer {
    engine.limits.nodes = only_limit(arguments)?;
    Ok(String::new())
}

fn param(engine: &mut Engine, mut arguments: Arguments) -> Answer {
    let params = engine.player().params();
    if arguments.is_empty() {
        let lines: Vec<String> = params.iter().map(|param| format!("{} {}", param.name, param.value)).collect();
        return Ok(lines.join("\n"));
    }
    let name = arguments.next("the name of a parameter", |text| Some(text.to_owned()))?;
    if arguments.is_empty() {
        let param = params.into_iter().find(|param| param.name == name);
        return Ok(param.ok_or(player::ParamError::Unknown(name))?.value.to_string());
    }
    let value = arguments.next("a number", |text| text.parse().ok())?;
    arguments.end()?;
    engine.player_mut().set_param(&name, value)?;
    Ok(String::new())
}

fn evaluation(engine: &mut Engine, arguments: Arguments) -> Answer {
    arguments.end()?;
    let evaluation = engine.search()?.report.evaluation.ok_or(Failure::NoEvaluation)?;
    Ok(format!("win {:.4}\nmargin {:.2}", evaluation.win, evaluation.margin))
}

fn principal_variation(engine: &mut Engine, arguments: Arguments) -> Answer {
    arguments.end()?;
    let search = engine.search()?;
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

fn search_info(engine: &mut Engine, arguments: Arguments) -> Answer {
    arguments.end()?;
    let search = engine.search()?;
    let (nodes, depth, ms) = (search.report.nodes, search.report.depth, search.time.as_millis());
    Ok(format!("nodes {nodes}\ndepth {depth}\nms {ms}"))
}
