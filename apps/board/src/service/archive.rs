//! A database of the arena, opened read-only: its matches and games.
//!
//! A match may be writing to it, so each request reads the present content.

use std::path::Path;
use std::sync::Mutex;

use arena::database::{self, ListedGame, StoreError, StoredMatch};
use record::Game;

use super::error::ServiceError;
use super::failure::RequestError;
use super::lock;

/// Maximum number of listed games of a match.
const MAX_GAMES: u32 = 200;

pub(crate) struct Archive {
    store: Mutex<database::Store>,
}

impl Archive {
    /// Opens an existing database.
    pub fn open(path: &Path) -> Result<Self, ServiceError> {
        Ok(Self { store: Mutex::new(database::Store::open_to_read(path)?) })
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::games::played::{PlayedGame, Ply, Side};
    use game::{Position, Rules, Team};
    use record::{Fault, FaultKind};

    #[test]
    fn new_games_appear_in_lists() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("arena.sqlite");
        assert!(Archive::open(&path).is_err() && !path.exists());
        let mut writer = database::Store::open(&path).unwrap();
        let id = writer.add_import(Rules::Classic, ["mcts", "minimax"]).unwrap();
        let archive = Archive::open(&path).unwrap();
        let start = Position::new(Rules::Classic, None).unwrap();
        assert_eq!(archive.matches().unwrap()[0].games, 0);

        let mut add = |pair, moves: &[&str], loser, team_of_a| {
            let plies = moves.iter().map(|mv| Ply { mv: mv.parse().unwrap(), choice: None }).collect();
            let fault = Some((loser, Fault::new(FaultKind::Resigned, "")));
            writer.add_game(id, &PlayedGame { pair, team_of_a, start, plies, fault }, None).unwrap()
        };
        add(0, &["MONO@0,0", "DOMINO@18,0"], Side::A, Team::One);
        let last = add(0, &["MONO@0,0"], Side::A, Team::Two);
        add(1, &["DOMINO@0,0"], Side::B, Team::Two);

        let games = archive.games(id).unwrap();
        assert_eq!(games.iter().map(|game| game.verdict.name()).collect::<Vec<_>>(), ["TWO", "ONE", "TWO"]);
        assert_eq!((games[1].id, games[1].names.each_ref().map(String::as_str)), (last, ["minimax", "mcts"]));
        assert_eq!(archive.game(last).unwrap().moves().count(), 1);
        let missing = archive.games(9);
        assert!(matches!(missing, Err(RequestError::Archive(StoreError::Missing { what: "match", id: 9 }))));
    }
}
