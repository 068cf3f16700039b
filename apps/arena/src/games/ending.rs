//! Faults of matches as endings that a server reports.

use game::Team;
use record::{Fault, FaultKind};
use server::verdict::{DisconnectReason, Ending, Offence};

/// Converts the fault that ended a game; a game without a fault ended regularly.
pub fn of_fault(fault: Option<(Team, &Fault)>) -> Ending {
    let Some((team, Fault { kind, detail })) = fault else { return Ending::Regular };
    let offence = match kind {
        FaultKind::Illegal => Offence::IllegalMove { mistake: detail.clone(), mv: None },
        FaultKind::Late => Offence::Late,
        FaultKind::Left | FaultKind::Resigned => Offence::Left(DisconnectReason::LostConnection),
    };
    Ending::Fault { team, offence }
}
