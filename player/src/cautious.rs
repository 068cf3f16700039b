//! Beginning the game only with moves that the official programs suggest.

use game::{BOARD_SIZE, Cell, Color, MAX_PIECE_SIZE, Placement, Position, Rules};

use crate::api::Limit;

/// Through this round only the largest pieces are suggested.
const LAST_ROUND: u16 = 5;

/// The last column and row.
const LAST: usize = BOARD_SIZE - 1;

/// The limit with a choice among those moves only that are sure to be accepted at the beginning of a game of season
/// 2027; later, in games of other rules, and where none of them is legal, the limit as it is.
///
/// The rules allow more. But the official programs of that season suggest only such first moves to their players, and
/// whether each server accepts others could not be tried. So this is an insurance. What is suggested, by the official
/// Python package (`get_filtered_possible_moves` in `game_rule_logic.rs` of `software-challenge/player_python`):
///
/// * as first placement of blue and yellow one that touches the top or left border but not the right one, of red and
///   green one that touches the bottom or right border but not the left one, so that each place at the border belongs
///   to two of the colours;
/// * after that, through round five, pieces of five cells.
///
/// ```
/// use game::{Piece, Position, Rules};
/// use player::{FromOptions, HeuristicPlayer, Limit, Options, Player, cautious_start};
///
/// let position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
/// let limit = cautious_start(&position, Limit::nodes(1));
/// let report = HeuristicPlayer::new(&Options::default()).choose(&position, &limit);
/// let cells = report.mv.placement().expect("a first move places a piece").cells();
/// assert!(cells.iter().any(|cell| cell.x() == 0 || cell.y() == 0), "blue is on turn");
/// # Ok::<(), game::SetupError>(())
/// ```
pub fn cautious_start(position: &Position, limit: Limit) -> Limit {
    let (board, color) = (position.board(), position.color());
    if position.rules() != Rules::Season2027 || position.round() > LAST_ROUND {
        return limit;
    }
    let mut placements = limit.placements(position);
    if board.covered(color).is_empty() {
        placements.retain(|&placement| is_at_home(color, placement));
    } else {
        placements.retain(|placement| placement.piece().size() == MAX_PIECE_SIZE);
    }
    if placements.is_empty() { limit } else { limit.among(placements) }
}

/// Whether a placement lies at the part of the border where a colour is to begin.
fn is_at_home(color: Color, placement: Placement) -> bool {
    let touches = |is_there: fn(Cell) -> bool| placement.cells().iter().any(is_there);
    let (left, top) = (touches(|cell| cell.x() == 0), touches(|cell| cell.y() == 0));
    let (right, bottom) = (touches(|cell| cell.x() == LAST), touches(|cell| cell.y() == LAST));
    match color {
        Color::Blue | Color::Yellow => (left || top) && !right,
        Color::Red | Color::Green => (right || bottom) && !left,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, by_name};
    use game::{Move, Piece};

    fn start(piece: Piece) -> Position {
        Position::new(Rules::Season2027, Some(piece)).unwrap()
    }

    #[test]
    fn each_place_at_the_border_belongs_to_two_colours() {
        let at_border =
            |placement: &Placement| placement.cells().intersects(Rules::Season2027.start_cells(Color::Blue));
        for placement in
            Placement::all().filter(|placement| placement.piece().size() == MAX_PIECE_SIZE).filter(at_border)
        {
            let homes = Color::ALL.map(|color| is_at_home(color, placement));
            assert!([[true, true, false, false], [false, false, true, true]].contains(&homes), "{placement} {homes:?}");
        }
        for (placement, blue) in [
            ("PENTO_I@0,0", true),
            ("PENTO_I-RIGHT@15,0", false),
            ("PENTO_I@0,15", true),
            ("PENTO_I@19,15", false),
            ("PENTO_I-RIGHT@0,19", true),
            ("PENTO_I-RIGHT@1,19", false),
        ] {
            assert_eq!(is_at_home(Color::Blue, placement.parse().unwrap()), blue, "{placement}");
        }
    }

    #[test]
    fn every_player_begins_cautiously() {
        let options = Options { memory: 4 << 20, ..Options::default() };
        for name in crate::NAMES.into_iter().chain(crate::Level::ALL.map(crate::Level::name)) {
            for start_piece in Rules::Season2027.start_pieces().iter() {
                let mut player = by_name(name, &options).unwrap();
                let mut position = start(start_piece);
                while position.round() <= LAST_ROUND {
                    let limit = cautious_start(&position, Limit::nodes(20));
                    let color = position.color();
                    let is_fine = |placement: Placement| match position.round() {
                        1 => is_at_home(color, placement),
                        _ => placement.piece().size() == MAX_PIECE_SIZE,
                    };
                    // Whoever plays badly may have no room for a large piece.
                    let is_possible = position.legal_moves().into_iter().filter_map(Move::placement).any(is_fine);
                    assert_eq!(limit.is_restricted(), is_possible);
                    let report = player.choose(&position, &limit);
                    let placement = report.mv.placement().unwrap();
                    let round = position.round();
                    assert!(is_fine(placement) || !is_possible, "{name}: {placement} of {color} in round {round}");
                    position.try_play(report.mv).unwrap();
                }
                assert!(!cautious_start(&position, Limit::nodes(20)).is_restricted());
            }
        }
    }

    #[test]
    fn the_choice_is_only_restricted_where_that_leaves_one() {
        let limit = || Limit::nodes(1);
        let other_rules = Position::new(Rules::Season2021, Some(Piece::PentoL)).unwrap();
        assert_eq!(cautious_start(&other_rules, limit()), limit());

        // Blue has no piece of five cells left in round two.
        let mut position = start(Piece::PentoI);
        position.play(Move::Place("PENTO_I@0,0".parse().unwrap()));
        let mut setup = position.setup();
        setup.turn = 4;
        assert!(cautious_start(&setup.position().unwrap(), limit()).is_restricted());
        setup.left[Color::Blue] = Piece::ALL.into_iter().filter(|piece| piece.size() < MAX_PIECE_SIZE).collect();
        let position = setup.position().unwrap();
        assert!(position.board().has_placement(position.color()));
        assert_eq!(cautious_start(&position, limit()), limit());
    }
}
