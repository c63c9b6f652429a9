//! Normalising a cwd, and refusing paths that are not absolute or that climb.

use std::borrow::Cow;

use crate::model::error::Error;
use crate::model::scope::Os;

/// Brings a cwd into the form that globs are matched against.
///
/// Lexical: no file system is asked, so that a context from another machine
/// is treated as one from this machine. Globs are matched with forward slashes
/// on every system: an export made on Windows must select the same hints on
/// Linux.
pub(crate) fn normalize(path: &str) -> String {
    // What `fs::canonicalize` of Windows puts in front, which changes nothing about the folder.
    let path = match path
        .strip_prefix(r"\\?\")
        .map(|rest| (rest.strip_prefix(r"UNC\"), rest))
    {
        Some((Some(share), _)) => Cow::Owned(format!(r"\\{share}")),
        Some((None, rest)) => Cow::Borrowed(rest),
        None => Cow::Borrowed(path),
    };
    let slashed = path.replace('\\', "/");
    let (root, rest) = split_root(&slashed);
    let mut parts: Vec<&str> = Vec::new();
    for part in rest.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                if parts.last().is_some_and(|last| *last != "..") {
                    parts.pop();
                } else if root.is_empty() {
                    parts.push(part);
                }
            }
            _ => parts.push(part),
        }
    }
    if parts.is_empty() && root.len() > 1 {
        // A bare drive has no slash at its end, like any other folder.
        return root.trim_end_matches('/').to_owned();
    }
    let normal = format!("{root}{}", parts.join("/"));
    match drive(&normal) {
        // What stood before the drive is gone, and now it is one.
        Some(_) if root.is_empty() => normalize(&normal),
        _ => normal,
    }
}

/// Whether a path has the form of a Windows one: a drive, or a UNC share.
pub(crate) fn is_windows(path: &str) -> bool {
    drive(path).is_some() || path.starts_with(r"\\")
}

/// Checks the `abs` of a path value, and that its flavour fits `os`.
pub(crate) fn check_absolute(abs: &str, os: &[Os]) -> Result<(), Error> {
    let refuse = |detail, words: &str| Err(Error::invalid("value.abs", detail, words));
    if abs.chars().any(char::is_control) {
        let words = "value.abs holds a control character; remove it";
        return refuse("control_character", words);
    }
    let windows = match drive(abs) {
        Some(rest) => rest.starts_with(['/', '\\']),
        None => abs.starts_with(r"\\") && abs.len() > 2,
    };
    if !windows && !abs.starts_with('/') {
        let words =
            r"value.abs is not absolute; start it with `/`, a drive such as `c:\`, or `\\server`";
        return refuse("not_absolute", words);
    }
    let separators: &[char] = if windows { &['/', '\\'] } else { &['/'] };
    if abs.split(separators).any(|part| part == "..") {
        return refuse("traversal", "value.abs climbs with `..`; write it resolved");
    }
    let agrees = os.iter().all(|os| (*os == Os::Windows) == windows);
    if !agrees {
        let flavour = if windows { "a Windows" } else { "a POSIX" };
        let words = "but it is said to be another system's; give each its own variant";
        return refuse("flavour", &format!("value.abs is {flavour} path, {words}"));
    }
    Ok(())
}

/// What follows a drive letter and its colon.
fn drive(path: &str) -> Option<&str> {
    match path.as_bytes() {
        [letter, b':', ..] if letter.is_ascii_alphabetic() => path.get(2..),
        _ => None,
    }
}

/// Splits off the part that `..` cannot climb above, in its normal spelling.
fn split_root(slashed: &str) -> (Cow<'_, str>, &str) {
    if let Some(rest) = drive(slashed) {
        let letter = slashed.get(..1).unwrap_or_default().to_ascii_lowercase();
        return match rest.strip_prefix('/') {
            Some(rest) => (Cow::Owned(format!("{letter}:/")), rest),
            None => (Cow::Owned(format!("{letter}:")), rest),
        };
    }
    match slashed.strip_prefix('/') {
        Some(rest) => (Cow::Borrowed("/"), rest),
        None => (Cow::Borrowed(""), slashed),
    }
}

/// Whether a normal path is, by its words, somebody's home or the root of a disk.
///
/// No file system is asked: the same context means the same on every machine.
pub(crate) fn is_home(folder: &str) -> bool {
    let parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    let is_drive = |part: &str| drive(part) == Some("");
    match parts[..] {
        [] | ["root"] | ["var", "root"] | ["home" | "Users", _] => true,
        [drive] => is_drive(drive),
        [drive, users, _] => is_drive(drive) && users.eq_ignore_ascii_case("users"),
        _ => false,
    }
}

/// Whether a path is a folder or below it.
pub(crate) fn is_below(path: &str, folder: &str) -> bool {
    let below = path.strip_prefix(folder);
    below.is_some_and(|below| below.is_empty() || below.starts_with('/'))
}

/// A path and the folders above it, the nearest first.
pub(crate) fn above(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |path| {
        let (parent, _) = path.rsplit_once('/')?;
        (!parent.is_empty()).then_some(parent)
    })
}
