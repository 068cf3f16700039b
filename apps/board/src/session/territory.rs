//! The cells that colours can still reach.

use game::{Bitboard, Board, ByColor, Color, Piece, PieceSet, Position};
use serde::Serialize;

use super::encoding::numbers;

/// The reach of a colour, in JSON `{"reach":[0,1,…],"sealed":[…],"fits":["MONO",…]}`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TerritoryOfColor {
    /// The cells that it could cover if the others passed. It cannot always cover all of them in one game.
    pub reach: Vec<u16>,
    /// The reached cells that the other team cannot reach.
    pub sealed: Vec<u16>,
    /// The remaining pieces that fit somewhere there; the others can never be placed.
    pub fits: Vec<Piece>,
}

/// Returns the reach of the colours in play, blue first. Others reach nothing.
pub fn territory(position: &Position) -> [TerritoryOfColor; 4] {
    let board = position.board();
    let all: ByColor<(Bitboard, PieceSet)> = ByColor::from_fn(|color| {
        if position.in_play().contains(color) { reach(board, color) } else { (Bitboard::EMPTY, PieceSet::EMPTY) }
    });
    let of_color = |color: Color| {
        let (reach, fits) = all[color];
        let [first, second] = color.opponents();
        let theirs = all[first].0 | all[second].0;
        TerritoryOfColor { reach: numbers(reach), sealed: numbers(reach.without(theirs)), fits: fits.iter().collect() }
    };
    Color::ALL.map(of_color)
}

/// Returns the cells that a colour could cover by a chain of placements, and the pieces that fit.
fn reach(board: &Board, color: Color) -> (Bitboard, PieceSet) {
    let (mut reached, mut fits) = (Bitboard::EMPTY, PieceSet::EMPTY);
    // First the playable pieces, then all remaining ones.
    let mut pieces = board.playable(color);
    let mut anchors = board.anchors(color);
    let mut seen = Bitboard::EMPTY;
    let mut list = Vec::new();
    while !anchors.is_empty() {
        list.clear();
        board.list_fitting(color, anchors, pieces, &mut list);
        if pieces == board.remaining_pieces(color) {
            seen |= anchors;
        }
        let mut corners = Bitboard::EMPTY;
        for &placement in &list {
            reached |= placement.cells();
            corners |= placement.corners();
            fits.insert(placement.piece());
        }
        pieces = board.remaining_pieces(color);
        anchors = (corners & board.open(color)).without(seen);
    }
    (reached, fits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Cell, Move, Rules};
    use player::{FromOptions, Options, Player, RandomPlayer, SearchLimits};

    #[test]
    fn moves_stay_within_the_reach() {
        for seed in 0..10 {
            let mut random = RandomPlayer::new(&Options { seed, ..Options::default() });
            let mut position = Position::new(Rules::Classic, None).unwrap();
            for _ in 0..30 {
                position.play(random.choose(&position, &SearchLimits::nodes(1)).mv);
            }
            let before = position;
            let territory = territory(&before);
            while !position.is_over() {
                let (color, mv) = (position.color(), random.choose(&position, &SearchLimits::nodes(1)).mv);
                let Move::Place(placement) = mv else { panic!("nobody needs to pass") };
                let own = &territory[color as usize];
                assert!(own.fits.contains(&placement.piece()));
                assert!(numbers(placement.cells()).iter().all(|cell| own.reach.contains(cell)));
                for opponent in color.opponents() {
                    let theirs = &territory[opponent as usize];
                    assert!(!numbers(placement.cells()).iter().any(|cell| theirs.sealed.contains(cell)));
                }
                position.play(mv);
            }
        }
    }

    #[test]
    fn enclosed_colour_reaches_nothing() {
        // Blue's only corner leads to one cell, for the others around it are covered.
        let board = "B3Y15/1YY17/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20";
        let text = format!("classic - 5 BYRG - {board}");
        let Ok(position) = text.parse::<Position>() else { panic!("{text}") };
        let blue = &territory(&position)[0];
        assert!(blue.reach.is_empty() && blue.fits.is_empty(), "{blue:?}");
        assert!(position.board().anchors(Color::Blue).is_empty());
        assert!(Cell::new(1, 1).is_some_and(|cell| position.board().covered(Color::Yellow).contains(cell)));
    }
}
