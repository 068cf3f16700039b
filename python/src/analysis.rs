//! Analysis of positions and games by the strongest player.

use std::sync::atomic::Ordering;

use board::engine::SearchEngine;
use board::session::{Insight, Review as SessionReview, Seats, Session, TimeControl};
use board::study::study;
use pyo3::prelude::*;

use crate::mv::Move;
use crate::work::{bytes, interruptible, seconds};

/// A candidate move of an analysis.
#[pyclass(frozen, get_all, module = "blokus")]
#[derive(Clone)]
pub struct Candidate {
    /// The move.
    mv: Move,
    /// Share of the search, 0 to 1.
    share: f32,
    /// Win probability of the team with this move (a draw counts half), 0 to 1; None without a search of its own.
    win: Option<f32>,
}

#[pymethods]
impl Candidate {
    fn __repr__(&self) -> String {
        let win = self.win.map_or_else(String::new, |win| format!(", win {win:.3}"));
        format!("<Candidate {}, share {:.2}{win}>", self.mv.0, self.share)
    }
}

/// Analysis of a position, from the view of the team to move.
#[pyclass(frozen, get_all, module = "blokus")]
pub struct Analysis {
    /// Win probability of the team to move (a draw counts half), 0 to 1.
    win: f32,
    /// Expected final lead of the team to move in points.
    margin: f32,
    /// Expected moves, the best one first; empty if the game is over.
    line: Vec<Move>,
    /// The most searched moves, at most three, the best one first.
    candidates: Vec<Candidate>,
    /// Nodes visited.
    nodes: u64,
}

#[pymethods]
impl Analysis {
    fn __repr__(&self) -> String {
        let best = self.line.first().map_or_else(|| "the game is over".to_owned(), |mv| mv.0.to_string());
        format!("<Analysis {best}, win {:.3}, margin {:+.1}, {} nodes>", self.win, self.margin, self.nodes)
    }
}

/// Review of one move of a game.
#[pyclass(frozen, get_all, module = "blokus")]
#[derive(Clone)]
pub struct MoveReview {
    /// The move.
    mv: Move,
    /// The colour that moved.
    color: &'static str,
    /// Win probability of its team before the move, 0 to 1.
    before: f32,
    /// Win probability of its team after the move.
    after: f32,
    /// Points that the move lost, at least 0.
    points: f32,
    /// `inaccuracy`, `mistake` or `blunder`: the move lost at least 5, 10 or 15 percentage points; else None.
    mark: Option<&'static str>,
    /// Accuracy by lichess's formula, 0 to 100.
    accuracy: f32,
    /// A better line; empty for a move without a mark.
    better: Vec<Move>,
}

#[pymethods]
impl MoveReview {
    fn __repr__(&self) -> String {
        let Self { mv, color, before, after, mark, .. } = self;
        let mark = mark.map_or_else(String::new, |mark| format!(", {mark}"));
        format!("<MoveReview {color} {}, win {before:.3} then {after:.3}{mark}>", mv.0)
    }
}

impl MoveReview {
    fn of(mv: game::Move, color: game::Color, review: &board::session::MoveReview) -> Self {
        Self {
            mv: Move(mv),
            color: color.name(),
            before: review.before,
            after: review.after,
            points: review.points,
            mark: review.mark.map(|mark| ["inaccuracy", "mistake", "blunder"][mark as usize]),
            accuracy: review.accuracy,
            better: review.better.iter().map(|played| Move(played.mv)).collect(),
        }
    }
}

/// Review of a game.
#[pyclass(frozen, get_all, module = "blokus")]
pub struct Review {
    /// The moves in order.
    moves: Vec<MoveReview>,
    /// Accuracy of the teams ONE and TWO, 0 to 100; None for a team without moves.
    accuracy: (Option<f32>, Option<f32>),
    /// Win probability of team ONE in every position.
    wins: Vec<Option<f32>>,
}

#[pymethods]
impl Review {
    fn __repr__(&self) -> String {
        let text = |accuracy: Option<f32>| accuracy.map_or("-".to_owned(), |it| format!("{it:.0}"));
        let (one, two) = self.accuracy;
        format!("<Review of {} moves, accuracy {} and {}>", self.moves.len(), text(one), text(two))
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
                if search.is_done || stop.load(Ordering::Relaxed) {
                    break insight;
                }
            }
        })
    })?;
    let candidate = |it: &board::session::CandidateMove| Candidate { mv: Move(it.mv), share: it.share, win: it.win };
    Ok(Analysis {
        win: insight.win_of(team),
        margin: insight.margin_of(team),
        line: insight.line.iter().copied().map(Move).collect(),
        candidates: insight.candidates.iter().map(candidate).collect(),
        nodes: insight.nodes,
    })
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
        moves.push(MoveReview::of(mv, position.color(), review));
        position.play(mv);
    }
    let wins = review.graph.iter().map(|values| values.map(|(win, _)| win)).collect();
    Ok(Review { moves, accuracy: review.accuracy.into(), wins })
}
