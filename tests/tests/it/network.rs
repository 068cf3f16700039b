//! Whole games over TCP: two clients and the server, in both seasons.

use std::net::SocketAddr;
use std::sync::atomic::AtomicBool;
use std::thread;

use client::{Event, GameOutcome, Settings, connection, play};
use game::{Position, Team};
use player::{FromOptions, HeuristicPlayer, Options, Player, RandomPlayer};
use protocol::Season;
use server::Server;

/// A client's observations of a game.
struct Seen {
    outcome: GameOutcome,
    positions: Vec<Position>,
}

fn join(address: SocketAddr, season: Season, mut player: impl Player) -> Seen {
    let stream = connection::connect("localhost", address.port()).expect("the server listens");
    let settings = Settings { season, ..Settings::default() };
    let mut positions = Vec::new();
    let mut watch = |event: Event| {
        if let Event::State(state) = event {
            positions.push(state.position);
        }
    };
    let outcome = play(&settings, &mut player, &stream, &stream, &AtomicBool::new(false), &mut watch)
        .expect("the game is played to the end");
    Seen { outcome, positions }
}

#[test]
fn two_clients_play_a_whole_game() {
    for season in Season::ALL {
        let server = Server::start(server::Options { season, ..server::Options::default() }).expect("a port is free");
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
        assert_eq!(one.positions.first().map(Position::turn), Some(0));
        for team in Team::ALL {
            assert_eq!(result.score(team).points, last.team_points(team));
        }
        let [points_one, points_two] = Team::ALL.map(|team| last.team_points(team));
        let expected = match points_one.cmp(&points_two) {
            std::cmp::Ordering::Less => Some(Team::Two),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(Team::One),
        };
        assert_eq!(result.winner(), expected);
    }
}
