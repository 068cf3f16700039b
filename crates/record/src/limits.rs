//! Limits of files, so that none can fill the memory or keep a program busy.

/// Maximum nodes of a game with all variations. A game has some 80 moves, an opening book of Pentobi some thousand
/// nodes.
pub const MAX_NODES: usize = 100_000;

/// Maximum moves in a line, because passes could be endless.
pub const MAX_PLIES: usize = 400;

/// Maximum depth of nested variations.
pub const MAX_NESTED: usize = 1000;

/// Maximum bytes of an unpacked file without lines of JSON. The longest replays have two million.
pub const MAX_BYTES: usize = 64 << 20;

/// Maximum bytes of a line of JSON.
pub const MAX_LINE_BYTES: usize = 16 << 20;

/// Maximum bytes of an unpacked file with lines of JSON: some 400,000 games.
pub const MAX_JSON_BYTES: u64 = 4 << 30;
