//! A game that can be taken back.

use game::{Color, Move, Piece, Position, Refusal, Rules, SetupError};

use super::failure::Failure;

/// A position and how it came about.
#[derive(Clone, Debug)]
pub struct Game {
    position: Position,
    /// The positions before, the latest last.
    past: Vec<Position>,
}

impl Game {
    /// A new game.
    ///
    /// # Errors
    /// If the rules do not know the start piece.
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

    /// Plays a move. Colours that are out are skipped.
    ///
    /// # Errors
    /// If another colour is on turn or the move is not legal; then nothing changes.
    pub fn play(&mut self, color: Color, mv: Move) -> Result<(), Failure> {
        let on_turn = self.position.color();
        let illegal = |refusal| Failure::Illegal { color, mv, refusal };
        if self.position.is_over() {
            return Err(illegal(Refusal::GameOver));
        }
        if color != on_turn {
            return Err(Failure::NotOnTurn { color, on_turn });
        }
        let before = self.position;
        self.position.try_play(mv).map_err(illegal)?;
        self.past.push(before);
        Ok(())
    }

    /// Takes the last move back.
    ///
    /// # Errors
    /// If there is none.
    pub fn undo(&mut self) -> Result<(), Failure> {
        self.position = self.past.pop().ok_or(Failure::NothingToUndo)?;
        Ok(())
    }
}
