//! Faults of matches as endings that a server reports.

use game::Team;
use record::{Fault, FaultKind};
use server::verdict::{self, DisconnectReason, Ending};

/// Converts the fault that ended a game; a game without a fault ended regularly.
pub fn of_fault(fault: Option<(Team, &Fault)>) -> Ending {
    let Some((team, Fault { kind, detail })) = fault else { return Ending::Regular };
    let fault = match kind {
        FaultKind::Illegal => verdict::Fault::IllegalMove { reason: detail.clone(), mv: None },
        FaultKind::Late => verdict::Fault::Late,
        FaultKind::Left | FaultKind::Resigned => verdict::Fault::Left(DisconnectReason::LostConnection),
    };
    Ending::Fault { team, fault }
}
