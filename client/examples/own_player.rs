//! A client with a player of your own.

use std::process::ExitCode;

use game::{Move, Position};
use player::{FromOptions, Options, Player, Report, SearchLimits, boxed};

/// Places the largest piece that fits; on ties, the one that leaves the most placements for the next move.
pub struct OwnPlayer;

impl FromOptions for OwnPlayer {
    fn new(_options: &Options) -> Self {
        Self
    }
}

impl Player for OwnPlayer {
    fn name(&self) -> &str {
        "own"
    }

    fn choose(&mut self, position: &Position, _limits: &SearchLimits) -> Report {
        let color = position.color();
        let placements = position.placements();
        let best = placements.into_iter().max_by_key(|&placement| {
            let next = position.after(Move::Place(placement));
            (placement.piece().size(), next.board().count_placements(color))
        });
        Report::without_search(best.map_or(Move::Pass, Move::Place))
    }
}

fn main() -> ExitCode {
    client::program::run(boxed::<OwnPlayer>)
}
