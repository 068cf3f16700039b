//! The client when the network goes wrong: a recorded game with a fault before every message, and
//! recorded sessions that are cut off, damaged and mixed up at random. Each ends in an exit code and
//! a message.

use client::exit::Exit;
use proptest::prelude::*;
use tests::faulty::{Arrival, End, messages, session};
use tests::recordings::{self, Recording};

fn bytes<'a>(messages: &[&'a [u8]]) -> Vec<Arrival<'a>> {
    messages.iter().map(|message| Arrival::Bytes(message)).collect()
}

/// A whole game of each season.
fn games() -> impl Iterator<Item = Recording> {
    recordings::of_servers().into_iter().filter(|recording| recording.name == "full-game-official-random-player-one")
}

/// Calls `check` for every message of a game with the messages, the number of this one, and the end
/// of the game without any fault.
fn at_every_message(mut check: impl FnMut(&[&[u8]], usize, &End)) {
    for game in games() {
        let messages = messages(&game.bytes);
        let undisturbed = session(bytes(&messages), usize::MAX);
        assert_eq!(undisturbed.exit, Exit::Finished);
        assert!(messages.len() > 2 * undisturbed.moves && undisturbed.moves > 25, "{undisturbed:?}");
        (0..messages.len()).for_each(|at| check(&messages, at, &undisturbed));
    }
}

/// How the game ends if nothing follows these messages.
fn end_after(messages: &[&[u8]]) -> Exit {
    let contains = |text: &[u8]| messages.iter().any(|message| message.windows(text.len()).any(|part| part == text));
    match (contains(b"<joined "), contains(b"class=\"result\"")) {
        (false, _) => Exit::Rejected,
        (true, false) => Exit::ConnectionLost,
        (true, true) => Exit::Finished,
    }
}

#[test]
fn cut_off_or_reset() {
    at_every_message(|messages, at, _| {
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
fn delayed() {
    at_every_message(|messages, at, undisturbed| {
        let (before, after) = messages.split_at(at);
        let (beginning, end) = after[0].split_at(after[0].len() / 2);
        let late =
            [Arrival::Silence, Arrival::Bytes(beginning), Arrival::Silence, Arrival::Silence, Arrival::Bytes(end)];
        let end = session(bytes(before).into_iter().chain(late).chain(bytes(&after[1..])), usize::MAX);
        assert_eq!((end.exit, &end.message, end.moves), (Exit::Finished, &undisturbed.message, undisturbed.moves));
    });
}

/// A state or a request that comes twice is answered once.
#[test]
fn duplicated() {
    at_every_message(|messages, at, undisturbed| {
        // The first one begins the document, which cannot be done twice.
        let at = at.max(1);
        let mut messages = messages.to_vec();
        messages.insert(at, messages[at]);
        let end = session(bytes(&messages), usize::MAX);
        let expected = (Exit::Finished, &undisturbed.message, undisturbed.moves);
        assert_eq!((end.exit, &end.message, end.moves), expected, "{at}");
    });
}

#[test]
fn lost_or_out_of_order() {
    at_every_message(|messages, at, undisturbed| {
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
fn nothing_can_be_sent_any_more() {
    at_every_message(|messages, at, undisturbed| {
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
    ]
}

fn apply(damage: &Damage, bytes: &mut Vec<u8>, at: usize) {
    let end = |length: usize| (at + length).min(bytes.len());
    match damage {
        Damage::Overwrite(text) => _ = bytes.splice(at..end(text.len()), text.iter().copied()),
        Damage::Insert(text) => _ = bytes.splice(at..at, text.iter().copied()),
        Damage::Remove(length) => _ = bytes.drain(at..end(*length)),
        Damage::Repeat(length) => bytes.extend_from_within(at..end(*length)),
    }
}

/// Sessions of all kinds; where there are no recordings, there is an empty one.
fn sessions() -> Vec<Vec<u8>> {
    let of_servers = recordings::of_servers().into_iter().map(|recording| recording.bytes);
    of_servers.filter(|bytes| bytes.len() < 50_000).chain([Vec::new()]).collect()
}

fn any_session() -> impl Strategy<Value = Vec<u8>> {
    prop::sample::select(sessions())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_beginning(bytes in any_session(), length in any::<prop::sample::Index>()) {
        let bytes = &bytes[..length.index(bytes.len() + 1)];
        session([Arrival::Bytes(bytes)], usize::MAX);
    }

    #[test]
    fn any_damage(
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
    fn any_two_mixed(one in any_session(), other in any_session(), order in prop::collection::vec(any::<bool>(), 100)) {
        let (mut one, mut other) = (messages(&one).into_iter(), messages(&other).into_iter());
        let mixed: Vec<&[u8]> =
            order.into_iter().filter_map(|first| if first { one.next() } else { other.next() }).collect();
        session(bytes(&mixed), usize::MAX);
    }
}
