//! Games that start from a position of a replay.

use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use client::{Settings, connection, play};
use game::Move;
use player::{Budget, FromOptions, HeuristicPlayer, Player, RandomPlayer};
use protocol::Replay;
use server::{Notice, Options, Server};
use tests::recordings;

#[test]
fn clients_continue_a_replay() {
    for recording in recordings::replays() {
        let replay = Replay::parse(&recording.bytes).unwrap();
        let (season, start) = (replay.season, replay.state_at(Some(30)).unwrap().clone());
        let server = Server::start(Options { season, start: vec![start.clone()], ..Options::default() }).unwrap();
        let port = server.address().port();
        let join = move |mut player: Box<dyn Player>| {
            let stream = connection::connect("localhost", port).unwrap();
            let settings =
                Settings { season, budget: Budget::time(Duration::from_millis(1000)), ..Settings::default() };
            play(&settings, &mut *player, &stream, &stream, &AtomicBool::new(false), &mut |_| {}).unwrap()
        };
        let options = player::Options::default();
        let other = thread::spawn({
            let player = RandomPlayer::new(&options);
            move || join(Box::new(player))
        });
        let outcomes = [join(Box::new(HeuristicPlayer::new(&options))), other.join().unwrap()];
        assert!(outcomes.iter().all(|outcome| outcome.result.as_ref().is_some_and(|result| result.regular)));

        let game = loop {
            match server.notices().recv().unwrap() {
                Notice::Over(game) => break game,
                Notice::State { .. } => {}
            }
        };
        let replay = Replay::from(*game);
        let (first, moves) = replay.game().unwrap();
        assert_eq!(first, start.position);
        assert!(replay.states.last().is_some_and(|state| state.position.is_over()));
        assert!(moves.iter().any(|&mv| mv != Move::Pass));
    }
}
