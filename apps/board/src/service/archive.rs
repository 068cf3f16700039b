//! A database of the arena, which is only read: its matches, its games, and how games began.
//!
//! A match may go on in it meanwhile: what is asked for is what is there at that moment.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use arena::database::{self, StoreError};
use game::{Move, Piece, Position, Rules, Team};
use record::Game;
use serde::Serialize;

use crate::session::PlayedMove;

/// How many games of a match are listed, the newest.
const MOST_GAMES: u32 = 200;

/// How many moves of each game count as its opening: two rounds.
const OPENING_PLIES: u32 = 8;

/// How many games are read at a time for the statistics of openings.
const GAMES_AT_ONCE: u32 = 2_000;

/// How many moves from a position are listed, those that were played most.
const MOST_MOVES: usize = 12;

/// A match in a list.
#[derive(Serialize)]
pub(crate) struct Match {
    id: i64,
    /// UTC in RFC 3339.
    created: String,
    names: [String; 2],
    rules: &'static str,
    games: u64,
    /// The points of the first contestant: 1 for a win, ½ for a draw.
    points: f64,
}

/// A game in a list.
#[derive(Serialize)]
pub(crate) struct Listed {
    id: i64,
    /// UTC in RFC 3339.
    ended: String,
    /// That of team one first.
    names: [String; 2],
    points: [i32; 2],
    /// `ONE`, `TWO`, `drawn` or `unfinished`.
    result: &'static str,
}

/// What was played from a position.
#[derive(Serialize)]
pub(crate) struct Opening {
    /// How many games came to the position and went on.
    games: u32,
    /// The moves that were played most, the first most often.
    moves: Vec<OpeningMove>,
}

/// A move that was played from a position.
#[derive(Serialize)]
pub(crate) struct OpeningMove {
    #[serde(flatten)]
    played: PlayedMove,
    games: u32,
    /// The points of the team that made it for each game, 0 to 1.
    score: f64,
}

/// A position within its game, as openings tell them apart.
type Key = (Rules, Option<Piece>, u16, u64);

/// How the games began that were there when it was looked last. What is deleted later still counts.
#[derive(Default)]
struct Openings {
    /// The number of the last game that counts.
    last: i64,
    moves: HashMap<Key, Vec<Tried>>,
}

struct Tried {
    mv: Move,
    games: u32,
    /// The sum of the points of the team that made it.
    points: f64,
}

pub(crate) struct Archive {
    store: Mutex<database::Store>,
    openings: Mutex<Openings>,
}

impl Archive {
    /// Opens a database that is there.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self { store: Mutex::new(database::Store::open_to_read(path)?), openings: Mutex::default() })
    }

    fn with<T>(&self, ask: impl FnOnce(&database::Store) -> Result<T, StoreError>) -> Result<T, StoreError> {
        ask(&self.store.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// All matches, the newest first.
    pub fn matches(&self) -> Result<Vec<Match>, StoreError> {
        let found = self.with(database::Store::matches)?;
        let listed = found.into_iter().rev().map(|found| Match {
            id: found.id,
            created: found.created,
            names: found.names,
            rules: found.rules.name(),
            games: found.games,
            points: found.points,
        });
        Ok(listed.collect())
    }

    /// The newest games of a match, the last first.
    pub fn games(&self, match_id: i64) -> Result<Vec<Listed>, StoreError> {
        let found = self.with(|store| store.newest_games(match_id, MOST_GAMES))?;
        let listed = found.into_iter().map(|found| Listed {
            id: found.id,
            ended: found.ended,
            names: found.names,
            points: found.points,
            result: found.verdict.name(),
        });
        Ok(listed.collect())
    }

    /// A game.
    pub fn game(&self, id: i64) -> Result<Game, StoreError> {
        self.with(|store| {
            let found = store.game(id)?;
            Ok(found.to_game(&store.find_match(found.match_id)?))
        })
    }

    /// What was played from a position.
    pub fn opening(&self, position: &Position) -> Result<Opening, StoreError> {
        let mut openings = self.openings.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let new = self.with(|store| store.beginnings(openings.last, OPENING_PLIES, GAMES_AT_ONCE))?;
            if new.is_empty() {
                break;
            }
            new.iter().for_each(|game| openings.add(game));
        }
        Ok(openings.from(position))
    }
}

impl Openings {
    fn key(position: &Position) -> Key {
        (position.rules(), position.start_piece(), position.turn(), position.hash())
    }

    fn add(&mut self, game: &database::Beginning) {
        self.last = game.id;
        let mut position = game.start;
        for &mv in &game.moves {
            let points = if position.color().team() == Team::One { game.score } else { 1.0 - game.score };
            let (key, mut after) = (Self::key(&position), position);
            // A database that somebody has changed may say anything.
            if after.try_play(mv).is_err() {
                break;
            }
            let tried = self.moves.entry(key).or_default();
            match tried.iter_mut().find(|tried| tried.mv == mv) {
                Some(tried) => (tried.games, tried.points) = (tried.games + 1, tried.points + points),
                None => tried.push(Tried { mv, games: 1, points }),
            }
            position = after;
        }
    }

    fn from(&self, position: &Position) -> Opening {
        let mut tried: Vec<&Tried> = self.moves.get(&Self::key(position)).into_iter().flatten().collect();
        tried.sort_by(|a, b| b.games.cmp(&a.games).then(b.points.total_cmp(&a.points)));
        let games = tried.iter().map(|tried| tried.games).sum();
        let moves = tried.into_iter().take(MOST_MOVES).filter_map(|tried| {
            let played = PlayedMove::line(position, &[tried.mv]).pop()?;
            Some(OpeningMove { played, games: tried.games, score: tried.points / f64::from(tried.games) })
        });
        Opening { games, moves: moves.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::games::played::{PlayedGame, Ply, Side};
    use record::{Fault, FaultKind};

    #[test]
    fn games_that_end_later_are_listed_and_count_in_openings() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("arena.sqlite");
        assert!(Archive::open(&path).is_err() && !path.exists());
        let mut writer = database::Store::open(&path).unwrap();
        let id = writer.add_import(Rules::Classic, ["mcts", "minimax"]).unwrap();
        let archive = Archive::open(&path).unwrap();
        let start = Position::new(Rules::Classic, None).unwrap();
        assert_eq!((archive.opening(&start).unwrap().games, archive.matches().unwrap()[0].games), (0, 0));

        let mut add = |pair, moves: &[&str], loser, team_of_a| {
            let plies = moves.iter().map(|mv| Ply { mv: mv.parse().unwrap(), choice: None }).collect();
            let fault = Some((loser, Fault::new(FaultKind::Resigned, "")));
            writer.add_game(id, &PlayedGame { pair, team_of_a, start, plies, fault }, None).unwrap()
        };
        add(0, &["MONO@0,0", "DOMINO@18,0"], Side::A, Team::One);
        let last = add(0, &["MONO@0,0"], Side::A, Team::Two);
        add(1, &["DOMINO@0,0"], Side::B, Team::Two);
        let opening = archive.opening(&start).unwrap();
        let moves: Vec<_> = opening.moves.iter().map(|mv| (mv.played.mv.as_str(), mv.games, mv.score)).collect();
        assert_eq!((opening.games, moves), (3, vec![("MONO@0,0", 2, 0.5), ("DOMINO@0,0", 1, 0.0)]));
        let after = archive.opening(&start.after("MONO@0,0".parse().unwrap())).unwrap();
        assert_eq!((after.moves[0].played.color, after.moves[0].score), ("YELLOW", 1.0));

        let games = archive.games(id).unwrap();
        assert_eq!(games.iter().map(|game| game.result).collect::<Vec<_>>(), ["TWO", "ONE", "TWO"]);
        assert_eq!((games[1].id, games[1].names.each_ref().map(String::as_str)), (last, ["minimax", "mcts"]));
        assert_eq!(archive.game(last).unwrap().moves().count(), 1);
        assert!(matches!(archive.games(9), Err(StoreError::Missing { what: "match", id: 9 })));
    }
}
