//! `nudge purge`

use std::fs;

use chrono::{DateTime, Local, NaiveDate, TimeDelta, TimeZone, Utc};
use nudge::{Clock, SystemClock, Ttl};
use nudge_client::folder::Runtime;

use super::lifetime::local;
use super::prelude::*;
use super::question::{is_agreed, may_ask};
use super::stop;
use super::terminal::Asked;
use crate::config::short_ttl::spelled_out;
use crate::observe::answers::Purged;
use crate::store;
use crate::sync;

#[derive(Debug, Args)]
#[command(after_help = "What is deleted is what all that is said applies to.

Examples:
  nudge purge --before 30d
  nudge purge --before 2025-11-04 --here
  nudge search staging --ids | xargs -r nudge purge --yes --id
  nudge purge --all                  deletes every hint and all history")]
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
    /// The whole memory: all hints, all history, what was put aside; sync is off then
    #[arg(long, conflicts_with_all = ["before", "repo", "here", "ids"])]
    all: bool,
    /// Do not ask first
    #[arg(short, long)]
    yes: bool,
}

impl Purge {
    pub(crate) fn run(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let params = Params::default()
            .with("before", self.before.map(|before| before.timestamp()))
            .with("repo", self.repo.as_deref())
            .with_switch("here", self.here)
            .with("ids", (!self.ids.is_empty()).then(|| self.ids.clone()));
        let refuse = |words: &str| Err(misuse(words).into());
        if params.clone().some().is_none() && !self.all {
            return refuse("say what to delete: `--before`, `--repo`, `--here`, `--id` or `--all`");
        }
        if !self.yes && !may_ask(terminal) {
            return refuse("nobody can be asked here; `--yes` deletes without a question");
        }
        if self.all {
            return self.everything(terminal);
        }
        let purge = ServerOperation::Purge;
        if !self.yes {
            let counted = terminal.ask(purge, &params.clone().with_switch("dry_run", true), None);
            let answer = counted.answer.as_ref().ok();
            let count = answer.and_then(|answer| read::<Purged>(answer).ok());
            let count = count.map_or(0, |counted| counted.purged);
            // What could not be counted is not deleted either.
            if count == 0 {
                return Ok(terminal.out.asked(&counted, deleted));
            }
            let question = self.question(count, &counted);
            if !is_agreed(&question) {
                terminal.out.note("nothing was deleted");
                return Ok(Exit::Nothing);
            }
        }
        terminal.tell(purge, &params, None, deleted)
    }

    /// Deletes the memory, and leaves settings, hosts' entries and projects' files.
    fn everything(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        terminal.only_user("`nudge purge --all`")?;
        let runtime = terminal.found_runtime();
        let files = |runtime: &Runtime| {
            let mut files = store::files(runtime.folder());
            files.extend(sync::files(runtime.folder()));
            files
        };
        let Some(runtime) = runtime.filter(|runtime| !files(runtime).is_empty()) else {
            terminal.out.note("there is nothing to delete");
            return Ok(Exit::Nothing);
        };
        if !self.yes {
            for file in files(&runtime) {
                terminal.out.note(&shown(&file.display().to_string()));
            }
            let question = "delete every hint and all history, in these files, for good";
            if !is_agreed(question) {
                terminal.out.note("nothing was deleted");
                return Ok(Exit::Nothing);
            }
        }
        let mut all = files(&runtime);
        // The server takes some of it away as it ends.
        if runtime.is_locked() {
            terminal.call_session(ServerOperation::Stop, r#"{"purge":true}"#)?;
        }
        let lock = stop::locked(&runtime)?;
        all.extend(files(&runtime));
        all.sort();
        all.dedup();
        let failed: Vec<_> = all
            .iter()
            .map(|path| fs::remove_file(path).or_else(|_| fs::remove_dir_all(path)))
            .filter_map(Result::err)
            .collect();
        if let Some(left) = files(&runtime).first() {
            let why = failed.last().map(ToString::to_string).unwrap_or_default();
            let words = format!(
                "`{}` is still there ({why}); see to it, then try again",
                left.display()
            );
            return Err(Fault::unavailable(words));
        }
        runtime.forget(&lock);
        let gone: Vec<_> = all.iter().map(|file| file.display().to_string()).collect();
        Ok(terminal.out.value(&json!({ "deleted": gone }), |page| {
            for name in &gone {
                page.done(&format!("deleted {}", shown(name)));
            }
            Exit::Done
        }))
    }

    fn question(&self, purged: usize, counted: &Asked) -> String {
        let context = counted.context.as_ref().filter(|_| self.here);
        let here = context.and_then(|context| context["repo"][0].as_str());
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
    page.done(&format!("deleted {all}"));
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
