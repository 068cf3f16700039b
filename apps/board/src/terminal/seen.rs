//! The state of a game to draw.

use game::{Bitboard, Cell, Color, Move, PieceSet, Placement, Position};

use crate::active::{ActiveGame, EngineError, Progress};
use crate::service::now;
use crate::session::{By, MoveReview, PlayedMove, Review, TerritoryOfColor, View, territory};

/// The state of a game at the shown place.
pub(super) struct Seen {
    pub view: View,
    pub position: Position,
    /// The legal placements of the colour on turn.
    pub legal: Vec<Placement>,
    /// The places of the reviewed line, from the start to the current one.
    pub path: Vec<usize>,
    pub review: Review,
    /// Whether the graph may be shown: programs report win probabilities during a game, too.
    pub is_analysed: bool,
    /// Reach of the colour to move, if shown.
    pub reach: Option<TerritoryOfColor>,
    pub progress: Option<Progress>,
    pub trouble: Option<EngineError>,
    /// Number of moves of a shown line.
    pub played_out: usize,
}

impl Seen {
    /// The state at a place, or at the current one if there is no such place.
    pub fn of(game: &ActiveGame, place: Option<usize>, with_reach: bool) -> Option<Self> {
        let session = game.session();
        let of = |node| View::of(session, node, By::Host, now());
        let view = place.and_then(|node| of(node).ok()).or_else(|| of(session.current()).ok())?;
        let position = session.position_at(view.node).ok()?;
        let board = position.board();
        let legal = if position.is_over() { Vec::new() } else { board.placements(position.color()) };
        let reach = with_reach.then(|| territory(&position).colors.into_iter().nth(position.color() as usize));
        Some(Self {
            position,
            legal,
            path: session.path(),
            review: Review::of(session),
            is_analysed: session.is_over()
                || session.insights().count() > 1
                || Color::ALL.iter().all(|&color| session.seat(color).is_engine()),
            reach: reach.flatten(),
            progress: game.progress(),
            trouble: game.engine_error().cloned(),
            played_out: 0,
            view,
        })
    }

    /// Plays moves out on the board that are only thought of.
    pub fn play_out(&mut self, moves: &[Move]) {
        let line = PlayedMove::line(&self.position, moves);
        self.position = moves.iter().take(line.len()).fold(self.position, |position, &mv| position.after(mv));
        self.played_out = line.len();
        self.view.last = line.into_iter().next_back().or(self.view.last.take());
        // Remarks about the position before do not hold here, and nobody moves.
        (self.view.insight, self.reach, self.view.may_move) = (None, None, false);
        self.legal.clear();
    }

    /// The pieces that the colour on turn can place now.
    pub fn placeable(&self) -> PieceSet {
        let mut pieces = PieceSet::EMPTY;
        self.legal.iter().for_each(|placement| pieces.insert(placement.piece()));
        pieces
    }

    /// The cells of the move that led here.
    pub fn last_cells(&self) -> Bitboard {
        let last = self.view.last.as_ref();
        last.map_or(Bitboard::EMPTY, |last| last.cells.iter().filter_map(|&number| cell(number)).collect())
    }

    /// The candidates of the engine that can be drawn, the best first.
    pub fn candidates(&self) -> impl Iterator<Item = Placement> {
        let candidates = self.view.insight.iter().flat_map(|insight| &insight.candidates);
        candidates.filter_map(|candidate| match candidate.mv {
            Move::Place(placement) => Some(placement),
            Move::Pass => None,
        })
    }

    /// The review of the move that led to a place.
    pub fn review_of(&self, node: usize) -> Option<&MoveReview> {
        self.review.moves.iter().find(|review| review.node == node)
    }

    /// Returns `true` if there is anything to draw as a graph.
    pub fn has_graph(&self) -> bool {
        self.is_analysed && self.review.graph.iter().flatten().count() > 1
    }

    /// The colour on turn, if there is one.
    pub fn on_turn(&self) -> Option<Color> {
        (!self.position.is_over()).then(|| self.position.color())
    }
}

/// The cell of a number, as views have them.
pub(super) fn cell(number: u16) -> Option<Cell> {
    let size = game::BOARD_SIZE as u16;
    Cell::new((number % size).into(), (number / size).into())
}
