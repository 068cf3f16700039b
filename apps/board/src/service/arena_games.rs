//! Games that the arena plays at this moment, see [`arena::matches::live`].
//!
//! A game that a viewer opens becomes a game of the board, which follows the one at the arena.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use arena::lock::lock;
use arena::matches::live;
use record::Game;
use serde::Serialize;
use tokio::runtime::Handle;

use super::actor::GameHandle;
use super::failure::{NO_LINK, RequestError};
use super::links::GameLink;
use super::registry::GameRegistry;

/// Interval at which the games of the arena are read.
const PERIOD: Duration = Duration::from_millis(250);

/// Maximum number of successive reads without a followed game: a file may be out of date or unreadable for a moment.
const MAX_MISSES: u32 = 20;

/// A game in the list of those that the arena plays.
#[derive(Serialize)]
pub(crate) struct ArenaGame {
    id: String,
    /// The players of both teams.
    names: [String; 2],
    moves: usize,
}

/// The games that the arena plays with a database.
pub(crate) struct ArenaGames {
    database: PathBuf,
    followed: Mutex<HashMap<String, FollowedGame>>,
}

#[derive(Clone)]
struct FollowedGame {
    handle: Arc<GameHandle>,
    /// The host's token.
    token: String,
    /// Number of successive reads without the game.
    misses: u32,
}

impl ArenaGames {
    pub fn new(database: PathBuf) -> Self {
        Self { database, followed: Mutex::default() }
    }

    /// Returns the games that the arena plays now.
    pub fn list(&self) -> Vec<ArenaGame> {
        let games = live::games(&self.database).into_iter();
        let listed = |game: Game| ArenaGame { moves: game.moves().count(), id: game.id, names: game.names };
        games.map(listed).collect()
    }

    /// Follows a game of the arena. Returns its links.
    pub fn open(self: &Arc<Self>, registry: &GameRegistry, id: &str) -> Result<Vec<GameLink>, RequestError> {
        let known = lock(&self.followed)
            .get(id)
            .filter(|followed| !followed.handle.is_dead())
            .map(|followed| followed.token.clone());
        if let Some(token) = known {
            return registry.links(&token);
        }
        let game = live::games(&self.database).into_iter().find(|game| game.id == id);
        let game = game.ok_or(NO_LINK)?;
        let (handle, token) = registry.follow(game)?;
        let is_first = {
            let mut followed = lock(&self.followed);
            followed.insert(id.to_owned(), FollowedGame { handle, token: token.clone(), misses: 0 });
            followed.len() == 1
        };
        if is_first {
            Handle::current().spawn(Arc::clone(self).update_until_done());
        }
        registry.links(&token)
    }

    async fn update_until_done(self: Arc<Self>) {
        loop {
            let games = Arc::clone(&self);
            let updated = tokio::task::spawn_blocking(move || games.update()).await;
            if !updated.unwrap_or(false) {
                return;
            }
            tokio::time::sleep(PERIOD).await;
        }
    }

    /// Copies the new moves of all followed games. Returns `true` if there is anything left to follow.
    fn update(&self) -> bool {
        let played: HashMap<String, Game> =
            live::games(&self.database).into_iter().map(|game| (game.id.clone(), game)).collect();
        let all: Vec<_> = lock(&self.followed).iter().map(|(id, followed)| (id.clone(), followed.clone())).collect();
        for (id, FollowedGame { handle, misses, .. }) in all {
            let (continues, misses) = match played.get(&id) {
                Some(game) => {
                    let followed = handle.follow(game);
                    let followed = followed.inspect_err(|error| log::warn!("stopped following game {id}: {error}"));
                    (followed.is_ok() && !handle.is_dead() && !handle.game().session().is_over(), 0)
                }
                None => (misses < MAX_MISSES, misses + 1),
            };
            let mut followed = lock(&self.followed);
            if !continues {
                followed.remove(&id);
            } else if let Some(followed) = followed.get_mut(&id) {
                followed.misses = misses;
            }
        }
        !lock(&self.followed).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use game::{Position, Rules};
    use record::json;

    use super::*;
    use crate::service::ServiceState;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn follows_a_briefly_missing_game() {
        let folder = tempfile::tempdir().unwrap();
        let service = ServiceState::for_test(folder.path());
        let registry = GameRegistry::new(Arc::clone(&service));
        let games = ArenaGames::new(folder.path().join("arena.sqlite"));
        let file = folder.path().join("arena.sqlite-live.1");

        let mut game = Game::new(Position::new(Rules::Classic, None).unwrap());
        game.id = "1".to_owned();
        let (handle, token) = registry.follow(game.clone()).unwrap();
        lock(&games.followed).insert(game.id.clone(), FollowedGame { handle: Arc::clone(&handle), token, misses: 0 });
        assert!(games.update());
        game.cursor(record::NodeId::START).play("MONO@0,0".parse().unwrap()).unwrap();
        fs::write(&file, json::write(&game) + "\n").unwrap();
        assert!(games.update());
        assert!(handle.game().session().moves().into_iter().eq(game.moves()));
        fs::remove_file(&file).unwrap();
        assert!((0..MAX_MISSES).all(|_| games.update()));
        assert!(!games.update());
        service.engines.close();
    }
}
