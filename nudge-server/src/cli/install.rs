//! `nudge install` and `nudge uninstall`

use super::host_flags::{HostFlags, print_reports};
use super::prelude::*;
use super::prime;
use super::question::{is_welcome, may_ask};
use super::start::is_there;
use crate::config::{Flags, Settings, UserFile};
use crate::install::add::{as_plugin, install, install_hooks, print, print_hooks};
use crate::install::backup::Backup;
use crate::install::config_file::ConfigFile;
use crate::install::hooks::Hooks;
use crate::install::machine::Machine;
use crate::install::remove::{uninstall, uninstall_hooks};
use crate::install::report::{Outcome, Report};
use crate::install::table::{HOSTS, Host, Scope};
use crate::past::Source;

/// What is offered beside what is written into the files of hosts.
const KEPT: &str = "what you set and what works is kept; `--no-keep` turns that off\n";

const RECORDED: &str = "what agents do would be recorded, to be searched\n";
const NOT_RECORDED: &str = "(what agents do would not be recorded; add `--observe` for that)\n";

const NOT_STOPPED: &str = "(a command that cannot run here would be warned of; after `nudge config before stop` it is \
    held back, once)\n";

/// What to type for a part of what was offered.
const LESS: &str = "nothing was changed; name the agents you want, or leave something out by `--no-hooks` or `--no-keep`";

/// What comes next, where there is something to learn from.
const LEARN: &str = "`nudge learn` fills it with what worked here before";

#[derive(Debug, Args)]
pub(crate) struct Install {
    #[command(flatten)]
    flags: HostFlags,
    /// Print what to paste into which file, and change nothing
    #[arg(long, conflicts_with = "dry_run")]
    print: bool,
    /// Wire the agent's hooks too, so that hints come by themselves
    #[arg(long, conflicts_with = "no_hooks")]
    hooks: bool,
    /// Wire no hooks, without a question
    #[arg(long)]
    no_hooks: bool,
    #[command(flatten)]
    keep: KeepFlags,
}

#[derive(Debug, Args)]
struct KeepFlags {
    /// Keep what you set and what works, without a question; that is the default
    #[arg(long, conflicts_with = "no_keep")]
    keep: bool,
    /// Keep nothing: what is set from now on ends with the session (`keep = false`)
    #[arg(long)]
    no_keep: bool,
    /// Record what agents do, too, for `nudge log` and `nudge search`
    #[arg(long)]
    observe: bool,
}

impl Install {
    pub(crate) fn run(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let flags = &self.flags;
        let machine = Machine::here().map_err(misuse)?;
        if self.print {
            let all = || HOSTS.iter().collect();
            let hosts = flags.named().unwrap_or_else(all);
            let reports = hosts.into_iter().flat_map(|host| {
                let entry = print(host, flags.scope, &machine);
                let wire = || print_hooks(host, flags.scope, &machine);
                self.with_hooks(self.hooks, host, entry, wire)
            });
            return Ok(print_reports(&terminal.out, reports));
        }
        let nothing = "no coding agent was found here";
        let hosts = flags.candidates(terminal, "install", nothing, || machine.hosts())?;
        let (scope, dry_run) = (flags.scope, flags.dry_run);
        let has_hooks = self.has_hooks(terminal);
        let put = |host: &Host, dry_run: bool| {
            if let Some(report) = as_plugin(host, scope, &machine) {
                return vec![report];
            }
            let entry = install(host, scope, &machine, dry_run);
            let wire = || install_hooks(host, scope, &machine, dry_run);
            self.with_hooks(has_hooks, host, entry, wire)
        };
        let file = UserFile::read();
        let is_said = self.keep.keep || self.keep.no_keep;
        let mut keep = self.choice(terminal, &file, &KEEP, is_said, !self.keep.no_keep);
        let is_said = self.keep.observe;
        let mut observe = self.choice(terminal, &file, &OBSERVE, is_said, is_said);
        if !flags.yes
            && !dry_run
            && may_ask(terminal)
            && let Some(offer) = self.offer(
                hosts.iter().map(|host| put(host, true)),
                keep.as_ref(),
                observe.as_ref(),
            )
            && !is_welcome(&offer)
        {
            terminal.out.note(LESS);
            return Ok(Exit::Done);
        }
        let reports = hosts.into_iter().flat_map(|host| {
            let mut reports = put(host, dry_run);
            if let Some(entry) = reports.first_mut()
                && entry.outcome != Outcome::Refused
            {
                let observe = observe.take().filter(|_| self.keep.observe);
                for (said, setting) in [(keep.take(), &KEEP), (observe, &OBSERVE)] {
                    let write = |is_on| setting.write(is_on, &file, has_session());
                    let note = said.map(|said| said.map_or_else(|why| why, write));
                    entry.notes.extend(note);
                }
            }
            reports
        });
        let mut changed = Vec::new();
        let reports = reports.inspect(|report| {
            let is_new = matches!(report.outcome, Outcome::Installed | Outcome::Updated);
            if is_new && !changed.contains(&report.name) {
                changed.push(report.name);
            }
        });
        let exit = print_reports(&terminal.out, reports);
        if exit == Exit::Done && !dry_run && may_ask(terminal) {
            prime::preview(&terminal.out);
            if Source::usual().any(|source| source.place(&machine).exists()) {
                terminal.out.note(LEARN);
            }
        }
        if !terminal.out.json {
            self.write_next(terminal, has_hooks, &changed);
        }
        Ok(exit)
    }

    /// What to type for what was left out because nobody could be asked, and what to restart.
    fn write_next(&self, terminal: &Terminal, has_hooks: bool, changed: &[&str]) {
        if changed.is_empty() {
            return;
        }
        let hosts = self.flags.named().into_iter().flatten();
        let hosts = hosts.filter(|host| Hooks::of(host).is_some());
        let hosts: Vec<&str> = hosts.map(|host| host.id).collect();
        let is_left = !has_hooks && !self.no_hooks && !hosts.is_empty();
        if is_left && self.flags.scope == Scope::User && terminal.shell().is_none() {
            let words = format!(
                "no hooks were wired, for nobody could be asked; `nudge install {} --yes` does that too",
                hosts.join(" ")
            );
            terminal.out.note(&words);
        }
        let words = format!("restart {} to use it", changed.join(", "));
        terminal.out.note(&words);
    }

    /// All that would be done as one question, if the command line leaves some of it open. Of
    /// a host the entry is reported first, and then the hooks.
    fn offer(
        &self,
        hosts: impl Iterator<Item = Vec<Report>>,
        keep: Option<&Choice>,
        observe: Option<&Choice>,
    ) -> Option<String> {
        let is_kept = keep == Some(&Ok(true));
        let mut is_open = is_kept && !self.keep.keep;
        let mut offer = String::new();
        let mut has_hooks = false;
        for (at, report) in hosts.flat_map(|reports| reports.into_iter().enumerate()) {
            if matches!(report.outcome, Outcome::WouldInstall | Outcome::WouldUpdate) {
                has_hooks |= at == 1;
                let is_said = [self.flags.named().is_some(), self.hooks];
                is_open |= !is_said.get(at).is_some_and(|is_said| *is_said);
                offer += &[report.name, ": ", &shown(&report.message), "\n"].concat();
            }
        }
        offer += if is_kept { KEPT } else { "" };
        offer += match observe {
            Some(Ok(true)) => RECORDED,
            Some(Ok(false)) => NOT_RECORDED,
            _ => "",
        };
        let is_said = UserFile::read().line_of("NUDGE_BEFORE").is_some();
        offer += if has_hooks && !is_said {
            NOT_STOPPED
        } else {
            ""
        };
        is_open.then(|| offer + "Do all of this")
    }

    /// What to say of a setting in the user's file, if anything. A project's file and a dry
    /// run change nothing of the user's.
    fn choice(
        &self,
        terminal: &Terminal,
        file: &UserFile,
        setting: &Setting,
        is_said: bool,
        answer: bool,
    ) -> Option<Choice> {
        let HostFlags { scope, dry_run, .. } = self.flags;
        if scope == Scope::Project || dry_run {
            return None;
        }
        let Setting { name, typed, .. } = setting;
        if file.line_of(setting.variable).is_some() {
            let shown = file.path.display();
            let why = || Err(format!("`{shown}` says `{name}` already; change it there"));
            return is_said.then(why);
        }
        // What a session may do is not for an agent to say.
        if terminal.shell().is_some() {
            let unsaid = setting.words(setting.usual);
            return Some(Err(format!("{unsaid} until the user types `{typed}`")));
        }
        Some(Ok(answer))
    }

    /// Whether to wire hooks: as the flags say, else where the user says yes to it, or wants to see
    /// what that would do. Those of a project run for others too.
    fn has_hooks(&self, terminal: &Terminal) -> bool {
        let may_assume = terminal.shell().is_none() && self.flags.scope == Scope::User;
        let is_seen = || self.flags.dry_run && self.flags.named().is_none();
        let says_yes = || self.flags.yes || is_seen() || may_ask(terminal);
        self.hooks || (!self.no_hooks && may_assume && says_yes())
    }

    /// What was done for the entry, and for the hooks if they are wanted.
    /// Without the entry there would be no server to hear of them.
    fn with_hooks(
        &self,
        has_hooks: bool,
        host: &Host,
        entry: Report,
        wire: impl FnOnce() -> Option<Report>,
    ) -> Vec<Report> {
        if !has_hooks || entry.outcome == Outcome::Refused {
            return vec![entry];
        }
        if let Some(wired) = wire() {
            return vec![entry, wired];
        }
        let note = || format!("Nudge knows no hooks of {}", host.name);
        vec![entry.noting(self.hooks.then(note))]
    }
}

/// Whether there is a session, which has its settings already.
fn has_session() -> bool {
    Settings::read(&Flags::default()).is_ok_and(|settings| is_there(&settings))
}

#[derive(Debug, Args)]
pub(crate) struct Uninstall {
    #[command(flatten)]
    flags: HostFlags,
}

impl Uninstall {
    pub(crate) fn run(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let flags = &self.flags;
        let machine = Machine::here().map_err(misuse)?;
        let found = || {
            let hosts = HOSTS.iter();
            hosts
                .filter(|host| holds(host, flags.scope, &machine).unwrap_or(true))
                .collect()
        };
        let (scope, dry_run) = (flags.scope, flags.dry_run);
        let mut is_settled = false;
        let reports = |host: &'static Host| {
            let entry = uninstall(host, scope, &machine, dry_run);
            let is_done = scope == Scope::User && entry.outcome == Outcome::Removed;
            let is_first = is_done && !std::mem::replace(&mut is_settled, is_done);
            let note = is_first.then(|| UserFile::read().left());
            let entry = entry.noting(note.flatten());
            let hooks = uninstall_hooks(host, scope, &machine, dry_run);
            std::iter::once(with_project(host, scope, &machine, entry)).chain(hooks)
        };
        let nothing = "no entry of Nudge was found";
        let hosts = flags.candidates(terminal, "uninstall", nothing, found)?;
        let hosts = flags.agreed(hosts, "uninstall");
        if hosts.is_empty() {
            terminal.out.note("nothing was changed");
        }
        let reports = hosts.into_iter().flat_map(reports);
        Ok(print_reports(&terminal.out, reports))
    }
}

/// Whether a host has an entry of ours, hooks, or the backup of one; unknown where its file cannot be read,
/// which whoever wants to be rid of Nudge should hear of.
fn holds(host: &Host, scope: Scope, machine: &Machine) -> Option<bool> {
    let (file, present) = ConfigFile::of(host, scope, machine).ok()?;
    let is_ours = present.is_some_and(|present| present.is_ours());
    let has_backup = || Backup::of(&file).read().is_some();
    let is_wired = |hooks: &Hooks| {
        let file = hooks.file(scope, machine);
        file.is_ok_and(|file| hooks.is_wired(&file.text))
    };
    Some(is_ours || has_backup() || Hooks::of(host).is_some_and(is_wired))
}

/// The same report, with a note if the project has an entry as well, which is
/// for others too and so is not taken along.
fn with_project(host: &Host, scope: Scope, machine: &Machine, report: Report) -> Report {
    let is_left = scope == Scope::User
        && report.outcome != Outcome::Refused
        && holds(host, Scope::Project, machine) == Some(true);
    let id = host.id;
    let note = || format!("this project has an entry too: `nudge uninstall {id} --scope project`");
    report.noting(is_left.then(note))
}

/// The answer to write for a setting, by a flag or because nobody minds; or why none is written.
type Choice = Result<bool, String>;

/// A setting that `nudge install` writes, and what it says then.
struct Setting {
    name: &'static str,
    variable: &'static str,
    is_on: &'static str,
    is_off: &'static str,
    /// What it is where nobody has said anything, and what to type for the other.
    usual: bool,
    typed: &'static str,
}

const KEEP: Setting = Setting {
    name: "keep",
    variable: "NUDGE_KEEP",
    is_on: "what you set and what works is kept",
    is_off: "what is set from then on ends with the session",
    usual: true,
    typed: "nudge install --no-keep",
};

const OBSERVE: Setting = Setting {
    name: "observe",
    variable: "NUDGE_OBSERVE",
    is_on: "what agents do is recorded, to be searched",
    is_off: "nothing is recorded",
    usual: false,
    typed: "nudge install --observe",
};

impl Setting {
    fn words(&self, is_on: bool) -> &'static str {
        if is_on { self.is_on } else { self.is_off }
    }

    /// Writes the answer into the user's file, and says so. A session that has begun goes on
    /// as it is.
    fn write(&self, is_on: bool, file: &UserFile, has_session: bool) -> String {
        if let Err(why) = file.write(self.name, &is_on.to_string()) {
            return format!("{why}; {}", self.words(self.usual));
        }
        let restart = if has_session {
            "; `nudge restart` applies it to the session that has begun"
        } else {
            ""
        };
        let (what, name, other) = (self.words(is_on), self.name, !is_on);
        let shown = file.path.display();
        format!("{what}, unless you write `{name} = {other}` into `{shown}`{restart}")
    }
}
