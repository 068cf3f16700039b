//! `arena tune`

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail, ensure};
use arena::engines::Budget;
use arena::plan::{Entrant, Plan};
use arena::ratings::{Tally, WinDrawLoss};
use arena::tuning::{Axis, History, SPREAD, Spsa, match_plan, with_values};
use player::{Options, ParamValue};

use super::playing::{GameArguments, PlayingArguments};
use super::{counted, parse, progress};

/// Number of progress lines.
const LINES: u32 = 20;

#[derive(clap::Args)]
pub struct TuneArguments {
    /// The built-in player, NAME or NAME:KEY=VALUE,… as in matches
    player: String,
    /// Parameter to tune with its range, for example exploration=0.2..0.8; repeat the option for each parameter
    #[arg(short, long = "param", value_name = "NAME=LOW..HIGH", required = true, value_parser = parse_range)]
    params: Vec<Range>,
    /// Number of iterations
    #[arg(short, long, default_value_t = 500, value_parser = cli::number(1..=u32::MAX))]
    iterations: u32,
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    playing: PlayingArguments,
    /// File that records every iteration; an existing file resumes the tuning
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,
}

/// The range of a parameter.
#[derive(Clone)]
struct Range {
    name: String,
    low: f64,
    high: f64,
}

fn parse_range(text: &str) -> Result<Range, String> {
    let parsed = text.split_once('=').and_then(|(name, range)| {
        let (low, high) = parse::ends(range)?;
        Some(Range { name: name.to_owned(), low, high })
    });
    let range = parsed.filter(|range| range.low < range.high);
    range.ok_or_else(|| "expected NAME=LOW..HIGH, for example exploration=0.2..0.8".to_owned())
}

pub fn run(arguments: &TuneArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let mut spsa = Spsa::new(axes(arguments)?, arguments.iterations, arguments.game.seed);
    let plan = plan(arguments)?;
    let concurrency = arguments.playing.concurrency(&plan);
    let open = |path: &PathBuf| {
        let history = History::open(path, &title(arguments), &mut spsa);
        history.with_context(|| format!("cannot use {}", path.display()))
    };
    let mut history = arguments.history.as_ref().map(open).transpose()?;
    let stop = cli::stop_on_signal()?;
    let bar = progress::bar(arguments.iterations.into(), "iterations", arguments.playing.quiet);
    writeln!(out, "iteration  values")?;
    let step = arguments.iterations.div_ceil(LINES);
    while !spsa.is_done() {
        bar.set_position((spsa.iteration() - 1).into());
        bar.set_message(spsa.options(&spsa.values()));
        let candidates = spsa.candidates().map(|values| spsa.options(&values));
        let iteration = spsa.iteration();
        let score = play(&plan, &candidates, iteration, concurrency, &stop)?;
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let [one, two] = candidates;
        log::info!("iteration {iteration}: {one} against {two}: {score:+}");
        spsa.update(score);
        if let Some(history) = &mut history {
            history.add(score, &spsa).context("cannot write the history")?;
        }
        let done = spsa.iteration() - 1;
        if done.is_multiple_of(step) || spsa.is_done() {
            bar.suspend(|| writeln!(out, "{done:>9}  {}", spsa.options(&spsa.values())))?;
        }
    }
    bar.finish_and_clear();
    writeln!(out, "tuned: {}", with_values(&arguments.player, &spsa.options(&spsa.values())))?;
    let next = if history.is_some() { "the same command resumes" } else { "without --history it begins again" };
    ensure!(spsa.is_done(), "interrupted; {next}");
    Ok(())
}

/// Returns the tuned parameters with their ranges and first values.
fn axes(arguments: &TuneArguments) -> anyhow::Result<Vec<Axis>> {
    let (player, options) = arguments.player.split_once(':').unwrap_or((&arguments.player, ""));
    let known = player::by_name(player, &Options { memory: 1 << 20, ..Options::default() })?.params();
    ensure!(!known.is_empty(), "{player} has no parameters");
    let mut axes: Vec<Axis> = Vec::new();
    for Range { name, low, high } in &arguments.params {
        let Some(param) = known.iter().find(|param| param.name == name) else {
            let names: Vec<&str> = known.iter().map(|param| param.name).collect();
            bail!("{player} has no parameter `{name}`; its parameters are: {}", names.join(", "));
        };
        let is_switch = matches!(param.value, ParamValue::Switch(_));
        ensure!(!is_switch, "--param {name}: a switch cannot be tuned; compare its two values in a match");
        ensure!(axes.iter().all(|other| other.name != *name), "--param {name} is given twice");
        ensure!(
            !matches!(param.value, ParamValue::Count(_)) || high - low >= 0.5 / SPREAD,
            "--param {name}={low}..{high}: both players of the last iterations would often have the same whole number; the \
             range has to be at least {} wide",
            0.5 / SPREAD
        );
        let number = |value: ParamValue| value.to_string().parse::<f64>();
        let (least, most) = (number(param.low)?, number(param.high)?);
        ensure!(least <= *low && *high <= most, "--param {name}={low}..{high}: the player allows {least} to {most}");
        // Like the player, uses the last value.
        let given = options.split(',').rev().filter_map(|pair| pair.split_once('=')).find(|(key, _)| key == name);
        let start = match given {
            Some((_, value)) => value.parse().with_context(|| format!("`{name}={value}`"))?,
            // `f32` prints its shortest decimal, which is the literal in the code.
            None => number(param.value)?,
        };
        ensure!((*low..=*high).contains(&start), "--param {name}={low}..{high}: the current value {start} is outside");
        // Counts are whole numbers; four decimals are more than games can distinguish.
        let decimals = if matches!(param.value, ParamValue::Count(_)) { 0 } else { 4 };
        axes.push(Axis { name: name.clone(), low: *low, high: *high, start, decimals });
    }
    Ok(axes)
}

/// Describes a tuning on one line. Tunings with equal titles are the same.
fn title(arguments: &TuneArguments) -> String {
    let TuneArguments { player, iterations, game, .. } = arguments;
    let GameArguments { rules, start, opening, seed, timeout, .. } = game;
    let Budget { time, nodes } = game.budget();
    let iterations = counted(*iterations, "iteration");
    let params: String =
        arguments.params.iter().map(|Range { name, low, high }| format!(" {name}={low}..{high}")).collect();
    let time = time.map_or_else(String::new, |time| format!(", {} ms", time.as_millis()));
    let nodes = nodes.map_or_else(String::new, |nodes| format!(", {nodes} nodes"));
    let start = start.map_or_else(String::new, |piece| format!(", start {piece}"));
    let timeout = timeout.map_or_else(String::new, |timeout| format!(", timeout {timeout} ms"));
    format!(
        "{player}{params}, {iterations}{time}{nodes}, season {rules}, opening {opening}, seed {seed}{start}{timeout}"
    )
}

/// Returns the plan of one iteration: the tuned player against itself.
fn plan(arguments: &TuneArguments) -> anyhow::Result<Plan> {
    let tuned = Entrant::new(&arguments.player, None, None, arguments.game.budget())?;
    arguments.game.plan(vec![tuned; 2], 1)
}

/// Plays an iteration and returns the score of the first candidate, -1 to 1.
fn play(
    plan: &Plan,
    candidates: &[String; 2],
    iteration: u32,
    concurrency: usize,
    stop: &AtomicBool,
) -> anyhow::Result<f64> {
    let mut tally = Tally::default();
    match_plan(plan, candidates, iteration)?.play(concurrency, stop, |game| tally.add(&game))?;
    let WinDrawLoss { won, lost, .. } = tally.games;
    Ok((won as f64 - lost as f64) / tally.count() as f64)
}
