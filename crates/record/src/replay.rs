//! Converts replays of the official servers ([`protocol::Replay`]) into games and back.

use game::Team;
use protocol::{Cause, GameResult, NO_NAME, Replay, ReplayError, Score, Season, WireMove};

use crate::fault::{Fault, FaultKind};
use crate::tree::{Game, NodeId};
use crate::verdict::Verdict;

/// Returns the game of a replay with checked moves. A truncated replay gives an unfinished game.
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
/// let cut_off = Replay::from_game("room", &start, ["PENTO_W@0,0".parse()?], ["one", "two"]);
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
        let illegal = |reason| ReplayError::Illegal { turn, mv: WireMove::new(color, mv), reason };
        cursor.play(mv).map_err(illegal)?;
    }
    game.names = Team::ALL.map(|team| name(replay, team));
    game.id = replay.room.clone();
    game.fault = replay.result.as_ref().and_then(|result| fault(result, replay.season));
    Ok(game)
}

/// Returns the main line of a game as a replay; `None` for rules of no season. In season 2027 the result has the names
/// of the players; a game without an end has them in its first state.
pub fn write(game: &Game) -> Option<Replay> {
    let names = game.names.each_ref().map(String::as_str);
    let mut replay = Replay::from_game(&game.id, game.start(), game.moves(), names)?;
    if replay.season == Season::Season2027 {
        replay.result = result_2027(game);
        let has_names = names.iter().any(|name| !name.is_empty());
        replay.states[0].names = (replay.result.is_none() && has_names).then(|| game.names.clone());
    }
    Some(replay)
}

/// Returns the result of a game that has ended.
fn result_2027(game: &Game) -> Option<GameResult> {
    let (end, verdict) = (game.end(), game.verdict());
    if verdict == Verdict::Unfinished {
        return None;
    }
    let scores = Team::ALL.map(|team| {
        let victory_points = match verdict {
            Verdict::Won(winner) if winner == team => 2,
            Verdict::Drawn => 1,
            _ => 0,
        };
        let name = Some(game.names[team as usize].clone()).filter(|name| !name.is_empty());
        Score { name, ..Score::new(Cause::Regular, victory_points, end.team_points(team)) }
    });
    let winners = Team::ALL.into_iter().filter(|&team| verdict == Verdict::Won(team)).collect();
    let reason = game.fault.as_ref().map_or(String::new(), |(_, fault)| reason(fault));
    Some(GameResult { scores, is_lone: false, winners, regular: game.fault.is_none(), reason })
}

/// Sentences of the official server about faults, each with the words that identify the kind.
const REASONS: [(FaultKind, &str, &str); 4] = [
    (FaultKind::Illegal, "Regelverletzung", "Regelverletzung"),
    (FaultKind::Late, "Sekunden", "Die Bedenkzeit ist um einige Sekunden überschritten"),
    (FaultKind::Left, "verlassen", "Der Spieler hat das Spiel verlassen"),
    (FaultKind::Resigned, "aufgegeben", "Der Spieler hat aufgegeben"),
];

/// Returns the kind of a fault in season 2027, where only the reason contains it.
fn kind_of(reason: &str) -> FaultKind {
    let found = REASONS.iter().filter_map(|&(kind, words, _)| Some((reason.find(words)?, kind)));
    found.min_by_key(|&(at, _)| at).map_or(FaultKind::Illegal, |(_, kind)| kind)
}

/// Returns the reason of a fault: its detail, after a sentence about its kind unless the detail contains it.
fn reason(Fault { kind, detail }: &Fault) -> String {
    if !detail.is_empty() && kind_of(detail) == *kind {
        return detail.clone();
    }
    let sentence = REASONS.iter().find(|(known, ..)| known == kind).map_or("", |(_, _, sentence)| sentence);
    if detail.is_empty() { sentence.to_owned() } else { format!("{sentence}: {detail}") }
}

/// Returns the name of a team's player, or an empty one.
fn name(replay: &Replay, team: Team) -> String {
    let in_states = replay.states.first().and_then(|state| state.names.as_ref());
    let in_states = in_states.map(|names| names[team as usize].clone());
    let in_result = replay.result.as_ref().and_then(|result| result.score(team).name.clone());
    in_result.or(in_states).filter(|name| name != NO_NAME).unwrap_or_default()
}

/// Returns the fault in a result, with the guilty team.
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
        _ => kind_of(reason),
    };
    Some((guilty, Fault::new(kind, reason)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Piece, Position, Rules};

    #[test]
    fn names_and_end_survive_in_season_2027() {
        let start = Position::new(Rules::Season2027, Some(Piece::PentoW)).unwrap();
        let kinds = [FaultKind::Resigned, FaultKind::Late, FaultKind::Left, FaultKind::Illegal];
        let faults =
            kinds.into_iter().flat_map(|kind| ["", "ended after 2100 ms"].map(|detail| Fault::new(kind, detail)));
        for fault in faults.map(Some).chain([None]) {
            let mut game = Game::new(start);
            game.play(NodeId::START, "PENTO_W@0,0".parse().unwrap()).unwrap();
            game.names = ["Ada", "level3"].map(str::to_owned);
            game.fault = fault.map(|fault| (Team::Two, fault));
            let xml = write(&game).unwrap().to_xml();
            let again = read(&Replay::parse(xml.as_bytes()).unwrap()).unwrap();
            assert_eq!(again.names, game.names);
            let guilty = |game: &Game| game.fault.as_ref().map(|(team, fault)| (*team, fault.kind));
            assert_eq!((again.verdict(), guilty(&again)), (game.verdict(), guilty(&game)));
            // The reason does not grow when a file is saved again.
            assert_eq!(write(&again).unwrap().to_xml(), xml);
        }
    }

    #[test]
    fn names_of_unfinished_game_add_no_elements() {
        let start = Position::new(Rules::Season2027, Some(Piece::PentoW)).unwrap();
        let mut game = Game::new(start);
        game.play(NodeId::START, "PENTO_W@0,0".parse().unwrap()).unwrap();
        let plain = write(&game).unwrap().to_xml();
        game.names = ["Ada <1>", "level3"].map(str::to_owned);
        let named = write(&game).unwrap().to_xml();
        assert_eq!(read(&Replay::parse(named.as_bytes()).unwrap()).unwrap().names, game.names);
        // The official programs refuse unknown elements and ignore unknown attributes.
        assert_eq!(named.replacen(" first=\"Ada &lt;1&gt;\" second=\"level3\"", "", 1), plain);
    }
}
