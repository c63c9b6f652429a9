//! One `nudge sync`: what others have is merged, and what this machine has is pushed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use nudge::{Clock, Merged, Name, Payload, SystemClock, is_machine};
use serde_json::{Map, Value, json};

use super::remote::{MAX_FILE, commit, fetch, list, push};
use super::state::{State, clone_of, lock};
use crate::git::{Git, MOST};
use crate::platform::sha256;

/// How often another name is taken, in one round.
const NAMES: usize = 3;

/// Has the PRIMARY merge: the params of `nudge.merge` in, its answer out.
pub type Call<'c> = &'c dyn Fn(&str) -> Result<Merged, String>;

/// What a round is to do.
#[derive(Debug, Clone, Copy)]
pub struct Round<'r> {
    /// The session folder.
    pub folder: &'r Path,
    /// Whether the user started it.
    pub is_by_hand: bool,
    /// Whether nothing is pushed: a sandbox has nothing to say.
    pub only_reads: bool,
    /// A machine whose branch goes, and nothing else.
    pub forget: Option<&'r str>,
}

/// What it did.
#[derive(Debug, Default)]
pub struct Done {
    /// How many hints came.
    pub taken: usize,
    /// How many went.
    pub deleted: usize,
    /// How many of other machines' were refused, or their files.
    pub refused: usize,
    /// How many stay here because they look like credentials.
    pub left_out: usize,
    /// Whether something was pushed.
    pub has_pushed: bool,
    /// Whether a machine that was to be forgotten had a branch.
    pub has_forgotten: bool,
}

/// Does a round and remembers what came of it. Where another is under way, that one does.
pub fn round(round: Round<'_>, mut state: State, call: Call<'_>) -> Result<Done, String> {
    let Some(_lock) = lock(round.folder) else {
        return Err("another `nudge sync` is under way; it does the same".to_owned());
    };
    let save = |state: &State| {
        let saved = state.save(round.folder);
        saved.map_err(|error| format!("`sync.json` cannot be written: {error}"))
    };
    state.tried_at = Some(SystemClock.now());
    // Whoever starts a session now need not start another.
    if round.is_by_hand || state.is_on {
        save(&state.under_way(round.folder))?;
    }
    let done = exchange(round, &mut state, call, &save);
    // Nothing that is deleted stays in it. What cannot be removed now is before the next round.
    let _ = fs::remove_dir_all(clone_of(round.folder));
    if round.forget.is_none() {
        state.note(
            done.as_ref().map(drop).map_err(String::as_str),
            round.is_by_hand,
        );
        // An address that never worked is not remembered as one that does.
        if done.is_err() {
            state.is_on = State::load(round.folder).is_on;
        }
        save(&state)?;
    }
    done
}

fn exchange(
    round: Round<'_>,
    state: &mut State,
    call: Call<'_>,
    save: &dyn Fn(&State) -> Result<(), String>,
) -> Result<Done, String> {
    let git = Git::new(&clone_of(round.folder))?;
    let commits = list(&git, &state.url)?;
    let mut done = Done::default();
    if let Some(machine) = round.forget {
        let commit = commits.get(machine).filter(|_| is_machine(machine));
        done.has_forgotten = commit.is_some();
        if commit.is_some() {
            push(&git, &state.url, machine, None, commit.map(String::as_str))?;
        }
        return Ok(done);
    }
    for _ in 0..NAMES {
        let own = commits.get(&state.machine);
        let pushed = [state.pushed.as_ref(), state.pushing.as_ref()];
        if !round.only_reads && own.is_some() && !pushed.contains(&own) {
            // A copy of this machine, or this one from before, writes there.
            state.rename();
            continue;
        }
        let ours = export(state, call, &mut done)?;
        if commits == state.seen && (round.only_reads || ours.print == state.written) {
            return Ok(done);
        }
        let mut others = commits.clone();
        others.remove(&state.machine);
        for file in fetch(&git, &state.url, &others)? {
            merge(&file, &ours, state, call, &mut done);
        }
        let ours = export(state, call, &mut done)?;
        state.seen = commits.clone();
        if round.only_reads || ours.print == state.written && own.is_some() {
            return Ok(done);
        }
        let files: Vec<(String, &str)> = ours
            .files
            .iter()
            .map(|(repo, text)| (file_name(repo), text.as_str()))
            .collect();
        check_sizes(&files)?;
        let next = commit(&git, &state.machine, SystemClock.now().timestamp(), &files)?;
        state.pushing = Some(next.clone());
        save(&state.under_way(round.folder))?;
        let (from, was) = (Some("refs/own/next"), own.map(String::as_str));
        done.has_pushed = push(&git, &state.url, &state.machine, from, was)?;
        if done.has_pushed {
            state.seen.insert(state.machine.clone(), next.clone());
            (state.pushed, state.pushing) = (Some(next), None);
            state.written = ours.print;
            return Ok(done);
        }
        state.rename();
    }
    Err("this machine finds no name of its own there; try again".to_owned())
}

/// What this machine has, by repository, and a hash of it.
struct Ours {
    files: BTreeMap<Name, String>,
    print: String,
}

fn export(state: &State, call: Call<'_>, done: &mut Done) -> Result<Ours, String> {
    let merged = call(&json!({"machine": state.machine}).to_string())?;
    done.left_out = merged.left_out;
    let text = |payload: &Payload| serde_json::to_string(payload).unwrap_or_default();
    let files = merged
        .files
        .ok_or("the server did not say what it has; try again")?;
    let files: BTreeMap<Name, String> = files
        .iter()
        .map(|(repo, file)| (repo.clone(), text(file)))
        .collect();
    let print = sha256(&json!(files).to_string());
    Ok(Ours { files, print })
}

/// Has a file of another machine merged, unless it says what this one says. What cannot be read
/// is counted, and spoils nothing else.
fn merge(file: &[u8], ours: &Ours, state: &State, call: Call<'_>, done: &mut Done) {
    if ours.files.values().any(|own| own.as_bytes() == file) {
        return;
    }
    let payload = serde_json::from_slice::<Map<String, Value>>(file).ok();
    let merged = payload.map(|payload| {
        call(&json!({"machine": state.machine, "payload": payload, "brief": true}).to_string())
    });
    match merged {
        Some(Ok(merged)) => {
            done.taken += merged.taken;
            done.deleted += merged.deleted;
            done.refused += merged.refused;
        }
        _ => done.refused += 1,
    }
}

/// The name of the file of a repository: a part for people, and a hash.
fn file_name(repo: &str) -> String {
    let is_odd = |it: char| !it.is_ascii_alphanumeric() && it != '.';
    let plain: String = repo.replace(is_odd, "-").chars().take(60).collect();
    let plain = plain.trim_matches(['-', '.']);
    match plain {
        "" => "everywhere.json".to_owned(),
        plain => format!(
            "{plain}-{}.json",
            sha256(repo).get(..16).unwrap_or_default()
        ),
    }
}

fn check_sizes(files: &[(String, &str)]) -> Result<(), String> {
    let size = |text: &str| text.len() as u64;
    let large = files.iter().find(|(_, text)| size(text) > MAX_FILE);
    if let Some((name, _)) = large {
        let most = MAX_FILE >> 20;
        return Err(format!(
            "`{name}` would have more than {most} MiB; delete some of its hints"
        ));
    }
    if files.iter().map(|(_, text)| size(text)).sum::<u64>() > MOST {
        return Err(format!("what is kept takes more than {} MiB", MOST >> 20));
    }
    Ok(())
}
