//! `arena import`

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::ensure;
use arena::database::{Store, StoredMatch};
use arena::games::played::PlayedGame;
use game::{Rules, Team, printable};
use record::{Game, file};

use super::{DatabaseArgument, counted, noted};

#[derive(clap::Args)]
pub struct ImportArguments {
    /// Files with games: official replays of both seasons (.xml, .xml.gz), files of Pentobi (.blksgf),
    /// lines of JSON (.jsonl), our notation (.txt)
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    database: DatabaseArgument,
}

/// Games between the same players become one match with team one as A. Games that exist already are skipped.
pub fn run(arguments: &ImportArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let mut import = Import { store: Store::open(&arguments.database.path)?, matches: BTreeMap::new(), with_notes: 0 };
    let mut failed = 0;
    for path in &arguments.files {
        failed += usize::from(!import.file(path, out)?);
    }
    for (id, _) in import.matches.values() {
        let StoredMatch { names, rules, games, unfinished, .. } = import.store.find_match(*id)?;
        let ([one, two], games) = (names.each_ref().map(|name| printable(name)), counted(games, "game"));
        let unfinished = noted(unfinished, |count| format!(", {count} of them unfinished"));
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
    /// The new matches by rules and players, team one first, with the numbers of their games.
    matches: BTreeMap<(&'static str, [String; 2]), (i64, u32)>,
    /// Games with variations or comments, which the database does not keep.
    with_notes: u32,
}

impl Import {
    /// Imports the games of a file; false if one of them cannot be.
    fn file(&mut self, path: &Path, out: &mut impl Write) -> anyhow::Result<bool> {
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
                Ok(game) if game.start().rules().has_teams() => game,
                Ok(_) => {
                    complain("games of four players cannot be imported".to_owned());
                    continue;
                }
                Err(error) => {
                    complain(error.to_string());
                    continue;
                }
            };
            for warning in &game.warnings {
                writeln!(out, "{shown}: {}", printable(&warning.to_string()))?;
            }
            match self.add(&game)? {
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
    fn add(&mut self, game: &Game) -> anyhow::Result<Option<i64>> {
        let played = PlayedGame::of_game(game, 0);
        let name = |team: Team| Some(&*game.names[team as usize]).filter(|name| !name.is_empty());
        let names = Team::ALL.map(|team| name(team).unwrap_or(team.name()).to_owned());
        let both = names.each_ref().map(String::as_str);
        if let Some(known) = self.store.find_imported(both, &played, &game.id)? {
            return Ok(Some(known));
        }
        let rules: Rules = game.start().rules();
        let (id, games) = match self.matches.entry((rules.name(), names.clone())) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert((self.store.add_import(rules, both)?, 0)),
        };
        self.store.add_game(*id, &PlayedGame { pair: *games, ..played }, Some(&game.id))?;
        *games += 1;
        let comments = game.main_line().any(|id| !game.node(id).note.comment.is_empty());
        self.with_notes += u32::from(comments || game.has_variations());
        Ok(None)
    }
}
