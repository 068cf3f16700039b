//! Limits of files, so that none can fill the memory or keep a program busy.

/// Maximum nodes of a game with all variations. A game has some 80 moves, an opening book of Pentobi some thousand nodes.
pub const MOST_NODES: usize = 100_000;

/// Maximum moves in a line, because passes could be endless.
pub const MOST_PLIES: usize = 400;

/// Maximum depth of nested variations.
pub const MOST_NESTED: usize = 1000;

/// Maximum bytes of an unpacked file without lines of JSON. The longest replays have two million.
pub const MOST_BYTES: usize = 64 << 20;

/// Maximum bytes of a line of JSON.
pub const MOST_LINE_BYTES: usize = 16 << 20;

/// Maximum bytes of an unpacked file with lines of JSON: some 400,000 games.
pub const MOST_JSON_BYTES: u64 = 4 << 30;
