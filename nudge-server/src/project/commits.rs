//! Whether two clones share a commit, as the files of git say.
//!
//! A folder that somebody unpacked may hold any of them. No link in it is followed, and what
//! leads to the files of another clone counts only if those lead back.

use std::cmp::Ordering;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use nudge_client::folder::file::open_foreign;

/// The most that is read of one file.
const LARGEST: u64 = 1024 * 1024;

/// How many commits of a clone are looked for, in how many packs among how many files.
const MOST_TIPS: usize = 64;
const MOST_PACKS: usize = 64;
const MOST_FILES: usize = 1000;

/// What the index of a pack begins with; then a count for each first byte of a name.
const INDEX: [u8; 8] = [0xff, b't', b'O', b'c', 0, 0, 0, 2];
const NAMES_AT: usize = 8 + 256 * 4;

/// Where a clone keeps its files.
pub(super) struct GitFolder {
    /// The folder with `HEAD`, which a linked worktree has for itself.
    own: PathBuf,
    /// The folder that all worktrees share.
    pub(super) common: PathBuf,
}

impl GitFolder {
    /// The folder of the clone at a root.
    pub(super) fn at(root: &Path) -> Option<GitFolder> {
        let dot_git = within(root, ".git")?;
        if dot_git.is_dir() {
            let own = fs::canonicalize(dot_git).ok()?;
            let common = own.clone();
            return Some(GitFolder { own, common });
        }
        let led = text(root, ".git")?;
        let own = fs::canonicalize(root.join(led.strip_prefix("gitdir: ")?.trim_end())).ok()?;
        // A worktree is named by the clone that it belongs to, a submodule by its settings.
        let worktree = text(&own, "gitdir").map(|path| own.join(path.trim_end()));
        let settings = text(&own, "config").unwrap_or_default();
        let mut settings = settings.lines().filter_map(|line| line.split_once('='));
        let submodule = settings.find(|(name, _)| name.trim() == "worktree");
        let submodule = submodule.map(|(_, path)| own.join(path.trim()).join(".git"));
        let back = fs::canonicalize(worktree.or(submodule)?).ok()?;
        let is_led_back = back == fs::canonicalize(dot_git).ok()?;
        let common = text(&own, "commondir").unwrap_or_default();
        let common = fs::canonicalize(own.join(common.trim_end())).ok()?;
        is_led_back.then_some(GitFolder { own, common })
    }

    /// Whether a commit of one is known to the other.
    pub(super) fn shares(&self, other: &GitFolder) -> bool {
        let (own, others) = (self.tips(), other.tips());
        self.common == other.common
            || own.iter().any(|tip| others.contains(tip))
            || other.has(&own)
            || self.has(&others)
    }

    /// The commits that it names: where it is, where it has been, and its references.
    pub(super) fn tips(&self) -> Vec<String> {
        let head = text(&self.own, "HEAD").unwrap_or_default();
        let branch = head.strip_prefix("ref: ").unwrap_or(".").trim_end();
        let named = [
            Some(head.clone()),
            text(&self.common, branch),
            text(&self.own, "logs/HEAD"),
            text(&self.common, "packed-refs"),
            text(&self.own, "FETCH_HEAD"),
        ];
        let named = named.iter().flatten();
        let words = named.flat_map(|text| text.split(|it: char| it == '^' || it.is_whitespace()));
        let tips =
            words.filter(|word| bytes(word).is_some_and(|name| name.iter().any(|it| *it > 0)));
        tips.take(MOST_TIPS).map(str::to_owned).collect()
    }

    /// Whether one of some commits is among its objects.
    pub(super) fn has(&self, tips: &[String]) -> bool {
        let is_loose = |tip: &String| {
            let (folder, name) = tip.split_at_checked(2).unwrap_or_default();
            let object = within(&self.common, &format!("objects/{folder}/{name}"));
            object.is_some_and(|object| object.is_file())
        };
        let packs = within(&self.common, "objects/pack");
        let entries = packs.into_iter().flat_map(fs::read_dir).flatten().flatten();
        let entries = entries.take(MOST_FILES);
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let names = names
            .filter(|name| name.strip_suffix(".idx").is_some())
            .take(MOST_PACKS);
        let mut indices =
            names.filter_map(|name| open(&self.common, &format!("objects/pack/{name}")));
        let wanted: Vec<Vec<u8>> = tips.iter().filter_map(|tip| bytes(tip)).collect();
        tips.iter().any(is_loose)
            || indices.any(|mut index| index_has(&mut index, &wanted).unwrap_or_default())
    }
}

/// Whether the index of a pack has one of some names; it is searched and not read.
fn index_has(index: &mut File, wanted: &[Vec<u8>]) -> Option<bool> {
    let mut start = [0; NAMES_AT];
    index.read_exact(&mut start).ok()?;
    let counts = start.strip_prefix(&INDEX)?;
    let count = |byte: usize| {
        let count = counts.chunks_exact(4).nth(byte)?;
        Some(u64::from(u32::from_be_bytes(count.try_into().ok()?)))
    };
    for wanted in wanted {
        let first = usize::from(*wanted.first()?);
        let mut low = first.checked_sub(1).map_or(Some(0), count)?;
        let mut high = count(first)?;
        let mut name = vec![0; wanted.len()];
        while low < high {
            let middle = low.midpoint(high);
            let at = NAMES_AT as u64 + middle * wanted.len() as u64;
            index.seek(SeekFrom::Start(at)).ok()?;
            index.read_exact(&mut name).ok()?;
            match name.cmp(wanted) {
                Ordering::Less => low = middle + 1,
                Ordering::Equal => return Some(true),
                Ordering::Greater => high = middle,
            }
        }
    }
    Some(false)
}

/// The bytes of an object's name; `None` for any other text.
fn bytes(name: &str) -> Option<Vec<u8>> {
    let is_name = matches!(name.len(), 40 | 64) && name.bytes().all(|it| it.is_ascii_hexdigit());
    let pairs = (0..name.len()).step_by(2).filter(|_| is_name);
    let bytes = pairs.map(|at| u8::from_str_radix(name.get(at..at + 2)?, 16).ok());
    bytes.collect::<Option<Vec<u8>>>().filter(|_| is_name)
}

/// What lies in a folder, with no link on the way to it.
fn within(folder: &Path, path: &str) -> Option<PathBuf> {
    let mut at = folder.to_owned();
    for part in path.split('/') {
        at.push(part);
        let is_link = fs::symlink_metadata(&at).ok()?.is_symlink();
        if is_link || part == ".." {
            return None;
        }
    }
    Some(at)
}

fn open(folder: &Path, path: &str) -> Option<File> {
    open_foreign(&within(folder, path)?).ok()
}

/// The text of one, up to where it is too long.
fn text(folder: &Path, path: &str) -> Option<String> {
    let mut read = Vec::new();
    let file = open(folder, path)?;
    file.take(LARGEST).read_to_end(&mut read).ok()?;
    Some(String::from_utf8_lossy(&read).into_owned())
}
