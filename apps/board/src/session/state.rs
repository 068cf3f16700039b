//! The state of a game, and the effect of each action.
//!
//! The state follows from the start and the log alone, so undo is exact and storage simple.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use game::{Color, Move, Position, Team};
use record::limits::{MAX_NODES, MAX_PLIES};
use record::{Fault, FaultKind, Game, Node, NodeId, Note, Property};
use serde::{Deserialize, Serialize};

use super::action::{
    Action, HERE, NOT_PAUSED, NOTHING_TO_REDO, NOTHING_TO_UNDO, OVER, PAUSED, PLAYED, TIME_LEFT, TIME_UP, TOO_LONG,
    illegal, no_node,
};
use super::clock::{Clock, TimeControl};
use super::seat::Seats;
use crate::refused::Refused;

/// Maximum length of a comment in bytes.
pub(crate) const MAX_COMMENT: usize = 20_000;

/// Maximum length of all comments of a game in bytes. Each view contains a line of them.
pub(crate) const MAX_COMMENTS: usize = 500_000;

/// Maximum length of a player's name in bytes.
pub(crate) const MAX_NAME: usize = 100;

/// The property of a note with the name of a move, as in SGF.
const LABEL: &str = "N";

/// An entry of the log.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LogEntry {
    pub action: Action,
    /// `true` if a program acted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub engine: bool,
    /// Milliseconds since the start or resumption of the turn, if a clock ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used: Option<u64>,
}

impl LogEntry {
    /// Returns `true` if undo stops at this entry. It skips moves of programs, pauses and names.
    pub fn is_undo_stop(&self) -> bool {
        !self.engine && !matches!(self.action, Action::Pause | Action::Resume | Action::Name { .. })
    }

    /// Returns `true` if the entry starts, interrupts or ends a turn.
    pub fn concerns_turn(&self) -> bool {
        use Action::{Comment, Delete, Label, Name, Promote, Sit};
        let action = &self.action;
        !matches!(action, Comment { .. } | Sit { .. } | Name { .. } | Promote { .. } | Delete { .. } | Label { .. })
    }
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct SessionState {
    pub game: Game,
    /// Deleted nodes, whose successors are hidden, too.
    deleted: BTreeSet<NodeId>,
    /// The promoted successors of nodes.
    promoted: BTreeMap<NodeId, NodeId>,
    /// The current node.
    pub current: NodeId,
    /// Its position.
    pub position: Position,
    pub seats: Seats,
    pub clock: Clock,
    pub is_paused: bool,
}

impl SessionState {
    pub fn new(game: Game, seats: Seats, control: TimeControl) -> Self {
        let current = game.main_line().last().unwrap_or(NodeId::START);
        let position = game.position(current);
        Self {
            game,
            deleted: BTreeSet::new(),
            promoted: BTreeMap::new(),
            current,
            position,
            seats,
            clock: Clock::new(control),
            is_paused: false,
        }
    }

    /// Returns the node with a number.
    pub fn node(&self, number: usize) -> Result<NodeId, Refused> {
        let node = self.game.nodes().nth(number);
        node.filter(|&id| !self.path_to(id).any(|id| self.deleted.contains(&id))).ok_or_else(|| no_node(number))
    }

    /// Returns the node with a number, or the current one if there is none.
    pub fn node_or_current(&self, number: Option<usize>) -> NodeId {
        number.and_then(|number| self.node(number).ok()).unwrap_or(self.current)
    }

    /// Returns the node of a move and its parent.
    fn move_node(&self, number: usize) -> Result<(NodeId, NodeId), Refused> {
        let node = self.node(number)?;
        let parent = self.node_at(node).parent().ok_or_else(|| no_node(number))?;
        Ok((node, parent))
    }

    /// Returns the nodes from a node back to the start.
    pub fn path_to(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(id), |&id| self.node_at(id).parent())
    }

    /// Returns `true` if a node is part of the played game, which ends at the current node.
    pub fn is_played(&self, id: NodeId) -> bool {
        self.path_to(self.current).any(|played| played == id)
    }

    /// Returns the successors of a node: a promoted one first, without deleted ones.
    pub fn children(&self, id: NodeId) -> Vec<NodeId> {
        let children = self.node_at(id).children().iter().copied();
        let mut children: Vec<NodeId> = children.filter(|child| !self.deleted.contains(child)).collect();
        let promoted = self.promoted.get(&id);
        children.sort_by_key(|child| Some(child) != promoted);
        children
    }

    /// Returns `true` if the game has ended by the rules or by a fault.
    pub fn is_over(&self) -> bool {
        self.game.fault.is_some() || self.position.is_over()
    }

    /// Applies an entry. An error changes nothing.
    pub fn apply(&mut self, entry: &LogEntry) -> Result<(), Refused> {
        let used = entry.used.unwrap_or(0);
        match &entry.action {
            Action::Play { mv } => self.play(*mv, entry.used)?,
            Action::Resign { team } => self.end(*team, Fault::new(FaultKind::Resigned, ""))?,
            Action::Forfeit { team, kind, detail } => {
                check_length(detail.len(), MAX_COMMENT)?;
                self.end(*team, Fault::new(*kind, detail))?;
            }
            Action::TimeUp => {
                let team = self.position.color().team();
                if !self.clock.is_over(team, used) {
                    return Err(TIME_LEFT);
                }
                self.end(team, Fault::new(FaultKind::Late, ""))?;
            }
            Action::TakeBack { to } => {
                let to = self.node(*to)?;
                if to == self.current && self.game.fault.is_none() {
                    return Err(HERE);
                }
                self.position = self.game.position(to);
                self.current = to;
                self.game.fault = None;
                self.clock.restart_turn();
            }
            Action::Comment { node, text } => {
                let node = self.node(*node)?;
                check_length(text.len(), MAX_COMMENT)?;
                self.game.note_mut(node).comment.clone_from(text);
            }
            Action::Promote { node } => {
                let (node, parent) = self.move_node(*node)?;
                self.promoted.insert(parent, node);
            }
            Action::Delete { node } => {
                let (node, _) = self.move_node(*node)?;
                if self.is_played(node) {
                    return Err(PLAYED);
                }
                self.deleted.insert(node);
            }
            Action::Label { node, name } => {
                let node = self.node(*node)?;
                check_length(name.len(), MAX_NAME)?;
                let properties = &mut self.game.note_mut(node).properties;
                properties.retain(|property| property.id != LABEL);
                if !name.is_empty() {
                    properties.push(Property { id: LABEL.to_owned(), values: vec![name.clone()] });
                }
            }
            Action::Sit { color, seat } => self.seats[*color] = seat.clone(),
            Action::Name { team, name } => {
                check_length(name.len(), MAX_NAME)?;
                self.game.names[*team as usize].clone_from(name);
            }
            Action::Pause if self.is_paused => return Err(PAUSED),
            Action::Pause => {
                self.clock.interrupt(used);
                self.is_paused = true;
            }
            Action::Resume if !self.is_paused => return Err(NOT_PAUSED),
            Action::Resume => self.is_paused = false,
            // These change the log, not the game.
            Action::Undo => return Err(NOTHING_TO_UNDO),
            Action::Redo => return Err(NOTHING_TO_REDO),
        }
        Ok(())
    }

    /// Checks the total length of comments before one is replaced. Stored games may have more.
    pub fn check_comments(&self, node: usize, text: &str) -> Result<(), Refused> {
        let replaced = self.node_at(self.node(node)?).note.comment.len();
        let length: usize = self.game.nodes().map(|id| self.node_at(id).note.comment.len()).sum();
        check_length(length - replaced + text.len(), MAX_COMMENTS)
    }

    fn play(&mut self, mv: Move, used: Option<u64>) -> Result<(), Refused> {
        if self.is_over() {
            return Err(OVER);
        }
        if self.is_paused {
            return Err(PAUSED);
        }
        self.position.check(mv).map_err(|reason| illegal(mv, reason))?;
        if self.game.node_count() >= MAX_NODES || self.game.path(self.current).len() >= MAX_PLIES {
            return Err(TOO_LONG);
        }
        if !self.clock.end_turn(self.position.color().team(), used.unwrap_or(0)) {
            return Err(TIME_UP);
        }
        let known = self.game.node_count();
        let node = self.game.play(self.current, mv).map_err(|reason| illegal(mv, reason))?;
        self.deleted.remove(&node);
        if self.game.node_count() > known {
            self.game.note_mut(node).time = used.map(Duration::from_millis);
        }
        self.current = node;
        self.position.play(mv);
        Ok(())
    }

    fn end(&mut self, guilty: Team, fault: Fault) -> Result<(), Refused> {
        if self.is_over() {
            return Err(OVER);
        }
        self.game.fault = Some((guilty, fault));
        Ok(())
    }

    /// Returns the line from the start through a node, continued by first children.
    pub fn line_through(&self, node: NodeId) -> Vec<NodeId> {
        let first = |&id: &NodeId| self.children(id).first().copied();
        let mut line: Vec<NodeId> = self.path_to(node).collect();
        line.reverse();
        line.extend(std::iter::successors(first(&node), first));
        line
    }

    pub fn node_at(&self, id: NodeId) -> &Node {
        self.game.node(id)
    }

    /// Returns the game with the line through the current node as its main line. A fault ends it there.
    pub fn record(&self) -> Game {
        let end = self.game.fault.as_ref().map(|_| self.current);
        let line = self.line_through(self.current);
        copied(&self.game, end, |id| {
            let mut children = self.children(id);
            children.sort_by_key(|child| !line.contains(child));
            children
        })
    }

    /// Returns the colour to move, unless the game has ended.
    pub fn on_turn(&self) -> Option<Color> {
        (!self.is_over()).then(|| self.position.color())
    }
}

/// Returns the name of a move.
pub(super) fn label(note: &Note) -> &str {
    let property = note.properties.iter().find(|property| property.id == LABEL);
    property.and_then(|property| property.values.first()).map_or("", String::as_str)
}

/// Copies a game with the given successors of each node. Nothing follows `end`. The numbers of the nodes depend on the
/// tree alone.
pub(super) fn copied(game: &Game, end: Option<NodeId>, children: impl Fn(NodeId) -> Vec<NodeId>) -> Game {
    let mut copy = Game::new(*game.start());
    copy.names.clone_from(&game.names);
    copy.id.clone_from(&game.id);
    copy.fault.clone_from(&game.fault);
    let mut open = vec![(NodeId::START, NodeId::START)];
    while let Some((own, copied)) = open.pop() {
        *copy.note_mut(copied) = game.node(own).note.clone();
        if end == Some(own) {
            continue;
        }
        for child in children(own) {
            let mv = game.node(child).mv().map(|mv| copy.play(copied, mv));
            // Moves of the game are legal in its copy.
            if let Some(Ok(copied_child)) = mv {
                open.push((child, copied_child));
            }
        }
    }
    copy
}

fn check_length(length: usize, max_bytes: usize) -> Result<(), Refused> {
    if length <= max_bytes {
        return Ok(());
    }
    Err(Refused::new("text_too_long", format!("the text has more than {max_bytes} bytes")))
}
