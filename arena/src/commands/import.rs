//! `arena import`

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::ensure;
use arena::record::GameRecord;
use arena::replay::Replay;
use arena::store::Store;
use game::Team;
use protocol::NO_NAME;

use super::DATABASE;

#[derive(clap::Args)]
pub struct Arguments {
    /// Replays of the official servers of both seasons (.xml, .xml.gz).
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The database.
    #[arg(short, long, value_name = "FILE", default_value = DATABASE)]
    database: PathBuf,
}

/// Games between the same players become one match, in which team one is A.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<()> {
    let mut store = Store::open(&arguments.database)?;
    let mut matches = BTreeMap::new();
    let mut failed = 0;
    for path in &arguments.files {
        if let Err(error) = import(path, &mut store, &mut matches) {
            eprintln!("arena: {}: {error:#}", path.display());
            failed += 1;
        }
    }
    for ((season, [one, two]), Imported { id, games }) in &matches {
        writeln!(out, "match {id}: {games} games of season {season}, {one} - {two}")?;
    }
    ensure!(failed == 0, "{failed} of {} files could not be imported", arguments.files.len());
    Ok(())
}

/// A match that is being imported.
struct Imported {
    id: i64,
    games: u32,
}

/// The season and the players, team one first.
type Key = (&'static str, [String; 2]);

fn import(path: &Path, store: &mut Store, matches: &mut BTreeMap<Key, Imported>) -> anyhow::Result<()> {
    let replay = Replay::read(path)?;
    let names = names(&replay);
    let game = replay.record(0)?;
    let imported = match matches.entry((replay.season.name(), names.clone())) {
        Entry::Occupied(known) => known.into_mut(),
        Entry::Vacant(new) => {
            let id = store.add_import(replay.season.rules(), names.each_ref().map(String::as_str))?;
            new.insert(Imported { id, games: 0 })
        }
    };
    store.add_game(imported.id, &GameRecord { pair: imported.games, ..game })?;
    imported.games += 1;
    Ok(())
}

/// The names of the players as far as the replay tells.
fn names(replay: &Replay) -> [String; 2] {
    Team::ALL.map(|team| {
        let in_states = replay.states.first().and_then(|state| state.names.as_ref());
        let in_states = in_states.map(|names| names[team as usize].clone());
        let in_result = replay.result.as_ref().and_then(|result| result.score(team).name.clone());
        let known = in_result.or(in_states).filter(|name| name != NO_NAME);
        known.unwrap_or_else(|| team.name().to_owned())
    })
}
