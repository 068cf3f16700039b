//! What a long search found in a position.

use std::cmp::Reverse;
use std::fmt;

use game::{Move, Placement, Position};
use player::model::{BookLine, BookMove, distinct_moves};
use player::{FromOptions, Limit, MctsPlayer, Options, Player};
use serde::{Deserialize, Serialize};

use crate::digest::sha256;

/// How many moves are kept of each search.
const KEPT: usize = 20;

/// A position and what a long search found there.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Searched {
    /// The empty board, in our notation.
    pub start: String,
    /// The placements that lead to the position.
    pub placements: Vec<String>,
    /// How many simulations there were.
    pub simulations: u64,
    /// The probability of the team on turn to win.
    pub win: f32,
    /// The points that it expects to be ahead at the end.
    pub margin: f32,
    /// The likeliest moves, best first.
    pub moves: Vec<Alternative>,
}

/// A move and how much a search thought of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Alternative {
    /// The placement.
    pub placement: String,
    /// The part of the simulations that went to it.
    pub share: f32,
}

impl Searched {
    /// Searches the position that some placements lead to, with so many simulations at most, in so many bytes. `None` if
    /// it has no move.
    ///
    /// # Panics
    /// If the placements are not legal.
    pub fn search(start: &Position, placements: &[Placement], nodes: u64, memory: usize) -> Option<Self> {
        let position = placements.iter().fold(*start, |position, &placement| position.after(Move::Place(placement)));
        let options = Options { seed: 1, memory, ..Options::default() };
        let mut player = MctsPlayer::new(&options);
        // Images of one move would share the simulations.
        let report = player.choose(&position, &Limit::nodes(nodes).among(distinct_moves(&position)));
        let evaluation = report.evaluation?;
        let mut visits: Vec<(Placement, u32)> = player.candidates().filter(|&(_, visits)| visits > 0).collect();
        // The move of the report comes first, also if another one has as many visits.
        visits.sort_unstable_by_key(|&(mv, visits)| (Reverse(visits), report.mv != Move::Place(mv), mv));
        let sum: u32 = visits.iter().map(|&(_, visits)| visits).sum();
        let alternative = |&(mv, visits): &(Placement, u32)| Alternative {
            placement: mv.to_string(),
            share: visits as f32 / sum as f32,
        };
        Some(Self {
            start: start.to_string(),
            placements: placements.iter().map(Placement::to_string).collect(),
            simulations: report.nodes,
            win: evaluation.win,
            margin: evaluation.margin,
            moves: visits.iter().take(KEPT).map(alternative).collect(),
        })
    }

    /// The position and its best move, if the texts are such.
    pub fn line(&self) -> Option<BookLine> {
        let best = self.moves.first()?;
        Some(BookLine {
            start: self.start.parse().ok()?,
            placements: self.placements.iter().map(|text| text.parse().ok()).collect::<Option<_>>()?,
            best: BookMove {
                placement: best.placement.parse().ok()?,
                win: self.win,
                margin: self.margin,
                simulations: self.simulations as f32,
                share: best.share,
            },
        })
    }
}

/// What was searched and found, on one line.
impl fmt::Display for Searched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { start, placements, simulations, win, .. } = self;
        // The rules and the start piece, without the empty board.
        let rules: Vec<&str> = start.split(' ').take(2).collect();
        write!(f, "{} after [{}]:", rules.join(" "), placements.join(" "))?;
        if let Some(Alternative { placement, share }) = self.moves.first() {
            write!(f, " {placement}, wins {:.1} %, {:.1} % of", 100.0 * win, 100.0 * share)?;
        }
        write!(f, " {simulations} simulations")
    }
}

/// A name for the position that some placements lead to, for files.
pub fn name(start: &Position, placements: &[Placement]) -> String {
    let texts = [start.to_string()].into_iter().chain(placements.iter().map(Placement::to_string));
    sha256(texts.collect::<Vec<_>>().join(" "))[..16].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Piece, Rules};

    #[test]
    fn a_search_becomes_a_line_of_a_book() {
        let start = Position::new(Rules::Season2027, Some(Piece::PentoX)).unwrap();
        let searched = Searched::search(&start, &[], 200, 4 << 20).unwrap();
        assert!(searched.moves.len() > 1 && searched.moves.is_sorted_by_key(|mv| -mv.share));
        let line = searched.line().unwrap();
        assert_eq!((line.start, line.placements.len()), (start, 0));
        assert!(distinct_moves(&start).contains(&line.best.placement));
        assert!(player::model::Book::new([line]).is_ok());
        let wrong = Searched { placements: vec!["PENTO_X".to_owned()], ..searched };
        assert_eq!(wrong.line(), None);
    }
}
