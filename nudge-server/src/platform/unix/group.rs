//! Processes that are started and ended together.

use std::os::unix::process::CommandExt;
use std::process::{Child, Command};

use rustix::process::{Pid, Signal, kill_process_group};

/// A process, and whatever it starts.
pub(crate) struct Group(Pid);

/// Has a command started in a process group of its own.
pub(crate) fn apart(command: &mut Command) -> &mut Command {
    command.process_group(0)
}

impl Group {
    /// The group of a child that was started apart.
    pub(crate) fn of(child: &Child) -> Group {
        Group(Pid::from_child(child))
    }

    pub(crate) fn end(&self) {
        // It may have ended just now.
        let _ = kill_process_group(self.0, Signal::KILL);
    }
}
