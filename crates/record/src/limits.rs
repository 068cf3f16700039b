//! What a file may have at most, so that none can fill memory or keep a program busy for long.

/// Nodes of a game with all variations, the start included. A game has some 80 moves; the opening
/// books of Pentobi have some thousand nodes.
pub const MOST_NODES: usize = 100_000;

/// Moves in a line. Who passes can do so for ever.
pub const MOST_PLIES: usize = 400;

/// How deeply variations of variations may be nested.
pub const MOST_NESTED: usize = 1000;

/// The bytes of a file, unpacked, unless it has lines of JSON. The longest replays have two million.
pub const MOST_BYTES: usize = 64 << 20;

/// The bytes of a line of JSON.
pub const MOST_LINE_BYTES: usize = 16 << 20;

/// The bytes of a file with lines of JSON, unpacked; some 400,000 games.
pub const MOST_JSON_BYTES: u64 = 4 << 30;
