//! What a colour can still get if nobody hinders it.

use game::{Bitboard, Color, Piece, PieceSet, Position};

use crate::table::Key;

/// The future of a colour: which cells it may ever cover, which of its pieces it may ever place, and
/// how many points that brings at most.
///
/// Nothing outside [`reach`](Self::reach) matters to the colour, and it never covers a cell outside.
/// So colours whose reaches have no cell in common do not concern each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Prospect {
    /// All cells that any sequence of placements can cover, and maybe some more.
    pub reach: Bitboard,
    /// All pieces that any sequence of placements can place, and maybe some more.
    pub pieces: PieceSet,
    /// No sequence of placements brings more points than this.
    pub gain: i32,
    /// Equal for equal futures.
    pub key: Key,
}

impl Prospect {
    /// The future of a colour that will not move again.
    pub const NONE: Self =
        Self { reach: Bitboard::EMPTY, pieces: PieceSet::EMPTY, gain: 0, key: Key { place: 0, check: 0 } };

    /// The future of a colour in play.
    ///
    /// The cells of all placements are found, then those of all placements from their corners, and
    /// so on until nothing new is found. That a piece can be placed but once, and that cells of one
    /// piece forbid others, is not asked.
    pub fn of(position: &Position, color: Color) -> Self {
        let turns = own_turns(position, color);
        if turns == 0 {
            return Self::NONE;
        }
        let board = position.board();
        let (mut anchors, mut steps) = (board.anchors(color), 0);
        let (mut reach, mut pieces) = board.coverable(color, anchors, board.playable(color));
        loop {
            steps += 1;
            anchors |= reach.corners() & board.open(color);
            if steps >= turns {
                break;
            }
            let (grown, fitting) = board.coverable(color, anchors, board.left(color));
            let grown = reach | grown;
            pieces = pieces.union(fitting);
            if grown == reach {
                break;
            }
            reach = grown;
        }
        let gain = most_points(position, color, reach, pieces);
        let key = key(position, color, reach);
        Self { reach, pieces, gain, key }
    }
}

/// How many turns a colour has before the game ends by its turn limit; at most the number of turns
/// it can use.
pub fn own_turns(position: &Position, color: Color) -> u16 {
    let pieces = position.board().left(color).len() as u16;
    let Some(limit) = position.rules().turn_limit() else {
        return pieces;
    };
    let first = position.turn().saturating_add((color as u16 + 4 - position.turn() % 4) % 4);
    pieces.min(limit.saturating_sub(first).div_ceil(4))
}

fn most_points(position: &Position, color: Color, reach: Bitboard, pieces: PieceSet) -> i32 {
    let turns = own_turns(position, color) as usize;
    let mut sizes: Vec<usize> = pieces.iter().map(Piece::size).collect();
    sizes.reverse();
    let cells: usize = sizes.iter().take(turns).sum();
    let room = room(reach, pieces);
    let all = pieces == position.board().left(color) && turns >= pieces.len() && cells <= room;
    let bonus = match (all, pieces.contains(Piece::Mono)) {
        (true, true) => 20,
        (true, false) => 15,
        (false, _) => 0,
    };
    (cells.min(room) + bonus) as i32
}

/// How many cells of a set pieces of one colour can cover at most, looking at each connected part
/// of the set by itself: a small part holds one piece, and in a larger one cells must stay empty
/// between pieces, of which one can lie between four at most.
fn room(mut cells: Bitboard, pieces: PieceSet) -> usize {
    let mut room = 0;
    while let Some(first) = cells.first() {
        let mut part = Bitboard::only(first);
        loop {
            let grown = (part | part.sides()) & cells;
            if grown == part {
                break;
            }
            part = grown;
        }
        cells = cells.without(part);
        let size = part.len();
        room += pieces.iter().map(Piece::size).filter(|&piece| piece <= size).max().unwrap_or(0).max(
            // With one empty cell there are up to four pieces, with each more three more.
            (1..size).map(|empty| (size - empty).min((3 * empty + 1) * 5)).max().unwrap_or(0),
        );
    }
    room
}

/// A key of everything that the future of a colour depends on but the turn.
fn key(position: &Position, color: Color, reach: Bitboard) -> Key {
    let board = position.board();
    let anchors = board.anchors(color) & reach;
    let hand = u64::from(board.left(color).bits()) << 8 | color as u64;
    Key::of_words(reach.words().iter().chain(anchors.words()).copied().chain([hand]))
}
