//! Whole games of two clients and the server over TCP.

use std::net::SocketAddr;
use std::sync::atomic::AtomicBool;
use std::thread;

use client::{GameOutcome, SessionEvent, Settings, connection, play};
use game::{Position, Team};
use player::{FromOptions, HeuristicPlayer, Options, Player, RandomPlayer};
use protocol::{Replay, Season, State};
use server::Server;
use tests::recordings;

/// A client's observations of a game.
struct Observed {
    outcome: GameOutcome,
    positions: Vec<Position>,
}

fn join(address: SocketAddr, season: Season, mut player: impl Player) -> Observed {
    let stream = connection::connect("localhost", address.port()).expect("the server listens");
    let settings = Settings { season, ..Settings::default() };
    let mut positions = Vec::new();
    let mut watch = |event: SessionEvent| {
        if let SessionEvent::State(state) = event {
            positions.push(state.position);
        }
    };
    let outcome = play(&settings, &mut player, &stream, &stream, &AtomicBool::new(false), &mut watch)
        .expect("the game is played to the end");
    Observed { outcome, positions }
}

/// Plays a game from a state, or from the start, and checks that clients and server agree. Returns the positions.
fn play_game(season: Season, start: Option<State>) -> Vec<Position> {
    let start = start.into_iter().collect();
    let server = Server::start(server::ServerOptions { season, start, ..server::ServerOptions::default() })
        .expect("a port is free");
    let address = server.address();
    let other = thread::spawn(move || join(address, season, RandomPlayer::new(&Options::default())));
    let one = join(address, season, HeuristicPlayer::new(&Options::default()));
    let other = other.join().expect("the other client does not panic");

    assert_eq!(one.positions, other.positions);
    assert_eq!(one.outcome.result, other.outcome.result);
    assert_eq!(one.outcome.team.map(Team::opponent), other.outcome.team);
    let (last, result) = (one.positions.last().expect("states were sent"), one.outcome.result.expect("a result"));
    assert!(last.is_over() && result.regular);
    assert_eq!(last.rules(), season.rules());
    let [points_one, points_two] = Team::ALL.map(|team| last.team_points(team));
    assert_eq!(Team::ALL.map(|team| result.score(team).points), [points_one, points_two]);
    let winner = if points_one > points_two { Team::One } else { Team::Two };
    assert_eq!(result.winner(), Some(winner).filter(|_| points_one != points_two));

    let game = server.finished().recv().expect("the game is over");
    let (first, moves) = Replay::from(game).game().expect("the server's replay is legal");
    assert_eq!(first, one.positions[0]);
    assert_eq!(moves.into_iter().fold(first, Position::after), *last);
    one.positions
}

#[test]
fn two_clients_play_whole_game() {
    for &season in Season::ALL {
        assert_eq!(play_game(season, None)[0].turn(), 0);
    }
}

#[test]
fn two_clients_continue_replay() {
    for recording in recordings::replays() {
        let replay = Replay::parse(&recording.bytes).expect("the replay can be read");
        let start = replay.state_at(Some(30)).expect("the game has 30 turns");
        assert_eq!(play_game(replay.season, Some(start.clone()))[0], start.position);
    }
}
