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

/// How many sessions are looked at, and how many of them are read, the newest first.
const MOST_LISTED: usize = 4096;
const MOST_READ: usize = 256;

/// A transcript and what says whose it is, and the most bytes of each.
const FILES: [&str; 2] = ["full.jsonl", "metadata.json"];
const LARGEST: [u64; 2] = [16 << 20, 64 << 10];
const TOO_LARGE: &str = "checkpoints that are too large or too many";

/// A transcript, and what is known of it.
struct Checkpoint {
    at: DateTime<FixedOffset>,
    transcript: Entry,
    about: Value,
}

/// Reads the branch of the repository that a folder is in; `None` where there is none.
pub(super) fn read(
    folder: &Path,
    reading: &mut Reading,
    budget: &mut Budget,
    step: &mut dyn FnMut(),
) -> Option<()> {
    let root = Context::at(folder.to_str()?).facts().root.clone()?;
    let git = Git::of(Path::new(&root));
    let seen = git.run(&["rev-parse", "--verify", "--quiet", BRANCH], &[]);
    if matches!(&seen, Ok(seen) if !seen.status.success() && seen.stderr.is_empty()) {
        return None;
    }
    let read = seen.and_then(Ran::good);
    let read = read.and_then(|_| read_all(&git, reading, budget, step));
    read.unwrap_or_else(|words| reading.leave(&words));
    reading.only = Some(root);
    Some(())
}

fn read_all(
    git: &Git,
    reading: &mut Reading,
    budget: &mut Budget,
    step: &mut dyn FnMut(),
) -> Result<(), String> {
    let mut checkpoints = listed(git, reading)?;
    checkpoints.sort_by_key(|of| Reverse(of.at));
    // Each checkpoint of a session holds all of it up to there.
    let mut sessions = HashSet::new();
    checkpoints.retain(|of| sessions.insert(of.about["session_id"].to_string()));
    let mut room = MOST;
    let (chosen, left): (Vec<_>, Vec<_>) = (0..).zip(checkpoints).partition(|(number, of)| {
        let rest = room.checked_sub(of.transcript.size.unwrap_or(MOST));
        room = rest.unwrap_or(room);
        rest.is_some() && *number < MOST_READ
    });
    for _ in left {
        reading.leave(TOO_LARGE);
    }
    let texts = git.objects(chosen.iter().map(|(_, of)| &of.transcript.object))?;
    for ((_, of), text) in chosen.iter().zip(&texts) {
        step();
        let text = Ok(text.as_slice());
        let agent = Source::ALL
            .into_iter()
            .find(|it| of.about["agent"] == it.name());
        match agent {
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
        let has_room = folders.len() < MOST_LISTED || folders.contains_key(&folder);
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
            Ok(at) => found.push(Checkpoint {
                at,
                transcript,
                about,
            }),
            Err(_) => reading.leave(UNKNOWN),
        }
    }
    Ok(found)
}
