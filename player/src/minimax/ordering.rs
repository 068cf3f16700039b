//! In which order the candidates are searched.

use game::Move;

use crate::table::MoveCode;

/// What a search remembers of moves that refuted others, to try them first elsewhere: killer moves are those that cut
/// off positions at the same distance from the root (S. Akl and M. Newborn, The principal continuation and the killer
/// heuristic, 1977).
///
/// All others stay in the order of how likely they are. To sort them by how often they had cut off positions anywhere
/// (history heuristic) saved nodes, but lost games once later moves were searched less deep.
pub struct Ordering {
    killers: Option<Vec<[Option<Move>; 2]>>,
}

impl Ordering {
    pub fn new(killers: bool) -> Self {
        Self { killers: killers.then(Vec::new) }
    }

    /// Puts the best move of an earlier search first, then killers.
    pub fn sort(&self, moves: &mut [Move], ply: usize, known: Option<MoveCode>) {
        let killers = self.killers.as_ref().and_then(|killers| killers.get(ply)).copied().unwrap_or_default();
        moves.sort_by_key(|&mv| (known != Some(mv.into()), !killers.contains(&Some(mv))));
    }

    /// Remembers that a move was so good that no other had to be searched at this distance from the root.
    pub fn reward(&mut self, mv: Move, ply: usize) {
        let Some(killers) = &mut self.killers else { return };
        if killers.len() <= ply {
            killers.resize(ply + 1, [None; 2]);
        }
        if killers[ply][0] != Some(mv) {
            killers[ply] = [Some(mv), killers[ply][0]];
        }
    }
}
