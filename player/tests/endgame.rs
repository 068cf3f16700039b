//! The endgame solver against brute force.

use std::collections::HashMap;
use std::time::Duration;

use game::{Color, Move, Position, Rules};
use player::endgame::Solver;
use player::{Limit, Options, Player, RandomPlayer};

/// Every line of play to the end, passes included; the margin of team one.
///
/// It knows nothing but the rules, and that without a turn limit the game ends when all colours in
/// play have passed in succession.
fn brute_force(position: &Position, passes: u8, known: &mut HashMap<(u64, u8), i32>) -> i32 {
    use game::Team::{One, Two};
    let unlimited = position.rules().turn_limit().is_none();
    if position.is_over() || unlimited && usize::from(passes) >= position.in_play().len() {
        return position.team_points(One) - position.team_points(Two);
    }
    if let Some(&value) = known.get(&(position.hash(), passes)) {
        return value;
    }
    let mut placements = Vec::new();
    position.board().list_placements(position.color(), &mut placements);
    let pass = position.may_pass().then_some(Move::Pass);
    let values = placements.into_iter().map(Move::Place).chain(pass).map(|mv| {
        let mut next = *position;
        next.play(mv);
        let passes = if unlimited && mv == Move::Pass { passes + 1 } else { 0 };
        brute_force(&next, passes, known)
    });
    let value = if position.color().team() == One { values.max() } else { values.min() }.unwrap();
    known.insert((position.hash(), passes), value);
    value
}

/// The first positions of a random game that brute force can handle, `turns_left` before the turn
/// limit: few placements, of more than one colour if there are any.
fn small_ending(rules: Rules, seed: u64, turns_left: u16) -> Option<Position> {
    let start_pieces: Vec<_> = rules.start_pieces().iter().collect();
    let start = (!start_pieces.is_empty()).then(|| start_pieces[seed as usize % start_pieces.len()]);
    let mut position = Position::new(rules, start).unwrap();
    let mut random = RandomPlayer::new(&Options { seed, ..Options::default() });
    while !position.is_over() {
        let count = |color: Color| position.board().count_placements(color);
        let counts: Vec<usize> = position.in_play().iter().map(count).collect();
        if counts.iter().sum::<usize>() <= 12 && position.in_play().len() > 1 {
            let mut setup = position.setup();
            if let Some(limit) = rules.turn_limit() {
                setup.turn = limit - turns_left - (limit - turns_left - setup.turn) % 4;
            }
            return Some(setup.position().unwrap());
        }
        position.play(random.choose(&position, &Limit::nodes(1)).mv);
    }
    None
}

#[test]
fn agrees_with_brute_force() {
    let mut solved = 0;
    for rules in Rules::ALL {
        for seed in 0..15 {
            let Some(mut position) = small_ending(rules, seed, 3 + seed as u16 % 8) else { continue };
            let mut solver = Solver::new(1 << 16);
            let mut known = HashMap::new();
            // Along the perfect line the margin stays the same.
            while !position.is_over() {
                let expected = brute_force(&position, 0, &mut known);
                let solution = solver.solve(&position, &Limit::time(Duration::from_secs(60))).unwrap();
                let sign = if position.color().team() == game::Team::One { 1 } else { -1 };
                assert_eq!(solution.margin, Some(sign * expected), "{position}");
                position.try_play(solution.mv).unwrap();
                if rules.turn_limit().is_none() && solution.mv == Move::Pass {
                    break; // Brute force counts the passes before, the solver does not.
                }
                assert_eq!(brute_force(&position, 0, &mut known), expected, "{} {position}", solution.mv);
                solved += 1;
            }
        }
    }
    assert!(solved > 50, "only {solved} positions");
}

/// Blue could place a piece, but only where its partner red needs the room.
#[test]
fn a_pass_can_be_best() {
    let position: Position = "2027 PENTO_V 68 BRG - RBBRBBB1YYYYBBBYGGG1/RRBRB2BBBBBYBBYG1G1/RBBRB3Y3BYYY1G2/\
        1RRB1BB1YY1YYGGGYG2/1RBB2BBY1YY2GGYGGG/1RB1BB1BY1Y1YGYYGY2/2RBBYYYBBBBYGYGGYYY/2RRB1YB2BYY1GGRRRY/\
        2BBR1YB1B1Y1G2R1R1/3B1R1YYBBGGGG2R1R/5RRRYYB2R1G1R1R/3RR2RYRBRRR1G1R1R/2RRYYYYRRRB1RGGGR1R/\
        1R1RBBBY1RBBBGRR1R1G/1RYYYYYBBB1B1G1RRGGR/RRBB2BYBGG1GG1GRGGR/R1B1BBBYB1G1G1GGGRRR/\
        1GB1B1GYY1GG3GRGGG/GGBGG1GGGG3RRRRGRR/1GG1GG4GGGGG2RRR"
        .parse()
        .unwrap();
    let expected = brute_force(&position, 0, &mut HashMap::new());
    let solution = Solver::new(1 << 20).solve(&position, &Limit::time(Duration::from_secs(60))).unwrap();
    assert_eq!(solution.mv, Move::Pass);
    assert_eq!(solution.margin, Some(expected));
    let mut placements = Vec::new();
    position.board().list_placements(Color::Blue, &mut placements);
    for placement in placements {
        let mut next = position;
        next.play(Move::Place(placement));
        assert!(brute_force(&next, 0, &mut HashMap::new()) < expected, "{placement}");
    }
}
