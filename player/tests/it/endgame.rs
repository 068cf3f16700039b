//! The endgame solver against brute force.

use std::collections::HashMap;
use std::time::Duration;

use game::{Bitboard, ByColor, Cell, Color, ColorSet, Move, Piece, PieceSet, Position, Rules, Setup};
use player::endgame::Solver;
use player::{FromOptions, Options, Player, RandomPlayer, SearchLimits, by_name};

use super::{random_moves, start_of};

/// Returns the margin of team one with perfect play, by a search of all lines. Without a turn limit the game also ends
/// when all colours in play have passed in succession.
fn brute_force(position: &Position, passes: u8, known: &mut HashMap<(u64, u8), i32>) -> i32 {
    use game::Team::One;
    let unlimited = position.rules().turn_limit().is_none();
    if position.is_over() || unlimited && usize::from(passes) >= position.in_play().len() {
        return position.margin(One);
    }
    if let Some(&value) = known.get(&(position.zobrist_hash(), passes)) {
        return value;
    }
    let placements = position.board().placements(position.color());
    let pass = position.may_pass().then_some(Move::Pass);
    let values = placements.into_iter().map(Move::Place).chain(pass).map(|mv| {
        let next = position.after(mv);
        let passes = if unlimited && mv == Move::Pass { passes + 1 } else { 0 };
        brute_force(&next, passes, known)
    });
    let value = if position.color().team() == One { values.max() } else { values.min() }.unwrap();
    known.insert((position.zobrist_hash(), passes), value);
    value
}

/// Returns the first position of a random game for brute force: few placements of more than one colour, close to the
/// turn limit. Three of four times only two colours are in play, with so few pieces that they place all.
fn small_ending(rules: Rules, seed: u64, turns_left: u16) -> Option<Position> {
    use Piece::{Domino, Mono, TetroO, TrioI, TrioL};
    const PIECES: [&[Piece]; 5] =
        [&[Mono, Domino], &[Mono, TrioI], &[Domino, TrioL], &[Mono, TrioL, TetroO], &[Mono, Domino, TrioI]];
    let mut position = start_of(rules, seed);
    let mut random = RandomPlayer::new(&Options { seed, ..Options::default() });
    while !position.is_over() {
        let mut setup = position.setup();
        let few_pieces = !seed.is_multiple_of(4);
        if few_pieces {
            let second = [Color::Yellow, Color::Red, Color::Green][seed as usize % 3];
            setup.in_play = [Color::Blue, second].into_iter().collect();
            setup.remaining_pieces = ByColor::from_fn(|color| {
                let pieces = PIECES[(seed as usize + color as usize) % PIECES.len()];
                pieces.iter().copied().collect()
            });
        }
        if let Some(limit) = rules.turn_limit() {
            setup.turn = limit - turns_left - (limit - turns_left - setup.turn) % 4;
        }
        let small = setup.position().unwrap();
        let counts: Vec<_> = small.in_play().iter().map(|color| small.board().count_placements(color)).collect();
        let active = counts.iter().filter(|&&count| count > 0).count();
        let most = if few_pieces { 32 } else { 14 };
        let is_sound = small.in_play().contains(small.color());
        if is_sound && position.turn() >= 40 && active > 1 && counts.iter().sum::<usize>() <= most {
            return Some(small);
        }
        position.play(random.choose(&position, &SearchLimits::nodes(1)).mv);
    }
    None
}

#[test]
fn agrees_with_brute_force() {
    let mut solved = 0;
    for &rules in Rules::TWO_PLAYERS {
        for seed in 0..16 {
            let Some(mut position) = small_ending(rules, seed, 3 + seed as u16 % 10) else { continue };
            // A table of one bucket must not change the result.
            let mut solver = Solver::new(if seed % 3 == 0 { 0 } else { 1 << 16 });
            let mut known = HashMap::new();
            // The margin stays the same along the line of perfect play.
            while !position.is_over() {
                let expected = brute_force(&position, 0, &mut known);
                let solution = solver.solve(&position, &SearchLimits::time(Duration::from_secs(60))).unwrap();
                let sign = if position.color().team() == game::Team::One { 1 } else { -1 };
                assert_eq!(solution.margin, Some(sign * expected), "{position}");
                position.try_play(solution.mv).unwrap();
                if rules.turn_limit().is_none() && solution.mv == Move::Pass {
                    break; // Unlike brute force, the solver ignores earlier passes.
                }
                assert_eq!(brute_force(&position, 0, &mut known), expected, "{} {position}", solution.mv);
                solved += 1;
            }
        }
    }
    assert!(solved > 30, "only {solved} positions");
}

/// Positions where a pass is best, because the only cells are needed by the partner.
const TO_PASS: [&str; 2] = [
    "2027 PENTO_V 68 BRG - RBBRBBB1YYYYBBBYGGG1/RRBRB2BBBBBYBBYG1G1/RBBRB3Y3BYYY1G2/1RRB1BB1YY1YYGGGYG2/\
     1RBB2BBY1YY2GGYGGG/1RB1BB1BY1Y1YGYYGY2/2RBBYYYBBBBYGYGGYYY/2RRB1YB2BYY1GGRRRY/2BBR1YB1B1Y1G2R1R1/\
     3B1R1YYBBGGGG2R1R/5RRRYYB2R1G1R1R/3RR2RYRBRRR1G1R1R/2RRYYYYRRRB1RGGGR1R/1R1RBBBY1RBBBGRR1R1G/\
     1RYYYYYBBB1B1G1RRGGR/RRBB2BYBGG1GG1GRGGR/R1B1BBBYB1G1G1GGGRRR/1GB1B1GYY1GG3GRGGG/\
     GGBGG1GGGG3RRRRGRR/1GG1GG4GGGGG2RRR",
    "2027 PENTO_R 64 BYR - 3GG1GGBB4YYYBB1/GGG1GG1GB1B1BBBBBYYY/1BG1GBBG1BBB5B1Y/BBGBBB1G2BYYY3BY1/\
     1BBG1GBBBYYB1Y1BBBY1/B2G1GGBGYYBBY1Y2Y1/BB1GG1GBGGGBRRYYY1Y1/B1G1G1BGBBGBRYRYRY2/\
     1BGBBBBGGBBGYYRRRYYY/GBGG1GGB2BYY1Y2RY1/GBG2BBBYYYBBBY2RRY/GGBG1B1Y1Y1BB1Y1R1RY/\
     RBBGG1YYRYRRR1YYRR1Y/RBG1GGYRRRY1RR2R2Y/RGGR1RY1R1Y3R1R2Y/RRGR1RRR1RYY2RRYYYR/\
     1GRRR2R1RY1YY1RRYYR/GGG2RR2RRRYRRYYR1R/1G1GGRR4YYRRYRR1R/3GGG1RRRRR1R1YYRR1",
];

#[test]
fn finds_best_passes() {
    let solve = |position: &Position| {
        let solution = Solver::new(1 << 20).solve(position, &SearchLimits::time(Duration::from_secs(60))).unwrap();
        (solution.mv, solution.margin)
    };
    let [small, large] = TO_PASS.map(|position| position.parse::<Position>().unwrap());
    // Brute force found this margin in 20 s.
    assert_eq!(solve(&large), (Move::Pass, Some(16)));
    let mut known = HashMap::new();
    let expected = brute_force(&small, 0, &mut known);
    assert_eq!(solve(&small), (Move::Pass, Some(expected)));
    for placement in small.board().placements(small.color()) {
        let next = small.after(Move::Place(placement));
        assert!(brute_force(&next, 0, &mut known) < expected, "{placement}");
    }
}

/// Returns the first promising position of a random game.
fn promising(rules: Rules, seed: u64) -> Position {
    random_moves(start_of(rules, 0), seed, Solver::is_promising)
}

#[test]
fn interrupted_searches_leave_a_valid_table() {
    let mut stopped = 0;
    for &rules in Rules::TWO_PLAYERS {
        for seed in 0..3 {
            let mut position = promising(rules, seed);
            for _ in 0..6 {
                position.play(RandomPlayer::new(&Options::default()).choose(&position, &SearchLimits::nodes(1)).mv);
            }
            if position.is_over() {
                continue;
            }
            let Some(expected) = Solver::new(1 << 20).solve(&position, &SearchLimits::nodes(20_000)) else { continue };
            // The solver keeps its table after each interruption.
            let mut solver = Solver::new(1 << 20);
            for nodes in (6..).map(|doublings| 1 << doublings) {
                let solution = solver.solve(&position, &SearchLimits::nodes(nodes));
                if let Some(margin) = solution.and_then(|solution| solution.margin) {
                    assert_eq!(Some(margin), expected.margin, "{position}");
                    break;
                }
                stopped += 1;
            }
        }
    }
    assert!(stopped > 5, "only {stopped} searches were stopped");
}

#[test]
fn players_search_unsolved_positions() {
    const NODES: u64 = 300;
    for &rules in Rules::TWO_PLAYERS {
        let position = promising(rules, 1);
        assert_eq!(Solver::new(1 << 20).solve(&position, &SearchLimits::nodes(NODES)), None, "{position}");
        for name in ["mcts", "minimax"] {
            let mut player = by_name(name, &Options { memory: 4 << 20, ..Options::default() }).unwrap();
            // One of the positions is in the book.
            if name == "mcts" {
                player.set_param("book", "0").unwrap();
            }
            let report = player.choose(&position, &SearchLimits::nodes(NODES));
            assert_eq!(position.check(report.mv), Ok(()), "{name}: {position}");
            assert!(report.nodes < NODES + 64 && report.depth > 0, "{name}: {report:?}");
        }
    }
}

#[test]
fn players_choose_best_passes() {
    for position in TO_PASS {
        let position: Position = position.parse().unwrap();
        for name in ["mcts", "minimax"] {
            let mut player = by_name(name, &Options { memory: 16 << 20, ..Options::default() }).unwrap();
            assert_eq!(player.choose(&position, &SearchLimits::nodes(30_000)).mv, Move::Pass, "{name}");
        }
    }
}

#[test]
fn players_never_choose_passes_in_classic_blokus() {
    let position: Position = TO_PASS[0].parse().unwrap();
    let mut setup = position.setup();
    (setup.rules, setup.start_piece) = (Rules::Classic, None);
    let classic = setup.position().unwrap();
    let solution = Solver::new(1 << 20).solve(&classic, &SearchLimits::time(Duration::from_secs(60)));
    assert_eq!(solution.unwrap().mv, Move::Pass);
    for name in ["mcts", "minimax"] {
        let mut player = by_name(name, &Options { memory: 16 << 20, ..Options::default() }).unwrap();
        assert_ne!(player.choose(&classic, &SearchLimits::nodes(30_000)).mv, Move::Pass, "{name}");
    }
}

#[test]
fn rejects_colour_to_move_out_of_play() {
    let position: Position = TO_PASS[0].parse().unwrap();
    let mut setup = position.setup();
    setup.in_play.remove(position.color());
    let position = setup.position().unwrap();
    assert_eq!(Solver::new(1 << 20).solve(&position, &SearchLimits::nodes(1_000_000)), None);
}

#[test]
fn colour_that_passes_last_turn_places_nothing() {
    let cells = |list: &[(i32, i32)]| list.iter().map(|&(x, y)| Cell::new(x, y).unwrap()).collect::<Bitboard>();
    let set = |pieces: &[Piece]| pieces.iter().copied().collect::<PieceSet>();
    let holes = cells(&[(5, 2), (5, 3), (5, 4), (5, 5), (6, 5), (7, 5), (8, 5), (9, 5), (5, 12), (6, 12), (7, 12)]);
    let (blue, yellow, red) = (cells(&[(4, 1)]), cells(&[(10, 4), (8, 11)]), cells(&[(4, 6), (4, 13)]));
    let green = Bitboard::BOARD.without(holes | blue | yellow | red);
    let mut in_play = ColorSet::ALL;
    in_play.remove(Color::Green);
    let position = Setup {
        rules: Rules::Season2027,
        start_piece: Some(Piece::PentoW),
        turn: 92,
        in_play,
        mono_last: ColorSet::EMPTY,
        covered: ByColor([blue, yellow, red, green]),
        remaining_pieces: ByColor([
            set(&[Piece::TetroI, Piece::PentoX]),
            set(&[Piece::Mono, Piece::PentoX]),
            set(&[Piece::TrioI, Piece::PentoI]),
            set(&[Piece::Mono]),
        ]),
    }
    .position()
    .unwrap();
    assert_eq!(brute_force(&position, 0, &mut HashMap::new()), -7);
    let solution = Solver::new(1 << 16).solve(&position, &SearchLimits::UNLIMITED);
    let solution = solution.map(|solution| (solution.mv, solution.margin));
    assert_eq!(solution, Some(("TETRO_I@5,2".parse().unwrap(), Some(-7))));
}
