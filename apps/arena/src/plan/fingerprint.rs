//! Fingerprint of the games that a program plays.

use player::bench;

use super::{Plan, PlanError};
use crate::files::sha256;

/// Nodes for each position of the benchmark: enough that nearly every change of a player shows, in less than a second.
const NODES: u64 = 500;

impl Plan {
    /// Returns 16 hexadecimal digits that are equal for two builds that play the same games: a hash of the built-in
    /// contestants' choices in the [benchmark](mod@bench) positions, searched with one thread, and of the first
    /// openings. External programs are ignored.
    pub fn fingerprint(&self) -> Result<String, PlanError> {
        let mut text = String::new();
        for entrant in &self.contestants {
            if let Some(mut player) = entrant.spec.player(1) {
                let positions = bench::positions().unwrap_or_default();
                let samples: Vec<_> =
                    positions.iter().map(|position| bench::sample(&mut *player, position, NODES)).collect();
                text += &format!("{:016x} ", bench::fingerprint(&samples));
            }
        }
        let (start, moves) = self.opening.of_pair(self.seed, 0).draw(self.rules, self.start_piece, self.seed)?;
        text += &start.to_string();
        text.extend(moves.iter().map(|mv| format!(" {mv}")));
        Ok(sha256(text)[..16].to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprint_depends_on_players_and_openings() {
        let fingerprint = |text: &str| {
            let plan = format!("{text}\n[[contestant]]\nplayer = 'random'").parse::<Plan>().unwrap();
            plan.fingerprint().unwrap()
        };
        let first = fingerprint("[[contestant]]\nplayer = 'mcts:memory=1'");
        assert_eq!(first.len(), 16);
        assert_eq!(first, fingerprint("games = 2\n[[contestant]]\nplayer = 'mcts:memory=1,threads=3'"));
        assert_ne!(first, fingerprint("[[contestant]]\nplayer = 'mcts:memory=1,exploration=0.9'"));
        let seeds = [1, 2].map(|seed| fingerprint(&format!("seed = {seed}\n[[contestant]]\nplayer = 'random'")));
        assert_ne!(seeds[0], seeds[1]);
    }
}
