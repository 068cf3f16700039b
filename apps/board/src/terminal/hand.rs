//! The held piece: its orientation and position.

use game::{BOARD_SIZE, Cell, Piece, Placement, Rotation, Shape};

/// The held piece and the position of the hand.
#[derive(Clone, Debug)]
pub(super) struct Hand {
    held: Option<Held>,
    /// The cell of the board under the grip of the piece; may have no piece.
    at: (i32, i32),
}

#[derive(Clone, Copy, Debug)]
struct Held {
    piece: Piece,
    quarters: usize,
    is_flipped: bool,
}

impl Default for Hand {
    fn default() -> Self {
        let middle = BOARD_SIZE as i32 / 2;
        Self { held: None, at: (middle, middle) }
    }
}

impl Held {
    fn shape(self) -> Shape {
        Shape::new(self.piece, Rotation::ALL[self.quarters], self.is_flipped)
    }

    /// Returns the cell of the piece nearest to its centre. The hand holds the piece there.
    fn grip(self) -> (i32, i32) {
        let cells = self.shape().cells();
        let count = cells.len() as i32;
        let sum = cells.iter().fold((0, 0), |sum, &(x, y)| (sum.0 + i32::from(x), sum.1 + i32::from(y)));
        // All distances are multiplied by the number of cells, which keeps them whole.
        let distance = |&(x, y): &(i32, i32)| {
            (count * x - sum.0) * (count * x - sum.0) + (count * y - sum.1) * (count * y - sum.1)
        };
        cells.iter().map(|&(x, y)| (i32::from(x), i32::from(y))).min_by_key(distance).unwrap_or((0, 0))
    }
}

impl Hand {
    /// Returns the held piece.
    pub fn piece(&self) -> Option<Piece> {
        self.held.map(|held| held.piece)
    }

    pub fn take(&mut self, piece: Piece) {
        self.held = Some(Held { piece, quarters: 0, is_flipped: false });
    }

    pub fn put_back(&mut self) {
        self.held = None;
    }

    /// Turns the piece clockwise by quarters on the screen.
    pub fn turn(&mut self, quarters: usize) {
        if let Some(held) = &mut self.held {
            // A mirrored piece was turned before it was mirrored.
            let quarters = if held.is_flipped { 4 - quarters } else { quarters };
            held.quarters = (held.quarters + quarters) % 4;
        }
    }

    pub fn mirror(&mut self) {
        if let Some(held) = &mut self.held {
            held.is_flipped = !held.is_flipped;
        }
    }

    pub fn step(&mut self, dx: i32, dy: i32) {
        self.go(self.at.0 + dx, self.at.1 + dy);
    }

    /// Moves the hand to the nearest cell of the board.
    pub fn go(&mut self, x: i32, y: i32) {
        let last = BOARD_SIZE as i32 - 1;
        self.at = (x.clamp(0, last), y.clamp(0, last));
    }

    /// Returns the shape and the upper left corner of its bounding box, which may lie off the board.
    pub fn place(&self) -> Option<(Shape, i32, i32)> {
        let held = self.held?;
        let (dx, dy) = held.grip();
        Some((held.shape(), self.at.0 - dx, self.at.1 - dy))
    }

    /// Returns the cells of the board that the piece covers.
    pub fn cells(&self) -> Vec<Cell> {
        let Some((shape, x, y)) = self.place() else { return Vec::new() };
        shape.cells().iter().filter_map(|&(dx, dy)| Cell::new(x + i32::from(dx), y + i32::from(dy))).collect()
    }

    /// Returns the positions of the hand for legal placements in the present orientation.
    pub fn legal_cells(&self, legal: &[Placement]) -> Vec<Cell> {
        let Some(held) = self.held else { return Vec::new() };
        let (shape, (dx, dy)) = (held.shape(), held.grip());
        let places = legal.iter().filter(|placement| placement.shape() == shape);
        places
            .filter_map(|placement| Cell::new(placement.corner().x() as i32 + dx, placement.corner().y() as i32 + dy))
            .collect()
    }

    /// Moves the hand to the next or previous legal cell in reading order. Returns `false` if there is none.
    pub fn jump(&mut self, legal: &[Placement], is_forward: bool) -> bool {
        let number = |(x, y): (i32, i32)| x + BOARD_SIZE as i32 * y;
        let here = number(self.at);
        let mut cells: Vec<(i32, i32)> =
            self.legal_cells(legal).into_iter().map(|cell| (cell.x() as i32, cell.y() as i32)).collect();
        cells.sort_by_key(|&cell| number(cell));
        let next = if is_forward {
            cells.iter().find(|&&cell| number(cell) > here).or(cells.first())
        } else {
            cells.iter().rev().find(|&&cell| number(cell) < here).or(cells.last())
        };
        next.map(|&cell| self.at = cell).is_some()
    }

    /// Turns the piece so that it fits somewhere, if there is a way.
    pub fn turn_to_fit(&mut self, legal: &[Placement]) {
        let Some(held) = self.held else { return };
        let ways = [false, true].into_iter().flat_map(|flipped| (0..4).map(move |quarters| (flipped, quarters)));
        let mut turned = ways.map(|(is_flipped, quarters)| Held { quarters, is_flipped, ..held });
        let fits = |held: &Held| legal.iter().any(|placement| placement.shape() == held.shape());
        if let Some(held) = turned.find(fits) {
            self.held = Some(held);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Position;

    fn cells(hand: &Hand) -> Vec<(i32, i32)> {
        hand.cells().into_iter().map(|cell| (cell.x() as i32, cell.y() as i32)).collect()
    }

    /// Sorts cells and moves them to the upper left.
    fn normal(mut cells: Vec<(i32, i32)>) -> Vec<(i32, i32)> {
        let left = cells.iter().map(|cell| cell.0).min().unwrap();
        let top = cells.iter().map(|cell| cell.1).min().unwrap();
        cells.iter_mut().for_each(|cell| *cell = (cell.0 - left, cell.1 - top));
        cells.sort_unstable();
        cells
    }

    #[test]
    fn pieces_turn_clockwise_and_back() {
        for piece in Piece::ALL {
            let mut hand = Hand::default();
            hand.take(piece);
            let start = cells(&hand);
            for _ in 0..2 {
                let turned = cells(&hand).into_iter().map(|(x, y)| (-y, x)).collect();
                hand.turn(1);
                assert_eq!(normal(cells(&hand)), normal(turned), "{piece}");
                hand.turn(3);
                hand.mirror();
            }
            assert_eq!(cells(&hand), start, "{piece}");
        }
    }

    #[test]
    fn jumps_cycle_through_all_legal_places() {
        let position = Position::new(game::Rules::Classic, None).unwrap();
        let legal = position.placements();
        let mut hand = Hand::default();
        hand.take(Piece::Domino);
        let places = hand.legal_cells(&legal).len();
        assert!(places > 0 && hand.jump(&legal, true));
        let first = hand.at;
        for _ in 0..places {
            assert!(hand.jump(&legal, true));
        }
        assert_eq!(hand.at, first);
        let (shape, x, y) = hand.place().unwrap();
        assert!(position.check_piece(position.color(), shape, x, y).is_ok());
    }
}
