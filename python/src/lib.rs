//! The extension module `blokus._blokus`: the workspace's crates, as Python sees them.
//!
//! The crates do the work; this module looks up names, converts errors to exceptions, and releases the interpreter
//! during long calls. The types are in `python/blokus/_blokus.pyi`.

mod analysis;
mod batch;
mod error;
mod features;
mod licences;
mod log;
mod mv;
mod player;
mod position;
mod record;
mod selfplay;
mod session;
mod weights;
mod work;

type Classes = (
    analysis::Analysis,
    analysis::Candidate,
    analysis::MoveReview,
    analysis::Review,
    batch::Batch,
    mv::Move,
    player::Player,
    player::Report,
    position::Position,
    record::Game,
    record::Games,
    session::Outcome,
);

// Python aligns objects for words only, so a class keeps bitboards in a box.
const _: () = assert!(align_of::<Classes>() <= align_of::<usize>());

/// Blokus as the Software-Challenge Germany plays it.
#[pyo3::pymodule]
mod _blokus {
    #[pymodule_export]
    use crate::{
        analysis::{Analysis, Candidate, MoveReview, Review},
        batch::Batch,
        error::IllegalMove,
        features::{action_count, action_of, legal_mask, move_of, planes, remaining_pieces},
        licences::licences,
        log::logged,
        mv::Move,
        player::{Player, Report},
        position::Position,
        record::{Game, Games, read_games},
        selfplay::{placement_cells, read_positions, rules_names, shape_pieces},
        session::{Outcome, join},
        weights::{policy_output, read_weights, value_input_names, value_inputs, write_weights},
    };

    #[pymodule_init]
    fn init(_module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        crate::log::start();
        Ok(())
    }
}
