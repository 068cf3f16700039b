//! The parameters of the minimax player, which can be set by name.

use crate::param::params;

params! {
    /// Remember positions in a table.
    table: bool = true in false..=true;
    /// Try moves first that cut off positions at the same distance from the root.
    killers: bool = true in false..=true;
    /// Try moves early that cut off positions anywhere.
    history: bool = true in false..=true;
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
    /// Whether endgames are solved.
    endgame: bool = true in false..=true;
}
