//! Messages of the server.

use super::*;

#[test]
fn answers_repeated_request_once() {
    for &season in Season::ALL {
        let request = || room(RoomData::MoveRequest);
        let (outcome, sent) = talk(
            season,
            &xml(
                season,
                &[
                    joined(),
                    room(RoomData::Welcome(Team::One)),
                    memento(season, 0),
                    request(),
                    room(RoomData::Paused(true)),
                    memento(season, 0),
                    request(),
                    memento(season, 1),
                    memento(season, 2),
                    memento(season, 2),
                    request(),
                    left(),
                ],
            ),
        );
        assert_eq!(outcome.unwrap(), GameOutcome { team: Some(Team::One), result: None });
        assert_eq!(names(&sent), ["join", "room", "room", season.close_element()]);
    }
}

#[test]
fn ignores_unknown_messages() {
    let season = Season::Season2027;
    let unknown = "<news a='1'><b/></news><room roomId='r'><data class='weather' sun='1'/></room>\
        <room roomId='other'><data class='moveRequest'/></room><left roomId='other'/><joinedGameRoom roomId='r'/>";
    let server = xml(season, &[joined(), memento(season, 0)]) + unknown + &left().to_element(season).to_xml(1);
    let (outcome, sent) = talk(season, &server);
    assert!(outcome.is_ok());
    assert_eq!(names(&sent), ["join", "close"]);
}

#[test]
fn does_not_play_unreadable_state() {
    let season = Season::Season2027;
    let bad = "<room roomId='r'><data class='memento'><state turn='4'/></data></room>";
    let request = room(RoomData::MoveRequest).to_element(season).to_xml(1);
    let (outcome, sent) = talk(season, &(xml(season, &[joined(), memento(season, 0)]) + bad + &request));
    assert!(matches!(outcome, Err(SessionError::Protocol(_))), "{outcome:?}");
    assert_eq!(names(&sent), ["join"]);
    // Other messages change nothing.
    for other in [
        "<room roomId='other'><data class='memento'/></room>",
        "<room roomId='r'><data class='result'/></room>",
        "<room/>",
        "<joined/>",
    ] {
        let (_, sent) = talk(season, &(xml(season, &[joined(), memento(season, 0)]) + other + &request));
        let is_played = names(&sent) == ["join", "room"];
        assert_eq!(is_played, other != "<room/>", "{other}");
    }
    // The next readable state counts.
    let good = memento(season, 4).to_element(season).to_xml(1);
    let (_, sent) = talk(season, &(xml(season, &[joined()]) + bad + &good + &request));
    assert_eq!(names(&sent), ["join", "room"]);
}

/// A state with an unknown start piece, an unknown piece of the opponent, and a cell of two colours.
#[test]
fn plays_partly_unreadable_state() {
    let season = Season::Season2027;
    let request = room(RoomData::MoveRequest).to_element(season).to_xml(1);
    for (good, bad) in [
        ("startPiece=\"PENTO_L\"", "startPiece=\"HEXO_A\""),
        ("<shape>MONO</shape>", "<shape>HEXO_A</shape>"),
        ("content=\"BLUE\"/>", "content=\"BLUE\"/><field x=\"0\" y=\"0\" content=\"RED\"/>"),
        ("<color>GREEN</color>", "<color>PURPLE</color>"),
        ("x=\"0\" y=\"0\"", "x=\"20\" y=\"0\""),
    ] {
        let state = memento(season, 4).to_element(season).to_xml(1);
        assert!(state.contains(good), "{state}");
        let (_, sent) = talk(season, &(xml(season, &[joined()]) + &state.replacen(good, bad, 1) + &request));
        assert_eq!(names(&sent), ["join", "room"], "{bad}");
    }
}

#[test]
fn last_move_replaces_unreadable_cells() {
    let season = Season::Season2027;
    let ServerMessage::Room { data: RoomData::Memento(before), .. } = memento(season, 7) else { unreachable!() };
    let mv = Move::Place(before.position.board().placements(before.position.color())[0]);
    let position = before.position.after(mv);
    let state = State::new(season, position, Some(WireMove::new(before.position.color(), mv)), ["", ""]);
    let xml = text(season, &[room(RoomData::Memento(Box::new(state)))]);
    for (good, bad) in
        [("<field x=\"", "<field x=\"z"), ("<field x=\"", "<field y=\""), ("content=\"YELLOW\"", "content=\"PINK\"")]
    {
        let damaged = xml.replace(good, bad);
        assert_ne!(damaged, xml);
        let mut seen = Vec::new();
        let server = OPENING.to_owned() + &text(season, &[joined(), memento(season, 7)]) + &damaged;
        let mut note = |event: SessionEvent| {
            if let SessionEvent::State(state) = event {
                seen.push(state.position.to_string());
            }
        };
        let stop = AtomicBool::new(false);
        let _ = play(&settings(season), &mut random(), server.as_bytes(), io::sink(), &stop, &mut note);
        assert_eq!(seen, [before.position.to_string(), position.to_string()], "{bad}");
    }
}

#[test]
fn unknown_piece_leaves_first_move_legal() {
    let season = Season::Season2027;
    let before = memento(season, 0);
    let request = room(RoomData::MoveRequest).to_element(season).to_xml(1);
    let state = before.to_element(season).to_xml(1).replace("<shape>MONO</shape>", "<shape>HEXO_A</shape>");
    let (_, sent) = talk(season, &(xml(season, &[joined()]) + &state + &request));
    let ServerMessage::Room { data: RoomData::Memento(state), .. } = before else { unreachable!() };
    match ClientMessage::parse(&sent[1], season).unwrap() {
        ClientMessage::Move { mv, .. } => assert!(mv.check(&state.position).is_ok(), "{mv}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn reports_results() {
    for (scores, winners, team, expected) in [
        ([(2, 90), (0, 80)], vec![Team::One], Team::One, "won, 90 : 80 points"),
        ([(2, 90), (0, 80)], vec![Team::One], Team::Two, "lost, 80 : 90 points"),
        ([(1, 80), (1, 80)], vec![], Team::Two, "drawn, 80 : 80 points"),
        // In season 2021 the server may name the wrong team, or both.
        ([(0, 90), (2, 80)], vec![Team::One], Team::One, "lost, 90 : 80 points"),
        ([(0, 80), (2, 80)], vec![Team::One, Team::Two], Team::Two, "won, 80 : 80 points"),
    ] {
        for &season in Season::ALL {
            let messages = [joined(), room(RoomData::Welcome(team)), room(RoomData::Result(result(scores, &winners)))];
            // With or without the goodbye of the server.
            for end in [left().to_element(season).to_xml(1), "</protocol>".to_owned(), String::new()] {
                let (outcome, _) = talk(season, &(xml(season, &messages) + &end));
                assert_eq!(outcome.unwrap().to_string(), expected);
            }
        }
    }
}
