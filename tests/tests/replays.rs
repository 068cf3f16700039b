//! Replays of the official servers, and those of our referee.

use std::fs;

use arena::record::{FaultKind, Outcome, Side};
use arena::replay::{Replay, ReplayError};
use game::{Rules, Team};
use protocol::Season;
use tests::recordings::{self, Recording};
use tests::shared;

fn files() -> Vec<(Season, Vec<u8>)> {
    recordings::replays().into_iter().map(|Recording { season, bytes, .. }| (season, bytes)).collect()
}

#[test]
fn official_replays_are_read_and_written_alike() {
    for (season, bytes) in files() {
        let replay = Replay::parse(&bytes).unwrap();
        assert_eq!(replay.season, season);
        let record = replay.record(0).unwrap();
        assert!(record.end().is_over() && record.fault.is_none());
        let result = replay.result.as_ref().unwrap();
        assert_eq!(
            result.winner().map(|team| record.side(team)),
            match record.outcome(Side::A) {
                Outcome::Win => Some(Side::A),
                Outcome::Draw => None,
                Outcome::Loss => Some(Side::B),
            }
        );
        for team in Team::ALL {
            assert_eq!(result.score(team).points, record.end().team_points(team));
        }
        assert_eq!(replay.to_xml().trim(), String::from_utf8(bytes).unwrap().trim());
    }
}

#[test]
fn packed_and_plain_files_are_the_same() {
    let Some((_, bytes)) = files().pop() else { return };
    let replay = Replay::parse(&bytes).unwrap();
    let folder = std::env::temp_dir().join(format!("replays-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    for name in ["a.xml", "a.xml.gz"] {
        let path = folder.join(name);
        replay.write(&path).unwrap();
        assert_eq!(Replay::read(&path).unwrap(), replay);
    }
    assert!(fs::read(folder.join("a.xml.gz")).unwrap().len() < bytes.len() / 10);
    fs::remove_dir_all(folder).unwrap();
}

/// What a watching client received serves as a replay, too.
#[test]
fn sessions_are_read_as_replays() {
    for recording in recordings::of_servers() {
        if recording.name.starts_with("lobby") || recording.name.starts_with("admin") {
            continue;
        }
        let replay = Replay::parse(&recording.bytes).unwrap();
        let record = replay.record(7).unwrap();
        assert_eq!((record.start.turn(), record.pair), (0, 7), "{}", recording.name);
        let fault = record.fault.map(|(side, fault)| (side, fault.kind));
        let expected = match recording.name.as_str() {
            _ if replay.result.is_none() => None,
            name if name.starts_with("rule-violation") => Some((Side::A, FaultKind::Illegal)),
            name if name.starts_with("timeout") => Some((Side::A, FaultKind::Late)),
            name if name.starts_with("disconnect-of-waiting") => Some((Side::B, FaultKind::Left)),
            name if name.starts_with("not-your-turn") => Some((Side::B, FaultKind::Illegal)),
            name if name.starts_with("full-game") => None,
            _ => Some((Side::A, FaultKind::Left)),
        };
        assert_eq!(fault, expected, "{} of season {}", recording.name, recording.season);
    }
}

#[test]
fn positions_are_found_by_turn() {
    for (_, bytes) in files() {
        let replay = Replay::parse(&bytes).unwrap();
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
fn what_is_no_replay_is_refused() {
    assert!(matches!(Replay::parse(b"<protocol></protocol>"), Err(ReplayError::NoSeason)));
    assert!(matches!(Replay::parse(b"PK\x03\x04<<<"), Err(ReplayError::Frame(_))));
    assert!(matches!(Replay::read(&shared_or_missing()), Err(ReplayError::File { .. })));
    for (_, bytes) in files() {
        let text = String::from_utf8(bytes).unwrap();
        // Without the first two states the third still has its move, but without the third the
        // fourth does not follow.
        let states: Vec<usize> = text.match_indices("<room ").map(|(at, _)| at).collect();
        let gap = format!("{}{}", &text[..states[2]], &text[states[3]..]);
        let error = Replay::parse(gap.as_bytes()).unwrap().record(0).unwrap_err();
        assert!(matches!(error, ReplayError::Illegal { .. } | ReplayError::Gap { .. }), "{error}");
        let broken = text.replacen("startPiece=\"PENTO", "startPiece=\"HEXO", 1);
        assert!(matches!(Replay::parse(broken.as_bytes()), Err(ReplayError::Message(_))));
    }
}

fn shared_or_missing() -> std::path::PathBuf {
    shared::path("protocol").unwrap_or_default().join("there is no such file")
}
