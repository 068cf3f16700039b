//! Parameters of the minimax player, set by name.

use crate::api::param::params;

params! {
    /// Maximum number of candidates at the root.
    root_width: u32 = 30 in 1..=2000;
    /// Maximum number of candidates below the root.
    inner_width: u32 = 20 in 1..=2000;
    /// Minimum remaining depth in plies at which the policy network selects the candidates; 0 turns it off.
    policy_depth: u32 = 4 in 0..=250;
    /// Number of candidates searched to the full depth at once. Later ones are searched one ply less deep first (late
    /// move reductions).
    full_depth_moves: u32 = 4 in 1..=2000;
    /// Maximum remaining depth in plies for futility pruning; 0 turns it off.
    futility_depth: u32 = 3 in 0..=250;
    /// Futility margin in points per remaining ply.
    futility_margin: f32 = 12.0 in 0.0..=1000.0;
    /// Reverse futility margin in points per remaining ply.
    reverse_futility_margin: f32 = 1.5 in 0.0..=1000.0;
    /// Solve endgames.
    endgame: bool = true in false..=true;
}
