//! Converts replays of the official servers ([`protocol::Replay`]) into games and back.

use game::Team;
use protocol::{Cause, GameResult, NO_NAME, Replay, ReplayError, Season, WireMove};

use crate::fault::{Fault, FaultKind};
use crate::tree::{Game, NodeId};

/// The game of a replay with checked moves. A truncated replay gives an unfinished game.
///
/// # Errors
/// [`ReplayError`]
///
/// ```
/// use game::{Piece, Position, Rules};
/// use protocol::Replay;
/// use record::{Verdict, replay};
///
/// let start = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
/// let cut_off = Replay::of_game("room", &start, ["PENTO_W@0,0".parse()?], ["one", "two"]);
/// let game = replay::read(&cut_off.expect("a season has these rules"))?;
/// assert_eq!((game.moves().count(), game.verdict()), (1, Verdict::Unfinished));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read(replay: &Replay) -> Result<Game, ReplayError> {
    let (start, moves) = replay.game()?;
    let mut game = Game::new(start);
    let mut cursor = game.cursor(NodeId::START);
    for mv in moves {
        let (turn, color) = (cursor.position().turn(), cursor.position().color());
        let illegal = |refusal| ReplayError::Illegal { turn, mv: WireMove::new(color, mv), refusal };
        cursor.play(mv).map_err(illegal)?;
    }
    game.names = Team::ALL.map(|team| name(replay, team));
    game.id = replay.room.clone();
    game.fault = replay.result.as_ref().and_then(|result| fault(result, replay.season));
    Ok(game)
}

/// The main line of a game as a replay without a result; `None` for rules of no season.
pub fn write(game: &Game) -> Option<Replay> {
    Replay::of_game(&game.id, game.start(), game.moves(), game.names.each_ref().map(String::as_str))
}

/// The name of a team's player, or an empty one.
fn name(replay: &Replay, team: Team) -> String {
    let in_states = replay.states.first().and_then(|state| state.names.as_ref());
    let in_states = in_states.map(|names| names[team as usize].clone());
    let in_result = replay.result.as_ref().and_then(|result| result.score(team).name.clone());
    in_result.or(in_states).filter(|name| name != NO_NAME).unwrap_or_default()
}

/// The fault in a result, with the guilty team.
fn fault(result: &GameResult, season: Season) -> Option<(Team, Fault)> {
    let guilty = match season {
        Season::Season2021 => Team::ALL.into_iter().find(|&team| result.score(team).cause != Cause::Regular)?,
        Season::Season2027 if result.regular => return None,
        Season::Season2027 => result.winner()?.opponent(),
    };
    let reason = match season {
        Season::Season2021 => &result.score(guilty).reason,
        Season::Season2027 => &result.reason,
    };
    let kind = match result.score(guilty).cause {
        Cause::RuleViolation => FaultKind::Illegal,
        Cause::SoftTimeout | Cause::HardTimeout => FaultKind::Late,
        Cause::Left | Cause::Unknown => FaultKind::Left,
        Cause::Regular if reason.contains("verlassen") => FaultKind::Left,
        Cause::Regular if reason.contains("Sekunden") => FaultKind::Late,
        Cause::Regular => FaultKind::Illegal,
    };
    Some((guilty, Fault::new(kind, reason)))
}
