//! `arena openings`

use std::collections::HashSet;
use std::io::Write;
use std::ops::RangeInclusive;

use anyhow::ensure;
use arena::games::played::PlayedGame;
use arena::openings;
use game::Placement;

use super::{DatabaseArgument, parse};

#[derive(clap::Args)]
pub struct OpeningsArguments {
    /// The match
    #[arg(value_name = "MATCH", value_parser = cli::number(1i64..))]
    match_id: i64,
    /// Number of plies of an opening
    #[arg(short, long, value_parser = cli::number(1..=u16::MAX))]
    plies: u16,
    /// Keep only openings after which the next player's win probability is in this range, for example 0.4..0.6. Forced
    /// moves and players without an evaluation do not count
    #[arg(short, long, value_name = "LOW..HIGH", value_parser = parse::shares)]
    win: Option<RangeInclusive<f32>>,
    #[command(flatten)]
    database: DatabaseArgument,
}

pub fn run(arguments: &OpeningsArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let store = arguments.database.open()?;
    let stored = store.find_match(arguments.match_id)?;
    let mut written = HashSet::new();
    for game in store.games(stored.id)? {
        if let Some(placements) = opening(&game.record, arguments)
            && written.insert(placements.clone())
        {
            writeln!(out, "{}", openings::join(&placements))?;
        }
    }
    let range =
        arguments.win.as_ref().map(|range| format!(" and a win probability from {} to {}", range.start(), range.end()));
    let (id, plies, range) = (stored.id, arguments.plies, range.unwrap_or_default());
    ensure!(!written.is_empty(), "match {id} has no game that begins with {plies} placements{range}");
    Ok(())
}

/// Returns the first placements of a game if it continued after them without a pass, and the win probability is in
/// range.
fn opening(game: &PlayedGame, arguments: &OpeningsArguments) -> Option<Vec<Placement>> {
    let (first, rest) = game.plies.split_at_checked(arguments.plies.into())?;
    let next = rest.first()?;
    if let Some(range) = &arguments.win {
        range.contains(&next.choice?.evaluation?.win).then_some(())?;
    }
    first.iter().map(|ply| ply.mv.placement()).collect()
}
