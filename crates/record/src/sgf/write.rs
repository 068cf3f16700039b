//! Writes games as Pentobi's files.

use game::{Move, Rules, Team};
use protocol::gtp::{write_color, write_game, write_move};

use super::setup;
use super::syntax::is_foreign;
use crate::fault::FaultKind;
use crate::note::{Note, Property};
use crate::tree::{Game, Node, NodeId};
use crate::verdict::Verdict;

/// Returns the text of a file with a game and its variations. Carriage returns in comments become line feeds.
pub fn write(game: &Game) -> String {
    let mut text = "(\n;".to_owned();
    append(&mut text, &root(game));
    // The remaining work, the last step first: a node, or the end of a variation.
    let mut steps = vec![None];
    push_children(game, NodeId::START, &mut steps);
    while let Some(step) = steps.pop() {
        let Some(id) = step else {
            text += ")\n";
            continue;
        };
        let node = game.node(id);
        let is_variation = node.parent().is_some_and(|parent| game.node(parent).children().len() > 1);
        text += if is_variation { "(\n;" } else { ";" };
        append(&mut text, &properties(node));
        push_children(game, id, &mut steps);
    }
    text
}

/// Adds the children of a node, each in brackets if there are several.
fn push_children(game: &Game, id: NodeId, steps: &mut Vec<Option<NodeId>>) {
    match game.node(id).children() {
        [only] => steps.push(Some(*only)),
        several => {
            for &child in several.iter().rev() {
                steps.extend([None, Some(child)]);
            }
        }
    }
}

/// Appends the properties of a node.
fn append(text: &mut String, properties: &[Property]) {
    for property in properties {
        *text += &property.to_string();
    }
    text.push('\n');
}

fn property(id: impl ToString, value: impl ToString) -> Property {
    Property { id: id.to_string(), values: vec![value.to_string()] }
}

fn root(game: &Game) -> Vec<Property> {
    // `RU` has the rules of a season.
    let rules = if game.start().rules().has_teams() { Rules::Classic } else { Rules::FourPlayers };
    let mut properties = vec![property("GM", write_game(rules)), property("CA", "UTF-8")];
    let [one, two] = &game.names;
    let fields = [("PB", one), ("PW", two), ("GN", &game.id)].into_iter().filter(|(_, text)| !text.is_empty());
    properties.extend(fields.map(|(id, text)| property(id, text)));
    properties.extend(result(game).map(|text| property("RE", text)));
    if let Some((team, fault)) = &game.fault {
        properties.push(property("FAULT", format!("{team} {} {}", fault.kind, fault.detail)));
    }
    properties.extend(setup::write(game.start()));
    properties.extend(remarks(&game.node(NodeId::START).note, true));
    properties
}

/// Returns the result for other programs: the winner with the points or the reason.
fn result(game: &Game) -> Option<String> {
    let margin = game.end().margin(Team::One);
    let (letter, points) = match game.verdict() {
        Verdict::Unfinished | Verdict::WonAlone(_) => return None,
        Verdict::Drawn if !game.start().rules().has_teams() => return None,
        Verdict::Drawn => return Some("0".to_owned()),
        Verdict::Won(Team::One) => ('B', margin),
        Verdict::Won(Team::Two) => ('W', -margin),
    };
    Some(match game.fault.as_ref().map(|(_, fault)| fault.kind) {
        None => format!("{letter}+{points}"),
        Some(FaultKind::Resigned) => format!("{letter}+R"),
        Some(FaultKind::Late) => format!("{letter}+T"),
        Some(FaultKind::Illegal | FaultKind::Left) => format!("{letter}+F"),
    })
}

fn properties(node: &Node) -> Vec<Property> {
    let mv = node.color().zip(node.mv()).map(|(color, mv)| match mv {
        Move::Pass => property("PASS", write_color(color)),
        mv => property(write_color(color), write_move(mv)),
    });
    mv.into_iter().chain(remarks(&node.note, false)).collect()
}

/// Returns the remarks about a move or the start.
fn remarks(note: &Note, at_start: bool) -> Vec<Property> {
    let fields = [("C", note.comment.clone()), ("ENG", note.figures())];
    let fields = fields.into_iter().filter(|(_, text)| !text.is_empty());
    let mut properties: Vec<Property> = fields.map(|(id, text)| property(id, text)).collect();
    properties.extend(note.properties.iter().filter(|property| is_foreign(&property.id, at_start)).cloned());
    properties
}
