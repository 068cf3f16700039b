//! Everything that a client draws.

use std::collections::BTreeMap;

use game::{BOARD_SIZE, Bitboard, Cell, Color, Piece, Position, Rules, Team};
use record::{FaultKind, NodeId, Verdict};
use serde::Serialize;

use super::action::By;
use super::encoding::numbers;
use super::insight::Insight;
use super::log::{Millis, Session};
use super::played::PlayedMove;
use super::seat::Seat;
use super::state::{LogEntry, SessionState, label};

/// A session at one of its nodes as somebody sees it. Its JSON has the names of the fields.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct View {
    /// See [`Session::version`].
    pub version: u64,
    /// `2021`, `2027`, `classic` or `classic-4`.
    pub rules: Rules,
    /// The piece that each colour places first, if the rules draw one.
    pub start_piece: Option<Piece>,
    /// The position.
    pub position: Position,
    /// 400 letters, row by row from the top: `B`, `Y`, `R`, `G` or `.`.
    pub board: String,
    /// The number of the shown node.
    pub node: usize,
    /// The number of the current node.
    pub current: usize,
    /// The line through the shown node, from the start.
    pub line: Vec<PlyView>,
    /// The nodes of the line with other moves, and these moves.
    pub variations: BTreeMap<usize, Vec<PlyView>>,
    /// The turn number, from 0.
    pub turn: u16,
    /// The colour to move; `None` when the game is over.
    pub color: Option<Color>,
    /// `true` if the game is over at this node by the rules.
    pub is_over: bool,
    /// `true` if the game has ended at the current node, by the rules or by a fault.
    pub has_ended: bool,
    /// `ONE`, `TWO`, a colour if four play, `drawn` or `unfinished`.
    pub result: Verdict,
    /// The fault that ended the game: team, kind and details, for example `["ONE","resigned",""]`.
    pub fault: Option<(Team, FaultKind, String)>,
    /// `true` if the clock and the programs are paused.
    pub is_paused: bool,
    /// `true` if the viewer may move at this node now.
    pub may_move: bool,
    /// `true` if a program is to move at the current node.
    pub is_engine_on_turn: bool,
    /// `true` if the colour to move may pass.
    pub may_pass: bool,
    /// `true` if an action can be undone.
    pub can_undo: bool,
    /// `true` if an action can be repeated.
    pub can_redo: bool,
    /// The legal placements of the colour to move: for each shape the cells for the upper left of its bounding box.
    pub legal: BTreeMap<String, Vec<u16>>,
    /// The colours, blue first.
    pub colors: Vec<ColorView>,
    /// The teams, one first.
    pub teams: Vec<TeamView>,
    /// The move that led here.
    pub last: Option<PlayedMove>,
    /// The insight into the position.
    pub insight: Option<Insight>,
    /// Its principal variation.
    pub expected: Vec<PlayedMove>,
}

/// A colour in a [`View`].
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ColorView {
    /// The colour.
    pub name: Color,
    /// Its team.
    pub team: Team,
    /// Its player.
    pub seat: Seat,
    /// Its points.
    pub points: i32,
    /// The remaining pieces, the smallest first.
    pub remaining: Vec<Piece>,
    /// `true` if it is still in play.
    pub in_play: bool,
    /// Its next piece must cover one of these cells.
    pub anchors: Vec<u16>,
}

/// A team in a [`View`].
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TeamView {
    /// The team.
    pub name: Team,
    /// Its player's name; may be empty.
    pub player: String,
    /// Its points.
    pub points: i32,
    /// Remaining milliseconds; `None` without a limit.
    pub clock: Option<Millis>,
    /// `true` if its clock runs.
    pub clock_runs: bool,
}

/// A node of a line.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PlyView {
    /// Its number.
    pub node: usize,
    /// The colour that moved; `None` at the start.
    pub color: Option<Color>,
    /// The move; empty at the start.
    #[serde(rename = "move")]
    pub mv: String,
    /// The comment; may be empty.
    pub comment: String,
    /// The name of the move; may be empty.
    pub label: String,
    /// `true` if the move is part of the played game.
    pub is_played: bool,
}

impl View {
    /// Returns the view of a node, or of the current one if there is no such node.
    pub fn of(session: &Session, node: Option<usize>, by: By, now: Millis) -> Self {
        let state = &session.state;
        let node = state.node_or_current(node);
        let position = if node == state.current { state.position } else { state.game.position(node) };
        let color = position.color();
        let is_current = node == state.current;
        let line = state.line_through(node);
        let variations = line.iter().map(|&id| (id.index(), others(state, id, &line)));
        let may_move = is_current && !session.is_over() && !session.is_paused() && is_theirs(session, color, by);
        // The host can take back and continue from here.
        let legal = if may_move || by == By::Host { legal(&position) } else { BTreeMap::new() };
        Self {
            version: session.version(),
            rules: position.rules(),
            start_piece: position.start_piece(),
            position,
            board: letters(&position),
            node: node.index(),
            current: session.current(),
            variations: variations.filter(|(_, others)| !others.is_empty()).collect(),
            line: line.into_iter().map(|id| PlyView::of(state, id)).collect(),
            turn: position.turn(),
            color: (!position.is_over()).then_some(color),
            is_over: position.is_over(),
            has_ended: session.is_over(),
            result: session.verdict(),
            fault: state.game.fault.as_ref().map(|(team, fault)| (*team, fault.kind, fault.detail.clone())),
            is_paused: session.is_paused(),
            may_move,
            is_engine_on_turn: session.engine_on_turn().is_some(),
            may_pass: position.may_pass(),
            can_undo: session.log.iter().any(LogEntry::is_undo_stop),
            can_redo: !session.undone.is_empty(),
            legal,
            colors: Color::ALL.map(|color| ColorView::of(session, &position, color)).into(),
            teams: Team::ALL.map(|team| TeamView::of(session, &position, team, now)).into(),
            last: PlayedMove::of(state.node_at(node)),
            insight: session.insight(&position).cloned(),
            expected: session
                .insight(&position)
                .map(|known| PlayedMove::line(&position, &known.line))
                .unwrap_or_default(),
        }
    }
}

fn is_theirs(session: &Session, color: Color, by: By) -> bool {
    match (session.seat(color), by) {
        (Seat::Person, By::Host) => true,
        (Seat::Guest, By::Guest(colors)) => colors.contains(color),
        _ => false,
    }
}

/// Returns the moves after a node that are not in the line.
fn others(state: &SessionState, id: NodeId, line: &[NodeId]) -> Vec<PlyView> {
    let children = state.children(id).into_iter().filter(|child| !line.contains(child));
    children.map(|child| PlyView::of(state, child)).collect()
}

fn letters(position: &Position) -> String {
    let size = BOARD_SIZE as i32;
    let cells = (0..size * size).filter_map(|i| Cell::new(i % size, i / size));
    cells.map(|cell| position.board().color_at(cell).map_or('.', Color::letter)).collect()
}

fn legal(position: &Position) -> BTreeMap<String, Vec<u16>> {
    let mut all: BTreeMap<String, Vec<u16>> = BTreeMap::new();
    for placement in position.placements() {
        let corner = super::encoding::number(placement.corner());
        all.entry(placement.shape().to_string()).or_default().push(corner);
    }
    all
}

impl PlyView {
    fn of(state: &SessionState, id: NodeId) -> Self {
        let node = state.node_at(id);
        Self {
            node: id.index(),
            color: node.color(),
            mv: node.mv().map(|mv| mv.to_string()).unwrap_or_default(),
            comment: node.note.comment.clone(),
            label: label(&node.note).to_owned(),
            is_played: state.is_played(id),
        }
    }
}

impl ColorView {
    fn of(session: &Session, position: &Position, color: Color) -> Self {
        let board = position.board();
        let in_play = position.in_play().contains(color);
        Self {
            name: color,
            team: color.team(),
            seat: session.seat(color).clone(),
            points: position.points(color),
            remaining: board.remaining_pieces(color).iter().collect(),
            in_play,
            anchors: numbers(if in_play { board.anchors(color) } else { Bitboard::EMPTY }),
        }
    }
}

impl TeamView {
    fn of(session: &Session, position: &Position, team: Team, now: Millis) -> Self {
        let is_on_turn = session.state.on_turn().is_some_and(|color| color.team() == team);
        Self {
            name: team,
            player: session.state.game.names[team as usize].clone(),
            points: position.team_points(team),
            clock: session.time_left(team, now),
            clock_runs: is_on_turn && session.clock_runs(),
        }
    }
}
