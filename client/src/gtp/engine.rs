//! A game and a player that can be asked for moves.

use std::time::{Duration, Instant};

use game::{Color, Move, Piece, Position, Rules, SetupError};
use player::{Limit, Player, Report};
use rand::SeedableRng;
use rand::seq::IteratorRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::failure::Failure;
use super::game::Game;
use crate::answer::{choose, log_report, new_game};

/// The games that can be played, for messages.
pub const GAMES: &str = "2021, 2027 or Blokus Two-Player";

/// The time for a move if nothing is limited: the contest's, with room for the way to the server.
const DEFAULT_TIME: Duration = Duration::from_millis(1900);

/// What a move may cost. With both limits, whichever is reached first counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Time for a move.
    pub time: Option<Duration>,
    /// Nodes for a move.
    pub nodes: Option<u64>,
}

impl Limits {
    /// The limit of a move that is asked for now.
    fn starting_now(self) -> Limit {
        let time = if self.nodes.is_none() { self.time.or(Some(DEFAULT_TIME)) } else { self.time };
        Limit { deadline: time.map(|time| Instant::now() + time), nodes: self.nodes }
    }
}

/// A game and a player that can be asked for moves.
///
/// ```
/// use client::gtp::{Engine, Limits};
/// use game::{Color, Rules};
/// use player::{Options, Player, RandomPlayer};
///
/// let player = Box::new(RandomPlayer::new(&Options::default()));
/// let mut engine = Engine::new(player, Rules::Classic, Limits::default(), 0)?;
/// assert!(engine.choose(Color::Blue).is_ok_and(|mv| mv.is_some()));
/// assert!(engine.choose(Color::Red).is_err(), "it is not on turn");
/// # Ok::<(), game::SetupError>(())
/// ```
pub struct Engine {
    player: Box<dyn Player>,
    /// Draws start pieces.
    rng: Xoshiro256PlusPlus,
    game: Game,
    /// What a move may cost.
    pub limits: Limits,
    search: Option<Search>,
    has_quit: bool,
}

/// A move that the player has chosen in this game.
pub struct Search {
    /// Where it was asked for.
    pub position: Position,
    /// What it said.
    pub report: Report,
    /// How long it took.
    pub time: Duration,
}

impl Engine {
    /// An engine at the start of a game. The seed is that of the start pieces that are drawn.
    ///
    /// # Errors
    /// None as long as all rules accept the start pieces that they name.
    pub fn new(player: Box<dyn Player>, rules: Rules, limits: Limits, seed: u64) -> Result<Self, SetupError> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let game = Game::new(rules, draw_start_piece(rules, &mut rng))?;
        Ok(Self { player, rng, game, limits, search: None, has_quit: false })
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

    /// Starts over with another game.
    pub fn set_game(&mut self, game: Game) {
        self.game = game;
        self.search = None;
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
        let limit = self.limits.starting_now();
        let begin = Instant::now();
        let position = *self.game.position();
        if position.is_over() || !position.in_play().contains(color) {
            return Ok(None);
        }
        if color != position.color() {
            return Err(Failure::NotOnTurn { color, on_turn: position.color() });
        }
        let report = choose(&mut *self.player, &position, &limit);
        let (mv, time) = (report.mv, begin.elapsed());
        log_report(&position, &report, time);
        self.search = Some(Search { position, report, time });
        Ok(Some(mv))
    }

    /// The last move that the player has chosen.
    ///
    /// # Errors
    /// If it has chosen none in this game.
    pub fn search(&self) -> Result<&Search, Failure> {
        self.search.as_ref().ok_or(Failure::NoSearch)
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

fn draw_start_piece(rules: Rules, rng: &mut Xoshiro256PlusPlus) -> Option<Piece> {
    rules.start_pieces().iter().choose(rng)
}
