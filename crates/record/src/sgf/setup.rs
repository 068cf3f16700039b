//! The start of a game: rules and setup.

use game::{ByColor, Color, ColorSet, Move, Piece, Placement, Position, Rules, Setup};
use protocol::gtp::{read_move, write_color, write_move};

use super::syntax::value;
use crate::error::Problem;
use crate::note::Property;

/// Returns the start position of a root; `rules` are from `GM`.
pub(super) fn read(root: &[Property], rules: Rules) -> Result<Position, Problem> {
    let exact = value(root, "BP").map(str::parse::<Position>).transpose()?;
    let (rules, start_piece) = match (value(root, "RU"), exact) {
        (Some(text), _) if rules == Rules::Classic => read_rules(text)?,
        (None, Some(exact)) if rules == Rules::Classic => (exact.rules(), exact.start_piece()),
        _ => (rules, None),
    };
    let set_up = set_up(&Position::new(rules, start_piece)?, root)?;
    // The notation is more exact than the pieces, unless another program changed these.
    let agrees = |exact: &Position| {
        let same_cells =
            Color::ALL.into_iter().all(|color| exact.board().covered(color) == set_up.board().covered(color));
        let same_color = value(root, "PL").is_none_or(|player| player == write_color(exact.color()).to_string());
        (exact.rules(), exact.start_piece()) == (rules, start_piece) && same_cells && same_color
    };
    Ok(exact.filter(agrees).unwrap_or(set_up))
}

/// Returns the rules and the start piece of `2027 PENTO_W`. Rules of other programs have no meaning here.
fn read_rules(text: &str) -> Result<(Rules, Option<Piece>), Problem> {
    let mut words = text.split_ascii_whitespace();
    let rules = words.next().and_then(|word| word.parse().ok()).unwrap_or(Rules::Classic);
    if rules.start_pieces().is_empty() {
        return Ok((rules, None));
    }
    let piece = words.next().and_then(|word| word.parse().ok()).filter(|&piece| rules.start_pieces().contains(piece));
    let expected = "2021 or 2027 and the start piece, for example 2027 PENTO_W";
    piece.map(|piece| (rules, Some(piece))).ok_or_else(|| Problem::value(format!("RU[{text}]"), expected))
}

/// Returns the position after a setup: pieces placed by `A1` to `A4`, removed by `AE`, and the colour of `PL` to move.
pub(super) fn set_up(before: &Position, properties: &[Property]) -> Result<Position, Problem> {
    let mut setup = before.setup();
    for property in properties.iter().filter(|property| property.id == "AE") {
        for text in &property.values {
            let cells = piece(property, text)?.cells();
            let color = Color::ALL.into_iter().find(|&color| setup.covered[color].groups().any(|group| group == cells));
            let expected = "a piece that is on the board";
            let color = color.ok_or_else(|| Problem::value(format!("AE[{text}]"), expected))?;
            setup.covered[color] = setup.covered[color].without(cells);
        }
    }
    let mut counts = ByColor::from_fn(|color| setup.covered[color].groups().count() as u16);
    for property in properties {
        let Some(color) = color_of(&property.id) else {
            if matches!(property.id.as_str(), "AB" | "AW") {
                return Err(Problem::value(property.to_string(), "pieces to be set up by A1, A2, A3 and A4 alone"));
            }
            continue;
        };
        for text in &property.values {
            let cells = piece(property, text)?.cells();
            if setup.covered[color].intersects(cells) {
                return Err(Problem::Setup(game::SetupError::Overlap(color)));
            }
            setup.covered[color] |= cells;
            counts[color] += 1;
        }
        // Pieces of one colour never share a side, so that their cells identify them.
        if setup.covered[color].groups().count() != usize::from(counts[color]) {
            return Err(Problem::Setup(game::SetupError::NoPiece(color)));
        }
    }
    for color in Color::ALL {
        setup.remaining_pieces[color] = Setup::remaining_after(color, setup.covered[color])?;
    }
    let player = match value(properties, "PL") {
        None => before.color(),
        Some(text) => {
            let player = Color::ALL.into_iter().find(|&color| write_color(color).to_string() == text);
            player.ok_or_else(|| Problem::value(format!("PL[{text}]"), "the colour to move, 1 to 4"))?
        }
    };
    let fresh = Setup { turn: turn(player, &counts), in_play: ColorSet::ALL, mono_last: ColorSet::EMPTY, ..setup };
    Ok(without_stuck_colors(fresh.position()?)?)
}

/// Returns the piece of a value.
fn piece(property: &Property, text: &str) -> Result<Placement, Problem> {
    let expected = "the points of a piece, for example a20,b20";
    let placement = read_move(text).and_then(Move::placement);
    placement.ok_or_else(|| Problem::value(format!("{}[{text}]", property.id), expected))
}

/// Returns the colour of `A1` to `A4`.
fn color_of(id: &str) -> Option<Color> {
    Color::ALL.into_iter().find(|&color| id == format!("A{}", write_color(color)))
}

/// Returns the first turn of the player that allows all the pieces.
fn turn(player: Color, counts: &ByColor<u16>) -> u16 {
    let rounds = Color::ALL.into_iter().map(|color| counts[color].saturating_sub(u16::from(color < player))).max();
    4 * rounds.unwrap_or(0) + player as u16
}

/// Skips the colours that cannot move.
fn without_stuck_colors(position: Position) -> Result<Position, game::SetupError> {
    let setup = position.setup();
    let in_play: ColorSet = Color::ALL.into_iter().filter(|&color| position.board().has_placement(color)).collect();
    if in_play.contains(position.color()) {
        return Ok(position);
    }
    let skipped = (0..4).find(|&turns| in_play.contains(Color::from_turn(setup.turn + turns)));
    Setup { in_play, turn: setup.turn + skipped.unwrap_or(0), ..setup }.position()
}

/// Returns the properties of the root for the start of a game.
pub(super) fn write(start: &Position) -> Vec<Property> {
    let property = |id: &str, values: Vec<String>| Property { id: id.to_owned(), values };
    let mut properties = Vec::new();
    if let Some(piece) = start.start_piece() {
        properties.push(property("RU", vec![format!("{} {piece}", start.rules())]));
    }
    if Position::new(start.rules(), start.start_piece()).as_ref() == Ok(start) {
        return properties;
    }
    properties.push(property("BP", vec![start.to_string()]));
    for color in Color::ALL {
        let pieces: Vec<String> = pieces(start, color).map(write_move).collect();
        if !pieces.is_empty() {
            properties.push(property(&format!("A{}", write_color(color)), pieces));
        }
    }
    properties.push(property("PL", vec![write_color(start.color()).to_string()]));
    properties
}

/// Returns the pieces of a colour on the board.
fn pieces(position: &Position, color: Color) -> impl Iterator<Item = Move> {
    let groups = position.board().covered(color).groups();
    groups.filter_map(Placement::from_cells).map(Move::Place)
}
