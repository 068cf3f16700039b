//! Moves on the wire.

use std::fmt;

use game::{Color, IllegalMove, Move, Piece, Placement, Position, Rotation, Shape};

use crate::element::Element;
use crate::season::Season;

/// A move as sent. It may be illegal, and one move has several forms.
///
/// ```
/// use game::{Color, Piece, Position, Rules};
/// use protocol::{Season, WireMove};
///
/// let position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
/// let mv = "PENTO_W@0,7".parse()?;
/// let wire = WireMove::new(Color::Blue, mv);
/// assert_eq!(wire.check(&position)?, mv);
/// assert_eq!(wire.to_string(), format!("BLUE {mv}"));
/// let class = wire.to_element("data", Season::Season2027);
/// assert_eq!(class.attribute("class"), Some("sc.plugin2027.SetMove"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WireMove {
    /// Places a piece.
    Set(PieceMove),
    /// Passes. `None` if the sender left the colour out.
    Skip {
        /// The colour that passes.
        color: Option<Color>,
    },
}

/// A piece at a place, as it is sent.
///
/// ```
/// use game::Color;
/// use protocol::WireMove;
///
/// let WireMove::Set(piece) = WireMove::new(Color::Red, "MONO@3,4".parse()?) else { panic!() };
/// assert_eq!(piece.placement().map(|placement| placement.to_string()).as_deref(), Some("MONO@3,4"));
/// # Ok::<(), game::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PieceMove {
    /// The colour of the piece. `None` if the sender left it out.
    pub color: Option<Color>,
    /// The piece.
    pub piece: Piece,
    /// Rotation of the piece.
    pub rotation: Rotation,
    /// `true` if the piece is mirrored in x after being turned.
    pub flipped: bool,
    /// Column of the left side of the bounding box.
    pub x: i32,
    /// Row of the upper side of the bounding box.
    pub y: i32,
}

impl fmt::Display for WireMove {
    /// For people: the colour, if it was named, and the move in our notation, wherever it lies.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(color) = self.color() {
            write!(f, "{color} ")?;
        }
        match self {
            Self::Set(PieceMove { piece, rotation, flipped, x, y, .. }) => {
                let turned = if *rotation == Rotation::None { String::new() } else { format!("-{rotation}") };
                write!(f, "{piece}{turned}{}@{x},{y}", if *flipped { "-FLIPPED" } else { "" })
            }
            Self::Skip { .. } => f.write_str("PASS"),
        }
    }
}

impl WireMove {
    /// Creates a move of a colour.
    pub fn new(color: Color, mv: Move) -> Self {
        let color = Some(color);
        match mv {
            Move::Place(placement) => {
                let (rotation, flipped) = placement.shape().orientation();
                let (x, y) = (placement.corner().x() as i32, placement.corner().y() as i32);
                Self::Set(PieceMove { color, piece: placement.piece(), rotation, flipped, x, y })
            }
            Move::Pass => Self::Skip { color },
        }
    }

    /// Returns the colour that moves, if the sender named it.
    pub fn color(&self) -> Option<Color> {
        match *self {
            Self::Set(PieceMove { color, .. }) | Self::Skip { color } => color,
        }
    }

    /// Resolves the move in a position.
    ///
    /// # Errors
    /// The reason why it is not legal there.
    pub fn check(&self, position: &Position) -> Result<Move, IllegalMove> {
        match *self {
            _ if position.is_over() => Err(IllegalMove::GameOver),
            _ if self.color() != Some(position.color()) => Err(IllegalMove::WrongColor),
            Self::Set(set) => position.check_piece(position.color(), set.shape(), set.x, set.y).map(Move::Place),
            Self::Skip { .. } => position.check(Move::Pass).map(|()| Move::Pass),
        }
    }

    /// Returns the move as an element of the given name, with its class.
    pub fn to_element(&self, name: &str, season: Season) -> Element {
        let (class, content) = match self {
            Self::Set(set) => (season.set_move_class(), Some(set.to_element())),
            Self::Skip { color } => {
                (season.skip_move_class(), color.map(|color| Element::new("color").with_text(color)))
            }
        };
        Element::new(name).with("class", class).with_children(content)
    }
}

impl PieceMove {
    /// Returns the piece as it lies on the board.
    pub fn shape(&self) -> Shape {
        Shape::new(self.piece, self.rotation, self.flipped)
    }

    /// Returns the placement, if all of it is on the board.
    pub fn placement(&self) -> Option<Placement> {
        self.shape().at(self.x, self.y)
    }

    fn to_element(self) -> Element {
        Element::new("piece")
            .with_optional("color", self.color)
            .with("kind", self.piece)
            .with("rotation", self.rotation)
            .with("isFlipped", self.flipped)
            .with_child(Element::new("position").with("x", self.x).with("y", self.y))
    }
}
