//! The commands about the player.

use std::fmt::Write;
use std::time::Duration;

use anyhow::{Context, Result};
use game::{Color, Move};
use player::{Budget, Level};
use protocol::gtp::{write_color, write_move};

use super::{GtpAnswer, not_to_move, only_color, only_limit};
use crate::gtp::engine::{Engine, LastSearch};
use crate::gtp::request::UnreadArguments;

pub fn genmove(engine: &mut Engine, arguments: UnreadArguments) -> GtpAnswer {
    let color = only_color(arguments)?;
    genmove_for(engine, color)
}

pub fn genmove_on_turn(engine: &mut Engine, _: UnreadArguments) -> GtpAnswer {
    let color = engine.game.position().color();
    genmove_for(engine, color)
}

fn genmove_for(engine: &mut Engine, color: Color) -> GtpAnswer {
    let Some(mv) = choose(engine, color)? else { return Ok(write_move(Move::Pass)) };
    engine.game.play(color, mv)?;
    Ok(write_move(mv))
}

pub fn reg_genmove(engine: &mut Engine, arguments: UnreadArguments) -> GtpAnswer {
    let mv = choose(engine, only_color(arguments)?)?;
    Ok(write_move(mv.unwrap_or(Move::Pass)))
}

fn choose(engine: &mut Engine, color: Color) -> Result<Option<Move>> {
    engine.choose(color).map_err(|_| not_to_move(engine, color))
}

pub fn time_per_move(engine: &mut Engine, arguments: UnreadArguments) -> GtpAnswer {
    let time = only_limit(arguments)?.map(Duration::from_millis);
    engine.set_budget(Budget { time, ..engine.budget });
    Ok(String::new())
}

pub fn level(engine: &mut Engine, arguments: UnreadArguments) -> GtpAnswer {
    if arguments.is_empty() {
        return Ok(engine.level.map_or("-".to_owned(), |level| level.number().to_string()));
    }
    let level = arguments.last("a level from 1 to 9", |text| Level::new(text.parse().ok()?))?;
    engine.set_level(level);
    Ok(String::new())
}

pub fn nodes_per_move(engine: &mut Engine, arguments: UnreadArguments) -> GtpAnswer {
    let nodes = only_limit(arguments)?;
    engine.set_budget(Budget { nodes, ..engine.budget });
    Ok(String::new())
}

pub fn param(engine: &mut Engine, mut arguments: UnreadArguments) -> GtpAnswer {
    let params = engine.player.params();
    if arguments.is_empty() {
        let lines: Vec<String> = params.iter().map(|param| format!("{} {}", param.name, param.value)).collect();
        return Ok(lines.join("\n"));
    }
    // The name in Pentobi.
    let our_name = |text: &str| Some(if text == "use_book" { "book" } else { text }.to_owned());
    let name = arguments.next("the name of a parameter", our_name)?;
    if arguments.is_empty() {
        let param = params.iter().find(|param| param.name == name);
        return Ok(param.ok_or_else(|| player::ParamError::unknown(&name, &params))?.value.to_string());
    }
    let value = arguments.last("a value", |text| Some(text.to_owned()))?;
    engine.set_param(&name, &value)?;
    Ok(String::new())
}

pub fn param_base(_: &mut Engine, mut arguments: UnreadArguments) -> GtpAnswer {
    if arguments.is_empty() {
        return Ok("accept_illegal 0\nresign 0".to_owned());
    }
    let expected = arguments.next("accept_illegal or resign", |name| match name {
        "accept_illegal" => Some("0, because illegal moves are never accepted"),
        "resign" => Some("0, because this engine never resigns"),
        _ => None,
    })?;
    arguments.last(expected, |value| (value == "0").then_some(()))?;
    Ok(String::new())
}

pub fn set_random_seed(engine: &mut Engine, arguments: UnreadArguments) -> GtpAnswer {
    engine.set_seed(arguments.last("a seed, a whole number from 0", |text| text.parse().ok())?);
    Ok(String::new())
}

const NO_EVALUATION: &str = "the last search has no evaluation";

fn last_search(engine: &Engine) -> Result<&LastSearch> {
    engine.last_search().context("no move has been searched in this game")
}

pub fn value(engine: &mut Engine, _: UnreadArguments) -> GtpAnswer {
    let evaluation = last_search(engine)?.report.evaluation.context(NO_EVALUATION)?;
    Ok(format!("{:.4}", evaluation.win))
}

pub fn evaluation(engine: &mut Engine, _: UnreadArguments) -> GtpAnswer {
    let evaluation = last_search(engine)?.report.evaluation.context(NO_EVALUATION)?;
    Ok(format!("win {:.4}\nmargin {:.2}", evaluation.win, evaluation.margin))
}

pub fn principal_variation(engine: &mut Engine, _: UnreadArguments) -> GtpAnswer {
    let search = last_search(engine)?;
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

pub fn search_info(engine: &mut Engine, _: UnreadArguments) -> GtpAnswer {
    let search = last_search(engine)?;
    let (nodes, depth, ms) = (search.report.nodes, search.report.depth, search.time.as_millis());
    Ok(format!("nodes {nodes}\ndepth {depth}\nms {ms}"))
}
