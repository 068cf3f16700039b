//! A second, plain implementation of the rules, to compare the bitboards with.
//!
//! It takes only names from the game crate: a piece is a list of coordinates, the 21 pieces grow cell by cell, and the
//! checks of a move visit each of its cells and their neighbours.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use game::{Bitboard, ByColor, Color, IllegalMove, Piece, Rotation, Rules, Shape, Team};

/// x to the right and y down, from the upper left.
pub type Point = (i32, i32);

/// Points in ascending order, for example those that a piece covers.
pub type Points = Vec<Point>;

const SIZE: i32 = 20;

/// A value for each point, by row and column.
type Grid<T> = [[T; SIZE as usize]; SIZE as usize];

/// Reasons against a move, in the order of the checks.
const REASONS: [IllegalMove; 10] = [
    IllegalMove::GameOver,
    IllegalMove::WrongColor,
    IllegalMove::PassOnFirstMove,
    IllegalMove::NotStartPiece,
    IllegalMove::PieceNotLeft,
    IllegalMove::OutOfBounds,
    IllegalMove::Obstructed,
    IllegalMove::TouchesOwnColor,
    IllegalMove::NotOnStart,
    IllegalMove::NoSharedCorner,
];

/// Returns all polyominoes of one to five cells in the [`form`] of a sorted list. Every polyomino is a smaller one plus
/// an adjacent cell.
static FORMS: LazyLock<BTreeSet<Points>> = LazyLock::new(|| {
    let mut size = BTreeSet::from([vec![(0, 0)]]);
    let mut all = size.clone();
    for _ in 2..=5 {
        let grown = size.iter().flat_map(|form| {
            form.iter().flat_map(|&point| beside(point)).filter(|point| !form.contains(point)).map(|point| {
                let mut larger = form.clone();
                larger.push(point);
                self::form(&larger)
            })
        });
        size = grown.collect();
        all.extend(size.iter().cloned());
    }
    all
});

/// Every way to put any piece on the empty board.
pub static PLACEMENTS: LazyLock<Vec<Placement>> = LazyLock::new(|| {
    let mut all = Vec::new();
    for form in FORMS.iter() {
        let piece = piece_of(form).expect("a form is a piece");
        for turned in symmetries(form).collect::<BTreeSet<_>>() {
            for (dx, dy) in (0..SIZE).flat_map(|x| (0..SIZE).map(move |y| (x, y))) {
                let points: Points = turned.iter().map(|&(x, y)| (x + dx, y + dy)).collect();
                if points.iter().all(|&point| on_board(point)) {
                    all.push(Placement { piece, points });
                }
            }
        }
    }
    all
});

/// A piece at a place on the board.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Placement {
    /// The piece.
    pub piece: Piece,
    /// The points that it covers.
    pub points: Points,
}

impl From<game::Placement> for Placement {
    fn from(placement: game::Placement) -> Self {
        Self { piece: placement.piece(), points: points(placement.cells()) }
    }
}

/// A game at some moment.
#[derive(Clone, Debug)]
pub struct Game {
    rules: Rules,
    start_piece: Option<Piece>,
    board: Grid<Option<Color>>,
    /// The remaining pieces.
    pub remaining: ByColor<BTreeSet<Piece>>,
    last: ByColor<Option<Piece>>,
    /// The colours that have not been removed.
    pub in_play: BTreeSet<Color>,
    /// The turn number.
    pub turn: u16,
}

impl Game {
    /// Creates the start of a game.
    pub fn new(rules: Rules, start_piece: Option<Piece>) -> Self {
        Self {
            rules,
            start_piece,
            board: Default::default(),
            remaining: ByColor::from_fn(|_| Piece::ALL.into()),
            last: ByColor::default(),
            in_play: Color::ALL.into(),
            turn: 0,
        }
    }

    /// Returns the colour to move.
    pub fn color(&self) -> Color {
        Color::ALL[usize::from(self.turn) % 4]
    }

    /// Returns the colour that covers a point.
    pub fn at(&self, (x, y): Point) -> Option<Color> {
        if on_board((x, y)) { self.board[y as usize][x as usize] } else { None }
    }

    /// Returns `true` if the game is over.
    pub fn is_over(&self) -> bool {
        let limit = match self.rules {
            Rules::Season2021 => 100,
            Rules::Season2027 => 96,
            Rules::Classic | Rules::FourPlayers => u16::MAX,
            other => panic!("no naive rules for {other}"),
        };
        self.in_play.is_empty() || self.turn >= limit
    }

    /// Returns the points of a colour.
    pub fn points(&self, color: Color) -> i32 {
        let covered = self.board.iter().flatten().filter(|&&other| other == Some(color)).count() as i32;
        match (self.remaining[color].is_empty(), self.last[color]) {
            (false, _) => covered,
            (true, Some(Piece::Mono)) => covered + 20,
            (true, _) => covered + 15,
        }
    }

    /// Returns the points of a team.
    pub fn team_points(&self, team: Team) -> i32 {
        match team {
            Team::One => self.points(Color::Blue) + self.points(Color::Red),
            Team::Two => self.points(Color::Yellow) + self.points(Color::Green),
        }
    }

    /// Returns all reasons why a placement is illegal, in the order of the checks.
    pub fn reasons_against(&self, color: Color, piece: Piece, points: &Points) -> impl Iterator<Item = IllegalMove> {
        REASONS.into_iter().filter(move |&reason| self.applies(reason, color, piece, points))
    }

    /// Returns the reason why a pass is illegal, if any.
    pub fn reason_against_pass(&self) -> Option<IllegalMove> {
        match () {
            () if self.is_over() => Some(IllegalMove::GameOver),
            () if self.is_first(self.color()) => Some(IllegalMove::PassOnFirstMove),
            () => None,
        }
    }

    /// Returns the legal placements of a colour, were it to move.
    pub fn legal(&self, color: Color) -> impl Iterator<Item = &'static Placement> {
        let own = |point: Point| self.at(point) == Some(color);
        let first = self.is_first(color);
        let free = grid(|point| self.at(point).is_none() && !beside(point).into_iter().any(own));
        let linked = grid(|point| if first { self.is_start(color, point) } else { aslant(point).into_iter().any(own) });
        PLACEMENTS.iter().filter(move |Placement { piece, points }| {
            let all_free = points.iter().all(|&(x, y)| free[y as usize][x as usize]);
            all_free
                && points.iter().any(|&(x, y)| linked[y as usize][x as usize])
                && self.remaining[color].contains(piece)
                && !(first && self.start_piece.is_some_and(|start| start != *piece))
        })
    }

    /// Puts a piece on the board, or passes.
    pub fn play(&mut self, placement: Option<&Placement>) {
        let color = self.color();
        if let Some(Placement { piece, points }) = placement {
            for &(x, y) in points {
                self.board[y as usize][x as usize] = Some(color);
            }
            self.remaining[color].remove(piece);
            self.last[color] = Some(*piece);
        }
        self.turn += 1;
        while !self.in_play.contains(&self.color()) || self.legal(self.color()).next().is_none() {
            self.in_play.remove(&self.color());
            if self.in_play.is_empty() {
                break;
            }
            self.turn += 1;
        }
    }

    fn is_first(&self, color: Color) -> bool {
        self.remaining[color].len() == Piece::COUNT
    }

    fn applies(&self, reason: IllegalMove, color: Color, piece: Piece, points: &Points) -> bool {
        let first = self.is_first(color);
        let any = |matches: &dyn Fn(Point) -> bool| points.iter().any(|&point| matches(point));
        let own = |point: Point| self.at(point) == Some(color);
        match reason {
            IllegalMove::GameOver => self.is_over(),
            IllegalMove::WrongColor => color != self.color(),
            IllegalMove::PassOnFirstMove => false,
            IllegalMove::NotStartPiece => first && self.start_piece.is_some_and(|start| start != piece),
            IllegalMove::PieceNotLeft => !self.remaining[color].contains(&piece),
            IllegalMove::OutOfBounds => any(&|point| !on_board(point)),
            IllegalMove::Obstructed => any(&|point| self.at(point).is_some()),
            IllegalMove::TouchesOwnColor => any(&|point| beside(point).into_iter().any(own)),
            IllegalMove::NotOnStart => first && !any(&|point| self.is_start(color, point)),
            IllegalMove::NoSharedCorner => !first && !any(&|point| aslant(point).into_iter().any(own)),
        }
    }

    fn is_start(&self, color: Color, (x, y): Point) -> bool {
        let (edge_x, edge_y) = (x == 0 || x == SIZE - 1, y == 0 || y == SIZE - 1);
        match self.rules {
            Rules::Season2021 => edge_x && edge_y,
            Rules::Season2027 => edge_x || edge_y,
            Rules::Classic | Rules::FourPlayers => {
                (x, y)
                    == match color {
                        Color::Blue => (0, 0),
                        Color::Yellow => (19, 0),
                        Color::Red => (19, 19),
                        Color::Green => (0, 19),
                    }
            }
            other => panic!("no naive rules for {other}"),
        }
    }
}

/// Returns the points of a set of cells.
pub fn points(cells: Bitboard) -> Points {
    sorted(cells.into_iter().map(|cell| (cell.x() as i32, cell.y() as i32)))
}

fn sorted(points: impl Iterator<Item = Point>) -> Points {
    let mut points: Points = points.collect();
    points.sort_unstable();
    points
}

fn grid(value: impl Fn(Point) -> bool) -> Grid<bool> {
    std::array::from_fn(|y| std::array::from_fn(|x| value((x as i32, y as i32))))
}

/// Returns the name of the piece that some points form.
fn piece_of(points: &Points) -> Option<Piece> {
    static NAMES: LazyLock<HashMap<Points, Piece>> = LazyLock::new(|| {
        let drawn = |piece| Shape::new(piece, Rotation::None, false).cells();
        let form_of = |piece| form(&drawn(piece).iter().map(|&(x, y)| (x.into(), y.into())).collect());
        Piece::ALL.into_iter().map(|piece| (form_of(piece), piece)).collect()
    });
    NAMES.get(&form(points)).copied()
}

/// Returns the least of the eight symmetric images of a piece.
fn form(points: &Points) -> Points {
    symmetries(points).min().expect("there are eight")
}

/// Returns the points turned and mirrored in all eight ways, each moved to the upper left.
fn symmetries(points: &Points) -> impl Iterator<Item = Points> {
    let images: [fn(Point) -> Point; 8] = [
        |(x, y)| (x, y),
        |(x, y)| (-x, y),
        |(x, y)| (x, -y),
        |(x, y)| (-x, -y),
        |(x, y)| (y, x),
        |(x, y)| (-y, x),
        |(x, y)| (y, -x),
        |(x, y)| (-y, -x),
    ];
    images.into_iter().map(|image| {
        let turned: Vec<Point> = points.iter().copied().map(image).collect();
        let left = turned.iter().map(|point| point.0).min().unwrap_or(0);
        let top = turned.iter().map(|point| point.1).min().unwrap_or(0);
        sorted(turned.into_iter().map(|(x, y)| (x - left, y - top)))
    })
}

fn on_board((x, y): Point) -> bool {
    (0..SIZE).contains(&x) && (0..SIZE).contains(&y)
}

fn beside((x, y): Point) -> [Point; 4] {
    [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
}

fn aslant((x, y): Point) -> [Point; 4] {
    [(x - 1, y - 1), (x + 1, y - 1), (x - 1, y + 1), (x + 1, y + 1)]
}
