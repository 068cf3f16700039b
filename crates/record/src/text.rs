//! Games in our own notation, one move per line, for people.
//!
//! ```text
//! blokus 1
//! name ONE "mcts"
//! name TWO "random"
//! start 2027 PENTO_W 0 BYRG - 20/20/…
//!   0 BLUE   PENTO_W@0,0
//!   1 YELLOW PENTO_W@17,0  win 0.53  margin +3.2  ms 12.3  nodes 1000  depth 4  "why not here?"
//! (
//!   1 YELLOW PENTO_W@17,17
//! )
//!   2 RED    PENTO_W@17,17
//! end 10:5 unfinished
//! ```
//!
//! The lines between brackets replace the move before them. `docs/notation.md` in the repository has the grammar.

use std::fmt::Write;
use std::str::{Chars, FromStr};

use game::{Color, Move, Position, Team};

use crate::error::{ParseError, Problem};
use crate::fault::Fault;
use crate::limits::MAX_NESTED;
use crate::note::Note;
use crate::tree::{Bookmark, Cursor, Game, Node, NodeId};

/// The first line of every game: the name and the version of the notation.
pub const HEADING: &str = "blokus 1";

/// Returns the text of a game.
pub fn write(game: &Game) -> String {
    // The remaining work, the last step first.
    enum Step {
        /// The moves after a node.
        After(NodeId),
        /// A move and those after it in brackets.
        Variation(NodeId),
        /// The end of a variation.
        Close,
    }
    let mut text = head(game);
    let mut steps = vec![Step::After(NodeId::START)];
    while let Some(step) = steps.pop() {
        match step {
            Step::After(id) => {
                let Some((&first, variations)) = game.node(id).children().split_first() else { continue };
                text += &line(game.node(first));
                steps.push(Step::After(first));
                steps.extend(variations.iter().rev().copied().map(Step::Variation));
            }
            Step::Variation(id) => {
                text += "(\n";
                text += &line(game.node(id));
                steps.extend([Step::Close, Step::After(id)]);
            }
            Step::Close => text += ")\n",
        }
    }
    if let Some((team, fault)) = &game.fault {
        text += &format!("fault {team} {} {}\n", fault.kind, quote(&fault.detail));
    }
    text + &end(game) + "\n"
}

/// Returns the lines before the moves.
fn head(game: &Game) -> String {
    let mut text = format!("{HEADING}\n");
    let names = Team::ALL.into_iter().zip(&game.names).map(|(team, name)| (format!("name {team}"), name));
    for (title, value) in names.chain([("id".to_owned(), &game.id)]).filter(|(_, value)| !value.is_empty()) {
        // Writing to a string cannot fail.
        _ = writeln!(text, "{title} {}", quote(value));
    }
    _ = writeln!(text, "start {}", game.start());
    let note = &game.node(NodeId::START).note;
    if !note.is_empty() {
        _ = writeln!(text, "note{}", remarks(note));
    }
    text
}

/// Returns the line of a move.
fn line(node: &Node) -> String {
    let Some(((turn, color), mv)) = node.turn().zip(node.color()).zip(node.mv()) else { return String::new() };
    format!("{turn:>3} {color:<6} {mv}{}\n", remarks(&node.note))
}

/// Returns the figures and the comment of a move, each after two spaces.
fn remarks(note: &Note) -> String {
    let comment = if note.comment.is_empty() { String::new() } else { quote(&note.comment) };
    let fields = [note.figures(), comment];
    fields.into_iter().filter(|text| !text.is_empty()).map(|text| format!("  {text}")).collect()
}

/// Returns the last line: points and verdict.
fn end(game: &Game) -> String {
    let points: Vec<String> = game.points().iter().map(ToString::to_string).collect();
    format!("end {} {}", points.join(":"), game.verdict().name())
}

/// Returns a text on one line in quotation marks.
fn quote(text: &str) -> String {
    let mut quoted = "\"".to_owned();
    for letter in text.chars() {
        match letter {
            '\'' => quoted.push(letter),
            letter => quoted.extend(letter.escape_debug()),
        }
    }
    quoted + "\""
}

/// Returns the games of a text, at least one.
///
/// # Errors
/// [`ParseError`]
///
/// ```
/// use game::{Position, Rules};
/// use record::{Game, NodeId, text};
///
/// let mut game = Game::new(Position::new(Rules::Classic, None)?);
/// let played = game.play(NodeId::START, "DOMINO@0,0".parse()?)?;
/// game.note_mut(played).comment = "too \"small\"".to_owned();
/// let written = text::write(&game);
/// assert!(written.ends_with("  0 BLUE   DOMINO@0,0  \"too \\\"small\\\"\"\nend 2:0 unfinished\n"));
/// assert_eq!(text::read(&written)?, [game]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read(text: &str) -> Result<Vec<Game>, ParseError> {
    let lines = (1..).zip(text.trim_start_matches('\u{feff}').lines().map(str::trim));
    let mut lines = lines.filter(|(_, line)| !line.is_empty());
    let mut games = Vec::new();
    let mut last = 1;
    while let Some((number, line)) = lines.next() {
        if line != HEADING {
            return Err(Problem::expected(HEADING, line).at(number));
        }
        last = number;
        games.push(read_game(&mut lines, &mut last)?);
    }
    if games.is_empty() { Err(Problem::expected(HEADING, "").at(last)) } else { Ok(games) }
}

/// Reads a game after its heading, up to its end. `last` is the number of the last line.
fn read_game<'a>(lines: &mut impl Iterator<Item = (usize, &'a str)>, last: &mut usize) -> Result<Game, ParseError> {
    let mut next = || {
        let (number, line) = lines.next().unwrap_or((*last + 1, ""));
        *last = number;
        (number, line)
    };
    let (mut names, mut id) = (<[String; 2]>::default(), String::new());
    let start = loop {
        let (number, line) = next();
        let mut words = Words(line);
        let read = match words.plain() {
            Some("name") => read_name(&mut words, &mut names),
            Some("id") => words.quoted("a name in quotation marks").map(|text| id = text),
            Some("start") => break words.0.parse::<Position>().map_err(|error| Problem::from(error).at(number))?,
            _ => Err(Problem::expected("name, id or start", line)),
        };
        read.and_then(|()| words.end()).map_err(|problem| problem.at(number))?;
    };
    let mut game = Game::new(start);
    (game.names, game.id) = (names, id);
    let mut body = Body { cursor: game.cursor(NodeId::START), before: None, open: Vec::new(), may_note: true };
    loop {
        let (number, line) = next();
        match body.read(line).map_err(|problem| problem.at(number))? {
            Line::Moves => {}
            Line::Fault(team, fault) => body.cursor.game_mut().fault = Some((team, fault)),
            Line::End => {
                let true_end = end(&game);
                if line != true_end {
                    let (found, expected) = (game::excerpt(line), true_end);
                    return Err(Problem::Contradiction { found, expected }.at(number));
                }
                return Ok(game);
            }
        }
    }
}

fn read_name(words: &mut Words, names: &mut [String; 2]) -> Result<(), Problem> {
    let team = words.named::<Team>("ONE or TWO")?;
    names[team as usize] = words.quoted("a name in quotation marks")?;
    Ok(())
}

/// A line after the head.
enum Line {
    /// A move, a note about the start, or a bracket; already processed.
    Moves,
    Fault(Team, Fault),
    End,
}

/// The state of reading the moves of a game.
struct Body<'a> {
    cursor: Cursor<'a>,
    /// The place before the last move, where a variation begins.
    before: Option<Bookmark>,
    /// For each open bracket, the places after and before the replaced move.
    open: Vec<(Bookmark, Bookmark)>,
    /// `true` if a note about the start may follow.
    may_note: bool,
}

impl Body<'_> {
    fn read(&mut self, line: &str) -> Result<Line, Problem> {
        let mut words = Words(line);
        let is_over = self.open.is_empty();
        match words.plain() {
            Some(word) if word != "end" && self.cursor.game_mut().fault.is_some() => {
                return Err(Problem::expected("the end", line));
            }
            Some("(") => self.begin_variation()?,
            Some(")") if self.before.is_none() && !is_over => return Err(Problem::expected("a move", line)),
            Some(")") => {
                let last = self.open.pop().ok_or_else(|| Problem::expected("a move or the end", line))?;
                self.cursor.go_back(&last.0);
                self.before = Some(last.1);
            }
            Some("note") if self.cursor.node() == NodeId::START && is_over && self.may_note => {
                self.may_note = false;
                self.read_remarks(&mut words)?;
            }
            Some("fault") if is_over => {
                let team = words.named::<Team>("ONE or TWO")?;
                let kind = words.named("illegal, late, left or resigned")?;
                let detail = words.quoted("what happened, in quotation marks")?;
                words.end()?;
                return Ok(Line::Fault(team, Fault::new(kind, detail)));
            }
            Some("end") if is_over => return Ok(Line::End),
            word => {
                let turn = word.and_then(|word| word.parse().ok());
                let turn = turn.ok_or_else(|| Problem::expected("a turn with a move, a bracket, or the end", line))?;
                self.read_move(turn, &mut words)?;
                self.read_remarks(&mut words)?;
            }
        }
        words.end()?;
        Ok(Line::Moves)
    }

    fn begin_variation(&mut self) -> Result<(), Problem> {
        let before = self.before.take().ok_or_else(|| Problem::expected("a move before its variation", "("))?;
        if self.open.len() == MAX_NESTED {
            return Err(Problem::TooDeep);
        }
        self.open.push((self.cursor.bookmark(), before));
        self.cursor.go_back(&before);
        Ok(())
    }

    fn read_move(&mut self, turn: u16, words: &mut Words) -> Result<(), Problem> {
        let position = *self.cursor.position();
        let color = words.named::<Color>("a colour: BLUE, YELLOW, RED or GREEN")?;
        if (turn, color) != (position.turn(), position.color()) {
            let expected = format!("it is turn {} of {}", position.turn(), position.color());
            return Err(Problem::Contradiction { found: format!("turn {turn} of {color}"), expected });
        }
        let mv: Move = words.plain().unwrap_or_default().parse()?;
        self.before = Some(self.cursor.bookmark());
        self.cursor.play_within_limits(mv)?;
        Ok(())
    }

    /// Reads figures and the comment of the last move, or of the start.
    fn read_remarks(&mut self, words: &mut Words) -> Result<(), Problem> {
        let node = self.cursor.node();
        let note = self.cursor.game_mut().note_mut(node);
        while let Some(name) = words.plain() {
            let value = words.plain().unwrap_or_default();
            note.read_figure(name, value).map_err(|expected| Problem::value(format!("{name} {value}"), expected))?;
        }
        if !words.is_empty() {
            note.comment = words.quoted("a comment in quotation marks")?;
        }
        Ok(())
    }
}

/// The rest of a line.
struct Words<'a>(&'a str);

impl<'a> Words<'a> {
    fn is_empty(&self) -> bool {
        self.0.trim_start().is_empty()
    }

    /// Returns the next word, unless it begins with a quotation mark.
    fn plain(&mut self) -> Option<&'a str> {
        let text = self.0.trim_start();
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        (!word.is_empty() && !word.starts_with('"')).then(|| {
            self.0 = rest;
            word
        })
    }

    /// Parses the next word.
    fn named<T: FromStr>(&mut self, expected: &'static str) -> Result<T, Problem> {
        let text = self.0;
        self.plain().and_then(|word| word.parse().ok()).ok_or_else(|| Problem::expected(expected, text.trim()))
    }

    /// Returns a text in quotation marks that [`quote`] wrote.
    fn quoted(&mut self, expected: &'static str) -> Result<String, Problem> {
        let wrong = || Problem::expected(expected, self.0.trim());
        let mut letters = self.0.trim_start().strip_prefix('"').ok_or_else(wrong)?.chars();
        let mut text = String::new();
        loop {
            match letters.next().ok_or_else(wrong)? {
                '"' => break,
                '\\' => text.push(unescape(&mut letters).ok_or_else(wrong)?),
                letter => text.push(letter),
            }
        }
        self.0 = letters.as_str();
        Ok(text)
    }

    fn end(&self) -> Result<(), Problem> {
        if self.is_empty() { Ok(()) } else { Err(Problem::expected("the end of the line", self.0.trim())) }
    }
}

/// Returns the letter of the escape sequence after a backslash.
fn unescape(letters: &mut Chars) -> Option<char> {
    Some(match letters.next()? {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        '0' => '\0',
        letter @ ('"' | '\'' | '\\') => letter,
        'u' => {
            let (code, rest) = letters.as_str().strip_prefix('{')?.split_once('}')?;
            *letters = rest.chars();
            char::from_u32(u32::from_str_radix(code, 16).ok()?)?
        }
        _ => return None,
    })
}
