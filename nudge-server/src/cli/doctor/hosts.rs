//! What `nudge doctor` says of the hosts: one line for each that is installed here.

use std::path::PathBuf;
use std::process::Command;

use super::{Finding, State, ran};
use crate::config::VARIABLES;
use crate::install::add::foreign;
use crate::install::config_file::ConfigFile;
use crate::install::entry::Present;
use crate::install::machine::Machine;
use crate::install::program::is_executable;
use crate::install::table::{Host, Scope};
use crate::wire::identity::VERSION;

const ABOUT: &str = "hosts";

/// What means nothing to a server: hooks have the environment of their host.
const FOR_HOOKS: [&str; 3] = ["NUDGE_PRIME_TOKENS", "NUDGE_REMIND", "NUDGE_HOOK_MS"];

/// Looks at the entry of each host that is installed here. A host without an
/// entry is no fault, but worth a line.
pub(super) fn look(machine: &Machine) -> Vec<Finding> {
    let hosts = machine.hosts().into_iter();
    let found = hosts.map(|host| look_at(host, machine).of(host));
    found.collect()
}

/// An entry of ours, and the file that it is in.
struct Entry {
    scope: Scope,
    path: PathBuf,
    present: Present,
}

fn look_at(host: &Host, machine: &Machine) -> Finding {
    let (mut entries, mut foreigner) = (Vec::new(), None);
    for scope in [Scope::User, Scope::Project] {
        match ConfigFile::of(host, scope, machine) {
            Err(words) => return Finding::bad(ABOUT, words),
            Ok((_, None)) => {}
            Ok((file, Some(present))) if present.is_ours() => entries.push(Entry {
                scope,
                path: file.path,
                present,
            }),
            Ok((file, Some(present))) => foreigner = Some(foreign(&file, &present)),
        }
    }
    if let Some(plugin) = machine.plugin(host) {
        return plugged_in(host, &plugin.display().to_string(), entries.first());
    }
    let [first, more @ ..] = &entries[..] else {
        let install = format!("nudge install {}", host.id);
        return match foreigner {
            Some(words) => Finding::odd(ABOUT, words),
            None => Finding::odd(ABOUT, "no entry yet").fixed_by(install),
        };
    };
    let mut worst = judged(host, machine, first);
    for second in more {
        let found = judged(host, machine, second);
        if found.state >= worst.state {
            worst = found;
        }
        let [one, other] = [first, second].map(|entry| &entry.present.program);
        if worst.state != State::Bad && machine.resolve(one) != machine.resolve(other) {
            let [path, another] = [first, second].map(|entry| entry.path.display());
            let words = format!("`{path}` starts `{one}`, but `{another}` starts `{other}`");
            let fix = format!("nudge uninstall {} --scope project", host.id);
            return Finding::odd(ABOUT, words).fixed_by(fix);
        }
    }
    worst
}

/// A host that has Nudge by its own command, and should not have it by `nudge install` too.
fn plugged_in(host: &Host, plugin: &str, entry: Option<&Entry>) -> Finding {
    let Some(entry) = entry else {
        return Finding::good(ABOUT, format!("a plugin, in `{plugin}`"));
    };
    let file = entry.path.display();
    let words = format!("`{plugin}` has Nudge as a plugin and `{file}` has it, so hooks run twice");
    let fix = format!("nudge uninstall {}{}", host.id, entry.scope.flag());
    Finding::odd(ABOUT, words).fixed_by(fix)
}

fn judged(host: &Host, machine: &Machine, entry: &Entry) -> Finding {
    let (program, file) = (&entry.present.program, entry.path.display());
    let fix = format!("nudge install {}{}", host.id, entry.scope.flag());
    let Some(path) = machine.resolve(program) else {
        let words = format!("`{file}` starts `{program}`, which is not on the PATH");
        return Finding::bad(ABOUT, words).fixed_by(fix);
    };
    if !is_executable(&path) {
        let is = if path.exists() {
            "cannot be started"
        } else {
            "is not there"
        };
        let words = format!("`{file}` starts `{program}`, which {is}");
        return Finding::bad(ABOUT, words).fixed_by(fix);
    }
    let version = match version(machine, entry, &path) {
        Ok(version) => version,
        Err(words) => {
            let words = format!("`{file}` starts `{program}`, but {words}");
            return Finding::bad(ABOUT, words).fixed_by(fix);
        }
    };
    if entry.present.lacks_cwd(host) {
        let words = format!(
            "the entry in `{file}` does not set `cwd`, so Nudge is not started in the project"
        );
        return Finding::odd(ABOUT, words).fixed_by(fix);
    }
    let set = VARIABLES.iter().filter(|name| !FOR_HOOKS.contains(name));
    let set = set.filter(|name| machine.variable(name).is_some());
    let lost = entry.present.holds_back(host, set.copied().collect());
    if !lost.is_empty() {
        let (names, quoted) = (lost.join("`, `"), lost.join("\", \""));
        let words = format!(
            "the entry in `{file}` does not pass on `{names}`, which this shell sets; \
             write `env_vars = [\"{quoted}\"]` into it"
        );
        return Finding::odd(ABOUT, words);
    }
    if version.as_deref().is_some_and(|version| version != VERSION) {
        let version = version.unwrap_or_default();
        let words = format!("`{file}` starts version {version} of Nudge, and this is {VERSION}");
        return Finding::odd(ABOUT, words).fixed_by(fix);
    }
    let words = format!("`{file}` starts `{program}`");
    Finding::good(ABOUT, words)
}

/// The version that a binary says it is; nothing where it is not asked. A file
/// of a project may come from anybody and name any program, so that one is
/// started only if it is this very binary.
fn version(machine: &Machine, entry: &Entry, path: &PathBuf) -> Result<Option<String>, String> {
    if entry.scope == Scope::Project && !machine.starts_this(&entry.present.program) {
        return Ok(None);
    }
    let ran = ran(Command::new(path).arg("--version"), "")?;
    let said = String::from_utf8_lossy(&ran.stdout);
    let version = said.strip_prefix("nudge ").map(str::trim_end);
    match version.filter(|_| ran.status.success()) {
        Some(version) => Ok(Some(version.to_owned())),
        None => Err("it does not say that it is Nudge".to_owned()),
    }
}

#[cfg(test)]
mod tests;
