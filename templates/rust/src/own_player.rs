//! Our player: `value` rates each placement.

use client::game::{Move, Placement, Position};
use client::player::{FromOptions, Options, Player, Report, SearchLimits};

/// Tries every placement and takes the one with the best value.
pub struct OwnPlayer;

/// Returns the value of a placement for the colour to move: its cells, room for the next piece, and less room for the
/// opponents. The numbers are guesses. Change them, add to them, and measure.
fn value(position: &Position, placement: Placement) -> i32 {
    let color = position.color();
    let next = position.after(Move::Place(placement));
    let room = |color| next.board().count_placements(color) as i32;
    let cells = placement.piece().size() as i32;
    let opponents: i32 = color.opponents().into_iter().map(room).sum();
    20 * cells + room(color) - opponents / 2
}

impl Player for OwnPlayer {
    fn name(&self) -> &str {
        "own"
    }

    /// Returns the move for the colour to move. For a longer search, rename `_limits` to `limits` and stop when
    /// `limits.is_reached(nodes)` returns `true`.
    fn choose(&mut self, position: &Position, _limits: &SearchLimits) -> Report {
        let placements = position.placements();
        let best = placements
            .into_iter()
            .max_by_key(|&placement| value(position, placement));
        Report::without_search(best.map_or(Move::Pass, Move::Place))
    }
}

impl FromOptions for OwnPlayer {
    fn new(_options: &Options) -> Self {
        Self
    }
}

#[cfg(test)]
mod tests {
    use client::game::{Piece, Rules};
    use client::player::by_name;

    use super::*;

    /// Plays a game against the built-in player `random` and returns our lead in points.
    fn game_against_random(seed: u64) -> i32 {
        let mut random = by_name(
            "random",
            &Options {
                seed,
                ..Options::default()
            },
        )
        .unwrap();
        let mut position = Position::new(Rules::Season2027, Some(Piece::PentoW)).unwrap();
        let team = position.color().team();
        while !position.is_over() {
            let limits = SearchLimits::nodes(1);
            let own = position.color().team() == team;
            let report = if own {
                OwnPlayer.choose(&position, &limits)
            } else {
                random.choose(&position, &limits)
            };
            // Fails if the move breaks a rule.
            position.try_play(report.mv).unwrap();
        }
        position.margin(team)
    }

    #[test]
    fn follows_the_rules_and_beats_random_moves() {
        let ahead: Vec<i32> = (0..5).map(game_against_random).collect();
        assert!(
            ahead.iter().filter(|&&points| points > 0).count() >= 4,
            "points ahead in five games: {ahead:?}"
        );
    }
}
