//! Charts without words, so that one picture serves pages in every language. They are readable on light and dark pages.

use std::fmt::Write;

/// Columns below zero and from zero on.
const FILLS: [&str; 2] = ["#9aa7b3", "#0072b2"];

/// Letters and lines that stand out from white and from black.
const INK: &str = "#7a8794";

/// A picture of this size with a title for screen readers.
pub fn svg(title: &str, width: usize, height: usize, content: &str) -> String {
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12" fill="{INK}"><title>{title}</title>{content}</svg>"#
    )
}

/// Draws a histogram of `numbers` with bins of the given width.
pub fn histogram(title: &str, numbers: &[i32], bin: i32) -> String {
    const COLUMN: usize = 34;
    const HEIGHT: usize = 160;
    let bins = numbers.iter().map(|number| number.div_euclid(bin));
    let (Some(first), Some(last)) = (bins.clone().min(), bins.clone().max()) else { return String::new() };
    let counts: Vec<usize> = (first..=last).map(|bin| bins.clone().filter(|&other| other == bin).count()).collect();
    let most = counts.iter().copied().max().unwrap_or(1);
    let mut content = String::new();
    for (n, count) in counts.iter().enumerate() {
        let (x, height) = (20 + n * COLUMN, count * HEIGHT / most);
        let (y, middle) = (20 + HEIGHT - height, x + COLUMN / 2 - 1);
        let fill = FILLS[usize::from(first + n as i32 >= 0)];
        let _ = write!(content, r#"<rect x="{x}" y="{y}" width="{}" height="{height}" fill="{fill}"/>"#, COLUMN - 2);
        let _ = write!(content, r#"<text x="{middle}" y="{}" text-anchor="middle">{count}</text>"#, y - 4);
    }
    for (n, edge) in (first..=last + 1).enumerate() {
        let (x, y) = (19 + n * COLUMN, HEIGHT + 36);
        let _ = write!(content, r#"<text x="{x}" y="{y}" text-anchor="middle">{:+}</text>"#, edge * bin);
    }
    svg(title, counts.len() * COLUMN + 40, HEIGHT + 46, &content)
}

/// A part of a tree: a box with a name, in a colour with the colour of its letters, as wide as its size.
pub struct Part {
    /// What stands in the box if there is room.
    pub name: String,
    /// The colours of the box and of its letters.
    pub fill: [&'static str; 2],
    /// How much of the width it takes.
    pub size: u32,
    /// What lies below it, together at most as large.
    pub below: Vec<Part>,
}

/// The height of a row of a tree.
const ROW: usize = 22;

/// Trees one below another, each growing downwards from a trunk that is as wide as the picture, a row for each depth
/// (an icicle plot).
pub fn icicles(title: &str, trees: &[Part]) -> String {
    const WIDTH: f64 = 640.0;
    const GAP: usize = 24;
    let (mut content, mut top) = (String::new(), 0);
    for tree in trees {
        boxes(tree, [0.0, WIDTH], top, &mut content);
        top += depth(tree) * ROW + GAP;
    }
    svg(title, WIDTH as usize, top.saturating_sub(GAP), &content)
}

/// Returns the number of rows of a tree.
fn depth(part: &Part) -> usize {
    1 + part.below.iter().map(depth).max().unwrap_or(0)
}

/// Draws a part at `left` with its children below it.
fn boxes(part: &Part, [mut left, width]: [f64; 2], top: usize, content: &mut String) {
    /// Width of a letter, about.
    const LETTER: f64 = 7.2;
    let Part { name, fill: [fill, letters], size, below } = part;
    let (inner, height) = ((width - 1.0).max(0.5), ROW - 1);
    let _ = write!(
        content,
        r#"<rect x="{left:.1}" y="{top}" width="{inner:.1}" height="{height}" fill="{fill}"><title>{name} {size}</title></rect>"#
    );
    if name.len() as f64 * LETTER < width {
        let (x, y) = (left + 4.0, top + ROW - 7);
        let _ = write!(content, r#"<text x="{x:.1}" y="{y}" fill="{letters}">{name}</text>"#);
    }
    for part in below {
        let width = width * f64::from(part.size) / f64::from(*size);
        boxes(part, [left, width], top + ROW, content);
        left += width;
    }
}
