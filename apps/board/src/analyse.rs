//! Analyses a game and prints the result.

use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail, ensure};
use arena::database::Store;
use board::engine::SearchEngine;
use board::session::{Review, Seats, Session, TimeControl};
use board::sheet;
use board::study::study;
use clap::Args;
use cli::{OutputFile, is_database};
use game::Team;
use record::{Game, Verdict, file};

#[derive(Args)]
pub struct AnalyseArguments {
    /// Replay (.xml, .xml.gz), file of Pentobi (.blksgf) or of this project (.jsonl), or database of the arena
    file: PathBuf,
    /// Number of the game in the file, from 1, or in the database, as `arena show` prints it
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = cli::number(1..=u32::MAX))]
    game: u32,
    /// Time for each position in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 500, value_parser = cli::number(1u64..))]
    time: u64,
    /// Write the game and its analysis as a page to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Memory of the engine in MiB
    #[arg(long, value_name = "MIB", default_value_t = 128, value_parser = cli::number(1..=u16::MAX))]
    memory: u16,
}

/// Analyses a game and prints the result, even if interrupted.
pub fn run(arguments: &AnalyseArguments, out: &mut impl io::Write) -> anyhow::Result<()> {
    let game = open(&arguments.file, arguments.game)?;
    for warning in &game.warnings {
        cli::complain(format_args!("board: {}: {warning}", arguments.file.display()));
    }
    if game.verdict() == Verdict::Unfinished {
        cli::complain(format_args!("board: the game in {} is not finished", arguments.file.display()));
    }
    let page =
        arguments.html.as_deref().map(|page| OutputFile::new(page, slice::from_ref(&arguments.file))).transpose()?;
    let stop = cli::stop_on_signal()?;
    let session = analyse(game, arguments.time, usize::from(arguments.memory) << 20, &stop);
    if let Some(page) = page {
        page.write(sheet::html(&session))?;
    }
    write!(out, "{}", table(&session))?;
    ensure!(!stop.load(Ordering::Relaxed), "interrupted");
    Ok(())
}

/// Opens a game of a file or of a database.
fn open(path: &Path, number: u32) -> anyhow::Result<Game> {
    let name = path.display();
    let unreadable = || format!("{name} cannot be read");
    if is_database(path).with_context(unreadable)? {
        let store = Store::open_to_read(path).with_context(unreadable)?;
        let game = store.game(number.into()).with_context(|| format!("{name} cannot be used"))?;
        return Ok(game.to_game(&store.find_match(game.match_id)?));
    }
    let mut games = file::open(path).with_context(unreadable)?;
    match games.nth((number as usize).saturating_sub(1)) {
        Some(game) => game.with_context(unreadable),
        None => bail!("{name} has no game {number}"),
    }
}

fn analyse(game: Game, time: u64, memory: usize, stop: &AtomicBool) -> Session {
    let session = Session::with(game, Seats::default(), TimeControl::None);
    let mut engine = SearchEngine::new(memory);
    let is_shown = io::stderr().is_terminal();
    let session = study(&mut engine, session, time, stop, |progress| {
        if is_shown {
            eprint!("\r{} of {}", progress.done, progress.total);
        }
    });
    if is_shown {
        eprint!("\r{:30}\r", "");
    }
    session
}

/// Formats a line for each move, and the sums.
fn table(session: &Session) -> String {
    let review = Review::of(session);
    let mut text = format!("{:>4}  {:7}{:27}{:>6}{:>7}{:>8}\n", "turn", "colour", "move", "win", "after", "points");
    for mv in &review.moves {
        let (turn, color, name) = (mv.turn, mv.color, mv.mv.to_string());
        let better = mv.better.first().map(|better| better.mv.to_string()).unwrap_or_default();
        let unchecked = if mv.is_checked { "" } else { " (unchecked)" };
        let mark = mv.mark.map(|mark| format!("  {}{unchecked} better {better}", mark.sign())).unwrap_or_default();
        let (before, after) = (100.0 * mv.before, 100.0 * mv.after);
        // Writing to a string cannot fail.
        let _ =
            writeln!(text, "{turn:>4}  {color:7}{name:27}{before:>4.0} %{after:>5.0} %{:>8.1}{mark}", 0.0 - mv.points);
    }
    for team in Team::ALL {
        let [inaccuracies, mistakes, blunders] = review.marks[team as usize];
        let accuracy = review.accuracy[team as usize].map_or("-".to_owned(), |accuracy| format!("{accuracy:.0} %"));
        let _ = writeln!(
            text,
            "{team}: accuracy {accuracy}; inaccuracies {inaccuracies}, mistakes {mistakes}, blunders {blunders}"
        );
    }
    let count = review.graph.len() - 1;
    if review.moves.len() < count {
        let _ = writeln!(text, "{} of {count} moves were analysed", review.moves.len());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::games::played::PlayedGame;
    use game::{Position, Rules};
    use record::{Fault, FaultKind, NodeId};

    #[test]
    fn prints_a_line_for_each_analysed_move() {
        let mut game = Game::new(Position::new(Rules::Classic, None).unwrap());
        let mut at = NodeId::START;
        for mv in ["MONO@0,0", "DOMINO@18,0", "MONO@19,19"] {
            at = game.play(at, mv.parse().unwrap()).unwrap();
        }
        let session = analyse(game.clone(), 20, 16 << 20, &AtomicBool::new(false));
        let text = table(&session);
        assert_eq!(text.lines().count(), 1 + 3 + 2, "{text}");
        assert!(text.contains("DOMINO@18,0") && text.contains("ONE: accuracy "), "{text}");
        let session = analyse(game, 20, 16 << 20, &AtomicBool::new(true));
        assert!(table(&session).contains("0 of 3 moves were analysed"));
    }

    #[test]
    fn opens_games_of_an_arena_database_by_number() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("arena.sqlite");
        let missing = open(&path, 1).unwrap_err();
        assert!(format!("{missing:#}").contains("cannot be read") && !path.exists(), "{missing:#}");
        let mut game = Game::new(Position::new(Rules::Classic, None).unwrap());
        game.play(NodeId::START, "MONO@0,0".parse().unwrap()).unwrap();
        game.fault = Some((Team::Two, Fault::new(FaultKind::Left, "")));
        let mut store = Store::open(&path).unwrap();
        let id = store.add_match_without_plan(Rules::Classic, ["mcts", "minimax"]).unwrap();
        let number = store.add_game(id, &PlayedGame::of_game(&game, 0)).unwrap();
        // The database is in use.
        let opened = open(&path, number as u32).unwrap();
        assert_eq!((opened.names.each_ref().map(String::as_str), opened.moves().count()), (["mcts", "minimax"], 1));
        let error = open(&path, 99).unwrap_err();
        assert!(format!("{error:#}").ends_with("there is no game 99"), "{error:#}");
    }
}
