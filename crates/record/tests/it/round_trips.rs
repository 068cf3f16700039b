//! Games round-trip, and bad files give errors.

use std::io::Write;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use game::{Move, Piece, Position, Rules, Team};
use proptest::prelude::*;
use proptest::sample::Index;
use record::file::{self, FileError};
use record::{Fault, FaultKind, Game, NodeId, Note, Property, json, replay, sgf};

fn rules() -> impl Strategy<Value = (Rules, Option<Piece>)> {
    let with_piece = |rules: Rules| {
        let pieces: Vec<Piece> = rules.start_pieces().iter().collect();
        prop::sample::select(pieces).prop_map(move |piece| (rules, Some(piece)))
    };
    prop_oneof![Just((Rules::Classic, None)), with_piece(Rules::Season2021), with_piece(Rules::Season2027),]
}

/// Any text without carriage returns, which some kinds of file change.
fn words() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z \n\t]{0,20}", r#"[\]\[();:\\"'{}#\u{1b}\u{202e}\u{0}äß🟦\n ]{0,12}"#, "[^\r]{0,8}",]
}

fn note(with_properties: bool) -> impl Strategy<Value = Note> {
    let property = (prop::sample::select(vec!["TE", "BM", "N", "XX9"]), prop::collection::vec(words(), 1..3));
    let count = if with_properties { 0..2 } else { 0..1_usize };
    let figures = (
        prop::option::of(0_f32..=1.0),
        prop::option::of(-120_f32..120.0),
        prop::option::of(0_u64..1_000_000_000_000),
        prop::option::of(any::<u64>()),
        prop::option::of(any::<u32>()),
    );
    (words(), figures, prop::collection::vec(property, count)).prop_map(|(comment, figures, properties)| {
        let (win, margin, nanos, nodes, depth) = figures;
        let properties = properties.into_iter().map(|(id, values)| Property { id: id.to_owned(), values }).collect();
        Note { comment, win, margin, time: nanos.map(Duration::from_nanos), nodes, depth, properties }
    })
}

/// Returns a game of random moves with variations, from the start or from a position of another game.
fn game(with_properties: bool) -> impl Strategy<Value = Game> {
    let opening = prop::collection::vec(any::<Index>(), 0..12);
    let moves = prop::collection::vec((any::<Index>(), any::<Index>(), note(with_properties)), 0..60);
    let fault = prop::option::of((any::<bool>(), prop::sample::select(FaultKind::ALL), words()));
    (rules(), opening, moves, [words(), words(), words()], fault).prop_map(
        |((rules, piece), opening, moves, [one, two, id], fault)| {
            let start = Position::new(rules, piece).expect("the rules know the piece");
            let start = opening.iter().fold(start, |position, index| position.after(choose(&position, index)));
            let mut game = Game::new(start);
            (game.names, game.id) = ([one, two], id);
            game.fault = fault
                .map(|(first, kind, detail)| (if first { Team::One } else { Team::Two }, Fault::new(kind, detail)));
            let mut last = NodeId::START;
            for (at, mv, note) in moves {
                // Mostly continue, sometimes from an earlier node.
                let nodes: Vec<NodeId> = std::iter::successors(Some(last), |&id| game.node(id).parent()).collect();
                let from = nodes[at.index(4 * nodes.len()).saturating_sub(3 * nodes.len())];
                let position = game.position(from);
                if !position.is_over() {
                    last = game.play(from, choose(&position, &mv)).expect("the move is legal");
                }
                *game.note_mut(last) = note;
            }
            game
        },
    )
}

/// Returns a legal move, sometimes a pass.
fn choose(position: &Position, index: &Index) -> Move {
    let placements = position.placements();
    let passes = usize::from(position.may_pass()) * (1 + placements.len() / 10);
    let index = index.index(placements.len() + passes);
    placements.get(index).map_or(Move::Pass, |&placement| placement.into())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn reads_written_games(game in game(true)) {
        prop_assert_eq!(&sgf::read(&sgf::write(&game)).unwrap(), std::slice::from_ref(&game));
        let line = json::write(&game);
        prop_assert!(!line.contains('\n'));
        prop_assert_eq!(&json::read_line(&line, 1).unwrap(), &game);
    }

    #[test]
    fn replays_keep_main_line(game in game(false)) {
        let Some(replay) = replay::write(&game) else { return Ok(()) };
        let again = replay::read(&protocol::Replay::parse(replay.to_xml().as_bytes()).unwrap()).unwrap();
        prop_assert_eq!(again.moves().collect::<Vec<_>>(), game.moves().collect::<Vec<_>>());
        let guilty = |game: &Game| game.fault.as_ref().map(|(team, _)| *team);
        // Only season 2027 has the names of the players in the result.
        let is_kept = game.start().rules() == Rules::Season2027;
        prop_assert_eq!((again.start(), guilty(&again)), (game.start(), guilty(&game).filter(|_| is_kept)));
    }

    /// Only replays can be read if they are truncated.
    #[test]
    fn rejects_truncated_file(game in game(true), at in any::<Index>()) {
        for text in [sgf::write(&game), json::write(&game)] {
            let cut = at.index(text.trim_ascii_end().len());
            prop_assert!(all(String::from_utf8_lossy(&text.as_bytes()[..cut]).into_owned().into_bytes()).is_err());
        }
    }
}

fn all(bytes: Vec<u8>) -> Result<Vec<Game>, FileError> {
    file::read(bytes.as_slice())?.collect()
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

#[test]
fn rejects_compression_bombs() {
    let blanks = packed(&vec![b' '; 65 << 20]);
    for start in [&b"<protocol>"[..], b"(;C[", b"{"] {
        let bomb = [packed(start), blanks.clone()].concat();
        assert!(bomb.len() < 1 << 20);
        let error = all(bomb).unwrap_err();
        assert!(matches!(error, FileError::TooLong { .. }), "{error}");
    }
}

#[test]
fn rejects_deep_nesting() {
    for (deep, expected) in [
        ("(;GM[Blokus Two-Player]".to_owned() + &"(;".repeat(1_000_000), "nested"),
        ("(;GM[Blokus Two-Player]".to_owned() + &";".repeat(1_000_000), "more than"),
        ("(".repeat(1_000_000), "( and a game"),
        ("{\"format\":".to_owned() + &"[".repeat(1_000_000), "line 1"),
        ("<protocol>".to_owned() + &"<a>".repeat(1_000_000), "nested"),
    ] {
        let error = all(deep.into_bytes()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn ignores_blanks_before_game() {
    let game = Game::new(Position::new(Rules::Classic, None).unwrap());
    for written in [json::write(&game), sgf::write(&game)] {
        for blanks in ["\n \n\t", "\u{feff}", "\u{feff}\r\n \n\t"] {
            assert_eq!(all(format!("{blanks}{written}").into_bytes()).unwrap(), std::slice::from_ref(&game));
        }
    }
    assert!(matches!(all(b" \n".to_vec()), Err(FileError::Unknown(_))));
    assert!(matches!(all(b"PK\x03\x04\x14".to_vec()), Err(FileError::Archive)));
}

#[test]
fn reads_packed_files() {
    let game = Game::new(Position::new(Rules::Season2027, Some(Piece::PentoW)).unwrap());
    for bytes in [sgf::write(&game), json::write(&game)] {
        assert_eq!(all(packed(bytes.as_bytes())).unwrap(), std::slice::from_ref(&game));
        let cut = &packed(bytes.as_bytes())[..30];
        assert!(matches!(all(cut.to_vec()), Err(FileError::Unpack(_))));
    }
    // The beginning of a truncated replay is read.
    let xml = replay::write(&game).unwrap().to_xml();
    let mut broken = packed(xml.as_bytes());
    broken.truncate(broken.len() - 4);
    assert_eq!(all(broken).unwrap(), [game]);
}

#[test]
fn reads_files_with_several_games() {
    let games = [Rules::Classic, Rules::Classic].map(|rules| Game::new(Position::new(rules, None).unwrap()));
    let lines = format!("{}\n\n{}\n", json::write(&games[0]), json::write(&games[1]));
    assert_eq!(all(lines.into_bytes()).unwrap(), games);
    assert_eq!(all((sgf::write(&games[0]) + &sgf::write(&games[1])).into_bytes()).unwrap(), games);
    // The games around a bad line can be read.
    let lines = format!("{}\n{{\n{}\n", json::write(&games[0]), json::write(&games[1]));
    let results: Vec<_> = file::read(lines.as_bytes()).unwrap().collect();
    assert!(matches!(&results[..], [Ok(_), Err(FileError::Parse(error)), Ok(_)] if error.line == 2));
}

#[test]
fn damaged_file_gives_all_games_or_error() {
    let game = Game::new(Position::new(Rules::Classic, None).unwrap());
    for (written, bad, line) in
        [(json::write(&game) + "\n", "{", "line 5: "), (sgf::write(&game), "(;GM[Blokus Two-Player", "line 13: ")]
    {
        let whole = written.repeat(4);
        assert_eq!(all(whole.clone().into_bytes()).unwrap().len(), 4);
        let damaged = format!("{whole}{bad}");
        let error = all(damaged.into_bytes()).unwrap_err().to_string();
        assert!(error.starts_with(line), "{error}");
    }
}

#[test]
fn rejects_names_of_three_teams() {
    let line = json::write(&Game::new(Position::new(Rules::Classic, None).unwrap()));
    let names = |names: &str| json::read_line(&line.replace(r#""names":["",""]"#, names), 1);
    assert_eq!(names(r#""names":["Ann","Bob"]"#).unwrap().names, ["Ann", "Bob"]);
    let error = names(r#""names":["Ann","Bob","Cem"]"#).unwrap_err().to_string();
    assert!(error.contains("the names of two teams") && error.contains("Cem"), "{error}");
}

#[test]
fn names_bytes_that_are_not_text() {
    let written = json::write(&Game::new(Position::new(Rules::Classic, None).unwrap()));
    let error = all([written.as_bytes(), b"\n\xfftext"].concat()).unwrap_err().to_string();
    assert!(error.starts_with("line 2: ") && error.ends_with("text`"), "{error}");
}
