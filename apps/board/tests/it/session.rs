//! A session under any sequence of actions.

use board::session::{Action, By, Insight, Review, Seat, Session, TimeControl, View, rechecks, territory};
use game::{ByColor, Color, ColorSet, Piece, Position, Rules, Team};
use player::Level;
use proptest::prelude::*;
use record::{Game, NodeId};

/// A step of a test.
#[derive(Clone, Debug)]
enum Step {
    /// The legal placement with this number, modulo their count, for the colour to move.
    Place(u32),
    Do(Action),
}

fn steps() -> impl Strategy<Value = Vec<(Step, usize, u64)>> {
    let (node, text) = (|| 0..30_usize, || ".{0,20}");
    let action = prop_oneof![
        1 => Just(Action::Play { mv: game::Move::Pass }),
        1 => Just(Action::Play { mv: "PENTO_X@9,9".parse().unwrap() }),
        1 => prop::sample::select(&Team::ALL[..]).prop_map(|team| Action::Resign { team }),
        1 => Just(Action::TimeUp),
        2 => node().prop_map(|to| Action::TakeBack { to }),
        4 => Just(Action::Undo),
        3 => Just(Action::Redo),
        1 => (node(), text()).prop_map(|(node, text)| Action::Comment { node, text }),
        1 => node().prop_map(|node| Action::Promote { node }),
        1 => node().prop_map(|node| Action::Delete { node }),
        1 => (node(), text()).prop_map(|(node, name)| Action::Label { node, name }),
        1 => (0..4_usize, 0..4_usize)
            .prop_map(|(color, seat)| Action::Sit { color: Color::ALL[color], seat: seats()[seat].clone() }),
        1 => Just(Action::Pause),
        2 => Just(Action::Resume),
    ];
    let step = prop_oneof![12 => any::<u32>().prop_map(Step::Place), 21 => action.prop_map(Step::Do)];
    // The actor, mostly one with permission, and the passed milliseconds.
    prop::collection::vec((step, prop_oneof![8 => Just(0_usize), 1 => 1..5_usize], 0..4_000_u64), 0..60)
}

fn seats() -> [Seat; 4] {
    let level = Level::new(3).unwrap();
    [Seat::Person, Seat::Guest, Seat::Level { level }, Seat::Program { name: "x".to_owned() }]
}

fn action(session: &Session, step: Step) -> Action {
    match step {
        Step::Do(action) => action,
        Step::Place(n) => {
            let position = session.position();
            let list = position.placements();
            let mv = list.get(n as usize % list.len().max(1)).map_or(game::Move::Pass, |&placement| placement.into());
            Action::Play { mv }
        }
    }
}

/// Returns the actor number `who`: 0 may move now.
fn by(session: &Session, who: usize, action: &Action) -> By {
    let color = session.position().color();
    match (who, action, session.seat(color)) {
        (0, Action::TimeUp, _) => By::Clock,
        (0, Action::Play { .. }, Seat::Guest) => By::Guest([color].into_iter().collect()),
        (0, Action::Play { .. }, seat) if seat.is_engine() => By::Engine(color),
        (0 | 1, ..) => By::Host,
        (2, ..) => By::Watcher,
        (3, ..) => By::Guest(ColorSet::ALL),
        _ => By::Engine(color),
    }
}

/// Returns a game with a variation, as if it came from a file.
fn imported(rules: Rules) -> Game {
    let mut game = Game::new(Position::new(rules, rules.start_pieces().iter().next()).unwrap());
    let mut at = NodeId::START;
    for n in 0..3 {
        let position = game.position(at);
        let list = position.placements();
        let next = game.play(at, list[n].into()).unwrap();
        game.play(at, list[list.len() - 1].into()).unwrap();
        at = next;
    }
    game
}

fn controls() -> impl Strategy<Value = TimeControl> {
    prop_oneof![
        Just(TimeControl::None),
        Just(TimeControl::Game { main: 20_000, increment: 500 }),
        Just(TimeControl::Move { limit: 3_000 }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 30, ..ProptestConfig::default() })]

    /// Refused actions change nothing, undo and redo are exact, and storage loses nothing.
    #[test]
    fn any_sequence_of_actions(steps in steps(), control in controls(), rules in 0..3_usize, is_imported: bool) {
        let rules = Rules::TWO_PLAYERS[rules];
        let game = match is_imported {
            true => imported(rules),
            false => Game::new(Position::new(rules, rules.start_pieces().iter().next()).unwrap()),
        };
        let mut session = Session::with(game, ByColor(seats()), control);
        let mut now = 1_000;
        for (step, who, passed) in steps {
            now += passed;
            let before = session.clone();
            let action = action(&session, step);
            let by = by(&session, who, &action);
            match session.act(&action, by, now) {
                Err(error) => {
                    prop_assert!(session.stands_as(&before), "{error}");
                    prop_assert_eq!(session.version(), before.version());
                    prop_assert!(!error.name.is_empty());
                }
                Ok(()) => {
                    prop_assert_eq!(session.version(), before.version() + 1);
                    let is_by_person = !matches!(by, By::Engine(_));
                    let is_undone = !matches!(action, Action::Undo | Action::Redo | Action::Pause | Action::Resume);
                    if is_undone && is_by_person {
                        let mut other = session.clone();
                        other.act(&Action::Undo, By::Host, now).unwrap();
                        prop_assert!(other.stands_as(&before), "{action:?}");
                        other.act(&Action::Redo, By::Host, now).unwrap();
                        prop_assert!(other.stands_as(&session), "{action:?}");
                    }
                }
            }
            let stored = Session::from_document(&session.document(), []).unwrap();
            prop_assert!(stored.stands_as(&session));
            prop_assert_eq!(stored.version(), session.version());
            let watcher = View::of(&session, None, By::Watcher, now);
            prop_assert!(watcher.legal.is_empty() && !watcher.may_move);
        }
        // Wherever one looks, there is something to see that follows from the moves.
        for node in session.path() {
            let view = View::of(&session, Some(node), By::Host, now);
            let position = session.position_at(Some(node));
            let legal: usize = view.legal.values().map(Vec::len).sum();
            let expected = if position.is_over() { 0 } else { position.board().count_placements(position.color()) };
            prop_assert_eq!(legal, expected);
        }
        territory(session.position());
        // The record's main line leads to where the session stands, and files hold it.
        let record = session.record();
        let mut end = *record.start();
        let plies = session.path().len() - 1;
        record.moves().take(plies).for_each(|mv| end.play(mv));
        prop_assert_eq!(&end, session.position());
        prop_assert!(record.fault.is_none() || record.moves().count() == plies, "a fault ends the main line");
        prop_assert_eq!(&record::json::read_line(&record::json::write(&record), 1).unwrap(), &record);
        prop_assert_eq!(&record::sgf::read(&record::sgf::write(&record)).unwrap()[0].end(), &record.end());
    }
}

fn classic(seats: [Seat; 4], control: TimeControl) -> Session {
    Session::with(Game::new(Position::new(Rules::Classic, None).unwrap()), ByColor(seats), control)
}

/// Returns a game of persons without a clock.
fn of_people() -> Session {
    classic(Default::default(), TimeControl::None)
}

fn play(mv: &str) -> Action {
    Action::Play { mv: mv.parse().unwrap() }
}

/// Applies actions of the host.
fn act(session: &mut Session, actions: &[Action]) {
    actions.iter().for_each(|action| session.act(action, By::Host, 0).unwrap());
}

fn can_undo(session: &Session) -> bool {
    View::of(session, None, By::Host, 0).can_undo
}

#[test]
fn undo_takes_back_the_answer_of_the_program() {
    let level = Seat::Level { level: Level::new(1).unwrap() };
    let mut session = classic([Seat::Person, level.clone(), level.clone(), level], TimeControl::None);
    act(&mut session, &[play("PENTO_W@0,0")]);
    assert_eq!(session.engine_on_turn().map(|(color, _)| color), Some(Color::Yellow));
    session.act(&play("MONO@19,0"), By::Engine(Color::Yellow), 0).unwrap();
    session.act(&play("MONO@19,19"), By::Engine(Color::Red), 0).unwrap();
    let view = View::of(&session, None, By::Host, 0);
    assert!(view.can_undo && view.is_engine_on_turn && !view.may_move);
    act(&mut session, &[Action::Undo]);
    assert_eq!((session.position().turn(), session.engine_on_turn()), (0, None));
    act(&mut session, &[Action::Redo]);
    assert_eq!(session.position().turn(), 3);
}

#[test]
fn undo_takes_back_later_pauses() {
    let mut session = of_people();
    act(&mut session, &[Action::Pause, Action::Resume]);
    assert!(!can_undo(&session) && session.act(&Action::Undo, By::Host, 0).is_err());
    act(&mut session, &[play("PENTO_W@0,0"), Action::Pause, Action::Resume]);
    let before = session.clone();
    act(&mut session, &[Action::Undo]);
    assert!(session.position().turn() == 0 && !can_undo(&session));
    act(&mut session, &[Action::Redo]);
    assert!(session.stands_as(&before) && session.act(&Action::Redo, By::Host, 0).is_err());
}

#[test]
fn variations_are_promoted_named_and_deleted() {
    let mut session = Session::with(imported(Rules::Classic), ByColor::default(), TimeControl::None);
    let played = session.path();
    let view = |session: &Session, node| View::of(session, Some(node), By::Host, 0);
    let variation = view(&session, played[0]).variations[&played[1]][0].clone();
    assert!(!variation.is_played && view(&session, played[0]).line.iter().all(|ply| ply.is_played));
    let node = variation.node;
    act(&mut session, &[Action::Label { node, name: "wide".to_owned() }, Action::Promote { node }]);
    let from_before = view(&session, played[1]);
    assert_eq!((from_before.line[2].node, from_before.line[2].label.as_str()), (node, "wide"));
    assert!(from_before.variations[&played[1]][0].is_played);
    // The played game stays the main line of files.
    assert_eq!(session.record().moves().count(), played.len() - 1);
    assert!(record::sgf::write(&session.record()).contains("N[wide]"));
    let error = session.act(&Action::Delete { node: played[1] }, By::Host, 0).unwrap_err();
    assert_eq!(error.name, "played");
    act(&mut session, &[Action::Delete { node }]);
    assert!(!view(&session, played[1]).variations.contains_key(&played[1]));
    assert_eq!(view(&session, node).node, session.current());
    assert!(!record::sgf::write(&session.record()).contains("N[wide]"));
}

#[test]
fn take_back_keeps_the_moves_as_variation() {
    let mut session = of_people();
    let moves = |session: &Session| session.record().moves().map(|mv| mv.to_string()).collect::<Vec<_>>();
    act(&mut session, &[play("PENTO_W@0,0"), play("MONO@19,0"), Action::Resign { team: Team::One }]);
    let (first, old) = (session.path()[1], session.current());
    assert!(session.is_over());
    act(&mut session, &[Action::TakeBack { to: first }, play("DOMINO@18,0")]);
    assert!(!session.is_over());
    let view = View::of(&session, None, By::Host, 0);
    assert_eq!(view.variations[&first].iter().map(|ply| ply.node).collect::<Vec<_>>(), [old]);
    assert_eq!(moves(&session), ["PENTO_W@0,0", "DOMINO@18,0"]);
    assert_eq!(session.record().node_count(), 4, "with the variation");
    // A fault ends the main line, so that nothing follows it.
    act(&mut session, &[Action::TakeBack { to: first }, Action::Resign { team: Team::Two }]);
    assert_eq!(moves(&session), ["PENTO_W@0,0"]);
    assert!(session.record().fault.is_some_and(|(team, _)| team == Team::Two));
}

#[test]
fn time_runs_out_for_the_team_on_turn() {
    for (control, next) in
        [(TimeControl::Game { main: 5_000, increment: 1_000 }, 6_000), (TimeControl::Move { limit: 5_000 }, 5_000)]
    {
        let mut session = classic(Default::default(), control);
        let mut host = |action: &Action, now| session.act(action, By::Host, now).map(|()| session.clone());
        let started = host(&play("PENTO_W@0,0"), 100_000).unwrap();
        assert_eq!(Team::ALL.map(|team| started.time_left(team, 104_000)), [Some(next), Some(1_000)]);
        let paused = host(&Action::Pause, 104_000).unwrap();
        assert_eq!(paused.time_left(Team::Two, 900_000), Some(1_000));
        host(&Action::Resume, 900_000).unwrap();
        assert!(host(&play("MONO@19,0"), 901_001).is_err());
        assert!(session.act(&Action::TimeUp, By::Clock, 901_000).is_err());
        session.act(&Action::TimeUp, By::Clock, 901_001).unwrap();
        assert_eq!(session.verdict(), record::Verdict::Won(Team::One));
    }
}

#[test]
fn undone_comment_does_not_restart_the_clock() {
    let mut session = classic(Default::default(), TimeControl::Move { limit: 5_000 });
    session.act(&play("PENTO_W@0,0"), By::Host, 1_000).unwrap();
    session.act(&Action::Comment { node: 1, text: "solid".to_owned() }, By::Host, 3_000).unwrap();
    for (action, now, left) in [
        (Action::Undo, 4_000, Some(2_000)),
        (Action::Redo, 4_000, Some(2_000)),
        (Action::Undo, 4_000, Some(2_000)),
        (Action::Undo, 4_000, Some(5_000)),
        (Action::Redo, 5_000, Some(5_000)),
    ] {
        session.act(&action, By::Host, now).unwrap();
        assert_eq!(session.time_left(Team::Two, now), left);
    }
}

#[test]
fn insights_reach_the_record() {
    let mut session = Session::new(Position::new(Rules::Season2027, Some(Piece::PentoW)).unwrap());
    act(&mut session, &[play("PENTO_W@0,0")]);
    let insight = |win, nodes| Insight { win, margin: 4.0, nodes, time: 0, line: vec![], candidates: vec![] };
    let position = *session.position();
    session.add_insight(&position, insight(0.75, 10));
    session.add_insight(&position, insight(0.1, 5));
    assert_eq!(session.insight(&position).map(|insight| insight.win), Some(0.75), "the deeper one stays");
    session.add_insight(&position, Insight { time: 100, ..insight(0.2, 6) });
    session.add_insight(&position, insight(0.75, 12));
    let known = session.insight(&position).map(|insight| (insight.nodes, insight.time));
    assert_eq!(known, Some((12, 100)), "what is known is worth the longer time");
    let record = session.record();
    let note = &record.node(record.main_line().last().unwrap()).note;
    assert_eq!((note.win, note.margin), (Some(0.75), Some(4.0)));
    let insights = session.insights().map(|(key, insight)| (key, insight.clone()));
    let stored = Session::from_document(&session.document(), insights).unwrap();
    assert_eq!(stored.insight(&position), session.insight(&position));
}

#[test]
fn saved_analysis_is_read_again() {
    let mut session = of_people();
    let moves = ["MONO@0,0", "DOMINO@18,0", "MONO@19,19"].map(Some);
    for (win, mv) in [0.5, 0.3, 0.36, 0.24].into_iter().zip(moves.into_iter().chain([None])) {
        let insight = Insight { win, margin: 8.0 * win, nodes: 1, time: 0, line: Vec::new(), candidates: Vec::new() };
        session.add_insight(&session.position().clone(), insight);
        mv.into_iter().for_each(|mv| act(&mut session, &[play(mv)]));
    }
    let review = Review::of(&session);
    assert_eq!(review.moves.iter().filter(|mv| mv.mark.is_some()).count(), 3);
    for kind in ["blksgf", "jsonl"] {
        let text = record::file::text_of(&session.record(), kind).unwrap();
        let again = Review::of(&board::new_game::import(text.as_bytes()).unwrap()[0]);
        let numbers = |review: &Review| {
            let graph = review.graph.iter().flatten().flat_map(|&(win, margin)| [win, margin]);
            graph.chain(review.accuracy.into_iter().flatten()).map(|x| (1000.0 * x).round() as i32).collect::<Vec<_>>()
        };
        assert_eq!((numbers(&again), again.marks), (numbers(&review), review.marks), "{kind}");
        assert_eq!(numbers(&again).len(), 10);
    }
    assert_eq!(board::save::text_of(&session, "xml").unwrap_err().name, "no_replay");
}

#[test]
fn recheck_replaces_the_first_look() {
    let mut session = of_people();
    let start = *session.position();
    let (best, played) = ("PENTO_W@0,0".parse().unwrap(), "MONO@0,0".parse().unwrap());
    act(&mut session, &[Action::Play { mv: played }]);
    let insight = |win| Insight { win, margin: 0.0, nodes: 1, time: 0, line: vec![best], candidates: vec![] };
    session.add_insight(&start, insight(0.5));
    session.add_insight(&session.position().clone(), insight(0.3));
    let recheck = &rechecks(&session)[0];
    assert_eq!((recheck.best, recheck.played), (best, played));
    // It finds little difference.
    let compared = insight(0.5).compared(Team::One, [(best, &insight(0.42)), (played, &insight(0.4))]);
    session.add_insight(&start, compared);
    let review = Review::of(&session);
    assert!(rechecks(&session).is_empty() && review.moves[0].is_checked && review.moves[0].mark.is_none());
}

#[test]
fn errors_name_invalid_piece_and_level() {
    let action = serde_json::from_str::<Action>(r#"{"do":"play","move":"PENTO_Q@0,0"}"#).unwrap_err();
    assert!(action.to_string().contains("PENTO_Q"), "{action}");
    let seat = serde_json::from_str::<Seat>(r#"{"kind":"level","level":10}"#).unwrap_err();
    assert!(seat.to_string().contains("from 1 to 9, found 10"), "{seat}");
}

#[test]
fn guests_name_their_own_team_only() {
    let mut session = of_people();
    act(&mut session, &[Action::Sit { color: Color::Yellow, seat: Seat::Guest }]);
    let name = |team, name: &str| Action::Name { team, name: name.to_owned() };
    let guest = By::Guest([Color::Yellow].into_iter().collect());
    assert!(session.act(&name(Team::One, "x"), guest, 0).is_err());
    session.act(&name(Team::Two, "Ada"), guest, 0).unwrap();
    act(&mut session, &[Action::Undo]);
    assert_eq!(session.seat(Color::Yellow), &Seat::Person, "a name is not undone");
    assert_eq!(session.player_name(Team::Two), "Ada");
}

#[test]
fn saved_games_name_the_programs() {
    let level = Seat::Level { level: Level::new(6).unwrap() };
    let session = classic([level.clone(), Seat::Person, level, Seat::Person], TimeControl::None);
    assert_eq!(session.record().names, ["level6", ""]);
}

#[test]
fn total_length_of_comments_is_limited() {
    let mut session = of_people();
    let comment = |node| Action::Comment { node, text: "a".repeat(20_000) };
    act(&mut session, &["0,0", "19,0", "19,19", "0,19"].map(|corner| play(&format!("MONO@{corner}"))));
    // The last comment replaces an earlier one.
    act(&mut session, &[0, 1, 2, 3, 4, 4].map(comment));
    let placements = session.position().board().placements(Color::Blue);
    let refused = placements.iter().find_map(|&placement| {
        act(&mut session, &[Action::Play { mv: placement.into() }]);
        let refused = session.act(&comment(session.current()), By::Host, 0).err();
        act(&mut session, &[Action::TakeBack { to: 4 }]);
        refused
    });
    assert_eq!(refused.unwrap().name, "text_too_long");
}
