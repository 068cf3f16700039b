//! Killer moves: refutations at the same distance from the root (S. Akl, M. Newborn, The principal continuation and the
//! killer heuristic, 1977).

use game::Move;

use crate::transposition_table::MoveCode;

/// The killer moves of a search.
///
/// Other moves keep their order by likelihood. The history heuristic saved nodes, but lost games together with late
/// move reductions.
#[derive(Default)]
pub struct Killers {
    /// The latest two at each distance from the root.
    of_plies: Vec<[Option<Move>; 2]>,
}

impl Killers {
    /// Moves the best move of an earlier search to the front, then killers.
    pub fn sort(&self, moves: &mut [Move], ply: usize, known: Option<MoveCode>) {
        let killers = self.of_plies.get(ply).copied().unwrap_or_default();
        moves.sort_by_key(|&mv| (known != Some(mv.into()), !killers.contains(&Some(mv))));
    }

    /// Adds a move that refuted a position at this distance from the root.
    pub fn add(&mut self, mv: Move, ply: usize) {
        let of_plies = &mut self.of_plies;
        if of_plies.len() <= ply {
            of_plies.resize(ply + 1, [None; 2]);
        }
        if of_plies[ply][0] != Some(mv) {
            of_plies[ply] = [Some(mv), of_plies[ply][0]];
        }
    }
}
