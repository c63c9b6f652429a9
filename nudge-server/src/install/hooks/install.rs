//! Wiring the hooks of one host.

use super::{Form, Hooks};
use crate::install::add::{diff, program};
use crate::install::backup::{Backup, Before};
use crate::install::config_file::ConfigFile;
use crate::install::machine::Machine;
use crate::install::remove::holds_entry;
use crate::install::report::{Outcome, Report};
use crate::install::table::{Host, Scope};

/// Puts the hooks into a host, or says what would be done; nothing where Nudge
/// knows no hooks of the host.
pub(crate) fn install(
    host: &Host,
    scope: Scope,
    machine: &Machine,
    dry_run: bool,
) -> Option<Report> {
    let hooks = Hooks::of(host)?;
    let done = done(hooks, host, scope, machine, dry_run);
    Some(done.unwrap_or_else(|words| Report::refused(host, scope, words)))
}

/// What to paste into which file.
pub(crate) fn print(host: &Host, scope: Scope, machine: &Machine) -> Option<Report> {
    let hooks = Hooks::of(host)?;
    let printed = || {
        let path = hooks.location(scope, machine).path();
        let block = hooks.wired("", program(machine)?);
        let block = block.map_err(|flaw| flaw.words)?;
        let verb = match hooks.form {
            Form::Lists(_) => "paste this into",
            Form::Plugin => "write this to",
        };
        let message = format!("{verb} `{}`", path.display());
        let mut report = Report::new(host, scope, Outcome::Printed, message).about(&path);
        report.text = Some(block);
        Ok(report.noting(hooks.note()))
    };
    Some(printed().unwrap_or_else(|words| Report::refused(host, scope, words)))
}

fn done(
    hooks: &Hooks,
    host: &Host,
    scope: Scope,
    machine: &Machine,
    dry_run: bool,
) -> Result<Report, String> {
    let file = hooks.file(scope, machine)?;
    let flawed = |flaw| file.flawed(&flaw);
    let shown = file.path.display();
    let report = |outcome, message| Report::new(host, scope, outcome, message).about(&file.path);
    let found = hooks.found(&file.text).map_err(flawed)?;
    if hooks.are_complete(&found, machine) {
        let message = format!("hooks already in `{shown}`");
        return Ok(report(Outcome::AlreadyInstalled, message));
    }
    let new = hooks.wired(&file.text, program(machine)?).map_err(flawed)?;
    file.is_writable()?;
    let is_new = found.is_empty();
    if dry_run {
        let (outcome, message) = if is_new {
            (
                Outcome::WouldInstall,
                format!("would put hooks into `{shown}`"),
            )
        } else {
            (
                Outcome::WouldUpdate,
                format!("would update the hooks in `{shown}`"),
            )
        };
        let mut report = report(outcome, message);
        report.text = Some(diff(&file.path, &file.text, &new));
        return Ok(report);
    }
    if !is_new {
        file.write(&new)?;
        let message = format!("updated the hooks in `{shown}`");
        return Ok(report(Outcome::Updated, message));
    }
    add(host, scope, &file, &new)?;
    let message = format!("put hooks into `{shown}`");
    Ok(report(Outcome::Installed, message).noting(hooks.note()))
}

/// Writes the first hooks into a file, and notes what was there before, unless
/// the server is in the same file: then that was before Nudge came.
fn add(host: &Host, scope: Scope, file: &ConfigFile, new: &str) -> Result<(), String> {
    let folders = file.make_folders()?;
    let backup = Backup::of(file);
    let is_noted = holds_entry(host, file);
    // A new file of a project gets no note, as with the server.
    if !is_noted && (scope == Scope::User || file.exists()) {
        backup.write(&match file.bytes() {
            Some(bytes) => Before::Bytes(bytes.to_owned()),
            None => Before::Nothing(folders),
        })?;
    }
    let written = file.write(new);
    if written.is_err() && !is_noted {
        // Nothing was changed, so nothing is left that would say so.
        let _ = backup.remove();
        file.remove_folders(folders);
    }
    written
}

impl Hooks {
    fn note(&self) -> Option<&'static str> {
        (!self.note.is_empty()).then_some(self.note)
    }
}
