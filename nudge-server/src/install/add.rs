//! Installing into one host.

use std::path::Path;

use similar::TextDiff;

use super::backup::{Backup, Before};
use super::config_file::ConfigFile;
use super::entry::{Present, addition};
use super::format::Edit;
use super::machine::Machine;
use super::own_command::OwnCommand;
use super::remove::{hooks_in, rest};
use super::report::{Outcome, Report};
use super::table::{Host, Scope};

/// Puts Nudge into a host, or says what would be done.
pub(crate) fn install(host: &Host, scope: Scope, machine: &Machine, dry_run: bool) -> Report {
    let installing = Installing {
        host,
        scope,
        machine,
        dry_run,
    };
    let done = installing.done();
    done.unwrap_or_else(|words| Report::refused(host, scope, words))
}

/// What to paste into which file, for those who would rather do it themselves.
pub(crate) fn print(host: &Host, scope: Scope, machine: &Machine) -> Report {
    let printed = || {
        let location = machine.locations(host, scope).swap_remove(0);
        let edits = [addition(host, program(machine)?)];
        let block = host.format.edit("", &edits);
        let block = block.map_err(|flaw| flaw.words)?;
        let path = location.path();
        let message = format!("paste this into `{}`", path.display());
        let mut report = Report::new(host, scope, Outcome::Printed, message).about(&path);
        report.text = Some(block);
        Ok(report.noting(host.note(scope)))
    };
    printed().unwrap_or_else(|words| Report::refused(host, scope, words))
}

/// The binary as text, which is all that a config can hold.
pub(super) fn program(machine: &Machine) -> Result<&str, String> {
    let shown = machine.binary.display();
    let text = machine.binary.to_str();
    text.ok_or_else(|| format!("`{shown}` is not UTF-8; install Nudge at another path"))
}

struct Installing<'a> {
    host: &'a Host,
    scope: Scope,
    machine: &'a Machine,
    dry_run: bool,
}

impl Installing<'_> {
    fn done(&self) -> Result<Report, String> {
        let Installing {
            host,
            scope,
            machine,
            ..
        } = *self;
        // A project's file is for others too, who may have the host.
        if scope == Scope::User && !machine.has(host) {
            return Err(self.absent());
        }
        let (file, present) = ConfigFile::of(host, scope, machine)?;
        match present {
            Some(present) if present.is_ours() => self.update(&file, &present),
            Some(present) => Err(foreign(&file, &present)),
            None => self.add(&file),
        }
    }

    fn absent(&self) -> String {
        let host = self.host;
        format!(
            "{} is not installed here: no `{}` on the PATH and no folder `{}`; `nudge install {} --print` shows what to paste",
            host.name,
            host.commands.join("` or `"),
            self.machine.folder(host).display(),
            host.id
        )
    }

    fn update(&self, file: &ConfigFile, present: &Present) -> Result<Report, String> {
        let edits = present.mended(self.host, self.machine, program(self.machine)?);
        let shown = file.path.display();
        if edits.is_empty() {
            let message = format!("already installed in `{shown}`");
            return Ok(self.report(Outcome::AlreadyInstalled, message, &file.path));
        }
        let new = self.edited(file, &edits)?;
        file.is_writable()?;
        let was = if self.machine.starts_this(&present.program) {
            String::new()
        } else {
            format!(", which named `{}`", present.program)
        };
        if self.dry_run {
            let message = format!("would update `{shown}`{was}");
            return Ok(self.would(Outcome::WouldUpdate, message, file, &new));
        }
        let backup = Backup::of(file);
        if let (None, Some(bytes)) = (backup.read(), file.bytes()) {
            backup.write(&Before::Bytes(bytes.to_owned()))?;
        }
        file.write(&new)?;
        let message = format!("updated `{shown}`{was}");
        Ok(self.report(Outcome::Updated, message, &file.path))
    }

    fn add(&self, file: &ConfigFile) -> Result<Report, String> {
        let program = program(self.machine)?;
        let new = self.edited(file, &[addition(self.host, program)])?;
        file.is_writable()?;
        // A host might put a file in the place of a link.
        let own = OwnCommand::of(self.host, self.scope, self.machine);
        let own = own.filter(|_| !file.is_link());
        let shown = file.path.display();
        if self.dry_run {
            let message = format!("would install in `{shown}`");
            let Some(own) = own else {
                return Ok(self.would(Outcome::WouldInstall, message, file, &new));
            };
            let mut report = self.report(Outcome::WouldInstall, message, &file.path);
            report.command = Some(own.words());
            return Ok(report);
        }
        let folders = file.make_folders()?;
        let before = match file.bytes() {
            Some(bytes) => Before::Bytes(bytes.to_owned()),
            None => Before::Nothing(folders),
        };
        // A new file of a project gets no note: it would lie about in a
        // repository, where people see that a file has nothing in it. Where our
        // hooks are in the file, it was noted when they came.
        if !self.holds_hooks(file) && (self.scope == Scope::User || file.exists()) {
            Backup::of(file).write(&before)?;
        }
        let Some(own) = own else {
            return self.written(file, &new, folders);
        };
        match self.asked(&own, before) {
            Ok(()) => {
                let message = format!("installed by `{}` in `{shown}`", own.title());
                let mut report = self.report(Outcome::Installed, message, &file.path);
                report.command = Some(own.words());
                Ok(report.noting(self.host.note(self.scope)))
            }
            Err(words) => {
                // What a host notes beside our entry is not ours to undo.
                if !own.takes_notes {
                    file.put_back()?;
                }
                let (file, present) = ConfigFile::of(self.host, self.scope, self.machine)?;
                let report = match present {
                    Some(present) if present.is_ours() => self.update(&file, &present)?,
                    Some(present) => return Err(foreign(&file, &present)),
                    None => {
                        let new = self.edited(&file, &[addition(self.host, program)])?;
                        self.written(&file, &new, folders)?
                    }
                };
                let note = format!("`{}` was tried first, but {words}", own.title());
                Ok(report.noting(Some(note)))
            }
        }
    }

    /// Lets the host do it, and looks whether it did that and nothing else.
    fn asked(&self, own: &OwnCommand, before: Before) -> Result<(), String> {
        let Installing {
            host,
            scope,
            machine,
            ..
        } = *self;
        own.run(&machine.project())?;
        let (file, present) = ConfigFile::of(host, scope, machine)?;
        let is_ours =
            |present: &Present| present.is_ours() && machine.starts_this(&present.program);
        if !present.as_ref().is_some_and(is_ours) {
            return Err("no entry came of it".to_owned());
        }
        if own.takes_notes || rest(host, scope, &file, Some(before), None)?.is_as_before() {
            return Ok(());
        }
        Err("it changed other lines too, which was undone".to_owned())
    }

    fn written(&self, file: &ConfigFile, new: &str, folders: usize) -> Result<Report, String> {
        if let Err(words) = file.write(new) {
            // Nothing was changed, so nothing is left that would say so.
            if !self.holds_hooks(file) {
                let _ = Backup::of(file).remove();
            }
            file.remove_folders(folders);
            return Err(words);
        }
        let message = format!("installed in `{}`", file.path.display());
        let report = self.report(Outcome::Installed, message, &file.path);
        Ok(report.noting(self.host.note(self.scope)))
    }

    fn holds_hooks(&self, file: &ConfigFile) -> bool {
        hooks_in(self.host, self.scope, self.machine, file).is_some()
    }

    fn edited(&self, file: &ConfigFile, edits: &[Edit]) -> Result<String, String> {
        let edited = self.host.format.edit(&file.text, edits);
        edited.map_err(|flaw| file.flawed(&flaw))
    }

    fn report(&self, outcome: Outcome, message: String, path: &Path) -> Report {
        Report::new(self.host, self.scope, outcome, message).about(path)
    }

    fn would(&self, outcome: Outcome, message: String, file: &ConfigFile, new: &str) -> Report {
        let mut report = self.report(outcome, message, &file.path);
        report.text = Some(diff(&file.path, &file.text, new));
        report
    }
}

/// What changes in a file. One line is shown around it: more could show keys
/// of other servers.
pub(crate) fn diff(path: &Path, old: &str, new: &str) -> String {
    let path = path.display().to_string();
    let diff = TextDiff::from_lines(old, new);
    diff.unified_diff()
        .context_radius(1)
        .header(&path, &path)
        .to_string()
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
