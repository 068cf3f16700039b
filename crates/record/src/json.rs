//! Games as lines of JSON, one object per game, for programs that analyse them.
//!
//! ```text
//! {"format":"blokus","version":1,"rules":"2027","start_piece":"PENTO_W","names":["mcts","random"],
//!  "start":"2027 PENTO_W 0 BYRG - 20/20/…","moves":[{"turn":0,"color":"BLUE","move":"PENTO_W@0,0"},…],
//!  "points":[112,108],"result":"ONE"}
//! ```
//!
//! Moves may have `win`, `margin`, `ms`, `nodes`, `depth` and `comment`. `variations` are lists of moves `after` a
//! move. Moves are numbered from 1 through the main line and then through the variations; 0 is the start. `result` is
//! `ONE`, `TWO`, `drawn` or `unfinished`; a game of four players has the `points` of the colours and a colour as
//! winner. Fields that follow from the moves (`rules`, `start_piece`, `turn`, `color`, `points`, `result`) are for
//! convenience and optional, but must be right.

use std::fmt::Debug;

use game::{Move, Piece, Position, Team, excerpt};
use serde::{Deserialize, Serialize};

use crate::error::{ParseError, Problem};
use crate::fault::Fault;
use crate::note::{Note, Property, millis, time_of_millis};
use crate::sgf::is_foreign;
use crate::tree::{Game, NodeId};

const FORMAT: &str = "blokus";
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonGame {
    format: String,
    version: u32,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rules: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start_piece: Option<String>,
    #[serde(default)]
    names: Vec<String>,
    start: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<JsonNode>,
    moves: Vec<JsonNode>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    variations: Vec<JsonVariation>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fault: Option<JsonFault>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    points: Option<Vec<i32>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result: Option<String>,
}

/// A move, or the note about the start.
#[derive(Serialize, Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct JsonNode {
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    color: Option<String>,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    mv: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    win: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    margin: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    #[serde(skip_serializing_if = "String::is_empty")]
    comment: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    properties: Vec<(String, Vec<String>)>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonVariation {
    after: usize,
    moves: Vec<JsonNode>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonFault {
    team: String,
    kind: String,
    #[serde(default)]
    detail: String,
}

/// Returns a game as one line without a line break.
pub fn write(game: &Game) -> String {
    let start = game.start();
    let mut order: Vec<NodeId> = game.main_line().skip(1).collect();
    let moves = order.iter().map(|&id| JsonNode::of(game, id)).collect();
    let mut variations = Vec::new();
    // Each variation appends moves whose variations follow later.
    let mut number = 0;
    while number <= order.len() {
        let id = if number == 0 { NodeId::START } else { order[number - 1] };
        for &variation in game.node(id).children().iter().skip(1) {
            let line = std::iter::successors(Some(variation), |&id| game.node(id).children().first().copied());
            let from = order.len();
            order.extend(line);
            let moves = order[from..].iter().map(|&id| JsonNode::of(game, id)).collect();
            variations.push(JsonVariation { after: number, moves });
        }
        number += 1;
    }
    let game = JsonGame {
        format: FORMAT.to_owned(),
        version: VERSION,
        id: game.id.clone(),
        rules: Some(start.rules().name().to_owned()),
        start_piece: start.start_piece().map(|piece| piece.name().to_owned()),
        names: game.names.to_vec(),
        start: start.to_string(),
        note: Some(JsonNode::of(game, NodeId::START)).filter(|_| !game.node(NodeId::START).note.is_empty()),
        moves,
        variations,
        fault: game.fault.as_ref().map(|(team, fault)| JsonFault {
            team: team.name().to_owned(),
            kind: fault.kind.name().to_owned(),
            detail: fault.detail.clone(),
        }),
        points: Some(game.points()),
        result: Some(game.verdict().name().to_owned()),
    };
    // Fails only for maps whose keys are not text; there are none.
    serde_json::to_string(&game).unwrap_or_default()
}

impl JsonNode {
    fn of(game: &Game, id: NodeId) -> Self {
        let node = game.node(id);
        let Note { comment, win, margin, time, nodes, depth, properties } = node.note.clone();
        Self {
            turn: node.turn(),
            color: node.color().map(|color| color.name().to_owned()),
            mv: node.mv().map(|mv| mv.to_string()),
            win,
            margin,
            ms: time.map(millis),
            nodes,
            depth,
            comment,
            properties: properties.into_iter().map(|property| (property.id, property.values)).collect(),
        }
    }

    fn note(self, at_start: bool) -> Result<Note, Problem> {
        let wrong = |name: &str, value: &dyn Debug, expected| Problem::value(format!("{name} {value:?}"), expected);
        if let Some(win) = self.win.filter(|win| !(0.0..=1.0).contains(win)) {
            return Err(wrong("win", &win, "a number from 0 to 1"));
        }
        if let Some(margin) = self.margin.filter(|margin| !margin.is_finite()) {
            return Err(wrong("margin", &margin, "a number"));
        }
        let time = |ms| time_of_millis(ms).ok_or_else(|| wrong("ms", &ms, "milliseconds"));
        let property = |(id, values): (String, Vec<String>)| {
            if !is_foreign(&id, at_start) || values.is_empty() {
                return Err(wrong("properties", &id, "a property that means nothing here, with values"));
            }
            Ok(Property { id, values })
        };
        Ok(Note {
            comment: self.comment,
            win: self.win,
            margin: self.margin,
            time: self.ms.map(time).transpose()?,
            nodes: self.nodes,
            depth: self.depth,
            properties: self.properties.into_iter().map(property).collect::<Result<_, _>>()?,
        })
    }
}

/// Reads the game of a line; errors name the line `number`.
///
/// # Errors
/// [`ParseError`]
///
/// ```
/// use game::{Position, Rules};
/// use record::{Game, NodeId, json};
///
/// let mut game = Game::new(Position::new(Rules::Classic, None)?);
/// game.play(NodeId::START, "DOMINO@0,0".parse()?)?;
/// assert_eq!(json::read_line(&json::write(&game), 1)?, game);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_line(line: &str, number: usize) -> Result<Game, ParseError> {
    read(line).map_err(|problem| problem.at(number))
}

fn read(line: &str) -> Result<Game, Problem> {
    // The caller names the line.
    let json_error = |error: serde_json::Error| {
        let reason = error.to_string().replace(" at line 1 column ", " at column ");
        Problem::Json(excerpt(if error.is_eof() { format!("the line is incomplete: {reason}") } else { reason }))
    };
    let json: JsonGame = serde_json::from_str(line.trim_end()).map_err(json_error)?;
    if (json.format.as_str(), json.version) != (FORMAT, VERSION) {
        let what = format!("format {:?}, version {}", json.format, json.version);
        return Err(Problem::value(what, "format \"blokus\", version 1"));
    }
    let start: Position = json.start.parse()?;
    agree("rules", json.rules.as_deref(), start.rules().name())?;
    agree("start_piece", json.start_piece.as_deref(), start.start_piece().map_or("none", Piece::name))?;
    let mut game = Game::new(start);
    if !json.names.is_empty() {
        let two = |names| Problem::value(format!("names {names:?}"), "the names of two teams");
        game.names = json.names.try_into().map_err(two)?;
    }
    game.id = json.id;
    if let Some(note) = json.note {
        *game.note_mut(NodeId::START) = note.note(true)?;
    }
    let mut order = vec![NodeId::START];
    for JsonVariation { after, moves } in
        [JsonVariation { after: 0, moves: json.moves }].into_iter().chain(json.variations)
    {
        let from =
            order.get(after).ok_or_else(|| Problem::value(format!("after {after}"), "the number of a move before"))?;
        read_moves(&mut game, *from, moves, &mut order)?;
    }
    game.fault = json.fault.map(read_fault).transpose()?;
    agree("points", json.points.as_ref(), &game.points())?;
    agree("result", json.result.as_deref(), game.verdict().name())?;
    Ok(game)
}

/// Checks a field that follows from the moves, if it is there.
fn agree<T: PartialEq + Debug + ?Sized>(name: &str, found: Option<&T>, expected: &T) -> Result<(), Problem> {
    match found.filter(|&found| found != expected) {
        Some(found) => Err(Problem::Contradiction {
            found: excerpt(format!("{name} {found:?}")),
            expected: format!("{expected:?}"),
        }),
        None => Ok(()),
    }
}

/// Plays moves after a node and numbers them.
fn read_moves(game: &mut Game, from: NodeId, moves: Vec<JsonNode>, order: &mut Vec<NodeId>) -> Result<(), Problem> {
    let mut cursor = game.cursor(from);
    for json in moves {
        let (turn, color) = (cursor.position().turn(), cursor.position().color());
        agree("turn", json.turn.as_ref(), &turn)?;
        agree("color", json.color.as_deref(), color.name())?;
        let text = json.mv.as_deref().ok_or_else(|| Problem::value("a move", "move and its text"))?;
        let mv: Move = text.parse()?;
        let id = cursor.play_within_limits(mv)?;
        *cursor.game_mut().note_mut(id) = json.note(false)?;
        order.push(id);
    }
    Ok(())
}

fn read_fault(json: JsonFault) -> Result<(Team, Fault), Problem> {
    Ok((json.team.parse()?, Fault::new(json.kind.parse()?, json.detail)))
}
