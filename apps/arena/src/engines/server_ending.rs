//! Converts faults to the endings that a game server reports.

use game::Team;
use record::{Fault, FaultKind};
use server::verdict::{DisconnectReason, Ending, RuleBreach};

/// Converts the fault that ended a game; a game without a fault ended regularly.
pub fn of_fault(fault: Option<(Team, &Fault)>) -> Ending {
    let Some((team, Fault { kind, detail })) = fault else { return Ending::Regular };
    let fault = match kind {
        FaultKind::Illegal => RuleBreach::IllegalMove { reason: detail.clone(), mv: None },
        FaultKind::Late => RuleBreach::Late,
        FaultKind::Left | FaultKind::Resigned => RuleBreach::Left(DisconnectReason::LostConnection),
    };
    Ending::Fault { team, fault }
}
