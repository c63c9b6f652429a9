//! What `nudge install` and `nudge uninstall` share: flags, and how what was done is printed.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use nudge::{Error, ErrorKind};

use super::output::{Exit, Output, Page, misused};
use super::question::{is_agreed, may_ask};
use super::terminal::{Terminal, misuse};
use crate::install::report::{Outcome, Report};
use crate::install::table::{HOSTS, Host, Scope};
use crate::wire::Fault;
use crate::wire::escape::shown;

#[derive(Debug, Args)]
pub(crate) struct HostFlags {
    /// claude, codex, gemini, cursor, vscode, opencode or copilot; all that are found when left out
    #[arg(value_name = "HOST", value_parser = ids(), hide_possible_values = true)]
    hosts: Vec<String>,
    /// Whose files: yours, or those of the project that you are in
    #[arg(long, value_enum, default_value_t = Scope::User, hide_possible_values = true, value_name = "user|project")]
    pub(crate) scope: Scope,
    /// Only say what would happen
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Say yes to everything: all hosts that are found, and their hooks
    #[arg(short, long)]
    pub(crate) yes: bool,
}

/// The words for the hosts, as clap lists and suggests them.
fn ids() -> PossibleValuesParser {
    let value = |host: &Host| PossibleValue::new(host.id).aliases(host.aliases);
    PossibleValuesParser::new(HOSTS.iter().map(value))
}

impl HostFlags {
    pub(crate) fn named(&self) -> Option<Vec<&'static Host>> {
        let named = |host: &&Host| {
            let mut words = std::iter::once(&host.id).chain(host.aliases);
            words.any(|word| self.hosts.iter().any(|typed| typed == word))
        };
        (!self.hosts.is_empty()).then(|| HOSTS.iter().filter(named).collect())
    }

    /// The hosts to do something in: those that were named, or those of `found`, if somebody
    /// can be asked about them or need not be.
    pub(crate) fn candidates(
        &self,
        terminal: &Terminal,
        verb: &str,
        nothing: &str,
        found: impl FnOnce() -> Vec<&'static Host>,
    ) -> Result<Vec<&'static Host>, Fault> {
        if let Some(named) = self.named() {
            return Ok(named);
        }
        let found = found();
        if found.is_empty() {
            let ids: Vec<_> = HOSTS.iter().map(|host| host.id).collect();
            let words = format!("{nothing}; name one of `{}`", ids.join("`, `"));
            return Err(Error::new(ErrorKind::NotFound, words).into());
        }
        if !self.yes && !self.dry_run && !may_ask(terminal) {
            let names: Vec<_> = found.iter().map(|host| host.name).collect();
            let words = format!(
                "found {}, but nobody can be asked here; `nudge {verb} --yes{}` does all of it, and \
                 `--dry-run` shows what that is",
                names.join(", "),
                self.scope.flag()
            );
            return Err(misuse(words).into());
        }
        Ok(found)
    }

    /// Those that the person at the terminal agrees to, where that is still open.
    pub(crate) fn agreed(&self, hosts: Vec<&'static Host>, verb: &str) -> Vec<&'static Host> {
        if self.named().is_some() || self.yes || self.dry_run {
            return hosts;
        }
        let ask = |host: &&'static Host| {
            let question = format!("{verb} {}", host.name);
            is_agreed(&question)
        };
        hosts.into_iter().filter(ask).collect()
    }
}

/// Prints each report as soon as it is done; for programs all of them as a list.
pub(crate) fn print_reports(out: &Output, reports: impl Iterator<Item = Report>) -> Exit {
    let (mut refused, mut found) = (false, false);
    let mut count = 0;
    let mut list = Vec::new();
    for report in reports {
        count += 1;
        refused |= report.outcome == Outcome::Refused;
        found |= report.outcome != Outcome::NotInstalled;
        if out.json {
            list.push(report);
        } else if report.outcome == Outcome::Refused {
            // The sentence may name its host already.
            let about = if report.message.starts_with(report.name) {
                String::new()
            } else {
                format!("{}: ", report.name)
            };
            misused(&format!("{about}{}", shown(&report.message)));
        } else {
            out.page_of(|page| write(page, &report));
        }
    }
    if out.json {
        let list = serde_json::to_string(&list).unwrap_or_default();
        out.page_of(|page| page.line(&list));
    }
    // Somebody who says no to everything is done as well.
    match (refused, found || count == 0) {
        (true, _) => Exit::Refused,
        (false, true) => Exit::Done,
        (false, false) => Exit::Nothing,
    }
}

fn write(page: &mut Page, report: &Report) {
    let line = format!("{}: {}", report.name, shown(&report.message));
    match report.outcome {
        Outcome::Installed | Outcome::Updated | Outcome::AlreadyInstalled | Outcome::Removed => {
            page.done(&line);
        }
        _ => page.line(&line),
    }
    for line in report.text.iter().flat_map(|text| text.lines()) {
        page.line(&shown(line));
    }
    for note in &report.notes {
        page.dim(&format!("  {}", shown(note)));
    }
}
