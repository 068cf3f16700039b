//! A database of the arena, opened read-only: its matches, games and openings.
//!
//! A match may be writing to it, so each request reads the present content.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;

use arena::database::{self, ListedGame, StoreError, StoredMatch};
use game::{Move, Piece, Position, Rules, Team};
use record::Game;
use serde::Serialize;

use super::error::ServiceError;
use super::failure::RequestError;
use super::lock;
use crate::session::PlayedMove;

/// Maximum number of listed games of a match.
const MAX_GAMES: u32 = 200;

/// Number of moves in an opening: two rounds.
const OPENING_PLIES: u32 = 8;

/// Number of games in one read for the statistics of openings.
const GAMES_AT_ONCE: u32 = 2_000;

/// Maximum number of listed moves from a position.
const MAX_MOVES: usize = 12;

/// The moves that were played from a position.
#[derive(Serialize)]
pub(crate) struct OpeningMoves {
    /// Number of games with a move from the position.
    games: u32,
    /// The most frequent moves, the most frequent first.
    moves: Vec<OpeningMove>,
}

/// A move that was played from a position.
#[derive(Serialize)]
pub(crate) struct OpeningMove {
    #[serde(flatten)]
    played: PlayedMove,
    games: u32,
    /// Mean score of the team that made it, 0 to 1.
    score: f64,
}

/// The key of a position in the statistics of openings.
type OpeningKey = (Rules, Option<Piece>, u16, u64);

/// The openings of all games that were read. Deleted games still count.
#[derive(Default)]
pub(super) struct Openings {
    /// The number of the last counted game.
    last: i64,
    moves: HashMap<OpeningKey, Vec<Tried>>,
}

struct Tried {
    mv: Move,
    games: u32,
    /// Sum of the scores of the team that made it.
    points: f64,
}

pub(crate) struct Archive {
    store: Mutex<database::Store>,
    /// The openings have a connection of their own, because counting many games takes seconds.
    openings: Mutex<(database::Store, Openings)>,
}

impl Archive {
    /// Opens an existing database.
    pub fn open(path: &Path) -> Result<Self, ServiceError> {
        let open = || database::Store::open_to_read(path);
        Ok(Self { store: Mutex::new(open()?), openings: Mutex::new((open()?, Openings::default())) })
    }

    pub(super) fn with<T>(
        &self,
        read: impl FnOnce(&database::Store) -> Result<T, StoreError>,
    ) -> Result<T, RequestError> {
        Ok(read(&lock(&self.store))?)
    }

    /// Returns all matches, the newest first.
    pub fn matches(&self) -> Result<Vec<StoredMatch>, RequestError> {
        self.with(|store| Ok(store.matches()?.into_iter().rev().collect()))
    }

    /// Returns the newest games of a match, the last first.
    pub fn games(&self, match_id: i64) -> Result<Vec<ListedGame>, RequestError> {
        self.with(|store| store.newest_games(match_id, MAX_GAMES))
    }

    /// Returns a game.
    pub fn game(&self, id: i64) -> Result<Game, RequestError> {
        self.with(|store| {
            let found = store.game(id)?;
            Ok(found.to_game(&store.find_match(found.match_id)?))
        })
    }

    /// Returns the moves that were played from a position.
    pub fn opening(&self, position: Position) -> Result<OpeningMoves, RequestError> {
        let (store, openings) = &mut *lock(&self.openings);
        loop {
            let new = store.beginnings(openings.last, OPENING_PLIES, GAMES_AT_ONCE)?;
            if new.is_empty() {
                return Ok(openings.from(&position));
            }
            new.iter().for_each(|game| openings.add(game));
        }
    }
}

impl Openings {
    fn key(position: &Position) -> OpeningKey {
        (position.rules(), position.start_piece(), position.turn(), position.hash())
    }

    fn add(&mut self, game: &database::Beginning) {
        self.last = game.id;
        let mut position = game.start;
        for &mv in &game.moves {
            let points = if position.color().team() == Team::One { game.score } else { 1.0 - game.score };
            let (key, mut after) = (Self::key(&position), position);
            // Somebody may have changed the database.
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

    fn from(&self, position: &Position) -> OpeningMoves {
        let mut tried: Vec<&Tried> = self.moves.get(&Self::key(position)).into_iter().flatten().collect();
        tried.sort_by(|a, b| b.games.cmp(&a.games).then(b.points.total_cmp(&a.points)));
        let games = tried.iter().map(|tried| tried.games).sum();
        let moves = tried.into_iter().take(MAX_MOVES).filter_map(|tried| {
            let played = PlayedMove::line(position, &[tried.mv]).pop()?;
            Some(OpeningMove { played, games: tried.games, score: tried.points / f64::from(tried.games) })
        });
        OpeningMoves { games, moves: moves.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::games::played::{PlayedGame, Ply, Side};
    use game::Color;
    use record::{Fault, FaultKind};

    #[test]
    fn new_games_appear_in_lists_and_openings() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("arena.sqlite");
        assert!(Archive::open(&path).is_err() && !path.exists());
        let mut writer = database::Store::open(&path).unwrap();
        let id = writer.add_import(Rules::Classic, ["mcts", "minimax"]).unwrap();
        let archive = Archive::open(&path).unwrap();
        let start = Position::new(Rules::Classic, None).unwrap();
        assert_eq!((archive.opening(start).unwrap().games, archive.matches().unwrap()[0].games), (0, 0));

        let mut add = |pair, moves: &[&str], loser, team_of_a| {
            let plies = moves.iter().map(|mv| Ply { mv: mv.parse().unwrap(), choice: None }).collect();
            let fault = Some((loser, Fault::new(FaultKind::Resigned, "")));
            writer.add_game(id, &PlayedGame { pair, team_of_a, start, plies, fault }, None).unwrap()
        };
        add(0, &["MONO@0,0", "DOMINO@18,0"], Side::A, Team::One);
        let last = add(0, &["MONO@0,0"], Side::A, Team::Two);
        add(1, &["DOMINO@0,0"], Side::B, Team::Two);
        let opening = archive.opening(start).unwrap();
        let moves: Vec<_> = opening.moves.iter().map(|mv| (mv.played.mv.to_string(), mv.games, mv.score)).collect();
        assert_eq!(
            (opening.games, moves),
            (3, vec![("MONO@0,0".to_owned(), 2, 0.5), ("DOMINO@0,0".to_owned(), 1, 0.0)])
        );
        let after = archive.opening(start.after("MONO@0,0".parse().unwrap())).unwrap();
        assert_eq!((after.moves[0].played.color, after.moves[0].score), (Color::Yellow, 1.0));

        let games = archive.games(id).unwrap();
        assert_eq!(games.iter().map(|game| game.verdict.name()).collect::<Vec<_>>(), ["TWO", "ONE", "TWO"]);
        assert_eq!((games[1].id, games[1].names.each_ref().map(String::as_str)), (last, ["minimax", "mcts"]));
        assert_eq!(archive.game(last).unwrap().moves().count(), 1);
        let missing = archive.games(9);
        assert!(matches!(missing, Err(RequestError::Archive(StoreError::Missing { what: "match", id: 9 }))));
    }

    #[test]
    fn lists_do_not_wait_for_openings() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("arena.sqlite");
        drop(database::Store::open(&path).unwrap());
        let archive = Archive::open(&path).unwrap();
        let counting = lock(&archive.openings);
        assert!(archive.matches().unwrap().is_empty());
        drop(counting);
    }
}
