//! Finished games of people at this machine against each level.

use std::collections::BTreeMap;

use arena::ratings::Pairs;
use axum::extract::State;
use game::{Color, Team};
use record::Verdict;
use serde::Serialize;

use super::shared::{Answer, Shared, json};
use crate::session::{Seat, Session};

/// Maximum number of counted games, the newest ones.
const MOST_GAMES: u32 = 2_000;

/// The games against a level.
#[derive(PartialEq, Debug, Serialize)]
pub(super) struct LevelRecord {
    level: u8,
    /// Won, drawn and lost games.
    games: [u64; 3],
    /// Elo difference to the level between the ends of its 95 % interval; infinite values are null.
    elo: Option<[f64; 3]>,
}

/// Counts finished games by level.
fn records(sessions: impl Iterator<Item = Session>) -> Vec<LevelRecord> {
    let mut levels: BTreeMap<u8, [u64; 3]> = BTreeMap::new();
    for (level, outcome) in sessions.filter_map(|session| outcome(&session)) {
        levels.entry(level).or_default()[outcome] += 1;
    }
    let record = |(level, games @ [won, drawn, lost]): (u8, [u64; 3])| {
        // A game counts like two games with the same result.
        let elo = Pairs([lost, 0, drawn, 0, won]).elo_interval();
        LevelRecord { level, games, elo: elo.map(|elo| [elo.low, elo.estimate, elo.high]) }
    };
    levels.into_iter().map(record).collect()
}

/// Returns the level that a team of people played against, and the index of the result: won, drawn or lost.
fn outcome(session: &Session) -> Option<(u8, usize)> {
    let seats = Color::ALL.map(|color| session.seat(color));
    let [one, two] = [[seats[0], seats[2]], [seats[1], seats[3]]];
    let (own, level) = match (one, two) {
        ([Seat::Person, Seat::Person], [Seat::Level { level }, second]) if second == two[0] => (Team::One, level),
        ([Seat::Level { level }, second], [Seat::Person, Seat::Person]) if second == one[0] => (Team::Two, level),
        _ => return None,
    };
    match session.verdict() {
        Verdict::Won(team) => Some((level.number(), if team == own { 0 } else { 2 })),
        Verdict::Drawn => Some((level.number(), 1)),
        _ => None,
    }
}

/// Answers with the records of all levels that somebody has played against.
pub(super) async fn record(State(shared): State<Shared>) -> Answer<Vec<LevelRecord>> {
    json(&shared, |registry| {
        let games = registry.recent(MOST_GAMES)?;
        // Unreadable games are listed as such elsewhere.
        Ok(records(games.iter().filter_map(|game| registry.load(game).ok())))
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Action, By, TimeControl};
    use game::{ByColor, Position, Rules};
    use player::Level;
    use record::Game;

    #[test]
    fn counts_finished_games_against_levels() {
        let level = Seat::Level { level: Level::new(3).unwrap() };
        let play = |seats: [&Seat; 4], loser: Option<Team>| {
            let game = Game::new(Position::new(Rules::Classic, None).unwrap());
            let mut session = Session::with(game, ByColor(seats.map(Clone::clone)), TimeControl::None);
            loser.into_iter().for_each(|team| session.act(&Action::Resign { team }, By::Host, 0).unwrap());
            session
        };
        let (person, guest) = (&Seat::Person, &Seat::Guest);
        let games = [
            play([person, &level, person, &level], Some(Team::Two)),
            play([&level, person, &level, person], Some(Team::Two)),
            play([&level, person, &level, person], None),
            play([&level, person, guest, person], Some(Team::One)),
            play([&level, &level, &level, &level], Some(Team::One)),
        ];
        let [record] = &records(games.into_iter())[..] else { panic!("there is one level") };
        assert_eq!((record.level, record.games), (3, [1, 0, 1]));
        let [low, elo, high] = record.elo.unwrap();
        assert!(elo.abs() < 1e-9 && low < -100.0 && high > 100.0, "{low} {high}");
    }
}
