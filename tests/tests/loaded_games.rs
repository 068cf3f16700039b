//! Games that begin in a position of a replay.

use std::thread;
use std::time::Duration;

use arena::referee::{Notice, Options, Referee};
use arena::replay::Replay;
use client::{Entry, Settings, connection, play};
use game::Move;
use player::{HeuristicPlayer, Player, RandomPlayer};
use tests::recordings;

#[test]
fn clients_go_on_where_a_replay_stands() {
    for recording in recordings::replays() {
        let replay = Replay::parse(&recording.bytes).unwrap();
        let (season, start) = (replay.season, replay.state_at(Some(30)).unwrap().clone());
        let referee = Referee::start(Options { season, start: Some(start.clone()), ..Options::default() }).unwrap();
        let port = referee.address().port();
        let join = move |mut player: Box<dyn Player>| {
            let stream = connection::connect("localhost", port).unwrap();
            let settings =
                Settings { season, entry: Entry::Any, time: Duration::from_millis(1000), nodes: None, ponder: false };
            play(&settings, &mut *player, &stream, &stream, &mut |_| {}).unwrap()
        };
        let options = player::Options::default();
        let other = thread::spawn({
            let player = RandomPlayer::new(&options);
            move || join(Box::new(player))
        });
        let outcomes = [join(Box::new(HeuristicPlayer::new(&options))), other.join().unwrap()];
        assert!(outcomes.iter().all(|outcome| outcome.result.as_ref().is_some_and(|result| result.regular)));

        let game = loop {
            match referee.notices().recv().unwrap() {
                Notice::Over(game) => break game,
                Notice::State { .. } => {}
            }
        };
        let record = Replay::from(*game).record(0).unwrap();
        assert_eq!(record.start, start.position);
        assert!(record.end().is_over() && record.plies.iter().any(|ply| ply.mv != Move::Pass));
    }
}
