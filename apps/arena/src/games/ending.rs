//! End of a game of a match, as a server reports it.

use game::Team;
use server::verdict::{Departure, Ending, Offence};

use record::{Fault, FaultKind};

/// Returns the server's name of the fault that ended a game, and the team at fault.
pub fn of_fault(fault: Option<(Team, &Fault)>) -> Ending {
    let Some((team, Fault { kind, detail })) = fault else { return Ending::Regular };
    let offence = match kind {
        FaultKind::Illegal => Offence::IllegalMove { mistake: detail.clone(), mv: None },
        FaultKind::Late => Offence::Late,
        FaultKind::Left | FaultKind::Resigned => Offence::Left(Departure::LostConnection),
    };
    Ending::Fault { team, offence }
}
