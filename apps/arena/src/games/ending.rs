//! End of a game of a match, as a server reports it.

use game::Team;
use server::verdict::{Departure, Ending, Offence};

use record::{Fault, FaultKind};

/// Returns the server's name of the fault that ended a game, and the team at fault.
///
/// ```
/// use record::{Fault, FaultKind};
/// use arena::games::ending;
/// use game::Team;
/// use server::verdict::{Ending, Offence};
///
/// let late = Fault::new(FaultKind::Late, "after 3 s");
/// let fault = Ending::Fault { team: Team::One, offence: Offence::Late };
/// assert_eq!(ending::of_fault(Some((Team::One, &late))), fault);
/// assert_eq!(ending::of_fault(None), Ending::Regular);
/// ```
pub fn of_fault(fault: Option<(Team, &Fault)>) -> Ending {
    let Some((team, Fault { kind, detail })) = fault else { return Ending::Regular };
    let offence = match kind {
        FaultKind::Illegal => Offence::IllegalMove { mistake: detail.clone(), mv: None },
        FaultKind::Late => Offence::Late,
        FaultKind::Left | FaultKind::Resigned => Offence::Left(Departure::LostConnection),
    };
    Ending::Fault { team, offence }
}
