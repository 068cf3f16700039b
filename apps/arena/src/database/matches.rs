//! Matches in the database.

use std::time::Duration;

use game::{Piece, Rules};
use rusqlite::{Connection, OptionalExtension, Row, ToSql, named_params};
use serde::{Serialize, Serializer};
use server::Clock;

use super::{Store, StoreError, bad_value, parsed};
use crate::engines::{Budget, Spec};
use crate::matches::MatchPlan;
use crate::ratings::Sprt;

/// Entry in a list of matches.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StoredMatch {
    /// Its number.
    pub id: i64,
    /// When it was begun or imported: UTC in RFC 3339.
    pub created: String,
    /// The contestants, A first.
    pub names: [String; 2],
    /// The rules, in JSON their name.
    #[serde(serialize_with = "rules_name")]
    pub rules: Rules,
    /// Number of games.
    pub games: u64,
    /// Number of unfinished games; only imported games can be unfinished.
    pub unfinished: u64,
    /// The points of A: 1 for a win, ½ for a draw.
    pub points: f64,
}

fn rules_name<S: Serializer>(rules: &Rules, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(rules.name())
}

impl Store {
    /// Adds a match that is about to be played; its number.
    pub fn add_match(&mut self, plan: &MatchPlan) -> Result<i64, StoreError> {
        self.transact(|transaction| insert_planned(transaction, plan))
    }

    /// Changes the number of pairs of a match.
    pub fn set_pairs(&mut self, id: i64, pairs: u32) -> Result<(), StoreError> {
        let sql = "UPDATE plan SET pairs = ? WHERE match = ?";
        self.sql(|connection| connection.execute(sql, (pairs, id))).map(|_| ())
    }

    /// Adds a match of games that were played elsewhere; its number.
    pub fn add_import(&mut self, rules: Rules, names: [&str; 2]) -> Result<i64, StoreError> {
        self.sql(|connection| insert_match(connection, rules, names))
    }

    /// Deletes a match and returns the number of its games.
    pub fn delete_match(&mut self, id: i64) -> Result<usize, StoreError> {
        self.find_match(id)?;
        self.transact(|transaction| {
            transaction.execute("DELETE FROM ply WHERE game IN (SELECT id FROM game WHERE match = ?)", [id])?;
            let games = transaction.execute("DELETE FROM game WHERE match = ?", [id])?;
            transaction.execute("DELETE FROM plan WHERE match = ?", [id])?;
            transaction.execute("DELETE FROM run_match WHERE match = ?", [id])?;
            transaction.execute("DELETE FROM run WHERE id NOT IN (SELECT run FROM run_match)", [])?;
            transaction.execute("DELETE FROM match WHERE id = ?", [id])?;
            Ok(games)
        })
    }

    /// All matches, the oldest first.
    pub fn matches(&self) -> Result<Vec<StoredMatch>, StoreError> {
        let sql =
            "SELECT match.id, created, a, b, rules, count(game.id), total(score_a), count(game.id) - count(score_a)
                   FROM match LEFT JOIN game ON game.match = match.id GROUP BY match.id ORDER BY match.id";
        self.rows(sql, [], read_match)
    }

    /// One match.
    pub fn find_match(&self, id: i64) -> Result<StoredMatch, StoreError> {
        let found = self.matches()?.into_iter().find(|stored| stored.id == id);
        found.ok_or(StoreError::Missing { what: "match", id })
    }

    /// Returns the plan of a match.
    pub fn plan(&self, id: i64) -> Result<MatchPlan, StoreError> {
        let stored = self.find_match(id)?;
        let sql = "SELECT start_piece, opening, pairs, seed, time_a, time_b, nodes_a, nodes_b, soft, hard,
                       elo0, elo1, alpha, beta FROM plan WHERE match = ?";
        let plan = self.sql(|connection| connection.query_row(sql, [id], |row| read_plan(row, &stored)).optional())?;
        plan.ok_or_else(|| StoreError::Content(format!("match {id} was imported and cannot be continued")))
    }
}

/// Adds a match that is about to be played; its number.
pub(super) fn insert_planned(connection: &Connection, plan: &MatchPlan) -> rusqlite::Result<i64> {
    let millis = |time: Duration| time.as_millis() as i64;
    let [a, b] = plan.sides.each_ref().map(Spec::budget);
    let id = insert_match(connection, plan.rules, plan.sides.each_ref().map(Spec::to_string))?;
    connection.execute(
        "INSERT INTO plan VALUES (:id, :start, :opening, :pairs, :seed, :time_a, :time_b, :nodes_a, :nodes_b,
            :soft, :hard, :elo0, :elo1, :alpha, :beta)",
        named_params! {
            ":id": id,
            ":start": plan.start_piece.map(Piece::name),
            ":opening": plan.opening.to_string(),
            ":pairs": plan.pairs,
            ":seed": plan.seed as i64,
            ":time_a": a.time.map(millis),
            ":time_b": b.time.map(millis),
            ":nodes_a": a.nodes.map(|nodes| nodes as i64),
            ":nodes_b": b.nodes.map(|nodes| nodes as i64),
            ":soft": millis(plan.clock.soft),
            ":hard": millis(plan.clock.hard),
            ":elo0": plan.sprt.map(|sprt| sprt.elo0),
            ":elo1": plan.sprt.map(|sprt| sprt.elo1),
            ":alpha": plan.sprt.map(|sprt| sprt.alpha),
            ":beta": plan.sprt.map(|sprt| sprt.beta),
        },
    )?;
    Ok(id)
}

fn insert_match(connection: &Connection, rules: Rules, [a, b]: [impl ToSql; 2]) -> rusqlite::Result<i64> {
    let created = super::now();
    let sql = "INSERT INTO match (created, a, b, rules) VALUES (?, ?, ?, ?)";
    connection.execute(sql, (created, a, b, rules.name()))?;
    Ok(connection.last_insert_rowid())
}

fn read_match(row: &Row) -> rusqlite::Result<StoredMatch> {
    Ok(StoredMatch {
        id: row.get(0)?,
        created: row.get(1)?,
        names: [row.get(2)?, row.get(3)?],
        rules: parsed(row, 4, "rules")?,
        games: row.get::<_, u32>(5)?.into(),
        points: row.get(6)?,
        unfinished: row.get::<_, u32>(7)?.into(),
    })
}

fn read_plan(row: &Row, stored: &StoredMatch) -> rusqlite::Result<MatchPlan> {
    let number = |column| row.get::<_, Option<i64>>(column).map(|number| number.map(|number| number as u64));
    let millis = |column| number(column).map(|millis| millis.map(Duration::from_millis));
    let side = |name: &String, time, nodes| {
        let spec: Spec = name.parse().map_err(|error| bad_value("contestant", name, error))?;
        Ok::<_, rusqlite::Error>(spec.or_budget(Budget { time: millis(time)?, nodes: number(nodes)? }))
    };
    let clock = |column| millis(column).map(Option::unwrap_or_default);
    let sprt = match row.get(10)? {
        Some(elo0) => Some(Sprt { elo0, elo1: row.get(11)?, alpha: row.get(12)?, beta: row.get(13)? }),
        None => None,
    };
    Ok(MatchPlan {
        sides: [side(&stored.names[0], 4, 6)?, side(&stored.names[1], 5, 7)?],
        clock: Clock { soft: clock(8)?, hard: clock(9)? },
        rules: stored.rules,
        opening: parsed(row, 1, "opening")?,
        start_piece: row.get::<_, Option<String>>(0)?.map(|_| parsed(row, 0, "start piece")).transpose()?,
        pairs: row.get(2)?,
        seed: row.get::<_, i64>(3)? as u64,
        sprt,
    })
}
