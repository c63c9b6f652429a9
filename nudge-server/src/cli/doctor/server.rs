//! The server: whether one answers, whether it speaks as we do, and whether it is of our age.

use std::io::ErrorKind;

use nudge_client::folder::Runtime;
use nudge_client::http::{FORBIDDEN, is_forbidden};
use nudge_client::platform::is_stopped;
use nudge_client::{Client, listener};

use super::{Finding, PATIENCE};
use crate::cli::status::Status;
use crate::deadline::within;
use crate::primary::operations::ServerOperation;
use crate::primary::program::is_older;
use crate::wire::Fault;
use crate::wire::identity::{PROTOCOL, VERSION, speaks};

const ABOUT: &str = "server";

/// Asks the server of a folder how it is, if one runs. None is started.
pub(super) fn look(runtime: Option<&Runtime>, autostart: bool) -> (Option<Status>, Finding) {
    let Some(runtime) = runtime else {
        return (None, none(autostart));
    };
    let socket = runtime.socket();
    let at = socket.clone();
    let listens = within(PATIENCE, move || listener(&at));
    let holder = runtime.lock_holder();
    let pid = match (listens, holder) {
        (Some(Ok(pid)), _) => pid.or_else(|| Some(runtime.identity()?.pid)),
        (Some(Err(error)), _) if is_forbidden(&error) => {
            return (None, Finding::bad(ABOUT, FORBIDDEN));
        }
        (None, pid) | (Some(Err(_)), pid @ Some(_)) => return (None, silent(pid)),
        // The next one takes the place of a socket that the last one left.
        (Some(Err(error)), None)
            if [ErrorKind::NotFound, ErrorKind::ConnectionRefused].contains(&error.kind()) =>
        {
            return (None, none(autostart));
        }
        (Some(Err(error)), None) => {
            let words = format!("the socket cannot be used ({error})");
            return (None, Finding::bad(ABOUT, words).fixed_by("nudge ls"));
        }
    };
    let asked = within(PATIENCE, move || {
        let client = Client::unix(&socket).ok()?;
        Some(client.call_blocking(ServerOperation::Status, "{}"))
    });
    let answer = match asked {
        Some(Some(Ok(answer))) => serde_json::from_str::<Status>(answer.get()).ok(),
        Some(Some(Err(Fault::Passed(_)))) => None,
        _ => return (None, silent(pid)),
    };
    if let Some(status) = answer {
        let found = versions(pid, &status);
        return (Some(status), found);
    }
    let words = format!("{} answers, but not as Nudge does", process(pid));
    let bad = Finding::bad(ABOUT, words);
    (None, bad.fixed_by("nudge stop --force"))
}

/// That no server runs is as it should be, where one can be started.
fn none(autostart: bool) -> Finding {
    if autostart {
        return Finding::good(ABOUT, "none runs; the first command starts one");
    }
    let words = "none runs, and NUDGE_AUTOSTART keeps commands from starting one";
    Finding::odd(ABOUT, words).fixed_by("nudge serve")
}

/// A process that does not answer: it was stopped, or it hangs.
fn silent(pid: Option<u32>) -> Finding {
    let words = format!("{} does not answer", process(pid));
    match pid.filter(|pid| is_stopped(*pid)) {
        Some(pid) => Finding::bad(ABOUT, format!("{words}, because it was stopped"))
            .fixed_by(format!("kill -CONT {pid}")),
        None => Finding::bad(ABOUT, words).fixed_by("nudge stop --force"),
    }
}

/// A process, where its number is known: a system may tell none, and the PID file be gone.
fn process(pid: Option<u32>) -> String {
    pid.map_or_else(|| "some process".to_owned(), |pid| format!("process {pid}"))
}

/// Whether the server is of our version, or at least speaks our language.
fn versions(pid: Option<u32>, status: &Status) -> Finding {
    let (version, protocol) = (&status.version, &status.protocol);
    let process = process(pid);
    let odd = if !speaks(protocol) {
        let words = format!(
            "{process} is nudge {version} with protocol {protocol}, this is nudge {VERSION} \
             with protocol {PROTOCOL}; they do not understand each other"
        );
        Finding::bad(ABOUT, words)
    } else if version != VERSION {
        let words = format!("{process} is nudge {version}, this is nudge {VERSION}");
        Finding::odd(ABOUT, words)
    } else if is_older(version, status.program.as_ref()) {
        let words = format!("{process} was started before this nudge was installed");
        Finding::odd(ABOUT, words)
    } else {
        let session = &status.session_id;
        let words = format!("nudge {version} answers, {process}, session `{session}`");
        return Finding::good(ABOUT, words);
    };
    odd.fixed_by("nudge restart")
}
