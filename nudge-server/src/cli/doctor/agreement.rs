//! Whether the lock, the socket and the PID file mean the same process.

use std::path::Path;

use super::finding::Finding;
use super::server::Answer;
use crate::cli::escape::quoted;
use crate::platform::runtime::Runtime;

const ABOUT: &str = "identity";

/// Compares what the folder says with who answers. Where something is wrong with
/// the server itself, that has been said.
pub(super) fn look(runtime: &Runtime, answer: &Answer) -> Option<Finding> {
    let named = runtime.identity().map(|identity| identity.pid);
    match answer {
        Answer::Wrong => None,
        Answer::Nobody => left_behind(runtime, named),
        Answer::Status(pid, _) => Some(compared(*pid, runtime, named)),
    }
}

/// What a server left behind that crashed.
fn left_behind(runtime: &Runtime, named: Option<u32>) -> Option<Finding> {
    let words = match named {
        Some(pid) => format!("the PID file names process {pid}, which serves no more"),
        None if runtime.has_identity() => "the PID file cannot be read".to_owned(),
        None => return None,
    };
    Some(Finding::odd(ABOUT, words).fixed_by(removal(runtime.folder())))
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
        (None, _) if runtime.has_identity() => {
            Finding::odd(ABOUT, "the PID file cannot be read").fixed_by(removal(runtime.folder()))
        }
        (None, _) => {
            let words = "there is no PID file, so no client can check the port";
            Finding::odd(ABOUT, words).fixed_by("nudge stop")
        }
        (Some(_), None) if !Runtime::locks_are_told() => {
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

/// A PRIMARY writes its PID file anew when somebody takes it away.
fn removal(folder: &Path) -> String {
    format!(
        "rm -r {}",
        quoted(&folder.join("server.pid").to_string_lossy())
    )
}
