//! `arena match`

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, ensure};
use arena::database::Store;
use arena::engines::Spec;
use arena::plan::Plan;
use arena::ratings::Sprt;
use arena::records::Records;

use super::playing::{self, GameArguments, PlayingArguments};
use super::{DATABASE, existing_store, parse};

const CONTESTANTS: &str = "\
Contestants:
  NAME                        a built-in player: mcts, neural, minimax, heuristic or random, or
                              level1 to level9
  NAME:KEY=VALUE,…            … with options: seed, threads, memory (MiB), time (ms), nodes,
                              ponder (nodes ahead), weights and experience (files), and
                              parameters of the player by name
  gtp:COMMAND                 an engine that speaks the Go Text Protocol
  gtp:LINE|LINE|…!COMMAND     … which gets these lines at the start of every game
  exec:COMMAND                a client program of the contest; --reservation, --host and --port
                              are added
  exec:FILE.jar               … started by Java
  exec:FILE.zip               … as it is uploaded to the contest

  In lines and commands {game}, {season}, {start}, {ms}, {nodes} and {seed} are replaced.

Openings:
  random:N                    N moves drawn at random
  large:N                     N moves with the largest pieces drawn at random
  moves:PLACEMENT;…           these moves, for example PENTO_W@0,0
  file:PATH                   for each pair of games the moves of another line of this file, as
                              `arena openings` prints them
  none                        the empty board";

#[derive(clap::Args)]
#[command(after_help = CONTESTANTS)]
pub struct MatchArguments {
    /// The first contestant; results are given from its point of view
    #[arg(required_unless_present = "resume")]
    a: Option<Spec>,
    /// The second contestant
    #[arg(required_unless_present = "resume")]
    b: Option<Spec>,
    /// Number of games; even, because the sides swap in each pair [default: 100]
    #[arg(short = 'g', long = "games", value_name = "GAMES", value_parser = parse::pairs)]
    pairs: Option<u32>,
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    playing: PlayingArguments,
    /// Stop when the sequential test accepts one of two differences in Elo
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    /// Probability of the test to accept ELO1 although ELO0 is true
    #[arg(long, default_value_t = Sprt::DEFAULT_ERROR, value_parser = parse::probability, requires = "sprt")]
    alpha: f64,
    /// Probability of the test to accept ELO0 although ELO1 is true
    #[arg(long, default_value_t = Sprt::DEFAULT_ERROR, value_parser = parse::probability, requires = "sprt")]
    beta: f64,
    /// Database file for the games
    #[arg(short, long, value_name = "FILE", default_value = DATABASE)]
    database: PathBuf,
    /// Resume a match of the database; only the number of games may change
    #[arg(long, value_name = "MATCH", conflicts_with_all = ["a", "b", "time", "nodes", "timeout",
        "rules", "start", "opening", "seed", "sprt", "alpha", "beta"], value_parser = cli::number(1i64..))]
    resume: Option<i64>,
}

pub fn run(arguments: &MatchArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let records = match arguments.resume {
        Some(id) => {
            let mut store = existing_store(&arguments.database)?;
            if let Some(pairs) = arguments.pairs {
                store.set_pairs(id, pairs)?;
            }
            Records::of_match(store, id)?
        }
        None => {
            let plan = plan(arguments)?;
            Records::new(plan, Store::open(&arguments.database)?)
        }
    };
    playing::play(records, None, &arguments.playing, &arguments.database, out)
}

/// Returns the plan described by the arguments.
fn plan(arguments: &MatchArguments) -> anyhow::Result<Plan> {
    let (a, b) = arguments.a.clone().zip(arguments.b.clone()).context("two contestants are needed")?;
    let common = arguments.game.budget();
    let sprt = match arguments.sprt.as_deref() {
        Some(&[elo0, elo1]) => {
            let is_test = Sprt::are_hypotheses(elo0, elo1);
            ensure!(is_test, "--sprt {elo0} {elo1}: expected two numbers, the first less than the second");
            Some(Sprt { elo0, elo1, alpha: arguments.alpha, beta: arguments.beta })
        }
        _ => None,
    };
    let contestants = vec![a.or_budget(common).into(), b.or_budget(common).into()];
    let pairs = arguments.pairs.unwrap_or(Plan::DEFAULT_PAIRS);
    let plan = Plan { sprt, ..arguments.game.plan(contestants, pairs)? };
    playing::warn_of_few_openings(&plan);
    Ok(plan)
}
