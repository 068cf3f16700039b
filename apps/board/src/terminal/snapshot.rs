//! The drawn state of a game.

use game::{Bitboard, Cell, Color, Move, Piece, PieceSet, Placement, Position};

use crate::active::{ActiveGame, AnalysisProgress, EngineError};
use crate::service::now;
use crate::session::{By, MoveReview, PlayedMove, Review, TerritoryOfColor, View, territory};

/// Optional parts of the display.
#[derive(Clone, Copy, Default)]
pub(super) struct DisplayOptions {
    pub corners: bool,
    pub reach: bool,
    pub letters: bool,
    /// `true` if the graph appears during a game, and replaces the pieces where both do not fit.
    pub graph: bool,
}

/// The state of a game at the shown node.
pub(super) struct Snapshot {
    pub view: View,
    pub position: Position,
    /// The legal placements of the colour to move.
    pub legal: Vec<Placement>,
    /// The nodes from the start to the current one.
    pub path: Vec<usize>,
    /// Empty during a game unless it is shown: win probabilities would help a player.
    pub review: Review,
    /// Reach of the colour to move, if shown.
    pub reach: Option<TerritoryOfColor>,
    pub progress: Option<AnalysisProgress>,
    pub engine_error: Option<EngineError>,
    /// Number of moves of the shown engine line.
    pub line_moves: usize,
}

impl Snapshot {
    /// Returns the state at a node, or at the current one if there is no such node.
    pub fn of(game: &ActiveGame, node: Option<usize>, display: DisplayOptions) -> Self {
        let session = game.session();
        let view = View::of(session, node, By::Host, now());
        let position = view.position;
        let legal = position.placements();
        let reach = display.reach.then(|| territory(&position).into_iter().nth(position.color() as usize));
        let is_analysed = display.graph || session.is_over() || game.has_only_programs();
        Self {
            position,
            legal,
            path: session.path(),
            review: if is_analysed { Review::of(session) } else { Review::default() },
            reach: reach.flatten(),
            progress: game.progress(),
            engine_error: game.engine_error().cloned(),
            line_moves: 0,
            view,
        }
    }

    /// Shows the board after moves of an engine line.
    pub fn show_line(&mut self, moves: &[Move]) {
        let line = PlayedMove::line(&self.position, moves);
        self.position = moves.iter().take(line.len()).fold(self.position, |position, &mv| position.after(mv));
        self.line_moves = line.len();
        self.view.last = line.into_iter().next_back().or(self.view.last.take());
        // These belong to the position before the line.
        (self.view.insight, self.reach, self.view.may_move) = (None, None, false);
        self.legal.clear();
    }

    /// Returns the pieces that the colour to move can place now.
    pub fn placeable(&self) -> PieceSet {
        let mut pieces = PieceSet::EMPTY;
        self.legal.iter().for_each(|placement| pieces.insert(placement.piece()));
        pieces
    }

    /// Returns the cells of the move that led here.
    pub fn last_cells(&self) -> Bitboard {
        let last = self.view.last.as_ref();
        last.map_or(Bitboard::EMPTY, |last| last.cells.iter().filter_map(|&number| cell(number)).collect())
    }

    /// Returns the placements among the engine's candidates, the best first.
    pub fn candidates(&self) -> impl Iterator<Item = Placement> {
        let candidates = self.view.insight.iter().flat_map(|insight| &insight.candidates);
        candidates.filter_map(|candidate| candidate.mv.placement())
    }

    /// Returns the review of the move to a node.
    pub fn review_of(&self, node: usize) -> Option<&MoveReview> {
        self.review.moves.iter().find(|review| review.node == node)
    }

    /// Returns `true` if the graph can be drawn.
    pub fn has_graph(&self) -> bool {
        self.review.graph.iter().any(Option::is_some)
    }

    /// Returns `true` if the colour to move has no piece on the board.
    pub fn is_first_piece(&self) -> bool {
        self.on_turn().is_some_and(|color| self.view.colors[color as usize].remaining.len() == Piece::COUNT)
    }

    /// Returns the colour to move, if there is one.
    pub fn on_turn(&self) -> Option<Color> {
        (!self.position.is_over()).then(|| self.position.color())
    }
}

/// Returns the cell of a number in a view.
pub(super) fn cell(number: u16) -> Option<Cell> {
    let size = game::BOARD_SIZE as u16;
    Cell::new((number % size).into(), (number / size).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::active::GameSettings;
    use crate::session::{Insight, Seat, Session, TimeControl};
    use game::{ByColor, Rules, Team};
    use player::Level;

    #[test]
    fn graph_during_game_needs_request() {
        let seats = ByColor::from_fn(|color| match color.team() {
            Team::One => Seat::Person,
            Team::Two => Seat::Level { level: Level::new(9).unwrap() },
        });
        let mut played = record::Game::new(Position::new(Rules::Classic, None).unwrap());
        let node = played.play(record::NodeId::START, "MONO@0,0".parse().unwrap()).unwrap();
        played.play(node, "MONO@19,0".parse().unwrap()).unwrap();
        let mut session = Session::with(played, seats, TimeControl::None);
        for (_, position, _) in session.plies() {
            let evaluation = player::Evaluation::of_result(3);
            session.add_insight(&position, Insight::of(&position, evaluation, 9, Vec::new()));
        }
        let game = ActiveGame::new(session, GameSettings::default().into());
        assert!(!Snapshot::of(&game, None, DisplayOptions::default()).has_graph());
        assert!(Snapshot::of(&game, None, DisplayOptions { graph: true, ..DisplayOptions::default() }).has_graph());
    }
}
