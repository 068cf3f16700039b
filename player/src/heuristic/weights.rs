//! The weights of all features, the only place to change them.

/// How much each feature of a position counts, in hundredths of a point at the end of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weights {
    /// A point that is safe: a cell covered, or the bonus for placing everything.
    pub point: i32,
    /// An anchor of one of the own colours: a cell from which it may go on.
    pub anchor: i32,
    /// A cell that a colour reaches no later than any opponent.
    pub reach: i32,
    /// A cell of that kind which the other colour of the team reaches, too: only one can have it.
    pub shared: i32,
    /// The square root of the number of placements that a colour has.
    pub mobility: i32,
    /// In the opening, each step that the cell nearest to the centre is away from the border.
    pub centre: i32,
    /// The turn at which the opening is over and the centre counts no more.
    pub opening: i32,
}

impl Weights {
    /// One point in the unit of the weights.
    pub const POINT: i32 = 100;

    /// The weights of the `heuristic` player, found by matches between players that differ in one
    /// weight.
    pub const DEFAULT: Self =
        Self { point: 100, anchor: 20, reach: 15, shared: -5, mobility: 120, centre: 10, opening: 32 };
}

impl Default for Weights {
    fn default() -> Self {
        Self::DEFAULT
    }
}
