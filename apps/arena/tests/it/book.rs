//! `arena book` as a program.

use std::fs;

use super::folder::Folder;
use player::model::Origin;

const SEARCH: &str = "book search searches --season 2027 --plies 3 --others 1 --nodes 300 --memory 4";

#[test]
fn processes_share_searches_and_players_use_book() {
    let folder = Folder::new();
    let mut other = folder.arena(SEARCH).spawn().unwrap();
    let done = folder.run(SEARCH);
    assert!(other.wait().unwrap().success());
    // Twelve starts, up to two moves after each, and in the third ply those after the best one, one after the other.
    assert!(done.ends_with("68 positions in searches\n"), "{done}");
    assert_eq!(folder.run(SEARCH), "68 positions in searches\n");
    let (book, simulations) = arena::openings::book::BookFolder::open(&folder.path("searches")).book().unwrap();
    assert!(book.lines().len() == 68 && simulations[1] <= 300, "{simulations:?}");
    folder.write("book.weights", book.to_file(Origin::default()).to_bytes());

    // Two players with the book open with the book's first two placements.
    let player = "mcts:weights=book.weights,book=1,memory=4";
    folder.run(&format!("match {player} {player} --games 2 --nodes 5 --opening none --quiet"));
    for (_, _, moves) in folder.games(1) {
        let [first, second] = [moves[0], moves[1]].map(|mv| mv.placement().unwrap());
        assert!(book.lines().iter().any(|line| line.placements == [first] && line.best.placement == second));
    }
}

#[test]
fn names_foreign_files() {
    let folder = Folder::new();
    fs::create_dir(folder.path("searches")).unwrap();
    assert!(folder.fail("book write searches book.weights").contains("searches has no searches"));
    folder.write("searches/other.json", "{}");
    assert!(folder.fail("book write searches book.weights").contains("other.json is not the result of a book search"));
}
