//! `arena import`

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::ensure;
use arena::database::Store;
use arena::games::played::{PlayedGame, Side};
use game::{Rules, Team, printable};
use record::{Game, file};

use super::{DATABASE, counted, noted};

#[derive(clap::Args)]
pub struct ImportArguments {
    /// Files with games: official replays of both seasons (.xml, .xml.gz), files of Pentobi (.blksgf),
    /// lines of JSON (.jsonl), our notation (.txt).
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Refuse unfinished games, such as those in truncated files, instead of marking them
    #[arg(long)]
    finished: bool,
    /// The database.
    #[arg(short, long, value_name = "FILE", default_value = DATABASE)]
    database: PathBuf,
}

/// Games between the same players become one match with team one as A. Games that exist already are skipped.
pub fn run(arguments: &ImportArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let mut import = Import { store: Store::open(&arguments.database)?, matches: BTreeMap::new(), with_notes: 0 };
    let mut failed = 0;
    for path in &arguments.files {
        failed += usize::from(!import.file(path, arguments.finished, out)?);
    }
    for ((rules, [one, two]), Imported { id, games, unfinished }) in &import.matches {
        let (one, two, games) = (printable(one), printable(two), counted(*games, "game"));
        let unfinished = noted((*unfinished).into(), |count| format!(", {count} of them unfinished"));
        writeln!(out, "match {id}: {games} by the {rules} rules, {one} - {two}{unfinished}")?;
    }
    if import.with_notes > 0 {
        let games = counted(import.with_notes, "game");
        writeln!(out, "variations and comments of {games} are not kept")?;
    }
    ensure!(failed == 0, "{failed} of {} files could not be imported", arguments.files.len());
    Ok(())
}

/// Progress of an import.
struct Import {
    store: Store,
    matches: BTreeMap<Key, Imported>,
    /// Games with variations or comments, which the database does not keep.
    with_notes: u32,
}

/// The rules and the players, team one first.
type Key = (&'static str, [String; 2]);

/// A match that is being imported.
struct Imported {
    id: i64,
    games: u32,
    unfinished: u32,
}

impl Import {
    /// Imports the games of a file; false if one of them cannot be.
    fn file(&mut self, path: &Path, finished: bool, out: &mut impl Write) -> anyhow::Result<bool> {
        let (mut is_good, mut added) = (true, 0);
        let shown = printable(&path.to_string_lossy()).to_string();
        let mut complain = |error: String| {
            cli::complain(format_args!("arena: {shown}: {error}"));
            is_good = false;
        };
        let games = match file::open(path) {
            Ok(games) => games,
            Err(error) => {
                complain(error.to_string());
                return Ok(false);
            }
        };
        for game in games {
            let game = match game {
                Ok(game) => game,
                Err(error) => {
                    complain(error.to_string());
                    continue;
                }
            };
            for warning in &game.warnings {
                writeln!(out, "{shown}: {}", printable(&warning.to_string()))?;
            }
            if !game.start().rules().has_teams() {
                complain("games of four players cannot be imported".to_owned());
                continue;
            }
            let played = PlayedGame::of_game(&game, 0);
            if finished && played.outcome(Side::A).is_none() {
                complain(format!("the game is not finished, it has {} moves", played.plies.len()));
                continue;
            }
            match self.add(&game, played)? {
                Some(known) => writeln!(out, "{shown}: there already, as game {known}")?,
                None => added += 1,
            }
        }
        if !is_good {
            cli::complain(format_args!("arena: {shown}: {} imported", counted(added, "game")));
        }
        Ok(is_good)
    }

    /// Adds a game unless it is there; if it is, its number.
    fn add(&mut self, game: &Game, played: PlayedGame) -> anyhow::Result<Option<i64>> {
        let name = |team: Team| Some(&*game.names[team as usize]).filter(|name| !name.is_empty());
        let names = Team::ALL.map(|team| name(team).unwrap_or(team.name()).to_owned());
        let both = names.each_ref().map(String::as_str);
        if let Some(known) = self.store.find_imported(both, &played, &game.id)? {
            return Ok(Some(known));
        }
        let rules: Rules = game.start().rules();
        let imported = match self.matches.entry((rules.name(), names.clone())) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let id = self.store.add_import(rules, both)?;
                new.insert(Imported { id, games: 0, unfinished: 0 })
            }
        };
        let played = PlayedGame { pair: imported.games, ..played };
        self.store.add_game(imported.id, &played, Some(&game.id))?;
        imported.games += 1;
        imported.unfinished += u32::from(played.outcome(Side::A).is_none());
        let comments = game.main_line().any(|id| !game.node(id).note.comment.is_empty());
        self.with_notes += u32::from(comments || game.has_variations());
        Ok(None)
    }
}
