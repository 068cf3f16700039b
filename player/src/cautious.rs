//! Beginning the game in one's own half.

use std::cmp::Reverse;
use std::sync::atomic::AtomicBool;

use game::{BOARD_SIZE, Bitboard, Cell, Move, Placement, Position, Rules, Team};

use crate::heuristic::{Weights, evaluate, mobility};
use crate::{Evaluation, Limit, Options, Param, ParamError, Player, Report};

/// A player that begins with both colours in its own half of the board: team one in the upper left,
/// team two in the lower right, on no cell of the diagonal between them.
///
/// The rules of season 2027 do not ask for that. But the last version of the official server
/// suggests only such first moves to its players, and whether it accepts others could not be
/// tried. This is an insurance.
///
/// A player cannot be told to leave out moves. So if its own choice lies elsewhere, it is asked
/// what it thinks of the positions after the [`CANDIDATES`](Self::CANDIDATES) first placements that
/// look best to the heuristic player, and the one that it would like least to have against it is
/// made. With any other rules, and after its first placements, the player is left alone.
///
/// ```
/// # use game::{Piece, Position, Rules};
/// # let position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
/// use player::{CautiousStart, HeuristicPlayer, Limit, Options, Player};
///
/// let mut player = CautiousStart::<HeuristicPlayer>::new(&Options::default());
/// let placement = player.choose(&position, &Limit::nodes(1)).mv.placement().expect("a first move places a piece");
/// assert!(placement.cells().iter().all(|cell| cell.x() + cell.y() < 19));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct CautiousStart<P> {
    player: P,
}

impl<P: Player> CautiousStart<P> {
    /// How many placements the player is asked about.
    pub const CANDIDATES: usize = 6;

    /// The best first placement in the player's own half; `None` if none of them is legal.
    fn choose_in_half(&mut self, position: &Position, limit: &Limit) -> Option<Report> {
        let mut candidates = candidates(position);
        candidates.truncate(Self::CANDIDATES);
        let (mut best, mut nodes): (Option<Report>, u64) = (None, 0);
        for (n, &placement) in candidates.iter().enumerate() {
            let share = limit.after(nodes).part((candidates.len() - n) as u32);
            let (mv, next) = (Move::Place(placement), position.after(Move::Place(placement)));
            let reply = self.player.choose(&next, &share);
            nodes += reply.nodes;
            let same_team = next.color().team() == position.color().team();
            let evaluation = reply.evaluation.map(|it| if same_team { it } else { it.of_opponents() });
            let win = |evaluation: Option<Evaluation>| evaluation.map_or(0.0, |evaluation| evaluation.win);
            // Candidates come best first, for players without an opinion.
            if best.as_ref().is_none_or(|best| win(evaluation) > win(best.evaluation)) {
                let line = [vec![mv], reply.line].concat();
                best = Some(Report { mv, evaluation, line, nodes, depth: reply.depth + 1 });
            }
        }
        best.map(|best| Report { nodes, ..best })
    }
}

/// The half of the board, without the diagonal, that is a team's own.
fn half(team: Team) -> Bitboard {
    let is_own = |cell: &Cell| match team {
        Team::One => cell.x() + cell.y() < BOARD_SIZE - 1,
        Team::Two => cell.x() + cell.y() > BOARD_SIZE - 1,
    };
    Bitboard::BOARD.iter().filter(is_own).collect()
}

/// Whether the colour on turn is to make a first placement that need not lie in its own half.
fn is_open(position: &Position) -> bool {
    position.rules() == Rules::Season2027 && position.board().covered(position.color()).is_empty()
}

/// The placements in the own half, those first that look best after one ply.
fn candidates(position: &Position) -> Vec<Placement> {
    let team = position.color().team();
    let mut placements = Vec::new();
    position.board().list_placements(position.color(), &mut placements);
    placements.retain(|placement| placement.cells().is_subset(half(team)));
    placements.sort_by_cached_key(|&placement| {
        let next = position.after(Move::Place(placement));
        Reverse(evaluate(&next, team, &Weights::DEFAULT) + mobility(&next, team, &Weights::DEFAULT))
    });
    placements
}

impl<P: Player> Player for CautiousStart<P> {
    fn new(options: &Options) -> Self {
        Self { player: P::new(options) }
    }

    fn name(&self) -> &'static str {
        self.player.name()
    }

    fn new_game(&mut self) {
        self.player.new_game();
    }

    fn choose(&mut self, position: &Position, limit: &Limit) -> Report {
        if !is_open(position) {
            return self.player.choose(position, limit);
        }
        let free = self.player.choose(position, &limit.part(2));
        let own_half = half(position.color().team());
        if free.mv.placement().is_some_and(|placement| placement.cells().is_subset(own_half)) {
            return free;
        }
        match self.choose_in_half(position, &limit.after(free.nodes)) {
            Some(cautious) => Report { nodes: free.nodes + cautious.nodes, ..cautious },
            None => free,
        }
    }

    fn ponder(&mut self, position: &Position, stop: &AtomicBool) {
        self.player.ponder(position, stop);
    }

    fn params(&self) -> Vec<Param> {
        self.player.params()
    }

    fn set_param(&mut self, name: &str, value: f32) -> Result<(), ParamError> {
        self.player.set_param(name, value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::by_name;

    /// The first placements of a game.
    fn first_placements(rules: Rules, start_piece: game::Piece, player: &mut dyn Player) -> Vec<(Team, Placement)> {
        let mut position = Position::new(rules, Some(start_piece)).unwrap();
        let mut placements = Vec::new();
        for _ in 0..4 {
            let report = player.choose(&position, &Limit::nodes(50));
            placements.push((position.color().team(), report.mv.placement().unwrap()));
            position.try_play(report.mv).unwrap();
        }
        placements
    }

    #[test]
    fn every_player_begins_in_its_own_half() {
        let options = Options { memory: 4 << 20, cautious_start: true, ..Options::default() };
        for name in crate::NAMES {
            let mut player = by_name(name, &options).unwrap();
            for start_piece in Rules::Season2027.start_pieces().iter() {
                for (team, placement) in first_placements(Rules::Season2027, start_piece, &mut *player) {
                    assert!(placement.cells().is_subset(half(team)), "{name}: {placement} of team {team}");
                }
            }
        }
    }

    #[test]
    fn all_else_is_the_players_own() {
        let options = Options { seed: 3, memory: 4 << 20, ..Options::default() };
        let careful = Options { cautious_start: true, ..options.clone() };
        let [mut free, mut bound] = [&options, &careful].map(|options| by_name("mcts", options).unwrap());
        let start_piece = game::Piece::PentoL;
        let [one, other] =
            [&mut free, &mut bound].map(|player| first_placements(Rules::Season2021, start_piece, &mut **player));
        assert_eq!(one, other);
        let mut position = Position::new(Rules::Season2027, Some(start_piece)).unwrap();
        for (_, placement) in first_placements(Rules::Season2027, start_piece, &mut *free) {
            position.play(Move::Place(placement));
        }
        let [one, other] =
            [&options, &careful].map(|options| by_name("mcts", options).unwrap().choose(&position, &Limit::nodes(100)));
        assert_eq!(one, other);
    }

    #[test]
    fn halves_are_mirror_images_without_the_diagonal() {
        let [one, two] = Team::ALL.map(half);
        assert_eq!((one.len(), two.len()), (190, 190));
        assert!(!one.intersects(two) && one.contains(Cell::new(0, 18).unwrap()));
        assert!(two.contains(Cell::new(19, 1).unwrap()));
    }
}
