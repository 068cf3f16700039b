//! Files of Pentobi, good and bad.

use game::{Color, IllegalMove, Piece, Position, Rules, Team};
use protocol::gtp;
use record::{FaultKind, Game, NodeId, ParseError, Problem, Property, Verdict, Warning, sgf};

/// A game of Pentobi 31 against itself on its lowest level.
const PENTOBI: &str = include_str!("../data/pentobi.blksgf");

fn read(text: &str) -> Game {
    let mut games = sgf::read(text).unwrap();
    assert_eq!(games.len(), 1);
    games.remove(0)
}

#[test]
fn game_of_pentobi_round_trips() {
    let game = read(PENTOBI);
    assert_eq!((game.moves().count(), game.verdict()), (48, Verdict::Unfinished));
    // As Pentobi counted.
    assert_eq!(Color::ALL.map(|color| game.end().points(color)), [60, 59, 60, 60]);
    let moves = |text: &str| text.lines().skip(2).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(moves(&sgf::write(&game)), moves(PENTOBI));
}

#[test]
fn keeps_variations_and_remarks() {
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
fn reads_setup() {
    let game = read("(;GM[Blokus Two-Player]A1[a20][b19,b18]A2[t20,s20]PL[2];2[r19])");
    let start = game.start();
    // Blue has placed two pieces, so this is round 2 at least.
    assert_eq!((start.turn(), start.color(), start.rules()), (5, Color::Yellow, Rules::Classic));
    assert_eq!(Color::ALL.map(|color| start.points(color)), [3, 2, 0, 0]);
    assert_eq!(game.moves().count(), 1);
    // A colour without a piece is at its first move, so green cannot be skipped.
    let game = read("(;GM[Blokus Two-Player]A1[a20]PL[4];1[b19])");
    let problem = Problem::Turn { color: Color::Blue, on_turn: Color::Green, reason: IllegalMove::PassOnFirstMove };
    let error = ParseError { line: 1, problem };
    assert_eq!((game.moves().count(), game.warnings), (0, vec![Warning { error, in_main_line: true }]));
}

#[test]
fn later_setup_begins_a_new_game() {
    let moves = |game: &Game| game.moves().map(gtp::write_move).collect::<Vec<_>>();
    let text = "(;GM[Blokus Two-Player]PB[Ann]RE[B+R];1[a20,b20,c20](;A2[t20,s20,r20]PL[3];3[t1,s1,r1])\
                (;2[t20];AE[t20]PL[2];2[t20,s20]))";
    let games = sgf::read(text).unwrap();
    let [main, before, variation] = &games[..] else { panic!("{games:?}") };
    assert_eq!((moves(main), moves(before)), (vec!["r1,s1,t1".to_owned()], vec!["a20,b20,c20".into(), "t20".into()]));
    assert_eq!(Color::ALL.map(|color| main.end().points(color)), [3, 3, 3, 0]);
    assert_eq!(Color::ALL.map(|color| variation.end().points(color)), [3, 2, 0, 0]);
    assert!(games.iter().all(|game| game.names[0] == "Ann" && game.warnings.is_empty()));
    assert_eq!(games.iter().filter(|game| game.fault.is_some()).count(), 1);
    // Without `PL` the colour to move stays; a root without moves is no game of its own.
    let only = read("(;GM[Blokus Two-Player];A1[a20]PL[2];A2[t20])");
    assert_eq!((only.start().color(), only.start().turn()), (Color::Yellow, 5));
}

#[test]
fn illegal_move_ends_its_line() {
    let root = "(;GM[Blokus Two-Player];1[a20,b20,c20]";
    for (line, dropped, error) in [
        (";2[t20,s20];4[a1,b1]", 1, "GREEN moves, but RED is to move and cannot pass: the first move"),
        (";2[t20,s20,r20];3[g7,g8]", 1, "RED DOMINO-RIGHT@6,12: the first piece must cover a start cell"),
        (";2[t20];3[t1];4[a1];1[a18,b18,c18]", 1, "BLUE TRIO_I-RIGHT@0,2: the piece has been placed before"),
        (";2[t20];3[t1,r1];4[a1]", 2, "3[t1,r1]: expected the points of a piece"),
    ] {
        let moves = line.matches('[').count() - dropped;
        let error = format!("line 2: {error}");
        let side = read(&format!("{root}(;2[t20,s20,r20];3[t1,s1,r1])\n({line}))"));
        let [warning] = &side.warnings[..] else { panic!("{:?}", side.warnings) };
        assert!(warning.to_string().starts_with(&error) && !warning.in_main_line, "{warning}");
        assert!(warning.to_string().ends_with("; the rest of this variation is dropped"), "{warning}");
        assert_eq!(side.moves().count(), 3);

        let text = format!("{root}\n{line}(;2[r18])(;2[r19]))");
        let main = read(&text);
        let [warning] = &main.warnings[..] else { panic!("{:?}", main.warnings) };
        assert!(warning.to_string().starts_with(&error) && warning.in_main_line, "{warning}");
        assert_eq!((main.moves().count(), main.node_count()), (1 + moves, 2 + moves));
    }
}

#[test]
fn ignores_text_outside_trees() {
    let tree = "(;GM[Blokus Two-Player];1[a20,b20,c20])";
    for (before, after) in
        [("", ")"), ("", "\nxyz)"), ("", "\n\0\0\0"), ("From: (Ann)\n\n", ""), ("\0", "(("), (")", "")]
    {
        let text = format!("{before}{tree}{after}");
        assert_eq!(read(&text), read(tree), "{text:?}");
        let games: Vec<_> = record::file::read(text.as_bytes()).unwrap().map(Result::unwrap).collect();
        assert_eq!(games, [read(tree)], "{text:?}");
    }
    assert_eq!(sgf::read(&format!("{tree};\n{tree})")).unwrap().len(), 2);
}

#[test]
fn accepts_variants_of_names_and_charsets() {
    for game in ["blokus two-player", "Blokus Two-Player ", " Blokus\n TWO-PLAYER"] {
        assert_eq!(sgf::write(&read(&format!("(;GM[{game}])"))), "(\n;GM[Blokus Two-Player]CA[UTF-8]\n)\n");
    }
    for (text, name) in [
        (&b"(;GM[Blokus Two-Player]CA[ISO-8859-1]PB[gr\xfcn])"[..], "grün"),
        (b"(;GM[Blokus Two-Player]CA[windows-1252]PB[\x80])", "€"),
        (b"(;GM[Blokus Two-Player]PB[gr\xfcn])", "grün"),
        (b"(;GM[Blokus Two-Player]CA[utf8]PB[gr\xc3\xbcn])\xff", "grün"),
        (b"(;GM[Blokus Two-Player]CA[no such thing]PB[gr\xc3\xbcn])", "grün"),
        (b"(;GM[Blokus Two-Player]CA[Shift_JIS]PB[\x90\xd4])", "赤"),
    ] {
        let game = record::file::read(text).unwrap().next().unwrap().unwrap();
        assert_eq!(game.names[0], name);
    }
}

#[test]
fn notation_counts_unless_pieces_changed() {
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
fn reads_and_writes_passes() {
    // Blue passes voluntarily, implicitly and with a node.
    for pass in ["", ";PASS[1]"] {
        let game = read(&format!("(;GM[Blokus Two-Player];1[a20];2[t20];3[t1];4[a1]{pass};2[s19,s18])"));
        assert_eq!(game.moves().count(), 6);
        assert!(sgf::write(&game).contains("PASS[1]\n;2[s18,s19]"));
    }
}

#[test]
fn reads_results_of_other_programs() {
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
fn errors_name_the_problem() {
    for (text, part) in [
        ("", "expected ( and a game, found the end of the file"),
        ("hello", "found `hello`"),
        ("()", "expected ( and a game, found `()`"),
        ("(;FF[4]GM[1];B[aa])", "`1` is neither Blokus nor"),
        ("(;FF[4])", "`a file without GM` is neither Blokus nor"),
        ("(;GM[Blokus Duo])", "`Blokus Duo` is neither Blokus nor"),
        ("(;GM[Blokus Two-Player]", "expected a ) for every (, found the end of the file"),
        ("(;GM[Blokus Two-Player]A1[a20][b20])", "the cells of BLUE do not consist of its pieces"),
        ("(;GM[Blokus Two-Player]A1[a20]A2[a20])", "cover the same cell"),
        ("(;GM[Blokus Two-Player]A1[a20][c20])", "BLUE has placed MONO twice"),
        ("(;GM[Blokus Two-Player]AE[a20])", "AE[a20]: expected a piece that is on the board"),
        ("(;GM[Blokus Two-Player]AB[a20])", "AB[a20]: expected pieces to be set up by"),
        ("(;GM[Blokus Two-Player]PL[5])", "PL[5]: expected the colour to move"),
        ("(;GM[Blokus Two-Player]RU[2027 MONO])", "RU[2027 MONO]: expected 2021 or 2027 and the start piece"),
        ("(;GM[Blokus Two-Player]BP[2027])", "position `2027`: expected six fields"),
        ("(;GM[Blokus Two-Player]FAULT[me late])", "FAULT[me late]: expected ONE or TWO"),
        ("(;GM[Blokus Two-Player]ENG[win 2])", "ENG[win 2]: expected a number from 0 to 1"),
        ("(;GM[\u{1b}[2J])", "`\\u{1b}[2J` is neither Blokus nor"),
    ] {
        let error = sgf::read(text).unwrap_err().to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn reads_and_writes_games_of_four_players() {
    let text = "(;GM[Blokus]P1[Ann]P4[Dan];1[a20,b20];2[t20];3[t1];4[a1])";
    let game = read(text);
    assert_eq!(
        (game.start().rules(), game.moves().count(), game.verdict()),
        (Rules::FourPlayers, 4, Verdict::Unfinished)
    );
    let written = sgf::write(&game);
    assert!(written.starts_with("(\n;GM[Blokus]CA[UTF-8]P1[Ann]P4[Dan]\n"), "{written}");
    for kind in ["blksgf", "jsonl"] {
        let again = record::file::text_of(&game, kind).unwrap();
        let again = record::file::read(again.as_bytes()).unwrap().next().unwrap().unwrap();
        assert_eq!((again.start(), again.end()), (game.start(), game.end()), "{kind}");
    }
    // All colours are out: blue leads, then yellow has the same points.
    let over = |covered: &str| {
        let start = format!("classic-4 - 40 - - {covered}/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20");
        Game::new(start.parse().unwrap()).verdict()
    };
    assert_eq!([over("BB17Y"), over("BB16YY")], [Verdict::WonAlone(Color::Blue), Verdict::Drawn]);
}
