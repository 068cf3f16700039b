//! A played game with its moves, times and evaluations.

use std::cmp::Ordering;
use std::time::Duration;

use game::{Move, Position, Team, printable};
use player::Evaluation;
use record::{Fault, Game, NodeId, Note};

/// Maximum length of the detail of a fault that is shown, in letters: room for the last lines of a program.
const MAX_SHOWN: usize = 500;

/// A game of a match.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GameId {
    /// Number of the pair.
    pub pair: u32,
    /// `true` for the second game of the pair, with the sides swapped.
    pub is_swapped: bool,
}

/// One of the two contestants of a match.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Side {
    /// The first; all results are given from its point of view.
    A,
    /// The second.
    B,
}

impl Side {
    /// Both sides.
    pub const ALL: [Self; 2] = [Self::A, Self::B];

    /// Returns `A` or `B`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
        }
    }

    /// Returns the side of a name as written by [`name`](Self::name).
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|side| side.name() == name)
    }

    /// Returns the other side.
    pub const fn opponent(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }
}

/// A move of a game with its circumstances.
#[derive(Clone, PartialEq, Debug)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// Search data; `None` for moves of the opening.
    pub choice: Option<Choice>,
}

/// Search data of a move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Choice {
    /// Thinking time.
    pub time: Duration,
    /// Evaluation, if the contestant reports it.
    pub evaluation: Option<Evaluation>,
    /// Nodes searched, if reported.
    pub nodes: u64,
    /// Search depth in plies, if reported.
    pub depth: u32,
}

impl Choice {
    fn of_note(note: &Note) -> Option<Self> {
        let evaluation = note.win.zip(note.margin).map(|(win, margin)| Evaluation { win, margin });
        let (nodes, depth) = (note.nodes.unwrap_or(0), note.depth.unwrap_or(0));
        note.time.map(|time| Self { time, evaluation, nodes, depth })
    }

    /// Rounds the values for a file: win probabilities to 0.01 %, margins to 0.01 points, times to 1 µs.
    fn note(self) -> Note {
        let rounded = |number: f32, steps: f32| (number * steps).round() / steps;
        Note {
            win: self.evaluation.map(|evaluation| rounded(evaluation.win, 1e4)),
            margin: self.evaluation.map(|evaluation| rounded(evaluation.margin, 1e2)),
            time: Some(Duration::from_micros(self.time.as_micros() as u64)),
            nodes: Some(self.nodes).filter(|&nodes| nodes > 0),
            depth: Some(self.depth).filter(|&depth| depth > 0),
            ..Note::default()
        }
    }
}

/// A game of a match.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedGame {
    /// The number of the pair, from 0. Both games of a pair start alike.
    pub pair: u32,
    /// The team of [`Side::A`]; the other game of the pair has the other team.
    pub team_of_a: Team,
    /// The position at the start, before the opening.
    pub start: Position,
    /// All moves.
    pub plies: Vec<Ply>,
    /// The fault that ended the game, and the side that committed it.
    pub fault: Option<(Side, Fault)>,
}

impl PlayedGame {
    /// Returns the place of the game in its match.
    pub fn id(&self) -> GameId {
        GameId { pair: self.pair, is_swapped: self.team_of_a == Team::Two }
    }

    /// Returns the team of a side.
    pub fn team(&self, side: Side) -> Team {
        match side {
            Side::A => self.team_of_a,
            Side::B => self.team_of_a.opponent(),
        }
    }

    /// Returns the side that plays a team.
    pub fn side(&self, team: Team) -> Side {
        if team == self.team_of_a { Side::A } else { Side::B }
    }

    /// Returns all positions: the start, and one after every move.
    pub fn positions(&self) -> impl Iterator<Item = Position> {
        let after = self.plies.iter().scan(self.start, |position, ply| {
            position.play(ply.mv);
            Some(*position)
        });
        std::iter::once(self.start).chain(after)
    }

    /// Returns the final position.
    pub fn end(&self) -> Position {
        self.positions().last().unwrap_or(self.start)
    }

    /// Returns the result for a side, [`Ordering::Greater`] for a win: a side with a fault loses, otherwise points
    /// decide. `None` if the game is unfinished.
    pub fn outcome(&self, side: Side) -> Option<Ordering> {
        match self.fault {
            Some((guilty, _)) if guilty == side => Some(Ordering::Less),
            Some(_) => Some(Ordering::Greater),
            None => Some(self.end()).filter(Position::is_over).map(|end| end.margin(self.team(side)).cmp(&0)),
        }
    }

    /// Returns the half points of a side: 0, 1 or 2; `None` if the game is unfinished.
    pub fn half_points(&self, side: Side) -> Option<usize> {
        self.outcome(side).map(|outcome| (outcome as i8 + 1) as usize)
    }

    /// Returns the winner and the fault that decided the game, for example `B wins (A late)`.
    pub fn result(&self) -> String {
        let winner = match self.outcome(Side::A) {
            None => "unfinished",
            Some(Ordering::Less) => "B wins",
            Some(Ordering::Equal) => "draw",
            Some(Ordering::Greater) => "A wins",
        };
        match &self.fault {
            None => winner.to_owned(),
            Some((side, fault)) => format!("{winner} ({} {})", side.name(), fault.kind),
        }
    }

    /// Returns the [`result`](Self::result), and the detail of a fault on one line. That is a quotation: servers speak
    /// German.
    pub fn verdict(&self) -> String {
        match &self.fault {
            Some((_, fault)) if !fault.detail.is_empty() => {
                let mut letters = fault.detail.chars();
                let detail: String = letters.by_ref().take(MAX_SHOWN).collect();
                let end = if letters.next().is_some() { "…" } else { "" };
                format!("{}: `{}{end}`", self.result(), printable(&detail))
            }
            _ => self.result(),
        }
    }

    /// Returns the moves of a side, including the opening.
    pub fn plies_of(&self, side: Side) -> impl Iterator<Item = &Ply> {
        let own = self.positions().zip(&self.plies);
        own.filter(move |(position, _)| self.side(position.color().team()) == side).map(|(_, ply)| ply)
    }

    /// Returns the main line of a game from a file, with team one as [`Side::A`]. Search data of a move is kept if its
    /// time is known.
    pub fn of_game(game: &Game, pair: u32) -> Self {
        let nodes = game.main_line().map(|id| game.node(id));
        let plies =
            nodes.filter_map(|node| Some(Ply { mv: node.mv()?, choice: Choice::of_note(&node.note) })).collect();
        let side = |team| if team == Team::One { Side::A } else { Side::B };
        let fault = game.fault.clone().map(|(team, fault)| (side(team), fault));
        Self { pair, team_of_a: Team::One, start: *game.start(), plies, fault }
    }

    /// Returns the game for a file. `names` are the contestants, A first.
    pub fn to_game(&self, names: [&str; 2]) -> Game {
        let mut game = Game::new(self.start);
        let mut cursor = game.cursor(NodeId::START);
        for ply in &self.plies {
            // The moves were checked when they were made or read.
            let Ok(node) = cursor.play(ply.mv) else { break };
            *cursor.game_mut().note_mut(node) = ply.choice.map(Choice::note).unwrap_or_default();
        }
        game.names = Team::ALL.map(|team| names[self.side(team) as usize].to_owned());
        game.fault = self.fault.clone().map(|(side, fault)| (self.team(side), fault));
        game
    }
}
