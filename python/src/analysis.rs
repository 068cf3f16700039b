//! Analysis of positions and games by the strongest player.

use std::sync::atomic::Ordering;

use board::engine::SearchEngine;
use board::session::{Insight, Mark, Review as SessionReview, Seats, Session, TimeControl};
use board::study::study;
use game::{Color, Team};
use pyo3::prelude::*;

use crate::error::value_error;
use crate::mv::Move;
use crate::player::{bytes, seconds};
use crate::work::interruptible;

/// A candidate move of an analysis.
#[pyclass(frozen, module = "blokus")]
#[derive(Clone)]
pub struct Candidate(board::session::Candidate);

#[pymethods]
impl Candidate {
    /// The move.
    #[getter]
    fn mv(&self) -> Move {
        Move(self.0.mv)
    }

    /// Share of the search, 0 to 1.
    #[getter]
    fn share(&self) -> f32 {
        self.0.share
    }

    /// Win probability of the team on turn with this move (a draw counts half), 0 to 1; None without a search of its own.
    #[getter]
    fn win(&self) -> Option<f32> {
        self.0.win
    }

    fn __repr__(&self) -> String {
        let win = self.0.win.map_or_else(String::new, |win| format!(", win {win:.3}"));
        format!("<Candidate {}, share {:.2}{win}>", self.0.mv, self.0.share)
    }
}

/// Analysis of a position, from the view of the team on turn.
#[pyclass(frozen, module = "blokus")]
pub struct Analysis {
    insight: Insight,
    team: Team,
}

#[pymethods]
impl Analysis {
    /// Win probability of the team on turn (a draw counts half), 0 to 1.
    #[getter]
    fn win(&self) -> f32 {
        self.insight.win_of(self.team)
    }

    /// Expected final lead of the team on turn in points.
    #[getter]
    fn margin(&self) -> f32 {
        self.insight.margin_of(self.team)
    }

    /// Expected moves, the best one first; empty if the game is over.
    #[getter]
    fn line(&self) -> Vec<Move> {
        self.insight.line.iter().copied().map(Move).collect()
    }

    /// The most searched moves, at most three, the best one first.
    #[getter]
    fn candidates(&self) -> Vec<Candidate> {
        self.insight.candidates.iter().cloned().map(Candidate).collect()
    }

    /// Nodes visited.
    #[getter]
    fn nodes(&self) -> u64 {
        self.insight.nodes
    }

    fn __repr__(&self) -> String {
        let best = self.insight.line.first().map_or_else(|| "the game is over".to_owned(), ToString::to_string);
        format!("<Analysis {best}, win {:.3}, margin {:+.1}, {} nodes>", self.win(), self.margin(), self.insight.nodes)
    }
}

/// Review of one move of a game.
#[pyclass(frozen, module = "blokus")]
#[derive(Clone)]
pub struct MoveReview {
    mv: Move,
    color: Color,
    review: board::session::MoveReview,
}

#[pymethods]
impl MoveReview {
    /// The move.
    #[getter]
    fn mv(&self) -> Move {
        self.mv
    }

    /// The colour that moved.
    #[getter]
    fn color(&self) -> &'static str {
        self.color.name()
    }

    /// Win probability of its team before the move, 0 to 1.
    #[getter]
    fn before(&self) -> f32 {
        self.review.before
    }

    /// Win probability of its team after the move.
    #[getter]
    fn after(&self) -> f32 {
        self.review.after
    }

    /// Points that the move lost, at least 0.
    #[getter]
    fn points(&self) -> f32 {
        self.review.points
    }

    /// `inaccuracy`, `mistake` or `blunder`: the move lost at least 5, 10 or 15 percentage points; else None.
    #[getter]
    fn mark(&self) -> Option<&'static str> {
        self.review.mark.map(|mark| match mark {
            Mark::Inaccuracy => "inaccuracy",
            Mark::Mistake => "mistake",
            Mark::Blunder => "blunder",
        })
    }

    /// Accuracy by lichess's formula, 0 to 100.
    #[getter]
    fn accuracy(&self) -> f32 {
        self.review.accuracy
    }

    /// A better line; empty for a move without a mark.
    #[getter]
    fn better(&self) -> PyResult<Vec<Move>> {
        self.review.better.iter().map(|played| played.mv.parse().map(Move).map_err(value_error)).collect()
    }

    fn __repr__(&self) -> String {
        let mark = self.mark().map_or_else(String::new, |mark| format!(", {mark}"));
        let (before, after) = (self.review.before, self.review.after);
        format!("<MoveReview {} {}, win {before:.3} then {after:.3}{mark}>", self.color, self.mv.0)
    }
}

/// Review of a game.
#[pyclass(frozen, module = "blokus")]
pub struct Review {
    moves: Vec<MoveReview>,
    review: SessionReview,
}

#[pymethods]
impl Review {
    /// The moves in order.
    #[getter]
    fn moves(&self) -> Vec<MoveReview> {
        self.moves.clone()
    }

    /// Accuracy of the teams ONE and TWO, 0 to 100; None for a team without moves.
    #[getter]
    fn accuracy(&self) -> (Option<f32>, Option<f32>) {
        self.review.accuracy.into()
    }

    /// Win probability of team ONE in every position.
    #[getter]
    fn wins(&self) -> Vec<Option<f32>> {
        self.review.graph.iter().map(|values| values.map(|(win, _)| win)).collect()
    }

    fn __repr__(&self) -> String {
        let [one, two] = self.review.accuracy.map(|accuracy| accuracy.map_or("-".to_owned(), |it| format!("{it:.0}")));
        format!("<Review of {} moves, accuracy {one} and {two}>", self.moves.len())
    }
}

/// Analyses a position for `time` seconds with `memory` MiB.
pub fn of_position(py: Python<'_>, position: &game::Position, time: f64, memory: usize) -> PyResult<Analysis> {
    let (time, memory, team) = (seconds(time)?, bytes(memory)?, position.color().team());
    let insight = interruptible(py, |stop| {
        Insight::of_end(position).unwrap_or_else(|| {
            let mut engine = SearchEngine::new(memory);
            let mut search = engine.start_hint(position, time);
            loop {
                let insight = engine.step(&mut search);
                if search.is_done() || stop.load(Ordering::Relaxed) {
                    break insight;
                }
            }
        })
    })?;
    Ok(Analysis { insight, team })
}

/// Analyses each position of a game for `time` seconds.
pub fn of_game(py: Python<'_>, game: &record::Game, time: f64, memory: usize) -> PyResult<Review> {
    let (time, memory) = (seconds(time)?, bytes(memory)?);
    let session = Session::with(game.clone(), Seats::default(), TimeControl::None);
    let review = interruptible(py, |stop| {
        let time = time.as_millis() as u64;
        SessionReview::of(&study(&mut SearchEngine::new(memory), session, time, stop, |_| {}))
    })?;
    let mut position = *game.start();
    let mut moves = Vec::new();
    for (mv, review) in game.moves().zip(&review.moves) {
        moves.push(MoveReview { mv: Move(mv), color: position.color(), review: review.clone() });
        position.play(mv);
    }
    Ok(Review { moves, review })
}
