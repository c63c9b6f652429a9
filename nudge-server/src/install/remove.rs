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
///
/// The file is edited and not the host's own command used: only so does it get
/// back the bytes that it had.
pub(crate) fn uninstall(host: &Host, scope: Scope, machine: &Machine, dry_run: bool) -> Report {
    let done = done(host, scope, machine, dry_run);
    done.unwrap_or_else(|words| Report::refused(host, scope, words))
}

/// What is left of a file.
pub(crate) enum Rest {
    /// These bytes, which were there before.
    Bytes(Vec<u8>),
    /// This text.
    Text(String),
    /// No file, nor so many folders above it if they are empty.
    Nothing(usize),
}

impl Rest {
    /// What would change in a file.
    pub(super) fn diff(&self, file: &ConfigFile) -> String {
        let new = match self {
            Rest::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            Rest::Text(text) => text.clone(),
            Rest::Nothing(_) => String::new(),
        };
        diff(&file.path, &file.text, &new)
    }

    /// Whether it is what was there before, to the byte.
    pub(crate) fn is_as_before(&self) -> bool {
        !matches!(self, Rest::Text(_))
    }
}

fn done(host: &Host, scope: Scope, machine: &Machine, dry_run: bool) -> Result<Report, String> {
    let (file, present) = ConfigFile::of(host, scope, machine)?;
    let backup = Backup::of(&file);
    let shown = file.path.display();
    let report = |outcome, message| Report::new(host, scope, outcome, message).about(&file.path);
    let hooks = hooks_in(host, scope, machine, &file);
    if present.is_none() && hooks.is_none() {
        let message = format!("not installed in `{shown}`");
        if dry_run || backup.read().is_none() {
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
    file.is_writable()?;
    let rest = rest(host, scope, &file, backup.read(), hooks)?;
    if dry_run {
        let mut report = report(
            Outcome::WouldRemove,
            format!("would remove the entry from `{shown}`"),
        );
        report.text = Some(rest.diff(&file));
        return Ok(report);
    }
    let message = if written(&file, &rest)? {
        format!("removed `{shown}`, which held nothing else")
    } else {
        format!("removed from `{shown}`")
    };
    Ok(report(Outcome::Removed, message))
}

/// Leaves the rest of a file, and nothing of ours beside it; says whether the
/// file is gone.
pub(super) fn written(file: &ConfigFile, rest: &Rest) -> Result<bool, String> {
    match rest {
        Rest::Bytes(bytes) => file.write_bytes(bytes)?,
        Rest::Text(text) => file.write(text)?,
        Rest::Nothing(_) => file.remove()?,
    }
    Backup::of(file).remove()?;
    let Rest::Nothing(folders) = rest else {
        return Ok(false);
    };
    file.remove_folders(*folders);
    Ok(true)
}

/// Whether a file has our entry.
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
    let found = hooks.found(&file.text);
    found.is_ok_and(|found| !found.is_empty()).then_some(hooks)
}

/// What is left when the entry is gone, and hooks that are in the same file:
/// what was there before, where nobody else has changed the file since.
pub(crate) fn rest(
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
    let old = match &before {
        Some(Before::Bytes(bytes)) => std::str::from_utf8(bytes).ok(),
        _ => None,
    };
    let old = old.map(|old| old.trim_start_matches('\u{feff}'));
    let had = |keys: &[&str]| {
        old.is_some_and(|old| format.look(old, keys).is_ok_and(|found| found.is_some()))
    };
    if let Some(hooks) = hooks {
        text = hooks.unwired(&text, &had).map_err(flawed)?;
    }
    // The table of servers goes too, if it came with the entry and nothing else is in it.
    let servers = [host.servers];
    let is_made = before.is_some() && !had(&servers);
    let now = format.look(&text, &servers).map_err(flawed)?;
    if is_made && now.is_some_and(|servers| servers.names.is_empty()) {
        text = format
            .edit(&text, &[Edit::remove(&servers)])
            .map_err(flawed)?;
    }
    let is_as_before = old.is_some_and(|old| {
        format.is_same(old, &text) || (format.is_empty(old) && format.is_empty(&text))
    });
    Ok(match before {
        Some(Before::Bytes(bytes)) if is_as_before && !had(&host.keys()) => Rest::Bytes(bytes),
        Some(Before::Nothing(folders)) if format.is_empty(&text) => Rest::Nothing(folders),
        // A project's file that says nothing any more is nobody's, whoever made it.
        None if scope == Scope::Project && is_bare(host, &text) => Rest::Nothing(file.depth),
        _ => Rest::Text(text),
    })
}

/// Whether a config says nothing but that there are no servers.
fn is_bare(host: &Host, text: &str) -> bool {
    let servers = [host.servers];
    let found = host.format.look(text, &servers);
    let has_none = found.is_ok_and(|found| found.is_none_or(|servers| servers.names.is_empty()));
    let without = host.format.edit(text, &[Edit::remove(&servers)]);
    has_none && without.is_ok_and(|text| host.format.is_empty(&text))
}
