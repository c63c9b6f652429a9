//! What a repository may hold: a branch for each machine, one commit without a parent on it, and
//! files of ours in that. Anything else was not written by Nudge, and is not touched.

use std::collections::BTreeMap;

use nudge::is_machine;

use crate::git::{Entry, Git, MOST, is_object};

/// The most machines, and the largest file, in bytes.
const MAX_MACHINES: usize = 256;
pub(super) const MAX_FILE: u64 = 8 << 20;

/// The largest commit, in bytes, and the longest name of a file or machine.
const MAX_COMMIT: u64 = 64 << 10;
const MAX_NAME: usize = 128;

const BRANCHES: &str = "refs/heads/nudge/";

pub(super) type Commits = BTreeMap<String, String>;

/// Refuses an address that is none of a repository, or would show a password.
pub(crate) fn check_url(url: &str) -> Result<(), String> {
    let is_plain = |text: &str| !text.contains(|it: char| it.is_whitespace() || it.is_control());
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let host = rest.split('/').next().unwrap_or_default();
    let is_scp = scheme.is_empty() && host.contains('@') && host.contains(':');
    let is_known = matches!(scheme, "https" | "ssh" | "file") || is_scp;
    let is_somewhere = !rest.trim_matches('/').is_empty() && (scheme == "file" || !host.is_empty());
    if !is_known || !is_somewhere || url.starts_with('-') || !is_plain(url) {
        let words = "give the URL of a repository of your own, with `https`, `ssh` or `file`, such \
             as `git@github.com:you/memory.git` or `file:///media/stick/memory.git`";
        return Err(words.to_owned());
    }
    let (login, _) = host.rsplit_once('@').unwrap_or_default();
    if !is_scp && (login.contains(':') || scheme == "https" && !login.is_empty()) {
        let words = "leave the password out of the URL; git's credential helper knows it";
        return Err(words.to_owned());
    }
    Ok(())
}

fn foreign(what: &str) -> String {
    let what: String = what
        .chars()
        .filter(|it| !it.is_control())
        .take(MAX_NAME)
        .collect();
    format!(
        "the repository holds `{what}`, which Nudge did not write; give sync a repository of its \
         own, with `nudge sync on URL`"
    )
}

/// What git prints, where it succeeds.
fn said(git: &Git, words: &[&str], input: &[u8]) -> Result<String, String> {
    let said = git.run(words, input)?.good()?;
    Ok(String::from_utf8_lossy(&said).into_owned())
}

/// The commit of each machine that has a branch.
pub(super) fn list(git: &Git, url: &str) -> Result<Commits, String> {
    let listed = said(git, &["ls-remote", "--quiet", "--", url], &[])?;
    let mut commits = Commits::new();
    for line in listed.lines() {
        let (commit, name) = line.split_once('\t').ok_or_else(|| foreign(line))?;
        if name == "HEAD" {
            continue;
        }
        let machine = name.strip_prefix(BRANCHES).filter(|name| is_machine(name));
        let machine = machine
            .filter(|_| is_object(commit))
            .ok_or_else(|| foreign(name))?;
        commits.insert(machine.to_owned(), commit.to_owned());
        if commits.len() > MAX_MACHINES {
            return Err(format!(
                "the repository has more than {MAX_MACHINES} machines; `nudge sync forget MACHINE` \
                 removes dead ones"
            ));
        }
    }
    Ok(commits)
}

/// Fetches the branches of machines, and gives what their files hold, each once.
pub(super) fn fetch(git: &Git, url: &str, commits: &Commits) -> Result<Vec<Vec<u8>>, String> {
    if commits.is_empty() {
        return Ok(Vec::new());
    }
    let specs = commits
        .keys()
        .map(|name| format!("+{BRANCHES}{name}:refs/nudge/{name}"));
    let specs: Vec<String> = specs.collect();
    let mut words = vec!["fetch", "--quiet", "--no-tags", "--depth=1", "--", url];
    words.extend(specs.iter().map(String::as_str));
    said(git, &words, &[])?;
    check_commits(git, commits)?;
    let mut blobs = BTreeMap::new();
    for (machine, commit) in commits {
        git.tree(commit, |entry| {
            let size = entry.size.filter(|_| is_ours(&entry));
            let size = size.ok_or_else(|| foreign(&format!("nudge/{machine}: {}", entry.name)))?;
            if size > MAX_FILE {
                let most = MAX_FILE >> 20;
                return Err(format!(
                    "a file of nudge/{machine} has more than {most} MiB"
                ));
            }
            blobs.insert(entry.object, size);
            Ok(())
        })?;
    }
    if blobs.values().sum::<u64>() > MOST {
        return Err(format!("the repository holds more than {} MiB", MOST >> 20));
    }
    git.objects(blobs.keys())
}

/// Refuses what is no commit, or has a parent: no machine of ours writes a history.
fn check_commits(git: &Git, commits: &Commits) -> Result<(), String> {
    let names: Vec<&str> = commits.values().map(String::as_str).collect();
    let asked = names.join("\n");
    let seen = said(git, &["cat-file", "--batch-check"], asked.as_bytes())?;
    let is_small = |line: &str| {
        let mut words = line.split(' ').skip(1);
        let size = |word: &str| word.parse().is_ok_and(|size: u64| size <= MAX_COMMIT);
        words.next() == Some("commit") && words.next().is_some_and(size)
    };
    let is_good = seen.lines().count() == names.len() && seen.lines().all(is_small);
    let texts = if is_good {
        git.objects(commits.values())?
    } else {
        Vec::new()
    };
    let has_parent = |text: &Vec<u8>| {
        let text = String::from_utf8_lossy(text);
        let mut head = text.lines().take_while(|line| !line.is_empty());
        head.any(|line| line.starts_with("parent "))
    };
    if is_good && !texts.iter().any(has_parent) {
        return Ok(());
    }
    Err(foreign("a history"))
}

/// Whether a file is one of ours, by its kind and name.
fn is_ours(entry: &Entry) -> bool {
    let name = &entry.name;
    let is_good = |it: char| it.is_ascii_alphanumeric() || matches!(it, '.' | '-' | '_');
    let is_name =
        name.strip_suffix(".json").is_some() && !name.starts_with('.') && name.chars().all(is_good);
    entry.is_plain() && is_name && name.len() <= MAX_NAME
}

/// Makes one commit without a parent of some files, and gives its name.
pub(super) fn commit(
    git: &Git,
    machine: &str,
    at: i64,
    files: &[(String, &str)],
) -> Result<String, String> {
    let numbered = || (1..).zip(files);
    let blobs = numbered()
        .map(|(number, (_, text))| format!("blob\nmark :{number}\ndata {}\n{text}\n", text.len()));
    let head = format!(
        "commit refs/own/next\ncommitter nudge <{machine}@nudge> {at} +0000\ndata 5\nnudge\n"
    );
    let named = numbered().map(|(number, (name, _))| format!("M 100644 :{number} {name}\n"));
    let script: String = blobs.chain([head]).chain(named).collect();
    said(git, &["fast-import", "--quiet"], script.as_bytes())?;
    let made = said(git, &["rev-parse", "--verify", "refs/own/next"], &[])?;
    Ok(made.trim().to_owned())
}

/// Writes a branch, or deletes it where there is nothing to write, if it still is as it was; false
/// where another has written it in the meantime.
pub(super) fn push(
    git: &Git,
    url: &str,
    machine: &str,
    from: Option<&str>,
    was: Option<&str>,
) -> Result<bool, String> {
    let lease = format!(
        "--force-with-lease={BRANCHES}{machine}:{}",
        was.unwrap_or_default()
    );
    let spec = format!("{}:{BRANCHES}{machine}", from.unwrap_or_default());
    let words = [
        "push",
        "--porcelain",
        "--no-verify",
        &lease,
        "--",
        url,
        &spec,
    ];
    let ran = git.run(&words, &[])?;
    let said = [
        String::from_utf8_lossy(&ran.stdout),
        ran.stderr.as_str().into(),
    ]
    .concat();
    if !ran.status.success() && (said.contains("stale info") || said.contains("already exists")) {
        return Ok(false);
    }
    ran.good().map(|_| true)
}
