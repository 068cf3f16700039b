//! What is known about a game that was played.

use std::time::Duration;

use game::{Move, Position, Team};
use player::Evaluation;
use thiserror::Error;

/// One of the two contestants of a match.
///
/// ```
/// use arena::record::Side;
///
/// assert_eq!((Side::from_name("A"), Side::A.opponent()), (Some(Side::A), Side::B));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Side {
    /// The first; all results are told from its point of view.
    A,
    /// The second.
    B,
}

impl Side {
    /// Both sides.
    pub const ALL: [Self; 2] = [Self::A, Self::B];

    /// `A` or `B`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
        }
    }

    /// The side of a name as written by [`name`](Self::name).
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|side| side.name() == name)
    }

    /// The other side.
    pub const fn opponent(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }
}

/// How a game ended for one side.
///
/// ```
/// use arena::record::Outcome;
///
/// assert_eq!([Outcome::Loss, Outcome::Draw, Outcome::Win].map(Outcome::half_points), [0, 1, 2]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// Lost.
    Loss,
    /// Drawn.
    Draw,
    /// Won.
    Win,
}

impl Outcome {
    /// 0, 1 or 2.
    pub const fn half_points(self) -> usize {
        self as usize
    }
}

/// A move of a game and how it came about.
///
/// ```
/// use arena::record::{Choice, Ply};
/// use game::Move;
///
/// let choice = Choice { time: std::time::Duration::from_millis(12), evaluation: None, nodes: 1000, depth: 4 };
/// let ply = Ply { mv: Move::Pass, choice: Some(choice) };
/// assert!(ply.choice.is_some_and(|choice| choice.depth > 0));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// How it was chosen; `None` for the moves of the opening and of imported games.
    pub choice: Option<Choice>,
}

/// How a contestant chose a move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Choice {
    /// How long it took.
    pub time: Duration,
    /// What the contestant expects, as far as it tells.
    pub evaluation: Option<Evaluation>,
    /// Nodes visited, as far as it tells.
    pub nodes: u64,
    /// Plies looked ahead, as far as it tells.
    pub depth: u32,
}

/// What a contestant must not do.
///
/// ```
/// use arena::record::FaultKind;
///
/// assert_eq!(FaultKind::from_name(FaultKind::Late.name()), Some(FaultKind::Late));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FaultKind {
    /// It made a move that is not legal or that nobody understands.
    Illegal,
    /// It answered too late or not at all.
    Late,
    /// It ended, or its connection did.
    Left,
    /// It gave up.
    Resigned,
}

impl FaultKind {
    const NAMES: [(Self, &str); 4] =
        [(Self::Illegal, "illegal"), (Self::Late, "late"), (Self::Left, "left"), (Self::Resigned, "resigned")];

    /// The kind in one word.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize].1
    }

    /// The kind of a word as written by [`name`](Self::name).
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.into_iter().find(|(_, known)| *known == name).map(|(kind, _)| kind)
    }
}

/// Why a contestant lost before the end of the game.
///
/// ```
/// use arena::record::{Fault, FaultKind};
///
/// assert_eq!(Fault::new(FaultKind::Late, "after 3 s").to_string(), "late: after 3 s");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}: {detail}", kind.name())]
pub struct Fault {
    /// What kind of fault it was.
    pub kind: FaultKind,
    /// What happened.
    pub detail: String,
}

impl Fault {
    /// A fault of a kind.
    pub fn new(kind: FaultKind, detail: impl Into<String>) -> Self {
        Self { kind, detail: detail.into() }
    }
}

/// A finished game.
///
/// ```
/// use arena::record::{Fault, FaultKind, GameRecord, Outcome, Side};
/// use game::{Position, Rules, Team};
///
/// let start = Position::new(Rules::Classic, None)?;
/// let fault = Some((Side::B, Fault::new(FaultKind::Late, "after 3 s")));
/// let game = GameRecord { pair: 0, team_of_a: Team::Two, start, plies: Vec::new(), fault };
/// assert_eq!((game.side(Team::One), game.outcome(Side::A)), (Side::B, Outcome::Win));
/// # Ok::<(), game::SetupError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct GameRecord {
    /// The number of the pair, from 0. Both games of a pair start alike.
    pub pair: u32,
    /// The team that [`Side::A`] played; the other team in the other game of the pair.
    pub team_of_a: Team,
    /// The position at the start, before the opening.
    pub start: Position,
    /// All moves.
    pub plies: Vec<Ply>,
    /// The fault that ended the game and whose it was; `None` if it went to its end.
    pub fault: Option<(Side, Fault)>,
}

impl GameRecord {
    /// The team of a side.
    pub fn team(&self, side: Side) -> Team {
        match side {
            Side::A => self.team_of_a,
            Side::B => self.team_of_a.opponent(),
        }
    }

    /// The side that plays a team.
    pub fn side(&self, team: Team) -> Side {
        if team == self.team_of_a { Side::A } else { Side::B }
    }

    /// All positions: the start, and one after every move.
    pub fn positions(&self) -> impl Iterator<Item = Position> {
        let after = self.plies.iter().scan(self.start, |position, ply| {
            position.play(ply.mv);
            Some(*position)
        });
        std::iter::once(self.start).chain(after)
    }

    /// The position in which the game ended.
    pub fn end(&self) -> Position {
        self.positions().last().unwrap_or(self.start)
    }

    /// Points of the side less those of the other at the end.
    pub fn margin(&self, side: Side) -> i32 {
        self.end().margin(self.team(side))
    }

    /// How the game ended for a side: whoever is at fault has lost, else points decide.
    pub fn outcome(&self, side: Side) -> Outcome {
        match &self.fault {
            Some((guilty, _)) if *guilty == side => Outcome::Loss,
            Some(_) => Outcome::Win,
            None => match self.margin(side) {
                ..0 => Outcome::Loss,
                0 => Outcome::Draw,
                1.. => Outcome::Win,
            },
        }
    }

    /// How often and for how long a side thought.
    pub fn times(&self, side: Side) -> impl Iterator<Item = Duration> {
        self.positions().zip(&self.plies).filter_map(move |(position, ply)| {
            let own = self.side(position.color().team()) == side;
            ply.choice.filter(|_| own).map(|choice| choice.time)
        })
    }
}
