//! The extension module `blokus._blokus`: the workspace's crates, as Python sees them.
//!
//! The crates do the work; this module looks up names, converts errors to exceptions, and releases the interpreter during
//! long calls. The types are in `python/blokus/_blokus.pyi`.

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

/// Fails to compile for a class that Python would align wrongly: it aligns objects for words only, so a class keeps
/// bitboards in a box.
const fn check_alignment<T>() {
    assert!(align_of::<T>() <= align_of::<usize>());
}

const _: () = {
    check_alignment::<analysis::Analysis>();
    check_alignment::<analysis::Candidate>();
    check_alignment::<analysis::MoveReview>();
    check_alignment::<analysis::Review>();
    check_alignment::<batch::Batch>();
    check_alignment::<mv::Move>();
    check_alignment::<player::Player>();
    check_alignment::<player::Report>();
    check_alignment::<position::Position>();
    check_alignment::<record::Game>();
    check_alignment::<record::Games>();
    check_alignment::<session::Outcome>();
};

/// Blokus as the Software-Challenge Germany plays it.
#[pyo3::pymodule]
mod _blokus {
    #[pymodule_export]
    use crate::analysis::{Analysis, Candidate, MoveReview, Review};
    #[pymodule_export]
    use crate::batch::Batch;
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
