//! The examples of `docs/notation.md`.

use game::{Move, Piece, Position, Rotation};
use record::json;

/// Returns the page.
fn page() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/notation.md")).unwrap()
}

/// Returns the indented blocks of the page, without the indentation of the first line.
fn blocks(page: &str) -> Vec<String> {
    page.split("\n\n")
        .filter_map(|block| {
            let lines = block.lines().map(|line| line.strip_prefix("    "));
            lines.collect::<Option<Vec<_>>>().map(|lines| lines.join("\n"))
        })
        .collect()
}

#[test]
fn example_of_json_round_trips() {
    let page = page();
    let blocks = blocks(&page);
    let object = blocks.iter().find(|block| block.starts_with('{')).unwrap();
    let line: String = object.lines().map(str::trim_start).collect();
    assert_eq!(json::write(&json::read_line(&line, 1).unwrap()), line);
    for field in ["id", "note", "fault", "properties"] {
        assert!(page.contains(&format!("`{field}`")), "{field}");
    }
}

#[test]
fn reads_examples_of_moves_and_positions() {
    let page = page();
    let blocks = blocks(&page);
    let moves = blocks.iter().find(|block| block.ends_with("\nPASS")).unwrap();
    assert!(moves.lines().all(|mv| mv.parse::<Move>().is_ok()), "{moves}");
    let position = blocks.iter().find(|block| block.starts_with("2027 ")).unwrap();
    assert_eq!(position.parse::<Position>().map(|position| position.to_string()).as_ref(), Ok(position));
}

#[test]
fn grammar_names_all_pieces_and_rotations() {
    let page = page();
    for name in Piece::ALL.map(Piece::name).into_iter().chain(Rotation::ALL.map(Rotation::name)) {
        assert!(page.contains(&format!("\"{name}\"")), "{name}");
    }
}
