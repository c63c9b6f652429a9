//! The server: whether one answers, and whether it speaks as we do.

use std::{fs, io};

use nudge_client::folder::Runtime;
use nudge_client::platform::is_stopped;
use nudge_client::{Client, listener};
use serde::Deserialize;

use super::PATIENCE;
use super::finding::Finding;
use crate::cli::failure::Failure;
use crate::config::SessionSettings;
use crate::deadline::within;
use crate::primary::operations::ServerOperation;
use crate::primary::program::{Program, is_older};
use crate::wire::Fault;
use crate::wire::identity::{PROTOCOL, VERSION, speaks};

const ABOUT: &str = "server";

/// What a server says of itself.
#[derive(Debug, Deserialize)]
pub(super) struct Status {
    version: String,
    protocol: String,
    pub(super) port: u16,
    pub(super) session_id: String,
    /// What its session has.
    pub(super) settings: Option<SessionSettings>,
    #[serde(default)]
    members: Vec<Member>,
    #[serde(default)]
    program: Option<Program>,
}

#[derive(Debug, Deserialize)]
struct Member {
    pid: u32,
    #[serde(default)]
    role: String,
}

/// Who answers on the socket.
pub(super) enum Answer {
    /// Nobody, and nothing says that somebody should.
    Nobody,
    /// Nobody, and something is wrong.
    Wrong,
    /// This process, so.
    Status(u32, Box<Status>),
}

impl Answer {
    pub(super) fn status(&self) -> Option<&Status> {
        match self {
            Answer::Status(_, status) => Some(status),
            Answer::Nobody | Answer::Wrong => None,
        }
    }
}

/// Asks the server of a folder how it is, if one runs. None is started.
pub(super) fn look(runtime: Option<&Runtime>, autostart: bool) -> (Answer, Vec<Finding>) {
    let Some(runtime) = runtime else {
        return (Answer::Nobody, vec![none(autostart)]);
    };
    let socket = runtime.socket();
    let wrong = |finding| (Answer::Wrong, vec![finding]);
    if fs::symlink_metadata(&socket).is_err() {
        return match runtime.lock_holder() {
            Some(pid) => wrong(silent(pid, "holds the lock, but has no socket")),
            None => (Answer::Nobody, vec![none(autostart)]),
        };
    }
    let at = socket.clone();
    let pid = match within(PATIENCE, move || listener(&at)) {
        Some(Ok(pid)) => pid
            .or_else(|| Some(runtime.identity()?.pid))
            .unwrap_or_default(),
        Some(Err(error)) => return wrong(unreachable(&error, runtime.lock_holder())),
        None => {
            let pid = runtime.lock_holder().unwrap_or_default();
            return wrong(silent(pid, "does not take calls"));
        }
    };
    let asked = within(PATIENCE, move || {
        let client = Client::unix(&socket).ok()?;
        Some(client.call_blocking(ServerOperation::Status, "{}"))
    });
    let answer = match asked {
        Some(Some(Ok(answer))) => answer,
        Some(Some(Err(fault @ Fault::Passed(_)))) => {
            return wrong(refused(pid, &Failure::of(&fault)));
        }
        _ => return wrong(silent(pid, "listens, but does not answer")),
    };
    let Ok(status) = serde_json::from_str::<Status>(answer.get()) else {
        let words = format!("{} answers, but not as Nudge does", process(pid));
        return wrong(Finding::bad(ABOUT, words).fixed_by(end(pid)));
    };
    let found = vec![versions(pid, &status), members(&status)];
    (Answer::Status(pid, Box::new(status)), found)
}

/// That no server runs is as it should be, where one can be started.
fn none(autostart: bool) -> Finding {
    if autostart {
        return Finding::good(ABOUT, "none runs; the first command starts one");
    }
    let words = "none runs, and NUDGE_AUTOSTART keeps commands from starting one";
    Finding::odd(ABOUT, words).fixed_by("nudge serve")
}

fn unreachable(error: &io::Error, holder: Option<u32>) -> Finding {
    match (error.kind(), holder) {
        (_, Some(pid)) => silent(pid, "holds the lock, but does not listen on the socket"),
        (io::ErrorKind::ConnectionRefused, None) => {
            let words = "none runs; the last one left its socket, which the next one replaces";
            Finding::odd(ABOUT, words).fixed_by("nudge ls")
        }
        _ => {
            Finding::bad(ABOUT, format!("the socket cannot be used ({error})")).fixed_by("nudge ls")
        }
    }
}

/// A process that does not answer: it was stopped, or it hangs.
fn silent(pid: u32, what: &str) -> Finding {
    if is_stopped(pid) {
        let words = format!("process {pid} {what}, because it was stopped");
        return Finding::bad(ABOUT, words).fixed_by(format!("kill -CONT {pid}"));
    }
    Finding::bad(ABOUT, format!("{} {what}", process(pid))).fixed_by("nudge stop --force")
}

/// A process, where its number is known: a system may tell none, and the PID file be gone.
fn process(pid: u32) -> String {
    match pid {
        0 => "some process".to_owned(),
        pid => format!("process {pid}"),
    }
}

/// How it is ended.
fn end(pid: u32) -> String {
    match pid {
        0 => "nudge stop --force".to_owned(),
        pid => format!("kill {pid}"),
    }
}

fn refused(pid: u32, failure: &Failure) -> Finding {
    let words = format!(
        "{} does not say how it is: {}",
        process(pid),
        failure.message()
    );
    Finding::bad(ABOUT, words).fixed_by(end(pid))
}

/// Whether the server is of our version, or at least speaks our language.
fn versions(pid: u32, status: &Status) -> Finding {
    let (version, protocol) = (&status.version, &status.protocol);
    let process = process(pid);
    if !speaks(protocol) {
        let words = format!(
            "{process} is nudge {version} with protocol {protocol}, this is nudge {VERSION} \
             with protocol {PROTOCOL}; they do not understand each other"
        );
        return Finding::bad(ABOUT, words).fixed_by("nudge restart");
    }
    if version != VERSION {
        let words = format!("{process} is nudge {version}, this is nudge {VERSION}");
        return Finding::odd(ABOUT, words).fixed_by("nudge restart");
    }
    if is_older(version, status.program.as_ref()) {
        let words = format!("process {pid} was started before this nudge was installed");
        return Finding::odd(ABOUT, words).fixed_by("nudge restart");
    }
    let session = &status.session_id;
    Finding::good(
        ABOUT,
        format!("nudge {version} answers, {process}, session `{session}`"),
    )
}

fn members(status: &Status) -> Finding {
    let shown = status.members.iter();
    let shown = shown.map(|member| format!("{} ({})", member.pid, member.role));
    let shown: Vec<String> = shown.collect();
    Finding::good("members", shown.join(", "))
}
