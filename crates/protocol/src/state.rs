//! The state of a game on the wire.

use game::{Bitboard, ByColor, Color, ColorSet, Piece, PieceSet, Position, Setup, SetupError, Team};
use thiserror::Error;

use crate::board::{self, WireBoard};
use crate::element::Element;
use crate::error::{MessageError, attribute, child, number, parse_color, readable, value};
use crate::moves::WireMove;
use crate::official_move::parse_repeated;
use crate::season::Season;

/// The state of a game, complete in itself, which the server sends after every move.
///
/// ```
/// use game::{Piece, Position, Rules};
/// use protocol::{Season, State};
///
/// let position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
/// let state = State::new(Season::Season2027, position, None, ["", ""]);
/// assert!(state.inconsistencies(None).is_empty());
/// # Ok::<(), game::SetupError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// The season of the written form.
    pub season: Season,
    /// The position.
    pub position: Position,
    /// The round as it was sent. Do not rely on it: it is wrong in loaded games of season 2027.
    pub round: u16,
    /// The move that led here; `None` also if it cannot be understood, because the position can be played without it.
    pub last_move: Option<WireMove>,
    /// The names of the players, team one first. The server of season 2027 does not send them; a replay can contain
    /// them as attributes, which the official programs ignore. They refuse unknown elements.
    pub names: Option<[String; 2]>,
    /// Errors of unreadable parts, which the position lacks.
    pub unreadable: Vec<MessageError>,
}

/// A state that contradicts itself or the state before. The server is always right: log this, do not act on it.
///
/// ```
/// use game::{Piece, Position, Rules};
/// use protocol::Inconsistency;
///
/// let expected = Box::new(Position::new(Rules::Season2027, Some(Piece::PentoW))?);
/// let text = Inconsistency::Position { expected }.to_string();
/// assert!(text.starts_with("the position should be 2027 PENTO_W"));
/// # Ok::<(), game::SetupError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum Inconsistency {
    /// The remaining pieces contradict the board.
    #[error("{color} has the remaining pieces {sent}, but {}", according_to_board(*by_board))]
    RemainingPieces {
        /// The colour.
        color: Color,
        /// The remaining pieces as sent.
        sent: PieceSet,
        /// The remaining pieces according to the board; `None` if its cells are not pieces.
        by_board: Option<PieceSet>,
    },
    /// The last move cannot be made in the position before.
    #[error("the last move {last_move} is illegal ({reason}) in {before}")]
    LastMove {
        /// The last move.
        last_move: WireMove,
        /// Reason why the move is illegal.
        reason: game::IllegalMove,
        /// The position before.
        before: Box<Position>,
    },
    /// The last move leads to another position.
    #[error("the position should be {expected}")]
    Position {
        /// Position after the move.
        expected: Box<Position>,
    },
    /// The colour to move should have been skipped.
    #[error(transparent)]
    Turn(SetupError),
}

fn according_to_board(pieces: Option<PieceSet>) -> String {
    match pieces {
        Some(pieces) => format!("according to the board {pieces}"),
        None => "its cells on the board are not pieces".to_owned(),
    }
}

impl State {
    /// Creates the state of a position reached by a move.
    ///
    /// `names` are the players' names; season 2027 does not send them.
    pub fn new(season: Season, position: Position, last_move: Option<WireMove>, names: [&str; 2]) -> Self {
        let names = (season == Season::Season2021).then(|| names.map(str::to_owned));
        Self { season, position, round: position.round(), last_move, names, unreadable: Vec::new() }
    }

    /// Returns the inconsistencies of the state, also with the position before it if given.
    pub fn inconsistencies(&self, before: Option<&Position>) -> Vec<Inconsistency> {
        let board = self.position.board();
        let mut found: Vec<_> = Color::ALL
            .into_iter()
            .filter_map(|color| {
                let sent = board.remaining_pieces(color);
                let by_board = Setup::remaining_after(color, board.covered(color)).ok();
                (by_board != Some(sent)).then_some(Inconsistency::RemainingPieces { color, sent, by_board })
            })
            .collect();
        found.extend(self.position.check_turn().err().map(Inconsistency::Turn));
        if let (Some(before), Some(last_move)) = (before, self.last_move)
            && before.turn() < self.position.turn()
        {
            found.extend(self.contradiction(*before, last_move));
        }
        found
    }

    /// Returns the position after playing the last move in `before`, if it is legal there and the turns agree.
    pub fn by_last_move(&self, before: &Position) -> Option<Position> {
        let mut position = *before;
        position.play(self.last_move?.check(before).ok()?);
        (position.turn() == self.position.turn()).then_some(position)
    }

    fn contradiction(&self, before: Position, last_move: WireMove) -> Option<Inconsistency> {
        let mut expected = before;
        match last_move.check(&before) {
            Ok(mv) => expected.play(mv),
            Err(reason) => return Some(Inconsistency::LastMove { last_move, reason, before: Box::new(before) }),
        }
        (expected != self.position).then(|| Inconsistency::Position { expected: Box::new(expected) })
    }

    /// Reads `<state>`. Leaves out unreadable pieces and colours; unreadable cells count as covered.
    pub(crate) fn parse(state: &Element, season: Season) -> Result<Self, MessageError> {
        let turn = number(attribute(state, "turn")?)?;
        let mut unreadable = Vec::new();
        let board = WireBoard::parse(child(state, "board")?, &mut unreadable);
        let remaining = parse_remaining_pieces(state, &board.covered, &mut unreadable)?;
        let start_piece = parse_start_piece(state, season, &remaining, &mut unreadable);
        let setup = Setup {
            rules: season.rules(),
            start_piece,
            turn,
            in_play: parse_colors(child(state, "validColors")?, &mut unreadable),
            mono_last: parse_mono_last(state, &mut unreadable),
            covered: board.resolve(&remaining, Color::from_turn(turn), season.rules()),
            remaining_pieces: remaining,
        };
        let name = |player| match season {
            Season::Season2021 => state.find(player)?.attribute("displayName").map(str::to_owned),
            Season::Season2027 => state.attribute(player).map(str::to_owned),
        };
        Ok(Self {
            season,
            position: setup.position()?,
            round: state
                .attribute("round")
                .and_then(|round| readable(number(round), &mut unreadable))
                .unwrap_or(1 + turn / 4),
            last_move: state.find("lastMove").and_then(|last| parse_repeated(last, season)),
            names: name("first").zip(name("second")).map(|(first, second)| [first, second]),
            unreadable,
        })
    }

    /// Returns `<state>`, in the order of its season.
    pub(crate) fn to_element(&self) -> Element {
        let position = &self.position;
        let last_move = self.last_move.map(|mv| mv.to_element("lastMove", self.season));
        let shapes = Color::ALL.map(|color| shapes_element(color, position.board().remaining_pieces(color)));
        let colors = position.in_play().iter().map(|color| Element::new("color").with_text(color));
        let valid_colors = Element::new("validColors").with_children(colors);
        let state = Element::new("state").with("class", "state");
        let start_piece = position.start_piece().map_or("", Piece::name);
        match self.season {
            Season::Season2021 => state
                .with("turn", position.turn())
                .with("round", self.round)
                .with("startPiece", start_piece)
                .with_child(Element::new("startTeam").with("class", "team").with_text(Team::One))
                .with_children(shapes)
                .with_child(valid_colors)
                .with_children(self.players())
                .with_child(board::to_element(position))
                .with_children(last_move)
                .with_child(mono_last(position)),
            Season::Season2027 => state
                .with("startTeam", Team::One)
                .with("turn", position.turn())
                .with("startPiece", start_piece)
                .with("round", self.round)
                .with_optional("first", self.names.as_ref().map(|[first, _]| first))
                .with_optional("second", self.names.as_ref().map(|[_, second]| second))
                .with_children(last_move)
                .with_child(board::to_element(position))
                .with_child(mono_last(position))
                .with_children(shapes)
                .with_child(valid_colors),
        }
    }

    fn players(&self) -> impl Iterator<Item = Element> {
        let players = self.names.iter().flat_map(|names| ["first", "second"].into_iter().zip(names).zip(Team::ALL));
        players.map(|((child, name), team)| {
            let color = Element::new("color").with("class", "team").with_text(team);
            Element::new(child).with("displayName", name).with_child(color)
        })
    }
}

fn shapes_name(color: Color) -> &'static str {
    match color {
        Color::Blue => "blueShapes",
        Color::Yellow => "yellowShapes",
        Color::Red => "redShapes",
        Color::Green => "greenShapes",
    }
}

fn shapes_element(color: Color, remaining: PieceSet) -> Element {
    Element::new(shapes_name(color)).with_children(remaining.iter().map(|piece| Element::new("shape").with_text(piece)))
}

fn parse_piece(text: &str) -> Result<Piece, MessageError> {
    value(text, "piece", |name| name.parse().ok())
}

/// Parses the remaining pieces. If one is unreadable, derives all remaining pieces of its colour from the board.
fn parse_remaining_pieces(
    state: &Element,
    covered: &ByColor<Bitboard>,
    unreadable: &mut Vec<MessageError>,
) -> Result<ByColor<PieceSet>, MessageError> {
    let mut remaining = ByColor::default();
    for color in Color::ALL {
        let errors = unreadable.len();
        let shapes = child(state, shapes_name(color))?.find_all("shape");
        let pieces = shapes.filter_map(|shape| readable(parse_piece(shape.text()), unreadable)).collect();
        let by_board = Some(covered[color]).filter(|_| unreadable.len() > errors);
        remaining[color] = by_board.and_then(|cells| Setup::remaining_after(color, cells).ok()).unwrap_or(pieces);
    }
    Ok(remaining)
}

/// Parses the start piece. If it is unreadable, returns the piece that all colours on the board have in common.
fn parse_start_piece(
    state: &Element,
    season: Season,
    remaining: &ByColor<PieceSet>,
    unreadable: &mut Vec<MessageError>,
) -> Option<Piece> {
    let pieces = season.rules().start_pieces();
    let piece = attribute(state, "startPiece").and_then(parse_piece).and_then(|piece| {
        let error = || MessageError::Value { what: "start piece", text: piece.name().to_owned() };
        if pieces.contains(piece) { Ok(piece) } else { Err(error()) }
    });
    readable(piece, unreadable).or_else(|| {
        let is_placed = |piece: &Piece| {
            Color::ALL.into_iter().all(|color| remaining[color] == PieceSet::ALL || !remaining[color].contains(*piece))
        };
        pieces.iter().find(is_placed)
    })
}

fn parse_colors(element: &Element, unreadable: &mut Vec<MessageError>) -> ColorSet {
    element.find_all("color").filter_map(|color| readable(parse_color(color.text()), unreadable)).collect()
}

/// Returns one entry for every colour that has placed all its pieces; `true` if the monomino was last.
fn mono_last(position: &Position) -> Element {
    let finished = Color::ALL.into_iter().filter(|&color| position.board().remaining_pieces(color).is_empty());
    Element::new("lastMoveMono").with_children(finished.map(|color| {
        Element::new("entry")
            .with_child(Element::new("color").with_text(color))
            .with_child(Element::new("boolean").with_text(position.mono_last().contains(color)))
    }))
}

fn parse_mono_last(state: &Element, unreadable: &mut Vec<MessageError>) -> ColorSet {
    let entries = state.find("lastMoveMono").into_iter().flat_map(|element| element.find_all("entry"));
    entries
        .filter(|entry| entry.field("boolean") == Some("true"))
        .filter_map(|entry| readable(child(entry, "color").and_then(|color| parse_color(color.text())), unreadable))
        .collect()
}
