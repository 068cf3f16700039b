//! The engine behind the GTP commands.

use std::fmt;
use std::time::{Duration, Instant};

use game::{Color, IllegalMove, Move, Position, Rules};
use player::{Budget, Level, LevelPlayer, Options, ParamError, Player, Report};
use rand::SeedableRng;
use rand::seq::IteratorRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::game::UndoableGame;
use crate::answer::new_game;
use crate::move_timer::MoveTimer;
use crate::pace::DEFAULT_TIME;

/// The names of the games, for messages.
pub const GAMES: &str = "2021, 2027, Blokus Two-Player or Blokus";

/// Creates the engine's player; called again when the seed changes.
pub type MakePlayer = Box<dyn Fn(&Options) -> Box<dyn Player> + Send>;

/// The parameter that switches the opening book.
const BOOK: &str = "book";

/// A game and the player that chooses its moves.
///
/// ```
/// use client::gtp::Engine;
/// use game::{Color, Rules};
/// use player::{Budget, Options, RandomPlayer, boxed};
///
/// let make = Box::new(boxed::<RandomPlayer>);
/// let mut engine = Engine::new(make, Rules::Classic, Budget::default(), Options::default());
/// assert!(engine.choose(Color::Blue).is_ok_and(|mv| mv.is_some()));
/// assert!(engine.choose(Color::Red).is_err(), "it is not to move");
/// ```
pub struct Engine {
    make: MakePlayer,
    pub(super) player: Box<dyn Player>,
    /// The options of this player and later ones.
    options: Options,
    /// The level of the player, if one was set.
    pub(super) level: Option<Level>,
    /// `true` if players may use an opening book.
    uses_book: bool,
    /// Draws start pieces.
    rng: Xoshiro256PlusPlus,
    pub(super) game: UndoableGame,
    pub(super) budget: Budget,
    timer: MoveTimer,
    last_search: Option<LastSearch>,
    pub(super) has_quit: bool,
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("game", &self.game).field("budget", &self.budget).finish_non_exhaustive()
    }
}

/// A move that the player has chosen in this game.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LastSearch {
    /// The position.
    pub position: Position,
    /// The player's report.
    pub report: Report,
    /// Duration of the search.
    pub time: Duration,
}

impl Engine {
    /// Creates an engine at the start of a game, with a [budget](Self::set_budget) for each move. The seed of the
    /// player's options also draws the start pieces.
    pub fn new(make: MakePlayer, rules: Rules, budget: Budget, options: Options) -> Self {
        let player = make(&options);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(options.seed);
        let game = random_start(rules, &mut rng);
        let timer = MoveTimer::new(or_default(budget));
        Self {
            make,
            player,
            options,
            level: None,
            uses_book: true,
            rng,
            game,
            budget,
            timer,
            last_search: None,
            has_quit: false,
        }
    }

    /// Changes the budget of a move. [`Budget::UNLIMITED`] means [`DEFAULT_TIME`](crate::DEFAULT_TIME).
    pub fn set_budget(&mut self, budget: Budget) {
        self.budget = budget;
        self.timer.set_budget(or_default(budget));
    }

    /// Returns the game.
    pub fn game(&self) -> &UndoableGame {
        &self.game
    }

    /// Returns `true` after the command `quit`.
    pub fn has_quit(&self) -> bool {
        self.has_quit
    }

    /// Sets a parameter of the player. `book` also applies to later players.
    ///
    /// # Errors
    /// Like [`Player::set_param`].
    pub fn set_param(&mut self, name: &str, value: &str) -> Result<(), ParamError> {
        if name == BOOK && ["0", "1"].contains(&value) {
            self.uses_book = value == "1";
            // A player without this parameter has no book.
            if self.player.params().iter().all(|param| param.name != BOOK) {
                return Ok(());
            }
        }
        self.player.set_param(name, value)
    }

    /// Disables the opening book of this player and later ones.
    pub fn disable_book(&mut self) {
        self.uses_book = false;
        // A player without this parameter has no book.
        _ = self.player.set_param(BOOK, "0");
    }

    /// Continues the game with the player of a level, see [`Level`].
    pub fn set_level(&mut self, level: Level) {
        self.level = Some(level);
        self.player = self.create_player();
        self.last_search = None;
        if !self.uses_book {
            self.disable_book();
        }
    }

    /// Reseeds the player and the draw of start pieces. Keeps the game and the parameters.
    pub fn set_seed(&mut self, seed: u64) {
        self.options.seed = seed;
        let mut player = self.create_player();
        for param in self.player.params() {
            // The same player has accepted these values before.
            _ = player.set_param(param.name, &param.value.to_string());
        }
        self.player = player;
        self.rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        self.last_search = None;
    }

    /// Creates the player of the level, or without a level the one of the program.
    fn create_player(&self) -> Box<dyn Player> {
        match self.level {
            Some(level) => Box::new(LevelPlayer::new(level, &self.options)),
            None => (self.make)(&self.options),
        }
    }

    /// Replaces the game.
    pub fn set_game(&mut self, game: UndoableGame) {
        self.game = game;
        self.last_search = None;
        new_game(&mut *self.player);
    }

    /// Starts a game by these rules, with a random start piece if they draw one.
    pub fn set_rules(&mut self, rules: Rules) {
        let game = random_start(rules, &mut self.rng);
        self.set_game(game);
    }

    /// Asks the player for a move without playing it. `None` if the colour is out or the game is over.
    ///
    /// # Errors
    /// [`IllegalMove::WrongColor`] if another colour is to move.
    pub fn choose(&mut self, color: Color) -> Result<Option<Move>, IllegalMove> {
        let asked = Instant::now();
        let position = *self.game.position();
        if position.is_over() || !position.in_play().contains(color) {
            return Ok(None);
        }
        self.game.check_turn(color)?;
        let report = self.timer.choose(&mut *self.player, &position, asked);
        let (mv, time) = (report.mv, asked.elapsed());
        self.timer.note_answer(&position, &report, time);
        self.last_search = Some(LastSearch { position, report, time });
        Ok(Some(mv))
    }

    /// Returns the last move that the player has chosen in this game, if any.
    pub fn last_search(&self) -> Option<&LastSearch> {
        self.last_search.as_ref()
    }
}

/// Returns the budget, or the time of the contest if it is unlimited.
fn or_default(budget: Budget) -> Budget {
    budget.or(Budget::time(DEFAULT_TIME))
}

/// Creates a game with a random start piece, if the rules draw one.
fn random_start(rules: Rules, rng: &mut Xoshiro256PlusPlus) -> UndoableGame {
    UndoableGame::new(rules, rules.start_pieces().iter().choose(rng)).expect("the piece is a start piece of the rules")
}
