//! What a session that starts is told of what happened before it.

use nudge::Error;

use super::answers::{Failed, Seen};
use super::questions::Here;
use super::requests::Lately;
use crate::store::ObsType;

/// For how many seconds something is worth a line.
const LATELY: i64 = 3 * 24 * 3600;

/// How many files are named, of how many of the latest observations.
const FILES: usize = 5;
const LOOKED_AT: u32 = 200;

impl Here<'_> {
    pub(super) fn lately(&self, asked: &Lately) -> Result<Seen, Error> {
        let (branch, since) = (asked.branch.as_deref(), self.now - LATELY);
        let failed = match self.past.last(ObsType::CommandError, branch, since)? {
            Some(error) => Some(Failed {
                worked: (self.past.next_success(&error, None)?).map(|one| one.timestamp),
                command: error.content,
                timestamp: error.timestamp,
            }),
            None => None,
        };
        let mut files: Vec<String> = Vec::new();
        let edits = self.past.edits(branch, since, LOOKED_AT)?;
        for file in edits.into_iter().filter_map(|one| one.file_path) {
            if files.len() < FILES && !files.contains(&file) {
                files.push(file);
            }
        }
        let prompt = self.past.last(ObsType::UserPrompt, branch, since)?;
        let prompt = prompt.map(|prompt| (prompt.timestamp, prompt.content));
        Ok(Seen {
            failed,
            files,
            prompt,
        })
    }
}
