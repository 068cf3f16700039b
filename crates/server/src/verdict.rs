//! Results in the form of a season.

use game::{Position, Team};
use protocol::{Cause, GameResult, Score, Season};

use crate::time_limits::TimeLimits;

/// The end of a game.
///
/// ```
/// use server::TimeLimits;
/// use server::verdict::{DisconnectReason, Ending, RuleBreach};
/// use game::{Piece, Position, Rules, Team};
/// use protocol::Season;
///
/// let position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
/// let ending = Ending::Fault { team: Team::One, fault: RuleBreach::Left(DisconnectReason::LostConnection) };
/// let result = ending.result(Season::Season2027, &position, &[None, None], TimeLimits::default());
/// assert_eq!((result.winner(), result.regular), (Some(Team::Two), false));
/// # Ok::<(), game::SetupError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// No team is at fault: the points decide.
    Regular,
    /// A team is at fault and has lost.
    Fault {
        /// The team at fault.
        team: Team,
        /// The fault of the team.
        fault: RuleBreach,
    },
    /// Both teams are at fault and have lost (season 2027), with their faults, team one first.
    Faults([RuleBreach; 2]),
}

/// A breach of the rules or of the protocol that ends a game early.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RuleBreach {
    /// An illegal move.
    IllegalMove {
        /// The broken rule.
        reason: String,
        /// The move in words, unless the official server omits it.
        mv: Option<String>,
    },
    /// A move without a request, with the message to the player. Ends games in season 2027 only.
    OutOfTurn(String),
    /// A late answer.
    Late,
    /// No answer at all.
    Silent,
    /// The player left.
    Left(DisconnectReason),
}

/// Reason why a player left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DisconnectReason {
    /// The client sent an unreadable message.
    ProtocolError,
    /// The client sent an incomplete message.
    Unknown,
    /// The connection ended.
    LostConnection,
    /// The client ended the session.
    ReceivedDisconnect,
    /// The client never joined.
    NotConnected,
}

impl DisconnectReason {
    /// Returns the name in results of season 2027, for example `LOST_CONNECTION`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ProtocolError => "PROTOCOL_ERROR",
            Self::Unknown => "UNKNOWN",
            Self::LostConnection => "LOST_CONNECTION",
            Self::ReceivedDisconnect => "RECEIVED_DISCONNECT",
            Self::NotConnected => "NOT_CONNECTED",
        }
    }
}

impl Ending {
    /// Returns the result that the season's server sends, with the `names` of the players. The reasons mention the
    /// `limits`.
    pub fn result(
        &self,
        season: Season,
        position: &Position,
        names: &[Option<String>; 2],
        limits: TimeLimits,
    ) -> GameResult {
        let mut result = GameResult {
            scores: Team::ALL.map(|team| Score {
                name: names[team as usize].clone(),
                ..Score::new(Cause::Regular, self.victory_points(position, team), position.team_points(team))
            }),
            is_lone: false,
            winners: Vec::new(),
            regular: *self == Self::Regular,
            reason: String::new(),
        };
        match season {
            Season::Season2021 => self.finish_2021(&mut result, limits),
            Season::Season2027 => self.finish_2027(&mut result, limits),
        }
        result
    }

    /// Returns 2 for a win, 1 for a draw, 0 for a loss.
    fn victory_points(&self, position: &Position, team: Team) -> i32 {
        match self {
            Self::Fault { team: guilty, .. } => 2 * i32::from(*guilty != team),
            Self::Faults(_) => 0,
            Self::Regular => 1 + position.margin(team).signum(),
        }
    }

    /// Writes the cause into the score of the team at fault. Except after an illegal move the official server names the
    /// winners by points, so that it may name the team at fault, or both.
    fn finish_2021(&self, result: &mut GameResult, limits: TimeLimits) {
        let names_right_winner = match self {
            Self::Regular | Self::Faults(_) => false,
            Self::Fault { team, fault } => {
                let score = &mut result.scores[*team as usize];
                (score.cause, score.reason) = match fault {
                    RuleBreach::IllegalMove { reason, mv: Some(mv) } => {
                        (Cause::RuleViolation, format!("{reason} bei Zug '{mv}'"))
                    }
                    RuleBreach::IllegalMove { reason, mv: None } => (Cause::RuleViolation, reason.clone()),
                    RuleBreach::OutOfTurn(text) => (Cause::RuleViolation, text.clone()),
                    RuleBreach::Late => (Cause::SoftTimeout, no_move_within(limits.soft.as_secs_f32())),
                    RuleBreach::Silent => (Cause::HardTimeout, no_move_within(limits.hard.as_secs_f32())),
                    RuleBreach::Left(_) => (Cause::Left, "Der Spieler hat das Spiel verlassen".to_owned()),
                };
                score.cause == Cause::RuleViolation
            }
        };
        let value = |score: &Score| if names_right_winner { score.victory_points } else { score.points };
        let values = [value(&result.scores[0]), value(&result.scores[1])];
        let best = values[0].max(values[1]);
        result.winners = Team::ALL.into_iter().filter(|&team| values[team as usize] == best).collect();
    }

    /// Writes the winner and the reason. A team at fault gets no points.
    fn finish_2027(&self, result: &mut GameResult, limits: TimeLimits) {
        let name = |team: Team| result.score(team).name.clone().unwrap_or_else(|| team.name().to_owned());
        match self {
            Self::Regular => {
                let winner = result.winner();
                result.reason = match winner {
                    None => "Beide Spieler sind gleichauf".to_owned(),
                    Some(team) => format!("{} hat am meisten Punkte erzielt.", name(team)),
                };
                result.winners.extend(winner);
            }
            Self::Fault { team, fault } => {
                result.reason = fault.blame(&name(*team), limits);
                result.scores[*team as usize].points = 0;
                result.winners.push(team.opponent());
            }
            Self::Faults([first, _]) => {
                result.reason = first.blame("Alle Spieler", limits);
                result.scores.iter_mut().for_each(|score| score.points = 0);
            }
        }
    }
}

impl RuleBreach {
    /// Returns the reason in results of season 2027.
    fn blame(&self, guilty: &str, limits: TimeLimits) -> String {
        let soft = limits.soft.as_secs_f32();
        match self {
            Self::IllegalMove { reason, mv: Some(mv) } => {
                format!("Regelverletzung von {guilty}: {reason} bei '{mv}'")
            }
            Self::IllegalMove { reason, mv: None } => format!("Regelverletzung von {guilty}: {reason}"),
            Self::OutOfTurn(text) => format!("Missachtung des Spielablaufs von {guilty}: {text}"),
            Self::Late => {
                format!("{guilty} hat fuer die Antwort auf die Zugaufforderung laenger als {soft} Sekunden gebraucht.")
            }
            // The official server names the limit for late answers here, too.
            Self::Silent => {
                format!("{guilty} hat innerhalb von {soft} Sekunden nach Aufforderung keinen Zug gesendet.")
            }
            Self::Left(how) => format!("{guilty} hat das Spiel verlassen: {}", how.name()),
        }
    }
}

fn no_move_within(seconds: f32) -> String {
    format!("Der Spieler hat innerhalb von {seconds} Sekunden nach Aufforderung keinen Zug gesendet")
}
