//! Game data of a report page.

use std::time::Duration;

use ::game::{Cell, Color};
use serde_json::{Value, json};

use crate::games::played::{PlayedGame, Side, Wdl};
use crate::ratings::Interval;

/// A game with all moves. `sides` are the numbers of A and B among the contestants of a tournament. A cell is x + 20 y;
/// `outcome` is 0 (lost), 1 (drawn) or 2 (won) for A; win probabilities and margins are for A, as reported by the player
/// that moved.
pub(super) fn game_report(id: i64, sides: Option<[usize; 2]>, game: &PlayedGame) -> Value {
    let end = game.end();
    let after = game.positions().skip(1);
    let plies = game.positions().zip(after).zip(&game.plies).map(|((before, after), ply)| {
        let color = before.color();
        let evaluation = ply.choice.and_then(|choice| choice.evaluation);
        let evaluation =
            evaluation.map(|own| if game.side(color.team()) == Side::A { own } else { own.of_opponents() });
        json!({
            "turn": before.turn(),
            "color": color as usize,
            "text": ply.mv.to_string(),
            "cells": ply.mv.placement().map(|placement| numbers(placement.cells())).unwrap_or_default(),
            "points": after.points(color),
            "ms": ply.choice.map(|choice| millis(choice.time)),
            "win_of_a": evaluation.map(|own| rounded(own.win, 1e4)),
            "margin_of_a": evaluation.map(|own| rounded(own.margin, 1e2)),
            "nodes": ply.choice.map_or(0, |choice| choice.nodes),
        })
    });
    json!({
        "id": id,
        "sides": sides,
        "pair": game.pair,
        "a_is": game.team(Side::A).name(),
        "points": Side::ALL.map(|side| end.team_points(game.team(side))),
        "outcome": game.outcome(Side::A).map(Wdl::half_points),
        "verdict": game.verdict(),
        "start_piece": game.start.start_piece().map_or("", |piece| piece.name()),
        "start": Color::ALL.map(|color| numbers(game.start.board().covered(color))),
        "plies": plies.collect::<Vec<_>>(),
    })
}

fn numbers(cells: impl IntoIterator<Item = Cell>) -> Vec<usize> {
    cells.into_iter().map(|cell| cell.x() + 20 * cell.y()).collect()
}

/// Rounds a number to `1 / steps`.
fn rounded(number: f32, steps: f64) -> f64 {
    (f64::from(number) * steps).round() / steps
}

/// Milliseconds, to a hundredth.
pub(super) fn millis(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e5).round() / 100.0
}

/// The ends of an interval and the estimate between them; a large number stands for infinity, which JSON does not have.
pub(super) fn ends(interval: &Interval) -> [f64; 3] {
    [interval.low, interval.estimate, interval.high].map(|elo| elo.clamp(-9999.0, 9999.0))
}
