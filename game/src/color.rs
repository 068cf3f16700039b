//! Colours and teams.

use std::fmt;
use std::ops::{Index, IndexMut};

use crate::name::named;

/// One of the four colours, in playing order.
///
/// ```
/// use game::{Color, Team};
///
/// assert_eq!(Color::from_turn(6), Color::Red);
/// assert_eq!((Color::Red.team(), Color::Red.partner()), (Team::One, Color::Blue));
/// assert_eq!("GREEN".parse(), Ok(Color::Green));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Color {
    /// Plays turns 0, 4, 8, …
    Blue,
    /// Plays turns 1, 5, 9, …
    Yellow,
    /// Plays turns 2, 6, 10, …
    Red,
    /// Plays turns 3, 7, 11, …
    Green,
}

impl Color {
    /// Number of colours.
    pub const COUNT: usize = 4;

    /// All colours in turn order.
    pub const ALL: [Self; Self::COUNT] = [Self::Blue, Self::Yellow, Self::Red, Self::Green];

    /// Returns the colour to move in turn number `turn` (0, 1, 2, …).
    pub const fn from_turn(turn: u16) -> Self {
        Self::ALL[turn as usize % Self::COUNT]
    }

    /// Returns the team that plays this colour.
    pub const fn team(self) -> Team {
        match self {
            Self::Blue | Self::Red => Team::One,
            Self::Yellow | Self::Green => Team::Two,
        }
    }

    /// Returns the colour that takes its turn after this one.
    pub const fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % Self::COUNT]
    }

    /// Returns this colour and those after it: itself, the next opponent, its partner, the last opponent.
    pub const fn turn_order(self) -> [Self; Self::COUNT] {
        let [next, last] = self.opponents();
        [self, next, self.partner(), last]
    }

    /// Returns the other colour of the same team.
    pub const fn partner(self) -> Self {
        Self::ALL[(self as usize + 2) % Self::COUNT]
    }

    /// Returns the two colours of the other team: first the one that moves next, then the one that moved last.
    pub const fn opponents(self) -> [Self; 2] {
        [self.next(), self.next().partner()]
    }

    /// Returns `B`, `Y`, `R` or `G`.
    pub const fn letter(self) -> char {
        match self {
            Self::Blue => 'B',
            Self::Yellow => 'Y',
            Self::Red => 'R',
            Self::Green => 'G',
        }
    }

    /// Returns the colour of a letter as written by [`letter`](Self::letter).
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|color| color.letter() == letter)
    }

    /// Returns `BLUE`, `YELLOW`, `RED` or `GREEN`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Blue => "BLUE",
            Self::Yellow => "YELLOW",
            Self::Red => "RED",
            Self::Green => "GREEN",
        }
    }
}

named!(Color, Color::ALL, "colour", "BLUE, YELLOW, RED or GREEN");

/// One of the two teams; each plays two colours.
///
/// ```
/// use game::{Color, Team};
///
/// assert_eq!(Team::Two.colors(), [Color::Yellow, Color::Green]);
/// assert_eq!(Team::Two.opponent(), Team::One);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Team {
    /// Blue and red.
    One,
    /// Yellow and green.
    Two,
}

impl Team {
    /// Both teams.
    pub const ALL: [Self; 2] = [Self::One, Self::Two];

    /// Returns the team that plays against this one.
    pub const fn opponent(self) -> Self {
        match self {
            Self::One => Self::Two,
            Self::Two => Self::One,
        }
    }

    /// Returns the two colours of the team, in turn order.
    pub const fn colors(self) -> [Color; 2] {
        match self {
            Self::One => [Color::Blue, Color::Red],
            Self::Two => [Color::Yellow, Color::Green],
        }
    }

    /// Returns `ONE` or `TWO`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::One => "ONE",
            Self::Two => "TWO",
        }
    }
}

named!(Team, Team::ALL, "team", "ONE or TWO");

/// One value per colour, indexed by [`Color`].
///
/// ```
/// use game::{ByColor, Color};
///
/// let mut moves = ByColor::from_fn(|_| 0);
/// moves[Color::Red] += 1;
/// assert_eq!(moves.0, [0, 0, 1, 0]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ByColor<T>(pub [T; Color::COUNT]);

impl<T> ByColor<T> {
    /// Builds the four values from a function of the colour.
    pub fn from_fn(f: impl FnMut(Color) -> T) -> Self {
        Self(Color::ALL.map(f))
    }
}

impl<T> Index<Color> for ByColor<T> {
    type Output = T;
    #[inline(always)]
    fn index(&self, color: Color) -> &T {
        &self.0[color as usize]
    }
}

impl<T> IndexMut<Color> for ByColor<T> {
    #[inline(always)]
    fn index_mut(&mut self, color: Color) -> &mut T {
        &mut self.0[color as usize]
    }
}

/// A set of colours.
///
/// ```
/// use game::{Color, ColorSet};
///
/// let mut in_play = ColorSet::ALL;
/// in_play.remove(Color::Blue);
/// assert_eq!(in_play.iter().next(), Some(Color::Yellow));
/// assert_eq!(in_play.len(), 3);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ColorSet(u8);

impl ColorSet {
    /// No colour.
    pub const EMPTY: Self = Self(0);
    /// All four colours.
    pub const ALL: Self = Self(0b1111);

    /// Returns `true` if no colour is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of colours in the set.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns `true` if `color` is in the set.
    #[inline(always)]
    pub const fn contains(self, color: Color) -> bool {
        self.0 >> color as u8 & 1 == 1
    }

    /// Adds `color`.
    pub const fn insert(&mut self, color: Color) {
        self.0 |= 1 << color as u8;
    }

    /// Takes `color` out.
    pub const fn remove(&mut self, color: Color) {
        self.0 &= !(1 << color as u8);
    }

    /// Returns the colours that are in both sets.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the colours of the set in turn order.
    #[inline]
    pub fn iter(self) -> Colors {
        Colors(self.0)
    }

    /// Returns the set as four bits, blue lowest.
    pub const fn bits(self) -> u8 {
        self.0
    }
}

/// Iterator over the colours of a [`ColorSet`] in turn order.
///
/// ```
/// use game::{Position, Rules};
///
/// let position = Position::new(Rules::Classic, None)?;
/// for color in position.in_play() {
///     assert_eq!(position.points(color), 0);
/// }
/// # Ok::<(), game::SetupError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Colors(u8);

impl Iterator for Colors {
    type Item = Color;

    #[inline]
    fn next(&mut self) -> Option<Color> {
        let color = *Color::ALL.get(self.0.trailing_zeros() as usize)?;
        self.0 &= self.0 - 1;
        Some(color)
    }
}

impl IntoIterator for ColorSet {
    type Item = Color;
    type IntoIter = Colors;

    #[inline]
    fn into_iter(self) -> Colors {
        self.iter()
    }
}

impl FromIterator<Color> for ColorSet {
    fn from_iter<I: IntoIterator<Item = Color>>(colors: I) -> Self {
        let mut set = Self::EMPTY;
        colors.into_iter().for_each(|color| set.insert(color));
        set
    }
}

impl fmt::Debug for ColorSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
