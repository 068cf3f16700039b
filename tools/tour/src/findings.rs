//! Results of all algorithms in one position.

use std::cmp::Reverse;

use anyhow::Context;
use game::{Cell, Color, Move, Placement, Position, Team};
use player::endgame::Solver;
use player::mcts::Params;
use player::model::value_net::ColorFeatures;
use player::model::value_net::PositionFeatures;
use player::model::{Model, MoveScorer, Reach};
use player::playout::Playout;
use player::{FromOptions, HeuristicPlayer, MctsPlayer, Options, Player, Report, SearchLimits, bench};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Number of playouts.
pub const PLAYOUTS: usize = 1000;

/// The simulations of the two searches.
pub const SIMULATIONS: [u64; 2] = [100, 100_000];

/// A branch of the tree that gets fewer of the simulations than one of this many is too thin to be shown.
const SHARE: u64 = 300;

/// Maximum number of nodes of the endgame solver.
const SOLVER_NODES: u64 = 200_000;

/// Results in the position.
pub struct Findings {
    /// The position: turn 20 of a game of the player against itself, blue to move.
    pub position: Position,
    /// Its legal placements.
    pub placements: Vec<Placement>,
    /// Its anchors with the number of placements that cover each.
    pub anchors: Vec<(Cell, usize)>,
    /// The placements with their probability at a glance, the likeliest first.
    pub prior: Vec<(Placement, f64)>,
    /// The same by the convolutional network at the start of a search.
    pub look: Vec<(Placement, f64)>,
    /// End of the first playout, and its number of moves.
    pub playout: (Position, usize),
    /// Lead of the team on turn at the end of each playout.
    pub margins: Vec<i32>,
    /// What each colour reaches first.
    pub reach: Reach,
    /// Inputs of the network by colour, the colour on turn first.
    pub inputs: [ColorFeatures; 4],
    /// The result that the network expects for the team on turn.
    pub expected: f32,
    /// A search after few simulations and one after many.
    pub searches: [Search; 2],
    /// The end of the game from a position near it.
    pub ending: Ending,
}

/// Result of a search.
pub struct Search {
    /// The report of the player.
    pub report: Report,
    /// Placements with their visits.
    pub visits: Vec<(Placement, u32)>,
    /// The tree: the moves from the position that were visited by at least one of [`SHARE`] simulations.
    pub branches: Vec<Branch>,
}

/// A move in the tree.
pub struct Branch {
    /// Who makes it.
    pub color: Color,
    /// The move.
    pub placement: Placement,
    /// Number of simulations through the node.
    pub visits: u32,
    /// The moves after it, the most visited first.
    pub branches: Vec<Branch>,
}

/// A game that is solved.
pub struct Ending {
    /// First turn that was solved.
    pub turn: u16,
    /// The best move there.
    pub mv: Move,
    /// Points by which the team on turn wins with perfect play.
    pub margin: i32,
    /// Number of searched positions.
    pub nodes: u64,
}

impl Findings {
    /// Finds everything out. That takes some seconds.
    ///
    /// # Errors
    /// If the benchmark has no such position, or the game from it cannot be solved before it is over.
    pub fn gather() -> anyhow::Result<Self> {
        let position = bench::positions()?.into_iter().find(|position| position.turn() == 20);
        let position = position.context("the benchmark has no position of turn 20")?;
        let (board, color) = (position.board(), position.color());
        let placements = board.placements(color);
        let covering = |anchor| placements.iter().filter(|placement| placement.cells().contains(anchor)).count();
        let anchors = board.anchors(color).into_iter().map(|anchor| (anchor, covering(anchor))).collect();
        let (playout, margins) = play_out(&position)?;
        let view =
            PositionFeatures::of(board, position.in_play(), position.turn()).context("the position has no features")?;
        let model = Model::built_in();
        let of_one = model.value_net.evaluate(&view);
        let inputs = view.inputs;
        let (glance, look) =
            (model.prior_scorer(board, color), model.policy_scorer(board, position.in_play(), color, position.turn()));
        Ok(Self {
            prior: probabilities(&glance, &placements),
            look: probabilities(&look, &placements),
            anchors,
            playout,
            margins,
            reach: Reach::of(board, position.in_play()),
            inputs: [inputs.own, inputs.next, inputs.partner, inputs.last],
            expected: if color.team() == Team::One { of_one } else { 1.0 - of_one },
            searches: SIMULATIONS.map(|simulations| search(&position, simulations)),
            ending: Ending::of(position)?,
            placements,
            position,
        })
    }

    /// The placement that the long search chooses.
    pub fn choice(&self) -> Option<Placement> {
        self.searches[1].report.mv.placement()
    }

    /// The anchor that the most placements of the colour on turn cover.
    pub fn busiest_anchor(&self) -> Option<Cell> {
        self.anchors.iter().max_by_key(|&&(_, count)| count).map(|&(cell, _)| cell)
    }
}

/// The probabilities of placements by their scores, the likeliest first.
fn probabilities(scorer: &MoveScorer<'_>, placements: &[Placement]) -> Vec<(Placement, f64)> {
    // The exponential of the crate libm is the same on every machine.
    let weights = placements.iter().map(|&placement| (placement, libm::exp(scorer.score(placement).into())));
    let mut shares: Vec<_> = weights.collect();
    let sum: f64 = shares.iter().map(|(_, weight)| weight).sum();
    shares.iter_mut().for_each(|(_, weight)| *weight /= sum);
    shares.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    shares
}

/// Plays the game to its end many times. Returns the first end with its number of moves, and the lead of the team on
/// turn in each.
fn play_out(position: &Position) -> anyhow::Result<((Position, usize), Vec<i32>)> {
    let (mut playout, policy) = (Playout::new(position), Params::default().policy());
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let sign = if position.color().team() == Team::One { 1 } else { -1 };
    let mut first = None;
    let mut margins = Vec::with_capacity(PLAYOUTS);
    for _ in 0..PLAYOUTS {
        playout.restart();
        playout.run(&policy, usize::MAX, &mut rng);
        margins.push(sign * playout.margin());
        if first.is_none() {
            first = Some((end_of(position, playout.placements())?, playout.placements().len()));
        }
    }
    Ok((first.context("no game was played out")?, margins))
}

/// The position after these placements; colours that cannot move are passed over.
fn end_of(position: &Position, placements: &[(Color, Placement)]) -> anyhow::Result<Position> {
    let mut end = *position;
    for &(color, placement) in placements {
        while end.color() != color {
            end.try_play(Move::Pass)?;
        }
        end.try_play(placement.into())?;
    }
    Ok(end)
}

/// A search of a new player.
fn search(position: &Position, simulations: u64) -> Search {
    let options = Options { memory: 256 << 20, ..Options::default() };
    let mut player = MctsPlayer::new(&options);
    let report = player.choose(position, &SearchLimits::nodes(simulations));
    let visits = most_visited_first(player.candidates());
    let least = simulations.div_ceil(SHARE) as u32;
    Search { branches: branches(&player, position, &mut Vec::new(), least), report, visits }
}

/// The part of a player's tree below the position that a line leads to, without branches of fewer visits.
fn branches(player: &MctsPlayer, position: &Position, line: &mut Vec<Placement>, least: u32) -> Vec<Branch> {
    let visits = most_visited_first(player.candidates_after(line).filter(|&(_, visits)| visits >= least));
    let branch = |(placement, visits): (Placement, u32)| {
        line.push(placement);
        let below = branches(player, &position.after(placement.into()), line, least);
        line.pop();
        Branch { color: position.color(), placement, visits, branches: below }
    };
    visits.into_iter().map(branch).collect()
}

/// Sorts placements by visits in a deterministic order.
fn most_visited_first(candidates: impl Iterator<Item = (Placement, u32)>) -> Vec<(Placement, u32)> {
    let mut visits: Vec<_> = candidates.collect();
    visits.sort_by_key(|&(placement, visits)| (Reverse(visits), placement));
    visits
}

impl Ending {
    /// Continues the game with the heuristic player until it can be solved.
    fn of(mut position: Position) -> anyhow::Result<Self> {
        let mut player = HeuristicPlayer::new(&Options::default());
        let mut solver = Solver::new(64 << 20);
        while !position.is_over() {
            if Solver::is_promising(&position)
                && let Some(solution) = solver.solve(&position, &SearchLimits::nodes(SOLVER_NODES))
                && let Some(margin) = solution.margin
            {
                return Ok(Self { turn: position.turn(), mv: solution.mv, margin, nodes: solver.nodes() });
            }
            position.try_play(player.choose(&position, &SearchLimits::UNLIMITED).mv)?;
        }
        anyhow::bail!("the game was over before it could be solved")
    }
}
