//! Wiring the hooks of one host.

use super::Hooks;
use crate::install::add::{Change, program};
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
        let verb = match hooks.lists {
            Some(_) => "paste this into",
            None => "write this to",
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
    let found = hooks.found(&file.text).map_err(flawed)?;
    if hooks.are_complete(&found, scope, machine) {
        let message = format!("hooks already in `{}`", file.path.display());
        let report = Report::new(host, scope, Outcome::AlreadyInstalled, message);
        return Ok(report.about(&file.path));
    }
    let new = hooks.wired(scope, &file.text, program(machine, scope)?);
    let is_first = found.is_empty();
    let change = Change {
        new: new.map_err(flawed)?,
        verbs: match hooks.lacks_status_line(scope, &file.text) {
            _ if !is_first => ["update the hooks in", "updated the hooks in"],
            true => ["put hooks and a status line into"; 2],
            false => ["put hooks into"; 2],
        },
        was: String::new(),
        is_first,
        // Where the server is in the same file, what was before it is noted already.
        is_noted: !is_first || holds_entry(host, &file),
        note: hooks.note,
        file: &file,
    };
    change.make(host, scope, dry_run)
}
