//! Messages of the official servers and clients, parsed and written again.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use protocol::{CLOSING, ClientMessage, OPENING, RoomData, Season, ServerMessage};
use tests::recordings::{self, Recording};

/// The messages of the servers, by recording.
static MESSAGES: LazyLock<Vec<(&Recording, Vec<ServerMessage>)>> = LazyLock::new(|| {
    let messages = |recording: &Recording| {
        let (elements, error) = recording.elements();
        assert_eq!(error, None);
        let parse = |element| ServerMessage::parse(element, recording.season).expect("message can be read");
        elements.iter().map(parse).collect()
    };
    recordings::of_servers().into_iter().map(|recording| (recording, messages(recording))).collect()
});

/// Returns `true` if the document of a recording ends.
fn has_end(recording: &Recording) -> bool {
    recording.bytes.trim_ascii_end().ends_with(CLOSING.as_bytes())
}

/// Each game also reveals its season.
#[test]
fn server_messages_round_trip_byte_by_byte() {
    for (recording, messages) in MESSAGES.iter() {
        let mut written = if recording.bytes.is_empty() { String::new() } else { OPENING.to_owned() };
        let (mut is_game, mut seasons) = (false, BTreeSet::new());
        for message in messages {
            let is_unknown = match message {
                ServerMessage::Room { data, .. } => matches!(data, RoomData::Unknown { .. }),
                message => matches!(message, ServerMessage::Unknown { .. }),
            };
            assert!(!is_unknown, "{message:?}");
            is_game |= matches!(message, ServerMessage::Room { .. });
            let element = message.to_element(recording.season);
            seasons.extend(Season::from_message(&element).map(Season::name));
            written += &element.to_xml(1);
        }
        if has_end(recording) {
            written += CLOSING;
        }
        let recorded = str::from_utf8(&recording.bytes).expect("recordings are UTF-8");
        assert!(written == recorded.trim_end(), "{} {}: {written}", recording.season, recording.name);
        assert!(!is_game || !seasons.is_empty(), "{}", recording.name);
        assert!(seasons.iter().all(|&season| season == recording.season.name()), "{}", recording.name);
    }
}

#[test]
fn recorded_states_agree_with_moves() {
    let mut states = 0;
    for (recording, messages) in MESSAGES.iter() {
        let mut before = None;
        for message in messages {
            let ServerMessage::Room { data: RoomData::Memento(state), .. } = message else { continue };
            let found = state.inconsistencies(before.as_ref());
            assert!(found.is_empty(), "{} turn {}: {found:?}", recording.name, state.position.turn());
            assert_eq!(state.round, state.position.round());
            before = Some(state.position);
            states += 1;
        }
    }
    assert!(states == 0 || states > 1000, "only {states} states");
}

/// The official client breaks lines and indents like the server.
#[test]
fn official_client_round_trips_byte_by_byte() {
    let is_official = |recording: &&Recording| recording.bytes.starts_with(b"<protocol>\n  <");
    let mut count = 0;
    for recording in recordings::of_clients().into_iter().filter(is_official) {
        let mut written = OPENING.to_owned();
        for element in recording.elements().0 {
            let message = ClientMessage::parse(&element, recording.season).expect("message can be read");
            written += &message.to_element(recording.season).to_xml(1);
        }
        if has_end(recording) {
            written += CLOSING;
        }
        let recorded = str::from_utf8(&recording.bytes).expect("recordings are UTF-8");
        assert_eq!(written, recorded.trim_end(), "{}", recording.name);
        count += 1;
    }
    assert!(count > 0 || recordings::of_clients().is_empty());
}
