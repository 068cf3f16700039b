//! Positions with known counts.

use game::Position;

/// A position whose leaves are known.
#[derive(Clone, Debug)]
pub struct Reference {
    /// A name without spaces.
    pub name: String,
    /// The position.
    pub position: Position,
    /// Depths and the number of leaves there.
    pub counts: Vec<(u32, u64)>,
}

/// Returns the reference positions that come with the program; their file explains its format.
pub fn positions() -> Vec<Reference> {
    let lines = include_str!("../positions.perft").lines().map(str::trim);
    let is_position = |line: &&str| !line.is_empty() && !line.starts_with('#');
    lines.filter(is_position).map(|line| read_line(line).expect("each line is a position with its counts")).collect()
}

fn read_line(line: &str) -> Option<Reference> {
    let (name, rest) = line.split_once(':')?;
    let mut parts = rest.split(';').map(str::trim);
    let position = parts.next()?.parse().ok()?;
    let counts = parts.map(read_count).collect::<Option<_>>()?;
    Some(Reference { name: name.to_owned(), position, counts })
}

fn read_count(text: &str) -> Option<(u32, u64)> {
    let (depth, leaves) = text.strip_prefix('D')?.split_once(' ')?;
    Some((depth.parse().ok()?, leaves.parse().ok()?))
}
