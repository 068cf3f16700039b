//! Minimax against plain negamax, with the evaluations of the player and a random one.

use game::{Position, Rules, Team};
use proptest::prelude::*;

use super::MinimaxPlayer;
use super::candidates::{CandidateFilter, candidates};
use super::evaluation::{Evaluate, HandCrafted, ValueNetEvaluation};
use super::iterative_deepening::Minimax;
use super::params::Params;
use super::window::INFINITY;
use crate::model::Model;
use crate::{FromOptions, Options, Player, RandomPlayer, SearchLimits};

/// A random number from the position's hash, from a small range with many ties.
#[derive(Clone, Copy, Debug)]
struct HashRandom;

impl Evaluate for HashRandom {
    fn evaluate(&self, position: &Position, team: Team) -> i32 {
        let value = (position.zobrist_hash().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as i32 % 1000 - 500;
        if team == Team::One { value } else { -value }
    }
}

/// The evaluations to test. The random one has no pattern that could hide a fault.
#[derive(Clone, Copy, Debug)]
enum Evaluation {
    Random,
    HandCrafted,
    ValueNet,
}

impl Evaluation {
    fn evaluate(self) -> Box<dyn Evaluate> {
        match self {
            Self::Random => Box::new(HashRandom),
            Self::HandCrafted => Box::new(HandCrafted),
            Self::ValueNet => Box::new(ValueNetEvaluation(Model::built_in())),
        }
    }
}

fn evaluations() -> impl Strategy<Value = Evaluation> {
    prop_oneof![3 => Just(Evaluation::Random), 1 => Just(Evaluation::HandCrafted), 1 => Just(Evaluation::ValueNet)]
}

/// Returns the parameters without pruning, which find the value of plain negamax.
fn exact() -> Params {
    Params { full_depth_moves: u32::MAX, futility_depth: 0, ..Params::default() }
}

/// Returns the choice of candidates at a depth.
fn filter(params: Params, width: u32, depth: u32, model: &Model) -> CandidateFilter<'_> {
    let uses_policy_net = params.policy_depth > 0 && depth >= params.policy_depth;
    CandidateFilter { model, width: width as usize, uses_policy_net }
}

/// Returns the value for the team to move, with at most `width` candidates.
fn negamax(position: &Position, evaluate: &dyn Evaluate, depth: u32, width: u32, params: Params) -> i32 {
    let team = position.color().team();
    if position.is_over() {
        return 100 * position.margin(team);
    }
    if depth == 0 {
        return evaluate.evaluate(position, team);
    }
    let model = Model::built_in();
    let values = candidates(position, filter(params, width, depth, &model)).into_iter().map(|mv| {
        let child = position.after(mv);
        let value = negamax(&child, evaluate, depth - 1, params.inner_width, params);
        if child.color().team() == team { value } else { -value }
    });
    values.max().unwrap_or(-INFINITY)
}

/// Returns a position of a random game after `part` percent of its plies.
fn random_position(rules: Rules, seed: u64, part: usize) -> Position {
    let pieces: Vec<_> = rules.start_pieces().iter().collect();
    let piece = (!pieces.is_empty()).then(|| pieces[seed as usize % pieces.len()]);
    let mut positions = vec![Position::new(rules, piece).unwrap()];
    let mut random = RandomPlayer::new(&Options { seed, ..Options::default() });
    while let Some(mut next) = positions.last().copied().filter(|position| !position.is_over()) {
        next.play(random.choose(&next, &SearchLimits::nodes(1)).mv);
        positions.push(next);
    }
    positions[(positions.len() - 2) * part / 100]
}

fn params() -> impl Strategy<Value = Params> {
    let of = |(root_width, inner_width, policy_depth)| Params { root_width, inner_width, policy_depth, ..exact() };
    (1..20u32, 1..6u32, prop::sample::select(&[0, 3, 4])).prop_map(of)
}

/// Compares searches of several depths, along the moves found and with one table, with negamax.
fn compare(mut position: Position, params: Params, evaluation: Evaluation, depth: u32, memory: usize, threads: usize) {
    let mut minimax = Minimax::new(params, evaluation.evaluate(), Model::built_in(), memory, threads);
    let evaluate = evaluation.evaluate();
    for _ in 0..3 {
        if position.is_over() {
            break;
        }
        let mut search = |depth| {
            let result = minimax.search(&position, &SearchLimits::UNLIMITED, depth);
            let expected = negamax(&position, &*evaluate, depth, params.root_width, params);
            assert_eq!(result.value, expected, "{params:?} {evaluation:?} depth {depth} memory {memory} {position}");
            result
        };
        let result = search(depth);
        // Entries of deeper searches must not count.
        search(depth.saturating_sub(2).max(1));
        let model = Model::built_in();
        assert!(candidates(&position, filter(params, params.root_width, depth, &model)).contains(&result.mv));
        let line = minimax.line(&position, result.mv, depth);
        assert_eq!(line[0], result.mv);
        let mut end = position;
        line.into_iter().for_each(|mv| end.try_play(mv).unwrap());
        position.play(result.mv);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, failure_persistence: None, ..ProptestConfig::default() })]

    /// With a memory of 0 all positions collide in the table and the caches.
    #[test]
    fn search_finds_the_value_of_negamax(
        rules in prop::sample::select(Rules::TWO_PLAYERS),
        seed: u64,
        part in 0..=100usize,
        params in params(),
        evaluation in evaluations(),
        depth in prop_oneof![6 => 1..=3u32, 2 => Just(4), 1 => Just(5)],
        memory in prop::sample::select(&[0, 1 << 10, 1 << 20]),
        threads in 1..=3usize,
        has_full_width in prop::bool::weighted(0.5),
    ) {
        let (part, params, depth) = match has_full_width {
            true => (75 + part / 4, Params { root_width: u32::MAX, inner_width: u32::MAX, ..params }, 2),
            false => (part, params, depth),
        };
        compare(random_position(rules, seed, part), params, evaluation, depth, memory, threads);
    }
}

/// At depth 3 all lines end. At depth 4 the policy network is used one ply deeper and finds another candidate.
#[test]
fn deeper_search_follows_new_policy_net_candidates() {
    let position = "classic - 58 BYR - BBB2B1BYYYY1BY1YYYY/B4BBBYBB1YBYY4/B2BB4B2YB1Y4/1BBB1BBB1B1BBYY1YYY1/\
        3GB1BB1B1YBY6/BB1GG3B1YYBYY5/1BBGB1GGBB1BYB1YY1Y1/BGGBBBGGB1BBYBBBYY1Y/B1GB1GBBGGGYY2B1Y1Y/\
        BBGG1GG2RGG1YY1Y1YY/B3G1RR1R2YYY1YY1Y/3GGG2RR1YR1R1Y3/GGG1RGRR1RYYRRRY4/1GG2RR1R1YR3YYY2/\
        G2GGGGGRRYRRRR1Y1RR/G1GRRR2R1R5RRR1/GG2GR1R2RRR2R4/2GGGR1R3R1RRR4/4G1RR1RR4R4/GGGG1GG3R5RRRR";
    let params = Params { root_width: 4, inner_width: 1, policy_depth: 3, ..exact() };
    compare(position.parse().unwrap(), params, Evaluation::Random, 4, 1 << 20, 1);
}

#[test]
fn pruning_saves_nodes_and_keeps_the_value() {
    let (mut all, mut some, mut lost) = (0, 0, 0);
    for seed in 0..2 {
        let position = random_position(Rules::Season2027, seed, 30);
        let search = |params| {
            let mut minimax = Minimax::new(params, Evaluation::ValueNet.evaluate(), Model::built_in(), 1 << 22, 1);
            minimax.search(&position, &SearchLimits::UNLIMITED, 5)
        };
        let (exact, selective) = (search(exact()), search(Params::default()));
        (all, some) = (all + exact.nodes, some + selective.nodes);
        lost += (exact.value - selective.value).abs();
    }
    assert!(some * 4 < all, "{some} of {all} nodes");
    assert!(lost < 2 * 100, "{lost} hundredths of a point in two positions");
}

#[test]
fn node_limit_repeats_the_search() {
    let position = random_position(Rules::Season2027, 3, 40);
    let options = Options { memory: 1 << 20, ..Options::default() };
    let (mut first, mut second) = (MinimaxPlayer::new(&options), MinimaxPlayer::new(&options));
    let limits = SearchLimits::nodes(4000);
    let report = first.choose(&position, &limits);
    assert_eq!(report, second.choose(&position, &limits));
    first.choose(&random_position(Rules::Season2021, 4, 50), &limits);
    first.new_game();
    assert_eq!(report, first.choose(&position, &limits), "after a new game");
    assert!(report.nodes <= 4000 + 64, "{report:?}");
    assert!(report.depth >= 2, "{report:?}");
}
