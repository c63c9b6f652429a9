//! How commands ended, in rows of `history.db` that the core alone understands.

use rusqlite::{Connection, Error};

use super::database::query;
use super::history::History;

impl History {
    pub(crate) fn runs(&mut self, repo: &str) -> Result<Vec<String>, String> {
        let sql = "SELECT row FROM runs WHERE repo = ?1";
        self.ask(|connection| query(connection, sql, [repo], |row| row.get(0)))
    }

    pub(crate) fn has_runs(&mut self) -> Result<bool, String> {
        let sql = "SELECT EXISTS (SELECT 1 FROM runs)";
        self.ask(|connection| connection.query_row(sql, [], |row| row.get(0)))
    }

    /// Writes rows of a repository, by their keys, and deletes those without a text.
    pub(crate) fn write_runs(
        &mut self,
        repo: &str,
        rows: &[(String, Option<String>)],
    ) -> Result<(), String> {
        self.with(|connection| {
            let transaction = connection.unchecked_transaction()?;
            for (key, row) in rows {
                match row {
                    Some(row) => transaction
                        .prepare_cached("INSERT OR REPLACE INTO runs VALUES (?1, ?2, ?3)")?
                        .execute([repo, key, row])?,
                    None => transaction
                        .prepare_cached("DELETE FROM runs WHERE repo = ?1 AND key = ?2")?
                        .execute([repo, key])?,
                };
            }
            transaction.commit()
        })
    }

    /// Gives the runs of a repository another name, and what was told there.
    pub(crate) fn rename_runs(&mut self, old: &str, new: &str) -> Result<(), String> {
        self.with(|connection| {
            let transaction = connection.unchecked_transaction()?;
            for table in ["runs", "told"] {
                let sql = format!("UPDATE OR REPLACE {table} SET repo = ?2 WHERE repo = ?1");
                transaction.execute(&sql, [old, new])?;
            }
            transaction.commit()
        })
    }
}

/// Deletes the runs and what was told in which a text stands, and says how many there were.
pub(super) fn forget_runs(on: &Connection, text: Option<&str>) -> Result<usize, Error> {
    let mut gone = 0;
    for (table, column) in [("runs", "row"), ("told", "line")] {
        let sql = format!("DELETE FROM {table} WHERE ?1 IS NOT NULL AND instr({column}, ?1)");
        gone += on.execute(&sql, [text])?;
    }
    Ok(gone)
}
