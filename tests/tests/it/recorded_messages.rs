//! Messages of the official servers and clients, parsed and written again.

use protocol::{
    CLOSING, ClientMessage, Element, Frame, FrameError, Framer, Inconsistency, OPENING, RequestError, RoomData, Season,
    ServerMessage,
};
use tests::recordings::{self, Connection, Recording};

/// Every frame up to the end of the bytes or the first error.
fn frames(chunks: &[&[u8]]) -> (Vec<Frame>, Option<FrameError>) {
    let mut framer = Framer::new(Framer::DEFAULT_LIMIT);
    let mut frames = Vec::new();
    for chunk in chunks {
        framer.push(chunk);
        loop {
            match framer.next_frame() {
                Ok(Some(frame)) => frames.push(frame),
                Ok(None) => break,
                Err(error) => return (frames, Some(error)),
            }
        }
    }
    (frames, None)
}

fn messages(bytes: &[u8], season: Season) -> Vec<ServerMessage> {
    let (frames, error) = frames(&[bytes]);
    assert_eq!(error, None);
    let read = |frame: &Frame| match frame {
        Frame::Element(element) => Some(ServerMessage::parse(element, season).expect("message can be read")),
        Frame::End => None,
    };
    frames.iter().filter_map(read).collect()
}

#[test]
fn frames_do_not_depend_on_the_chunks() {
    for recording in recordings::of_servers().iter().chain(&recordings::of_clients()) {
        let whole = frames(&[&recording.bytes]);
        assert!(!whole.0.is_empty() || recording.bytes.is_empty(), "{}", recording.name);
        for size in [1, 7, 1023] {
            let chunks: Vec<&[u8]> = recording.bytes.chunks(size).collect();
            let (cut, error) = frames(&chunks);
            assert!(cut == whole.0, "{} in chunks of {size}", recording.name);
            assert_eq!(error.is_some(), whole.1.is_some(), "{} in chunks of {size}", recording.name);
        }
    }
}

#[test]
fn servers_are_understood_and_imitated_byte_by_byte() {
    for recording in recordings::of_servers() {
        let (frames, error) = frames(&[&recording.bytes]);
        assert_eq!(error, None);
        let mut written = if recording.bytes.is_empty() { String::new() } else { OPENING.to_owned() };
        for frame in frames {
            let Frame::Element(element) = frame else {
                written += CLOSING;
                continue;
            };
            let message = ServerMessage::parse(&element, recording.season).expect("message can be read");
            let is_unknown = |message: &ServerMessage| {
                let room_data = |data: &RoomData| matches!(data, RoomData::Unknown { .. });
                matches!(message, ServerMessage::Unknown { .. })
                    || matches!(message, ServerMessage::Room { data, .. } if room_data(data))
            };
            assert!(!is_unknown(&message), "{message:?}");
            if let Some(season) = Season::of_message(&element) {
                assert_eq!(season, recording.season);
            }
            written += &message.to_element(recording.season).to_xml(1);
        }
        let recorded = String::from_utf8(recording.bytes).expect("recordings are UTF-8");
        assert_eq!(written, recorded.trim_end(), "{} {}", recording.season, recording.name);
    }
}

#[test]
fn every_game_tells_its_season() {
    for recording in recordings::of_servers() {
        let (frames, _) = frames(&[&recording.bytes]);
        let elements = frames.iter().filter_map(|frame| match frame {
            Frame::Element(element) => Some(element),
            Frame::End => None,
        });
        let mut seasons = elements.clone().filter_map(Season::of_message);
        let is_game = elements.clone().any(|element| element.name() == "room");
        assert!(!is_game || seasons.next() == Some(recording.season), "{}", recording.name);
    }
}

#[test]
fn recorded_states_agree_with_moves() {
    let mut states = 0;
    for recording in recordings::of_servers() {
        let mut before = None;
        for message in messages(&recording.bytes, recording.season) {
            let ServerMessage::Room { data: RoomData::Memento(state), .. } = message else { continue };
            let found: Vec<Inconsistency> = state.inconsistencies(before.as_ref());
            assert_eq!(found, [], "{} turn {}", recording.name, state.position.turn());
            assert_eq!(state.round, state.position.round());
            before = Some(state.position);
            states += 1;
        }
    }
    assert!(states == 0 || states > 1000, "only {states} states");
}

#[test]
fn results_always_name_the_winner() {
    let mut wrong_by_the_server = 0;
    for recording in recordings::of_servers() {
        for message in messages(&recording.bytes, recording.season) {
            let ServerMessage::Room { data: RoomData::Result(result), .. } = message else { continue };
            let [one, two] = [&result.scores[0], &result.scores[1]];
            assert_eq!(one.victory_points + two.victory_points, 2);
            assert_eq!(result.winner().is_none(), one.victory_points == 1);
            let named = if result.winners.len() == 1 { result.winners.first().copied() } else { None };
            if named != result.winner() {
                assert_eq!(recording.season, Season::Season2021);
                wrong_by_the_server += 1;
            }
        }
    }
    assert!(wrong_by_the_server > 0 || recordings::of_servers().is_empty());
}

/// The official server gave no result and no goodbye to clients that sent unreadable messages.
#[test]
fn clients_are_understood_as_by_the_official_server() {
    for Connection { client, server } in recordings::connections() {
        let (elements, error) = client.elements();
        let mut complaints: Vec<String> = error.iter().map(ToString::to_string).collect();
        for element in elements {
            match ClientMessage::parse(&element, client.season) {
                Ok(message) => {
                    let again = message.to_element(client.season);
                    assert_eq!(ClientMessage::parse(&again, client.season), Ok(message));
                }
                Err(RequestError::NotAMove { .. } | RequestError::OfServer { .. }) => {}
                Err(error) => complaints.push(error.to_string()),
            }
        }
        let answers = String::from_utf8_lossy(&server.bytes);
        let was_answered = answers.contains("class=\"result\"") || answers.contains(CLOSING);
        assert!(complaints.is_empty() || !was_answered, "{}: {complaints:?}", client.name);
    }
}

/// The official client breaks lines and indents, as the server does.
#[test]
fn the_official_client_is_imitated_byte_by_byte() {
    let is_official = |recording: &Recording| recording.bytes.starts_with(b"<protocol>\n  <");
    let mut count = 0;
    for recording in recordings::of_clients().into_iter().filter(is_official) {
        let written: String = frames(&[&recording.bytes])
            .0
            .iter()
            .map(|frame| match frame {
                Frame::Element(element) => {
                    let message = ClientMessage::parse(element, recording.season).expect("message can be read");
                    message.to_element(recording.season).to_xml(1)
                }
                Frame::End => CLOSING.to_owned(),
            })
            .collect();
        let recorded = String::from_utf8(recording.bytes).expect("recordings are UTF-8");
        assert_eq!(format!("{OPENING}{written}"), recorded.trim_end(), "{}", recording.name);
        count += 1;
    }
    assert!(count > 0 || recordings::of_clients().is_empty());
}

#[test]
fn reads_invalid_utf8_leniently() {
    let mut framer = Framer::new(Framer::DEFAULT_LIMIT);
    framer.push(b"<protocol><errorpacket message=\"\xfcber\"/>");
    let Ok(Some(Frame::Element(element))) = framer.next_frame() else { panic!() };
    assert_eq!(element, Element::new("errorpacket").with("message", "\u{fffd}ber"));
}
