//! A process that outlives the command that started it.

use std::fs::File;

/// Leaves the terminal and the process group of the command that started this
/// process, both of which may end before it does.
pub(crate) fn leave_terminal() {
    let _ = rustix::process::setsid();
}

/// Lets whoever started us in the background know that we serve: it reads our
/// stdout to its end.
pub(crate) fn let_go_of_stdout() {
    if let Ok(nowhere) = File::options().write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stdout(&nowhere);
    }
}
