//! Games of the arena that are watched while they are played, see [`arena::games::live`].
//!
//! A game of the board is made of one when somebody wants to look at it; from then on it follows the game at the arena.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use arena::games::live;
use game::{ByColor, Move};
use record::Game;
use serde::Serialize;

use super::lobby::{Link, Lobby, LobbyError};
use super::room::{Room, RoomError};
use crate::session::{Action, By, Seat, Session, TimeControl};

/// How often it is looked what has been played.
const PERIOD: Duration = Duration::from_millis(250);

/// How many times in a row a game that is followed need not be there. A file may be out of date for a moment or just not
/// be readable; one that has not come back after so many has ended, or the arena has.
const MOST_MISSES: u32 = 20;

/// A game in the list of those that are played.
#[derive(Serialize)]
pub(crate) struct RunningGame {
    /// Tells it from all others.
    id: String,
    /// Those who play, that of team one first.
    names: [String; 2],
    moves: usize,
}

/// The games that are played beside a database of the arena.
pub(crate) struct Running {
    database: PathBuf,
    /// The games that are followed.
    followed: Mutex<HashMap<String, Followed>>,
}

/// A game that is followed.
#[derive(Clone)]
struct Followed {
    room: Arc<Room>,
    /// The host's link.
    token: String,
    /// How many times it has not been there since it was there last.
    misses: u32,
}

impl Running {
    pub fn beside(database: PathBuf) -> Self {
        Self { database, followed: Mutex::default() }
    }

    /// The games that are played now.
    pub fn games(&self) -> Vec<RunningGame> {
        let games = live::games(&self.database).into_iter();
        let listed = |game: Game| RunningGame { moves: moves(&game).len(), id: game.id, names: game.names };
        games.map(listed).collect()
    }

    /// Makes a game of the board of one that is played, unless somebody has done so; its links.
    pub fn open(self: &Arc<Self>, lobby: &Arc<Lobby>, id: &str) -> Result<Vec<Link>, LobbyError> {
        if let Some(followed) = self.followed().get(id) {
            return lobby.links_of(&followed.token);
        }
        let game = live::games(&self.database).into_iter().find(|game| game.id == id).ok_or(LobbyError::NoLink)?;
        let seats = ByColor([(); 4].map(|()| Seat::Guest));
        let token = lobby.begin(&Session::with(game, seats, TimeControl::None))?;
        let followed = Followed { room: lobby.room(&token)?.0, token: token.clone(), misses: 0 };
        let mut all = self.followed();
        // One task follows them all.
        let is_first = all.is_empty();
        all.insert(id.to_owned(), followed);
        drop(all);
        if is_first {
            let running = Arc::clone(self);
            lobby.runtime().spawn(async move {
                while tokio::task::spawn_blocking({
                    let running = Arc::clone(&running);
                    move || running.go_on()
                })
                .await
                .unwrap_or(false)
                {
                    tokio::time::sleep(PERIOD).await;
                }
            });
        }
        lobby.links_of(&token)
    }

    /// Makes the moves that were made at the arena. Whether there is anything more to follow.
    fn go_on(&self) -> bool {
        let played: HashMap<String, Game> =
            live::games(&self.database).into_iter().map(|game| (game.id.clone(), game)).collect();
        let followed: Vec<(String, Followed)> =
            self.followed().iter().map(|(id, followed)| (id.clone(), followed.clone())).collect();
        for (id, Followed { room, misses, .. }) in followed {
            let (goes_on, misses) = match played.get(&id) {
                Some(game) => {
                    let goes_on = follow(&room, game).unwrap_or_else(|error| {
                        log::warn!("game {id} is not followed any more: {error}");
                        false
                    });
                    (goes_on, 0)
                }
                None => (misses < MOST_MISSES, misses + 1),
            };
            let mut all = self.followed();
            if !goes_on {
                all.remove(&id);
            } else if let Some(followed) = all.get_mut(&id) {
                followed.misses = misses;
            }
        }
        !self.followed().is_empty()
    }

    fn followed(&self) -> std::sync::MutexGuard<'_, HashMap<String, Followed>> {
        // Every change is a single one.
        self.followed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn moves(game: &Game) -> Vec<Move> {
    game.moves().collect()
}

/// Makes the moves of a game that are not there yet, and ends it if it has ended. Whether it goes on.
fn follow(room: &Arc<Room>, game: &Game) -> Result<bool, RoomError> {
    let (there, known) = (moves(game), room.look(Session::moves));
    // Somebody has gone on with it here.
    let Some(new) = there.strip_prefix(known.as_slice()) else { return Ok(false) };
    for &mv in new {
        room.act(&Action::Play { mv }, By::Server, None)?;
    }
    if let Some((team, fault)) = &game.fault {
        let end = Action::Forfeit { team: *team, kind: fault.kind, detail: fault.detail.clone() };
        room.act(&end, By::Server, None)?;
    }
    Ok(!room.look(Session::is_over))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use game::{Position, Rules};
    use record::json;

    use super::*;
    use crate::service::Config;
    use crate::service::house::House;

    #[tokio::test]
    async fn a_game_that_is_not_there_for_a_moment_is_still_followed() {
        let folder = tempfile::tempdir().unwrap();
        let mut config = Config::new(folder.path().join("games.sqlite"));
        (config.threads, config.memory) = (1, 16 << 20);
        let house = House::open(&config, tokio::runtime::Handle::current()).unwrap();
        let lobby = Lobby::new(house.clone());
        let running = Running::beside(folder.path().join("arena.sqlite"));
        let file = folder.path().join("arena.sqlite-live.1");

        let mut game = Game::new(Position::new(Rules::Classic, None).unwrap());
        game.id = "1".to_owned();
        let seats = ByColor([(); 4].map(|()| Seat::Guest));
        let token = lobby.begin(&Session::with(game.clone(), seats, TimeControl::None)).unwrap();
        let room = lobby.room(&token).unwrap().0;
        running.followed().insert(game.id.clone(), Followed { room: Arc::clone(&room), token, misses: 0 });
        assert!(running.go_on());
        game.cursor(record::NodeId::START).play("MONO@0,0".parse().unwrap()).unwrap();
        fs::write(&file, json::write(&game) + "\n").unwrap();
        assert!(running.go_on());
        assert_eq!(room.look(Session::moves), moves(&game));
        // But not for ever.
        fs::remove_file(&file).unwrap();
        assert!((0..MOST_MISSES).all(|_| running.go_on()));
        assert!(!running.go_on());
        house.engines.close();
    }
}
