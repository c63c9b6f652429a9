//! `nudge purge`

use std::io;

use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta, Utc};
use clap::Args;
use nudge::{Clock, SystemClock, Ttl};
use serde::Deserialize;
use serde_json::Value;

use super::escape::shown;
use super::flags::Params;
use super::host_flags::{is_agreed, may_ask};
use super::output::Exit;
use super::pretty::count;
use super::terminal::{Asked, Terminal, misuse, read};
use crate::config::short_ttl::spelled_out;
use crate::primary::operations::ServerOperation;

#[derive(Debug, Args)]
#[command(after_help = "What is deleted is what all that is said applies to.

Examples:
  nudge purge --here                    all that was recorded in this repository
  nudge purge --before 30d
  nudge purge --before 2025-11-04 --here
  nudge search staging --ids | xargs -r nudge purge --yes --id")]
pub(crate) struct Purge {
    /// What was recorded before: so long ago, such as 30d or 2h, or a day or time in UTC
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

/// How many went, or would go.
#[derive(Deserialize)]
struct Purged {
    purged: usize,
}

impl Purge {
    pub(crate) fn run(&self, terminal: &Terminal) -> Exit {
        let params = Params::default()
            .with("before", self.before.map(|before| before.timestamp()))
            .with("repo", self.repo.as_deref())
            .with_switch("here", self.here)
            .with("ids", (!self.ids.is_empty()).then(|| self.ids.clone()));
        let refused = if params.clone().some().is_none() {
            Some("say what to delete: `--before`, `--repo`, `--here` or `--id`")
        } else if !self.yes && !may_ask(terminal) {
            Some("nobody can be asked here; `--yes` deletes without a question")
        } else {
            None
        };
        if let Some(words) = refused {
            return terminal
                .out
                .print_word(Err(misuse(words.to_owned()).into()));
        }
        let purge = |params: &Params| terminal.choose(ServerOperation::Purge, params, None);
        if !self.yes {
            let counted = purge(&params.clone().with_switch("dry_run", true));
            let question = counted.answer.as_ref().ok().and_then(|answer| {
                let purged = read::<Purged>(answer).ok()?.purged;
                (purged > 0).then(|| self.question(purged, &counted))
            });
            // Without one there is nothing to delete, which is said below.
            if question.is_some_and(|it| !is_agreed(&it, io::stdin().lock(), io::stderr())) {
                return Exit::Nothing;
            }
        }
        terminal.out.asked(&purge(&params), |page, done: &Purged| {
            if done.purged == 0 {
                page.line("nothing was deleted: there is no such observation");
                return Exit::Nothing;
            }
            page.marked(
                "✔",
                &format!("deleted {}", count(done.purged, "observation")),
            );
            Exit::Done
        })
    }

    fn question(&self, purged: usize, counted: &Asked) -> String {
        let context = counted.echo.as_ref().filter(|_| self.here);
        let here = context.and_then(|(_, context)| context.pointer("/repo/0"));
        let repo = self.repo.as_deref().or(here.and_then(Value::as_str));
        let repo = repo.map(|repo| format!(" of {}", shown(repo)));
        let before = self
            .before
            .map(|at| at.format(" from before %F %R UTC").to_string());
        let all = if self.repo.is_none() && !self.here && self.ids.is_empty() {
            " of all repositories"
        } else {
            ""
        };
        format!(
            "delete {}{}{all}{} for good",
            count(purged, "observation"),
            repo.unwrap_or_default(),
            before.unwrap_or_default()
        )
    }
}

/// Reads a time that was: how long ago, a day, or a time as JSON has it.
fn moment(text: &str) -> Result<DateTime<Utc>, String> {
    let ago = spelled_out(text).parse::<Ttl>().ok();
    let ago = ago.and_then(|ago| TimeDelta::from_std(ago.duration()?).ok());
    let ago = ago.and_then(|ago| SystemClock.now().checked_sub_signed(ago));
    let day = || text.parse::<NaiveDate>().ok();
    let day = || day().map(|day| day.and_time(NaiveTime::MIN).and_utc());
    let time = || DateTime::parse_from_rfc3339(text).ok();
    let time = || time().map(|time| time.to_utc());
    let moment = ago.or_else(day).or_else(time);
    moment.ok_or_else(|| "write it as `30d`, `2025-11-04` or `2025-11-04T10:00:00Z`".to_owned())
}
