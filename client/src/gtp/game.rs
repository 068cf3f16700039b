//! A game with undo.

use anyhow::{Context, Result, anyhow, ensure};
use game::{Color, IllegalMove, Move, Piece, Position, Rules, SetupError};
use protocol::gtp::write_move;
use record::{Game as Record, NodeId};

/// A position and the moves that led to it.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    position: Position,
    /// The earlier positions with their moves, the latest last.
    past: Vec<(Position, Move)>,
}

impl PlayedGame {
    /// A new game.
    ///
    /// # Errors
    /// If the start piece does not fit the rules.
    pub fn new(rules: Rules, start_piece: Option<Piece>) -> Result<Self, SetupError> {
        Position::new(rules, start_piece).map(Self::at)
    }

    /// A game that begins with a position.
    pub fn at(position: Position) -> Self {
        Self { position, past: Vec::new() }
    }

    /// The position now.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The last move and its colour, unless the game began with this position.
    pub fn last_move(&self) -> Option<(Color, Move)> {
        self.past.last().map(|(before, mv)| (before.color(), *mv))
    }

    /// Plays a move. Colours that are out are skipped.
    ///
    /// # Errors
    /// If another colour is to move or the move is not legal; then nothing changes.
    pub fn play(&mut self, color: Color, mv: Move) -> Result<()> {
        let illegal = |reason| anyhow!("{color} {}: {reason}", write_move(mv));
        ensure!(!self.position.is_over(), illegal(IllegalMove::GameOver));
        self.check_turn(color)?;
        let before = self.position;
        self.position.try_play(mv).map_err(illegal)?;
        self.past.push((before, mv));
        Ok(())
    }

    /// Checks that a colour is to move.
    ///
    /// # Errors
    /// If it is not.
    pub fn check_turn(&self, color: Color) -> Result<()> {
        let on_turn = self.position.color();
        ensure!(color == on_turn, "{color} is not to move, {on_turn} is");
        Ok(())
    }

    /// Takes the last move back.
    ///
    /// # Errors
    /// If there is none.
    pub fn undo(&mut self) -> Result<()> {
        (self.position, _) = self.past.pop().context("there is no move to undo")?;
        Ok(())
    }

    /// The main line of a record up to the given number of moves.
    pub fn of_record(record: &Record, moves: usize) -> Self {
        let mut game = Self::at(*record.start());
        for mv in record.moves().take(moves) {
            game.past.push((game.position, mv));
            game.position.play(mv);
        }
        game
    }

    /// The game for a file.
    ///
    /// # Errors
    /// Never, because all moves are legal.
    pub fn record(&self) -> Result<Record, IllegalMove> {
        let mut record = Record::new(self.past.first().map_or(self.position, |(start, _)| *start));
        let mut cursor = record.cursor(NodeId::START);
        for &(_, mv) in &self.past {
            cursor.play(mv)?;
        }
        Ok(record)
    }
}
