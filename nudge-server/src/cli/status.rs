//! `nudge status` and `nudge token`, and what other commands read of how a server says it is.

use chrono::{DateTime, Utc};
use nudge::{Clock, Limits, Stats, SystemClock};
use nudge_client::client::no_server;
use serde::Deserialize;

use super::every_command::Nothing;
use super::lifetime::local;
use super::output::{Exit, Page, written_out};
use super::pretty::count;
use super::terminal::{Terminal, read};
use super::week;
use crate::config::SessionSettings;
use crate::primary::operations::ServerOperation;
use crate::primary::program::{Program, is_older};
use crate::store::Receipts;
use crate::sync::SyncStatus;
use crate::wire::Fault;
use crate::wire::escape::shown;

/// How a server is, which may be one of another version.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Status {
    product: String,
    pub(crate) version: String,
    pub(crate) protocol: String,
    role: String,
    pub(crate) pid: u32,
    pub(crate) port: u16,
    url: String,
    pub(crate) session_id: String,
    session_began: Option<DateTime<Utc>>,
    members: Vec<Member>,
    stats: Option<Stats>,
    limits: Option<Limits>,
    /// How many hints would end with the session.
    pub(crate) ending: Option<usize>,
    pub(crate) program: Option<Program>,
    pub(crate) settings: Option<SessionSettings>,
    pub(crate) holds_secrets: bool,
    warnings: Vec<String>,
    /// How many proposals wait, in the repository of a call that says where it is.
    pub(crate) proposals: usize,
    pub(crate) sync: Option<SyncStatus>,
    receipts: Receipts,
    pub(crate) last_change: u64,
}

/// A process that shares the session, and the client that it serves.
#[derive(Debug, Deserialize)]
struct Member {
    pid: u32,
    client: Option<String>,
}

impl Status {
    /// What the server of the session says that there is; none is begun.
    pub(crate) fn of_session(terminal: &Terminal) -> Result<Status, Fault> {
        read(&terminal.call_session(ServerOperation::Status, "{}")?)
    }
}

pub(crate) fn run(_: &Nothing, terminal: &Terminal) -> Result<Exit, Fault> {
    let status = terminal.call_session(ServerOperation::Status, "{}")?;
    Ok(terminal.out.asked(&Ok(status).into(), write))
}

/// `nudge token`
pub(crate) fn token(_: &Nothing, terminal: &Terminal) -> Result<Exit, Fault> {
    terminal.client()?;
    let token = terminal.runtime()?.token().ok_or_else(no_server)?;
    Ok(written_out(&format!("{token}\n")))
}

fn write(page: &mut Page, status: &Status) -> Exit {
    let [product, version, role] =
        [&status.product, &status.version, &status.role].map(|it| shown(it));
    page.line(&format!("{product} {version} ({role}, pid {})", status.pid));
    page.line(&format!("url:     {}", shown(&status.url)));
    let began = status.session_began.map(|at| local(at, SystemClock.now()));
    let (session, began) = (shown(&status.session_id), began.unwrap_or_default());
    page.line(&format!("session: {session}, since {began}"));
    let members = status
        .members
        .iter()
        .map(|Member { pid, client }| match client {
            Some(client) => format!("pid {pid} for {}", shown(client)),
            None => format!("pid {pid}"),
        });
    let members: Vec<String> = members.collect();
    let (number, members) = (members.len(), members.join(", "));
    page.line(&format!("members: {number} ({members})"));
    if let Some(stats) = &status.stats {
        page.line(&format!(
            "holds:   {} in {}, used {}",
            count(stats.hints, "hint"),
            count(stats.components, "component"),
            count(stats.uses.try_into().unwrap_or(usize::MAX), "time")
        ));
    }
    if let Some(limits) = &status.limits {
        page.line(&format!(
            "limits:  {} hints in {} components, {} in one, {} bytes a value",
            limits.hints, limits.components, limits.hints_per_component, limits.value_bytes
        ));
    }
    if is_older(&status.version, status.program.as_ref()) {
        let words = "the server is older than this nudge; `nudge restart` replaces it";
        page.warned("!", words);
    }
    if let Some((words, is_good)) = status.sync.as_ref().map(SyncStatus::describe) {
        let line = format!("sync:    {}", shown(&words));
        if is_good {
            page.line(&line);
        } else {
            page.warned("!", &line);
        }
    }
    for warning in &status.warnings {
        page.alarmed("✘", &shown(warning));
    }
    if status.receipts.told > 0 {
        page.line(&format!("today:   {}", week::receipts(&status.receipts)));
    }
    Exit::Done
}
