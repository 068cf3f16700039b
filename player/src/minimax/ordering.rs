//! In which order the candidates are searched.

use game::{Color, Move, Placement};

use crate::table::MoveCode;

/// What a search remembers of moves that refuted others, to try them first elsewhere.
///
/// Killer moves are those that cut off positions at the same distance from the root (S. Akl and
/// M. Newborn, The principal continuation and the killer heuristic, 1977); the history counts all
/// cut-offs of a move wherever they happened (J. Schaeffer, The history heuristic, 1983).
pub struct Ordering {
    killers: Option<Vec<[Option<Move>; 2]>>,
    history: Option<Vec<u32>>,
}

impl Ordering {
    pub fn new(killers: bool, history: bool) -> Self {
        Self {
            killers: killers.then(Vec::new),
            history: history.then(|| vec![0; Color::ALL.len() * Placement::INDEX_END]),
        }
    }

    /// Sorts the candidates of a position: the best move of an earlier search, killers, then by
    /// history; candidates that are equal in this stay in their order.
    pub fn sort(&self, moves: &mut [Move], color: Color, ply: usize, known: Option<MoveCode>) {
        let killers = self.killers.as_ref().and_then(|killers| killers.get(ply)).copied().unwrap_or_default();
        moves.sort_by_cached_key(|&mv| {
            let is_known = known == Some(mv.into());
            let is_killer = killers.contains(&Some(mv));
            std::cmp::Reverse((is_known, is_killer, self.history(color, mv)))
        });
    }

    /// Remembers that a move was so good that no other had to be searched to this depth.
    pub fn reward(&mut self, mv: Move, color: Color, ply: usize, depth: u32) {
        if let Some(killers) = &mut self.killers {
            if killers.len() <= ply {
                killers.resize(ply + 1, [None; 2]);
            }
            if killers[ply][0] != Some(mv) {
                killers[ply] = [Some(mv), killers[ply][0]];
            }
        }
        if let (Some(history), Some(at)) = (&mut self.history, history_index(color, mv)) {
            history[at] = history[at].saturating_add(depth * depth);
        }
    }

    fn history(&self, color: Color, mv: Move) -> u32 {
        self.history.as_ref().zip(history_index(color, mv)).map_or(0, |(history, at)| history[at])
    }
}

/// Passes have no history.
fn history_index(color: Color, mv: Move) -> Option<usize> {
    mv.placement().map(|placement| color as usize * Placement::INDEX_END + placement.index())
}
