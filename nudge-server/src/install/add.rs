//! Installing into one host.

use diffy::DiffOptions;

use super::backup::{Backup, Before};
use super::config_file::ConfigFile;
use super::entry::{Present, addition};
use super::format::Flaw;
use super::hooks::Hooks;
use super::machine::{Location, Machine, PROGRAM};
use super::remove::{holds_entry, hooks_in};
use super::report::{Outcome, Report};
use super::table::{Host, Scope};

/// Puts Nudge into a host, or says what would be done.
pub(crate) fn install(host: &Host, scope: Scope, machine: &Machine, dry_run: bool) -> Report {
    Report::of(host, scope, entered(host, scope, machine, dry_run))
}

/// What is said of a host that has Nudge as a plugin already: with an entry its hooks would run twice.
pub(crate) fn as_plugin(host: &Host, scope: Scope, machine: &Machine) -> Option<Report> {
    let path = machine.plugin(host).filter(|_| scope == Scope::User)?;
    let message = format!("already a plugin, in `{}`", path.display());
    Some(Report::new(host, scope, Outcome::AlreadyInstalled, message).about(&path))
}

/// What to paste into which file, for those who would rather do it themselves.
pub(crate) fn print(host: &Host, scope: Scope, machine: &Machine) -> Report {
    let location = machine.locations(host, scope).swap_remove(0);
    let block = |program: &str| host.format.edit("", &[addition(host, program)]);
    let block = program(machine, scope).map(block);
    printed(host, scope, &location, block, host.note(scope))
}

/// The same of its hooks; nothing where Nudge knows none of them.
pub(crate) fn print_hooks(host: &Host, scope: Scope, machine: &Machine) -> Option<Report> {
    let hooks = Hooks::of(host)?;
    let block = program(machine, scope).map(|program| hooks.wired(scope, "", program));
    let location = hooks.location(scope, machine);
    Some(printed(host, scope, &location, block, hooks.note))
}

fn printed(
    host: &Host,
    scope: Scope,
    location: &Location,
    block: Result<Result<String, Flaw>, String>,
    note: Option<&str>,
) -> Report {
    let path = location.path();
    let is_program = path.extension().is_some_and(|end| end == "js");
    let verb = if is_program {
        "write this to"
    } else {
        "paste this into"
    };
    let message = format!("{verb} `{}`", path.display());
    let report = Report::new(host, scope, Outcome::Printed, message).about(&path);
    let block = block.and_then(|block| block.map_err(|flaw| flaw.words));
    Report::of(
        host,
        scope,
        block.map(|block| report.showing(block).noting(note)),
    )
}

/// The binary as text, which is all that a config can hold. A project's file is for others too,
/// who have it elsewhere.
fn program(machine: &Machine, scope: Scope) -> Result<&str, String> {
    if scope == Scope::Project {
        return Ok(PROGRAM);
    }
    let shown = machine.binary.display();
    let text = machine.binary.to_str();
    text.ok_or_else(|| format!("`{shown}` is not UTF-8; install Nudge at another path"))
}

/// What is put into a file.
struct Change<'c> {
    file: &'c ConfigFile,
    new: String,
    /// What is done and what was, as in "would install in" and "installed in" the file.
    verbs: [&'static str; 2],
    /// What is said of what it named before.
    was: String,
    /// Whether it is the first of its kind; else one that was there is brought up to date.
    is_first: bool,
    /// Whether what was there before is noted already, or need not be.
    is_noted: bool,
    /// What people should know once the first is there.
    note: Option<&'static str>,
}

impl Change<'_> {
    /// Makes it, or says what would be done.
    fn make(self, host: &Host, scope: Scope, dry_run: bool) -> Result<Report, String> {
        let Change { file, new, .. } = &self;
        file.is_writable(new)?;
        let shown = file.path.display();
        let report = |outcome, verb: &str| {
            let message = format!("{verb} `{shown}`{}", self.was);
            Report::new(host, scope, outcome, message).about(&file.path)
        };
        let [verb, done] = self.verbs;
        let [would, did] = if self.is_first {
            [Outcome::WouldInstall, Outcome::Installed]
        } else {
            [Outcome::WouldUpdate, Outcome::Updated]
        };
        if dry_run {
            return Ok(report(would, &format!("would {verb}")).showing(diff(file, new)));
        }
        let backup = Backup::of(file);
        let (mut folders, mut is_noted) = (0, self.is_noted);
        if self.is_first {
            folders = file.make_folders()?;
            // A new file of a project gets no note: it would lie about in a repository,
            // where people see that a file has nothing in it.
            is_noted |= scope == Scope::Project && file.bytes.is_none();
        } else {
            is_noted |= file.bytes.is_none() || backup.read().is_some();
        }
        if !is_noted {
            backup.write(&match &file.bytes {
                Some(bytes) => Before::Bytes(bytes.clone()),
                None => Before::Nothing(folders),
            })?;
        }
        let written = file.write(new);
        if written.is_err() && self.is_first && !self.is_noted {
            // Nothing was changed, so nothing is left that would say so.
            let _ = backup.remove();
            file.remove_folders(folders);
        }
        written?;
        Ok(report(did, done).noting(self.note.filter(|_| self.is_first)))
    }
}

fn entered(host: &Host, scope: Scope, machine: &Machine, dry_run: bool) -> Result<Report, String> {
    // A project's file is for others too, who may have the host.
    if scope == Scope::User && !machine.has(host) {
        return Err(absent(host, machine));
    }
    let (file, present) = ConfigFile::of(host, scope, machine)?;
    let program = program(machine, scope)?;
    let edits = match &present {
        Some(present) if !present.is_ours() => return Err(foreign(&file, present)),
        Some(present) => present.mended(host, machine.wants(&present.program, scope), program),
        None => vec![addition(host, program)],
    };
    if edits.is_empty() {
        return Ok(already(host, scope, "already installed in", &file));
    }
    let new = host.format.edit(&file.text, &edits);
    let new = new.map_err(|flaw| file.flawed(&flaw))?;
    let is_first = present.is_none();
    let old = present.filter(|present| !machine.starts_this(&present.program));
    let old = old.map(|present| format!(", which named `{}`", present.program));
    let change = Change {
        new,
        verbs: if is_first {
            ["install in", "installed in"]
        } else {
            ["update", "updated"]
        },
        was: old.unwrap_or_default(),
        is_first,
        is_noted: is_first && hooks_in(host, scope, machine, &file).is_some(),
        note: host.note(scope),
        file: &file,
    };
    change.make(host, scope, dry_run)
}

/// Puts the hooks into a host, or says what would be done; nothing where Nudge knows none of it.
pub(crate) fn install_hooks(
    host: &Host,
    scope: Scope,
    machine: &Machine,
    dry_run: bool,
) -> Option<Report> {
    let hooks = Hooks::of(host)?;
    let wire = || {
        let file = hooks.file(scope, machine)?;
        let flawed = |flaw| file.flawed(&flaw);
        let found = hooks.found(&file.text).map_err(flawed)?;
        if hooks.are_complete(&found, scope, machine) {
            return Ok(already(host, scope, "hooks already in", &file));
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
    };
    Some(Report::of(host, scope, wire()))
}

fn already(host: &Host, scope: Scope, words: &str, file: &ConfigFile) -> Report {
    let message = format!("{words} `{}`", file.path.display());
    Report::new(host, scope, Outcome::AlreadyInstalled, message).about(&file.path)
}

fn absent(host: &Host, machine: &Machine) -> String {
    format!(
        "{} is not installed here: no `{}` on the PATH and no folder `{}`; `nudge install {} --print` shows what to paste",
        host.name,
        host.commands.join("` or `"),
        machine.folder(host).display(),
        host.id
    )
}

/// What changes in a file. One line is shown around it: more could show keys
/// of other servers.
pub(super) fn diff(file: &ConfigFile, new: &str) -> String {
    unified(&file.path.display().to_string(), [&file.text, new], 1)
}

/// How a text changes, with so many lines around it.
pub(crate) fn unified(path: &str, [before, after]: [&str; 2], around: usize) -> String {
    let mut options = DiffOptions::new();
    options.set_original_filename(path.to_owned());
    options.set_modified_filename(path.to_owned());
    options.set_context_len(around);
    options.create_patch(before, after).to_string()
}

/// The sentence for an entry `nudge` that starts something else.
pub(crate) fn foreign(file: &ConfigFile, present: &Present) -> String {
    let runs = match present.program.as_str() {
        "" => "starts no program".to_owned(),
        program => format!("starts `{program}`"),
    };
    format!(
        "`{}` has an entry `nudge` at line {} that {runs} and is not ours; it was left as it is, rename it to make room",
        file.path.display(),
        present.line
    )
}
