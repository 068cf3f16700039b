//! Every message is read as it was written.

use std::fmt::Debug;

use game::{Color, Move, Placement, Position, Team};
use proptest::prelude::*;
use protocol::{
    Cause, ClientMessage, Element, Frame, Framer, GameError, GameResult, OPENING, RoomData, Score, Season,
    ServerMessage, Slot, State, WireMove,
};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

fn season() -> impl Strategy<Value = Season> {
    prop_oneof![Just(Season::Season2021), Just(Season::Season2027)]
}

/// Any text for an attribute; the writer escapes it.
fn text() -> impl Strategy<Value = String> {
    "[ -~äöüß∅\n\t]{0,20}"
}

/// Returns the state after some moves at random, some of them passes.
fn state(season: Season, plies: u8, seed: u64, names: [&str; 2]) -> State {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let start_piece = season.rules().start_pieces().iter().nth(seed as usize % 11);
    let mut position = Position::new(season.rules(), start_piece).expect("the piece is a start piece");
    let mut last_move = None;
    for _ in 0..plies {
        if position.is_over() {
            break;
        }
        let passes = position.may_pass() && rng.next_u32().is_multiple_of(16);
        let n = rng.next_u32() as usize % position.board().count_placements(position.color());
        let placement = position.board().nth_placement(position.color(), n).filter(|_| !passes);
        let mv = placement.map_or(Move::Pass, Move::Place);
        last_move = Some(WireMove::new(position.color(), mv));
        position.play(mv);
    }
    State::new(season, position, last_move, names)
}

fn room_data(season: Season) -> impl Strategy<Value = RoomData> {
    let team = || prop_oneof![Just(Team::One), Just(Team::Two)];
    let score = (0..3, -5..220).prop_map(|(victory, points)| Score::new(Cause::Regular, victory, points));
    let name = prop::option::of(text());
    let result = (score.clone(), score, team(), name, text()).prop_map(move |(one, two, winner, name, reason)| {
        let one = Score { name: name.clone().filter(|_| winner == Team::One), ..one };
        let two = Score { name: name.filter(|_| winner == Team::Two), ..two };
        let reason = if season == Season::Season2027 { reason } else { String::new() };
        RoomData::Result(GameResult {
            scores: [one, two],
            is_lone: false,
            winners: vec![winner],
            regular: true,
            reason,
        })
    });
    let memento = (0u8..100, any::<u64>(), text(), text()).prop_map(move |(plies, seed, first, second)| {
        RoomData::Memento(Box::new(state(season, plies, seed, [&first, &second])))
    });
    prop_oneof![
        team().prop_map(RoomData::Welcome),
        memento,
        Just(RoomData::MoveRequest),
        result,
        text().prop_map(|message| RoomData::Error(GameError { message, mv: None })),
        any::<bool>().prop_map(RoomData::Paused),
    ]
}

fn server_message(season: Season) -> impl Strategy<Value = ServerMessage> {
    prop_oneof![
        text().prop_map(|room| ServerMessage::Joined { room }),
        (text(), room_data(season)).prop_map(|(room, data)| ServerMessage::Room { room, data }),
        text().prop_map(|room| ServerMessage::Left { room }),
        text().prop_map(|message| ServerMessage::Error { message, request: Some(Element::new("originalRequest")) }),
        (text(), prop::collection::vec(text(), 0..3))
            .prop_map(|(room, reservations)| ServerMessage::Prepared { room, reservations }),
        (text(), 1usize..3).prop_map(|(room, players)| ServerMessage::JoinedGameRoom { room, players }),
        text().prop_map(|room| ServerMessage::Observed { room }),
        Just(ServerMessage::Close),
    ]
}

fn wire_move() -> impl Strategy<Value = WireMove> {
    let placements: Vec<Placement> = Placement::all().collect();
    let mv = prop_oneof![3 => prop::sample::select(placements).prop_map(Move::Place), 1 => Just(Move::Pass)];
    (prop::sample::select(&Color::ALL[..]), mv).prop_map(|(color, mv)| WireMove::new(color, mv))
}

fn client_message(season: Season) -> impl Strategy<Value = ClientMessage> {
    let reserved = move |reserved| reserved || season == Season::Season2021;
    let slot = (prop::option::of(text()), any::<bool>(), any::<bool>()).prop_map(
        move |(display_name, can_timeout, is_reserved)| Slot {
            display_name,
            can_timeout,
            reserved: reserved(is_reserved),
        },
    );
    let is_left_out = move |left_out| left_out && season == Season::Season2027;
    let game_type = (text(), any::<bool>()).prop_map(move |(text, left_out)| (!is_left_out(left_out)).then_some(text));
    prop_oneof![
        prop::option::of(text()).prop_map(|game_type| ClientMessage::Join { game_type }),
        text().prop_map(|reservation| ClientMessage::JoinPrepared { reservation }),
        (text(), wire_move()).prop_map(|(room, mv)| ClientMessage::Move { room, mv }),
        text().prop_map(|password| ClientMessage::Authenticate { password }),
        (game_type, any::<bool>(), prop::collection::vec(slot, 0..3))
            .prop_map(|(game_type, pause, slots)| ClientMessage::Prepare { game_type, pause, slots }),
        text().prop_map(|room| ClientMessage::Observe { room }),
        (text(), any::<bool>()).prop_map(|(room, pause)| ClientMessage::Pause { room, pause }),
        (text(), any::<bool>()).prop_map(|(room, forced)| ClientMessage::Step { room, forced }),
        text().prop_map(|room| ClientMessage::Cancel { room }),
        Just(ClientMessage::Close),
        if season == Season::Season2021 { of_2021().boxed() } else { Just(ClientMessage::Close).boxed() },
    ]
}

fn of_2021() -> impl Strategy<Value = ClientMessage> {
    prop_oneof![
        text().prop_map(|reservation| ClientMessage::FreeReservation { reservation }),
        (text(), 0usize..9, any::<bool>()).prop_map(|(room, slot, activate)| ClientMessage::Timeout {
            room,
            slot,
            activate
        }),
        Just(ClientMessage::TestMode),
    ]
}

/// Sends messages through the framer in chunks and reads them.
fn transmit<M: PartialEq + Debug>(
    messages: &[M],
    write: impl Fn(&M) -> Element,
    read: impl Fn(&Element) -> M,
    chunk: usize,
) -> Result<(), TestCaseError> {
    let elements: Vec<Element> = messages.iter().map(write).collect();
    let xml: String = elements.iter().map(|element| element.to_xml(1)).collect();
    let mut framer = Framer::default();
    let mut received = Vec::new();
    for bytes in format!("{OPENING}{xml}").as_bytes().chunks(chunk) {
        framer.push(bytes);
        while let Some(Frame::Element(element)) = framer.next_frame().expect("written elements are well-formed") {
            received.push(element);
        }
    }
    prop_assert_eq!(&received, &elements);
    prop_assert_eq!(received.iter().map(read).collect::<Vec<_>>(), messages);
    Ok(())
}

proptest! {
    #[test]
    fn messages_round_trip(
        (season, of_server, of_client) in season().prop_flat_map(|season| {
            let of_server = prop::collection::vec(server_message(season), 1..4);
            (Just(season), of_server, prop::collection::vec(client_message(season), 1..4))
        }),
        chunk in 1usize..2000,
    ) {
        let write = |message: &ServerMessage| message.to_element(season);
        transmit(&of_server, write, |element| ServerMessage::parse(element, season).expect("it is valid"), chunk)?;
        let write = |message: &ClientMessage| message.to_element(season);
        transmit(&of_client, write, |element| ClientMessage::parse(element, season).expect("it is valid"), chunk)?;
    }

    /// Shuffled children and unknown company change nothing.
    #[test]
    fn order_of_children_does_not_matter(season in season(), plies in 0u8..100, seed in any::<u64>(), turn_by in 0usize..10) {
        let state = state(season, plies, seed, ["a", "b"]);
        let message = ServerMessage::Room { room: "r".to_owned(), data: RoomData::Memento(Box::new(state)) };
        let element = disorder(&message.to_element(season), turn_by);
        prop_assert_eq!(ServerMessage::parse(&element, season), Ok(message));
        prop_assert_eq!(Season::from_message(&element), Some(season));
    }
}

fn disorder(element: &Element, turn_by: usize) -> Element {
    let mut children: Vec<Element> = element.children().iter().map(|child| disorder(child, turn_by)).collect();
    if children.len() > 1 {
        let count = children.len();
        children.rotate_left(turn_by % count);
    }
    let mut copy = Element::new(element.name()).with("unknown", "1");
    for name in ["color", "class", "round", "startPiece", "startTeam", "turn", "content", "y", "x", "roomId"]
        .into_iter()
        .chain(["isFlipped", "rotation", "kind", "displayName"])
    {
        if let Some(value) = element.attribute(name) {
            copy = copy.with(name, value);
        }
    }
    let unknown = (!children.is_empty() || element.text().is_empty()).then(|| Element::new("unknown"));
    copy.with_text(element.text()).with_children(children).with_children(unknown)
}

#[test]
fn names_replays_of_other_games() {
    for state in [
        r#"<state class="state" turn="0"><startTeam class="team">ONE</startTeam><board><pieces/></board></state>"#,
        r#"<state class="state" startTeam="ONE" turn="0"><board><field>START</field></board></state>"#,
        r#"<state class="state" startPlayerColor="RED" turn="0"><board><fields/></board></state>"#,
    ] {
        let xml = format!(r#"<protocol><room roomId="r"><data class="memento">{state}</data></room></protocol>"#);
        let error = protocol::Replay::parse(xml.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with("this is not a Blokus replay: "), "{error}");
    }
}
