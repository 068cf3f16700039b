//! Killer moves: those that refuted others at the same distance from the root (S. Akl and M. Newborn, The principal
//! continuation and the killer heuristic, 1977).

use game::Move;

use crate::transposition_table::MoveCode;

/// The killer moves of a search, which it tries first in other positions.
///
/// All other moves stay in the order of how likely they are. To sort them by how often they had cut off positions
/// anywhere (history heuristic) saved nodes, but lost games once later moves were searched less deep.
pub struct Killers {
    /// The latest two at each distance from the root; none if they are not wanted.
    of_plies: Option<Vec<[Option<Move>; 2]>>,
}

impl Killers {
    /// None yet; and none ever, unless they are `wanted`.
    pub fn new(wanted: bool) -> Self {
        Self { of_plies: wanted.then(Vec::new) }
    }

    /// Puts the best move of an earlier search first, then killers.
    pub fn sort(&self, moves: &mut [Move], ply: usize, known: Option<MoveCode>) {
        let killers = self.of_plies.as_ref().and_then(|of_plies| of_plies.get(ply)).copied().unwrap_or_default();
        moves.sort_by_key(|&mv| (known != Some(mv.into()), !killers.contains(&Some(mv))));
    }

    /// Remembers that a move was so good that no other had to be searched at this distance from the root.
    pub fn add(&mut self, mv: Move, ply: usize) {
        let Some(of_plies) = &mut self.of_plies else { return };
        if of_plies.len() <= ply {
            of_plies.resize(ply + 1, [None; 2]);
        }
        if of_plies[ply][0] != Some(mv) {
            of_plies[ply] = [Some(mv), of_plies[ply][0]];
        }
    }
}
