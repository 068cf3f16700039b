//! Reads games from Pentobi's files.

use game::{Color, Move, Position, Rules, Team};
use protocol::gtp::{self, read_color};

use super::setup;
use super::syntax::{Lexer, SETUP, SgfToken, is_foreign, value};
use crate::error::{ParseError, Problem, Warning};
use crate::fault::{Fault, FaultKind};
use crate::limits::{MAX_NESTED, MAX_NODES};
use crate::note::{Note, Property};
use crate::tree::{Bookmark, Cursor, Game, NodeId};

/// Returns the games of a file, at least one. A setup within a tree begins another game. Unplayable moves are dropped
/// and become [warnings](Game::warnings). Text outside the trees is ignored.
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
    let mut lexer = Lexer::new(text);
    let mut games = Vec::new();
    let no_game = lexer.expected("( and a game");
    while lexer.skip_to_tree() {
        games.extend(read_tree(&mut lexer)?);
    }
    if games.is_empty() { Err(no_game) } else { Ok(games) }
}

/// Reads the games of a tree; the first game reaches the end of the main line.
fn read_tree(lexer: &mut Lexer) -> Result<Vec<Game>, ParseError> {
    let mut tree = TreeReader::begin(lexer)?;
    let mut open = Vec::new();
    loop {
        let line = lexer.line();
        match lexer.token()? {
            None => return Err(lexer.expected("a ) for every (")),
            Some(SgfToken::Open) if open.len() == MAX_NESTED => return Err(Problem::TooDeep.at(line)),
            Some(SgfToken::Open) => open.push(tree.at),
            Some(SgfToken::Close) => {
                tree.end_of_main_line.get_or_insert(tree.at.game);
                match open.pop() {
                    Some(place) => tree.at = place,
                    None => return Ok(tree.into_games()),
                }
            }
            Some(SgfToken::Node(properties)) => tree.read_node(&properties, line)?,
        }
    }
}

/// The state of reading a tree.
struct TreeReader {
    /// The game of the root, and one for each later setup.
    games: Vec<Game>,
    at: At,
    /// The game at the end of the main line, if known.
    end_of_main_line: Option<usize>,
    node_count: usize,
}

/// The place of reading.
#[derive(Clone, Copy)]
struct At {
    /// The number of the game.
    game: usize,
    /// The place of the last node; `None` after a move that was dropped.
    place: Option<Bookmark>,
}

impl TreeReader {
    /// Reads the first bracket and the root.
    fn begin(lexer: &mut Lexer) -> Result<Self, ParseError> {
        lexer.token()?;
        let (line, no_root) = (lexer.line(), lexer.expected("; and the first node"));
        let Some(SgfToken::Node(root)) = lexer.token()? else { return Err(no_root) };
        let game = read_root(&root).map_err(|problem| problem.at(line))?;
        let (games, at) = (Vec::new(), At { game: 0, place: None });
        let mut tree = Self { games, at, end_of_main_line: None, node_count: 1 };
        tree.add(game);
        tree.read_move_and_remarks(&root, line)?;
        Ok(tree)
    }

    /// Continues in another game.
    fn add(&mut self, mut game: Game) {
        self.at = At { game: self.games.len(), place: Some(game.cursor(NodeId::START).bookmark()) };
        self.games.push(game);
    }

    /// Reads a node after the root. Drops an impossible node and its successors.
    fn read_node(&mut self, properties: &[Property], line: usize) -> Result<(), ParseError> {
        self.node_count += 1;
        if self.node_count > MAX_NODES {
            return Err(Problem::TooLong.at(line));
        }
        let Some(place) = self.at.place else { return Ok(()) };
        if properties.iter().any(|property| SETUP.contains(&&*property.id)) {
            match setup::set_up(place.position(), properties) {
                Ok(start) => self.add(Game::new(start)),
                Err(problem) => return self.drop(problem, line),
            }
        }
        self.read_move_and_remarks(properties, line)
    }

    fn read_move_and_remarks(&mut self, properties: &[Property], line: usize) -> Result<(), ParseError> {
        let At { game, place: Some(place) } = self.at else { return Ok(()) };
        let mut cursor = self.games[game].cursor_at(place);
        if let Err(problem) = read_move(properties, &mut cursor) {
            return self.drop(problem, line);
        }
        read_remarks(properties, &mut cursor).map_err(|problem| problem.at(line))?;
        self.at.place = Some(cursor.bookmark());
        Ok(())
    }

    /// Drops an impossible node and its successors. A file over a limit is rejected.
    fn drop(&mut self, problem: Problem, line: usize) -> Result<(), ParseError> {
        if problem == Problem::TooLong {
            return Err(problem.at(line));
        }
        self.at.place = None;
        let in_main_line = self.end_of_main_line.is_none();
        self.games[self.at.game].warnings.push(Warning { error: problem.at(line), in_main_line });
        Ok(())
    }

    /// Returns the games, beginning with the one at the end of the main line. Omits a game without moves that a setup
    /// replaced.
    fn into_games(mut self) -> Vec<Game> {
        let (names, id) = (self.games[0].names.clone(), self.games[0].id.clone());
        let fault = self.games[0].fault.take();
        let main = self.games.remove(self.end_of_main_line.unwrap_or(0));
        self.games.retain(|game| game.node_count() > 1 || !game.warnings.is_empty());
        let mut games = vec![main];
        games.append(&mut self.games);
        games[0].fault = fault;
        for game in &mut games {
            (game.names, game.id) = (names.clone(), id.clone());
        }
        games
    }
}

/// Returns the game of a root, without its moves and note.
fn read_root(root: &[Property]) -> Result<Game, Problem> {
    let name = value(root, "GM").ok_or(Problem::OtherGame("a file without GM".to_owned()))?;
    let rules = rules_of(name).ok_or_else(|| Problem::OtherGame(game::excerpt(name)))?;
    let mut game = Game::new(setup::read(root, rules)?);
    let text = |id| value(root, id).unwrap_or_default().to_owned();
    (game.names, game.id) = ([text("PB"), text("PW")], text("GN"));
    game.fault = match (value(root, "FAULT"), value(root, "RE")) {
        (Some(text), _) => Some(read_fault(text).ok_or_else(|| {
            Problem::value(format!("FAULT[{text}]"), "ONE or TWO, and illegal, late, left or resigned")
        })?),
        (None, Some(result)) if rules.has_teams() => fault_of_result(result),
        (None, _) => None,
    };
    Ok(game)
}

/// Returns the rules of a game, in any case and spacing.
fn rules_of(name: &str) -> Option<Rules> {
    let words: Vec<&str> = name.split_whitespace().collect();
    let is_named = |rules: &Rules| words.join(" ").eq_ignore_ascii_case(gtp::write_game(*rules));
    [Rules::Classic, Rules::FourPlayers].into_iter().find(is_named)
}

/// Reads a fault, for example `ONE late no answer`.
fn read_fault(text: &str) -> Option<(Team, Fault)> {
    let (team, fault) = text.split_once(' ')?;
    let (kind, detail) = fault.split_once(' ').unwrap_or((fault, ""));
    Some((team.parse().ok()?, Fault::new(kind.parse().ok()?, detail)))
}

/// Returns the fault in a result of other programs, such as `B+R` or `W+Time`.
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

/// Plays the move of a node, if it has one. An error changes nothing.
fn read_move(properties: &[Property], cursor: &mut Cursor) -> Result<(), Problem> {
    let Some((color, property)) = move_of(properties) else { return Ok(()) };
    // The first versions of Pentobi made every point a value.
    let text = property.values.join(",");
    let shown = || format!("{}[{text}]", property.id);
    let expected = "the points of a piece, for example a20,b20";
    let mv = match property.id.as_str() {
        "PASS" => Move::Pass,
        _ => gtp::read_move(&text).ok_or_else(|| Problem::value(shown(), expected))?,
    };
    let passes = passes_before(color, *cursor.position())?;
    let position = (0..passes).fold(*cursor.position(), |position, _| position.after(Move::Pass));
    position.check(mv).map_err(|reason| Problem::Illegal { color: position.color(), mv, reason })?;
    for _ in 0..passes {
        cursor.play_within_limits(Move::Pass)?;
    }
    cursor.play_within_limits(mv)?;
    Ok(())
}

/// Reads the remarks about a move.
fn read_remarks(properties: &[Property], cursor: &mut Cursor) -> Result<(), Problem> {
    let node = cursor.node();
    let at_start = node == NodeId::START;
    let note = cursor.game_mut().note_mut(node);
    for property in properties {
        read_remark(property, note, at_start)?;
    }
    Ok(())
}

/// Returns the move of a node, and its colour.
fn move_of(properties: &[Property]) -> Option<(Color, &Property)> {
    properties.iter().find_map(|property| Some((color_of_move(property)?, property)))
}

/// Returns the colour of a move; for a pass it is the value.
fn color_of_move(property: &Property) -> Option<Color> {
    match property.id.as_str() {
        "PASS" => property.values.first().and_then(|value| read_color(value)),
        "1" | "2" | "3" | "4" | "BLUE" | "YELLOW" | "RED" | "GREEN" => read_color(&property.id),
        _ => None,
    }
}

/// Counts the colours before `color` that pass without a node.
fn passes_before(color: Color, mut position: Position) -> Result<usize, Problem> {
    for passes in 0..Color::COUNT {
        let on_turn = position.color();
        if on_turn == color || position.is_over() {
            return Ok(passes);
        }
        position.try_play(Move::Pass).map_err(|reason| Problem::Turn { color, on_turn, reason })?;
    }
    Ok(Color::COUNT)
}

/// Reads a remark about a move.
fn read_remark(property: &Property, note: &mut Note, at_start: bool) -> Result<(), Problem> {
    match property.id.as_str() {
        "C" => {
            // A node without a move adds to the comment on the move before.
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
