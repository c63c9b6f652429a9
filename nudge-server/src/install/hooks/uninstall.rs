//! Taking the hooks out of one host.

use super::{Form, Hooks};
use crate::install::backup::{Backup, Before};
use crate::install::config_file::ConfigFile;
use crate::install::machine::Machine;
use crate::install::remove::{Rest, written};
use crate::install::report::{Outcome, Report};
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
        file.is_writable()?;
        let rest = rest(hooks, scope, &file, backup.read())?;
        let shown = file.path.display();
        let report =
            |outcome, message| Report::new(host, scope, outcome, message).about(&file.path);
        if dry_run {
            let mut report = report(
                Outcome::WouldRemove,
                format!("would remove the hooks from `{shown}`"),
            );
            report.text = Some(rest.diff(&file));
            return Ok(Some(report));
        }
        let is_gone = written(&file, &rest)?;
        let message = if is_gone {
            format!("removed `{shown}`, which held nothing else")
        } else {
            format!("removed the hooks from `{shown}`")
        };
        Ok(Some(report(Outcome::Removed, message)))
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
    let old = match &before {
        Some(Before::Bytes(bytes)) => std::str::from_utf8(bytes).ok(),
        _ => None,
    };
    let old = old.map(|old| old.trim_start_matches('\u{feff}'));
    let had = |keys: &[&str]| old.is_some_and(|old| hooks.has(old, keys));
    let text = hooks
        .unwired(&file.text, &had)
        .map_err(|flaw| file.flawed(&flaw))?;
    let had_ours = old.is_some_and(|old| hooks.found(old).is_ok_and(|found| !found.is_empty()));
    let is_as_before = old.is_some_and(|old| hooks.is_same(old, &text));
    let is_all_ours = scope == Scope::Project || matches!(hooks.form, Form::Plugin);
    Ok(match before {
        Some(Before::Bytes(bytes)) if is_as_before && !had_ours => Rest::Bytes(bytes),
        Some(Before::Nothing(folders)) if hooks.is_empty(&text) => Rest::Nothing(folders),
        // What says nothing any more is nobody's, whoever made it.
        None if is_all_ours && hooks.is_empty(&text) => Rest::Nothing(file.depth),
        _ => Rest::Text(text),
    })
}
