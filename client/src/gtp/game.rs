//! A game with undo.

use game::{Color, IllegalMove, Move, Piece, Position, Rules, SetupError};
use record::{Game as Record, NodeId};

/// A position and the moves that led to it.
#[derive(Clone, Debug)]
pub struct UndoableGame {
    position: Position,
    /// The earlier positions with their moves, the latest last.
    past: Vec<(Position, Move)>,
}

impl UndoableGame {
    /// Creates a new game.
    ///
    /// # Errors
    /// If the start piece does not fit the rules.
    pub fn new(rules: Rules, start_piece: Option<Piece>) -> Result<Self, SetupError> {
        Position::new(rules, start_piece).map(Self::at)
    }

    /// Creates a game that begins with a position.
    pub fn at(position: Position) -> Self {
        Self { position, past: Vec::new() }
    }

    /// Returns the position now.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the last move and its colour, unless the game began with this position.
    pub fn last_move(&self) -> Option<(Color, Move)> {
        self.past.last().map(|(before, mv)| (before.color(), *mv))
    }

    /// Plays a move. Colours that are out are skipped.
    ///
    /// # Errors
    /// [`IllegalMove`], for example if another colour is to move; then nothing changes.
    pub fn play(&mut self, color: Color, mv: Move) -> Result<(), IllegalMove> {
        if !self.position.is_over() {
            self.check_turn(color)?;
        }
        let before = self.position;
        self.position.try_play(mv)?;
        self.past.push((before, mv));
        Ok(())
    }

    /// Checks that a colour is to move.
    ///
    /// # Errors
    /// [`IllegalMove::WrongColor`] if it is not.
    pub fn check_turn(&self, color: Color) -> Result<(), IllegalMove> {
        if color == self.position.color() { Ok(()) } else { Err(IllegalMove::WrongColor) }
    }

    /// Takes the last move back and returns it, if there is one.
    pub fn undo(&mut self) -> Option<Move> {
        let (before, mv) = self.past.pop()?;
        self.position = before;
        Some(mv)
    }

    /// Returns the main line of a record up to the given number of moves.
    pub fn of_record(record: &Record, moves: usize) -> Self {
        let mut game = Self::at(*record.start());
        for mv in record.moves().take(moves) {
            game.past.push((game.position, mv));
            game.position.play(mv);
        }
        game
    }

    /// Returns the game for a file.
    pub fn record(&self) -> Record {
        let mut record = Record::new(self.past.first().map_or(self.position, |(start, _)| *start));
        let mut cursor = record.cursor(NodeId::START);
        for &(_, mv) in &self.past {
            cursor.play(mv).expect("the moves were legal");
        }
        record
    }
}
