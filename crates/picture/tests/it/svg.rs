//! Boards as SVG.

use game::{Color, Rules};
use picture::Labels;
use picture::svg::Svg;
use proptest::prelude::*;

use super::common::random_position;

/// Returns the cells that a path made of unit squares covers, in the manner of an SVG renderer.
fn squares(svg: &str, class: &str) -> Vec<(usize, usize)> {
    let cells = &svg[svg.find("class=\"cells\"").unwrap()..];
    let tag = &cells[cells.find(&format!("class=\"{class}\"")).unwrap()..];
    let data = tag.split(" d=\"").nth(1).unwrap().split('"').next().unwrap();
    data.split_terminator("h1v1h-1z")
        .map(|start| start.strip_prefix('M').unwrap().split_once(' ').unwrap())
        .map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap()))
        .collect()
}

proptest! {
    #[test]
    fn every_cell_has_its_colour(seed: u64, plies in 0usize..90, letters: bool, style: bool) {
        let (position, last) = random_position(Rules::Season2027, seed, plies);
        let svg = Svg { last, letters, style, ..Svg::new(&position) }.to_string();
        for (color, class) in Color::ALL.into_iter().zip(["blue", "yellow", "red", "green"]) {
            let expected: Vec<_> = position.board().covered(color).iter().map(|cell| (cell.x(), cell.y())).collect();
            prop_assert_eq!(squares(&svg, class), expected);
        }
        prop_assert_eq!(svg.contains("class=\"letters\""), letters);
        prop_assert_eq!(svg.contains("<style>"), style);
    }
}

#[test]
fn svg_describes_position_to_screen_readers() {
    let (position, last) = random_position(Rules::Season2027, 1, 9);
    let svg = Svg { last, ..Svg::new(&position) }.to_string();
    assert!(svg.contains("role=\"img\"") && svg.contains("<title>Blokus, turn 9: YELLOW to move</title>"), "{svg}");
    let points = position.points(Color::Blue);
    assert!(svg.contains(&format!("The last move is {} of BLUE. BLUE: {points} points, 18 pieces", last.unwrap())));
    let (over, _) = random_position(Rules::Season2027, 1, 200);
    assert!(Svg::new(&over).to_string().contains("the game is over"));
}

#[test]
fn labels_are_optional() {
    let (position, _) = random_position(Rules::Classic, 3, 8);
    let bare = Svg::new(&position).to_string();
    assert!(!bare.contains("class=\"labels\"") && bare.contains("viewBox=\"-.2 -.2 20.4 20.4\""));
    let points = Svg { labels: Some(Labels::Points), size: Some(300), ..Svg::new(&position) }.to_string();
    assert!(points.contains(">a</text>") && points.contains(">20</text>") && points.contains(" width=\"300\""));
}
