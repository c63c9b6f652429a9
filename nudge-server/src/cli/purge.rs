//! `nudge purge`

use std::io;

use chrono::{DateTime, Local, NaiveDate, TimeDelta, TimeZone, Utc};
use clap::Args;
use nudge::{Clock, SystemClock, Ttl};

use super::escape::shown;
use super::flags::Params;
use super::host_flags::{is_agreed, may_ask};
use super::lifetime::local;
use super::output::{Exit, Page};
use super::pretty::count;
use super::terminal::{Asked, Terminal, misuse, read};
use crate::config::short_ttl::spelled_out;
use crate::observe::answers::Purged;
use crate::primary::operations::ServerOperation;

#[derive(Debug, Args)]
#[command(after_help = "What is deleted is what all that is said applies to.

Examples:
  nudge purge --before 30d
  nudge purge --before 2025-11-04 --here
  nudge search staging --ids | xargs -r nudge purge --yes --id")]
pub(crate) struct Purge {
    /// What was recorded before: so long ago, such as 30d or 2h, or a day or time
    #[arg(long, value_name = "WHEN", value_parser = moment)]
    before: Option<DateTime<Utc>>,
    /// What was recorded in a repository, as a remote or as git:org/repo
    #[arg(long, conflicts_with = "here")]
    repo: Option<String>,
    /// What was recorded in the repository where you are
    #[arg(long)]
    here: bool,
    /// The observations with these numbers
    #[arg(long = "id", value_name = "N", num_args = 1..)]
    ids: Vec<i64>,
    /// Do not ask first
    #[arg(long)]
    yes: bool,
}

impl Purge {
    pub(crate) fn run(&self, terminal: &Terminal) -> Exit {
        let params = Params::default()
            .with("before", self.before.map(|before| before.timestamp()))
            .with("repo", self.repo.as_deref())
            .with_switch("here", self.here)
            .with("ids", (!self.ids.is_empty()).then(|| self.ids.clone()));
        let refuse = |words: &str| {
            let error = misuse(words.to_owned());
            terminal.out.print_word(Err(error.into()))
        };
        if params.clone().some().is_none() {
            return refuse("say what to delete: `--before`, `--repo`, `--here` or `--id`");
        }
        if !self.yes && !may_ask(terminal) {
            return refuse("nobody can be asked here; `--yes` deletes without a question");
        }
        let purge = |params: &Params| terminal.choose(ServerOperation::Purge, params, None);
        if !self.yes {
            let counted = purge(&params.clone().with_switch("dry_run", true));
            let answer = counted.answer.as_ref().ok();
            let count = answer.and_then(|answer| read::<Purged>(answer).ok());
            let count = count.map_or(0, |counted| counted.purged);
            // What could not be counted is not deleted either.
            if count == 0 {
                return terminal.out.asked(&counted, deleted);
            }
            let question = self.question(count, &counted);
            if !is_agreed(&question, io::stdin().lock(), io::stderr()) {
                terminal.out.note("nothing was deleted");
                return Exit::Nothing;
            }
        }
        terminal.out.asked(&purge(&params), deleted)
    }

    fn question(&self, purged: usize, counted: &Asked) -> String {
        let context = counted.echo.as_ref().filter(|_| self.here);
        let here = context.and_then(|(_, context)| context["repo"][0].as_str());
        let of = match self.repo.as_deref().or(here) {
            Some(repo) => format!(" of {}", shown(repo)),
            None if self.ids.is_empty() => " of all repositories".to_owned(),
            None => String::new(),
        };
        let before = self
            .before
            .map(|at| format!(" from before {}", local(at, SystemClock.now())));
        let (all, before) = (count(purged, "observation"), before.unwrap_or_default());
        format!("delete {all}{of}{before} for good")
    }
}

fn deleted(page: &mut Page, done: &Purged) -> Exit {
    if done.purged == 0 {
        page.line("nothing was deleted: there is no such observation");
        return Exit::Nothing;
    }
    let all = count(done.purged, "observation");
    page.marked("✔", &format!("deleted {all}"));
    Exit::Done
}

/// Reads a time that was: how long ago, a day of the reader's, or a time as JSON has it.
fn moment(text: &str) -> Result<DateTime<Utc>, String> {
    let ago = spelled_out(text)
        .parse()
        .ok()
        .and_then(|ago: Ttl| ago.duration());
    if let Some(ago) = ago.and_then(|ago| TimeDelta::from_std(ago).ok()) {
        return Ok(SystemClock.now() - ago);
    }
    let day = text.parse::<NaiveDate>().ok();
    let begins = day.and_then(|day| Local.from_local_datetime(&day.into()).earliest());
    let time = begins.map(|begins| begins.to_utc());
    time.or_else(|| text.parse().ok())
        .ok_or_else(|| "write it as `30d`, `2025-11-04` or `2025-11-04T10:00:00Z`".to_owned())
}
