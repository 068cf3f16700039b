//! Reading games from Pentobi's files.

use game::{Color, Move, Team};
use protocol::gtp::{read_color, read_move};

use super::names::{GAME, SETUP, is_foreign, value};
use super::setup;
use super::syntax::{Lexer, Token};
use crate::error::{ParseError, Problem};
use crate::fault::{Fault, FaultKind};
use crate::limits::{MOST_NESTED, MOST_NODES};
use crate::note::{Note, Property};
use crate::tree::{Cursor, Game, NodeId, Place};

/// The games of a file, in which there is at least one.
///
/// # Errors
/// [`ParseError`]
///
/// ```
/// use game::{Position, Rules};
/// use record::{Game, NodeId, sgf};
///
/// let mut game = Game::new(Position::new(Rules::Classic, None)?);
/// game.names = ["Ann", "Bob"].map(str::to_owned);
/// game.play(NodeId::START, "DOMINO@0,0".parse()?)?;
/// let text = sgf::write(&game);
/// assert!(text.contains("PB[Ann]") && text.contains(";1[a20,b20]"));
/// assert_eq!(sgf::read(&text)?, [game]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read(text: &str) -> Result<Vec<Game>, ParseError> {
    let mut lexer = Lexer::new(text.trim_start_matches('\u{feff}'));
    let mut games = Vec::new();
    loop {
        let no_game = lexer.expected("( and a game");
        match lexer.token()? {
            Some(Token::Open) => games.push(read_game(&mut lexer)?),
            None if !games.is_empty() => return Ok(games),
            _ => return Err(no_game),
        }
    }
}

/// Reads a game after its first bracket, up to its last.
fn read_game(lexer: &mut Lexer) -> Result<Game, ParseError> {
    let (line, no_root) = (lexer.line(), lexer.expected("; and the first node"));
    let Some(Token::Node(root)) = lexer.token()? else { return Err(no_root) };
    let mut game = read_root(&root).map_err(|problem| problem.at(line))?;
    let mut cursor = game.cursor(NodeId::START);
    let mut open: Vec<Place> = Vec::new();
    let mut count = 1;
    read_node(&root, &mut cursor).map_err(|problem| problem.at(line))?;
    loop {
        let line = lexer.line();
        match lexer.token()? {
            None => return Err(lexer.expected("a ) for every (")),
            Some(Token::Open) if open.len() == MOST_NESTED => return Err(Problem::TooDeep.at(line)),
            Some(Token::Open) => open.push(cursor.place()),
            Some(Token::Close) => match open.pop() {
                Some(place) => cursor.go_back(&place),
                None => return Ok(game),
            },
            Some(Token::Node(properties)) => {
                count += 1;
                if count > MOST_NODES {
                    return Err(Problem::TooLong.at(line));
                }
                let set_up = properties.iter().find(|property| SETUP.contains(&&*property.id));
                let read = match set_up {
                    Some(property) => Err(Problem::SetupLater(property.id.clone())),
                    None => read_node(&properties, &mut cursor),
                };
                read.map_err(|problem| problem.at(line))?;
            }
        }
    }
}

/// The game of a root, without its moves and note.
fn read_root(root: &[Property]) -> Result<Game, Problem> {
    let name = value(root, "GM").ok_or(Problem::OtherGame("a file without GM".to_owned()))?;
    if name != GAME {
        return Err(Problem::OtherGame(game::excerpt(name)));
    }
    if let Some(charset) = value(root, "CA").filter(|charset| !charset.eq_ignore_ascii_case("utf-8")) {
        return Err(Problem::value(format!("CA[{charset}]"), "UTF-8"));
    }
    let mut game = Game::new(setup::read(root)?);
    let text = |id| value(root, id).unwrap_or_default().to_owned();
    (game.names, game.id) = ([text("PB"), text("PW")], text("GN"));
    game.fault = match (value(root, "FAULT"), value(root, "RE")) {
        (Some(text), _) => Some(read_fault(text).ok_or_else(|| {
            Problem::value(format!("FAULT[{text}]"), "ONE or TWO, and illegal, late, left or resigned")
        })?),
        (None, Some(result)) => fault_of_result(result),
        (None, None) => None,
    };
    Ok(game)
}

/// A fault as `ONE late no answer`.
fn read_fault(text: &str) -> Option<(Team, Fault)> {
    let (team, fault) = text.split_once(' ')?;
    let (kind, detail) = fault.split_once(' ').unwrap_or((fault, ""));
    Some((team.parse().ok()?, Fault::new(kind.parse().ok()?, detail)))
}

/// The fault that a result of other programs names, such as `B+R` or `W+Time`.
fn fault_of_result(result: &str) -> Option<(Team, Fault)> {
    let (winner, reason) = result.split_once('+')?;
    let loser = match winner {
        "B" => Team::Two,
        "W" => Team::One,
        _ => return None,
    };
    let kind = match reason {
        "R" | "Resign" => FaultKind::Resigned,
        "T" | "Time" => FaultKind::Late,
        "F" | "Forfeit" => FaultKind::Left,
        _ => return None,
    };
    Some((loser, Fault::new(kind, result)))
}

/// Plays the move of a node, if it has one, and notes what is said about it.
fn read_node(properties: &[Property], cursor: &mut Cursor) -> Result<(), Problem> {
    if let Some((color, property)) = properties.iter().find_map(|property| Some((color_of_move(property)?, property))) {
        // The first versions of Pentobi made every point a value.
        let text = property.values.join(",");
        let shown = || format!("{}[{text}]", property.id);
        let expected = "the points of a piece, for example a20,b20";
        let mv = match property.id.as_str() {
            "PASS" => Move::Pass,
            _ => read_move(&text).ok_or_else(|| Problem::value(shown(), expected))?,
        };
        pass_until(color, cursor)?;
        cursor.read(mv)?;
    }
    let node = cursor.node();
    let at_start = node == NodeId::START;
    let note = cursor.game().note_mut(node);
    for property in properties {
        read_remark(property, note, at_start)?;
    }
    Ok(())
}

/// The colour whose move a property is; for a pass that of its value.
fn color_of_move(property: &Property) -> Option<Color> {
    match property.id.as_str() {
        "PASS" => property.values.first().and_then(|value| read_color(value)),
        "1" | "2" | "3" | "4" | "BLUE" | "YELLOW" | "RED" | "GREEN" => read_color(&property.id),
        _ => None,
    }
}

/// Lets the colours before `color` pass, which can move but have no node.
fn pass_until(color: Color, cursor: &mut Cursor) -> Result<(), Problem> {
    for _ in Color::ALL {
        let on_turn = cursor.position().color();
        if on_turn == color || cursor.position().is_over() {
            break;
        }
        cursor.position().check(Move::Pass).map_err(|refusal| Problem::Turn { color, on_turn, refusal })?;
        cursor.read(Move::Pass)?;
    }
    Ok(())
}

/// Notes what a property says about the move.
fn read_remark(property: &Property, note: &mut Note, at_start: bool) -> Result<(), Problem> {
    match property.id.as_str() {
        "C" => {
            // A node without a move adds to what is said about the move before.
            if !note.comment.is_empty() {
                note.comment += "\n\n";
            }
            note.comment += &property.values.concat();
        }
        "ENG" => {
            let text = property.values.concat();
            let mut words = text.split_ascii_whitespace();
            while let Some(name) = words.next() {
                let value = words.next().unwrap_or_default();
                note.read_figure(name, value)
                    .map_err(|expected| Problem::value(format!("ENG[{name} {value}]"), expected))?;
            }
        }
        id if is_foreign(id, at_start) => match note.properties.iter_mut().find(|known| known.id == id) {
            Some(known) => known.values.extend(property.values.iter().cloned()),
            None => note.properties.push(property.clone()),
        },
        _ => {}
    }
    Ok(())
}
