//! `arena export`

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, ensure};
use arena::database::{StoredGame, StoredMatch};
use arena::games::ending;
use arena::games::played::PlayedGame;
use clap::ValueEnum;
use protocol::{GameResult, Replay, Season};
use record::{file, json, replay, sgf, text};
use server::Clock;

use super::{DatabaseArgument, counted};

#[derive(clap::Args)]
pub struct ExportArguments {
    /// The match
    #[arg(value_name = "MATCH")]
    match_id: i64,
    /// Write this game only
    #[arg(short, long, value_name = "GAME")]
    game: Option<i64>,
    /// File format
    #[arg(short, long, value_enum, default_value_t = Form::Xml)]
    form: Form,
    /// Output folder: one file per game, or one file for jsonl
    #[arg(short, long, value_name = "FOLDER", default_value = "export")]
    output: PathBuf,
    #[command(flatten)]
    database: DatabaseArgument,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Replays of the official server
    Xml,
    /// The same, compressed with gzip
    #[value(name = "xml.gz")]
    XmlGz,
    /// Files of Pentobi
    Blksgf,
    /// Our notation, one move per line
    Text,
    /// A line of JSON per game
    Jsonl,
}

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
    let extension = match arguments.form {
        Form::Xml => "xml",
        Form::XmlGz => "xml.gz",
        Form::Blksgf => "blksgf",
        Form::Text => "txt",
        Form::Jsonl => "jsonl",
    };
    let write = |name: String, text: &str| {
        let path = folder.join(format!("{name}.{extension}"));
        file::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
    };
    if arguments.form == Form::Jsonl {
        let line = |game| Ok(content(&stored, game, arguments.form)? + "\n");
        let lines: String = games.iter().map(line).collect::<anyhow::Result<_>>()?;
        write(format!("match-{}", stored.id), &lines)?;
    } else {
        for game in &games {
            write(game.name(), &content(&stored, game, arguments.form)?)?;
        }
    }
    writeln!(out, "{} written to {}", counted(games.len(), "game"), folder.display())?;
    Ok(())
}

/// The text of a file with one game.
fn content(stored: &StoredMatch, game: &StoredGame, form: Form) -> anyhow::Result<String> {
    let named = game.to_game(stored);
    Ok(match form {
        Form::Blksgf => sgf::write(&named),
        Form::Text => text::write(&named),
        Form::Jsonl => json::write(&named),
        Form::Xml | Form::XmlGz => {
            let replay = replay::write(&named);
            let replay = replay.with_context(|| {
                format!("there are no replays of {} games; use --form blksgf, text or jsonl", stored.rules)
            })?;
            Replay { result: result(&game.record, &named.names), ..replay }.to_xml()
        }
    })
}

/// Returns the result as the season's server would send it; `None` for unfinished games.
fn result(game: &PlayedGame, names: &[String; 2]) -> Option<GameResult> {
    let season = Season::of_rules(game.start.rules())?;
    let end = game.end();
    if game.fault.is_none() && !end.is_over() {
        return None;
    }
    let ending = ending::of_fault(game.fault.as_ref().map(|(side, fault)| (game.team(*side), fault)));
    Some(ending.result(season, &end, &names.clone().map(Some), Clock::default()))
}
