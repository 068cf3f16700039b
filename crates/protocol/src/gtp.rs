//! Moves, colours and games as engines with the Go Text Protocol write them.
//!
//! The dialect is Pentobi's (*Pentobi GTP interface* in its manual): colours are the numbers 1 to 4 in turn order, a
//! placement is the list of its points, and points are a1 to t20 from the bottom left.

use game::{BOARD_SIZE, Bitboard, Cell, Color, Move, Placement, Rules};

/// Returns `1` to `4`.
///
/// ```
/// assert_eq!(protocol::gtp::write_color(game::Color::Blue), '1');
/// ```
pub const fn write_color(color: Color) -> char {
    (b'1' + color as u8) as char
}

/// Returns the colour of a number from 1 to 4, of a name or of its first letter; upper and lower case are the same.
///
/// ```
/// use game::Color;
/// use protocol::gtp::{read_color, write_color};
///
/// assert_eq!(["3", "red", "R"].map(read_color), [Some(Color::Red); 3]);
/// assert_eq!(write_color(Color::Red), '3');
/// ```
pub fn read_color(text: &str) -> Option<Color> {
    let is_named = |color: Color| {
        let name = color.name();
        text.chars().eq([write_color(color)]) || [name, &name[..1]].iter().any(|name| text.eq_ignore_ascii_case(name))
    };
    Color::ALL.into_iter().find(|&color| is_named(color))
}

/// Returns the points of a placement with commas between them, or `pass`. As in Pentobi's files the lowest
/// row comes first, so that a move is written in one way.
///
/// ```
/// let mv = "TRIO_L@0,0".parse()?;
/// assert_eq!(protocol::gtp::write_move(mv), "a19,b19,a20");
/// # Ok::<(), game::NotationError>(())
/// ```
pub fn write_move(mv: Move) -> String {
    match mv {
        Move::Pass => "pass".to_owned(),
        Move::Place(placement) => {
            let mut cells: Vec<Cell> = placement.cells().iter().collect();
            cells.sort_by_key(|cell| (BOARD_SIZE - cell.y(), cell.x()));
            let points: Vec<String> = cells.into_iter().map(write_point).collect();
            points.join(",")
        }
    }
}

/// Returns the move that consists of these points in any order, or of the word `pass`; upper and lower case are the
/// same.
///
/// ```
/// use game::Move;
/// use protocol::gtp::read_move;
///
/// assert_eq!(read_move("PASS"), Some(Move::Pass));
/// assert_eq!(read_move("b20,a20"), "DOMINO@0,0".parse().ok());
/// assert_eq!(read_move("a20,t1"), None);
/// ```
pub fn read_move(text: &str) -> Option<Move> {
    if text.eq_ignore_ascii_case("pass") {
        return Some(Move::Pass);
    }
    let mut cells = Bitboard::EMPTY;
    for point in text.split(',') {
        cells.insert(read_point(point.trim()).filter(|&cell| !cells.contains(cell))?);
    }
    Placement::from_cells(cells).map(Move::Place)
}

fn write_point(cell: Cell) -> String {
    format!("{}{}", (b'a' + cell.x() as u8) as char, BOARD_SIZE - cell.y())
}

fn read_point(text: &str) -> Option<Cell> {
    let column = text.chars().next()?.to_ascii_lowercase();
    let row: i32 = text.get(1..)?.parse().ok()?;
    let x = column as i32 - 'a' as i32;
    Cell::new(x, (BOARD_SIZE as i32).checked_sub(row)?)
}

/// Returns the name of the game with these rules: a season's number, `Blokus Two-Player` or, for four players,
/// `Blokus`.
///
/// ```
/// assert_eq!(protocol::gtp::write_game(game::Rules::Classic), "Blokus Two-Player");
/// ```
pub const fn write_game(rules: Rules) -> &'static str {
    match rules {
        Rules::Classic => "Blokus Two-Player",
        Rules::FourPlayers => "Blokus",
        _ => rules.name(),
    }
}

/// Returns the rules of a game as written by [`write_game`]; `classic` is understood, too.
///
/// ```
/// assert_eq!(protocol::gtp::read_game("2027"), Some(game::Rules::Season2027));
/// ```
pub fn read_game(text: &str) -> Option<Rules> {
    Rules::ALL.iter().copied().find(|&rules| write_game(rules) == text || rules.name() == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_count_from_the_bottom_left() {
        let mono = |x, y| Move::Place(Placement::from_cells(Bitboard::only(Cell::new(x, y).unwrap())).unwrap());
        for (text, x, y) in [("a1", 0, 19), ("t20", 19, 0), ("c18", 2, 2)] {
            assert_eq!(read_move(text), Some(mono(x, y)));
            assert_eq!(write_move(mono(x, y)), text);
        }
    }

    #[test]
    fn moves_round_trip() {
        for placement in Placement::all().step_by(97) {
            assert_eq!(read_move(&write_move(Move::Place(placement))), Some(Move::Place(placement)));
        }
        assert_eq!(read_move("PASS"), Some(Move::Pass));
        assert_eq!(read_move("B1, a1"), read_move("a1,b1"));
        for text in ["", "a0", "a21", "u1", "a1,a3", "a1,b2", "é1", "a", "a1,", "a99999999999", "a-2147483648"] {
            assert_eq!(read_move(text), None, "{text}");
        }
        assert_eq!(["a1,a1", "a1,b1,A1"].map(read_move), [None; 2]);
    }

    #[test]
    fn colors_and_games_have_names() {
        for color in Color::ALL {
            assert_eq!(read_color(&write_color(color).to_string()), Some(color));
            assert_eq!(read_color(&color.name().to_lowercase()), Some(color));
        }
        for text in ["", "0", "5", "12", "black", "w", "bl"] {
            assert_eq!(read_color(text), None, "{text}");
        }
        for &rules in Rules::ALL {
            assert_eq!(read_game(write_game(rules)), Some(rules));
            assert_eq!(read_game(rules.name()), Some(rules));
        }
        assert_eq!(read_game("Blokus Duo"), None);
    }
}
