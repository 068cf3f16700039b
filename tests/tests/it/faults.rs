//! The client on a bad network: a recorded game of each season with faults at many messages. Each session ends with an exit
//! code and a message. The fuzz target `session` damages the bytes.

use client::exit::Exit;
use tests::faulty::{Arrival, End, messages, session};
use tests::recordings;

fn bytes<'a>(messages: &[&'a [u8]]) -> Vec<Arrival<'a>> {
    messages.iter().map(|message| Arrival::Bytes(message)).collect()
}

/// Steps between disturbed messages. Two or three messages belong to a move, so each of them has its turn.
const STEP: usize = 13;

/// Calls `check` for messages at the start, in the middle and at the end of a game of each season. It gets all messages,
/// the number of one, and the end of the game without faults.
fn at_messages(mut check: impl FnMut(&[&[u8]], usize, &End)) {
    for game in recordings::of_servers() {
        if game.name != "full-game-official-random-player-one" {
            continue;
        }
        let messages = messages(&game.bytes);
        let undisturbed = session(bytes(&messages), usize::MAX);
        assert_eq!(undisturbed.exit, Exit::Finished);
        assert!(messages.len() > 2 * undisturbed.moves && undisturbed.moves > 25, "{undisturbed:?}");
        let end = messages.len() - 4;
        (0..6)
            .chain((6..end).step_by(STEP))
            .chain(end..messages.len())
            .for_each(|at| check(&messages, at, &undisturbed));
    }
}

/// Returns the end of a game if nothing follows these messages.
fn end_after(messages: &[&[u8]]) -> Exit {
    let contains = |text: &[u8]| messages.iter().any(|message| message.windows(text.len()).any(|part| part == text));
    match (contains(b"<joined "), contains(b"class=\"result\"")) {
        (false, _) => Exit::Rejected,
        (true, false) => Exit::ConnectionLost,
        (true, true) => Exit::Finished,
    }
}

#[test]
fn cut_connection_ends_by_last_message() {
    at_messages(|messages, at, _| {
        let (before, half) = (&messages[..at], &messages[at][..messages[at].len() / 2]);
        for rest in
            [vec![], vec![Arrival::Reset], vec![Arrival::Bytes(half)], vec![Arrival::Bytes(half), Arrival::Reset]]
        {
            let end = session(bytes(before).into_iter().chain(rest), usize::MAX);
            assert_eq!(end.exit, end_after(before), "{at}: {end:?}");
        }
    });
}

#[test]
fn delayed_message_changes_nothing() {
    at_messages(|messages, at, undisturbed| {
        let (before, after) = messages.split_at(at);
        let (beginning, end) = after[0].split_at(after[0].len() / 2);
        let late =
            [Arrival::Silence, Arrival::Bytes(beginning), Arrival::Silence, Arrival::Silence, Arrival::Bytes(end)];
        let end = session(bytes(before).into_iter().chain(late).chain(bytes(&after[1..])), usize::MAX);
        assert_eq!((end.exit, &end.message, end.moves), (Exit::Finished, &undisturbed.message, undisturbed.moves));
    });
}

#[test]
fn duplicate_message_is_answered_once() {
    at_messages(|messages, at, undisturbed| {
        // The first one begins the document.
        let at = at.max(1);
        let mut messages = messages.to_vec();
        messages.insert(at, messages[at]);
        let end = session(bytes(&messages), usize::MAX);
        let expected = (Exit::Finished, &undisturbed.message, undisturbed.moves);
        assert_eq!((end.exit, &end.message, end.moves), expected, "{at}");
    });
}

#[test]
fn lost_or_swapped_message_adds_no_moves() {
    at_messages(|messages, at, undisturbed| {
        let mut without = messages.to_vec();
        without.remove(at);
        let mut swapped = messages.to_vec();
        swapped.swap(at, (at + 1) % messages.len());
        for messages in [without, swapped] {
            let end = session(bytes(&messages), usize::MAX);
            assert!(end.moves <= undisturbed.moves, "{at}: {end:?}");
        }
    });
}

#[test]
fn result_arrives_after_output_breaks() {
    at_messages(|messages, at, undisturbed| {
        let end = session(bytes(messages), at);
        assert_eq!((end.exit, &end.message), (Exit::Finished, &undisturbed.message));
    });
}
