//! The extension module `blokus._blokus`: the workspace's crates, as Python sees them.
//!
//! Rules, search and pictures are those of the crates; here names are looked up, errors become exceptions, and the
//! interpreter is left free while something takes long. What users read stands in the docstrings and in
//! `python/blokus/_blokus.pyi`.

mod analysis;
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

/// Blokus as the Software-Challenge Germany plays it.
#[pyo3::pymodule]
mod _blokus {
    #[pymodule_export]
    use crate::analysis::{Analysis, Candidate, MoveReview, Review};
    #[pymodule_export]
    use crate::error::IllegalMove;
    #[pymodule_export]
    use crate::features::{action_count, action_of, hands, legal_mask, move_of, planes};
    #[pymodule_export]
    use crate::licences::licences;
    #[pymodule_export]
    use crate::mv::Move;
    #[pymodule_export]
    use crate::player::{Player, Report};
    #[pymodule_export]
    use crate::position::Position;
    #[pymodule_export]
    use crate::record::{Game, Games, read_games};
    #[pymodule_export]
    use crate::selfplay::{placement_cells, read_positions, rules_names, shape_pieces};
    #[pymodule_export]
    use crate::session::{Outcome, join};
    #[pymodule_export]
    use crate::weights::{read_weights, write_weights};

    #[pymodule_init]
    fn init(_module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        crate::log::start();
        Ok(())
    }
}
