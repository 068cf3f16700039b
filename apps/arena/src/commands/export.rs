//! `arena export`

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, ensure};
use arena::database::{StoredGame, StoredMatch};
use arena::engines::server_ending;
use arena::games::played::PlayedGame;
use protocol::{GameResult, Replay, Season};
use record::{file, replay};
use server::TimeLimits;

use super::{DatabaseArgument, counted};

#[derive(clap::Args)]
pub struct ExportArguments {
    /// The match
    #[arg(value_name = "MATCH", value_parser = cli::number(1i64..))]
    match_id: i64,
    /// Write this game only
    #[arg(short, long, value_name = "GAME", value_parser = cli::number(1i64..))]
    game: Option<i64>,
    /// Format: official replay (xml, or compressed xml.gz), Pentobi (blksgf) or JSON (jsonl)
    #[arg(short, long, default_value = FORMATS[0], value_parser = FORMATS)]
    format: String,
    /// Output folder: one file per game, or one file for jsonl
    #[arg(short, long, value_name = "FOLDER", default_value = "export")]
    output: PathBuf,
    #[command(flatten)]
    database: DatabaseArgument,
}

/// File formats, which are also the extensions of the files.
const FORMATS: [&str; 4] = ["xml", "xml.gz", "blksgf", "jsonl"];

pub fn run(arguments: &ExportArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let store = arguments.database.open()?;
    let stored = store.find_match(arguments.match_id)?;
    let mut games = store.games(stored.id)?;
    games.retain(|game| arguments.game.is_none_or(|id| game.id == id));
    ensure!(
        !games.is_empty(),
        "match {} has no {}",
        stored.id,
        arguments.game.map_or("games".to_owned(), |id| format!("game {id}"))
    );
    let folder = &arguments.output;
    fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let format = &*arguments.format;
    let write = |name: String, text: &str| {
        let path = folder.join(format!("{name}.{format}"));
        file::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    if format == "jsonl" {
        let lines: String = games.iter().map(|game| content(&stored, game, format)).collect::<anyhow::Result<_>>()?;
        write(format!("match-{}", stored.id), &lines)?;
    } else {
        for game in &games {
            write(game.name(), &content(&stored, game, format)?)?;
        }
    }
    writeln!(out, "{} written to {}", counted(games.len(), "game"), folder.display())?;
    Ok(())
}

/// Returns the text of a file with one game.
fn content(stored: &StoredMatch, game: &StoredGame, format: &str) -> anyhow::Result<String> {
    let named = game.to_game(stored);
    if !format.starts_with("xml") {
        return Ok(file::text_of(&named, format)?);
    }
    let replay = replay::write(&named);
    let replay = replay
        .with_context(|| format!("there are no replays of {} games; use --format blksgf or jsonl", stored.rules))?;
    Ok(Replay { result: result(&game.record, &named.names), ..replay }.to_xml())
}

/// Returns the result as the season's server would send it.
fn result(game: &PlayedGame, names: &[String; 2]) -> Option<GameResult> {
    let season = Season::from_rules(game.start.rules())?;
    let ending = server_ending::of_fault(game.fault.as_ref().map(|(side, fault)| (game.team(*side), fault)));
    Some(ending.result(season, &game.end(), &names.clone().map(Some), TimeLimits::default()))
}
