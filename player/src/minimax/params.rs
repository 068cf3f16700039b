//! The parameters of the minimax player, which can be set by name.

use crate::api::param::params;

params! {
    /// Remember positions in a table.
    table: bool = true in false..=true;
    /// Try moves first that cut off positions at the same distance from the root.
    killers: bool = true in false..=true;
    /// Search later moves with a null window first.
    scout: bool = true in false..=true;
    /// Begin an iteration with a small window (aspiration window) around the value of one before.
    aspiration: bool = true in false..=true;
    /// Whether the search ends in the learnt evaluation, or in the hand-crafted one.
    learnt: bool = true in false..=true;
    /// How many placements are candidates in the position that is asked about.
    root_width: u32 = 30 in 1..=2000;
    /// How many placements are candidates in the positions after it.
    inner_width: u32 = 20 in 1..=2000;
    /// Minimum remaining depth in plies at which the policy network orders the candidates; 0 turns it off.
    policy_depth: u32 = 4 in 0..=250;
    /// How many candidates are searched to the full depth from the start. Later ones are searched a ply less deep first.
    full_depth_moves: u32 = 4 in 1..=2000;
    /// Up to how many plies before the end of its lines the search prunes positions far outside its window; 0: never.
    futility_depth: u32 = 3 in 0..=250;
    /// By how many points for each ply that is left a position must be worse than the window to be pruned.
    futility_margin: f32 = 12.0 in 0.0..=1000.0;
    /// By how many points for each ply that is left a position must be better than the window to be pruned.
    reverse_futility_margin: f32 = 1.5 in 0.0..=1000.0;
    /// Whether endgames are solved.
    endgame: bool = true in false..=true;
}
