//! Finding and reading transcripts within bounds.

use std::fs;
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use serde_json::Value;

use super::{LINKS, Reading};

/// How far down transcripts are looked for.
const DEPTH: usize = 4;

/// What is older teaches nothing that would be kept.
const OLDEST: Duration = Duration::from_hours(90 * 24);
pub(super) const OLD: &str = "files older than 90 days";

/// In seconds.
pub(super) const DAY: u64 = 24 * 60 * 60;

/// The longest line; what a command printed is in one.
const LINE: u64 = 4 << 20;

/// How much may be read in all, and until when.
pub(crate) struct Budget {
    bytes: u64,
    until: Instant,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget {
            bytes: 2 << 30,
            until: Instant::now() + Duration::from_mins(2),
        }
    }
}

impl Budget {
    pub(super) fn is_spent(&self) -> bool {
        self.bytes == 0 || Instant::now() > self.until
    }
}

/// The transcripts below a folder, the newest first. A link is none.
pub(super) fn below(
    folder: &Path,
    start: &str,
    budget: &Budget,
    reading: &mut Reading,
) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![(folder.to_owned(), DEPTH)];
    while let Some((folder, depth)) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let is_named = name.to_str().is_some_and(|name| name.starts_with(start));
            let is_one = is_named && path.extension().is_some_and(|end| end == "jsonl");
            // It tells of a link itself.
            let Ok(seen) = entry.metadata() else { continue };
            if seen.is_dir() && depth > 1 && !budget.is_spent() {
                folders.push((path, depth - 1));
            } else if is_one && !seen.is_file() {
                reading.leave(LINKS);
            } else if is_one && let Ok(changed) = seen.modified() {
                found.push((changed, path));
            }
        }
    }
    let all = found.len();
    found.retain(|(changed, _)| !is_old(*changed));
    (found.len()..all).for_each(|_| reading.leave(OLD));
    found.sort_by(|one, other| other.cmp(one));
    found.into_iter().map(|(_, path)| path).collect()
}

pub(super) fn is_old(changed: SystemTime) -> bool {
    let age = SystemTime::now().duration_since(changed);
    age.is_ok_and(|age| age >= OLDEST)
}

/// The day on which a file was last changed, counted since 1970.
pub(crate) fn day(path: &Path) -> Option<u64> {
    let changed = fs::symlink_metadata(path).and_then(|seen| seen.modified());
    let since = changed.ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    Some(since.as_secs() / DAY)
}

/// Reads the lines of a file that are JSON, and says how many are not, or too long.
pub(super) fn each_line(
    mut file: impl BufRead,
    budget: &mut Budget,
    mut take: impl FnMut(&Value),
) -> io::Result<usize> {
    let (mut line, mut broken, mut is_rest) = (Vec::new(), 0, false);
    loop {
        line.clear();
        let read = file.by_ref().take(LINE).read_until(b'\n', &mut line)? as u64;
        budget.bytes = budget.bytes.saturating_sub(read);
        if read == 0 || budget.is_spent() {
            return Ok(broken);
        }
        let is_cut = read == LINE && !line.ends_with(b"\n");
        // Of a line that is too long, only the last part is not cut.
        if std::mem::replace(&mut is_rest, is_cut) || line.trim_ascii().is_empty() {
            continue;
        }
        match serde_json::from_slice(&line) {
            Ok(value) => take(&value),
            Err(_) => broken += 1,
        }
    }
}
