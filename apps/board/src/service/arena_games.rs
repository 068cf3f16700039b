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
    followed: Mutex<FollowedGames>,
}

#[derive(Default)]
struct FollowedGames {
    /// By the ids of the arena.
    games: HashMap<String, FollowedGame>,
    /// `true` while a task updates the games.
    is_updating: bool,
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
        let token = {
            // Locked until the game is stored: another viewer may open it at the same time.
            let mut followed = lock(&self.followed);
            let known = followed.games.get(id).filter(|known| !known.handle.is_dead());
            let token = match known {
                Some(known) => known.token.clone(),
                None => {
                    let game = live::games(&self.database).into_iter().find(|game| game.id == id);
                    let (handle, token) = registry.follow(game.ok_or(NO_LINK)?)?;
                    followed.games.insert(id.to_owned(), FollowedGame { handle, token: token.clone(), misses: 0 });
                    token
                }
            };
            if !std::mem::replace(&mut followed.is_updating, true) {
                Handle::current().spawn(Arc::clone(self).update_until_done());
            }
            token
        };
        registry.links(&token)
    }

    async fn update_until_done(self: Arc<Self>) {
        loop {
            let games = Arc::clone(&self);
            match tokio::task::spawn_blocking(move || games.update()).await {
                Ok(true) => tokio::time::sleep(PERIOD).await,
                Ok(false) => return,
                // The update has panicked. The next opened game starts another task.
                Err(_) => {
                    lock(&self.followed).is_updating = false;
                    return;
                }
            }
        }
    }

    /// Copies the new moves of all followed games. Returns `true` if there is anything left to follow.
    fn update(&self) -> bool {
        let played: HashMap<String, Game> =
            live::games(&self.database).into_iter().map(|game| (game.id.clone(), game)).collect();
        let all: Vec<_> =
            lock(&self.followed).games.iter().map(|(id, followed)| (id.clone(), followed.clone())).collect();
        for (id, FollowedGame { handle, misses, .. }) in all {
            let (continues, misses) = match played.get(&id) {
                Some(game) => {
                    let followed = handle.follow(game);
                    let followed = followed.inspect_err(|error| log::warn!("stopped following game {id}: {error}"));
                    (followed.is_ok() && !handle.is_dead() && !handle.game().session().is_over(), 0)
                }
                None => (misses < MAX_MISSES, misses + 1),
            };
            let games = &mut lock(&self.followed).games;
            // A viewer may have opened the game again after somebody deleted it.
            let Some(known) = games.get_mut(&id).filter(|known| Arc::ptr_eq(&known.handle, &handle)) else { continue };
            known.misses = misses;
            if !continues {
                games.remove(&id);
            }
        }
        let mut followed = lock(&self.followed);
        followed.is_updating = !followed.games.is_empty();
        followed.is_updating
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
        let followed = FollowedGame { handle: Arc::clone(&handle), token, misses: 0 };
        lock(&games.followed).games.insert(game.id.clone(), followed);
        assert!(games.update());
        game.cursor(record::NodeId::START).play("MONO@0,0".parse().unwrap()).unwrap();
        fs::write(&file, json::write(&game) + "\n").unwrap();
        assert!(games.update());
        assert!(handle.game().session().moves().into_iter().eq(game.moves()));
        fs::remove_file(&file).unwrap();
        assert!((0..MAX_MISSES).all(|_| games.update()));
        assert!(!games.update());
        service.close();
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn simultaneous_viewers_share_a_game() {
        let folder = tempfile::tempdir().unwrap();
        let service = ServiceState::for_test(folder.path());
        let registry = Arc::new(GameRegistry::new(Arc::clone(&service)));
        let games = Arc::new(ArenaGames::new(folder.path().join("arena.sqlite")));
        let mut game = Game::new(Position::new(Rules::Classic, None).unwrap());
        game.id = "1".to_owned();
        fs::write(folder.path().join("arena.sqlite-live.1"), json::write(&game) + "\n").unwrap();
        let viewers = [(); 4].map(|()| {
            let (games, registry) = (Arc::clone(&games), Arc::clone(&registry));
            tokio::task::spawn_blocking(move || games.open(&registry, "1").unwrap()[0].token.clone())
        });
        let mut tokens = Vec::new();
        for viewer in viewers {
            tokens.push(viewer.await.unwrap());
        }
        assert!(tokens.iter().all(|token| *token == tokens[0]));
        assert_eq!(registry.recent(10).unwrap().len(), 1);
        assert!(lock(&games.followed).is_updating);
        service.close();
    }
}
