//! Wiring the hooks of one host.

use super::{Form, Hooks};
use crate::install::add::{diff, program, write_first};
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
        let block = hooks.wired(scope, "", program(machine, scope)?);
        let block = block.map_err(|flaw| flaw.words)?;
        let verb = match hooks.form {
            Form::Lists(_) => "paste this into",
            Form::Plugin => "write this to",
        };
        let message = format!("{verb} `{}`", path.display());
        let report = Report::new(host, scope, Outcome::Printed, message).about(&path);
        Ok(report.showing(block).noting(hooks.note))
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
    if hooks.are_complete(&found, scope, machine) {
        let message = format!("hooks already in `{shown}`");
        return Ok(report(Outcome::AlreadyInstalled, message));
    }
    let new = hooks.wired(scope, &file.text, program(machine, scope)?);
    let new = new.map_err(flawed)?;
    file.is_writable()?;
    let is_new = found.is_empty();
    let what = if hooks.lacks_status_line(scope, &file.text) {
        "hooks and a status line"
    } else {
        "hooks"
    };
    if dry_run {
        let (outcome, verb) = if is_new {
            (Outcome::WouldInstall, format!("put {what} into"))
        } else {
            (Outcome::WouldUpdate, "update the hooks in".to_owned())
        };
        let report = report(outcome, format!("would {verb} `{shown}`"));
        return Ok(report.showing(diff(&file, &new)));
    }
    if !is_new {
        file.write(&new)?;
        let message = format!("updated the hooks in `{shown}`");
        return Ok(report(Outcome::Updated, message));
    }
    // Where the server is in the same file, what was before it is noted already.
    write_first(&file, scope, &new, holds_entry(host, &file))?;
    let message = format!("put {what} into `{shown}`");
    Ok(report(Outcome::Installed, message).noting(hooks.note))
}
