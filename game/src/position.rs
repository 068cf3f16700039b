//! Positions: a board, whose turn it is, and who is still in play.

use std::hash::{Hash, Hasher};

use crate::board::Board;
use crate::color::{Color, ColorSet, Team};
use crate::illegal_move::IllegalMove;
use crate::piece::Piece;
use crate::placement::{Move, Placement};
use crate::progress::Progress;
use crate::rules::Rules;
use crate::shape::Shape;
use crate::zobrist;

/// A position of a game: under a kilobyte without allocations, so that a search can copy it for every node.
///
/// ```
/// use game::{Color, Move, Piece, Position, Rules, Team};
///
/// let mut position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
/// position.try_play("PENTO_W@0,7".parse()?)?;
/// assert_eq!((position.turn(), position.color()), (1, Color::Yellow));
/// assert!(position.check(Move::Pass).is_err(), "the first move must place a piece");
/// assert_eq!(position.margin(Team::One), 5);
/// assert_eq!(position.to_string().parse(), Ok(position));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    board: Board,
    rules: Rules,
    start_piece: Option<Piece>,
    progress: Progress,
    hash: u64,
}

impl Position {
    /// Creates a position from its parts.
    pub(crate) fn with(board: Board, rules: Rules, start_piece: Option<Piece>, progress: Progress) -> Self {
        let mut position = Self { board, rules, start_piece, progress, hash: 0 };
        position.hash = position.recomputed_hash();
        position
    }

    /// Returns the board.
    #[inline(always)]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the rules.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Returns the piece that every colour places first, if the rules draw one.
    pub fn start_piece(&self) -> Option<Piece> {
        self.start_piece
    }

    /// Returns the turn, the colours in play, and the facts for the score.
    #[inline(always)]
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// Returns the turn number, from 0. It includes the turns of removed colours.
    #[inline]
    pub fn turn(&self) -> u16 {
        self.progress.turn
    }

    /// Returns the round, from 1. A round is one turn of every colour.
    pub fn round(&self) -> u16 {
        1 + self.turn() / Color::COUNT as u16
    }

    /// Returns the colour to move.
    #[inline(always)]
    pub fn color(&self) -> Color {
        self.progress.color()
    }

    /// Returns the colours that have not been removed. A colour without moves stays until its turn comes.
    #[inline]
    pub fn in_play(&self) -> ColorSet {
        self.progress.in_play
    }

    /// Returns the colours that have placed all pieces, the monomino last.
    pub fn mono_last(&self) -> ColorSet {
        self.progress.mono_last
    }

    /// Returns the Zobrist hash of the position within its game; equal positions have equal hashes.
    #[inline]
    pub fn zobrist_hash(&self) -> u64 {
        self.hash
    }

    /// Returns `true` if the game is over: no colour is in play, or the turn limit is reached.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.progress.is_over()
    }

    /// Returns the [`points`](crate::points) of a colour.
    pub fn points(&self, color: Color) -> i32 {
        self.progress.points(&self.board, color)
    }

    /// Returns the points of both colours of a team.
    pub fn team_points(&self, team: Team) -> i32 {
        self.progress.team_points(&self.board, team)
    }

    /// Returns the lead of a team in points; negative if it is behind.
    pub fn margin(&self, team: Team) -> i32 {
        self.progress.margin(&self.board, team)
    }

    /// Returns the colours with the most points.
    pub fn leaders(&self) -> ColorSet {
        let most = Color::ALL.into_iter().map(|color| self.points(color)).max();
        Color::ALL.into_iter().filter(|&color| Some(self.points(color)) == most).collect()
    }

    /// Returns `true` if the colour to move may pass.
    pub fn may_pass(&self) -> bool {
        !self.is_over() && !self.board.is_first(self.color())
    }

    /// Returns the legal placements of the colour to move, in the order of [`Board::list_placements`]. Empty if the
    /// game is over.
    ///
    /// ```
    /// use game::{Position, Rules};
    ///
    /// let start = Position::new(Rules::Classic, None)?;
    /// assert_eq!(start.placements().len(), 58);
    /// # Ok::<(), game::SetupError>(())
    /// ```
    pub fn placements(&self) -> Vec<Placement> {
        if self.is_over() { Vec::new() } else { self.board.placements(self.color()) }
    }

    /// Returns the legal moves: the [`placements`](Self::placements), then the pass, if it is legal.
    ///
    /// Empty if the game is over. Also empty in a position that was set up, if the colour to move can place nothing and
    /// has not placed its first piece.
    ///
    /// Allocates a list. [`Board`] has methods that reuse a list, count, visit in bulk, or return one placement.
    ///
    /// ```
    /// use game::{Move, Position, Rules};
    ///
    /// let mut position = Position::new(Rules::Classic, None)?;
    /// for _ in 0..4 {
    ///     assert!(!position.legal_moves().contains(&Move::Pass), "the first move must place a piece");
    ///     position.play(position.legal_moves()[0]);
    /// }
    /// assert_eq!(position.legal_moves().last(), Some(&Move::Pass));
    /// # Ok::<(), game::SetupError>(())
    /// ```
    pub fn legal_moves(&self) -> Vec<Move> {
        // Reuses the memory of the placements, which are of the same size.
        let mut moves: Vec<Move> = self.placements().into_iter().map(Move::Place).collect();
        moves.extend(self.may_pass().then_some(Move::Pass));
        moves
    }

    /// Checks that a move is legal.
    ///
    /// # Errors
    /// The first reason that applies, in the order of [`IllegalMove`].
    pub fn check(&self, mv: Move) -> Result<(), IllegalMove> {
        match mv {
            Move::Pass if self.is_over() => Err(IllegalMove::GameOver),
            Move::Pass if self.board.is_first(self.color()) => Err(IllegalMove::PassOnFirstMove),
            Move::Pass => Ok(()),
            Move::Place(placement) => {
                let corner = placement.corner();
                let (x, y) = (corner.x() as i32, corner.y() as i32);
                self.check_piece(self.color(), placement.shape(), x, y).map(|_| ())
            }
        }
    }

    /// Checks that a shape of `color` may be placed with the upper left of its bounding box at (x, y).
    ///
    /// # Errors
    /// The first reason that applies, in the order of [`IllegalMove`].
    pub fn check_piece(&self, color: Color, shape: Shape, x: i32, y: i32) -> Result<Placement, IllegalMove> {
        if self.is_over() {
            return Err(IllegalMove::GameOver);
        }
        if color != self.color() {
            return Err(IllegalMove::WrongColor);
        }
        let board = &self.board;
        if !board.playable(color).contains(shape.piece()) {
            return Err(if board.is_first(color) { IllegalMove::NotStartPiece } else { IllegalMove::PieceNotLeft });
        }
        let placement = shape.at(x, y).ok_or(IllegalMove::OutOfBounds)?;
        let cells = placement.cells();
        if !cells.is_subset(board.empty()) {
            return Err(IllegalMove::Obstructed);
        }
        if !cells.is_subset(board.open(color)) {
            return Err(IllegalMove::TouchesOwnColor);
        }
        if !cells.intersects(board.anchors(color)) {
            return Err(if board.is_first(color) { IllegalMove::NotOnStart } else { IllegalMove::NoSharedCorner });
        }
        Ok(placement)
    }

    /// Plays a legal move: the turn passes to the next colour in play, and colours without a placement are removed when
    /// their turn comes.
    ///
    /// # Panics
    /// With debug assertions, if the move is illegal. Without them an illegal move leaves the position inconsistent;
    /// see [`try_play`](Self::try_play).
    #[inline]
    pub fn play(&mut self, mv: Move) {
        debug_assert_eq!(self.check(mv), Ok(()));
        self.hash ^= zobrist::progress(&self.progress);
        if let Move::Place(placement) = mv {
            self.place(placement);
        }
        self.progress.end_turn();
        self.progress.remove_stuck_colors(|color| self.board.has_placement(color));
        self.hash ^= zobrist::progress(&self.progress);
    }

    /// Returns the position after a legal move, see [`play`](Self::play).
    ///
    /// # Panics
    /// As `play` does.
    #[inline]
    #[must_use]
    pub fn after(mut self, mv: Move) -> Self {
        self.play(mv);
        self
    }

    /// Plays a move if it is legal; otherwise the position is unchanged.
    ///
    /// # Errors
    /// Fails as [`check`](Self::check) does.
    pub fn try_play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.check(mv)?;
        self.play(mv);
        Ok(())
    }

    /// Recomputes the hash of the position from scratch; always equal to [`zobrist_hash`](Self::zobrist_hash).
    #[doc(hidden)]
    pub fn recomputed_hash(&self) -> u64 {
        let cells = Color::ALL
            .into_iter()
            .flat_map(|color| self.board.covered(color).into_iter().map(move |cell| zobrist::cell(color, cell)));
        cells.fold(zobrist::progress(&self.progress), |hash, key| hash ^ key)
    }

    #[inline]
    fn place(&mut self, placement: Placement) {
        let color = self.color();
        self.board.place(color, placement);
        for cell in placement.cells() {
            self.hash ^= zobrist::cell(color, cell);
        }
        self.progress.note_placement(placement.piece(), self.board.remaining_pieces(color));
    }
}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.zobrist_hash());
    }
}
