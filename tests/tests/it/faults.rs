//! The client on a bad network: a recorded game of each season with faults at many messages, and recorded sessions with
//! random damage. Each session ends with an exit code and a message.

use client::exit::Exit;
use proptest::prelude::*;
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

/// A damage to some bytes.
#[derive(Clone, Debug)]
enum Damage {
    Overwrite(Vec<u8>),
    Insert(Vec<u8>),
    Remove(usize),
    Repeat(usize),
    Truncate,
}

fn damage() -> impl Strategy<Value = Damage> {
    let markup: Vec<&[u8]> =
        vec![b"<", b">", b"/>", b"\"", b"</room>", b"<!--", b"<![CDATA[", b"&#0;", b"-1", b"\0", b"\xff"];
    let text =
        prop_oneof![prop::sample::select(markup).prop_map(<[u8]>::to_vec), prop::collection::vec(any::<u8>(), 1..4)];
    prop_oneof![
        text.clone().prop_map(Damage::Overwrite),
        text.prop_map(Damage::Insert),
        (1usize..200).prop_map(Damage::Remove),
        (1usize..2000).prop_map(Damage::Repeat),
        Just(Damage::Truncate),
    ]
}

fn apply(damage: &Damage, bytes: &mut Vec<u8>, at: usize) {
    let end = |length: usize| (at + length).min(bytes.len());
    match damage {
        Damage::Overwrite(text) => _ = bytes.splice(at..end(text.len()), text.iter().copied()),
        Damage::Insert(text) => _ = bytes.splice(at..at, text.iter().copied()),
        Damage::Remove(length) => _ = bytes.drain(at..end(*length)),
        Damage::Repeat(length) => bytes.extend_from_within(at..end(*length)),
        Damage::Truncate => bytes.truncate(at),
    }
}

/// Short sessions of all kinds, and an empty one.
fn any_session() -> impl Strategy<Value = Vec<u8>> {
    let of_servers = recordings::of_servers().into_iter().map(|recording| recording.bytes.clone());
    let short = of_servers.filter(|bytes| bytes.len() < 50_000).chain([Vec::new()]);
    prop::sample::select(short.collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn damaged_session_ends_cleanly(
        mut bytes in any_session(),
        damages in prop::collection::vec((any::<prop::sample::Index>(), damage()), 1..4),
    ) {
        for (at, damage) in damages {
            let at = at.index(bytes.len() + 1);
            apply(&damage, &mut bytes, at);
        }
        session([Arrival::Bytes(&bytes)], usize::MAX);
    }

    #[test]
    fn mixed_sessions_end_cleanly(one in any_session(), other in any_session(), order in prop::collection::vec(any::<bool>(), 100)) {
        let (mut one, mut other) = (messages(&one).into_iter(), messages(&other).into_iter());
        let mixed: Vec<&[u8]> =
            order.into_iter().filter_map(|first| if first { one.next() } else { other.next() }).collect();
        session(bytes(&mixed), usize::MAX);
    }
}
