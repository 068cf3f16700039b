//! The bitboards and the naive rules agree on random games of all rule sets.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use game::{Board, Color, ColorSet, IllegalMove, Move, Piece, Placement, Position, Rules, Shape, Team};
use proptest::prelude::*;
use rand::seq::IteratorRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tests::naive;

/// A way to choose the moves of a game.
struct Style {
    /// One of this many moves is a pass, unless it is 0.
    pass_rate: u16,
    /// Colours that pass whenever they may.
    idle: ColorSet,
    /// `true` to place only the largest possible pieces.
    largest_first: bool,
}

impl Style {
    fn draw(rng: &mut Xoshiro256PlusPlus) -> Self {
        Self {
            pass_rate: if rng.random_ratio(1, 3) { rng.random_range(1..20) } else { 0 },
            idle: Color::ALL.into_iter().filter(|_| rng.random_ratio(1, 8)).collect(),
            largest_first: rng.random(),
        }
    }
}

/// A game in both implementations of the rules.
struct Game {
    position: Position,
    naive: naive::Game,
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 36, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rules_agree(rules in prop::sample::select(Rules::ALL), seed in any::<u64>()) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let start_piece = rules.start_pieces().iter().choose(&mut rng);
        let style = Style::draw(&mut rng);
        let position = Position::new(rules, start_piece).unwrap();
        let mut game = Game { position, naive: naive::Game::new(rules, start_piece) };
        for ply in 0..rng.random_range(0..=110) {
            game.assert_same_state();
            let legal = game.assert_same_placements(game.position.color());
            game.assert_same_reasons(&mut rng);
            if ply % 16 == 15 {
                game.assert_same_answer_for_every_move();
                for color in Color::ALL {
                    game.assert_same_placements(color);
                }
            }
            if game.position.is_over() {
                break;
            }
            game.play(choose(&style, &game.position, &legal, rng.random()));
        }
        game.assert_same_state();
        game.assert_same_answer_for_every_move();
    }
}

fn choose(style: &Style, position: &Position, legal: &[Placement], choice: u16) -> Move {
    let wants_to_pass = style.idle.contains(position.color()) || choice.checked_rem(style.pass_rate) == Some(0);
    if wants_to_pass && position.may_pass() {
        return Move::Pass;
    }
    let size = |placement: &Placement| placement.piece().size();
    let smallest = if style.largest_first { legal.iter().map(size).max().unwrap_or(0) } else { 0 };
    let considered: Vec<_> = legal.iter().filter(|&placement| size(placement) >= smallest).collect();
    Move::Place(*considered[usize::from(choice) % considered.len()])
}

impl Game {
    fn play(&mut self, mv: Move) {
        assert_eq!(self.position.try_play(mv), Ok(()));
        self.naive.play(mv.placement().map(naive::Placement::from).as_ref());
    }

    fn assert_same_state(&self) {
        let Self { position, naive } = self;
        assert_eq!(position.turn(), naive.turn);
        assert_eq!(position.color(), naive.color());
        assert_eq!(position.is_over(), naive.is_over());
        assert!(!position.is_over() || position.placements().is_empty());
        assert_eq!(position.check(Move::Pass).err(), naive.reason_against_pass());
        assert_eq!(position.may_pass(), naive.reason_against_pass().is_none());
        assert_eq!(position.in_play().iter().collect::<BTreeSet<_>>(), naive.in_play);
        assert_eq!(position.zobrist_hash(), position.recomputed_hash());
        assert_eq!(position.setup().position(), Ok(*position));
        assert_eq!(position.to_string().parse(), Ok(*position));
        for color in Color::ALL {
            assert_eq!(
                position.board().remaining_pieces(color).iter().collect::<BTreeSet<_>>(),
                naive.remaining[color]
            );
            assert_eq!(position.points(color), naive.points(color));
            let covered = naive::points(position.board().covered(color));
            assert!(covered.into_iter().all(|point| naive.at(point) == Some(color)));
        }
        for team in Team::ALL {
            assert_eq!(position.team_points(team), naive.team_points(team));
        }
        for cell in position.board().empty() {
            assert_eq!(naive.at((cell.x() as i32, cell.y() as i32)), None);
        }
    }

    /// Compares the placements of a colour and returns them.
    fn assert_same_placements(&self, color: Color) -> Vec<Placement> {
        let board = self.position.board();
        let list = board.placements(color);
        let listed: BTreeSet<naive::Placement> = list.iter().copied().map(naive::Placement::from).collect();
        let legal: BTreeSet<naive::Placement> = self.naive.legal(color).cloned().collect();
        assert_eq!(listed.len(), list.len(), "a placement twice");
        assert_eq!(listed, legal);
        assert_documented_order(board, color, &list);
        assert_eq!(visited(board, color), list.iter().copied().collect());
        assert_eq!(board.count_placements(color), list.len());
        assert_eq!(board.has_placement(color), !list.is_empty());
        let by_index = (0..=list.len()).map_while(|n| board.nth_placement(color, n));
        assert!(by_index.eq(list.iter().copied()));
        list
    }

    /// Compares the verdict on pieces of any colour anywhere on the board and around it.
    fn assert_same_reasons(&self, rng: &mut Xoshiro256PlusPlus) {
        let shapes: Vec<Shape> = Shape::all().collect();
        for _ in 0..50 {
            let shape = shapes[rng.random_range(0..shapes.len())];
            let color = if rng.random_ratio(1, 8) { Color::ALL[rng.random_range(0..4)] } else { self.position.color() };
            let (x, y) = (rng.random_range(-2..21), rng.random_range(-2..21));
            let points: Vec<_> = shape.cells().iter().map(|&(dx, dy)| (x + i32::from(dx), y + i32::from(dy))).collect();
            let reason = self.position.check_piece(color, shape, x, y).err();
            assert_eq!(reason, self.first_reason(color, shape.piece(), &points), "{color} {shape} at {x}, {y}");
        }
    }

    /// Compares the verdict on every move, and the list of the legal ones.
    fn assert_same_answer_for_every_move(&self) {
        let mut listed = self.position.legal_moves();
        assert_eq!(listed.pop_if(|last| *last == Move::Pass).is_some(), self.naive.reason_against_pass().is_none());
        let mut legal: BTreeSet<Placement> = listed.iter().filter_map(|mv| mv.placement()).collect();
        assert_eq!(legal.len(), listed.len(), "a move twice, or a pass in the middle");
        for placement in Placement::all() {
            let naive::Placement { piece, points } = placement.into();
            let reason = self.position.check(Move::Place(placement)).err();
            assert_eq!(reason, self.first_reason(self.position.color(), piece, &points), "{placement}");
            assert_eq!(reason.is_none(), legal.remove(&placement), "{placement}");
        }
        assert_eq!(legal, BTreeSet::new());
    }

    fn first_reason(&self, color: Color, piece: Piece, points: &naive::Points) -> Option<IllegalMove> {
        self.naive.reasons_against(color, piece, points).next()
    }
}

fn assert_documented_order(board: &Board, color: Color, list: &[Placement]) {
    if board.is_first(color) {
        let of_shapes: Vec<_> = list.chunk_by(|one, other| one.shape() == other.shape()).collect();
        let shapes: BTreeSet<_> = list.iter().map(|placement| placement.shape()).collect();
        assert_eq!(of_shapes.len(), shapes.len());
        assert!(of_shapes.into_iter().all(|of_shape| of_shape.is_sorted_by_key(|placement| placement.root())));
    } else {
        let first_anchor = |placement: &Placement| (placement.cells() & board.anchors(color)).first();
        assert!(list.is_sorted_by_key(|placement| (first_anchor(placement), placement.piece())));
    }
}

/// Returns the placements shape by shape.
fn visited(board: &Board, color: Color) -> BTreeSet<Placement> {
    let mut all = BTreeSet::new();
    let end: ControlFlow<()> = board.visit_placements(color, |placements| {
        assert!(placements.iter().next().is_some_and(|first| first.shape() == placements.shape()));
        all.extend(placements.iter());
        ControlFlow::Continue(())
    });
    assert!(end.is_continue());
    let first = board.visit_placements(color, ControlFlow::Break);
    assert_eq!(first.is_break(), !all.is_empty(), "the visitor may stop");
    all
}

#[test]
fn placements_on_empty_board_agree() {
    let all: BTreeSet<naive::Placement> = Placement::all().map(naive::Placement::from).collect();
    assert_eq!(all.len(), 30_433);
    assert_eq!(all, naive::PLACEMENTS.iter().cloned().collect());
}
