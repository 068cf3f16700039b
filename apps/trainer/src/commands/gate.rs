//! `trainer gate`

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::ensure;
use arena::database::{Store, StoreError};
use arena::defaults;
use arena::openings::Opening;
use arena::plan::Plan;
use arena::ratings::{Tally, Verdict};
use arena::records::Records;
use cli::Output;
use game::Rules;
use player::bench;
use player::model::Model;
use trainer::gate::{Decision, Gate, TESTS, Weights, entry, line};

/// The arguments of `trainer gate`.
#[derive(clap::Args)]
pub struct GateArguments {
    /// The file of new weights
    file: PathBuf,
    /// Play against the weights of this file instead of the built-in ones
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// Simulations per move
    #[arg(short, long, default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The most games in each rule set, an even number
    #[arg(short, long, default_value_t = 4_000)]
    games: u32,
    /// Opening of the games of a rule set, as in `arena match`, for example 2027=file:even.txt; can be given several
    /// times [default: random:4]
    #[arg(short, long, value_name = "RULES=OPENING", value_parser = opening)]
    opening: Vec<(Rules, Opening)>,
    /// Number of games played at the same time [default: one per core]
    #[arg(short, long, value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: Option<u16>,
    /// Database of the games; games in it are not played again [default: FILE with the extension gate.sqlite]
    #[arg(short, long, value_name = "FILE")]
    database: Option<PathBuf>,
    /// Append the result to this list of weights
    #[arg(short, long, value_name = "FILE")]
    list: Option<PathBuf>,
    /// A parameter of both players, for example policy_visits=100; can be given several times
    #[arg(short, long = "param", value_name = "NAME=VALUE")]
    params: Vec<String>,
    /// Seed of openings and players
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Draw no progress bar
    #[arg(short, long)]
    quiet: bool,
}

fn opening(text: &str) -> Result<(Rules, Opening), String> {
    let (rules, opening) = text.split_once('=').ok_or("expected RULES=OPENING, for example 2027=random:4")?;
    let rules = rules.parse().map_err(|_| format!("`{rules}`: expected 2021, 2027 or classic"))?;
    let opening = opening.parse::<Opening>().map_err(|error| error.to_string())?;
    Ok((rules, opening))
}

/// Plays the matches until each is decided or one has failed.
///
/// # Errors
/// If the weights cannot be read, the database or the list cannot be written, or an opening does not fit.
pub fn run(arguments: &GateArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let games = arguments.games;
    ensure!(
        games >= 2 && games.is_multiple_of(2),
        "--games {games}: games come in pairs, expected an even number from 2 on"
    );
    let mut gate = Gate {
        candidate: Weights::read(&arguments.file)?,
        kept: arguments.against.as_deref().map(Weights::read).transpose()?,
        nodes: arguments.nodes,
        pairs: games / 2,
        openings: arguments.opening.clone(),
        params: super::params(&arguments.params)?,
        engine: String::new(),
        seed: arguments.seed,
    };
    for (rules, sprt) in TESTS {
        let plan = gate.plan(rules, sprt)?;
        plan.opening.check(plan.rules, plan.start_piece)?;
    }
    let list = arguments.list.as_deref().map(Output::new).transpose()?;
    // Takes a while, so all arguments are checked first.
    gate.engine = bench::fingerprint_of_search(Model::built_in())?;
    let database = arguments.database.clone().unwrap_or_else(|| arguments.file.with_extension("gate.sqlite"));
    let concurrency = defaults::concurrency(arguments.concurrency, 1);
    let (mut verdicts, mut lines) = (Vec::new(), Vec::new());
    for (rules, sprt) in TESTS {
        let plan = &gate.plan(rules, sprt)?;
        let tally = play(plan, &database, concurrency, arguments.quiet)?;
        let line = line(plan, &tally);
        writeln!(out, "{line}")?;
        lines.push(line);
        verdicts.push(plan.sprt.map_or(Verdict::Open, |sprt| sprt.verdict(&tally.pairs)));
        if Decision::of(&verdicts) == Decision::Refused {
            break;
        }
    }
    let decision = Decision::of(&verdicts);
    writeln!(out, "{}", decision.name())?;
    if let Some(list) = list {
        list.append(entry(&gate, decision, &lines, &super::command_line()))?;
    }
    Ok(())
}

/// Plays the games of a match that the database lacks.
fn play(plan: &Plan, database: &Path, concurrency: usize, quiet: bool) -> anyhow::Result<Tally> {
    let mut store = Store::open(database)?;
    let id = find(plan, &store)?;
    if let Some(id) = id {
        store.set_pairs(id, plan.pairs)?;
    }
    let bar = super::bar(2 * u64::from(plan.pairs), "{wide_bar:.cyan/dim} {elapsed}\n{wide_msg}", quiet);
    let mut records = match id {
        Some(id) => Records::of_match(store, id)?,
        None => Records::new(plan.clone(), Some(store)),
    };
    let played = records.play(concurrency, &AtomicBool::new(false), |records| {
        bar.set_position(records.count());
        records.tallies().values().for_each(|tally| bar.set_message(line(plan, tally)));
    });
    bar.finish_and_clear();
    played?;
    Ok(records.tally(0))
}

/// Finds the match in the database that has the same plan except for the number of games.
fn find(plan: &Plan, store: &Store) -> Result<Option<i64>, StoreError> {
    for stored in store.matches()? {
        // Imported matches have no plan, and weights of others may be gone.
        if store.plan(stored.id).is_ok_and(|known| Plan { pairs: plan.pairs, ..known } == *plan) {
            return Ok(Some(stored.id));
        }
    }
    Ok(None)
}
