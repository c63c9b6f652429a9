//! Taking the hooks out of one host.

use super::Hooks;
use crate::install::backup::{Backup, Before};
use crate::install::config_file::ConfigFile;
use crate::install::machine::Machine;
use crate::install::remove::{Rest, Without};
use crate::install::report::Report;
use crate::install::table::{Host, Scope};

/// Takes the hooks out of a file of their own, or says what would be done.
/// Nothing where there are none; those in the file of the servers go with them.
pub(crate) fn uninstall(
    host: &Host,
    scope: Scope,
    machine: &Machine,
    dry_run: bool,
) -> Option<Report> {
    let hooks = Hooks::of(host)?;
    if shares_a_file(hooks, host, scope, machine) {
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
        let rest = rest(hooks, scope, &file, backup.read())?;
        let report =
            |outcome, message| Report::new(host, scope, outcome, message).about(&file.path);
        rest.leave(&file, "the hooks", dry_run, report).map(Some)
    };
    let done: Result<Option<Report>, String> = done();
    done.unwrap_or_else(|words| Some(Report::refused(host, scope, words)))
}

/// Whether the hooks are in the file that has the servers.
fn shares_a_file(hooks: &Hooks, host: &Host, scope: Scope, machine: &Machine) -> bool {
    let mut files = machine.locations(host, scope).into_iter();
    files.any(|location| hooks.is_in(&location.path(), scope, machine))
}

/// What is left when the hooks are gone: what was there before, where nobody
/// else has changed the file since.
fn rest(
    hooks: &Hooks,
    scope: Scope,
    file: &ConfigFile,
    before: Option<Before>,
) -> Result<Rest, String> {
    let old = before.as_ref().and_then(Before::text);
    let had = |keys: &[&str]| old.is_some_and(|old| hooks.has(old, keys));
    let text = hooks
        .unwired(&file.text, &had)
        .map_err(|flaw| file.flawed(&flaw))?;
    let had_ours = |old: &str| hooks.found(old).is_ok_and(|found| !found.is_empty());
    let without = Without {
        is_as_before: old.is_some_and(|old| hooks.is_same(old, &text) && !had_ours(old)),
        is_empty: hooks.is_empty(&text),
        // What says nothing any more is nobody's, whoever made it.
        goes_when_empty: scope == Scope::Project || hooks.lists.is_none(),
        text,
    };
    Ok(Rest::of(file, before, without))
}
