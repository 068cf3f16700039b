//! A game with its variations.

use game::{Color, IllegalMove, Move, Position, Team};

use crate::error::{Problem, Warning};
use crate::fault::Fault;
use crate::limits::{MAX_NODES, MAX_PLIES};
use crate::note::Note;
use crate::verdict::Verdict;

/// A game: start position, players, moves with notes, and fault.
///
/// The moves are a tree. The first child of a node was played or is preferred; the others are variations. The main line
/// follows first children. All moves are legal.
///
/// ```
/// use game::{Position, Rules};
/// use record::{Game, NodeId, Verdict};
///
/// let mut game = Game::new(Position::new(Rules::Classic, None)?);
/// let played = game.play(NodeId::START, "PENTO_W@0,0".parse()?)?;
/// let variation = game.play(NodeId::START, "MONO@0,0".parse()?)?;
/// game.note_mut(played).comment = "solid".to_owned();
/// assert_eq!(game.node(NodeId::START).children(), [played, variation]);
/// assert_eq!(game.main_line().collect::<Vec<_>>(), [NodeId::START, played]);
/// assert_eq!((game.position(variation).turn(), game.verdict()), (1, Verdict::Unfinished));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    start: Position,
    /// The start first; parents before their children.
    nodes: Vec<Node>,
    /// The names of the players, team one first; empty if unknown.
    pub names: [String; 2],
    /// The name of the game at its source, for example the room of the server; empty if unknown.
    pub id: String,
    /// The fault that ended the main line, and its team.
    pub fault: Option<(Team, Fault)>,
    /// The moves of the file that were dropped. They are not written, and comparisons ignore them.
    pub warnings: Vec<Warning>,
}

/// A place in the tree of a [`Game`].
///
/// ```
/// assert_eq!(record::NodeId::START.index(), 0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(u32);

impl NodeId {
    /// The start of the game, before the first move.
    pub const START: Self = Self(0);

    /// Returns the number of the node: 0 for the start, then in the order of creation.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A move of a [`Game`], or its start.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    edge: Option<Edge>,
    children: Vec<NodeId>,
    /// The note about the move, or about the start.
    pub note: Note,
}

/// The move to a node.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Edge {
    parent: NodeId,
    turn: u16,
    mv: Move,
}

impl Node {
    /// Returns the previous node; `None` at the start.
    pub fn parent(&self) -> Option<NodeId> {
        self.edge.map(|edge| edge.parent)
    }

    /// Returns the move to this node; `None` at the start.
    pub fn mv(&self) -> Option<Move> {
        self.edge.map(|edge| edge.mv)
    }

    /// Returns the turn of that move; `None` at the start.
    pub fn turn(&self) -> Option<u16> {
        self.edge.map(|edge| edge.turn)
    }

    /// Returns the colour of that move; `None` at the start.
    pub fn color(&self) -> Option<Color> {
        self.turn().map(Color::from_turn)
    }

    /// Returns the next nodes, the preferred one first.
    pub fn children(&self) -> &[NodeId] {
        &self.children
    }
}

impl Game {
    /// Creates a game without moves.
    pub fn new(start: Position) -> Self {
        let root = Node { edge: None, children: Vec::new(), note: Note::default() };
        let (names, id) = Default::default();
        Self { start, nodes: vec![root], names, id, fault: None, warnings: Vec::new() }
    }

    /// Returns the position at the start.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// Returns the number of nodes, including the start.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Returns all nodes in the order of their numbers.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// Returns a node.
    ///
    /// # Panics
    /// If the node is of another game.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// Returns the note of a node, to change it.
    ///
    /// # Panics
    /// If the node is of another game.
    pub fn note_mut(&mut self, id: NodeId) -> &mut Note {
        &mut self.nodes[id.index()].note
    }

    /// Returns the moves from the start to a node.
    ///
    /// # Panics
    /// If the node is of another game.
    pub fn path(&self, id: NodeId) -> Vec<Move> {
        let edges = std::iter::successors(self.node(id).edge, |edge| self.node(edge.parent).edge);
        let mut moves: Vec<Move> = edges.map(|edge| edge.mv).collect();
        moves.reverse();
        moves
    }

    /// Returns the position of a node. Plays all moves from the start.
    ///
    /// # Panics
    /// If the node is of another game.
    pub fn position(&self, id: NodeId) -> Position {
        self.path(id).into_iter().fold(self.start, Position::after)
    }

    /// Returns the node after this move at `at`. A new move becomes the last variation.
    ///
    /// # Errors
    /// If the move is not legal.
    ///
    /// # Panics
    /// If the node is of another game.
    pub fn play(&mut self, at: NodeId, mv: Move) -> Result<NodeId, IllegalMove> {
        self.cursor(at).play(mv)
    }

    /// Creates a cursor at a node.
    ///
    /// # Panics
    /// If the node is of another game.
    pub fn cursor(&mut self, at: NodeId) -> Cursor<'_> {
        let path = self.path(at);
        let position = path.iter().copied().fold(self.start, Position::after);
        self.cursor_at(Bookmark { node: at, ply: path.len(), position })
    }

    /// Creates a cursor at a place of this game.
    pub(crate) fn cursor_at(&mut self, place: Bookmark) -> Cursor<'_> {
        Cursor { game: self, place }
    }

    /// Returns the nodes of the main line, the start first.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + Clone {
        std::iter::successors(Some(NodeId::START), |&id| self.node(id).children.first().copied())
    }

    /// Returns the moves of the main line.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.main_line().filter_map(|id| self.node(id).mv())
    }

    /// Returns the position at the end of the main line.
    pub fn end(&self) -> Position {
        self.moves().fold(self.start, Position::after)
    }

    /// Returns the verdict on the main line: a fault loses, otherwise points decide after the last move.
    pub fn verdict(&self) -> Verdict {
        let by_fault = self.fault.as_ref().map(|(guilty, _)| Verdict::Won(guilty.opponent()));
        by_fault.unwrap_or_else(|| Verdict::from_end(&self.end()))
    }

    /// Returns the points of both teams at the end, or of all colours in a game of four players.
    pub(crate) fn points(&self) -> Vec<i32> {
        let end = self.end();
        match end.rules().has_teams() {
            true => Team::ALL.map(|team| end.team_points(team)).into(),
            false => Color::ALL.map(|color| end.points(color)).into(),
        }
    }

    /// Returns all nodes in the order of a file: each followed by its children, the main line first.
    fn preorder(&self) -> impl Iterator<Item = &Node> {
        let mut open = vec![NodeId::START];
        std::iter::from_fn(move || {
            let node = self.node(open.pop()?);
            open.extend(node.children.iter().rev());
            Some(node)
        })
    }
}

/// Games are equal if their contents are, regardless of the order of creation.
impl PartialEq for Game {
    fn eq(&self, other: &Self) -> bool {
        let header = |game: &Self| (game.start, game.names.clone(), game.id.clone(), game.fault.clone());
        let content = |node: &Node| (node.mv(), node.children.len(), node.note.clone());
        header(self) == header(other) && self.preorder().map(content).eq(other.preorder().map(content))
    }
}

/// A place in a game. Caches its position, which makes [`play`](Self::play) fast.
///
/// ```
/// use game::{Position, Rules};
/// use record::{Game, NodeId};
///
/// let mut game = Game::new(Position::new(Rules::Classic, None)?);
/// let mut cursor = game.cursor(NodeId::START);
/// cursor.play("PENTO_W@0,0".parse()?)?;
/// cursor.play("MONO@19,0".parse()?)?;
/// assert_eq!((cursor.position().turn(), game.moves().count()), (2, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Cursor<'a> {
    game: &'a mut Game,
    place: Bookmark,
}

/// A saved place of a [`Cursor`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bookmark {
    node: NodeId,
    /// Moves since the start.
    ply: usize,
    position: Position,
}

impl Bookmark {
    pub(crate) fn position(&self) -> &Position {
        &self.position
    }
}

impl Cursor<'_> {
    /// Returns the node.
    pub fn node(&self) -> NodeId {
        self.place.node
    }

    /// Returns the position of the node.
    pub fn position(&self) -> &Position {
        &self.place.position
    }

    /// Returns the game, to change it.
    ///
    /// # Panics
    /// A later [`play`](Self::play) panics if the game was replaced by a smaller one.
    pub fn game_mut(&mut self) -> &mut Game {
        self.game
    }

    /// Plays a move. A new one becomes the last variation.
    ///
    /// # Errors
    /// If the move is not legal; then nothing changes.
    pub fn play(&mut self, mv: Move) -> Result<NodeId, IllegalMove> {
        let Bookmark { node: parent, ply, position } = &mut self.place;
        let nodes = &mut self.game.nodes;
        let mut children = nodes[parent.index()].children.iter().copied();
        let node = match children.find(|child| nodes[child.index()].mv() == Some(mv)) {
            Some(known) => known,
            None => {
                position.check(mv)?;
                let new = NodeId(nodes.len() as u32);
                nodes[parent.index()].children.push(new);
                let edge = Edge { parent: *parent, turn: position.turn(), mv };
                nodes.push(Node { edge: Some(edge), children: Vec::new(), note: Note::default() });
                new
            }
        };
        (*parent, *ply) = (node, *ply + 1);
        position.play(mv);
        Ok(node)
    }

    /// Plays a move of a file, up to the [limits](crate::limits).
    pub(crate) fn play_within_limits(&mut self, mv: Move) -> Result<NodeId, Problem> {
        let color = self.position().color();
        let node = self.play(mv).map_err(|reason| Problem::Illegal { color, mv, reason })?;
        let too_long = self.place.ply > MAX_PLIES || self.game.node_count() > MAX_NODES;
        if too_long { Err(Problem::TooLong) } else { Ok(node) }
    }

    /// Returns the current place.
    pub(crate) fn bookmark(&self) -> Bookmark {
        self.place
    }
}

#[cfg(test)]
mod tests {
    use game::{Piece, Rules, Setup};

    use super::*;
    use crate::fault::FaultKind;

    fn game() -> Game {
        Game::new(Position::new(Rules::Classic, None).unwrap())
    }

    #[test]
    fn keeps_order_of_variations() {
        let mut first = game();
        let main = first.play(NodeId::START, "PENTO_W@0,0".parse().unwrap()).unwrap();
        let other = first.play(NodeId::START, "MONO@0,0".parse().unwrap()).unwrap();
        first.play(other, "MONO@19,0".parse().unwrap()).unwrap();
        let deep = first.play(main, "DOMINO@18,0".parse().unwrap()).unwrap();
        assert_eq!(first.play(NodeId::START, "PENTO_W@0,0".parse().unwrap()), Ok(main), "the move exists");
        assert_eq!(first.main_line().collect::<Vec<_>>(), [NodeId::START, main, deep]);
        assert_eq!((first.node(deep).parent(), first.node_count()), (Some(main), 5));
        assert_eq!(first.node(NodeId::START).children(), [main, other]);

        // The same, made in another order.
        let mut second = game();
        let mut cursor = second.cursor(NodeId::START);
        cursor.play("PENTO_W@0,0".parse().unwrap()).unwrap();
        cursor.play("DOMINO@18,0".parse().unwrap()).unwrap();
        cursor = second.cursor(NodeId::START);
        cursor.play("MONO@0,0".parse().unwrap()).unwrap();
        assert_ne!(first, *cursor.game_mut());
        cursor.play("MONO@19,0".parse().unwrap()).unwrap();
        assert_eq!(first, second);
        second.note_mut(main).comment = "!".to_owned();
        assert_ne!(first, second);
    }

    #[test]
    fn illegal_move_changes_nothing() {
        let mut game = game();
        let before = game.clone();
        assert_eq!(game.play(NodeId::START, Move::Pass), Err(IllegalMove::PassOnFirstMove));
        assert_eq!(game.play(NodeId::START, "MONO@5,5".parse().unwrap()), Err(IllegalMove::NotOnStart));
        assert_eq!(game, before);
    }

    #[test]
    fn only_finished_game_has_winner() {
        let mut game = game();
        game.play(NodeId::START, "PENTO_W@0,0".parse().unwrap()).unwrap();
        assert_eq!(game.verdict(), Verdict::Unfinished, "although blue leads");
        game.fault = Some((Team::One, Fault::new(FaultKind::Late, "")));
        assert_eq!(game.verdict(), Verdict::Won(Team::Two));
        // In season 2021 the game ends after turn 99.
        let late = Position::new(Rules::Season2021, Some(Piece::PentoI)).unwrap();
        let end = |turn| Setup { turn, ..late.setup() }.position().unwrap();
        assert_eq!(Game::new(end(99)).verdict(), Verdict::Unfinished);
        assert_eq!(Game::new(end(100)).verdict(), Verdict::Drawn);
    }
}
