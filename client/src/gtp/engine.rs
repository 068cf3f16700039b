//! A game and a player that can be asked for moves.

use std::time::{Duration, Instant};

use game::{Color, Move, Piece, Position, Rules, SetupError};
use player::{Budget, Level, LevelPlayer, Options, ParamError, Player, Report};
use rand::SeedableRng;
use rand::seq::IteratorRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::failure::Failure;
use super::game::Game;
use crate::answer::new_game;
use crate::pace::DEFAULT_TIME;
use crate::thinking::Thinking;

/// The games that can be played, for messages.
pub const GAMES: &str = "2021, 2027, Blokus Two-Player or Blokus";

/// Makes the player of an engine, again whenever its seed changes.
pub type MakePlayer = Box<dyn Fn(&Options) -> anyhow::Result<Box<dyn Player>>>;

/// The parameter of players that have an opening book.
const BOOK: &str = "book";

/// A game and a player that can be asked for moves.
///
/// ```
/// use client::gtp::Engine;
/// use game::{Color, Rules};
/// use player::{Budget, Options, RandomPlayer, boxed};
///
/// let make = Box::new(|options: &Options| Ok(boxed::<RandomPlayer>(options)));
/// let mut engine = Engine::new(make, Rules::Classic, Budget::default(), Options::default())?;
/// assert!(engine.choose(Color::Blue).is_ok_and(|mv| mv.is_some()));
/// assert!(engine.choose(Color::Red).is_err(), "it is not on turn");
/// # Ok::<(), anyhow::Error>(())
/// ```
pub struct Engine {
    make: MakePlayer,
    player: Box<dyn Player>,
    /// With what other players are made, and which level the present one has.
    options: Options,
    level: Option<Level>,
    /// Whether players that have an opening book may use it.
    uses_book: bool,
    /// Draws start pieces.
    rng: Xoshiro256PlusPlus,
    game: Game,
    budget: Budget,
    thinking: Thinking,
    last_search: Option<LastSearch>,
    has_quit: bool,
}

/// A move that the player has chosen in this game.
pub struct LastSearch {
    /// Where it was asked for.
    pub position: Position,
    /// What it said.
    pub report: Report,
    /// How long it took.
    pub time: Duration,
}

impl Engine {
    /// An engine at the start of a game, with a [budget](Self::set_budget) for each move. The options are
    /// those of the player; their seed is that of the start pieces that are drawn, too.
    ///
    /// # Errors
    /// Those of `make`.
    pub fn new(make: MakePlayer, rules: Rules, budget: Budget, options: Options) -> anyhow::Result<Self> {
        let player = make(&options)?;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(options.seed);
        let game = Game::new(rules, draw_start_piece(rules, &mut rng))?;
        let thinking = Thinking::new(or_default(budget));
        Ok(Self {
            make,
            player,
            options,
            level: None,
            uses_book: true,
            rng,
            game,
            budget,
            thinking,
            last_search: None,
            has_quit: false,
        })
    }

    /// What a move may cost.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// Changes what a move may cost. A budget that limits nothing means the time of the contest.
    pub fn set_budget(&mut self, budget: Budget) {
        self.budget = budget;
        self.thinking.set_budget(or_default(budget));
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The game, to play or take back moves.
    pub fn game_mut(&mut self) -> &mut Game {
        &mut self.game
    }

    /// The player.
    pub fn player(&self) -> &dyn Player {
        &*self.player
    }

    /// Sets a parameter of the player. Whether it uses its opening book holds for later players, too.
    ///
    /// # Errors
    /// Those of [`Player::set_param`].
    pub fn set_param(&mut self, name: &str, value: &str) -> Result<(), ParamError> {
        self.player.set_param(name, value)?;
        if name == BOOK {
            self.uses_book = value != "0";
        }
        Ok(())
    }

    /// Keeps this player and later ones from using an opening book.
    pub fn disable_book(&mut self) {
        self.uses_book = false;
        // A player without this parameter has no book.
        _ = self.player.set_param(BOOK, "0");
    }

    /// The level of the player, if one was set.
    pub fn level(&self) -> Option<Level> {
        self.level
    }

    /// Lets the player of a level go on with the game, see [`Level`].
    pub fn set_level(&mut self, level: Level) {
        self.player = Box::new(LevelPlayer::of(level, &self.options));
        self.level = Some(level);
        self.last_search = None;
        if !self.uses_book {
            self.disable_book();
        }
    }

    /// Restarts the random numbers of the player and of the start pieces. The game and the parameters stay.
    ///
    /// # Errors
    /// If the player cannot be made again; then nothing changes.
    pub fn set_seed(&mut self, seed: u64) -> Result<(), Failure> {
        let options = Options { seed, ..self.options.clone() };
        let mut player: Box<dyn Player> = match self.level {
            Some(level) => Box::new(LevelPlayer::of(level, &options)),
            None => (self.make)(&options).map_err(Failure::Player)?,
        };
        for param in self.player.params() {
            // The values are those of an equal player.
            _ = player.set_param(param.name, &param.value.to_string());
        }
        self.player = player;
        self.options = options;
        self.rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        self.last_search = None;
        Ok(())
    }

    /// Starts over with another game.
    pub fn set_game(&mut self, game: Game) {
        self.game = game;
        self.last_search = None;
        new_game(&mut *self.player);
    }

    /// Starts a game by these rules; the start piece, if there is one, is drawn.
    ///
    /// # Errors
    /// Those of [`new`](Self::new).
    pub fn set_rules(&mut self, rules: Rules) -> Result<(), SetupError> {
        let start_piece = draw_start_piece(rules, &mut self.rng);
        self.set_game(Game::new(rules, start_piece)?);
        Ok(())
    }

    /// Asks the player for a move, which is not played. `None` if the colour will not move any more.
    ///
    /// # Errors
    /// If another colour is on turn.
    pub fn choose(&mut self, color: Color) -> Result<Option<Move>, Failure> {
        let asked = Instant::now();
        let position = *self.game.position();
        if position.is_over() || !position.in_play().contains(color) {
            return Ok(None);
        }
        if color != position.color() {
            return Err(Failure::NotOnTurn { color, on_turn: position.color() });
        }
        let report = self.thinking.choose(&mut *self.player, &position, asked);
        let (mv, time) = (report.mv, asked.elapsed());
        self.thinking.note_answer(&position, &report, time);
        self.last_search = Some(LastSearch { position, report, time });
        Ok(Some(mv))
    }

    /// The last move that the player has chosen.
    ///
    /// # Errors
    /// If it has chosen none in this game.
    pub fn last_search(&self) -> Result<&LastSearch, Failure> {
        self.last_search.as_ref().ok_or(Failure::NoSearch)
    }

    /// Notes that no command will follow.
    pub fn quit(&mut self) {
        self.has_quit = true;
    }

    /// Whether no command will follow.
    pub fn has_quit(&self) -> bool {
        self.has_quit
    }
}

/// The time of the contest if nothing is limited.
fn or_default(budget: Budget) -> Budget {
    budget.or(Budget::time(DEFAULT_TIME))
}

fn draw_start_piece(rules: Rules, rng: &mut Xoshiro256PlusPlus) -> Option<Piece> {
    rules.start_pieces().iter().choose(rng)
}
