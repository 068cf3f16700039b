//! A game and a player that can be asked for moves.

use std::time::{Duration, Instant};

use game::{Color, Move, Piece, Position, Rules, SetupError};
use player::{Budget, Level, LevelPlayer, Options, Player, Report};
use rand::SeedableRng;
use rand::seq::IteratorRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::failure::Failure;
use super::game::Game;
use crate::answer::new_game;
use crate::pace::DEFAULT_TIME;
use crate::thinking::Thinking;

/// The games that can be played, for messages.
pub const GAMES: &str = "2021, 2027 or Blokus Two-Player";

/// A game and a player that can be asked for moves.
///
/// ```
/// use client::gtp::Engine;
/// use game::{Color, Rules};
/// use player::{Budget, FromOptions, Options, Player, RandomPlayer};
///
/// let options = Options::default();
/// let player = Box::new(RandomPlayer::new(&options));
/// let mut engine = Engine::new(player, Rules::Classic, Budget::default(), options)?;
/// assert!(engine.choose(Color::Blue).is_ok_and(|mv| mv.is_some()));
/// assert!(engine.choose(Color::Red).is_err(), "it is not on turn");
/// # Ok::<(), game::SetupError>(())
/// ```
pub struct Engine {
    player: Box<dyn Player>,
    /// With what other players are made, and which level the present one has.
    options: Options,
    level: Option<Level>,
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
    /// None as long as all rules accept the start pieces that they name.
    pub fn new(player: Box<dyn Player>, rules: Rules, budget: Budget, options: Options) -> Result<Self, SetupError> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(options.seed);
        let game = Game::new(rules, draw_start_piece(rules, &mut rng))?;
        let thinking = Thinking::new(or_default(budget));
        Ok(Self { player, options, level: None, rng, game, budget, thinking, last_search: None, has_quit: false })
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

    /// The player, to set its parameters.
    pub fn player_mut(&mut self) -> &mut dyn Player {
        &mut *self.player
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
