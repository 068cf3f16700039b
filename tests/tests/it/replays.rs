//! Replays of the official servers and of our server.

use std::time::Instant;

use game::{Rules, Team};
use protocol::{ClientMessage, Replay, Season};
use record::file::{self, FileError};
use record::{FaultKind, Game, Verdict, replay};
use server::{ClientId, Lobby, ServerOptions};
use tests::recordings::{self, Recording};

fn files() -> Vec<(Season, &'static str)> {
    let text = |recording: &'static Recording| str::from_utf8(&recording.bytes).expect("recordings are UTF-8");
    recordings::replays().into_iter().map(|recording| (recording.season, text(recording))).collect()
}

#[test]
fn official_replay_round_trips_byte_by_byte() {
    for (season, text) in files() {
        let replay = Replay::parse(text.as_bytes()).unwrap();
        assert_eq!(replay.season, season);
        let game = replay::read(&replay).unwrap();
        assert!(game.end().is_over() && game.fault.is_none());
        let result = replay.result.as_ref().unwrap();
        let winner = result.winner().map_or(Verdict::Drawn, Verdict::Won);
        assert_eq!(game.verdict(), winner);
        for team in Team::ALL {
            assert_eq!(result.score(team).points, game.end().team_points(team));
        }
        assert!(replay.to_xml().trim() == text.trim());
    }
}

/// Plays the recorded moves in our lobby.
#[test]
fn lobby_writes_same_replay_as_official_server() {
    for (season, text) in files() {
        let recorded = Replay::parse(text.as_bytes()).unwrap();
        let (first, rest) = recorded.states.split_first().unwrap();
        let mut lobby = Lobby::new(ServerOptions {
            season,
            time_limits: None,
            start: vec![first.clone()],
            ..ServerOptions::default()
        });
        let now = Instant::now();
        for client in 0..2 {
            lobby.connect(client, now);
            let join = ClientMessage::Join { game_type: Some(season.game_type().to_owned()) };
            lobby.receive(client, &join.to_element(season), now);
        }
        let room = lobby.unfinished().remove(0).room;
        for mv in rest.iter().map(|state| state.last_move.unwrap()) {
            let client = mv.color().unwrap().team() as ClientId;
            let message = ClientMessage::Move { room: room.clone(), mv };
            lobby.receive(client, &message.to_element(season), now);
        }
        let mut ours = Replay { room: recorded.room, ..lobby.take_finished().remove(0).into() };
        // The official server of season 2027 does not count the rounds of loaded games.
        for (ours, official) in ours.states.iter_mut().zip(&recorded.states) {
            ours.round = official.round;
        }
        assert!(ours.to_xml().trim() == text.trim(), "{season}");
    }
}

#[test]
fn truncated_replay_is_unfinished() {
    let read = |bytes: &[u8]| -> Result<Vec<Game>, FileError> { file::read(bytes)?.collect() };
    for (_, text) in files() {
        let bytes = text.as_bytes();
        let whole = &read(bytes).unwrap()[0];
        let mut last = 0;
        for length in (1..bytes.len()).step_by(bytes.len() / 20) {
            let Ok(games) = read(&bytes[..length]) else {
                assert_eq!(last, 0, "only the first state can be missing");
                continue;
            };
            let game = &games[0];
            let moves: Vec<_> = game.moves().collect();
            assert!(whole.moves().take(moves.len()).eq(moves.iter().copied()) && moves.len() >= last);
            // The last states end the game even without the result.
            assert_eq!(game.verdict() == Verdict::Unfinished, moves.len() < whole.moves().count());
            last = moves.len();
        }
        assert!(last + 8 > whole.moves().count(), "{last} moves");
    }
}

#[test]
fn rejects_result_without_last_states() {
    for (_, text) in files() {
        let rooms: Vec<usize> = text.match_indices("<room ").map(|(at, _)| at).collect();
        let cut = format!("{}{}", &text[..rooms[20]], &text[rooms[rooms.len() - 1]..]);
        let replay = Replay::parse(cut.as_bytes()).unwrap();
        let error = replay::read(&replay).unwrap_err();
        assert!(replay.result.is_some() && error.to_string().contains("but its states stop at turn"), "{error}");
    }
}

#[test]
fn reads_session_of_one_game_as_replay() {
    for recording in recordings::of_servers() {
        let text = String::from_utf8_lossy(&recording.bytes);
        let of_one_game = text.matches("<joined ").count() == 1 && text.contains("<state ");
        if !of_one_game {
            continue;
        }
        let replay = Replay::parse(&recording.bytes).unwrap();
        // The last states of a cancelled game seem to be missing.
        let is_cancelled = replay.result.as_ref().is_some_and(|result| result.regular)
            && replay.states.last().is_some_and(|state| !state.position.is_over());
        let game = match replay::read(&replay) {
            Ok(game) => game,
            Err(error) => {
                assert!(is_cancelled, "{}: {error}", recording.name);
                continue;
            }
        };
        assert_eq!(game.start().turn(), 0, "{}", recording.name);
        let fault = game.fault.as_ref().map(|(team, fault)| (*team, fault.kind));
        let causes = [
            (["RULE_VIOLATION", "Regelverletzung", "Missachtung"], FaultKind::Illegal),
            (["TIMEOUT", "laenger als", "keinen Zug gesendet"], FaultKind::Late),
            (["cause=\"LEFT\"", "hat das Spiel verlassen:", "\0"], FaultKind::Left),
        ];
        let kind = causes.into_iter().find(|(words, _)| words.iter().any(|word| text.contains(word)));
        let loser = replay.result.as_ref().and_then(|result| result.winner()).map(Team::opponent);
        let expected = kind.and_then(|(_, kind)| Some((loser?, kind)));
        assert_eq!(fault, expected, "{} of season {}", recording.name, recording.season);
        let is_finished = game.verdict() != Verdict::Unfinished;
        assert_eq!(is_finished, replay.result.is_some(), "{} of season {}", recording.name, recording.season);
    }
}

#[test]
fn finds_position_by_turn() {
    for (_, text) in files() {
        let replay = Replay::parse(text.as_bytes()).unwrap();
        let turn = |wanted| replay.state_at(wanted).map(|state| state.position.turn());
        // The official server of season 2021 leaves the first state out.
        let first = replay.states[0].position.turn();
        assert_eq!(turn(Some(0)), (first == 0).then_some(0));
        assert_eq!(turn(Some(10)), Some(10));
        assert_eq!(turn(None), turn(Some(u16::MAX)));
        assert_ne!(replay.states[0].position.rules(), Rules::Classic);
    }
}

#[test]
fn rejects_invalid_replay() {
    for (text, problem) in [
        ("<protocol></protocol>", "the file has no complete state"),
        ("<protocol><room roomId='r'><data class='memento'><state startTe", "the file has no complete state"),
        ("PK\x03\x04<<<", "line 1: `PK\\u{3}\\u{4}` is not markup"),
    ] {
        let error = Replay::parse(text.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with(problem), "{error}");
    }
    // A piece in the first state lacks a cell, so the board and the remaining pieces give different points.
    let contradiction = Replay::parse(include_bytes!("../../../tools/fuzz/corpus/replay/contradiction.xml")).unwrap();
    let error = contradiction.game().unwrap_err();
    assert!(error.to_string().starts_with("the state of turn 3 is impossible: RED has"), "{error}");
    assert!(matches!(file::read_replay("there is no such file"), Err(FileError::Read(_))));
    for (_, text) in files() {
        // The fourth state does not follow without the third.
        let states: Vec<usize> = text.match_indices("<room ").map(|(at, _)| at).collect();
        let gap = format!("{}{}", &text[..states[2]], &text[states[3]..]);
        let error = Replay::parse(gap.as_bytes()).unwrap().game().unwrap_err().to_string();
        assert!(error.contains(" is illegal: ") || error.contains(" does not follow from "), "{error}");
        let broken = text.replacen("startPiece=\"PENTO", "startPiece=\"HEXO", 1);
        let error = Replay::parse(broken.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with("line ") && error.contains("HEXO"), "{error}");
    }
}
