//! Games as plain text.

use std::fmt;

use game::{Color, Team};

use crate::record::{GameRecord, Side};

/// A game as text, one line per move:
///
/// ```text
/// A mcts plays ONE
/// B random plays TWO
/// start 2027 PENTO_W 0 BYRG - 20/20/…
///   0 BLUE   PENTO_W@0,0
///   4 BLUE   TRIO_I@3,3  12.3 ms  win 0.53  margin +3.2  nodes 1000  depth 4
/// ONE 112 : 108 TWO, A wins
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Transcript<'a> {
    /// The game.
    pub game: &'a GameRecord,
    /// The names of the contestants, A first.
    pub names: [&'a str; 2],
}

impl fmt::Display for Transcript<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { game, names } = self;
        for side in Side::ALL {
            writeln!(f, "{} {} plays {}", side.name(), names[side as usize], game.team(side))?;
        }
        writeln!(f, "start {}", game.start)?;
        for (position, ply) in game.positions().zip(&game.plies) {
            let color: Color = position.color();
            write!(f, "{:>3} {color:<6} {}", position.turn(), ply.mv)?;
            if let Some(choice) = ply.choice {
                write!(f, "  {:.1} ms", choice.time.as_secs_f64() * 1000.0)?;
                if let Some(evaluation) = choice.evaluation {
                    write!(f, "  win {:.2}  margin {:+.1}", evaluation.win, evaluation.margin)?;
                }
                if choice.nodes > 0 {
                    write!(f, "  nodes {}  depth {}", choice.nodes, choice.depth)?;
                }
            }
            writeln!(f)?;
        }
        let end = game.end();
        let [one, two] = Team::ALL.map(|team| end.team_points(team));
        writeln!(f, "ONE {one} : {two} TWO, {}", verdict(game))
    }
}

/// Who won, and why if not by points, for example `B wins (A late: no answer)`.
///
/// ```
/// use arena::record::{Fault, FaultKind, GameRecord, Side};
/// use arena::transcript::verdict;
/// use game::{Position, Rules, Team};
///
/// let start = Position::new(Rules::Classic, None)?;
/// let fault = Some((Side::A, Fault::new(FaultKind::Late, "no answer")));
/// let game = GameRecord { pair: 0, team_of_a: Team::One, start, plies: Vec::new(), fault };
/// assert_eq!(verdict(&game), "B wins (A late: no answer)");
/// # Ok::<(), game::SetupError>(())
/// ```
pub fn verdict(game: &GameRecord) -> String {
    let winner = Side::ALL.into_iter().find(|&side| game.outcome(side) == crate::record::Outcome::Win);
    let winner = winner.map_or("draw".to_owned(), |side| format!("{} wins", side.name()));
    match &game.fault {
        None => winner,
        Some((side, fault)) => format!("{winner} ({} {fault})", side.name()),
    }
}
