//! Games on their way from a worker to the coordinator.

use std::time::Duration;

use game::{Move, Team};
use player::Evaluation;
use record::limits::MOST_PLIES;
use record::{Fault, FaultKind};
use serde::{Deserialize, Serialize};

use crate::games::contest::Pairing;
use crate::games::played::{Choice, PlayedGame, Ply, Side};

/// Maximum length of the detail of a fault, in bytes. Programs of this version send less.
const MOST_DETAIL: usize = 2 << 10;

/// The games of a pair.
#[derive(Serialize, Deserialize)]
pub(super) struct PairResult {
    games: Vec<WireGame>,
}

#[derive(Serialize, Deserialize)]
struct WireGame {
    /// Whether it is the second of the pair.
    swapped: bool,
    plies: Vec<WirePly>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<WireFault>,
}

#[derive(Serialize, Deserialize)]
struct WirePly {
    #[serde(rename = "move")]
    mv: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    choice: Option<WireChoice>,
}

#[derive(Serialize, Deserialize)]
struct WireChoice {
    micros: u64,
    win: Option<f32>,
    margin: Option<f32>,
    nodes: u64,
    depth: u32,
}

#[derive(Serialize, Deserialize)]
struct WireFault {
    side: String,
    kind: String,
    detail: String,
}

impl PairResult {
    pub(super) fn new(games: &[PlayedGame]) -> Self {
        Self { games: games.iter().map(WireGame::new).collect() }
    }

    /// As bytes of JSON.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        // All of it are numbers, texts and lists of such.
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Both games, which begin as `pairing` says of each.
    ///
    /// # Errors
    /// The reason why the games are invalid. A worker that respects the rules never causes it.
    pub(super) fn games(&self, pairing: impl Fn(bool) -> Result<Pairing, String>) -> Result<[PlayedGame; 2], String> {
        let game = |swapped| {
            let mut found = self.games.iter().filter(|game| game.swapped == swapped);
            let (Some(game), None) = (found.next(), found.next()) else {
                return Err(format!("{} games of the pair, of which each is needed once", self.games.len()));
            };
            game.played(&pairing(swapped)?)
        };
        Ok([game(false)?, game(true)?])
    }
}

impl WireGame {
    fn new(game: &PlayedGame) -> Self {
        let choice = |choice: &Choice| WireChoice {
            micros: choice.time.as_micros() as u64,
            win: choice.evaluation.map(|evaluation| evaluation.win),
            margin: choice.evaluation.map(|evaluation| evaluation.margin),
            nodes: choice.nodes,
            depth: choice.depth,
        };
        let plies =
            game.plies.iter().map(|ply| WirePly { mv: ply.mv.to_string(), choice: ply.choice.as_ref().map(choice) });
        let fault = game.fault.as_ref().map(|(side, fault)| WireFault {
            side: side.name().to_owned(),
            kind: fault.kind.name().to_owned(),
            detail: fault.detail.clone(),
        });
        Self { swapped: game.team_of_a == Team::Two, plies: plies.collect(), fault }
    }

    fn played(&self, pairing: &Pairing) -> Result<PlayedGame, String> {
        let plies = self.plies.iter().map(WirePly::ply).collect::<Result<Vec<_>, _>>()?;
        let opening: Vec<Move> = plies.iter().map_while(|ply| ply.choice.is_none().then_some(ply.mv)).collect();
        if opening != pairing.opening[..opening.len().min(pairing.opening.len())]
            || opening.len() < pairing.opening.len() && self.fault.is_none()
            || plies[opening.len()..].iter().any(|ply| ply.choice.is_none())
        {
            return Err("it does not begin as the plan says".to_owned());
        }
        if plies.len() > MOST_PLIES {
            return Err(format!("it has {} moves, at most {MOST_PLIES} are possible", plies.len()));
        }
        if plies.is_empty() && !pairing.opening.is_empty() {
            return Err("it has no moves, not even those of the opening".to_owned());
        }
        let mut position = pairing.start;
        for ply in &plies {
            position.try_play(ply.mv).map_err(|refusal| format!("{}: {refusal}", ply.mv))?;
        }
        let fault = self.fault.as_ref().map(WireFault::fault).transpose()?;
        if fault.is_none() && !position.is_over() {
            return Err("it has not ended".to_owned());
        }
        let Pairing { pair, team_of_a, start, .. } = *pairing;
        Ok(PlayedGame { pair, team_of_a, start, plies, fault })
    }
}

impl WirePly {
    fn ply(&self) -> Result<Ply, String> {
        let mv = self.mv.parse().map_err(|error| format!("{error}"))?;
        let choice = self.choice.as_ref().map(|choice| Choice {
            time: Duration::from_micros(choice.micros),
            evaluation: choice.win.zip(choice.margin).and_then(|(win, margin)| Evaluation::checked(win, margin)),
            nodes: choice.nodes,
            depth: choice.depth,
        });
        Ok(Ply { mv, choice })
    }
}

impl WireFault {
    fn fault(&self) -> Result<(Side, Fault), String> {
        let side = Side::from_name(&self.side).ok_or_else(|| format!("`{}` is no side", self.side))?;
        let kind: FaultKind = self.kind.parse().map_err(|error| format!("{error}"))?;
        let ends = self.detail.char_indices().map(|(start, letter)| start + letter.len_utf8());
        let end = ends.take_while(|&end| end <= MOST_DETAIL).last().unwrap_or(0);
        Ok((side, Fault::new(kind, &self.detail[..end])))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::atomic::AtomicBool;

    use super::super::{Outcome, games_of, task_of};
    use super::*;
    use crate::matches::{Job, MatchPlan};
    use crate::plan::Plan;
    use crate::ratings::Tally;

    fn plan() -> MatchPlan {
        let text = "games = 2\nnodes = 4\n[[contestant]]\nplayer = 'mcts:memory=1'\n[[contestant]]\nplayer = 'random'";
        text.parse::<Plan>().unwrap().match_plan(0)
    }

    fn games(plan: &MatchPlan) -> Vec<PlayedGame> {
        let mut games = Vec::new();
        let stop = AtomicBool::new(false);
        plan.play(&HashSet::new(), &mut Tally::default(), 1, &stop, |game, _| games.push(game.clone())).unwrap();
        // As exactly as databases keep times.
        for choice in games.iter_mut().flat_map(|game| &mut game.plies).filter_map(|ply| ply.choice.as_mut()) {
            choice.time = Duration::from_micros(choice.time.as_micros() as u64);
        }
        games
    }

    fn read(bytes: &[u8], plan: &MatchPlan) -> Result<[PlayedGame; 2], String> {
        let result: PairResult = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        result.games(|swapped| plan.pairing((0, swapped)).map_err(|error| error.to_string()))
    }

    #[test]
    fn games_round_trip() {
        let plan = plan();
        let mut games = games(&plan);
        assert_eq!(read(&PairResult::new(&games).to_bytes(), &plan).unwrap().to_vec(), games);
        games[1].plies.truncate(9);
        games[1].fault = Some((Side::B, Fault::new(FaultKind::Left, "it's \"gone\"")));
        assert_eq!(read(&PairResult::new(&games).to_bytes(), &plan).unwrap().to_vec(), games);
    }

    #[test]
    fn refuses_forged_faults() {
        let text = "games = 2\n[[contestant]]\nplayer = 'exec:a'\n[[contestant]]\nplayer = 'random'";
        let plan = text.parse::<Plan>().unwrap().match_plan(0);
        let start = plan.pairing((0, false)).unwrap();
        let sent = |side, moves: &[Move], detail: &str| {
            let game = |swapped| {
                let team_of_a = if swapped { Team::Two } else { Team::One };
                let plies = moves.iter().map(|&mv| Ply { mv, choice: None }).collect();
                let fault = Some((side, Fault::new(FaultKind::Left, detail)));
                PlayedGame { pair: 0, team_of_a, start: start.start, plies, fault }
            };
            let result = PairResult::new(&[game(false), game(true)]).to_bytes();
            let outcome = Outcome { worker: "w".to_owned(), result, file: None };
            games_of(&outcome, task_of(Job { number: 0, pair: 0 }), &plan)
        };
        assert!(sent(Side::B, &start.opening, "").unwrap_err().contains("built-in"));
        assert!(sent(Side::A, &[], "").unwrap_err().contains("no moves"));
        let [game, _] = sent(Side::A, &start.opening, &"ä".repeat(200_000)).unwrap();
        let detail = game.fault.as_ref().map_or(0, |(_, fault)| fault.detail.len());
        assert!((MOST_DETAIL - 1..=MOST_DETAIL).contains(&detail), "{detail} bytes");
        assert!(game.verdict().len() < MOST_DETAIL);
    }

    #[test]
    fn rejects_games_outside_the_plan() {
        let plan = plan();
        let right = games(&plan);
        let changed = |change: fn(&mut Vec<PlayedGame>)| {
            let mut games = right.clone();
            change(&mut games);
            read(&PairResult::new(&games).to_bytes(), &plan).unwrap_err()
        };
        assert!(changed(|games| games.truncate(1)).contains("1 games of the pair"));
        assert!(changed(|games| games[1] = games[0].clone()).contains("2 games of the pair"));
        assert!(changed(|games| _ = games[0].plies.pop()).contains("has not ended"));
        assert!(changed(|games| games[0].plies.swap(8, 9)).contains(':'));
        assert!(changed(|games| games[0].plies[1].choice = games[0].plies[5].choice).contains("does not begin"));
        assert!(changed(|games| games[0].plies[5].choice = None).contains("does not begin"));
        let other = MatchPlan { seed: plan.seed + 1, ..plan.clone() };
        assert!(read(&PairResult::new(&right).to_bytes(), &other).is_err());
    }
}
