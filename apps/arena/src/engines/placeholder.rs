//! Placeholders in the commands of engines.

use protocol::gtp::write_game;

use super::{Budget, GameStart};

/// Replaces `{game}` (the rules as `set_game` names them), `{season}` (the rules as `--season` names them), `{start}`
/// (the start piece, or `-`), `{ms}` and `{nodes}` (limits per move, 0 for none) and `{seed}`.
pub(super) fn fill(text: &str, game: &GameStart, budget: &Budget) -> String {
    let rules = game.position.rules();
    let start = game.position.start_piece().map_or("-", |piece| piece.name());
    let ms = budget.time.map_or(0, |time| time.as_millis());
    text.replace("{game}", write_game(rules))
        .replace("{season}", rules.name())
        .replace("{start}", start)
        .replace("{ms}", &ms.to_string())
        .replace("{nodes}", &budget.nodes.unwrap_or(0).to_string())
        .replace("{seed}", &game.seed.to_string())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use game::{Piece, Position, Rules, Team};

    use super::*;

    #[test]
    fn replaces_all_placeholders() {
        let position = Position::new(Rules::Season2027, Some(Piece::PentoW)).unwrap();
        let game = GameStart { position, team: Team::One, seed: 7 };
        let budget = Budget { time: Some(Duration::from_millis(20)), nodes: None };
        let text = fill("{game} {season} {start} {ms} {nodes} {seed} {x}", &game, &budget);
        assert_eq!(text, "2027 2027 PENTO_W 20 0 7 {x}");
        let game = GameStart { position: Position::new(Rules::Classic, None).unwrap(), ..game };
        assert_eq!(fill("{game} {season} {start}", &game, &budget), "Blokus Two-Player classic -");
    }
}
