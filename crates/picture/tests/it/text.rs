//! Pictures made of text.

use std::path::Path;
use std::{env, fs};

use game::{Color, Move, Position, Rules};
use picture::{Canvas, ColorDepth, Labels, Picture, ShownEvaluation, ShownPlayer};
use proptest::prelude::*;

use super::common::{played, random_position};

const DEPTHS: [ColorDepth; 4] = [ColorDepth::None, ColorDepth::Ansi16, ColorDepth::Ansi256, ColorDepth::TrueColor];

/// A game of fixed moves.
const GAME: &str = "PENTO_V@2,17 PENTO_V-MIRROR@0,0 PENTO_V@17,4 PENTO_V@17,9 PENTO_W-LEFT@3,14 \
    PENTO_S-RIGHT-FLIPPED@2,3 PENTO_X@14,6 PENTO_Y-RIGHT@13,11 PENTO_R-RIGHT-FLIPPED@6,11 \
    PENTO_P-LEFT-FLIPPED@3,6 PENTO_W-LEFT@12,9 PENTO_S-LEFT-FLIPPED@11,13 PENTO_I@6,6";

fn sides() -> [ShownPlayer<'static>; 2] {
    let evaluation = |win, margin| Some(ShownEvaluation { win, margin });
    [
        ShownPlayer { name: "mcts", evaluation: evaluation(0.627, 12.3) },
        ShownPlayer { name: "heuristic", evaluation: evaluation(0.41, -3.0) },
    ]
}

/// Returns the text on a terminal of this size and the number of escape codes.
fn shown(lines: &[String]) -> (Vec<String>, usize) {
    let mut codes = 0;
    let text = |line: &String| {
        let mut text = String::new();
        let mut letters = line.chars();
        while let Some(letter) = letters.next() {
            if letter == '\x1b' {
                assert_eq!(letters.next(), Some('['));
                // All of them set colours and the like, none moves the cursor.
                assert_eq!(letters.by_ref().find(char::is_ascii_alphabetic), Some('m'));
                codes += 1;
            } else {
                text.push(letter);
            }
        }
        text
    };
    (lines.iter().map(text).collect(), codes)
}

proptest! {
    #[test]
    fn picture_fits_canvas(
        (columns, rows) in (0usize..200, 0usize..70),
        (seed, plies) in (any::<u64>(), 0usize..90),
        depth in 0usize..4,
        (letters, points, with_sides) in any::<(bool, bool, bool)>(),
        (name, note) in any::<(String, String)>(),
    ) {
        let (position, last) = random_position(Rules::Season2021, seed, plies);
        let [mut one, two] = sides();
        one.name = &name;
        let picture = Picture {
            last: last.map(|last| (Color::Blue, Move::Place(last))),
            labels: if points { Labels::Points } else { Labels::Coordinates },
            letters,
            sides: with_sides.then_some([one, two]),
            note: &note,
            ..Picture::new(&position)
        };
        let lines = picture.lines(Canvas { columns, rows, depth: DEPTHS[depth] });
        prop_assert!(lines.len() <= rows, "{} lines", lines.len());
        let (texts, codes) = shown(&lines);
        for text in texts {
            prop_assert!(unicode_width::UnicodeWidthStr::width(text.as_str()) <= columns, "{text}");
            prop_assert!(!text.contains(char::is_control), "{text:?}");
        }
        prop_assert!(codes == 0 || depth > 0);
    }

    #[test]
    fn every_cell_shows_its_colour(seed: u64, plies in 0usize..90) {
        let (position, _) = random_position(Rules::Classic, seed, plies);
        let text = Picture::new(&position).to_string();
        for (y, line) in text.lines().skip(1).take(20).enumerate() {
            for (x, letter) in line[3..42].chars().step_by(2).enumerate() {
                let cell = game::Cell::new(x as i32, y as i32).unwrap();
                prop_assert_eq!(Color::from_letter(letter), position.board().color_at(cell));
            }
        }
    }
}

/// The files contain the output for a terminal of that size; `cat` shows them.
#[test]
fn pictures_match_golden_files() {
    let start = Position::new(Rules::Classic, None).unwrap();
    let picture = Picture { labels: Labels::Points, note: "nothing has happened", ..Picture::new(&start) };
    assert_golden("start.txt", &picture.to_string());
    let (position, last) = played(GAME);
    let picture = Picture { last, sides: Some(sides()), ..Picture::new(&position) };
    assert_golden("plain.txt", &picture.to_string());
    for (columns, rows, depth, name) in [
        (80, 24, ColorDepth::Ansi16, "80x24-16.txt"),
        (80, 24, ColorDepth::Ansi256, "80x24-256.txt"),
        (120, 40, ColorDepth::TrueColor, "120x40-true.txt"),
        (60, 13, ColorDepth::TrueColor, "60x13-true.txt"),
    ] {
        assert_golden(name, &picture.lines(Canvas { columns, rows, depth }).join("\n"));
    }
}

/// Compares with a file in `tests/golden`; with the variable `BLESS`, writes it.
fn assert_golden(name: &str, picture: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    let picture = format!("{picture}\n");
    if env::var_os("BLESS").is_some() {
        fs::write(&path, &picture).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), picture, "{name}");
}
