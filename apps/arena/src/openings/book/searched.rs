//! Results of long searches.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt;

use game::Placement;
use player::mcts::Params;
use player::model::{BookLine, BookMove, representative};
use player::{MctsPlayer, Options, Player, SearchLimits};
use serde::{Deserialize, Serialize};

use super::line::OpeningLine;

/// Maximum number of moves stored per search: all first placements, at most 68 without symmetric copies.
const KEPT: usize = 100;

/// A position with the result of a long search.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Searched {
    /// The moves to the position.
    #[serde(flatten)]
    pub line: OpeningLine,
    /// Number of simulations.
    pub simulations: u64,
    /// Win probability of the team to move.
    pub win: f32,
    /// Its expected margin at the end.
    pub margin: f32,
    /// The likeliest moves, best first.
    pub moves: Vec<Alternative>,
}

/// A move with its share of a search.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Alternative {
    /// The placement.
    pub placement: Placement,
    /// Share of the simulations.
    pub share: f32,
}

impl Searched {
    /// Searches the position after a line by at most `nodes` simulations in `memory` bytes; `None` if it has no move.
    pub fn search(line: &OpeningLine, nodes: u64, memory: usize) -> Option<Self> {
        let position = line.position();
        let options = Options { seed: 1, memory, ..Options::default() };
        // No later search begins with its tree.
        let mut params = Params::default();
        (params.book, params.early_stop) = (false, true);
        let mut player = MctsPlayer::with_params(&options, params);
        let report = player.choose(&position, &SearchLimits::nodes(nodes));
        let evaluation = report.evaluation?;
        let best = report.mv.placement().map(|placement| representative(&position, placement));
        // In a symmetric position several moves are images of one.
        let mut by_representative = HashMap::new();
        for (placement, visits) in player.candidates().filter(|&(_, visits)| visits > 0) {
            *by_representative.entry(representative(&position, placement)).or_default() += visits;
        }
        let mut visits: Vec<(Placement, u32)> = by_representative.into_iter().collect();
        // The reported move comes first, because the evaluation belongs to it. A move with more images may have more
        // visits.
        visits.sort_unstable_by_key(|&(mv, visits)| (best != Some(mv), Reverse(visits), mv));
        let sum: u32 = visits.iter().map(|&(_, visits)| visits).sum();
        let alternative =
            |&(mv, visits): &(Placement, u32)| Alternative { placement: mv, share: visits as f32 / sum as f32 };
        Some(Self {
            line: line.clone(),
            simulations: report.nodes,
            win: evaluation.win,
            margin: evaluation.margin,
            moves: visits.iter().take(KEPT).map(alternative).collect(),
        })
    }

    /// Returns the lines extended by each legal move, best first.
    pub fn next(&self) -> impl Iterator<Item = OpeningLine> {
        self.moves.iter().filter_map(|mv| self.line.and(mv.placement).ok())
    }

    /// Returns the position and its best move, if there is one.
    pub fn book_line(&self) -> Option<BookLine> {
        let best = self.moves.first()?;
        Some(BookLine {
            start: *self.line.start(),
            placements: self.line.placements().to_vec(),
            best: BookMove {
                placement: best.placement,
                win: self.win,
                margin: self.margin,
                simulations: self.simulations as f32,
                share: best.share,
            },
        })
    }
}

/// The position and its result on one line.
impl fmt::Display for Searched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, simulations, win, .. } = self;
        let (start, placements) = (line.start().to_string(), line.placements().iter().map(Placement::to_string));
        // The rules and the start piece, without the empty board.
        let rules: Vec<&str> = start.split(' ').take(2).collect();
        write!(f, "{} after [{}]:", rules.join(" "), placements.collect::<Vec<_>>().join(" "))?;
        if let Some(Alternative { placement, share }) = self.moves.first() {
            write!(f, " {placement}, wins {:.1} %, {:.1} % of", 100.0 * win, 100.0 * share)?;
        }
        write!(f, " {simulations} simulations")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use game::{Piece, Position, Rules};

    use super::*;

    #[test]
    fn images_of_a_move_share_a_line() {
        let start = Position::new(Rules::Season2027, Some(Piece::PentoX)).unwrap();
        let searched = Searched::search(&OpeningLine::of(start), 2000, 16 << 20).unwrap();
        let placements: BTreeSet<Placement> = searched.moves.iter().map(|mv| mv.placement).collect();
        assert!(placements.len() > 1 && placements.len() == searched.moves.len(), "{searched:?}");
        assert!(placements.into_iter().all(|placement| representative(&start, placement) == placement));
        let sum: f32 = searched.moves.iter().map(|mv| mv.share).sum();
        assert!((sum - 1.0).abs() < 1e-4, "{sum}");
    }
}
