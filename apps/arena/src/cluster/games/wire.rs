//! Games on their way from a worker to the coordinator, as [lines of JSON](json).

use game::Move;
use record::limits::MAX_PLIES;
use record::{Fault, Game, json};

use crate::games::contest::Pairing;
use crate::games::played::{PlayedGame, Side};

/// Maximum length of the detail of a fault, in bytes. Programs of this version send less.
const MAX_DETAIL: usize = 2 << 10;

/// Writes games. The names of the players are their sides.
pub(super) fn write(games: &[PlayedGame]) -> Vec<u8> {
    let line = |game: &PlayedGame| json::write(&game.to_game(Side::ALL.map(Side::name))) + "\n";
    games.iter().map(line).collect::<String>().into_bytes()
}

/// Reads both games of a pair. `pairing` contains the start of each.
///
/// # Errors
/// The reason why the games are invalid. A worker that respects the rules never causes it.
pub(super) fn read(bytes: &[u8], pairing: impl Fn(bool) -> Result<Pairing, String>) -> Result<[PlayedGame; 2], String> {
    let lines = std::str::from_utf8(bytes).map_err(|error| error.to_string())?.lines().zip(1..);
    let games = lines.map(|(line, number)| json::read_line(line, number)).collect::<Result<Vec<_>, _>>();
    let games = games.map_err(|error| error.to_string())?;
    let game = |swapped| {
        let pairing = pairing(swapped)?;
        let mut found = games.iter().filter(|game| game.names[pairing.team_of_a as usize] == Side::A.name());
        match (found.next(), found.next()) {
            (Some(game), None) => played(game, &pairing),
            _ => Err(format!("{} games of the pair, each is needed once", games.len())),
        }
    };
    Ok([game(false)?, game(true)?])
}

fn played(game: &Game, &Pairing { pair, team_of_a, start, ref opening, .. }: &Pairing) -> Result<PlayedGame, String> {
    let fault = game.fault.as_ref().map(|(team, fault)| {
        let side = if *team == team_of_a { Side::A } else { Side::B };
        (side, Fault::new(fault.kind, shortened(&fault.detail)))
    });
    let game = PlayedGame { team_of_a, fault, ..PlayedGame::of_game(game, pair) };
    let plies = &game.plies;
    let forced: Vec<Move> = plies.iter().map_while(|ply| ply.choice.is_none().then_some(ply.mv)).collect();
    if game.start != start
        || forced != opening[..forced.len().min(opening.len())]
        || forced.len() < opening.len() && game.fault.is_none()
        || plies[forced.len()..].iter().any(|ply| ply.choice.is_none())
    {
        return Err("it does not begin like the game of the plan".to_owned());
    }
    if plies.len() > MAX_PLIES {
        return Err(format!("it has {} moves, at most {MAX_PLIES} are possible", plies.len()));
    }
    if plies.is_empty() && !opening.is_empty() {
        return Err("it lacks the moves of its opening".to_owned());
    }
    if game.outcome(Side::A).is_none() {
        return Err("it has not ended".to_owned());
    }
    Ok(game)
}

fn shortened(detail: &str) -> &str {
    let ends = detail.char_indices().map(|(start, letter)| start + letter.len_utf8());
    &detail[..ends.take_while(|&end| end <= MAX_DETAIL).last().unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::super::games_of;
    use game::Team;
    use record::FaultKind;

    use super::*;
    use crate::games::played::{GameId, Ply};
    use crate::plan::Plan;

    fn plan() -> Plan {
        let text = "games = 2\nnodes = 4\n[[contestant]]\nplayer = 'mcts:memory=1'\n[[contestant]]\nplayer = 'random'";
        text.parse::<Plan>().unwrap().match_plan(0)
    }

    fn games(plan: &Plan) -> Vec<PlayedGame> {
        let mut games = Vec::new();
        let stop = AtomicBool::new(false);
        plan.play(1, &stop, |game| games.push(game)).unwrap();
        games
    }

    fn read_for(bytes: &[u8], plan: &Plan) -> Result<[PlayedGame; 2], String> {
        read(bytes, |is_swapped| plan.pairing(GameId { pair: 0, is_swapped }).map_err(|error| error.to_string()))
    }

    #[test]
    fn games_round_trip() {
        let plan = plan();
        let mut games = games(&plan);
        for fault in [None, Some((Side::B, Fault::new(FaultKind::Left, "it's \"gone\"")))] {
            games[1].fault = fault;
            let read = read_for(&write(&games), &plan).unwrap();
            // Both are rounded in a file.
            let files = |games: &[PlayedGame]| games.iter().map(|game| game.to_game(["A", "B"])).collect::<Vec<_>>();
            assert_eq!(files(&read), files(&games));
            assert_eq!(read[1].fault, games[1].fault);
            games[1].plies.truncate(9);
        }
    }

    #[test]
    fn rejects_forged_faults() {
        let text = "games = 2\n[[contestant]]\nplayer = 'exec:a'\n[[contestant]]\nplayer = 'random'";
        let plan = text.parse::<Plan>().unwrap().match_plan(0);
        let start = plan.pairing(GameId { pair: 0, is_swapped: false }).unwrap();
        let sent = |side, moves: &[Move], detail: &str| {
            let game = |swapped| {
                let team_of_a = if swapped { Team::Two } else { Team::One };
                let plies = moves.iter().map(|&mv| Ply { mv, choice: None }).collect();
                let fault = Some((side, Fault::new(FaultKind::Left, detail)));
                PlayedGame { pair: 0, team_of_a, start: start.start, plies, fault }
            };
            games_of(&write(&[game(false), game(true)]), 0, &plan)
        };
        assert!(sent(Side::B, &start.opening, "").unwrap_err().contains("built-in"));
        assert!(sent(Side::A, &[], "").unwrap_err().contains("lacks the moves"));
        let [game, _] = sent(Side::A, &start.opening, &"ä".repeat(200_000)).unwrap();
        let detail = game.fault.as_ref().map_or(0, |(_, fault)| fault.detail.len());
        assert!((MAX_DETAIL - 1..=MAX_DETAIL).contains(&detail), "{detail} bytes");
        assert!(game.verdict().len() < MAX_DETAIL);
    }

    #[test]
    fn rejects_games_outside_the_plan() {
        let plan = plan();
        let right = games(&plan);
        let changed = |change: fn(&mut Vec<PlayedGame>)| {
            let mut games = right.clone();
            change(&mut games);
            read_for(&write(&games), &plan).unwrap_err()
        };
        assert!(changed(|games| games.truncate(1)).contains("1 games of the pair"));
        assert!(changed(|games| games[1] = games[0].clone()).contains("2 games of the pair"));
        assert!(changed(|games| _ = games[0].plies.pop()).contains("has not ended"));
        assert!(changed(|games| games[0].plies.swap(8, 9)).contains("has not ended"));
        assert!(changed(|games| games[0].plies[1].choice = games[0].plies[5].choice).contains("does not begin"));
        assert!(changed(|games| games[0].plies[5].choice = None).contains("does not begin"));
        let other = Plan { seed: plan.seed + 1, ..plan.clone() };
        assert!(read_for(&write(&right), &other).is_err());
    }
}
