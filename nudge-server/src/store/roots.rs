//! The known roots of repositories, as rows.

use std::collections::BTreeMap;

use nudge::Error;
use rusqlite::{Connection, Result};

use super::database::query;
use super::memory::Memory;

/// The roots of each repository in the order in which they became known, with a commit of each.
type Roots = BTreeMap<String, Vec<(String, String)>>;

impl Memory {
    pub(crate) fn set_roots(&self, all: &Roots) -> std::result::Result<(), Error> {
        self.on_file(|on| {
            on.execute("DELETE FROM roots", [])?;
            let mut add = on.prepare_cached("INSERT INTO roots VALUES (?1, ?2, ?3)")?;
            for (repo, roots) in all {
                for (root, tip) in roots {
                    add.execute([repo, root, tip])?;
                }
            }
            Ok(())
        })
    }
}

pub(super) fn roots(on: &Connection) -> Result<Roots> {
    let mut all = Roots::new();
    let sql = "SELECT repo, root, tip FROM roots ORDER BY rowid";
    for (repo, root, tip) in query(on, sql, [], |row| row.try_into())? {
        let of_repo: &mut Vec<_> = all.entry(repo).or_default();
        of_repo.push((root, tip));
    }
    Ok(all)
}
