//! Checkpoints of Entire: transcripts of agents on a branch of the repository, read as objects of
//! git. Nothing is fetched, and nothing checked out.
//!
//! Whoever can push the branch can write it, so it is read only where the user asks for it by
//! name, and of it counts only what says that it happened in the worktree where that is asked.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use chrono::{DateTime, FixedOffset};
use nudge::Context;
use serde_json::Value;

use super::claude::Claude;
use super::codex::Codex;
use super::copilot::Copilot;
use super::files::{Budget, OLD, is_old};
use super::{LINKS, Reading, Source, UNKNOWN};
use crate::git::{Entry, Git, MOST, Ran};

const BRANCH: &str = "refs/heads/entire/checkpoints/v1";

/// A transcript and what says whose it is, the most bytes of each, and the most sessions.
const FILES: [&str; 2] = ["full.jsonl", "metadata.json"];
const LARGEST: [u64; 2] = [16 << 20, 64 << 10];
const MOST_SESSIONS: usize = 4096;
const TOO_LARGE: &str = "checkpoints that are too large or too many";

/// When it was written, its transcript, and what is known of that.
type Checkpoint = (DateTime<FixedOffset>, Entry, Value);

/// Reads the branch of the repository that a folder is in; `None` where there is none.
pub(super) fn read(folder: &Path, reading: &mut Reading, budget: &mut Budget) -> Option<()> {
    let root = Context::at(folder.to_str()?).facts().root.clone()?;
    let git = Git::of(Path::new(&root));
    let seen = git.run(&["rev-parse", "--verify", "--quiet", BRANCH], &[]);
    if matches!(&seen, Ok(seen) if !seen.status.success() && seen.stderr.is_empty()) {
        return None;
    }
    let read = seen.and_then(Ran::good);
    let read = read.and_then(|_| read_all(&git, reading, budget));
    read.unwrap_or_else(|words| reading.leave(&words));
    reading.only = Some(root);
    Some(())
}

fn read_all(git: &Git, reading: &mut Reading, budget: &mut Budget) -> Result<(), String> {
    let mut all = listed(git, reading)?;
    all.sort_by_key(|(at, ..)| Reverse(*at));
    // Each checkpoint of a session holds all of it up to there.
    let (mut sessions, mut room) = (HashSet::new(), MOST);
    all.retain(|(_, _, about)| sessions.insert(about["session_id"].to_string()));
    all.retain(|(_, transcript, _)| {
        let rest = transcript.size.and_then(|size| room.checked_sub(size));
        rest.map_or_else(|| reading.leave(TOO_LARGE), |rest| room = rest);
        rest.is_some()
    });
    let texts = git.objects(all.iter().map(|(_, transcript, _)| &transcript.object))?;
    for ((_, _, about), text) in all.iter().zip(&texts) {
        let text = Ok(text.as_slice());
        let mut agents = Source::usual();
        match agents.find(|it| about["agent"] == it.name()) {
            Some(Source::Claude) => reading.read_one(Claude::default(), text, budget),
            Some(Source::Codex) => reading.read_one(Codex::default(), text, budget),
            Some(Source::Copilot) => reading.read_one(Copilot::default(), text, budget),
            _ => reading.leave(UNKNOWN),
        }
    }
    Ok(())
}

/// The checkpoints of the branch that are not too old. They lie in `<aa>/<rest of the id>/<number>`.
fn listed(git: &Git, reading: &mut Reading) -> Result<Vec<Checkpoint>, String> {
    let mut folders: BTreeMap<String, [Option<Entry>; 2]> = BTreeMap::new();
    git.tree(BRANCH, |entry| {
        let (folder, file) = entry.name.rsplit_once('/').unwrap_or_default();
        let which = FILES.iter().position(|it| *it == file);
        let Some(which) = which.filter(|_| folder.split('/').count() == 3) else {
            return Ok(());
        };
        let folder = folder.to_owned();
        let has_room = folders.len() < MOST_SESSIONS || folders.contains_key(&folder);
        if !entry.is_plain() {
            reading.leave(LINKS);
        } else if !has_room || entry.size.is_none_or(|size| size > LARGEST[which]) {
            reading.leave(TOO_LARGE);
        } else {
            folders.entry(folder).or_default()[which] = Some(entry);
        }
        Ok(())
    })?;
    let pairs = folders.into_values();
    let pairs: Vec<(Entry, Entry)> = pairs.filter_map(|[text, about]| text.zip(about)).collect();
    let texts = git.objects(pairs.iter().map(|(_, about)| &about.object))?;
    let mut found = Vec::new();
    for ((transcript, _), text) in pairs.into_iter().zip(texts) {
        let about: Value = serde_json::from_slice(&text).unwrap_or_default();
        let at = about["created_at"].as_str().unwrap_or_default();
        match DateTime::parse_from_rfc3339(at) {
            Ok(at) if is_old(at.into()) => reading.leave(OLD),
            Ok(at) => found.push((at, transcript, about)),
            Err(_) => reading.leave(UNKNOWN),
        }
    }
    Ok(found)
}
