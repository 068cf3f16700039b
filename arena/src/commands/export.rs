//! `arena export`

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use arena::contest::Clock;
use arena::record::GameRecord;
use arena::referee::verdict::Ending;
use arena::replay::Replay;
use arena::store::StoredMatch;
use arena::transcript::Transcript;
use clap::ValueEnum;
use protocol::{GameResult, Season};

use super::{DATABASE, existing_store};

#[derive(clap::Args)]
pub struct Arguments {
    /// The match.
    #[arg(value_name = "MATCH")]
    match_id: i64,
    /// Write this game only.
    #[arg(short, long, value_name = "GAME")]
    game: Option<i64>,
    /// The form of the files.
    #[arg(short, long, value_enum, default_value_t = Form::Xml)]
    form: Form,
    /// The folder for the files, one per game.
    #[arg(short, long, value_name = "FOLDER", default_value = "export")]
    output: PathBuf,
    /// The database.
    #[arg(short, long, value_name = "FILE", default_value = DATABASE)]
    database: PathBuf,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Replays of the official server.
    Xml,
    /// The same, packed with gzip.
    #[value(name = "xml.gz")]
    XmlGz,
    /// One move per line.
    Text,
}

pub fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<()> {
    let store = existing_store(&arguments.database)?;
    let stored = store.find_match(arguments.match_id)?;
    let mut games = store.games(stored.id)?;
    games.retain(|game| arguments.game.is_none_or(|id| game.id == id));
    ensure!(!games.is_empty(), "match {} has no such game", stored.id);
    let folder = &arguments.output;
    fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    for game in &games {
        let ending = match arguments.form {
            Form::Xml => "xml",
            Form::XmlGz => "xml.gz",
            Form::Text => "txt",
        };
        let path = folder.join(format!("match-{}-game-{}.{ending}", stored.id, game.id));
        write(&path, &stored, game.id, &game.record, arguments.form)?;
    }
    writeln!(out, "{} games written to {}", games.len(), folder.display())?;
    Ok(())
}

fn write(path: &Path, stored: &StoredMatch, id: i64, game: &GameRecord, form: Form) -> anyhow::Result<()> {
    let names = stored.names.each_ref().map(String::as_str);
    if form == Form::Text {
        let text = Transcript { game, names }.to_string();
        return fs::write(path, text).with_context(|| format!("cannot write {}", path.display()));
    }
    let by_team = game::Team::ALL.map(|team| names[game.side(team) as usize]);
    let result = result(game, by_team);
    let replay = Replay::of_record(game, &format!("match-{}-game-{id}", stored.id), by_team, result);
    let replay = replay.with_context(|| format!("there are no replays of {} games; use --form text", stored.rules))?;
    replay.write(path).with_context(|| format!("cannot write {}", path.display()))
}

/// The result as the server of the season would have sent it.
fn result(game: &GameRecord, names: [&str; 2]) -> Option<GameResult> {
    let season = Season::of_rules(game.start.rules())?;
    let ending = Ending::of_match(game.fault.as_ref().map(|(side, fault)| (game.team(*side), fault)));
    Some(ending.result(season, &game.end(), &names.map(|name| Some(name.to_owned())), Clock::default()))
}
