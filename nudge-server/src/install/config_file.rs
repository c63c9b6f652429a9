//! `ConfigFile`: a host's file, read once and written as a whole or not at all.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use nudge_client::folder::file::read_linked;
use nudge_client::platform::{folders, keep_owner, mode};

use super::entry::Present;
use super::format::Flaw;
use super::link::followed;
use super::machine::{Location, Machine};
use super::table::{Host, Scope};
use crate::platform::replace;

/// The largest file of a host that is read: hosts keep years of history in the user's, and
/// anybody may have written a project's.
pub(crate) const LARGEST: u64 = 8 << 20;
const LARGEST_OF_PROJECT: u64 = 1 << 20;

/// The most words, signs and line breaks of a file that is edited: what parsers make of one takes
/// far more room than its bytes, and time.
const MOST_PARTS: usize = 100_000;

/// What an editor on some systems puts first.
pub(super) const BYTE_ORDER_MARK: &str = "\u{feff}";

/// A host's file as it was when it was read.
#[derive(Debug)]
pub(crate) struct ConfigFile {
    /// Its path, as the host names it.
    pub(crate) path: PathBuf,
    /// Where its bytes are, which is elsewhere if the path is a link.
    target: PathBuf,
    /// Its bytes; none where there is no file.
    pub(super) bytes: Option<Vec<u8>>,
    /// Its text, without a byte order mark.
    pub(crate) text: String,
    scope: Scope,
    /// How many folders there are between it and the root of its project, or
    /// the folder of its host.
    pub(crate) depth: usize,
}

impl ConfigFile {
    /// The file of a host in a scope, and the entry `nudge` in it. Of several
    /// files the one with the entry is meant, then the first that exists.
    pub(crate) fn of(
        host: &Host,
        scope: Scope,
        machine: &Machine,
    ) -> Result<(ConfigFile, Option<Present>), String> {
        let mut files = Vec::new();
        for location in machine.locations(host, scope) {
            let file = ConfigFile::open(&location, scope)?;
            let found = host.format.look(&file.text, &host.keys());
            let found = found.map_err(|flaw| file.flawed(&flaw))?;
            if let Some(found) = found {
                return Ok((file, Some(Present::read(host, found))));
            }
            files.push(file);
        }
        let existing = files.iter().position(|file| file.bytes.is_some());
        Ok((files.swap_remove(existing.unwrap_or(0)), None))
    }

    pub(crate) fn open(location: &Location, scope: Scope) -> Result<ConfigFile, String> {
        let path = location.path();
        let target = followed(location, scope)?;
        let shown = path.display();
        let largest = match scope {
            Scope::User => LARGEST,
            Scope::Project => LARGEST_OF_PROJECT,
        };
        let bytes = match read_linked(&target, largest) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(format!("`{shown}` cannot be read: {error}")),
        };
        let text = match std::str::from_utf8(bytes.as_deref().unwrap_or_default()) {
            Ok(text) => text
                .strip_prefix(BYTE_ORDER_MARK)
                .unwrap_or(text)
                .to_owned(),
            Err(error) => {
                let byte = error.valid_up_to();
                return Err(format!(
                    "`{shown}` is not UTF-8 at byte {byte}; it was left as it is"
                ));
            }
        };
        check_parts(&path, "has", &text)?;
        Ok(ConfigFile {
            path,
            target,
            bytes,
            text,
            scope,
            depth: Path::new(location.name).components().count() - 1,
        })
    }

    /// The sentence for what is wrong in it.
    pub(crate) fn flawed(&self, flaw: &Flaw) -> String {
        format!(
            "`{}` is broken at line {}, column {}: {}; it was left as it is",
            self.path.display(),
            flaw.line,
            flaw.column,
            flaw.words
        )
    }

    /// Makes the file say something else; a byte order mark stays.
    pub(crate) fn write(&self, text: &str) -> Result<(), String> {
        let mark = match &self.bytes {
            Some(bytes) if bytes.starts_with(BYTE_ORDER_MARK.as_bytes()) => BYTE_ORDER_MARK,
            _ => "",
        };
        self.write_bytes(format!("{mark}{text}").as_bytes())
    }

    /// Replaces the file in one step: a reader sees the old bytes or the new
    /// ones, and so does whoever comes after a crash. Its mode and its owner stay.
    pub(crate) fn write_bytes(&self, bytes: &[u8]) -> Result<(), String> {
        let old = self.target.metadata().ok();
        // What hosts keep of a user may hold keys; a project's file is for everybody.
        let mode = match (&old, self.scope) {
            (None, Scope::Project) => 0o666,
            _ => 0o600,
        };
        let mut unchanged = Ok(());
        let replaced = replace(&self.target, bytes, mode, |new| {
            if let Some(old) = old {
                keep_owner(new, &old)?;
                new.set_permissions(old.permissions())?;
            }
            new.sync_all()?;
            unchanged = self.unchanged();
            unchanged.clone().map_err(io::Error::other)
        });
        unchanged?;
        replaced.map_err(|error| format!("`{}` cannot be written: {error}", self.path.display()))
    }

    /// Refuses to go on when somebody else wrote the file since it was read.
    fn unchanged(&self) -> Result<(), String> {
        let now = read_linked(&self.target, LARGEST).ok();
        if now == self.bytes {
            return Ok(());
        }
        let shown = self.path.display();
        Err(format!(
            "`{shown}` was changed by another program just now and left as it is; run this again"
        ))
    }

    /// Takes the file away, if it is still as it was read.
    pub(crate) fn remove(&self) -> Result<(), String> {
        self.unchanged()?;
        let failed = |error| format!("`{}` cannot be removed: {error}", self.path.display());
        fs::remove_file(&self.target).map_err(failed)
    }

    /// Makes the folders above it, and says how many were missing.
    pub(crate) fn make_folders(&self) -> Result<usize, String> {
        let above = self.target.ancestors().skip(1);
        let missing = above.take_while(|folder| !folder.exists()).count();
        let mode = match self.scope {
            Scope::User => 0o700,
            Scope::Project => 0o777,
        };
        let folder = self.target.parent().unwrap_or(&self.target);
        let done = folders(mode).recursive(true).create(folder);
        done.map_err(|error| format!("`{}` cannot be made: {error}", folder.display()))?;
        Ok(missing)
    }

    /// Takes away as many folders above it, if nothing is in them.
    pub(crate) fn remove_folders(&self, count: usize) {
        for folder in self.path.ancestors().skip(1).take(count) {
            // One that holds something stays, and those above it do.
            if fs::remove_dir(folder).is_err() {
                return;
            }
        }
    }

    /// Why the file may not be written at all, or not with this text, if so: one that we made
    /// too large could not be edited again to take us out.
    pub(crate) fn is_writable(&self, new: &str) -> Result<(), String> {
        check_parts(&self.path, "would have", new)?;
        let shown = self.path.display();
        match self.target.metadata() {
            Ok(file) if !file.is_file() => Err(format!("`{shown}` is not a file")),
            Ok(file) if mode(&file) & 0o200 == 0 => Err(format!(
                "`{shown}` is read-only, so another program may own it; add the entry there"
            )),
            _ => Ok(()),
        }
    }
}

/// Refuses a text with more parts than are edited.
fn check_parts(path: &Path, has: &str, text: &str) -> Result<(), String> {
    if !has_too_many_parts(text.as_bytes()) {
        return Ok(());
    }
    Err(format!(
        "`{}` {has} more than {} thousand words and signs, too many to edit safely; it was \
         left as it is; make it smaller, or edit it by hand as `nudge install --print` shows",
        path.display(),
        MOST_PARTS / 1000
    ))
}

/// Whether a text has more parts than are edited. What stands in quotes on a line is one.
fn has_too_many_parts(text: &[u8]) -> bool {
    let (mut count, mut quote, mut is_word, mut is_escaped) = (0, None, false, false);
    for &byte in text {
        if byte != b'\n' && (is_escaped || quote.is_some_and(|quote| byte != quote)) {
            is_escaped = !is_escaped && byte == b'\\' && quote == Some(b'"');
            continue;
        }
        let is_end = quote.take().is_some();
        quote = Some(byte).filter(|byte| !is_end && matches!(byte, b'"' | b'\''));
        let was_word = is_word;
        (is_word, is_escaped) = (byte.is_ascii_alphanumeric() || !byte.is_ascii(), false);
        let is_none = is_end || byte.is_ascii_whitespace() || is_word && was_word;
        count += usize::from(!is_none || byte == b'\n');
        if count > MOST_PARTS {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests;
