//! The known roots of repositories, as rows.

use std::collections::BTreeMap;

use nudge::Error;
use rusqlite::{Connection, Result};

use super::memory::Memory;

/// The roots of each repository in the order in which they became known, with a commit of each.
type Roots = BTreeMap<String, Vec<(String, String)>>;

impl Memory {
    /// Writes which roots are known from now on.
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

/// Reads which roots are known.
pub(super) fn roots(on: &Connection) -> Result<Roots> {
    let mut all = Roots::new();
    let mut rows = on.prepare("SELECT repo, root, tip FROM roots ORDER BY rowid")?;
    let rows = rows.query_map([], |row| Ok((row.get(0)?, (row.get(1)?, row.get(2)?))))?;
    for row in rows {
        let (repo, root): (String, (String, String)) = row?;
        all.entry(repo).or_default().push(root);
    }
    Ok(all)
}
