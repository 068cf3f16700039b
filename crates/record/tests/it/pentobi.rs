//! Files as Pentobi writes them, and what they must not contain.

use game::{Color, Piece, Position, Refusal, Rules, Team};
use record::{FaultKind, Game, NodeId, ParseError, Problem, Property, Verdict, sgf};

/// A game that Pentobi 31 played against itself on its lowest level.
const PENTOBI: &str = include_str!("../data/pentobi.blksgf");

fn read(text: &str) -> Game {
    let mut games = sgf::read(text).unwrap();
    assert_eq!(games.len(), 1);
    games.remove(0)
}

#[test]
fn a_game_of_pentobi_is_read_and_written_alike() {
    let game = read(PENTOBI);
    assert_eq!((game.moves().count(), game.verdict()), (48, Verdict::Unfinished));
    // As Pentobi counted.
    assert_eq!(Color::ALL.map(|color| game.end().points(color)), [60, 59, 60, 60]);
    let moves = |text: &str| text.lines().skip(2).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(moves(&sgf::write(&game)), moves(PENTOBI));
}

#[test]
fn variations_and_remarks_of_others_are_kept() {
    let game = read(
        "(;GM[Blokus Two-Player]AP[Pentobi:31]PB[Ann]DT[2027-01-31]C[root\n](;1[a20]TE[1]C[good \\] \\\\]\n;2[t20])(;1[A20,b20];C[later];C[on])\n\n(;1[a20] [a19]))",
    );
    let start = game.node(NodeId::START);
    let property = |id: &str, value: &str| Property { id: id.to_owned(), values: vec![value.to_owned()] };
    assert_eq!(start.note.properties, [property("AP", "Pentobi:31"), property("DT", "2027-01-31")]);
    assert_eq!((start.note.comment.as_str(), game.names.each_ref().map(String::as_str)), ("root\n", ["Ann", ""]));
    let [first, second, third] = start.children() else { panic!("{game:?}") };
    assert_eq!(game.node(*first).note.comment, "good ] \\");
    assert_eq!(game.node(*first).note.properties, [property("TE", "1")]);
    assert_eq!(game.node(*first).children().len(), 1);
    // Nodes without a move add to the one before; the first versions of Pentobi made points values.
    assert_eq!(game.node(*second).note.comment, "later\n\non");
    assert_eq!(game.node(*third).mv(), "DOMINO-RIGHT@0,0".parse().ok());
    let written = sgf::write(&game);
    assert!(written.contains("AP[Pentobi:31]DT[2027-01-31]") && written.contains("C[good \\] \\\\]TE[1]"), "{written}");
    assert_eq!(read(&written), game);
}

#[test]
fn pieces_are_set_up() {
    let game = read("(;GM[Blokus Two-Player]A1[a20][b19,b18]A2[t20,s20]PL[2];2[r19])");
    let start = game.start();
    // Blue has placed two pieces, so this is round 2 at least.
    assert_eq!((start.turn(), start.color(), start.rules()), (5, Color::Yellow, Rules::Classic));
    assert_eq!(Color::ALL.map(|color| start.points(color)), [3, 2, 0, 0]);
    assert_eq!(game.moves().count(), 1);
    // A colour without a piece is at its first move, so green cannot be skipped.
    let error = sgf::read("(;GM[Blokus Two-Player]A1[a20]PL[4];1[b19])").unwrap_err();
    let problem = Problem::Turn { color: Color::Blue, on_turn: Color::Green, refusal: Refusal::PassOnFirstMove };
    assert_eq!(error, ParseError { line: 1, problem });
}

#[test]
fn the_notation_counts_unless_the_pieces_were_changed() {
    let start: Position =
        "2027 PENTO_I 40 BYG - 1BBBBB14/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20".parse().unwrap();
    let text = sgf::write(&Game::new(start));
    assert!(
        text.contains("RU[2027 PENTO_I]BP[2027 PENTO_I 40 BYG - ") && text.contains("A1[b20,c20,d20,e20,f20]PL[1]"),
        "{text}"
    );
    assert_eq!(read(&text).start(), &start);
    let changed = read(&text.replace("PL[1]", "A2[t1,t2,t3,t4,t5]PL[1]"));
    assert_eq!((changed.start().turn(), changed.start().start_piece()), (4, Some(Piece::PentoI)));
}

#[test]
fn passes_are_written_and_understood() {
    // Blue passes although it could move, once said and once implied.
    for pass in ["", ";PASS[1]"] {
        let game = read(&format!("(;GM[Blokus Two-Player];1[a20];2[t20];3[t1];4[a1]{pass};2[s19,s18])"));
        assert_eq!(game.moves().count(), 6);
        assert!(sgf::write(&game).contains("PASS[1]\n;2[s18,s19]"));
    }
}

#[test]
fn results_of_others_are_understood() {
    for (result, fault) in [
        ("B+R", Some((Team::Two, FaultKind::Resigned))),
        ("W+T", Some((Team::One, FaultKind::Late))),
        ("W+4", None),
        ("0", None),
        ("Void", None),
    ] {
        let game = read(&format!("(;GM[Blokus Two-Player]RE[{result}])"));
        assert_eq!(game.fault.map(|(team, fault)| (team, fault.kind)), fault, "{result}");
    }
}

#[test]
fn what_is_wrong_is_named() {
    for (text, part) in [
        ("", "expected ( and a game, found the end of the file"),
        ("hello", "found `hello`"),
        ("()", "expected ; and the first node, found `)`"),
        ("(;FF[4]GM[1];B[aa])", "`1` is another game"),
        ("(;FF[4])", "`a file without GM` is another game"),
        ("(;GM[Blokus Duo])", "`Blokus Duo` is another game"),
        ("(;GM[Blokus Two-Player]CA[ISO-8859-1])", "CA[ISO-8859-1]: expected UTF-8"),
        ("(;GM[Blokus Two-Player]", "expected a ) for every (, found the end of the file"),
        ("(;GM[Blokus Two-Player])\n)", "line 2: expected ( and a game, found `)`"),
        ("(;GM[Blokus Two-Player]\n;1[b19])", "line 2: BLUE MONO@1,1: the first piece must cover a start cell"),
        ("(;GM[Blokus Two-Player]\n;1[a20,c20])", "line 2: 1[a20,c20]: expected the points of a piece"),
        ("(;GM[Blokus Two-Player];3[t1])", "RED moves, but BLUE is on turn and cannot pass"),
        (
            "(;GM[Blokus Two-Player];1[a20]\n;A1[b19])",
            "line 2: pieces can be set up only before the first move, not by A1",
        ),
        ("(;GM[Blokus Two-Player]A1[a20][b20])", "the cells of BLUE do not consist of its pieces"),
        ("(;GM[Blokus Two-Player]A1[a20]A2[a20])", "cover the same cell"),
        ("(;GM[Blokus Two-Player]A1[a20][c20])", "BLUE has placed MONO twice"),
        ("(;GM[Blokus Two-Player]AE[a20])", "AE[a20]: expected pieces to be set up by"),
        ("(;GM[Blokus Two-Player]PL[5])", "PL[5]: expected the colour on turn"),
        ("(;GM[Blokus Two-Player]RU[2027 MONO])", "RU[2027 MONO]: expected 2021 or 2027 and the start piece"),
        ("(;GM[Blokus Two-Player]BP[2027])", "a position has six fields"),
        ("(;GM[Blokus Two-Player]FAULT[me late])", "FAULT[me late]: expected ONE or TWO"),
        ("(;GM[Blokus Two-Player]ENG[win 2])", "ENG[win 2]: expected a number from 0 to 1"),
        ("(;GM[\u{1b}[2J])", "`\\u{1b}[2J` is another game"),
    ] {
        let error = sgf::read(text).unwrap_err().to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}
