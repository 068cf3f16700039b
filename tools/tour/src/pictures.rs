//! The pictures of the tour, by name.

use std::fmt::Write;

use game::{BOARD_SIZE, Cell, Color, ColorSet};
use picture::Labels;
use picture::svg::Svg;

use crate::charts::{Part, histogram, icicles, svg};
use crate::findings::{Branch, Findings};

/// Width and height of a board in pixels.
const SIZE: u32 = 420;

/// The colours of boards, as in pictures of games.
const fn fill(color: Color) -> &'static str {
    match color {
        Color::Blue => "#0072b2",
        Color::Yellow => "#f0e442",
        Color::Red => "#d55e00",
        Color::Green => "#009e73",
    }
}

/// All pictures with their names.
pub fn all(findings: &Findings) -> Vec<(&'static str, String)> {
    let position = &findings.position;
    let board = Svg { labels: Some(Labels::Coordinates), size: Some(SIZE), ..Svg::new(position) };
    let anchors = ColorSet::from_iter([position.color()]);
    let (end, _) = &findings.playout;
    let after = position.after(findings.searches[1].report.mv);
    vec![
        ("position", Svg { anchors, ..board }.to_string()),
        ("bits", bits()),
        ("anchor", with(&board, &cells_at_anchor(findings))),
        ("reach", with(&board, &reach(findings))),
        ("playout", Svg { position: end, ..board }.to_string()),
        ("margins", histogram("Margins", &findings.margins, 10)),
        ("tree", trees(findings)),
        ("choice", Svg { position: &after, last: findings.choice(), ..board }.to_string()),
    ]
}

/// A board with something drawn over it, in its coordinates.
fn with(board: &Svg<'_>, overlay: &str) -> String {
    let text = board.to_string();
    text.strip_suffix("</svg>").map_or(text.clone(), |board| format!("{board}{overlay}</svg>"))
}

/// The upper left of the board with bit numbers; guards are grey.
fn bits() -> String {
    const CELL: i32 = 48;
    let mut content = String::new();
    for (x, y) in (-1..5).flat_map(|y| (-1..8).map(move |x| (x, y))) {
        let number = Cell::new(0, 0).map_or(0, Cell::bit) as i32 + x + (BOARD_SIZE as i32 + 1) * y;
        let is_guard = Cell::new(x, y).is_none();
        let (left, top) = ((x + 1) * CELL + 2, (y + 1) * CELL + 2);
        let (fill, letter) = if is_guard { ("#c3ccd4", "#5c6b7a") } else { ("#e9edf1", "#1d2733") };
        let _ = write!(content, r#"<rect x="{left}" y="{top}" width="46" height="46" fill="{fill}"/>"#);
        let (x, y) = (left + 23, top + 27);
        let _ = write!(content, r#"<text x="{x}" y="{y}" text-anchor="middle" fill="{letter}">{number}</text>"#);
    }
    svg("Bits", 9 * CELL as usize + 2, 6 * CELL as usize + 2, &content)
}

/// Number of placements over the busiest anchor that cover each cell.
fn cells_at_anchor(findings: &Findings) -> String {
    let Some(anchor) = findings.busiest_anchor() else { return String::new() };
    let covering: Vec<_> =
        findings.placements.iter().map(|placement| placement.cells()).filter(|cells| cells.contains(anchor)).collect();
    let mut overlay = r##"<g font-family="sans-serif" font-size=".5" text-anchor="middle" fill="#1d2733">"##.to_owned();
    for cell in findings.position.board().open(findings.position.color()) {
        let count = covering.iter().filter(|cells| cells.contains(cell)).count();
        if count > 0 {
            let (x, y, color) = (cell.x(), cell.y(), fill(findings.position.color()));
            let opacity = 0.15 + 0.5 * count as f64 / covering.len() as f64;
            let _ = write!(overlay, r#"<path fill="{color}" opacity="{opacity:.2}" d="M{x} {y}h1v1h-1z"/>"#);
            let _ = write!(overlay, r#"<text x="{x}.5" y="{y}.68">{count}</text>"#);
        }
    }
    overlay + "</g>"
}

/// What each colour reaches first, in its colour.
fn reach(findings: &Findings) -> String {
    let mut overlay = r#"<g opacity=".35">"#.to_owned();
    for color in Color::ALL {
        let squares: String =
            findings.reach.0[color].into_iter().map(|cell| format!("M{} {}h1v1h-1z", cell.x(), cell.y())).collect();
        let _ = write!(overlay, r#"<path fill="{}" d="{squares}"/>"#, fill(color));
    }
    overlay + "</g>"
}

/// The trees of both searches.
fn trees(findings: &Findings) -> String {
    let trees = findings.searches.each_ref().map(|search| Part {
        name: search.report.nodes.to_string(),
        fill: ["#5c6b7a", "#ffffff"],
        size: search.visits.iter().map(|(_, visits)| visits).sum(),
        below: search.branches.iter().map(part).collect(),
    });
    icicles("Trees", &trees)
}

/// A branch in the colour of who moves.
fn part(branch: &Branch) -> Part {
    let letters = if branch.color == Color::Yellow { "#1d2733" } else { "#ffffff" };
    Part {
        name: branch.placement.to_string(),
        fill: [fill(branch.color), letters],
        size: branch.visits,
        below: branch.branches.iter().map(part).collect(),
    }
}
