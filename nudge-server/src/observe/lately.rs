//! What a session that starts is told of what happened before it.

use nudge::Error;

use super::answers::{Failed, Seen};
use super::questions::Here;
use super::requests::Lately;

/// For how many seconds something is worth a line.
const LATELY: i64 = 3 * 24 * 3600;

/// How many files are named, of how many of the latest observations.
const FILES: usize = 5;
const LOOKED_AT: u32 = 200;

impl Here<'_> {
    pub(super) fn lately(&self, asked: &Lately) -> Result<Seen, Error> {
        let params = || (self.repo, &asked.branch, self.now() - LATELY);
        let of_branch = "repo = ?1 AND branch IS ?2 AND timestamp > ?3";
        let last = |kind: &str| {
            let end = format!("{of_branch} AND obs_type = '{kind}' ORDER BY id DESC LIMIT 1");
            Ok::<_, Error>(self.all(&end, params())?.into_iter().next())
        };
        let failed = match last("command_error")? {
            Some(error) => {
                let sql = "SELECT timestamp FROM observations WHERE repo = ?1 AND id > ?2
                    AND obs_type = 'command' AND content = ?3 ORDER BY id LIMIT 1";
                let worked =
                    self.one(sql, (self.repo, error.id, &error.content), |row| row.get(0))?;
                Some(Failed {
                    command: error.content,
                    timestamp: error.timestamp,
                    worked,
                })
            }
            None => None,
        };
        let end =
            format!("{of_branch} AND file_path IS NOT NULL ORDER BY id DESC LIMIT {LOOKED_AT}");
        let mut files: Vec<String> = Vec::new();
        for file in self
            .all(&end, params())?
            .into_iter()
            .filter_map(|one| one.file_path)
        {
            if files.len() < FILES && !files.contains(&file) {
                files.push(file);
            }
        }
        let prompt = last("user_prompt")?.map(|prompt| (prompt.timestamp, prompt.content));
        Ok(Seen {
            failed,
            files,
            prompt,
        })
    }
}
