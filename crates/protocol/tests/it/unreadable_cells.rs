//! States with unreadable cells on the board.

use game::{BOARD_SIZE, Bitboard, Color, Move, Piece, Position};
use protocol::{Element, RoomData, Season, ServerMessage, State};

/// Plays this number of turns with pieces of several sizes.
fn position(season: Season, turns: u16) -> Position {
    let mut position = Position::new(season.rules(), Some(Piece::PentoL)).unwrap();
    while position.turn() < turns {
        let placements = position.placements();
        position.play(Move::Place(placements[usize::from(position.turn() / 8) * 31 % placements.len()]));
    }
    position
}

/// Writes the state and replaces `found` in the given fields.
fn damaged(season: Season, position: Position, fields: &[usize], found: &str, by: &str) -> State {
    let state = State::new(season, position, None, ["", ""]);
    let message = ServerMessage::Room { room: "r".to_owned(), data: RoomData::Memento(Box::new(state)) };
    let xml = message.to_element(season).to_xml(0);
    let mut parts: Vec<String> = xml.split("<field ").map(str::to_owned).collect();
    for field in fields {
        let part = &mut parts[field + 1];
        let start = part.find(found).unwrap();
        let end = start + found.len() + part[start + found.len()..].find('"').unwrap() + 1;
        part.replace_range(start..end, by);
    }
    let element = Element::parse(&parts.join("<field ")).unwrap();
    match ServerMessage::parse(&element, season).unwrap() {
        ServerMessage::Room { data: RoomData::Memento(state), .. } => *state,
        other => panic!("{other:?}"),
    }
}

fn covered_cells(position: &Position) -> usize {
    BOARD_SIZE * BOARD_SIZE - position.board().empty().iter().count()
}

#[test]
fn piece_determines_colour_of_unreadable_cell() {
    for &season in Season::ALL {
        for turns in [5, 24] {
            let position = position(season, turns);
            for field in 0..covered_cells(&position) {
                for by in ["content=\"PINK\"", ""] {
                    let state = damaged(season, position, &[field], "content=\"", by);
                    assert_eq!(state.unreadable.len(), 1);
                    assert_eq!(state.position.to_string(), position.to_string(), "field {field}");
                }
            }
        }
    }
}

#[test]
fn no_move_covers_unreadable_cells() {
    for &season in Season::ALL {
        let position = position(season, 24);
        let fields = covered_cells(&position);
        let mut playable = 0;
        for first in 0..fields {
            let second = (first + 1) % fields;
            for (found, by) in [("content=\"", "content=\"PINK\""), ("x=\"", "x=\"-\""), ("y=\"", "")] {
                let state = damaged(season, position, &[first, second], found, by);
                assert_eq!(state.unreadable.len(), 2);
                playable += usize::from(state.position.legal_moves().len() > 1);
                for mv in state.position.legal_moves() {
                    assert_eq!(position.check(mv), Ok(()), "fields {first} and {second}: {by}: {}", state.position);
                }
            }
        }
        assert!(playable > 3 * fields * 9 / 10, "{playable} states leave a placement");
    }
}

#[test]
fn no_move_covers_a_lost_first_piece() {
    for &season in Season::ALL {
        let position = position(season, 4);
        let covered = Bitboard::BOARD.without(position.board().empty());
        let colors: Vec<Option<Color>> = covered.iter().map(|cell| position.board().color_at(cell)).collect();
        for color in Color::ALL {
            let fields: Vec<usize> = (0..colors.len()).filter(|&field| colors[field] == Some(color)).collect();
            let state = damaged(season, position, &fields, "x=\"", "x=\"-\"");
            assert_eq!(state.unreadable.len(), fields.len());
            for mv in state.position.legal_moves() {
                assert!(mv == Move::Pass || position.check(mv) == Ok(()), "{color}: {mv}: {}", state.position);
            }
        }
    }
}
