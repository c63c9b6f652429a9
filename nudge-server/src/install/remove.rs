//! Leaving one host.

use super::add::{diff, foreign};
use super::backup::{Backup, Before};
use super::config_file::ConfigFile;
use super::entry::Present;
use super::format::Edit;
use super::hooks::Hooks;
use super::machine::Machine;
use super::report::{Outcome, Report};
use super::table::{Host, Scope};

/// Takes Nudge out of a host, or says what would be done.
pub(crate) fn uninstall(host: &Host, scope: Scope, machine: &Machine, dry_run: bool) -> Report {
    Report::of(host, scope, left(host, scope, machine, dry_run))
}

enum Rest {
    /// These bytes, which were there before.
    Bytes(Vec<u8>),
    Text(String),
    /// No file, nor so many folders above it if they are empty.
    Nothing(usize),
}

/// A file's text without what is ours, and what can be said of it.
struct Without {
    text: String,
    /// Whether it says what the file said before Nudge came.
    is_as_before: bool,
    is_empty: bool,
    /// Whether the file goes when it says nothing, though nobody noted who made it.
    goes_when_empty: bool,
}

impl Rest {
    fn of(file: &ConfigFile, before: Option<Before>, without: Without) -> Rest {
        match before {
            Some(Before::Bytes(bytes)) if without.is_as_before => Rest::Bytes(bytes),
            Some(Before::Nothing(folders)) if without.is_empty => Rest::Nothing(folders),
            None if without.is_empty && without.goes_when_empty => Rest::Nothing(file.depth),
            _ => Rest::Text(without.text),
        }
    }

    /// Leaves it in a file, and nothing of ours beside it, or says what would
    /// change. `what` is removed.
    fn leave(
        &self,
        file: &ConfigFile,
        what: &str,
        dry_run: bool,
        report: impl Fn(Outcome, String) -> Report,
    ) -> Result<Report, String> {
        let shown = file.path.display();
        if dry_run {
            let new = match self {
                Rest::Bytes(bytes) => String::from_utf8_lossy(bytes),
                Rest::Text(text) => text.into(),
                Rest::Nothing(_) => "".into(),
            };
            let message = format!("would remove {what} from `{shown}`");
            return Ok(report(Outcome::WouldRemove, message).showing(diff(file, &new)));
        }
        match self {
            Rest::Bytes(bytes) => file.write_bytes(bytes)?,
            Rest::Text(text) => file.write(text)?,
            Rest::Nothing(_) => file.remove()?,
        }
        Backup::of(file).remove()?;
        let message = if let Rest::Nothing(folders) = self {
            file.remove_folders(*folders);
            format!("removed `{shown}`, which held nothing else")
        } else {
            format!("removed {what} from `{shown}`")
        };
        Ok(report(Outcome::Removed, message))
    }
}

fn left(host: &Host, scope: Scope, machine: &Machine, dry_run: bool) -> Result<Report, String> {
    let (file, present) = ConfigFile::of(host, scope, machine)?;
    let backup = Backup::of(&file);
    let report = |outcome, message| Report::new(host, scope, outcome, message).about(&file.path);
    let hooks = hooks_in(host, scope, machine, &file);
    if present.is_none() && hooks.is_none() {
        if dry_run || backup.read().is_none() {
            let message = format!("not installed in `{}`", file.path.display());
            return Ok(report(Outcome::NotInstalled, message));
        }
        // Somebody took the entry out by hand; this is all that is left of ours.
        backup.remove()?;
        let message = format!("removed `{}`, as the entry was gone", backup.path.display());
        return Ok(report(Outcome::Removed, message));
    }
    if let Some(present) = present.filter(|present| !present.is_ours()) {
        return Err(foreign(&file, &present));
    }
    file.is_writable("")?;
    let rest = rest(host, scope, &file, backup.read(), hooks)?;
    rest.leave(&file, "the entry", dry_run, report)
}

pub(super) fn holds_entry(host: &Host, file: &ConfigFile) -> bool {
    let found = host.format.look(&file.text, &host.keys());
    let found = found.ok().flatten();
    found.is_some_and(|found| Present::read(host, found).is_ours())
}

/// The hooks of a host, if there are some of ours in the file of its servers.
pub(super) fn hooks_in(
    host: &Host,
    scope: Scope,
    machine: &Machine,
    file: &ConfigFile,
) -> Option<&'static Hooks> {
    let hooks = Hooks::of(host).filter(|hooks| hooks.is_in(&file.path, scope, machine))?;
    hooks.is_wired(&file.text).then_some(hooks)
}

/// What is left when the entry is gone, and hooks that are in the same file:
/// what was there before, where nobody else has changed the file since.
fn rest(
    host: &Host,
    scope: Scope,
    file: &ConfigFile,
    before: Option<Before>,
    hooks: Option<&Hooks>,
) -> Result<Rest, String> {
    let format = host.format;
    let flawed = |flaw| file.flawed(&flaw);
    let mut text = format
        .edit(&file.text, &[Edit::remove(&host.keys())])
        .map_err(flawed)?;
    let old = before.as_ref().and_then(Before::text);
    let had = |keys: &[&str]| old.is_some_and(|old| format.has(old, keys));
    if let Some(hooks) = hooks {
        text = hooks.unwired(&text, &had).map_err(flawed)?;
    }
    // The table of servers goes too, if it came with the entry and nothing else is in it.
    let servers = [host.servers];
    let now = format.look(&text, &servers).map_err(flawed)?;
    let has_servers = now.is_some_and(|servers| !servers.names.is_empty());
    let without = format
        .edit(&text, &[Edit::remove(&servers)])
        .map_err(flawed)?;
    let is_empty = !has_servers && format.is_empty(&without);
    if before.is_some() && !had(&servers) && !has_servers {
        text = without;
    }
    let is_as_before = old.is_some_and(|old| format.is_same(old, &text)) && !had(&host.keys());
    let without = Without {
        text,
        is_as_before,
        is_empty,
        // A project's file that says nothing any more is nobody's, whoever made it.
        goes_when_empty: scope == Scope::Project,
    };
    Ok(Rest::of(file, before, without))
}

/// Takes the hooks out of a file of their own, or says what would be done.
/// Nothing where there are none; those in the file of the servers go with them.
pub(crate) fn uninstall_hooks(
    host: &Host,
    scope: Scope,
    machine: &Machine,
    dry_run: bool,
) -> Option<Report> {
    let hooks = Hooks::of(host)?;
    let mut files = machine.locations(host, scope).into_iter();
    if files.any(|location| hooks.is_in(&location.path(), scope, machine)) {
        return None;
    }
    let done = || {
        let file = hooks.file(scope, machine)?;
        let flawed = |flaw| file.flawed(&flaw);
        let backup = Backup::of(&file);
        if hooks.found(&file.text).map_err(flawed)?.is_empty() {
            if !dry_run {
                // Somebody took them out by hand; this is all that is left of ours.
                backup.remove()?;
            }
            return Ok(None);
        }
        file.is_writable("")?;
        let before = backup.read();
        let old = before.as_ref().and_then(Before::text);
        let had = |keys: &[&str]| old.is_some_and(|old| hooks.has(old, keys));
        let text = hooks.unwired(&file.text, &had).map_err(flawed)?;
        let without = Without {
            is_as_before: old.is_some_and(|old| hooks.is_same(old, &text) && !hooks.is_wired(old)),
            is_empty: hooks.is_empty(&text),
            // What says nothing any more is nobody's, whoever made it.
            goes_when_empty: scope == Scope::Project || hooks.lists.is_none(),
            text,
        };
        let rest = Rest::of(&file, before, without);
        let report =
            |outcome, message| Report::new(host, scope, outcome, message).about(&file.path);
        rest.leave(&file, "the hooks", dry_run, report).map(Some)
    };
    done().unwrap_or_else(|words| Some(Report::of(host, scope, Err(words))))
}
