//! `nudge week`: what agents were told and heeded, what was learned, what broke and what waits.

use chrono::{DateTime, Local};
use nudge::{Clock, Proposals, SystemClock};

use super::check::lost;
use super::lifetime::{local, short};
use super::prelude::*;
use super::pretty::{slot, value};
use super::proposals::describe;
use super::terminal::here;
use crate::primary::week::{RepoWeek, Week as Answer, days_until};
use crate::store::Receipts;

/// How many days are told of, and for how many what was told is kept.
const WEEK: usize = 7;
const KEPT: usize = 30;

/// How many of a kind are listed of a repository.
const MOST: usize = 5;

#[derive(Debug, Args)]
#[command(
    after_help = "Only lines that a hook told an agent in one of its sessions count. A line is heeded when the next
command of its kind was the one it named; stopped when another command ran and worked after one was
held back. `nudge log --told` lists the lines.
Exit status: 0, or 1 where nothing was told, learned or found."
)]
pub(crate) struct Week {
    /// Only the repository where you are
    #[arg(long)]
    here: bool,
}

impl Week {
    pub(crate) fn run(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let repo = repo_here().filter(|_| self.here);
        if self.here && repo.is_none() {
            let words = "not in a git repository; run this inside one, or leave out `--here`";
            return Err(misuse(words).into());
        }
        let asked = params(WEEK, repo);
        terminal.tell(
            ServerOperation::GetWeek,
            &asked,
            None,
            |page, week: &Answer| {
                let waiting = terminal.get(Operation::ListProposals, &Params::default(), None);
                let waiting: Proposals = waiting.unwrap_or_default();
                let waits = week.repositories.iter().map(|repo| repo.waiting.len());
                let Some(line) = line(week, waits.sum()) else {
                    page.line("nothing was told, learned or found this week");
                    return Exit::Nothing;
                };
                page.line(&line);
                for repo in week.repositories.iter().filter(|repo| is_busy(repo)) {
                    write(page, repo, &waiting);
                }
                Exit::Done
            },
        )
    }
}

/// The params that ask for the last days, as the reader has them.
pub(crate) fn params(days: usize, repo: Option<String>) -> Params {
    let days = days_until(&SystemClock.now().with_timezone(&Local), days);
    Params::default()
        .with("days", Some(days))
        .with("repo", repo)
}

fn repo_here() -> Option<String> {
    let here = here().ok()?;
    here.facts().repos.first().map(ToString::to_string)
}

/// The week in one line, with how many proposals wait; `None` where nothing happened.
pub(crate) fn line(week: &Answer, waiting: usize) -> Option<String> {
    let all = sum(&week.repositories);
    let count_of = |of: fn(&RepoWeek) -> usize| week.repositories.iter().map(of).sum::<usize>();
    let parts = [
        (count_of(|repo| repo.learned.len()), "learned"),
        (count_of(|repo| repo.gone.len()), "broken"),
        (waiting, "waiting"),
    ];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0);
    let parts = parts.map(|(count, what)| format!("{count} {what}"));
    let told = (all.told > 0).then(|| receipts(&all));
    let parts: Vec<String> = told.into_iter().chain(parts).collect();
    (!parts.is_empty()).then(|| format!("this week: {}", parts.join(", ")))
}

/// All that was told in some repositories.
fn sum(repositories: &[RepoWeek]) -> Receipts {
    let mut all = Receipts::default();
    let days = repositories.iter().flat_map(|repo| &repo.days);
    days.for_each(|day| all += *day);
    all
}

pub(crate) fn receipts(receipts: &Receipts) -> String {
    let stopped = match receipts.stopped {
        0 => String::new(),
        count => format!(", {count} stopped"),
    };
    let told = count(receipts.told, "line");
    format!("{told} told, {} heeded{stopped}", receipts.heeded)
}

fn is_busy(repo: &RepoWeek) -> bool {
    let lists = repo.learned.len() + repo.gone.len() + repo.waiting.len() + repo.sessions.len();
    sum(std::slice::from_ref(repo)).told + lists > 0
}

fn write(page: &mut Page, of: &RepoWeek, waiting: &Proposals) {
    let name = of.repo.as_deref().map_or("everywhere".to_owned(), short);
    let told = sum(std::slice::from_ref(of));
    let told = (told.told > 0).then(|| receipts(&told));
    let sessions = (!of.sessions.is_empty()).then(|| count(of.sessions.len(), "session"));
    let about: Vec<String> = told.into_iter().chain(sessions).collect();
    page.line("");
    page.line(&match about.join(", ") {
        none if none.is_empty() => name,
        about => format!("{name}: {about}"),
    });
    for learned in of.learned.iter().take(MOST) {
        let (slot, value) = (slot(&learned.component, &learned.key), value(&learned.hint));
        page.marked("  ✔", &format!("learned {slot}: {value}"));
    }
    for gone in of.gone.iter().take(MOST) {
        let slot = slot(&gone.named.component, &gone.named.key);
        let lost = lost(&gone.command, &gone.name, &gone.from, gone.near.as_deref());
        page.alarmed("  ✘", &format!("{slot}: {lost}"));
    }
    for id in of.waiting.iter().take(MOST) {
        let mut all = waiting.proposals.iter();
        if let Some(proposal) = all.find(|proposal| proposal.id == *id) {
            let grounds = proposal.grounds();
            page.warned("  ?", &format!("proposed {}", describe(proposal)));
            page.dim(&format!("    {}; nudge accept {id}", shown(&grounds)));
        }
    }
    let listed = of.learned.len().max(of.gone.len()).max(of.waiting.len());
    if listed > MOST {
        page.dim("  and more; `nudge ui` shows all");
    }
}

/// The lines that were told here, or everywhere outside of a repository.
pub(crate) fn told_lines(terminal: &Terminal, limit: Option<Value>) -> Result<Exit, Fault> {
    let limit = limit.unwrap_or(json!(20));
    let asked = params(KEPT, repo_here()).with("lines", Some(limit));
    terminal.tell(
        ServerOperation::GetWeek,
        &asked,
        None,
        |page, week: &Answer| {
            for row in week.lines.iter().rev() {
                let at = DateTime::from_timestamp(row.timestamp, 0).unwrap_or_default();
                let at = local(at, SystemClock.now());
                let session: String = row.session_id.chars().take(8).collect();
                let parts = [&row.host, &session, &row.event, &row.line].map(|part| shown(part));
                let [host, session, event, line] = parts;
                let who = format!("{host:<8}  {session:<8}  {event:<14}");
                page.line(&format!("{at:>16}  {who}  {line}"));
            }
            let nothing = "no agent was told anything here in the last 30 days";
            page.listed(!week.lines.is_empty(), nothing)
        },
    )
}
