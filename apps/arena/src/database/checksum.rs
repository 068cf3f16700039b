//! Checksums that reveal changed games.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};
use sha2::{Digest, Sha256};

/// Columns of `game` that a checksum covers. The others have different values in each database.
pub(super) const GAME: &str =
    "pair, team_of_a, ended, start, points_a, points_b, score_a, fault_by, fault, fault_detail";

/// Columns of `ply` that a checksum covers.
pub(super) const PLY: &str = "number, move, micros, win, margin, nodes, depth";

/// The checksum of a game: first its moves, then its row.
#[derive(Default)]
pub(super) struct Checksum(Sha256);

impl Checksum {
    /// Adds the columns of a row, beginning with the column `first`.
    pub fn add(&mut self, row: &Row, first: usize) -> rusqlite::Result<()> {
        for column in first..row.as_ref().column_count() {
            let (tag, bytes): (u8, &[u8]) = match row.get_ref(column)? {
                ValueRef::Null => (0, &[]),
                ValueRef::Integer(number) => (1, &number.to_le_bytes()),
                ValueRef::Real(number) => (2, &number.to_le_bytes()),
                ValueRef::Text(bytes) => (3, bytes),
                ValueRef::Blob(bytes) => (4, bytes),
            };
            self.0.update([tag]);
            self.0.update((bytes.len() as u64).to_le_bytes());
            self.0.update(bytes);
        }
        Ok(())
    }

    /// Returns the checksum: the first eight bytes of the hash.
    pub fn finish(self) -> i64 {
        self.0.finalize().iter().take(8).fold(0, |number, byte| number << 8 | i64::from(*byte))
    }
}

/// Stores the checksum of a new game.
pub(super) fn store(connection: &Connection, game: i64) -> rusqlite::Result<()> {
    let mut checksum = Checksum::default();
    let mut plies = connection.prepare_cached(&format!("SELECT {PLY} FROM ply WHERE game = ? ORDER BY number"))?;
    let mut rows = plies.query([game])?;
    while let Some(row) = rows.next()? {
        checksum.add(row, 0)?;
    }
    let row = format!("SELECT {GAME} FROM game WHERE id = ?");
    connection.query_row(&row, [game], |row| checksum.add(row, 0))?;
    connection.execute("UPDATE game SET checksum = ? WHERE id = ?", [checksum.finish(), game]).map(drop)
}

#[cfg(test)]
mod tests {
    use game::{Position, Rules, Team};

    use crate::database::{Store, StoreError};
    use crate::games::played::{PlayedGame, Ply};

    fn store_with_games(folder: &tempfile::TempDir) -> (Store, i64) {
        let mut store = Store::open(&folder.path().join("arena.sqlite")).unwrap();
        let id = store.add_match_without_plan(Rules::Classic, ["a", "b"]).unwrap();
        let start = Position::new(Rules::Classic, None).unwrap();
        let plies = ["PENTO_W@0,0", "DOMINO@18,0"].map(|mv| Ply { mv: mv.parse().unwrap(), choice: None });
        for team_of_a in Team::ALL {
            let game = PlayedGame { pair: 0, team_of_a, start, plies: plies.to_vec(), fault: None };
            store.add_game(id, &game).unwrap();
        }
        (store, id)
    }

    #[test]
    fn rejects_changed_games() {
        for change in [
            "UPDATE game SET points_a = 89 WHERE id = 2",
            "UPDATE game SET score_a = 1 WHERE id = 2",
            "UPDATE game SET checksum = NULL WHERE id = 2",
            "UPDATE game SET start = 'x' WHERE id = 2",
            "UPDATE ply SET move = 'MONO@0,0' WHERE game = 2 AND number = 0",
            "UPDATE ply SET move = 'x' WHERE game = 2 AND number = 0",
            "UPDATE ply SET micros = 1 WHERE game = 2 AND number = 1",
            "DELETE FROM ply WHERE game = 2 AND number = 1",
        ] {
            let folder = tempfile::tempdir().unwrap();
            let (mut store, id) = store_with_games(&folder);
            let intact = store.games(id).unwrap();
            store.sql(|sql| sql.execute_batch(change)).unwrap();
            for error in [store.games(id).unwrap_err(), store.game(2).unwrap_err()] {
                assert!(matches!(error, StoreError::Game { id: 2, match_id: 1, .. }), "{change}: {error}");
                assert!(error.to_string().contains("arena delete --game 2"), "{error}");
            }
            assert_eq!(store.game(1).unwrap(), intact[0]);
            store.delete_game(2).unwrap();
            assert_eq!(store.games(id).unwrap(), intact[..1]);
            assert!(matches!(store.delete_game(2), Err(StoreError::Missing { what: "game", id: 2 })));
        }
    }

    #[test]
    fn merged_games_keep_their_checksums() {
        let folder = tempfile::tempdir().unwrap();
        let (there, id) = store_with_games(&folder);
        there.sql(|sql| sql.execute_batch("UPDATE game SET points_a = 1 WHERE id = 2")).unwrap();
        let mut here = Store::open(&folder.path().join("here.sqlite")).unwrap();
        here.add_match_without_plan(Rules::Classic, ["c", "d"]).unwrap();
        here.merge(&folder.path().join("arena.sqlite")).unwrap();
        assert!(here.game(1).is_ok() && there.games(id).is_err());
        assert!(matches!(here.games(2), Err(StoreError::Game { id: 2, .. })));
    }
}
