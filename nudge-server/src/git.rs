//! `Git`: plain commands of git in a repository of our own, bounded in time and bytes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use nudge::redact;

pub(crate) use crate::deadline::Ran;
use crate::deadline::run;

/// How long one round may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// The most bytes that a repository may take on disk, or its files that are read.
pub(crate) const MOST: u64 = 64 << 20;

/// The most that one command may print.
const MOST_SAID: u64 = 2 * MOST;

/// The most of an error that is told.
const MAX_WORDS: usize = 200;

/// What git is set to, whatever stands in the files of the user and of the system: nothing of
/// theirs runs but what reaches the remote (ssh, credential helpers, proxies).
const CONFIG: [&str; 13] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.logAllRefUpdates=false",
    "commit.gpgSign=false",
    "push.gpgSign=false",
    "push.recurseSubmodules=no",
    "fetch.recurseSubmodules=false",
    "fetch.fsckObjects=true",
    "credential.interactive=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "http.followRedirects=initial",
    "core.bigFileThreshold=1m",
];

/// Variables of git that say how a remote is reached; no other is passed on, because whoever
/// starts us may itself be a hook of git's.
const KEPT: [&str; 6] = [
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_SSH_VARIANT",
    "GIT_SSL_CAINFO",
    "GIT_SSL_CAPATH",
    "GIT_PROXY_COMMAND",
];

impl Ran {
    /// What it printed, if it succeeded.
    pub(crate) fn good(self) -> Result<Vec<u8>, String> {
        if self.status.success() {
            return Ok(self.stdout);
        }
        let is_said = |line: &&str| !line.trim().is_empty() && !line.starts_with("hint:");
        let last = self.stderr.lines().rfind(is_said).unwrap_or("it failed");
        let words = redact(last);
        let words = words.chars().filter(|it| !it.is_control());
        let words: String = words.take(MAX_WORDS).collect();
        Err(format!("git: {words}"))
    }
}

/// What a tree holds somewhere below it: a file, a folder, a link or another repository.
pub(crate) struct Entry {
    mode: String,
    pub(crate) object: String,
    /// Of a file.
    pub(crate) size: Option<u64>,
    pub(crate) name: String,
}

/// A repository.
pub(crate) struct Git {
    folder: PathBuf,
    /// Whether it is a bare one that we made. Another is only read, and nothing is fetched into it.
    is_ours: bool,
    until: Instant,
    is_ssh_set: bool,
}

impl Git {
    /// Makes an empty repository, in the place of what a round before left.
    pub(crate) fn new(folder: &Path) -> Result<Git, String> {
        let gone = match fs::remove_dir_all(folder) {
            Err(error) if fs::symlink_metadata(folder).is_ok() => Err(error),
            _ => Ok(()),
        };
        let made = gone.and_then(|()| fs::create_dir(folder));
        made.map_err(|error| format!("`{}` cannot be replaced: {error}", folder.display()))?;
        let mut git = Git {
            is_ours: true,
            ..Git::of(folder)
        };
        git.run(&["init", "--quiet", "--bare", "--template="], &[])?
            .good()?;
        let set = git.run(&["config", "--get", "core.sshCommand"], &[])?;
        git.is_ssh_set = set.status.success();
        Ok(git)
    }

    /// The repository whose root a folder is, as it is.
    pub(crate) fn of(folder: &Path) -> Git {
        Git {
            folder: folder.to_owned(),
            is_ours: false,
            until: Instant::now() + PATIENCE,
            is_ssh_set: true,
        }
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new("git");
        for (name, _) in std::env::vars_os() {
            let known = name.to_string_lossy();
            if known.starts_with("GIT_") && !KEPT.contains(&&*known) {
                command.env_remove(&name);
            }
        }
        // Nobody can be asked: neither at a terminal nor in a window.
        command
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_ASKPASS", "");
        let has_ssh = |name: &&str| std::env::var_os(name).is_some();
        if !self.is_ssh_set && !["GIT_SSH", "GIT_SSH_COMMAND"].iter().any(has_ssh) {
            command.env("GIT_SSH_COMMAND", "ssh -oBatchMode=yes");
        }
        // Another's is found by git itself, which asks whose it is, and what is not in it is not
        // fetched by the way.
        let mut protocols = "";
        if self.is_ours {
            command.env("GIT_DIR", &self.folder);
            protocols = "https:ssh:file";
        }
        command
            .env("GIT_ALLOW_PROTOCOL", protocols)
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("LC_ALL", "C")
            .current_dir(&self.folder)
            .args(CONFIG.iter().flat_map(|set| ["-c", set]))
            .args(words);
        command
    }

    /// Runs a command to its end with something on its stdin. It is ended, with all that it
    /// started, where it takes too long, or too much room.
    pub(crate) fn run(&self, words: &[&str], input: &[u8]) -> Result<Ran, String> {
        let is_over = || {
            if Instant::now() >= self.until {
                return Some(format!("it took longer than {} s", PATIENCE.as_secs()));
            }
            let is_full = self.is_ours && size(&self.folder) > MOST;
            is_full.then(|| format!("the repository holds more than {} MiB", MOST >> 20))
        };
        let ran = run("git", &mut self.command(words), input, MOST_SAID, is_over)?;
        if ran.stdout.len() as u64 == MOST_SAID {
            return Err(format!("git said more than {} MiB", MOST_SAID >> 20));
        }
        Ok(ran)
    }

    /// Takes all that a tree holds, one by one: it may be much.
    pub(crate) fn tree(
        &self,
        tree: &str,
        mut take: impl FnMut(Entry) -> Result<(), String>,
    ) -> Result<(), String> {
        let words = ["ls-tree", "-r", "-t", "-l", "-z", "--full-tree", tree];
        let listed = self.run(&words, &[])?.good()?;
        for line in listed.split(|byte| *byte == 0).filter(|it| !it.is_empty()) {
            let entry = Entry::read(&String::from_utf8_lossy(line));
            take(entry.ok_or("git did not say what a tree holds")?)?;
        }
        Ok(())
    }

    /// What some objects hold, in their order.
    pub(crate) fn objects<'o>(
        &self,
        names: impl Iterator<Item = &'o String>,
    ) -> Result<Vec<Vec<u8>>, String> {
        let names: Vec<&str> = names.map(String::as_str).collect();
        let said = self
            .run(&["cat-file", "--batch"], names.join("\n").as_bytes())?
            .good()?;
        let (mut rest, mut all) = (&said[..], Vec::new());
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let head = String::from_utf8_lossy(&rest[..end]).into_owned();
            let size = head
                .rsplit(' ')
                .next()
                .and_then(|size| size.parse::<usize>().ok());
            let body = size.and_then(|size| rest.get(end + 1..end + 1 + size));
            let body = body.ok_or_else(|| format!("git did not say what `{head}` holds"))?;
            all.push(body.to_owned());
            rest = rest.get(end + 2 + body.len()..).unwrap_or_default();
        }
        Ok(all)
    }
}

impl Entry {
    /// Whether it is a file, and not one that can be run.
    pub(crate) fn is_plain(&self) -> bool {
        self.mode == "100644" && is_object(&self.object)
    }

    fn read(line: &str) -> Option<Entry> {
        let (about, name) = line.split_once('\t')?;
        let mut about = about.split_ascii_whitespace();
        let (mode, _, object) = (about.next()?, about.next()?, about.next()?);
        Some(Entry {
            mode: mode.to_owned(),
            object: object.to_owned(),
            size: about.next()?.parse().ok(),
            name: name.to_owned(),
        })
    }
}

/// Whether a text is the name of an object.
pub(crate) fn is_object(name: &str) -> bool {
    matches!(name.len(), 40 | 64) && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The bytes of all files below a folder.
fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(seen) if seen.is_dir() => size(&entry.path()),
        Ok(seen) => seen.len(),
        Err(_) => 0,
    });
    sizes.sum()
}
