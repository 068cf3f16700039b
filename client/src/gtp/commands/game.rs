//! The commands about the game.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use game::{Color, IllegalMove, Piece, Position, Team};
use picture::{Labels, Picture};
use protocol::gtp::{read_color, read_game, read_move, write_move};
use record::file::{self, FileError};
use record::{Game as Record, sgf};

use super::{COLORS, GtpAnswer, not_to_move, only_color};
use crate::gtp::engine::{Engine, GAMES};
use crate::gtp::game::UndoableGame;
use crate::gtp::request::UnreadArguments;

pub fn set_game(engine: &mut Engine, arguments: UnreadArguments) -> GtpAnswer {
    let rules = arguments.rest(GAMES, read_game)?;
    engine.set_rules(rules);
    Ok(String::new())
}

pub fn clear_board(engine: &mut Engine, _: UnreadArguments) -> GtpAnswer {
    let position = engine.game.position();
    let game = UndoableGame::new(position.rules(), position.start_piece())?;
    engine.set_game(game);
    Ok(String::new())
}

pub fn start_piece(engine: &mut Engine, arguments: UnreadArguments) -> GtpAnswer {
    let position = engine.game.position();
    if arguments.is_empty() {
        return Ok(position.start_piece().map_or("-", Piece::name).to_owned());
    }
    let rules = position.rules();
    let piece = arguments.last("a piece, for example PENTO_W", |name| name.parse().ok())?;
    // The same commands start a game by any rules.
    if rules.start_pieces().is_empty() {
        return Ok(format!("{piece} has no effect: any piece may be first"));
    }
    engine.set_game(UndoableGame::new(rules, Some(piece))?);
    Ok(String::new())
}

pub fn position(engine: &mut Engine, arguments: UnreadArguments) -> GtpAnswer {
    if arguments.is_empty() {
        return Ok(engine.game.position().to_string());
    }
    let position: Position = arguments.rest("a position", |text| Some(text.parse()))??;
    engine.set_game(UndoableGame::at(position));
    Ok(String::new())
}

pub fn play(engine: &mut Engine, mut arguments: UnreadArguments) -> GtpAnswer {
    let color = arguments.next(COLORS, read_color)?;
    play_for(engine, color, arguments)
}

pub fn play_on_turn(engine: &mut Engine, arguments: UnreadArguments) -> GtpAnswer {
    let color = engine.game.position().color();
    play_for(engine, color, arguments)
}

fn play_for(engine: &mut Engine, color: Color, arguments: UnreadArguments) -> GtpAnswer {
    let mv = arguments.rest("pass or the points of a piece, for example a1,a2,b2", read_move)?;
    engine.game.play(color, mv).map_err(|reason| match reason {
        IllegalMove::WrongColor => not_to_move(engine, color),
        reason => anyhow!("{color} {}: {reason}", write_move(mv)),
    })?;
    Ok(String::new())
}

pub fn undo(engine: &mut Engine, _: UnreadArguments) -> GtpAnswer {
    engine.game.undo().context("there is no move to undo")?;
    Ok(String::new())
}

pub fn all_legal(engine: &mut Engine, arguments: UnreadArguments) -> GtpAnswer {
    let color = only_color(arguments)?;
    let position = engine.game.position();
    let may_move = !position.is_over() && position.in_play().contains(color);
    let placements = if may_move { position.board().placements(color) } else { Vec::new() };
    let moves: Vec<String> = placements.into_iter().map(|placement| write_move(placement.into())).collect();
    Ok(moves.join("\n"))
}

pub fn loadsgf(engine: &mut Engine, mut arguments: UnreadArguments) -> GtpAnswer {
    let path = arguments.next(FILE, file_name)?;
    // Load the position before this move, counted from 1.
    let stop: Option<NonZeroUsize> = match arguments.is_empty() {
        true => None,
        false => Some(arguments.last("the number of a move", |text| text.parse().ok())?),
    };
    let moves = stop.map_or(usize::MAX, |number| number.get() - 1);
    let game = read_main_line(&path, moves).map_err(|error| anyhow!("{}: {error}", path.display()))?;
    engine.set_game(UndoableGame::of_record(&game, moves));
    Ok(String::new())
}

/// Returns the first game of a file, whose main line must be legal up to the given number of moves.
fn read_main_line(path: &Path, moves: usize) -> Result<Record, FileError> {
    let game = file::open(path)?.next().unwrap_or(Err(FileError::Empty))?;
    match game.warnings.iter().find(|warning| warning.in_main_line) {
        Some(warning) if moves > game.moves().count() => Err(warning.error.clone().into()),
        _ => Ok(game),
    }
}

pub fn savesgf(engine: &mut Engine, arguments: UnreadArguments) -> GtpAnswer {
    let path = arguments.last(FILE, file_name)?;
    let written = file::write(&path, &sgf::write(&engine.game.record()));
    written.map_err(|error| anyhow!("cannot write {}: {error}", path.display()))?;
    Ok(String::new())
}

const FILE: &str = "the name of a file";

fn file_name(text: &str) -> Option<PathBuf> {
    (!text.is_empty()).then(|| text.into())
}

pub fn final_score(engine: &mut Engine, _: UnreadArguments) -> GtpAnswer {
    let position = engine.game.position();
    if !position.rules().has_teams() {
        return Ok(Color::ALL.map(|color| position.points(color).to_string()).join(" "));
    }
    Ok(match position.margin(Team::One) {
        0 => "0".to_owned(),
        lead @ 1.. => format!("B+{lead}"),
        lead => format!("W+{}", -lead),
    })
}

pub fn place(engine: &mut Engine, arguments: UnreadArguments) -> GtpAnswer {
    let color = only_color(arguments)?;
    let position = engine.game.position();
    let points = Color::ALL.map(|color| position.points(color));
    let own = position.points(color);
    let place = 1 + points.iter().filter(|&&points| points > own).count();
    let is_shared = points.iter().filter(|&&points| points == own).count() > 1;
    Ok(format!("{place}{}", if is_shared { " shared" } else { "" }))
}

pub fn showboard(engine: &mut Engine, _: UnreadArguments) -> GtpAnswer {
    let game = &engine.game;
    Ok(format!("\n{}", Picture { last: game.last_move(), labels: Labels::Points, ..Picture::new(game.position()) }))
}
