//! Whether the lock, the socket and the PID file mean the same process.

use std::fs;
use std::path::Path;

use nudge_client::folder::Runtime;
use nudge_client::platform::locks_are_told;

use super::finding::Finding;
use super::server::Answer;
use crate::cli::shell::SHELL;

const ABOUT: &str = "identity";

/// Compares what the folder says with who answers. Where something is wrong with
/// the server itself, that has been said.
pub(super) fn look(runtime: &Runtime, answer: &Answer) -> Option<Finding> {
    let named = runtime.identity().map(|identity| identity.pid);
    match answer {
        // A server that ends leaves the file for the next one of the session.
        Answer::Wrong | Answer::Nobody => None,
        Answer::Status(pid, _) => Some(compared(*pid, runtime, named)),
    }
}

fn compared(pid: u32, runtime: &Runtime, named: Option<u32>) -> Finding {
    let holder = runtime.lock_holder();
    if let Some(holder) = holder.filter(|holder| *holder != pid) {
        let words = format!("process {pid} answers, but process {holder} holds the lock");
        return Finding::bad(ABOUT, words).fixed_by(format!("kill {pid}"));
    }
    match (named, holder) {
        (Some(named), _) if named != pid => {
            let words = format!("the PID file names process {named}, but process {pid} answers");
            Finding::odd(ABOUT, words).fixed_by(removal(runtime.folder()))
        }
        (None, _) if fs::symlink_metadata(runtime.folder().join("server.pid")).is_ok() => {
            Finding::odd(ABOUT, "the PID file cannot be read").fixed_by(removal(runtime.folder()))
        }
        (None, _) => {
            let words = "there is no PID file, so no client can check the port";
            Finding::odd(ABOUT, words).fixed_by("nudge stop")
        }
        (Some(_), None) if !locks_are_told() => {
            Finding::good(ABOUT, format!("socket and PID file agree on process {pid}"))
        }
        (Some(_), None) => {
            let words = format!("process {pid} answers, but does not hold the lock");
            Finding::odd(ABOUT, words).fixed_by("nudge stop")
        }
        (Some(_), Some(_)) => {
            let words = format!("lock, socket and PID file agree on process {pid}");
            Finding::good(ABOUT, words)
        }
    }
}

/// A PRIMARY rewrites its PID file when somebody takes it away.
fn removal(folder: &Path) -> String {
    format!("rm -r {}", SHELL.path(&folder.join("server.pid")))
}
