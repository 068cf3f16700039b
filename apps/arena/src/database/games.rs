//! Games in the database.

use std::collections::BTreeMap;
use std::time::Duration;

use game::{Position, Team};
use player::Evaluation;
use record::{Fault, Game, Verdict};
use rusqlite::Row;
use serde::Serialize;

use super::{Store, StoreError, StoredMatch, bad_value, parsed};
use crate::games::played::{Choice, GameId, PlayedGame, Ply, Side};

/// Columns of `game` that are the same in each database.
pub(super) const GAME: &str =
    "pair, team_of_a, ended, start, points_a, points_b, score_a, fault_by, fault, fault_detail";

/// A game and its number.
#[derive(Clone, PartialEq, Debug)]
pub struct StoredGame {
    /// The number of the game in the database.
    pub id: i64,
    /// The number of its match.
    pub match_id: i64,
    /// The game.
    pub record: PlayedGame,
}

impl StoredGame {
    /// Returns the name of the game in files.
    pub fn name(&self) -> String {
        format!("match-{}-game-{}", self.match_id, self.id)
    }

    /// Returns the game for a file, named after its match and contestants.
    pub fn to_game(&self, stored: &StoredMatch) -> Game {
        let mut game = self.record.to_game(stored.names.each_ref().map(String::as_str));
        game.id = self.name();
        game
    }
}

/// Entry in a list of games.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ListedGame {
    /// The number of the game in the database.
    pub id: i64,
    /// Time of its end: UTC in RFC 3339.
    pub ended: String,
    /// Names of the contestants, team one first.
    pub names: [String; 2],
    /// Their points.
    pub points: [i32; 2],
    /// Result of the game, in JSON `result`.
    #[serde(rename = "result")]
    pub verdict: Verdict,
}

impl Store {
    /// Adds a game to a match and returns its number. The game is on disk then.
    ///
    /// # Errors
    /// [`StoreError`], also if the match has the game already or the game has not ended.
    pub fn add_game(&mut self, match_id: i64, game: &PlayedGame) -> Result<i64, StoreError> {
        let end = game.end();
        let [points_a, points_b] = Side::ALL.map(|side| end.team_points(game.team(side)));
        let (team, start) = (game.team_of_a.name(), game.start.to_string());
        let score = game.half_points(Side::A).map(|points| points as f64 / 2.0);
        let (by, fault) = game.fault.as_ref().map(|(side, fault)| (side.name(), fault)).unzip();
        let (kind, detail) = fault.map(|fault| (fault.kind.name(), &fault.detail)).unzip();
        self.transact(|transaction| {
            transaction.execute(
                "INSERT INTO game (match, pair, team_of_a, ended, start, points_a, points_b, score_a, fault_by, fault,
                    fault_detail)
                 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (match_id, game.pair, team, super::now(), start, points_a, points_b, score, by, kind, detail),
            )?;
            let id = transaction.last_insert_rowid();
            let mut insert = transaction.prepare_cached("INSERT INTO ply VALUES (?, ?, ?, ?, ?, ?, ?, ?)")?;
            for (number, Ply { mv, choice }) in (0i64..).zip(&game.plies) {
                let evaluation = choice.and_then(|choice| choice.evaluation);
                insert.execute((
                    id,
                    number,
                    mv.to_string(),
                    choice.map(|choice| choice.time.as_micros() as i64),
                    evaluation.map(|evaluation| evaluation.win),
                    evaluation.map(|evaluation| evaluation.margin),
                    choice.map(|choice| choice.nodes as i64),
                    choice.map(|choice| choice.depth),
                ))?;
            }
            Ok(id)
        })
    }

    /// Returns the games of a match by pair, the first of each pair first.
    pub fn games(&self, match_id: i64) -> Result<Vec<StoredGame>, StoreError> {
        self.games_with("game.match", match_id)
    }

    /// Returns the ids of the games of a match.
    pub fn game_ids(&self, match_id: i64) -> Result<Vec<GameId>, StoreError> {
        let sql = "SELECT pair, team_of_a = 'TWO' FROM game WHERE match = ?";
        self.rows(sql, [match_id], |row| Ok(GameId { pair: row.get(0)?, is_swapped: row.get(1)? }))
    }

    /// Returns the games with this value in `column`. Plays their moves.
    fn games_with(&self, column: &str, value: i64) -> Result<Vec<StoredGame>, StoreError> {
        // Both queries see the same games.
        let games = self.transact(|transaction| {
            let mut statement = transaction.prepare(&format!(
                "SELECT game, move, micros, win, margin, nodes, depth FROM ply JOIN game ON ply.game = game.id
                 WHERE {column} = ? ORDER BY game, number"
            ))?;
            let mut plies: BTreeMap<i64, Vec<rusqlite::Result<Ply>>> = BTreeMap::new();
            let mut found = statement.query([value])?;
            while let Some(row) = found.next()? {
                plies.entry(row.get(0)?).or_default().push(read_ply(row));
            }
            let sql = format!("SELECT game.id, match, {GAME} FROM game WHERE {column} = ? ORDER BY pair, team_of_a");
            let mut games = transaction.prepare(&sql)?;
            let read = |row: &Row| {
                let (id, match_id) = (row.get(0)?, row.get(1)?);
                Ok((id, match_id, read_game(row, plies.remove(&id).unwrap_or_default())))
            };
            games.query_map([value], read)?.collect::<rusqlite::Result<Vec<_>>>()
        })?;
        let checked = games.into_iter().map(|(id, match_id, record)| match record {
            Ok(record) => Ok(StoredGame { id, match_id, record }),
            Err(error) => Err(StoreError::Game { path: self.path.clone(), id, match_id, reason: reason_of(error) }),
        });
        checked.collect()
    }

    /// Returns the newest games of a match, the newest first.
    pub fn newest_games(&self, match_id: i64, max_games: u32) -> Result<Vec<ListedGame>, StoreError> {
        let stored = self.find_match(match_id)?;
        let sql = "SELECT id, ended, team_of_a, points_a, points_b, score_a FROM game WHERE match = ?
                   ORDER BY id DESC LIMIT ?";
        self.rows(sql, (match_id, max_games), |row| {
            let team_of_a: Team = parsed(row, 2, "team")?;
            let (mut names, mut points) = (stored.names.clone(), [row.get(3)?, row.get(4)?]);
            if team_of_a == Team::Two {
                names.reverse();
                points.reverse();
            }
            let verdict = match row.get::<_, f64>(5)? {
                0.5 => Verdict::Drawn,
                0.0 => Verdict::Won(team_of_a.opponent()),
                _ => Verdict::Won(team_of_a),
            };
            Ok(ListedGame { id: row.get(0)?, ended: row.get(1)?, names, points, verdict })
        })
    }

    /// Deletes a game.
    pub fn delete_game(&mut self, id: i64) -> Result<(), StoreError> {
        let deleted = self.transact(|transaction| {
            transaction.execute("DELETE FROM ply WHERE game = ?", [id])?;
            transaction.execute("DELETE FROM game WHERE id = ?", [id])
        })?;
        if deleted > 0 { Ok(()) } else { Err(StoreError::Missing { what: "game", id }) }
    }

    /// Returns a game.
    pub fn game(&self, id: i64) -> Result<StoredGame, StoreError> {
        let mut games = self.games_with("game.id", id)?;
        games.pop().ok_or(StoreError::Missing { what: "game", id })
    }
}

pub(super) fn reason_of(error: rusqlite::Error) -> String {
    match error {
        rusqlite::Error::FromSqlConversionFailure(_, _, error) => error.to_string(),
        error => error.to_string(),
    }
}

/// Reads [`GAME`] from the third column on. Plays the moves.
fn read_game(row: &Row, plies: Vec<rusqlite::Result<Ply>>) -> rusqlite::Result<PlayedGame> {
    let plies = plies.into_iter().collect::<rusqlite::Result<Vec<_>>>()?;
    let start: Position = parsed(row, 5, "position")?;
    let mut position = start;
    for Ply { mv, .. } in &plies {
        position.try_play(*mv).map_err(|reason| bad_value("move", mv.to_string(), reason))?;
    }
    let fault = match row.get::<_, Option<String>>(9)? {
        None => None,
        Some(by) => {
            let side = Side::from_name(&by).ok_or_else(|| bad_value("side", &by, "expected A or B"))?;
            let detail: Option<String> = row.get(11)?;
            Some((side, Fault::new(parsed(row, 10, "fault")?, detail.unwrap_or_default())))
        }
    };
    if fault.is_none() && !position.is_over() {
        return Err(bad_value("move count", plies.len().to_string(), "the game has not ended"));
    }
    let game = PlayedGame { pair: row.get(2)?, team_of_a: parsed(row, 3, "team")?, start, plies, fault };
    let points = Side::ALL.map(|side| position.team_points(game.team(side)));
    let stored: [i32; 2] = [row.get(6)?, row.get(7)?];
    if points != stored {
        return Err(bad_value("points", format!("{stored:?}"), format_args!("the moves give {points:?}")));
    }
    Ok(game)
}

/// Reads a move from the second column on.
fn read_ply(row: &Row) -> rusqlite::Result<Ply> {
    let (win, margin): (Option<f32>, Option<f32>) = (row.get(3)?, row.get(4)?);
    let (micros, nodes): (Option<i64>, Option<i64>) = (row.get(2)?, row.get(5)?);
    let depth: Option<u32> = row.get(6)?;
    let choice = micros.map(|micros| Choice {
        time: Duration::from_micros(micros.unsigned_abs()),
        evaluation: win.zip(margin).map(|(win, margin)| Evaluation { win, margin }),
        nodes: nodes.unwrap_or(0) as u64,
        depth: depth.unwrap_or(0),
    });
    Ok(Ply { mv: parsed(row, 1, "move")?, choice })
}

#[cfg(test)]
mod tests {
    use game::Rules;
    use record::FaultKind;

    use super::*;

    #[test]
    fn rejects_damaged_games() {
        for change in [
            "UPDATE game SET points_a = 89 WHERE id = 2",
            "UPDATE game SET start = 'x' WHERE id = 2",
            "UPDATE game SET fault_by = 'C' WHERE id = 2",
            "UPDATE game SET fault_by = NULL WHERE id = 2",
            "UPDATE ply SET move = 'DOMINO@0,1' WHERE game = 2 AND number = 0",
            "UPDATE ply SET move = 'x' WHERE game = 2 AND number = 0",
            "UPDATE ply SET depth = -1 WHERE game = 2 AND number = 1",
            "DELETE FROM ply WHERE game = 2 AND number = 0",
            "DELETE FROM ply WHERE game = 2 AND number = 1",
        ] {
            let folder = tempfile::tempdir().unwrap();
            let mut store = Store::open(&folder.path().join("arena.sqlite")).unwrap();
            let id = store.add_match_without_plan(Rules::Classic, ["a", "b"]).unwrap();
            let start = Position::new(Rules::Classic, None).unwrap();
            let plies = ["PENTO_W@0,0", "DOMINO@18,0"].map(|mv| Ply { mv: mv.parse().unwrap(), choice: None });
            for team_of_a in Team::ALL {
                let fault = Some((Side::A, Fault::new(FaultKind::Left, "")));
                let game = PlayedGame { pair: 0, team_of_a, start, plies: plies.to_vec(), fault };
                store.add_game(id, &game).unwrap();
            }
            let intact = store.games(id).unwrap();
            store.sql(|sql| sql.execute_batch(change)).unwrap();
            for error in [store.games(id).unwrap_err(), store.game(2).unwrap_err()] {
                assert!(matches!(error, StoreError::Game { id: 2, match_id: 1, .. }), "{change}: {error}");
                assert!(error.to_string().contains("`arena delete --game 2 --database "), "{error}");
            }
            assert_eq!(store.game(1).unwrap(), intact[0]);
            store.delete_game(2).unwrap();
            assert_eq!(store.games(id).unwrap(), intact[..1]);
            assert!(matches!(store.delete_game(2), Err(StoreError::Missing { what: "game", id: 2 })));
        }
    }
}
