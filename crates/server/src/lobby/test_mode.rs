//! The test mode of season 2021, in which the server sums up the results of named players.

use game::Team;
use protocol::{GameResult, ServerMessage};

/// The summed up results of all players that had one in test mode.
#[derive(Clone, Debug, Default)]
pub(super) struct TestMode {
    pub(super) enabled: bool,
    players: Vec<Player>,
}

/// The results of a player.
#[derive(Clone, Debug)]
struct Player {
    name: String,
    games: u32,
    victory_points: i64,
    mean_points: Decimal,
}

impl TestMode {
    /// Adds a result of two players, if it counts: those of the same name cannot be distinguished.
    pub(super) fn add(&mut self, names: [&str; 2], result: &GameResult) {
        if !self.enabled || names[0] == names[1] {
            return;
        }
        for (team, name) in Team::ALL.into_iter().zip(names) {
            let known = self.players.iter().position(|player| player.name == name);
            let index = known.unwrap_or_else(|| {
                let mean_points = Decimal { unscaled: 0, scale: 0 };
                self.players.push(Player { name: name.to_owned(), games: 0, victory_points: 0, mean_points });
                self.players.len() - 1
            });
            let player = &mut self.players[index];
            let score = result.score(team);
            player.games += 1;
            player.victory_points += i64::from(score.victory_points);
            player.mean_points = player.mean_points.mean_with(player.games, score.points);
        }
    }

    /// What is told about a player who has had a result.
    pub(super) fn score(&self, name: &str) -> Option<ServerMessage> {
        let player = self.players.iter().find(|player| player.name == name)?;
        let values = [player.victory_points.to_string(), player.mean_points.to_string()];
        Some(ServerMessage::PlayerScore { name: player.name.clone(), games: player.games, values })
    }
}

/// A decimal number as the official server calculates with them: `unscaled / 10^scale`. Its means are shown with
/// their rounding errors, so that these have to be the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Decimal {
    unscaled: i128,
    scale: u32,
}

impl Decimal {
    /// Places after the point of a quotient.
    const QUOTIENT_SCALE: u32 = 6;
    /// Digits of a mean.
    const DIGITS: u32 = 8;

    /// A quotient, rounded half up.
    fn quotient(dividend: i128, divisor: i128) -> Self {
        let dividend = dividend * 10i128.pow(Self::QUOTIENT_SCALE);
        Self { unscaled: divide_half_up(dividend, divisor), scale: Self::QUOTIENT_SCALE }
    }

    /// The mean of `count` numbers: of the last, and of those before, whose mean is this.
    fn mean_with(self, count: u32, last: i32) -> Self {
        let count = i128::from(count);
        let weight = Self::quotient(count - 1, count);
        let share = Self::quotient(i128::from(last), count);
        let old = Self { unscaled: self.unscaled * weight.unscaled, scale: self.scale + weight.scale };
        let share = share.unscaled * 10i128.pow(old.scale - share.scale);
        Self { unscaled: old.unscaled + share, scale: old.scale }.rounded()
    }

    fn rounded(mut self) -> Self {
        while self.unscaled.abs() >= 10i128.pow(Self::DIGITS) {
            let digits = self.unscaled.abs().ilog10() + 1;
            let surplus = digits - Self::DIGITS;
            self.unscaled = divide_half_up(self.unscaled, 10i128.pow(surplus));
            self.scale -= surplus;
        }
        // A zero has one digit whatever its scale, which would grow with every game.
        let scale = if self.unscaled == 0 { self.scale.min(Self::ZERO_SCALE) } else { self.scale };
        Self { scale, ..self }
    }

    /// The largest scale of a zero that is kept; its text is never looked at so closely.
    const ZERO_SCALE: u32 = 12;
}

/// Rounds half away from zero.
fn divide_half_up(dividend: i128, divisor: i128) -> i128 {
    let half = divisor / 2 * dividend.signum();
    (dividend + half) / divisor
}

impl std::fmt::Display for Decimal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { unscaled, scale } = *self;
        // Numbers with many zeros after the point have an exponent.
        if unscaled == 0 && scale > Self::QUOTIENT_SCALE {
            return write!(f, "0E-{scale}");
        }
        let unit = 10i128.pow(scale);
        let (whole, rest) = (unscaled / unit, unscaled.abs() % unit);
        match scale {
            0 => write!(f, "{whole}"),
            scale => write!(f, "{whole}.{rest:0width$}", width = scale as usize),
        }
    }
}

#[cfg(test)]
mod tests {
    use protocol::{Cause, Score};

    use super::*;

    /// The means of the official server after 5, 5 and 5 points, and after 0, 5 and 0.
    #[test]
    fn means_are_those_of_the_official_server() {
        let mut tests = TestMode { enabled: true, ..TestMode::default() };
        let mut means = Vec::new();
        for (one, two) in [(5, 0), (5, 5), (5, 0)] {
            let scores = [Score::new(Cause::Regular, 2, one), Score::new(Cause::Left, 0, two)];
            tests.add(
                ["one", "two"],
                &GameResult { scores, is_lone: false, winners: vec![], regular: false, reason: String::new() },
            );
            means.push(["one", "two"].map(|name| match tests.score(name) {
                Some(ServerMessage::PlayerScore { values: [_, mean], .. }) => mean,
                other => panic!("{other:?}"),
            }));
        }
        let expected = [["5.000000", "0.000000"], ["5.0000000", "2.5000000"], ["5.0000020", "1.6666675"]];
        assert_eq!(means, expected.map(|means| means.map(str::to_owned)));
    }

    #[test]
    fn zeros_stay_zeros() {
        let mut mean = Decimal { unscaled: 0, scale: 0 };
        let texts: Vec<String> = (1..=100)
            .map(|count| {
                mean = mean.mean_with(count, 0);
                mean.to_string()
            })
            .collect();
        assert_eq!((texts[0].as_str(), texts[1].as_str(), texts[99].as_str()), ("0.000000", "0E-12", "0E-12"));
    }
}
